package rules

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWordFinder compares the finder with a search for each word, in texts by themselves
// and in what edits make of them.
func TestWordFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(longest int) string {
		b := make([]byte, r.IntN(longest+1))
		for i := range b {
			b[i] = "abc."[r.IntN(4)]
		}
		return string(b)
	}
	for range 2000 {
		var words []string
		for range 1 + r.IntN(8) {
			words = append(words, random(5))
		}
		finder := newWordFinder(words)
		var before *occurrences
		text := random(40) + "é\x00" + random(5)
		if r.IntN(4) == 0 {
			text = strings.Repeat("-", r.IntN(9000)) + text + strings.Repeat("-", r.IntN(9000))
		}
		for range 6 {
			found := finder.in(text, before)
			for i, word := range words {
				if want := word != "" && strings.Contains(text, word); (found.at[i] >= 0) != want {
					t.Fatalf("of %q, %q in %q: %t, want %t", words, word, text, !want, want)
				}
				if at := found.at[i]; at >= 0 && !strings.HasSuffix(text[:at], word) {
					t.Fatalf("of %q, %q does not end at %d of %q", words, word, at, text)
				}
			}
			before = found
			start := r.IntN(len(text) + 1)
			end := min(len(text), start+r.IntN(20))
			text = text[:start] + random(12) + text[end:]
		}
	}
}
