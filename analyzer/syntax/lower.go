package syntax

/*
#include "cursor.h"

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

// What is known of a kind, so that the cursor is not asked needlessly.
enum { SHAPE_LEAF = 1, SHAPE_FIELDS = 2, SHAPE_OPERATORS = 4, SHAPE_STRING = 8, SHAPE_ORDER = 16 };

typedef struct {
	const uint8_t *kinds;  // by symbol
	const uint8_t *fields; // by field
	const uint8_t *shapes; // by kind
	const uint8_t *order;  // by kind: the fields of its first and its later children, where they always come so
	uint8_t drop, through, token, operator_kind, operator_field, comment;
} grammar;

// interpolates tells whether a string literal may hold expressions: its prefix
// has an f.
static bool interpolates(const char *from, const char *end) {
	for (; from < end && *from != '"' && *from != '\'' && *from != '`'; from++)
		if ((*from | 0x20) == 'f') return true;
	return false;
}

// end_of is where a node of the statement at base ends. A carriage return, which tree-sitter
// has for the last character of a comment, is a part of the line's end.
static uint32_t end_of(cursor *c, const char *text, uint32_t base) {
	uint32_t end = end_here(c);
	while (end > base && text[end - 1] == '\r') end--;
	return end;
}

typedef struct {
	uint32_t ntops, nnodes; // how many were written, or are needed where that is more than the room
} counts;

// lower writes the top-level statements below root, and the nodes of each one. It counts
// on beyond the room it is given, so that one call tells how much is needed.
static counts lower(TSNode root, const char *text, grammar g, top *tops, uint32_t top_room, node *nodes, uint32_t node_room) {
	counts n = {0, 0};
	cursor c;
	if (!cursor_on(&c, root)) {
		cursor_free(&c);
		return n;
	}
	// One entry a level of the cursor: the index of the node lowered there, or
	// of its nearest lowered ancestor, and the last child lowered below it.
	uint32_t depth = 0, room = 256;
	int32_t *at = malloc(room * sizeof *at);
	int32_t *last = malloc(room * sizeof *last);
	uint8_t *shape = malloc(room), *parent = malloc(room); // of the parent at that level: its shape and kind
	do {
		uint8_t kind = g.kinds[symbol_here(&c)];
		if (kind == g.token) continue;
		uint32_t base = start_here(&c), end = end_of(&c, text, base), first = n.nnodes;
		bool broken = has_error_here(&c);
		if (n.ntops < top_room)
			tops[n.ntops] = (top){base, end, first, kind, broken ? FLAG_ERROR : 0, 0};
		n.ntops++;
		if (n.nnodes < node_room)
			nodes[n.nnodes] = (node){0, end - base, -1, 0, kind, 0, broken ? FLAG_ERROR : 0, 0};
		n.nnodes++;
		if (!first_child(&c)) continue;
		depth = 1;
		at[0] = 0, last[0] = -1, shape[0] = g.shapes[kind], parent[0] = kind;
		for (;;) {
			uint8_t kind = g.kinds[symbol_here(&c)], field = 0, inner = 0, outer = shape[depth - 1];
			if (kind != g.token) {
				if (kind < g.drop && kind != g.comment) {
					if (outer & SHAPE_ORDER && !broken) {
						field = g.order[2 * parent[depth - 1] + (last[depth - 1] >= 0)];
					} else if (outer & SHAPE_FIELDS) {
						field = g.fields[field_here(&c)];
					}
				}
				inner = kind == g.through ? outer : g.shapes[kind];
			} else {
				kind = g.drop;
				if (outer & SHAPE_OPERATORS) {
					field = g.fields[field_here(&c)];
					if (field == g.operator_field) kind = g.operator_kind, inner = SHAPE_LEAF;
				}
			}
			int32_t up = at[depth - 1], here = up;
			if (kind < g.drop) {
				uint32_t end = end_of(&c, text, base), start = start_here(&c);
				if (start > end) start = end; // of a node without text
				here = (int32_t)(n.nnodes - first);
				// The level whose last child this node follows is that of its lowered parent.
				uint32_t level = depth - 1;
				while (level > 0 && at[level - 1] == up) level--;
				if (last[level] >= 0 && first + last[level] < node_room) nodes[first + last[level]].next = here;
				last[level] = here;
				if (n.nnodes < node_room) {
					uint8_t flags = 0;
					if (broken) flags = (has_error_here(&c) ? FLAG_ERROR : 0) | (is_missing_here(&c) ? FLAG_MISSING : 0);
					nodes[n.nnodes] = (node){start - base, end - base, up, 0, kind, field, flags, 0};
				}
				n.nnodes++;
				if (inner & SHAPE_STRING && !broken && !interpolates(text + start, text + end)) inner = SHAPE_LEAF;
			}
			if (kind != g.drop && !(inner & SHAPE_LEAF) && first_child(&c)) {
				if (depth == room) {
					room *= 2;
					at = realloc(at, room * sizeof *at);
					last = realloc(last, room * sizeof *last);
					shape = realloc(shape, room);
					parent = realloc(parent, room);
				}
				at[depth] = here, last[depth] = -1, shape[depth] = inner, parent[depth] = kind;
				depth++;
				continue;
			}
			while (!next_sibling(&c) && --depth > 0) {}
			if (depth == 0) break;
		}
	} while (next_sibling(&c));
	free(at);
	free(last);
	free(shape);
	free(parent);
	cursor_free(&c);
	return n;
}
*/
import "C"

