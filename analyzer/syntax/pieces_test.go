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
	p := NewParser()
	defer p.Close()
	whole := func(text string) *Tree {
		p.drop()
		p.parse(text)
		tops, nodes := lower(p.tree, text)
		return assemble(text, piece{tops: tops, nodes: nodes})
	}
	inParts := 0
	const all = 1500
	for i := range all {
		text := texts[random.IntN(len(texts))] + "\n" + texts[random.IntN(len(texts))]
		if i%3 > 0 {
			text = strings.ReplaceAll(text, "\n\n", "\n")
		}
		for range random.IntN(4) {
			text, _, _ = editLine(random, text)
		}
		pieces := inPieces(text, random.IntN(400))
		if pieces == nil {
			continue
		}
		inParts++
		if diff := cmp.Diff(dump(whole(text)), dump(assemble(text, pieces...))); diff != "" {
			t.Fatalf("text %d: %d pieces give another tree than the whole (-whole +pieces):\n%s\nof %q", i, len(pieces), diff, text)
		}
	}
	if 4*inParts < all {
		t.Errorf("%d texts of %d were parsed in pieces", inParts, all)
	}
}
