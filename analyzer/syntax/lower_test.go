package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/smacker/go-tree-sitter"
)

// operations are the kinds of nodes of which operators are a part.
var operations = []Kind{BooleanOperator, BinaryOperator, UnaryOperator, ComparisonOperator, AugmentedAssignment}

// asSitter lowers a tree by tree-sitter's own cursor, which it asks for everything of every
// node, however long that takes.
func asSitter(root *sitter.Node, text string) (tops []top, nodes []node) {
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	for ok := c.GoToFirstChild(); ok; ok = c.GoToNextSibling() {
		n := c.CurrentNode()
		kind := kinds[n.Symbol()]
		if kind == token {
			continue
		}
		t := top{start: n.StartByte(), end: endOf(n, text), first: uint32(len(nodes)), kind: kind}
		root := node{end: t.end - t.start, parent: -1, kind: kind}
		if n.HasError() {
			t.flags, root.flags = flagError, flagError
		}
		tops, nodes = append(tops, t), append(nodes, root)
		last := map[int32]int32{} // child of each node
		var below func(parent int32)
		below = func(parent int32) {
			if !c.GoToFirstChild() {
				return
			}
			for ok := true; ok; ok = c.GoToNextSibling() {
				n := c.CurrentNode()
				kind, field := kinds[n.Symbol()], fieldOf[c.CurrentFieldName()]
				if kind == token && field == FieldOperator && slices.Contains(operations, nodes[int32(t.first)+parent].kind) {
					kind = Operator // and not in what is broken
				}
				here := parent
				switch kind {
				case token, drop:
					continue
				case through:
				default:
					if kind == Comment || nodes[int32(t.first)+parent].kind == Block { // where case clauses are alternatives
						field = NoField
					}
					here = int32(len(nodes)) - int32(t.first)
					end := endOf(n, text)
					made := node{start: min(n.StartByte(), end) - t.start, end: end - t.start, parent: parent, kind: kind, field: field}
					if n.HasError() {
						made.flags |= flagError
					}
					if n.IsMissing() {
						made.flags |= flagMissing
					}
					if before, ok := last[parent]; ok {
						nodes[int32(t.first)+before].next = here
					}
					last[parent], nodes = here, append(nodes, made)
				}
				if kind == Operator {
					continue
				}
				if own := text[n.StartByte():n.EndByte()]; kind == String && root.flags == 0 && !strings.ContainsAny(own[:strings.IndexAny(own, "'\"`")], "fF") {
					continue // with what tree-sitter takes for comments in it
				}
				below(here)
			}
			c.GoToParent()
		}
		below(0)
	}
	return tops, nodes
}

// endOf is where a node ends, without the carriage return that tree-sitter has in comments.
func endOf(n *sitter.Node, text string) uint32 {
	return uint32(len(strings.TrimRight(text[:n.EndByte()], "\r")))
}

// compare holds what is lowered of a text, and of it after an edit, against tree-sitter's
// own cursor.
func compare(t *testing.T, texts ...string) {
	t.Helper()
	p := NewParser()
	defer p.Close()
	for _, text := range texts {
		p.parse(text)
		wantTops, wantNodes := asSitter(p.tree.RootNode(), text)
		tops, nodes := lower(rootOf(p.tree), text)
		if !slices.Equal(tops, wantTops) || !slices.Equal(nodes, wantNodes) {
			all := cmp.AllowUnexported(top{}, node{})
			t.Fatalf("%q (-tree-sitter's cursor +ours):\n%s%s", text, cmp.Diff(wantTops, tops, all), cmp.Diff(wantNodes, nodes, all))
		}
	}
}

// TestCursor holds the nodes that our cursor finds in tree-sitter's trees, what it takes
// them for and the fields they are in, against tree-sitter's own: it reads memory that is no
// contract. There are small leaves and large ones, what is not seen, other names, what is
// missing, errors, and trees after edits.
func TestCursor(t *testing.T) {
	texts := append(corpus(t), "f(a)(b)[c, d:e].g(h=i, *j)\nx[a][b, c]\n{k: v, **w}\n(n := m)\nf(\n  # why\n  a  # b\n)\na.\\\n  b\nf(x for x in y)\n",
		"", "\n\n  # only a comment", strings.Repeat("é", 300)+" = '"+strings.Repeat("\n", 20)+"'", "print >> a, b\nexec 'c' in d\nprint a\n",
		"match = 1\nmatch match:\n    case [a, *b] | {'c': d, **e} if f:\n        type X = int\n    case G(h=1):\n        async with i as (j, k), l: pass\n",
		"try:\n  a\nexcept* B as c:\n  d\nelse: e\nfinally: f\n", "f'{a!r:>{b}}' rb'c' \"\\n\"\nlambda *a, b=1, /, **c: (yield)\n", "def f[T](a: int = 1, *, b) -> c: ...\n",
		"if (a:\n  b = = 3\nclass :\n  def (\n", "x = (1,\ndef f(:\n    return\n", "a b c ) ] }\n\"\"\"", "`a`\n", "a = b = c.d[1]: 2 @ 3 // -4 ** ~5\nnot a is not b not in c < d\n",
		"if a:\r\n  b  # why\r\n# c\r\n\r\nf(a,  # d\r\n  b)\r\n", "def f():  # why\r\n", "# a\r\r\n\r", "\rx\r")
	for _, text := range texts {
		half := text[:len(text)/2]
		compare(t, text, half, text[len(text)/2:], half+"(\n"+text[len(half):], text)
	}
}

func FuzzCursor(f *testing.F) {
	for _, text := range corpus(f)[:8] {
		f.Add(text, text[len(text)/3:])
	}
	f.Fuzz(func(t *testing.T, text, next string) { compare(t, text, next) })
}
