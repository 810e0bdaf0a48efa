package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPieces parses texts in pieces of a few lines, and compares each tree with that of
// the text as one.
func TestPieces(t *testing.T) {
	texts := corpus(t)
	random := rand.New(rand.NewPCG(5, 6))
	inParts, joined, nested := 0, 0, 0
	const all = 1500
	for i := range all {
		text := texts[random.IntN(len(texts))] + "\n" + texts[random.IntN(len(texts))]
		if i%3 > 0 {
			text = strings.ReplaceAll(text, "\n\n", "\n")
		}
		for range random.IntN(4) {
			text, _, _ = editLine(random, text)
		}
		size := random.IntN(400)
		pieces := inPieces(text, size)
		if pieces == nil {
			continue
		}
		inParts++
		for _, r := range cut(text, 0, "", size) {
			p := part{region: r}
			p.divide(text, size)
			for _, inner := range p.parts {
				if len(inner.parts) > 1 {
					nested++
				}
			}
			if len(p.parts) > 1 {
				joined++
			}
		}
		if diff := cmp.Diff(dump(asOne(text)), dump(assemble(text, pieces...))); diff != "" {
			t.Fatalf("text %d: %d pieces give another tree than the whole (-whole +pieces):\n%s\nof %q", i, len(pieces), diff, text)
		}
	}
	if 4*inParts < all || 16*joined < all || 128*nested < all {
		t.Errorf("of %d texts %d were parsed in pieces, with %d definitions in parts, of which %d are in another", all, inParts, joined, nested)
	}
}

// asOne is the tree of a text that is parsed as one.
func asOne(text string) *Tree {
	p := NewParser()
	defer p.Close()
	p.parse(text)
	tops, nodes := lower(rootOf(p.tree), text)
	return assemble(text, piece{tops: tops, nodes: nodes})
}

// FuzzPieces holds that pieces give the tree of the whole, or none.
func FuzzPieces(f *testing.F) {
	for _, text := range []string{
		"@d\nclass A(B):  # c\n    # d\n    x = 1\n    def f(self):\n        y\n\n    z = 2\n# e\nw\n",
		"def f(\n    a,\n):\n  '''\n  b\n  '''\n  if a:\n    c\n  else:\n    d\n  e\n",
		"class A:\n    def f(self):\n        x = 1\n        y = 2\n        # c\n    # d\n    @e\n    def g(self):\n        z\n        w\n  # f\n",
		"async def f(): x\nclass A: pass\n", "def f():\n\tx\n\ty\\\n\tz\n",
	} {
		f.Add(text, uint8(8))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		if pieces := inPieces(text, int(size)); pieces != nil {
			if diff := cmp.Diff(dump(asOne(text)), dump(assemble(text, pieces...))); diff != "" {
				t.Errorf("-whole +pieces of %q:\n%s", text, diff)
			}
		}
	})
}
