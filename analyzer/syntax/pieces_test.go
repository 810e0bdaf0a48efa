package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// elements are statements whose elements stand in lines of their own.
var elements = []string{
	`model = keras.Sequential(
    [
        layers.Conv2D(32, kernel_size=(3, 3), activation="relu"),
        layers.MaxPooling2D(pool_size=(2, 2)),  # halved
        # as before

        layers.Conv2D(
            64, 3,
        ),
        *[layers.Dense(n) for n in (3,
                                    4)],
        layers.Dense(10, activation="softmax"),
    ],
    name="m",
)  # built
`,
	`class Settings:
    sizes = {
        "first": 1,
        "second": (
        2,
        3),
        **others,
        'third': """
        a,
        b""",
    }
    # in the class

    def build(self, x):
        x = self.call(
            x,
            training=True,
            # nothing more
            **self.others)
        return {
            x,
            lambda a,
            b: a,
        }

    rest = (
        4,
        5
    )
`,
	"import a\nx = [\n1,\n2,\n]\ny = [\n\t1,\n\t2,\n\t3]; z = 4\nprint(\n  x,\n  y,\n  z if x else\n  y,\n  sep='',\n)\n",
}

// TestPieces parses texts in pieces of a few lines, and compares each tree with that of
// the text as one.
func TestPieces(t *testing.T) {
	texts := corpus(t)
	random := rand.New(rand.NewPCG(5, 6))
	inParts, joined, nested, listed := 0, 0, 0, 0
	const all = 1500
	for i := range all {
		text := texts[random.IntN(len(texts))] + "\n" + texts[random.IntN(len(texts))]
		if i%4 == 0 {
			text = elements[random.IntN(len(elements))] + text
		}
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
		for _, r := range cut(text, 0, size, statementAt("")) {
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
			for _, l := range p.leaves(nil) {
				if l.closing != "" {
					listed++
				}
			}
		}
		if diff := cmp.Diff(dump(asOne(text)), dump(assemble(text, pieces...))); diff != "" {
			t.Fatalf("text %d: %d pieces give another tree than the whole (-whole +pieces):\n%s\nof %q", i, len(pieces), diff, text)
		}
	}
	if 4*inParts < all || 16*joined < all || 128*nested < all || 64*listed < all {
		t.Errorf("of %d texts %d were parsed in pieces, with %d statements in parts, of which %d have such in them, and %d parts are elements", all, inParts, joined, nested, listed)
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
	for _, text := range append(elements, []string{
		"@d\nclass A(B):  # c\n    # d\n    x = 1\n    def f(self):\n        y\n\n    z = 2\n# e\nw\n",
		"def f(\n    a,\n):\n  '''\n  b\n  '''\n  if a:\n    c\n  else:\n    d\n  e\n",
		"class A:\n    def f(self):\n        x = 1\n        y = 2\n        # c\n    # d\n    @e\n    def g(self):\n        z\n        w\n  # f\n",
		"async def f(): x\nclass A: pass\n", "def f():\n\tx\n\ty\\\n\tz\n",
	}...) {
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
