package lsp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
)

// TestMoved lists where a marked place is after an edit, if it is still the same. Brackets mark
// it, before and after.
func TestMoved(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"typed before", "a = [fit]()\n", "ab = [fit]()\n"},
		{"typed after", "[fit](x)\n", "[fit](xy)\n"},
		{"typed within", "[fit]()\n", "fiit()\n"},
		{"the word grows at its end", "[64]\n", "640\n"},
		{"the word grows at its start", "x=[64]\n", "x=164\n"},
		{"an argument follows", "fit([64])\n", "fit([64], 3)\n"},
		{"a line is put above, where the line starts", "x\n[fit]()\n", "x\n\n[fit]()\n"},
		{"a line is put above that is like the next", "x\n[fit]()\n", "x\nx\n[fit]()\n"},
		{"the line is indented", "[fit]()\n", "    [fit]()\n"},
		{"lines above go", "a\nb\n[fit]()\n", "[fit]()\n"},
		{"lines on either side change", "a\n[fit]()\nb\n", "aa\n[fit]()\nbb\n"},
		{"its line goes", "a\n[fit]()\nb\n", "a\nb\n"},
		{"all goes", "[fit]()", ""},
		{"a letter before it is wider", "a; [fit]()\r\n", "😀; [fit]()\r\n"},
		{"lone carriage returns", "a\r[fit]()\rb", "a\rc\r[fit]()\rb"},
		{"nothing changes", "[fit]()", "[fit]()"},
		{"it joins the word before", "x [fit]()", "xfit()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, span, _ := marked(c.before)
			after, want, kept := marked(c.after)
			got, ok := moved(span, between(before, after), after)
			if ok != kept || ok && got != want {
				t.Errorf("it is at %v (%v), want %v (%v)", got, ok, want, kept)
			}
		})
	}
}

// marked removes the brackets from a text.
func marked(text string) (plain string, span source.Span, ok bool) {
	start, end := strings.Index(text, "["), strings.Index(text, "]")
	if start < 0 {
		return text, span, false
	}
	return strings.NewReplacer("[", "", "]", "").Replace(text), source.Span{Start: start, End: end - 1}, true
}

// changed applies a person's changes, in order. They may split line ends, which no edit of ours
// does.
func changed(text string, edits []source.Edit) string {
	for _, e := range slices.Backward(edits) {
		text = text[:e.Span.Start] + e.New + text[e.Span.End:]
	}
	return text
}

// TestMovedAnyhow: whatever the edits, a moved span contains the same text.
func TestMovedAnyhow(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		before := randomText(r, 60)
		after := before
		for range r.IntN(4) {
			c := randomChange(r, after)
			after = edited(source.NewLines(after), []change{c}, source.UTF16)
		}
		edits := between(before, after)
		if got := changed(before, edits); got != after {
			t.Fatalf("seed %d: the edits make %q of %q, want %q", seed, got, before, after)
		}
		start := r.IntN(len(before) + 1)
		span := source.Span{Start: start, End: start + r.IntN(len(before)-start+1)}
		if to, ok := moved(span, edits, after); ok && after[to.Start:to.End] != before[span.Start:span.End] {
			t.Fatalf("seed %d: %q became %q", seed, before[span.Start:span.End], after[to.Start:to.End])
		}
	}
}

// TestMovedFar: keystrokes here and there in a long text do not affect other lines.
func TestMovedFar(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 6))
		lines := make([]string, 500)
		for i := range lines {
			lines[i] = fmt.Sprintf("model_%d = build(%d)\n", i, r.IntN(1000))
		}
		before := strings.Join(lines, "")
		var kept []int // line numbers
		for i := range lines {
			switch r.IntN(40) {
			case 0:
				lines[i] = "x" + lines[i]
			case 1:
				lines[i] = "\n\n" + lines[i]
			case 2:
				lines[i] = ""
			default:
				kept = append(kept, i)
			}
		}
		after := strings.Join(lines, "")
		edits := between(before, after)
		if changed(before, edits) != after {
			t.Fatalf("seed %d: the edits make another text", seed)
		}
		for _, i := range kept {
			name := fmt.Sprintf("model_%d ", i)
			start, want := strings.Index(before, name), strings.Index(after, name)
			if to, ok := moved(source.Span{Start: start, End: start + len(name) - 1}, edits, after); !ok || to.Start != want {
				t.Fatalf("seed %d: line %d is at %v (%v), want %d", seed, i, to, ok, want)
			}
		}
	}
}

// BenchmarkBetween measures the time to find 20 keystrokes in 20,000 lines.
func BenchmarkBetween(b *testing.B) {
	before := trainingScript(20_000)
	lines := strings.SplitAfter(before, "\n")
	r := rand.New(rand.NewPCG(1, 7))
	for range 20 {
		lines[r.IntN(len(lines))] += "\n"
	}
	after := strings.Join(lines, "")
	for b.Loop() {
		between(before, after)
	}
}
