package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLines edits lines of texts that parse, so that most of what comes of it parses
// too, and compares each tree with one parsed afresh.
func TestLines(t *testing.T) {
	texts := corpus(t)
	pieces := []string{
		"", "\n", "\r\n", "\\\n", "  \\\n\n", ";\n", "; ", "\f\n", " ", "x", "(", ")", ":", "\\",
		"# a\n", "    # b\n", "  # c\n", "\t# d\n", "@d\n", "@d(\n)\n", "async ", "pass\n", "    pass\n",
		"else:\n    pass\n", "else: x\n", "elif y: x\n", "finally: x\n", "if x:\n    y\n", "try:\n    x\nexcept E:\n    # why\n    y\n",
		"x = [\n1,\n]\n", "\"\"\"a\nb\"\"\"\n", "'''\n", "match x:\n    case 1:\n        y\n", "for x in y: z\n",
	}
	random := rand.New(rand.NewPCG(3, 4))
	sound, all := 0, 0
	for i := range 30 {
		text := texts[random.IntN(len(texts))] + "\n" + texts[random.IntN(len(texts))]
		p := NewParser()
		p.Parse(text)
		good := text
		for range 30 {
			lines := strings.SplitAfter(text, "\n")
			at := random.IntN(len(lines))
			piece := pieces[random.IntN(len(pieces))]
			switch random.IntN(5) {
			case 0: // in place of a line
				lines[at] = piece
			case 1: // at the end of one
				end := strings.TrimRight(lines[at], "\r\n")
				lines[at] = end + piece + lines[at][len(end):]
			case 2: // in the middle
				n := random.IntN(len(lines[at]) + 1)
				lines[at] = lines[at][:n] + piece + lines[at][n:]
			default:
				lines[at] = piece + lines[at]
			}
			text = strings.Join(lines, "")
			fresh := Parse(text)
			if diff := cmp.Diff(dump(fresh), dump(p.Parse(text))); diff != "" {
				t.Fatalf("text %d: %q in line %d gives another tree than a fresh parse (-fresh +edited):\n%s\nof %q", i, piece, at+1, diff, text)
			}
			all++
			if !fresh.HasErrors() {
				sound++
				good = text
			} else if random.IntN(2) > 0 {
				text = good // and the parser has seen what lies between
			}
		}
		p.Close()
	}
	if 4*sound < all {
		t.Errorf("%d texts of %d parse", sound, all)
	}
}