import (
	"slices"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/python"
)

// node is one node of a subtree as C lowers it. The layout is C.node's.
type node struct {
	start, end   uint32
	parent, next int32
	kind         Kind
	field        Field
	flags        uint8
	_            uint8
}

// top is one top-level statement as C finds it. The layout is C.top's.
type top struct {
	start, end uint32
	first      uint32
	kind       Kind
	flags      uint8
	_          uint16
}

const (
	flagError   = C.FLAG_ERROR
	flagMissing = C.FLAG_MISSING
)

var (
	language = python.GetLanguage()
	kinds    = kindTable()
	fields   = fieldTable()
	shapes   = shapeTable()
	order    = orderTable()
)

// kindTable maps the grammar's symbols to kinds, anonymous ones to token. The
// symbol for ERROR is the greatest of its type and stands outside the grammar's
// count.
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

// shapeTable says of each kind whether its nodes have children at all, and of
// what sort.
func shapeTable() []uint8 {
	table := make([]uint8, 256)
	for k := range table {
		switch Kind(k) {
		case Identifier, Integer, Float, True, False, NoneLiteral, Ellipsis, Comment, PassStatement, BreakStatement, ContinueStatement:
			table[k] = C.SHAPE_LEAF
		case String:
			table[k] = C.SHAPE_STRING | C.SHAPE_FIELDS
		case BooleanOperator, BinaryOperator, UnaryOperator, ComparisonOperator, AugmentedAssignment:
			table[k] = C.SHAPE_FIELDS | C.SHAPE_OPERATORS
		case Block, ArgumentList, ExpressionStatement, List, Tuple, Set, Dictionary, ExpressionList, PatternList, Parameters,
			DottedName, ParenthesizedExpression:
			// Their children play no part with a name.
		case Call, Attribute, KeywordArgument, Pair, NamedExpression, Subscript:
			table[k] = C.SHAPE_FIELDS | C.SHAPE_ORDER
		default:
			table[k] = C.SHAPE_FIELDS
		}
	}
	return table
}

// orderTable is, for the kinds of SHAPE_ORDER, the fields of the first child and
// of the later ones: to ask the cursor costs as much as the rest of a node.
func orderTable() []Field {
	table := make([]Field, 2*256)
	for k, fields := range map[Kind][2]Field{
		Call: {FieldFunction, FieldArguments}, Attribute: {FieldObject, FieldAttribute}, KeywordArgument: {FieldName, FieldValue},
		Pair: {FieldKey, FieldValue}, NamedExpression: {FieldName, FieldValue}, Subscript: {FieldValue, FieldSubscript},
	} {
		table[2*k], table[2*k+1] = fields[0], fields[1]
	}
	return table
}

// A room is where C lowers to, before what it wrote is copied to where there is just as
// much room.
type room struct {
	tops  []top
	nodes []node
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// lower crosses into C once, or a second time where the room was too small.
func lower(root C.TSNode, text string) ([]top, []node) {
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	// Dense code has a node in three or four bytes, and a statement is seldom shorter
	// than 16; where that is too little, C says how much is needed.
	r.grow(len(text)/16+8, len(text)/3+64)
	g := C.grammar{
		kinds: (*C.uint8_t)(unsafe.Pointer(&kinds[0])), fields: (*C.uint8_t)(unsafe.Pointer(&fields[0])), shapes: (*C.uint8_t)(&shapes[0]),
		order: (*C.uint8_t)(unsafe.Pointer(&order[0])),
		drop:  C.uint8_t(drop), through: C.uint8_t(through), token: C.uint8_t(token), comment: C.uint8_t(Comment), operator_kind: C.uint8_t(Operator), operator_field: C.uint8_t(FieldOperator),
	}
	for {
		n := C.lower(root, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), g,
			(*C.top)(unsafe.Pointer(&r.tops[0])), C.uint32_t(len(r.tops)),
			(*C.node)(unsafe.Pointer(&r.nodes[0])), C.uint32_t(len(r.nodes)))
		tops, nodes := int(n.ntops), int(n.nnodes)
		if tops <= len(r.tops) && nodes <= len(r.nodes) {
			return slices.Clone(r.tops[:tops]), slices.Clone(r.nodes[:nodes])
		}
		r.grow(tops, nodes)
	}
}

// rootOf is the root of a tree, as C knows it.
func rootOf(tree *sitter.Tree) C.TSNode { return *(*C.TSNode)(unsafe.Pointer(tree.RootNode())) }

// hasError tells whether anything below a root does not parse.
func hasError(root C.TSNode) bool { return bool(C.ts_node_has_error(root)) }

// grow sees to it that there is room for so many.
func (r *room) grow(tops, nodes int) {
	if tops > len(r.tops) {
		r.tops = make([]top, tops)
	}
	if nodes > len(r.nodes) {
		r.nodes = make([]node, nodes)
	}
}
