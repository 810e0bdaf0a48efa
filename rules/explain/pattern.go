package explain

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// A pattern is a regular expression that is tried only on lines with one of its literals. Go's
// package regexp looks for a literal first only if the whole expression begins with it; these have
// alternatives, and a log of nothing but errors tries all of them on each line.
type pattern struct{ *lazy }

// A lazy is compiled at its first use: most commands read no log.
type lazy struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
	// needs are literals of which a line that matches has one; none if that is not known.
	needs []literal
}

// A literal is a text that a line must have, in any letter case if fold is set.
type literal struct {
	text string
	fold bool
}

func compile(expr string) pattern { return pattern{&lazy{expr: expr}} }

// compiled returns the regular expression, or nil if a line cannot match it.
func (p pattern) compiled(line string) *regexp.Regexp {
	p.once.Do(func() {
		parsed, err := syntax.Parse(p.expr, syntax.Perl)
		if err != nil {
			panic(err)
		}
		p.re, p.needs = regexp.MustCompile(p.expr), needed(parsed)
	})
	if len(p.needs) > 0 && !slices.ContainsFunc(p.needs, func(l literal) bool { return l.in(line) }) {
		return nil
	}
	return p.re
}

func (p pattern) MatchString(line string) bool {
	re := p.compiled(line)
	return re != nil && re.MatchString(line)
}

func (p pattern) FindStringSubmatch(line string) []string {
	re := p.compiled(line)
	if re == nil {
		return nil
	}
	return re.FindStringSubmatch(line)
}

func (l literal) in(line string) bool {
	if !l.fold {
		return strings.Contains(line, l.text)
	}
	for from := 0; from+len(l.text) <= len(line); from++ {
		if strings.EqualFold(line[from:from+len(l.text)], l.text) {
			return true
		}
	}
	return false
}

// needed returns the literals of which each match of an expression has one; none if not known.
func needed(re *syntax.Regexp) (best []literal) {
	switch re.Op {
	case syntax.OpLiteral:
		return []literal{{string(re.Rune), re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat: // the part with the longest
		for _, sub := range re.Sub {
			if l := needed(sub); shortest(l) > shortest(best) {
				best = l
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			l := needed(sub)
			if len(l) == 0 {
				return nil
			}
			best = append(best, l...)
		}
	}
	return best
}

// shortest returns the length of the shortest literal, 0 if there is none.
func shortest(all []literal) (n int) {
	for _, l := range all {
		if n == 0 || len(l.text) < n {
			n = len(l.text)
		}
	}
	return n
}
