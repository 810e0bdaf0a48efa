package rules

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/rules/rule"
)

// TestWordFinder compares the finder with a search for each word. Words may belong to several
// rules, and begin, end or contain each other.
func TestWordFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(shortest, longest int) string {
		b := make([]byte, shortest+r.IntN(longest-shortest+1))
		for i := range b {
			b[i] = "abc."[r.IntN(4)]
		}
		return string(b)
	}
	for range 2000 {
		var rules []*rule.Rule
		for range 1 + r.IntN(4) {
			rule := &rule.Rule{}
			for range 1 + r.IntN(3) {
				rule.Triggers = append(rule.Triggers, random(1, 5))
			}
			rules = append(rules, rule)
		}
		finder := newWordFinder(rules)
		for range 6 {
			text := strings.Repeat("-", r.IntN(3)*r.IntN(900)) + random(0, 40) + "é\x00" + random(0, 5)
			found := finder.triggered(text)
			for _, rule := range rules {
				want := false
				for _, word := range rule.Triggers {
					want = want || strings.Contains(text, word)
				}
				if found[rule] != want {
					t.Fatalf("%q in %q: %t, want %t", rule.Triggers, text, found[rule], want)
				}
			}
		}
	}
}

// BenchmarkTriggers searches 2,000 lines for the words of all rules, in one pass and one word after
// the other.
func BenchmarkTriggers(b *testing.B) {
	text := strings.Repeat("x = keras.layers.Dense(64, activation='relu')(x)\n", 2000)
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			triggerWords().triggered(text)
		}
	})
	b.Run("apart", func(b *testing.B) {
		for b.Loop() {
			for _, r := range All {
				for _, word := range r.Triggers {
					_ = strings.Contains(text, word)
				}
			}
		}
	})
}
