package syntax

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestLayout pins what Go takes over from C.
func TestLayout(t *testing.T) {
	if got, want := unsafe.Sizeof(node{}), unsafe.Sizeof(cNode{}); got != want {
		t.Errorf("a node has %d bytes in Go, want C's %d", got, want)
	}
	if got, want := unsafe.Sizeof(top{}), unsafe.Sizeof(cTop{}); got != want {
		t.Errorf("a top has %d bytes in Go, want C's %d", got, want)
	}
}

// TestDeclarations holds what treesitter.h declares against the header of the module that
// go.mod has.
func TestDeclarations(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/smacker/go-tree-sitter").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(strings.Fields(string(text)), " "))
	}
	theirs := words(filepath.Join(strings.TrimSpace(string(module)), "api.h"))
	_, ours, _ := strings.Cut(words("treesitter.h"), "((weak)) ")
	ours, _, ok := strings.Cut(ours, "WEAK const TSLanguage *tree_sitter_python(void);")
	if !ok {
		t.Fatal("treesitter.h does not end with the language")
	}
	declarations := 0
	// A type ends where the next begins.
	for _, d := range strings.Split(strings.NewReplacer("WEAK ", "\n", "typedef ", "\ntypedef ").Replace(ours), "\n") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		declarations++
		if !strings.Contains(theirs, d) {
			t.Errorf("api.h has no %q", d)
		}
	}
	if declarations < 30 {
		t.Errorf("treesitter.h has %d declarations", declarations)
	}
}

// dump writes a tree as text, a node a line.
func dump(t *Tree) string {
	var b strings.Builder
	for s := range t.Statements() {
		s.Walk(func(n Node) bool {
			fmt.Fprintf(&b, "%d in %d: %d/%d %d-%d %v\n", n.ID(), n.raw().parent, n.Kind(), n.Field(), n.Start(), n.End(), n.HasError())
			return true
		})
	}
	return b.String() + t.gaveUp
}

// diff tells what is another in the tree of a text that was edited than in a fresh one.
func diff(fresh, edited *Tree) string {
	same := func(a, b Statement) bool {
		return a.start == b.start && a.first == b.first && a.kind == b.kind && a.err == b.err && a.text == b.text && slices.Equal(a.all, b.all)
	}
	if fresh.gaveUp == edited.gaveUp && fresh.count == edited.count && slices.EqualFunc(fresh.stmts, edited.stmts, same) {
		return ""
	}
	return "-fresh +edited:\n" + cmp.Diff(dump(fresh), dump(edited))
}

func TestShape(t *testing.T) {
	tree := Parse("@d\ndef f(a, *b, c=1):\n    return a.b(c, k=f'{a}x')  # why\n")
	f := tree.Statement(0)
	if f.Kind() != DecoratedDefinition {
		t.Fatalf("kind %d, want a decorated definition", f.Kind())
	}
	def := f.Child(FieldDefinition)
	if def.Child(FieldName).Text() != "f" {
		t.Errorf("the function's name is %q", def.Child(FieldName).Text())
	}
	var kinds []Kind
	for p := range def.Child(FieldParameters).Children() {
		kinds = append(kinds, p.Kind())
	}
	if diff := cmp.Diff([]Kind{Identifier, ListSplatPattern, DefaultParameter}, kinds); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
	ret := def.Child(FieldBody).FirstChild()
	call := ret.FirstChild()
	if call.Kind() != Call || call.Child(FieldFunction).Text() != "a.b" || call.Top() != f || call.Ancestor(FunctionDefinition) != def {
		t.Errorf("the call %q stands wrongly", call.Text())
	}
	interpolation := tree.NodeAt(strings.Index(tree.Text(), "a}x"), strings.Index(tree.Text(), "a}x")+1)
	if interpolation.Kind() != Identifier || !interpolation.Within(call) || interpolation.Ancestor(String).Text() != "f'{a}x'" {
		t.Errorf("the name inside the f-string is %v %q", interpolation, interpolation.Text())
	}
	if !call.Within(def) || def.Within(call) {
		t.Error("Within is wrong")
	}
}

// TestReuse sees that an edit leaves the subtrees of other statements as they
// are, and moves them.
func TestReuse(t *testing.T) {
	p := NewParser()
	defer p.Close()
	a := p.Parse("import os\n\ndef f():\n    return 1\n\nx = f()\ny = 2\n")
	b := p.Parse("import os\n\ndef f():\n    return 123\n\nx = f()\ny = 2\n")
	for i, same := range []bool{true, false, true, true} {
		if got := a.Subtree(i) == b.Subtree(i); got != same {
			t.Errorf("statement %d shared: %v, want %v", i, got, same)
		}
	}
	if got := b.Statement(2).Text(); got != "x = f()" || b.Statement(2).Start() != a.Statement(2).Start()+2 {
		t.Errorf("the third statement is %q at %d", got, b.Statement(2).Start())
	}
	if p.Parse(b.Text()) != b {
		t.Error("the same text gives another tree")
	}
}

// TestMoreStatements has one statement become many of which every byte was there
// before.
func TestMoreStatements(t *testing.T) {
	p := NewParser()
	defer p.Close()
	lines := "\n" + strings.Repeat("a\n", 100) + "# \"\"\"\n"
	if n := p.Parse("\"\"\"" + lines).Len(); n != 1 {
		t.Fatalf("%d statements", n)
	}
	if n := p.Parse(lines).Len(); n != 101 {
		t.Errorf("%d statements, want 101", n)
	}
}

