// A cursor over the nodes of a tree, as tree-sitter's own is, but for what it keeps of each:
// that counts rows, columns and descendants at every step, and costs a fifth of a parse.
//
// It reads what tree-sitter's subtree.h (0.22) has of a node, which is no contract: go.mod
// pins the version, and TestCursor holds every node against tree-sitter's own cursor. Of a
// language it reads what every generated parser is compiled with (parser.h, ABI 14).
#ifndef CURSOR_H
#define CURSOR_H

#include "treesitter.h"

#include <stdlib.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "tree-sitter has the bits of a small leaf in another order on big-endian machines; they are not described here"
#endif

// A leaf, where it is small: in place of a pointer, whose lowest bit is never set.
typedef struct {
	bool is_inline : 1, visible : 1, named : 1, extra : 1, has_changes : 1, is_missing : 1, is_keyword : 1;
	uint8_t symbol;
	uint16_t parse_state;
	uint8_t padding_columns;
	uint8_t padding_rows : 4, lookahead_bytes : 4;
	uint8_t padding_bytes, size_bytes;
} small_leaf;

typedef struct { uint32_t bytes, row, column; } extent;

// Any other node. Its children stand right before it.
typedef struct {
	volatile uint32_t ref_count;
	extent padding, size; // what is before it, as space, and it itself
	uint32_t lookahead_bytes, error_cost, child_count;
	TSSymbol symbol;
	uint16_t parse_state;
	bool visible : 1, named : 1, extra : 1, fragile_left : 1, fragile_right : 1, has_changes : 1, has_external_tokens : 1,
		has_external_scanner_state_change : 1, depends_on_column : 1, is_missing : 1, is_keyword : 1;
	// These are there where it has children.
	uint32_t visible_child_count, named_child_count, visible_descendant_count;
	int32_t dynamic_precedence;
	uint16_t repeat_depth, production_id;
} big_node;

typedef union { small_leaf leaf; const big_node *node; } subtree;

typedef struct { TSFieldId field; uint8_t child; bool inherited; } field_entry;
typedef struct { uint16_t index, length; } field_slice;

struct TSLanguage {
	uint32_t version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count,
		production_id_count, field_count;
	uint16_t max_alias_sequence_length;
	const void *parse_table, *small_parse_table, *small_parse_table_map, *parse_actions, *symbol_names, *field_names;
	const field_slice *field_map_slices;
	const field_entry *field_map_entries;
	const void *symbol_metadata, *public_symbol_map, *alias_map;
	const TSSymbol *alias_sequences;
};

// The children of a node, one of which the cursor is at or above.
typedef struct {
	const subtree *at, *end; // the child, and what is behind the last
	uint32_t start;          // byte where the child begins
	uint32_t place;          // its number among those that the grammar's rule names
	const TSSymbol *aliases; // by place; none where the rule has none
	uint16_t production;     // the rule
	bool hidden;             // the node is not seen: its children are those of the one that holds it
} level;

typedef struct {
	const TSLanguage *language;
	level *levels;
	uint32_t depth, room;
} cursor;

static inline bool has_children(subtree s) { return !s.leaf.is_inline && s.node->child_count; }
static inline bool is_extra(subtree s) { return s.leaf.is_inline ? s.leaf.extra : s.node->extra; }
static inline uint32_t size_of(subtree s) { return s.leaf.is_inline ? s.leaf.size_bytes : s.node->size.bytes; }
static inline uint32_t padding_of(subtree s) { return s.leaf.is_inline ? s.leaf.padding_bytes : s.node->padding.bytes; }

static inline const TSSymbol *aliases_of(const TSLanguage *l, uint16_t production) {
	return production ? l->alias_sequences + production * l->max_alias_sequence_length : NULL;
}

// enter goes among the children of a node that begins at a byte.
static inline void enter(cursor *c, subtree s, uint32_t start, bool hidden) {
	if (c->depth == c->room) {
		c->room = c->room ? 2 * c->room : 256;
		c->levels = realloc(c->levels, c->room * sizeof *c->levels);
	}
	uint16_t production = s.node->production_id;
	const subtree *first = (const subtree *)s.node - s.node->child_count;
	c->levels[c->depth++] = (level){
		first, first + s.node->child_count, start, 0, aliases_of(c->language, production), production, hidden,
	};
}

static inline level *here(cursor *c) { return &c->levels[c->depth - 1]; }

static inline void advance(level *l) {
	l->start += size_of(*l->at);
	if (!is_extra(*l->at)) l->place++;
	if (++l->at < l->end) l->start += padding_of(*l->at);
}

static inline TSSymbol alias_at(const level *l) { return l->aliases && !is_extra(*l->at) ? l->aliases[l->place] : 0; }

static inline bool is_seen(const level *l) {
	return (l->at->leaf.is_inline ? l->at->leaf.visible : l->at->node->visible) || alias_at(l);
}

// settle goes on to the first node that is seen; where there is none among the children of
// the node around it, the cursor goes to that, and it is false.
static inline bool settle(cursor *c) {
	for (;;) {
		level *l = here(c);
		if (l->at == l->end) {
			c->depth--;
			if (!l->hidden) return false;
			advance(here(c));
		} else if (is_seen(l)) {
			return true;
		} else if (has_children(*l->at) && l->at->node->visible_child_count) {
			enter(c, *l->at, l->start, true);
		} else {
			advance(l);
		}
	}
}

// first_child goes to the first child; where there is none, it is false and the cursor stays.
static inline bool first_child(cursor *c) {
	level *l = here(c);
	if (!has_children(*l->at)) return false;
	enter(c, *l->at, l->start, false);
	return settle(c);
}

// next_sibling goes to the next one; where there is none, it is false and the cursor goes
// to the parent.
static inline bool next_sibling(cursor *c) {
	advance(here(c));
	return settle(c);
}

static inline TSSymbol symbol_here(cursor *c) {
	const level *l = here(c);
	TSSymbol alias = alias_at(l);
	if (alias) return alias;
	return l->at->leaf.is_inline ? l->at->leaf.symbol : l->at->node->symbol;
}

static inline uint32_t start_here(cursor *c) { return here(c)->start; }
static inline uint32_t end_here(cursor *c) { return here(c)->start + size_of(*here(c)->at); }

static inline bool is_missing_here(cursor *c) {
	subtree s = *here(c)->at;
	return s.leaf.is_inline ? s.leaf.is_missing : s.node->is_missing;
}

static inline bool has_error_here(cursor *c) {
	subtree s = *here(c)->at;
	return is_missing_here(c) || (!s.leaf.is_inline && s.node->error_cost > 0);
}

// field_here is the field that the node is in, of the one around it or of what is not seen
// between them; 0 where it is in none.
static inline TSFieldId field_here(cursor *c) {
	for (level *l = here(c);; l--) {
		if (is_extra(*l->at)) return 0;
		field_slice s = c->language->field_map_slices[l->production];
		for (const field_entry *e = c->language->field_map_entries + s.index, *end = e + s.length; e < end; e++)
			if (!e->inherited && e->child == l->place) return e->field;
		if (!l->hidden) return 0;
	}
}

// cursor_on is a cursor on the first child of a root; it is false where that has none. It
// is to be freed in any case.
static inline bool cursor_on(cursor *c, TSNode root) {
	*c = (cursor){.language = tree_sitter_python()};
	subtree s = *(const subtree *)root.id;
	if (!has_children(s)) return false;
	enter(c, s, root.context[0], false);
	return settle(c);
}

static inline void cursor_free(cursor *c) { free(c->levels); }

#endif
