// Package syntax parses Python with tree-sitter and lowers the result into an immutable tree of
// its own, one subtree per top-level statement.
//
// It is the only importer of tree-sitter: no other package sees a C tree. A parse crosses into C
// once to parse the text, and once to lower each thousand nodes. Subtrees hold offsets relative to
// their statement's start, so that a statement whose bytes an edit does not touch keeps its
// subtree, shared between versions. Parsing always returns a tree, broken or not; what does not
// parse is an [Error] node.
//
// Any text is parsed at a cost that is linear in its length, and bounded. A text that would take
// more, is too long, or is nested too deeply, has a tree without statements, which says so in
// [Tree.GaveUp].
//
// The package imports no other package of tfmem, and does not know what a name means.
package syntax

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// A Tree is the syntax of one text. It is immutable and safe for concurrent use.
type Tree struct {
	text   string
	stmts  []Statement
	count  int
	gaveUp string
	// vague is set if a statement is vague: its end depends on distant text.
	vague bool
}

// A Statement is a top-level statement (or comment) at its place in a file.
type Statement struct {
	*Subtree
	nodes  []node // of the subtree
	tree   *Tree
	number int // among the statements
	start  int // byte in the file
	first  int // the number of its root among all nodes of the tree
}

// A Subtree is a top-level statement, wherever it stands.
type Subtree struct {
	all   []node
	text  string
	kind  Kind
	err   bool
	vague bool // see isVague
}

// A Node is a node of a Tree, or none for the zero Node. Nodes are comparable.
type Node struct {
	at *Statement
	i  int // among its nodes
}

// Text returns the parsed text.
func (t *Tree) Text() string { return t.text }

// GaveUp says why the text was not parsed, for people; "" if it was. The tree has no statement
// then.
func (t *Tree) GaveUp() string { return t.gaveUp }

// NumNodes returns the number of nodes in the tree; every [Node.ID] is below it.
func (t *Tree) NumNodes() int { return t.count }

// Len returns the number of top-level statements and comments.
func (t *Tree) Len() int { return len(t.stmts) }

// Statement returns the i-th top-level statement or comment.
func (t *Tree) Statement(i int) Node { return Node{at: &t.stmts[i]} }

// Size returns the number of nodes of the i-th top-level statement.
func (t *Tree) Size(i int) int { return len(t.stmts[i].nodes) }

// Statements returns the top-level statements and comments in order.
func (t *Tree) Statements() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := range t.stmts {
			if !yield(t.Statement(i)) {
				return
			}
		}
	}
}

// Subtree returns the shared part of the i-th top-level statement: the same pointer in two
// versions means that none of its bytes has changed.
func (t *Tree) Subtree(i int) *Subtree { return t.stmts[i].Subtree }

// Broken returns the number of top-level statements that do not parse. It is greater than any
// such number if the text was not parsed.
func (t *Tree) Broken() int {
	if t.gaveUp != "" {
		return math.MaxInt
	}
	n := 0
	for i := range t.stmts {
		if t.broken(i) {
			n++
		}
	}
	return n
}

// broken reports whether the i-th top-level statement does not parse, or stands behind another one on a
// line without a semicolon. The grammar takes that where one of the two is an import.
func (t *Tree) broken(i int) bool {
	s := t.Statement(i)
	if s.HasError() || i == 0 || s.Kind() == Comment {
		return s.HasError()
	}
	before := t.Statement(i - 1)
	return !before.HasError() && !strings.ContainsAny(t.text[before.End():s.Start()], ";\r\n")
}

// HasErrors reports whether any part of the text does not parse, or was not parsed.
func (t *Tree) HasErrors() bool {
	return t.gaveUp != "" || slices.ContainsFunc(t.stmts, func(s Statement) bool { return t.broken(s.number) })
}

