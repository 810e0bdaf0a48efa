package syntax

/*
#include "treesitter.h"

typedef struct {
	uint32_t start, end; // bytes, relative to the top-level statement
	int32_t parent;      // index in the statement, -1 at its root
	int32_t next;        // the next sibling, 0 where there is none
	uint8_t kind, field, flags, pad;
} node;

typedef struct {
	uint32_t start, end; // bytes in the file
	uint32_t first;      // index of the statement's root in the nodes
	uint8_t kind, flags;
	uint16_t pad;
} top;

enum { FLAG_ERROR = 1, FLAG_MISSING = 2 };

// A level is a node that the cursor is below.
typedef struct {
	int32_t node, last; // the index of what it is lowered to, or of what holds it, and of the last child of that; or -1
	uint32_t left;      // its children from the cursor's on
	uint8_t kind;       // of what it is lowered to
} level;

typedef struct {
	const uint8_t *kinds;  // by symbol
	const uint8_t *fields; // by field
	const uint8_t *traits; // by kind
	uint8_t drop, through, token, operator_kind, operator_field;
} grammar;

// What is to be known of a kind.
enum {
	LEAF = 1,       // it has no children
	OPERATION = 2,  // a token may be a child, its operator
	STRING = 4,     // its children are only those of an f-string
	UNNAMED = 8,    // it is in no field, whatever holds it
	LIST = 16,      // its children are in no field
};

// interpolates reports whether a string literal may hold expressions: its prefix
// has an f.
static bool interpolates(const char *from, const char *end) {
	for (; from < end && *from != '"' && *from != '\'' && *from != '`'; from++)
		if ((*from | 0x20) == 'f') return true;
	return false;
}

// end_of is where a node of the statement at base ends. A carriage return, which tree-sitter
// has for the last character of a comment, is a part of the line's end.
static uint32_t end_of(TSNode n, const char *text, uint32_t base) {
	uint32_t end = ts_node_end_byte(n);
	while (end > base && text[end - 1] == '\r') end--;
	return end;
}

typedef struct {
	uint32_t tops, nodes; // how many were written
	uint32_t next;        // how many nodes the next statement may have, 0 after the last
	bool deep;            // there were more levels than there is room for, and not all was written
} counts;

// lower writes the top-level statements from the one at the cursor on, and the nodes of each one,
// as far as there is room for them. It leaves the cursor at the next one.
static counts lower(TSTreeCursor *c, const char *text, grammar g, top *tops, uint32_t top_room, node *nodes, uint32_t node_room, level *levels, uint32_t level_room) {
	counts n = {0, 0, 0, false};
	level *l = levels; // that of which the cursor is at a child
	*l = (level){-1, -1, UINT32_MAX, g.drop}; // how many statements follow is not known
	uint32_t base = 0, first = 0; // of the top-level statement
	bool broken = false;          // is that
	for (bool more = true; more;) {
		TSNode m = ts_tree_cursor_current_node(c);
		if (l == levels) {
			n.next = ts_node_descendant_count(m);
			if (n.tops == top_room || n.next > node_room - n.nodes) return n;
		}
		uint8_t kind = g.kinds[ts_node_symbol(m)], field = 0;
		if (kind == g.token) {
			if (g.traits[l->kind] & OPERATION && g.fields[ts_tree_cursor_current_field_id(c)] == g.operator_field)
				kind = g.operator_kind, field = g.operator_field;
		} else if (!(g.traits[kind] & UNNAMED) && !(g.traits[l->kind] & LIST)) {
			field = g.fields[ts_tree_cursor_current_field_id(c)];
		}
		uint8_t traits = g.traits[kind];
		level inner = *l;
		bool seen = l == levels ? kind != g.token : kind < g.drop;
		if (seen) {
			uint32_t start = ts_node_start_byte(m);
			if (l == levels) base = start;
			uint32_t end = end_of(m, text, base);
			if (start > end) start = end; // of a node without text
			if (l == levels) {
				first = n.nodes, broken = ts_node_has_error(m), field = 0;
				tops[n.tops++] = (top){start, end, first, kind, broken ? FLAG_ERROR : 0, 0};
			} else {
				if (l->last >= 0) nodes[first + l->last].next = (int32_t)(n.nodes - first);
				l->last = (int32_t)(n.nodes - first);
			}
			uint8_t flags = 0;
			if (broken) flags = (ts_node_has_error(m) ? FLAG_ERROR : 0) | (ts_node_is_missing(m) ? FLAG_MISSING : 0);
			inner = (level){(int32_t)(n.nodes - first), -1, 0, kind};
			nodes[n.nodes++] = (node){start - base, end - base, l->node, 0, kind, field, flags, 0};
			if (traits & STRING && !broken && !interpolates(text + start, text + end)) traits |= LEAF;
		}
		if ((seen || kind == g.through) && !(traits & LEAF) && ts_tree_cursor_goto_first_child(c)) {
			if (l + 1 == levels + level_room) {
				n.deep = true;
				return n;
			}
			*++l = inner;
			l->left = ts_node_child_count(m);
			continue;
		}
		// To ask for a sibling that is not there takes longer than to ask for one.
		while (!(more = --l->left > 0 && ts_tree_cursor_goto_next_sibling(c)) && l > levels) {
			ts_tree_cursor_goto_parent(c);
			if (l[-1].node == l->node) l[-1].last = l->last;
			l--;
		}
	}
	n.next = 0;
	return n;
}
*/
import "C"

