// Package syntax parses Python with tree-sitter and lowers the result into an
// immutable tree of its own, a subtree a top-level statement.
//
// It is the only importer of tree-sitter: no other package sees a C tree. A
// parse crosses into C once to parse and once to lower. Subtrees hold offsets
// relative to their statement's start, so that a statement whose bytes an edit
// does not touch keeps its subtree, shared between versions. Parsing always
// returns a tree, broken or not; what does not parse is an [Error] node.
//
// It may know nobody else, and does not know what a name means.
package syntax

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// A Tree is the syntax of one text. It is immutable and safe for concurrent use.
type Tree struct {
	text  string
	stmts []Statement
	count int
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

// A Subtree is a top-level statement wherever it stands.
type Subtree struct {
	all  []node
	text string
	kind Kind
	err  bool
}

// A Node is a node of a Tree, or none for the zero Node. Nodes are comparable.
type Node struct {
	at *Statement
	i  int // among its nodes
}

// Text is the text that was parsed.
func (t *Tree) Text() string { return t.text }

// NumNodes is the number of nodes in the tree; every [Node.ID] is below it.
func (t *Tree) NumNodes() int { return t.count }

// Len is the number of top-level statements and comments.
func (t *Tree) Len() int { return len(t.stmts) }

// Statement is the i-th top-level statement or comment.
func (t *Tree) Statement(i int) Node { return Node{at: &t.stmts[i]} }

// Size is the number of nodes of the i-th top-level statement.
func (t *Tree) Size(i int) int { return len(t.stmts[i].nodes) }

// Statements are the top-level statements and comments in order.
func (t *Tree) Statements() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := range t.stmts {
			if !yield(t.Statement(i)) {
				return
			}
		}
	}
}

// Subtree is the shared part of the i-th top-level statement: the same pointer
// in two versions means that not a byte of it has changed.
func (t *Tree) Subtree(i int) *Subtree { return t.stmts[i].Subtree }

// Broken is the number of top-level statements that do not parse.
func (t *Tree) Broken() int {
	n := 0
	for s := range t.Statements() {
		if s.HasError() {
			n++
		}
	}
	return n
}

// HasErrors tells whether any part of the text does not parse.
func (t *Tree) HasErrors() bool {
	for i := range t.stmts {
		if t.stmts[i].err {
			return true
		}
	}
	return false
}

// NodeAt is the smallest node that holds the span, or none.
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

// Valid is false for the zero Node.
func (n Node) Valid() bool { return n.at != nil }

// Tree is the tree that n is of; nil for the zero Node.
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

// Stmt is the number of the top-level statement that holds n.
func (n Node) Stmt() int { return n.at.number }

// Kind is None for the zero Node.
func (n Node) Kind() Kind {
	if n.at == nil {
		return None
	}
	return n.raw().kind
}

// Is tells whether n is of one of the kinds.
func (n Node) Is(kinds ...Kind) bool {
	k := n.Kind()
	for _, want := range kinds {
		if k == want {
			return true
		}
	}
	return false
}

// Field is the part n plays in its parent.
func (n Node) Field() Field { return n.raw().field }

// Start is the byte of the file where n starts.
func (n Node) Start() int { return n.at.start + int(n.raw().start) }

// End is the byte of the file after n.
func (n Node) End() int { return n.at.start + int(n.raw().end) }

// Text is the text of n; that of the zero Node is empty.
func (n Node) Text() string {
	if n.at == nil {
		return ""
	}
	r := n.raw()
	return n.at.text[r.start:r.end]
}

// HasError tells whether anything in n does not parse.
func (n Node) HasError() bool { return n.raw().flags&(flagError|flagMissing) != 0 }

// Parent is the zero Node for a top-level statement.
func (n Node) Parent() Node {
	if p := n.raw().parent; p >= 0 {
		return Node{n.at, int(p)}
	}
	return Node{}
}

// Top is the top-level statement that holds n.
func (n Node) Top() Node { return Node{at: n.at} }

// FirstChild is the first child, or none.
func (n Node) FirstChild() Node {
	nodes := n.at.nodes
	if c := n.i + 1; c < len(nodes) && int(nodes[c].parent) == n.i {
		return Node{n.at, c}
	}
	return Node{}
}

// Next is the next sibling below the same parent, or none. Top-level statements
// have none: see [Tree.Statement].
func (n Node) Next() Node {
	if s := n.raw().next; s > 0 {
		return Node{n.at, int(s)}
	}
	return Node{}
}

// Children are the children of n in order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first child in field f, or none.
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

// Walk visits n and all below it in order; where visit returns false, what is
// below that node is left out.
func (n Node) Walk(visit func(Node) bool) {
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

// after is the index of the first node in order that is not below node i.
func (s *Subtree) after(i int) int {
	for j := int32(i); j >= 0; j = s.all[j].parent {
		if next := s.all[j].next; next > 0 {
			return int(next)
		}
	}
	return len(s.all)
}

// Within tells whether n is outer or lies below it.
func (n Node) Within(outer Node) bool {
	if n.at != outer.at || n.i < outer.i {
		return false
	}
	return n.i < n.at.after(outer.i)
}

// Ancestor is the nearest node of one of the kinds that n lies in, itself left
// out, or none.
func (n Node) Ancestor(kinds ...Kind) Node {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		if p.Is(kinds...) {
			return p
		}
	}
	return Node{}
}

// String describes n for people who debug.
func (n Node) String() string {
	if !n.Valid() {
		return "no node"
	}
	return fmt.Sprintf("node of kind %d at bytes %d to %d", n.Kind(), n.Start(), n.End())
}

