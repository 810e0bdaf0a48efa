package rules

import (
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A wordFinder finds which of many words stand in a text, in one pass over it: the
// automaton of Aho and Corasick ("Efficient string matching", 1975), with a row of
// next states for each state and a column for each byte that stands in a word.
type wordFinder struct {
	column [256]uint8 // of a byte; 0 where no word has it
	width  int
	// next is, by state and column, the state that comes next: once it is complete, as
	// the index at which its row begins, with a mark where words end there.
	next  []uint32
	ends  [][]int // by state: the words that end there, by number
	words int
	// longest is the length of the longest word.
	longest int
}

// ending marks a state where words end.
const ending = 1 << 31

// newWordFinder makes a finder of words, which are known by their numbers. An empty
// word is in no text.
func newWordFinder(words []string) *wordFinder {
	f := &wordFinder{width: 1, words: len(words)}
	for _, word := range words {
		for i := range len(word) {
			if b := word[i]; f.column[b] == 0 {
				f.column[b] = uint8(f.width)
				f.width++
			}
		}
	}
	state := func() int {
		f.next = append(f.next, make([]uint32, f.width)...)
		f.ends = append(f.ends, nil)
		return len(f.ends) - 1
	}
	state()
	for number, word := range words {
		at := 0
		f.longest = max(f.longest, len(word))
		for i := range len(word) {
			c := int(f.column[word[i]])
			if f.next[at*f.width+c] == 0 {
				f.next[at*f.width+c] = uint32(state())
			}
			at = int(f.next[at*f.width+c])
		}
		if at > 0 {
			f.ends[at] = append(f.ends[at], number)
		}
	}
	f.link()
	for i, state := range f.next {
		f.next[i] = state * uint32(f.width)
		if len(f.ends[state]) > 0 {
			f.next[i] |= ending
		}
	}
	return f
}

// link gives each state, breadth first, the next states of the longest other state
// that its word ends in, where it has none of its own.
func (f *wordFinder) link() {
	fail := make([]int, len(f.ends))
	queue := []int{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for c := 1; c < f.width; c++ {
			to := &f.next[at*f.width+c]
			inherited := 0
			if at > 0 {
				inherited = int(f.next[fail[at]*f.width+c])
			}
			if *to == 0 {
				*to = uint32(inherited)
				continue
			}
			fail[*to] = inherited
			f.ends[*to] = append(f.ends[*to], f.ends[inherited]...)
			queue = append(queue, int(*to))
		}
	}
}

// occurrences are where words stand in a text.
type occurrences struct {
	text string
	at   []int // by word: the offset behind an occurrence; -1 where there is none
}

// in finds the words in a text, given where they stood in another that may be like it, or
// nil: only what differs is read then, and a word that stood elsewhere stands there still.
func (f *wordFinder) in(text string, before *occurrences) *occurrences {
	if before == nil {
		o := &occurrences{text, slices.Repeat([]int{-1}, f.words)}
		f.read(o, 0, len(text))
		return o
	}
	old := before.text
	start, rest := source.Shared(old, text)
	o := &occurrences{text, slices.Clone(before.at)}
	var lost []int
	for word, at := range o.at {
		switch {
		case at-f.longest >= len(old)-rest:
			o.at[word] += len(text) - len(old)
		case at > start:
			o.at[word], lost = -1, append(lost, word)
		}
	}
	f.read(o, max(start-f.longest, 0), min(len(text)-rest+f.longest, len(text)))
	if slices.ContainsFunc(lost, func(word int) bool { return o.at[word] < 0 }) {
		return f.in(text, nil)
	}
	return o
}

// read notes where words stand between two offsets.
func (f *wordFinder) read(o *occurrences, start, end int) {
	row := uint32(0)
	for i := start; i < end; i++ {
		if row = f.next[row+uint32(f.column[o.text[i]])]; row&ending != 0 {
			row &^= ending
			for _, word := range f.ends[int(row)/f.width] {
				o.at[word] = i + 1
			}
		}
	}
}

// A trigger is a rule with the first of its words.
type trigger struct {
	rule *rule.Rule
	word int
}

// triggers are the rules that have trigger words, and what finds these.
var triggers = sync.OnceValues(func() ([]trigger, *wordFinder) {
	var rules []trigger
	var words []string
	for _, r := range All {
		if r.Triggers != nil {
			rules = append(rules, trigger{r, len(words)})
			words = append(words, r.Triggers...)
		}
	}
	return rules, newWordFinder(words)
})

// untriggered are the rules none of whose trigger words is in a file's text.
func untriggered(file *analyzer.File) map[*rule.Rule]bool {
	all, finder := triggers()
	found := file.Carried(finder, func(before any) any {
		last, _ := before.(*occurrences)
		return finder.in(file.Source.Text(), last)
	}).(*occurrences).at
	out := make(map[*rule.Rule]bool, len(all))
	for _, t := range all {
		if slices.Max(found[t.word:t.word+len(t.rule.Triggers)]) < 0 {
			out[t.rule] = true
		}
	}
	return out
}