// TestMove moves nodes over edits, to nodes of the same text.
func TestMove(t *testing.T) {
	p := NewParser()
	defer p.Close()
	from := p.Parse("import os\nx = f(1)\ny = f(1)\nz = f(2)\n")
	to := p.Parse("import os\nw = 0\ng()\ny = f(1)\nz = f(2)\n")
	m := NewMove(from, to)
	for i, want := range []int{0, -1, 3, 4} {
		number, ok := m.Statement(i)
		if !ok {
			number = -1
		}
		if number != want {
			t.Errorf("statement %d became %d, want %d", i, number, want)
		}
		from.Statement(i).Walk(func(n Node) bool {
			moved := n
			m.Node(&moved)
			switch {
			case want < 0 && moved != n:
				t.Errorf("%v of a statement that is gone became %v", n, moved)
			case want >= 0 && (moved.Tree() != to || moved.Stmt() != want || moved.Text() != n.Text() || moved.Index() != n.Index()):
				t.Errorf("%v became %v", n, moved)
			}
			return true
		})
	}
}

// TestEdits makes random edits and compares each tree with one parsed afresh.
func TestEdits(t *testing.T) {
	pieces := []string{"(", ")", `"""`, "'", "\n", "\r\n", "    ", "if x:\n    ", "def f(", "é", "🚀", "\\\n", "[", "{x}", "#", "\ufeff", "\x00", "else:\n", "\t", "print >>f, x\n"}
	for i, text := range cases.Sample(t, corpus(t), 120) {
		random := rand.New(rand.NewPCG(1, uint64(len(text))))
		p := NewParser()
		p.Parse(text)
		for range 40 {
			start := random.IntN(len(text) + 1)
			end := min(len(text), start+random.IntN(8))
			text = text[:start] + pieces[random.IntN(len(pieces))] + text[end:]
			if diff := diff(Parse(text), p.Parse(text)); diff != "" {
				t.Fatalf("text %d: an edit at %d gives another tree than a fresh parse: %s\nof %q", i, start, diff, text)
			}
		}
		p.Close()
	}
}

// TestOddInput parses what is hardly Python.
func TestOddInput(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "nul": "x = 1\x00\ny = 2\n", "bom": "\ufeffimport os\n", "not utf-8": "x = '\xff\xfe'\ny = 1\n",
		"parentheses": strings.Repeat("(", 5000) + strings.Repeat(")", 5000), "open": "f(" + strings.Repeat("[", 3000),
		"python 2": "print 'x'\nexec 'y' in z\nprint >>f, x\nraise E, 'x'\n", "half": "import tensorflow as\nmodel.fit(x, \n",
		"carriage returns": "x = 1\ry = 2\r",
	} {
		tree := Parse(text)
		nodes := 0
		for s := range tree.Statements() {
			s.Walk(func(n Node) bool {
				if n.Start() > n.End() || n.End() > len(text) || n.ID() < nodes || n.Text() != text[n.Start():n.End()] {
					t.Errorf("%s: %v stands wrongly", name, n)
				}
				nodes = n.ID() + 1
				return true
			})
		}
		if nodes != tree.NumNodes() {
			t.Errorf("%s: %d nodes were walked of %d", name, nodes, tree.NumNodes())
		}
	}
}

// TestNone: what looks around or below a node that is not there finds nothing.
func TestNone(t *testing.T) {
	var none Node
	none.Walk(func(Node) bool { t.Error("it visits something"); return true })
	for c := range none.Children() {
		t.Errorf("it has the child %v", c.Kind())
	}
	if c := none.Child(FieldArguments).FirstChild(); c.Valid() || none.Kind() != None || none.Text() != "" {
		t.Errorf("it is %v %q and has %v", none.Kind(), none.Text(), c.Kind())
	}
	// A part of a call that does not parse may be a statement of its own.
	for _, n := range []Node{none.Parent(), none.Parent().Parent(), none.Next(), none.Ancestor(Block)} {
		if n.Valid() || none.Field() != NoField {
			t.Errorf("it is beside or below %v, as %v", n.Kind(), none.Field())
		}
	}
}

// TestEnds sees that no node ends in a carriage return: that is a part of the line's end, and
// what is put behind a node would cut it in two.
func TestEnds(t *testing.T) {
	for _, text := range corpus(t) {
		for s := range Parse(strings.ReplaceAll(text, "\n", "\r\n")).Statements() {
			s.Walk(func(n Node) bool {
				if strings.HasSuffix(n.Text(), "\r") {
					t.Errorf("%v is %q", n, n.Text())
				}
				return true
			})
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range corpus(f)[:8] {
		f.Add(text, 3, 5, "(")
	}
	f.Fuzz(func(t *testing.T, text string, start, length int, insert string) {
		if len(text) > 4000 {
			return
		}
		p := NewParser()
		defer p.Close()
		p.Parse(text)
		start = min(max(start, 0), len(text))
		end := min(start+max(length, 0)%64, len(text))
		next := text[:start] + insert + text[end:]
		if diff := diff(Parse(next), p.Parse(next)); diff != "" {
			t.Errorf("an edit gives another tree than a fresh parse: %s", diff)
		}
	})
}

// corpus is the project's own cases.
func corpus(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/rules/*/*.py")
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d cases: %v", len(paths), err)
	}
	var texts []string
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	return texts
}
