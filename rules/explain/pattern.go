package explain

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// A pattern is a regular expression that is tried only on lines with one of its literals. Go's
// package regexp looks for a literal first only if the whole expression begins with it; these have
// alternatives, and a log of nothing but errors tries all of them on each line.
type pattern struct {
	*regexp.Regexp
	needs []literal // a line that matches has one of them; none if that is not known
}

// A literal is a text that a line must have, in any letter case if fold is set.
type literal struct {
	text string
	fold bool
}

func compile(expr string) pattern {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return pattern{regexp.MustCompile(expr), needed(parsed)}
}

func (p pattern) MatchString(line string) bool { return p.may(line) && p.Regexp.MatchString(line) }

func (p pattern) FindStringSubmatch(line string) []string {
	if !p.may(line) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(line)
}

// may reports whether a line may match.
func (p pattern) may(line string) bool {
	for _, l := range p.needs {
		if l.in(line) {
			return true
		}
	}
	return len(p.needs) == 0
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
