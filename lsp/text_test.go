package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// The model of a text is a list of characters that is walked from its start for every position.
// It knows nothing of line indices, runs or bytes.

// modelOffset returns the index of the character at a position.
func modelOffset(text []rune, encoding string, line, column int) int {
	for i, l, c := 0, 0, 0; ; {
		if i == len(text) {
			return i
		}
		width := map[string]int{"utf-8": utf8.RuneLen(text[i]), "utf-16": utf16.RuneLen(text[i]), "utf-32": 1}[encoding]
		isBreak := text[i] == '\n' || text[i] == '\r'
		if l == line && (isBreak || c+width > column) {
			return i
		}
		switch {
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i, l, c = i+2, l+1, 0
		case isBreak:
			i, l, c = i+1, l+1, 0
		default:
			i, c = i+1, c+width
		}
	}
}

// modelSpan returns the characters of a range in JSON.
func modelSpan(text []rune, encoding string, r any) (start, end int) {
	m := r.(map[string]any)
	at := func(end string) int {
		p := m[end].(map[string]any)
		return modelOffset(text, encoding, int(p["line"].(float64)), int(p["character"].(float64)))
	}
	start, end = at("start"), at("end")
	return min(start, end), max(start, end)
}

// modelEdit applies one change.
func modelEdit(text, encoding string, r any, new string) string {
	runes := []rune(text)
	start, end := modelSpan(runes, encoding, r)
	return string(runes[:start]) + new + string(runes[end:])
}

// modelEdits applies the edits of an action, all of which refer to text. They must not overlap;
// those at one place are in order.
func modelEdits(text, encoding string, edits []any) string {
	runes := []rune(text)
	type edit struct {
		start, end int
		new        string
	}
	var all []edit
	for _, e := range edits {
		e := e.(map[string]any)
		start, end := modelSpan(runes, encoding, e["range"])
		all = append(all, edit{start, end, e["newText"].(string)})
	}
	slices.SortStableFunc(all, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	done := 0
	for _, e := range all {
		if e.start < done {
			return fmt.Sprintf("the edits overlap: %v", all)
		}
		b.WriteString(string(runes[done:e.start]) + e.new)
		done = e.end
	}
	return b.String() + string(runes[done:])
}

// jsonOf returns v as a JSON decoder would return it.
func jsonOf(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}

var encodingNames = []string{"utf-8", "utf-16", "utf-32"}

func encodingOf(name string) source.Encoding {
	return source.Encoding(slices.Index(encodingNames, name))
}

// alphabet is what makes positions hard: every kind of line break, characters of one to four
// bytes and one or two UTF-16 units, a byte order mark, a combining accent, NUL.
var alphabet = []string{"a", "bc", " ", "\n", "\r\n", "\r", "\n", "é", "漢", "𝔘", "😀", "\ufeff", "e\u0301", "\x00", "def f():\n", "\u2028"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// randomChange returns a change near the text: within it, beyond its lines' ends, beyond its end,
// or reversed.
func randomChange(r *rand.Rand, text string) change {
	if r.IntN(20) == 0 {
		return change{whole: true, text: randomText(r, 20)}
	}
	position := func() source.Position {
		return source.Position{Line: r.IntN(strings.Count(text, "\n") + strings.Count(text, "\r") + 2), Column: r.IntN(12)}
	}
	c := change{start: position(), text: randomText(r, 4)}
	if c.end = c.start; r.IntN(3) > 0 {
		c.end = position()
	}
	return c
}

func rangeJSON(c change) any {
	return jsonOf(at(c.start.Line, c.start.Column, c.end.Line, c.end.Column))
}

// TestEdited compares changes of many kinds, several per notification, with the model.
func TestEdited(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		encoding := encodingNames[r.IntN(3)]
		text := randomText(r, 40)
		want := text
		var changes []change
		for range r.IntN(6) {
			c := randomChange(r, want)
			changes = append(changes, c)
			if c.whole {
				want = c.text
			} else {
				want = modelEdit(want, encoding, rangeJSON(c), c.text)
			}
		}
		if got := edited(source.NewLines(text), changes, encodingOf(encoding)); got != want {
			t.Fatalf("seed %d, %s:\n%q\n%+v\ngot  %q\nwant %q", seed, encoding, text, changes, got, want)
		}
	}
}

// TestEditedRun covers the changes of an editor with many cursors: from the last to the first, in
// one notification.
func TestEditedRun(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		encoding := encodingNames[r.IntN(3)]
		text := randomText(r, 60)
		want := text
		var changes []change
		for range 8 {
			c := randomChange(r, text)
			c.whole = false
			changes = append(changes, c)
		}
		slices.SortStableFunc(changes, func(a, b change) int {
			if a.start.Line != b.start.Line {
				return b.start.Line - a.start.Line
			}
			return b.start.Column - a.start.Column
		})
		for _, c := range changes {
			want = modelEdit(want, encoding, rangeJSON(c), c.text)
		}
		if got := edited(source.NewLines(text), changes, encodingOf(encoding)); got != want {
			t.Fatalf("seed %d, %s:\n%q\n%+v\ngot  %q\nwant %q", seed, encoding, text, changes, got, want)
		}
	}
}

// FuzzEdited is TestEdited with the fuzzer's texts and positions, in all three encodings.
func FuzzEdited(f *testing.F) {
	f.Add("import tensorflow as tf\r\n# 😀 é\rx\n", uint16(1), uint16(3), uint16(2), uint16(0), "漢\r\n", uint16(0), uint16(2), uint16(0), uint16(9), "")
	f.Add("\ufeffa", uint16(0), uint16(1), uint16(0), uint16(1), "\n", uint16(0), uint16(0), uint16(1), uint16(0), "b")
	f.Add("a\rb", uint16(1), uint16(0), uint16(1), uint16(0), "\n", uint16(0), uint16(1), uint16(1), uint16(0), "")
	f.Fuzz(func(t *testing.T, text string, l1, c1, l2, c2 uint16, s1 string, l3, c3, l4, c4 uint16, s2 string) {
		for _, s := range []string{text, s1, s2} {
			if !utf8.ValidString(s) {
				t.Skip() // decoded JSON is always valid UTF-8
			}
		}
		changes := []change{
			{start: source.Position{Line: int(l1), Column: int(c1)}, end: source.Position{Line: int(l2), Column: int(c2)}, text: s1},
			{start: source.Position{Line: int(l3), Column: int(c3)}, end: source.Position{Line: int(l4), Column: int(c4)}, text: s2},
		}
		for _, encoding := range encodingNames {
			want := text
			for _, c := range changes {
				want = modelEdit(want, encoding, rangeJSON(c), c.text)
			}
			if got := edited(source.NewLines(text), changes, encodingOf(encoding)); got != want {
				t.Errorf("%s: %q\n%+v\ngot  %q\nwant %q", encoding, text, changes, got, want)
			}
		}
	})
}
