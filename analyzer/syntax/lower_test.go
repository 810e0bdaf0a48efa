package syntax

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/smacker/go-tree-sitter"
)

// operations are the kinds of nodes of which operators are a part.
var operations = []Kind{BooleanOperator, BinaryOperator, UnaryOperator, ComparisonOperator, AugmentedAssignment}

// asSitter parses a text by go-tree-sitter's own functions, and lowers it by those of nodes.
func asSitter(t *testing.T, text string) (tops []top, nodes []node) {
	t.Helper()
	p := sitter.NewParser()
	defer p.Close()
	p.SetLanguage(language)
	tree, err := p.ParseCtx(context.Background(), nil, []byte(withLineFeeds(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	root := tree.RootNode()
	for i := range int(root.ChildCount()) {
		n := root.Child(i)
		kind := kinds[n.Symbol()]
		if kind == token {
			continue
		}
		t := top{start: n.StartByte(), end: endOf(n, text), first: uint32(len(nodes)), kind: kind, flags: flagsOf(n) &^ flagMissing}
		tops, nodes = append(tops, t), append(nodes, node{end: t.end - t.start, parent: -1, kind: kind, flags: flagsOf(n)})
		last := map[int32]int32{} // child of each node
		var below func(n *sitter.Node, parent int32)
		below = func(of *sitter.Node, parent int32) {
			for i := range int(of.ChildCount()) {
				n := of.Child(i)
				kind, field := kinds[n.Symbol()], fieldOf[of.FieldNameForChild(i)]
				if kind == token && field == FieldOperator && slices.Contains(operations, nodes[int32(t.first)+parent].kind) {
					kind = Operator // and not in what is broken
				}
				here := parent
				switch kind {
				case token, drop:
					continue
				case through:
				default:
					if n.IsExtra() || nodes[int32(t.first)+parent].kind == Block { // where case clauses are alternatives
						field = NoField
					}
					here = int32(len(nodes)) - int32(t.first)
					if before, ok := last[parent]; ok {
						nodes[int32(t.first)+before].next = here
					}
					last[parent] = here
					end := endOf(n, text)
					nodes = append(nodes, node{start: min(n.StartByte(), end) - t.start, end: end - t.start, parent: parent, kind: kind, field: field, flags: flagsOf(n)})
				}
				if kind == Operator {
					continue
				}
				if own := text[n.StartByte():n.EndByte()]; kind == String && t.flags == 0 && !strings.ContainsAny(own[:strings.IndexAny(own, "'\"`")], "fF") {
					continue // with what tree-sitter takes for comments in it
				}
				below(n, here)
			}
		}
		below(n, 0)
	}
	return tops, nodes
}

// endOf is where a node ends, without the carriage return that tree-sitter has in comments.
func endOf(n *sitter.Node, text string) uint32 {
	return uint32(len(strings.TrimRight(text[:n.EndByte()], "\r")))
}

func flagsOf(n *sitter.Node) (flags uint8) {
	if n.HasError() {
		flags |= flagError
	}
	if n.IsMissing() {
		flags |= flagMissing
	}
	return flags
}

// compare holds what a text is lowered to against what go-tree-sitter says of it.
func compare(t *testing.T, text string) {
	t.Helper()
	p := NewParser()
	defer p.Close()
	p.parse(text)
	wantTops, wantNodes := asSitter(t, text)
	statements, ok := lower(p.tree, text)
	var tops []top
	var nodes []node
	for _, l := range statements {
		l.first = uint32(len(nodes)) // it counts those that were lowered together
		tops, nodes = append(tops, l.top), append(nodes, l.nodes...)
	}
	if !ok || !slices.Equal(tops, wantTops) || !slices.Equal(nodes, wantNodes) {
		all := cmp.AllowUnexported(top{}, node{})
		t.Fatalf("%q (-tree-sitter +ours):\n%s%s", text, cmp.Diff(wantTops, tops, all), cmp.Diff(wantNodes, nodes, all))
	}
}

// TestLower holds every node that a text is lowered to, with its kind, field, flags and
// place, against tree-sitter's own. There are small leaves and large ones, what is not seen,
// other names, what is missing, errors, and characters that lie across the chunks in which a
// text is read.
func TestLower(t *testing.T) {
	texts := append(corpus(t), "f(a)(b)[c, d:e].g(h=i, *j)\nx[a][b, c]\n{k: v, **w}\n(n := m)\nf(\n  # why\n  a  # b\n)\na.\\\n  b\nf(x for x in y)\n",
		"", "\n\n  # only a comment", strings.Repeat("é", 300)+" = '"+strings.Repeat("\n", 20)+"'", "print >> a, b\nexec 'c' in d\nprint a\n",
		strings.Repeat("𝔸", 200)+" = '🚀"+strings.Repeat("€\xff", 200)+"'\n", "x = '"+strings.Repeat("\xf0\x9f", 300),
		"match = 1\nmatch match:\n    case [a, *b] | {'c': d, **e} if f:\n        type X = int\n    case G(h=1):\n        async with i as (j, k), l: pass\n",
		"try:\n  a\nexcept* B as c:\n  d\nelse: e\nfinally: f\n", "f'{a!r:>{b}}' rb'c' \"\\n\"\nlambda *a, b=1, /, **c: (yield)\n", "def f[T](a: int = 1, *, b) -> c: ...\n",
		"if (a:\n  b = = 3\nclass :\n  def (\n", "x = (1,\ndef f(:\n    return\n", "a b c ) ] }\n\"\"\"", "`a`\n", "a = b = c.d[1]: 2 @ 3 // -4 ** ~5\nnot a is not b not in c < d\n",
		"if a:\r\n  b  # why\r\n# c\r\n\r\nf(a,  # d\r\n  b)\r\n", "def f():  # why\r\n", "# a\r\r\n\r", "\rx\r", "# a\rb = 1\n",
		// More statements, and more nodes in one, than there is room for at a time.
		strings.Repeat("a;b\n", 2*fewTops)+"c = ["+strings.Repeat("d, ", 3*fewNodes)+"]\ne = (("+strings.Repeat("f, ", fewNodes)+"g))\n")
	for _, text := range texts {
		compare(t, text)
		compare(t, text[:len(text)/2])
		compare(t, text[:len(text)/2]+"(\n"+text[len(text)/2:])
	}
}

func FuzzLower(f *testing.F) {
	for _, text := range corpus(f)[:8] {
		f.Add(text)
	}
	f.Fuzz(compare)
}

// TestCarriageReturn: a carriage return ends a line as a line feed does, in comments and
// behind them, and every place in the text stays what it is.
func TestCarriageReturn(t *testing.T) {
	for _, text := range []string{
		"import a  # why\nb()\n# c\nd()\n",
		"if a:\n    b  # c\n    # d\nelse:\n    e\n",
		"a = '''x\ny'''\nb\n",
	} {
		want, got := Parse(text), Parse(strings.ReplaceAll(text, "\n", "\r"))
		if got.HasErrors() || got.Len() != want.Len() || got.NumNodes() != want.NumNodes() {
			t.Fatalf("%q with carriage returns has %d statements and %d nodes, errors: %v; want %d and %d", text, got.Len(), got.NumNodes(), got.HasErrors(), want.Len(), want.NumNodes())
		}
		for i := range want.Len() {
			if a, b := want.Statement(i), got.Statement(i); a.Start() != b.Start() || a.End() != b.End() || a.Kind() != b.Kind() {
				t.Errorf("%q: statement %d is a %v at %d to %d, want a %v at %d to %d", text, i, b.Kind(), b.Start(), b.End(), a.Kind(), a.Start(), a.End())
			}
		}
	}
}