// A Parser parses successive versions of one text, each at the cost of what
// changed. It holds C memory until Close. It is not safe for concurrent use.
type Parser struct {
	c    *sitter.Parser
	tree *sitter.Tree
	last *Tree
}

// parsers are C parsers between two uses: making one costs as much as parsing a
// small file.
var parsers = sync.Pool{New: func() any {
	p := sitter.NewParser()
	p.SetLanguage(language)
	return p
}}

// NewParser returns a parser without a text.
func NewParser() *Parser { return &Parser{c: parsers.Get().(*sitter.Parser)} }

// Parse parses the next version of the text, which must be shorter than 2 GiB.
func (p *Parser) Parse(text string) *Tree {
	prefix, suffix := 0, 0
	if p.tree != nil {
		old := p.last.text
		if old == text {
			return p.last
		}
		prefix, suffix = common(old, text)
		p.tree.Edit(edit(old, text, prefix, suffix))
	}
	next := p.parse(p.tree, text)
	if p.tree != nil && next.RootNode().HasError() {
		// How tree-sitter recovers from an error depends on the parse before; what
		// a text means must depend on the text alone.
		next.Close()
		next = p.parse(nil, text)
	}
	if p.tree != nil {
		p.tree.Close()
	}
	p.tree = next
	p.last = build(next, text, p.last, prefix, suffix)
	return p.last
}

func (p *Parser) parse(old *sitter.Tree, text string) *sitter.Tree {
	// A context that can be cancelled must never go in: a cancelled parse makes
	// the parser resume the old text the next time.
	tree, err := p.c.ParseCtx(context.Background(), old, unsafe.Slice(unsafe.StringData(text), len(text)))
	if err != nil {
		panic("tree-sitter refuses to parse without a limit or a cancellation: " + err.Error())
	}
	return tree
}

// Close frees the C memory; the parser must not be used again. The trees that
// were returned stay valid.
func (p *Parser) Close() {
	if p.tree != nil {
		p.tree.Close()
	}
	p.c.Reset()
	parsers.Put(p.c)
	p.c, p.tree, p.last = nil, nil, nil
}

// Parse parses a text once.
func Parse(text string) *Tree {
	p := NewParser()
	defer p.Close()
	return p.Parse(text)
}

// build lowers a C tree. The statements of old that lie in the prefix and the
// suffix that both texts share are taken over.
func build(c *sitter.Tree, text string, old *Tree, prefix, suffix int) *Tree {
	statements := 0
	if old != nil {
		statements = len(old.stmts)
	}
	tops, nodes := lower(c, text, prefix, len(text)-suffix, statements)
	t := &Tree{text: text, stmts: make([]Statement, len(tops))}
	known := cursor{old: old}
	for i, top := range tops {
		s := &t.stmts[i]
		s.tree, s.number, s.start, s.first = t, i, int(top.start), t.count
		if top.first == notLowered {
			shift := 0
			if int(top.start) >= prefix {
				shift = len(old.text) - len(text)
			}
			s.Subtree = known.find(int(top.start)+shift, int(top.end)+shift, top.kind)
			if s.Subtree == nil {
				// The same bytes mean something else now, as after a quote that
				// swallows what follows it: lower all of it.
				return build(c, text, nil, 0, 0)
			}
		} else {
			own := nodes[top.first:]
			for _, later := range tops[i+1:] {
				if later.first != notLowered {
					own = nodes[top.first:later.first]
					break
				}
			}
			s.Subtree = &Subtree{all: own, text: text[top.start:top.end], kind: top.kind, err: top.flags&flagError != 0}
			if old != nil {
				// A few bytes of one version must not keep all of it alive.
				s.text = strings.Clone(s.text)
			}
		}
		s.nodes = s.all
		t.count += len(s.nodes)
	}
	return t
}

// A cursor finds the statements of a tree in order of their start.
type cursor struct {
	old *Tree
	at  int
}

func (c *cursor) find(start, end int, kind Kind) *Subtree {
	for c.at < len(c.old.stmts) && c.old.stmts[c.at].start < start {
		c.at++
	}
	if c.at == len(c.old.stmts) {
		return nil
	}
	s := c.old.stmts[c.at]
	if s.start != start || s.start+len(s.text) != end || s.kind != kind || s.err {
		return nil
	}
	return s.Subtree
}

// common measures what two texts share at their start and, beyond that, at
// their end, in bytes.
func common(a, b string) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix+64 <= n && a[prefix:prefix+64] == b[prefix:prefix+64] {
		prefix += 64
	}
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	n -= prefix
	a, b = a[prefix:], b[prefix:]
	for suffix+64 <= n && a[len(a)-suffix-64:len(a)-suffix] == b[len(b)-suffix-64:len(b)-suffix] {
		suffix += 64
	}
	for suffix < n && a[len(a)-suffix-1] == b[len(b)-suffix-1] {
		suffix++
	}
	return prefix, suffix
}

func edit(old, text string, prefix, suffix int) sitter.EditInput {
	oldEnd, newEnd := len(old)-suffix, len(text)-suffix
	return sitter.EditInput{
		StartIndex: uint32(prefix), OldEndIndex: uint32(oldEnd), NewEndIndex: uint32(newEnd),
		StartPoint: point(text, prefix), OldEndPoint: point(old, oldEnd), NewEndPoint: point(text, newEnd),
	}
}

func point(text string, offset int) sitter.Point {
	row := strings.Count(text[:offset], "\n")
	column := offset - (strings.LastIndexByte(text[:offset], '\n') + 1)
	return sitter.Point{Row: uint32(row), Column: uint32(column)}
}
