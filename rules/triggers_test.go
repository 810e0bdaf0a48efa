package rules

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWordFinder compares the finder with a search for each word.
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
		text := random(40) + "é\x00" + random(5)
		found := newWordFinder(words).in(text)
		for i, word := range words {
			if want := word != "" && strings.Contains(text, word); found[i] != want {
				t.Fatalf("of %q, %q in %q: %t, want %t", words, word, text, found[i], want)
			}
		}
	}
}
