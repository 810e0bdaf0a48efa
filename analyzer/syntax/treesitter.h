// Part of tree-sitter's public API (api.h, ABI 14) and the language's own. The symbols are
// linked in by go-tree-sitter, which exports none of them to Go; declaring them weak lets
// this package compile on its own. TestLayout pins what is assumed of TSNode.
#ifndef TREESITTER_H
#define TREESITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef uint16_t TSSymbol;
typedef uint16_t TSFieldId;

#define WEAK __attribute__((weak))

WEAK const TSLanguage *tree_sitter_python(void);

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

WEAK bool ts_node_has_error(TSNode);

#endif