import (
	"slices"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/python"
)

// node is one node of a subtree as C lowers it. The layout is that of C.node.
type node struct {
	start, end   uint32
	parent, next int32
	kind         Kind
	field        Field
	flags        uint8
	_            uint8
}

// top is one top-level statement as C finds it. The layout is that of C.top.
type top struct {
	start, end uint32
	first      uint32
	kind       Kind
	flags      uint8
	_          uint16
}

// The C counterparts.
type (
	cNode = C.node
	cTop  = C.top
)

const (
	flagError   = C.FLAG_ERROR
	flagMissing = C.FLAG_MISSING
)

var (
	language = python.GetLanguage()
	kinds    = kindTable()
	fields   = fieldTable()
	traits   = traitTable()
)

// kindTable maps the grammar's symbols to kinds, anonymous ones to token. The symbol for ERROR is
// the greatest of its type and is not part of the grammar's count.
func kindTable() []Kind {
	table := make([]Kind, 1<<16)
	for i := range table {
		table[i] = Other
	}
	for s := range language.SymbolCount() {
		if language.SymbolType(sitter.Symbol(s)) != sitter.SymbolTypeRegular {
			table[s] = token
			continue
		}
		if k, ok := kindOf[language.SymbolName(sitter.Symbol(s))]; ok {
			table[s] = k
		}
	}
	table[1<<16-1] = Error
	return table
}

func fieldTable() []Field {
	table := make([]Field, 256)
	for i := 1; i < len(table); i++ {
		name := language.FieldName(i)
		if name == "" {
			break
		}
		table[i] = fieldOf[name]
	}
	return table
}

// traitTable gives the traits of each kind.
func traitTable() []uint8 {
	table := make([]uint8, 256)
	for _, k := range []Kind{Identifier, Integer, Float, True, False, NoneLiteral, Ellipsis, PassStatement, BreakStatement, ContinueStatement, Operator} {
		table[k] = C.LEAF
	}
	for _, k := range []Kind{BooleanOperator, BinaryOperator, UnaryOperator, ComparisonOperator, AugmentedAssignment} {
		table[k] = C.OPERATION
	}
	table[String] = C.STRING
	table[Comment] = C.LEAF | C.UNNAMED
	table[Block] = C.LIST // its case clauses are alternatives
	return table
}

// maxDepth bounds the depth of nodes. Python itself compiles nothing that is nested half as
// deeply, and recursive descents of a tree need no bound of their own.
const maxDepth = 10_000

// A lowered statement has its place, and its nodes.
type lowered struct {
	top
	nodes []node
}

// The room for what C lowers at a time, unless a single statement has more nodes.
const (
	fewTops  = 256
	fewNodes = 1024
)

// lower lowers the tree of a text. ok is false if the tree is too deep.
func lower(tree *C.TSTree, text string) (statements []lowered, ok bool) {
	root := C.ts_tree_root_node(tree)
	statements = make([]lowered, 0, C.ts_node_child_count(root))
	c := C.ts_tree_cursor_new(root)
	defer C.ts_tree_cursor_delete(&c)
	if !C.ts_tree_cursor_goto_first_child(&c) {
		return statements, true
	}
	g := C.grammar{
		kinds: (*C.uint8_t)(unsafe.Pointer(&kinds[0])), fields: (*C.uint8_t)(unsafe.Pointer(&fields[0])), traits: (*C.uint8_t)(&traits[0]),
		drop: C.uint8_t(drop), through: C.uint8_t(through), token: C.uint8_t(token), operator_kind: C.uint8_t(Operator), operator_field: C.uint8_t(FieldOperator),
	}
	room := min(int(C.ts_node_descendant_count(root)), fewNodes)
	tops, nodes, levels := make([]top, min(cap(statements)+1, fewTops)), make([]node, room), make([]C.level, min(room, maxDepth))
	for {
		n := C.lower(&c, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), g,
			(*C.top)(unsafe.Pointer(&tops[0])), C.uint32_t(len(tops)), (*C.node)(unsafe.Pointer(&nodes[0])), C.uint32_t(len(nodes)), &levels[0], C.uint32_t(len(levels)))
		if n.deep {
			return nil, false
		}
		for i, t := range tops[:n.tops] {
			end := uint32(n.nodes)
			if i+1 < int(n.tops) {
				end = tops[i+1].first
			}
			statements = append(statements, lowered{t, slices.Clone(nodes[t.first:end])})
		}
		if n.next == 0 {
			return statements, true
		}
		if room := int(n.next); room > len(nodes) {
			nodes, levels = make([]node, room), make([]C.level, min(room, maxDepth))
		}
	}
}
