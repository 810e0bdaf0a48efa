package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// lines are what the lines of a text are edited to, or with.
var lines = []string{
	"", "\n", "\r\n", "\\\n", "  \\\n\n", ";\n", "; ", "\f\n", " ", "x", "(", ")", ":", "\\",
	"# a\n", "    # b\n", "  # c\n", "\t# d\n", "@d\n", "@d(\n)\n", "async ", "pass\n", "    pass\n",
	"else:\n    pass\n", "else: x\n", "elif y: x\n", "finally: x\n", "if x:\n    y\n", "try:\n    x\nexcept E:\n    # why\n    y\n",
	"x = [\n1,\n]\n", "\"\"\"a\nb\"\"\"\n", "'''\n", "match x:\n    case 1:\n        y\n", "for x in y: z\n",
	"i,\n", "i, # c\n", "A = 1\n", "A: int = 1\n", "i, = j\n", "print i,\n",
}

// editLine edits one line of a text.
func editLine(random *rand.Rand, text string) (edited, piece string, at int) {
	of := strings.SplitAfter(text, "\n")
	at = random.IntN(len(of))
	piece = lines[random.IntN(len(lines))]
	switch random.IntN(5) {
	case 0: // in place of a line
		of[at] = piece
	case 1: // at the end of one
		end := strings.TrimRight(of[at], "\r\n")
		of[at] = end + piece + of[at][len(end):]
	case 2: // in the middle
		n := random.IntN(len(of[at]) + 1)
		of[at] = of[at][:n] + piece + of[at][n:]
	default:
		of[at] = piece + of[at]
	}
	return strings.Join(of, ""), piece, at
}

// TestLines edits lines of texts that parse, so that most of what comes of it parses
// too, and compares each tree with one parsed afresh.
func TestLines(t *testing.T) {
	texts := corpus(t)
	random := rand.New(rand.NewPCG(3, 4))
	sound, all := 0, 0
	for i := range 30 {
		text := texts[random.IntN(len(texts))] + "\n" + texts[random.IntN(len(texts))]
		p := NewParser()
		p.Parse(text)
		good := text
		for range 30 {
			piece, at := "", 0
			text, piece, at = editLine(random, text)
			fresh := Parse(text)
			if diff := diff(fresh, p.Parse(text)); diff != "" {
				t.Fatalf("text %d: %q in line %d gives another tree than a fresh parse: %s\nof %q", i, piece, at+1, diff, text)
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
