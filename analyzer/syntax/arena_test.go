package syntax

import (
	"slices"
	"strings"
	"testing"
)

// TestArena holds that an arena, in which text after text is parsed, gives the trees that
// tree-sitter gives in memory of its own: short ones and such as take more than a chunk for
// one block, sound and broken.
func TestArena(t *testing.T) {
	a := takeArena()
	defer a.free()
	long := "x = [" + strings.Repeat("f(1, a='b'),\n", 30_000) + "]\n"
	for i, text := range []string{
		"", "x = 1\n", long, "def f(:\n  x = \n", "", strings.Repeat("if a:\n    b = f'{c}'\n", 2000), long[:len(long)/2], "x = 1\n",
		"'" + strings.Repeat("é\n", 5000), strings.Repeat("(", 3000), "class A:\n  def f(self):\n    return 1",
	} {
		tops, nodes := lower(a.parse(text), text)
		p := NewParser()
		p.parse(text)
		wantTops, wantNodes := lower(rootOf(p.tree), text)
		p.Close()
		if !slices.Equal(tops, wantTops) || !slices.Equal(nodes, wantNodes) {
			t.Errorf("text %d has %d statements of %d nodes, want %d of %d, or others", i, len(tops), len(nodes), len(wantTops), len(wantNodes))
		}
		if i%3 == 2 {
			a.trim()
		}
	}
}
