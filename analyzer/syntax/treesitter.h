// What this package calls of tree-sitter's public API (api.h), written as it is there, and
// its Python grammar. go-tree-sitter links the symbols in and exports none of them; weak
// declarations let cgo link this package on its own. TestDeclarations holds them against
// api.h.
#ifndef TREESITTER_H
#define TREESITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEAK __attribute__((weak))

typedef uint16_t TSSymbol;
typedef uint16_t TSFieldId;
typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;

typedef enum TSInputEncoding {
  TSInputEncodingUTF8,
  TSInputEncodingUTF16,
} TSInputEncoding;

typedef struct TSPoint {
  uint32_t row;
  uint32_t column;
} TSPoint;

typedef struct TSInput {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte_index, TSPoint position, uint32_t *bytes_read);
  TSInputEncoding encoding;
} TSInput;

typedef enum TSLogType {
  TSLogTypeParse,
  TSLogTypeLex,
} TSLogType;

typedef struct TSLogger {
  void *payload;
  void (*log)(void *payload, TSLogType log_type, const char *buffer);
} TSLogger;

typedef struct TSInputEdit {
  uint32_t start_byte;
  uint32_t old_end_byte;
  uint32_t new_end_byte;
  TSPoint start_point;
  TSPoint old_end_point;
  TSPoint new_end_point;
} TSInputEdit;

typedef struct TSNode {
  uint32_t context[4];
  const void *id;
  const TSTree *tree;
} TSNode;

typedef struct TSTreeCursor {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *self);
WEAK bool ts_parser_set_language(TSParser *self, const TSLanguage *language);
WEAK TSTree *ts_parser_parse( TSParser *self, const TSTree *old_tree, TSInput input );
WEAK void ts_parser_reset(TSParser *self);
WEAK void ts_parser_set_cancellation_flag(TSParser *self, const size_t *flag);
WEAK void ts_parser_set_logger(TSParser *self, TSLogger logger);

WEAK void ts_tree_delete(TSTree *self);
WEAK TSNode ts_tree_root_node(const TSTree *self);
WEAK void ts_tree_edit(TSTree *self, const TSInputEdit *edit);

WEAK TSSymbol ts_node_symbol(TSNode self);
WEAK uint32_t ts_node_start_byte(TSNode self);
WEAK uint32_t ts_node_end_byte(TSNode self);
WEAK bool ts_node_is_missing(TSNode self);
WEAK bool ts_node_has_error(TSNode self);
WEAK uint32_t ts_node_child_count(TSNode self);
WEAK uint32_t ts_node_descendant_count(TSNode self);

WEAK TSTreeCursor ts_tree_cursor_new(TSNode node);
WEAK void ts_tree_cursor_delete(TSTreeCursor *self);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *self);
WEAK TSFieldId ts_tree_cursor_current_field_id(const TSTreeCursor *self);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *self);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *self);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *self);

WEAK const TSLanguage *tree_sitter_python(void);

#endif