// NodeAt returns the smallest node that contains the span, or none.
func (t *Tree) NodeAt(start, end int) Node {
	lo, hi := 0, len(t.stmts)
	for lo < hi {
		mid := (lo + hi) / 2
		if s := &t.stmts[mid]; s.start+len(s.text) < end {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(t.stmts) || t.stmts[lo].start > start {
		return Node{}
	}
	n := t.Statement(lo)
	for {
		inner := Node{}
		for c := range n.Children() {
			if c.Start() <= start && end <= c.End() {
				inner = c
				break
			}
		}
		if !inner.Valid() {
			return n
		}
		n = inner
	}
}

func (n Node) raw() *node { return &n.at.nodes[n.i] }

// Valid reports whether n is not the zero Node.
func (n Node) Valid() bool { return n.at != nil }

// Tree returns the tree that n belongs to; nil for the zero Node.
func (n Node) Tree() *Tree {
	if n.at == nil {
		return nil
	}
	return n.at.tree
}

// ID numbers the nodes of one tree from 0 in order of their start.
func (n Node) ID() int { return n.at.first + n.i }

// Index numbers the nodes of one top-level statement, in the same way.
func (n Node) Index() int { return n.i }

// Nth returns the node of the same top-level statement with an index.
func (n Node) Nth(index int) Node { return Node{n.at, index} }

// Stmt returns the number of the top-level statement that contains n.
func (n Node) Stmt() int { return n.at.number }

// Kind returns the kind of n, None for the zero Node.
func (n Node) Kind() Kind {
	if n.at == nil {
		return None
	}
	return n.raw().kind
}

// Is reports whether n is of one of the kinds.
func (n Node) Is(kinds ...Kind) bool {
	k := n.Kind()
	return slices.ContainsFunc(kinds, func(want Kind) bool { return k == want })
}

// Field returns the role of n in its parent, NoField for the zero Node.
func (n Node) Field() Field {
	if n.at == nil {
		return NoField
	}
	return n.raw().field
}

// Start returns the byte of the file where n starts.
func (n Node) Start() int { return n.at.start + int(n.raw().start) }

// End returns the byte of the file after n.
func (n Node) End() int { return n.at.start + int(n.raw().end) }

// Text returns the text of n, "" for the zero Node.
func (n Node) Text() string {
	if n.at == nil {
		return ""
	}
	r := n.raw()
	return n.at.text[r.start:r.end]
}

// HasError reports whether anything in n does not parse.
func (n Node) HasError() bool { return n.raw().flags&(flagError|flagMissing) != 0 }

// Parent returns the parent of n, the zero Node for a top-level statement. In code that does not
// parse, a node of any kind may be a top-level statement.
func (n Node) Parent() Node {
	if n.at == nil {
		return Node{}
	}
	if p := n.raw().parent; p >= 0 {
		return Node{n.at, int(p)}
	}
	return Node{}
}

// Top returns the top-level statement that contains n.
func (n Node) Top() Node { return Node{at: n.at} }

// FirstChild returns the first child, or none.
func (n Node) FirstChild() Node {
	if n.at == nil {
		return Node{}
	}
	nodes := n.at.nodes
	if c := n.i + 1; c < len(nodes) && int(nodes[c].parent) == n.i {
		return Node{n.at, c}
	}
	return Node{}
}

// Next returns the next sibling below the same parent, or none. Top-level statements have none:
// see [Tree.Statement].
func (n Node) Next() Node {
	if n.at == nil {
		return Node{}
	}
	if s := n.raw().next; s > 0 {
		return Node{n.at, int(s)}
	}
	return Node{}
}

// Children returns the children of n in order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			if !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child in field f, or none.
func (n Node) Child(f Field) Node {
	if n.at == nil {
		return Node{}
	}
	nodes := n.at.nodes
	c := n.i + 1
	if c >= len(nodes) || int(nodes[c].parent) != n.i {
		return Node{}
	}
	for nodes[c].field != f {
		if c = int(nodes[c].next); c == 0 {
			return Node{}
		}
	}
	return Node{n.at, c}
}

// Walk visits n and all nodes below it in order. If visit returns false, it skips the nodes below
// that node. Below the zero Node there is nothing.
func (n Node) Walk(visit func(Node) bool) {
	if n.at == nil {
		return
	}
	nodes := n.at.nodes
	end := nodes[n.i].end
	for i := n.i; i < len(nodes) && (i == n.i || nodes[i].start < end && int(nodes[i].parent) >= n.i); {
		if visit(Node{n.at, i}) {
			i++
			continue
		}
		i = n.at.after(i)
	}
}

// after returns the index of the first node in order that is not below node i.
func (s *Subtree) after(i int) int {
	for j := int32(i); j >= 0; j = s.all[j].parent {
		if next := s.all[j].next; next > 0 {
			return int(next)
		}
	}
	return len(s.all)
}

// Within reports whether n is outer or lies below it.
func (n Node) Within(outer Node) bool {
	if n.at != outer.at || n.i < outer.i {
		return false
	}
	return n.i < n.at.after(outer.i)
}

// Ancestor returns the nearest ancestor of n of one of the kinds, or none.
func (n Node) Ancestor(kinds ...Kind) Node {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		if p.Is(kinds...) {
			return p
		}
	}
	return Node{}
}

// String describes n for debugging.
func (n Node) String() string {
	if !n.Valid() {
		return "no node"
	}
	return fmt.Sprintf("node of kind %d at bytes %d to %d", n.Kind(), n.Start(), n.End())
}
