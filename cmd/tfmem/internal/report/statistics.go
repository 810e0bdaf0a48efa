package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/rules/rule"
)

// A statistic counts the findings of one rule.
type statistic struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Severity string `json:"severity"` // the rule's own
	Count    int    `json:"count"`
	Safe     int    `json:"safe_fixes"`   // how many of them --fix would fix
	Unsafe   int    `json:"unsafe_fixes"` // and how many more --unsafe-fixes would

	rule *rule.Rule
}

// statistics counts findings by rule, the most frequent first.
func statistics(entries []Entry) []*statistic {
	byRule := map[*rule.Rule]*statistic{}
	all := []*statistic{}
	for _, e := range entries {
		for _, f := range e.Findings {
			s := byRule[f.Rule]
			if s == nil {
				s = &statistic{Code: f.Rule.Code, Name: f.Rule.Name, Severity: f.Rule.Severity.String(), rule: f.Rule}
				byRule[f.Rule] = s
				all = append(all, s)
			}
			s.Count++
			if fix := best(f); fix != nil {
				switch fix.Applicability {
				case rule.Safe:
					s.Safe++
				case rule.Unsafe:
					s.Unsafe++
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b *statistic) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// statisticsText prints a line per rule that found something.
func statisticsText(w io.Writer, entries []Entry, o Options) error {
	all := statistics(entries)
	width := 0
	if len(all) > 0 {
		width = digits(all[0].Count)
	}
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%*d  %s  %s", width, s.Count, o.Palette.Severity(s.rule.Severity, s.Code), s.Name)
		if words := s.fixes(); words != "" {
			fmt.Fprintf(&b, " [%s]", o.Palette.Note(words))
		}
		b.WriteByte('\n')
	}
	if len(all) > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fixes says how many findings can be fixed.
func (s *statistic) fixes() string {
	var words []string
	if s.Safe > 0 {
		words = append(words, fmt.Sprint(s.Safe, " safe"))
	}
	if s.Unsafe > 0 {
		words = append(words, fmt.Sprint(s.Unsafe, " unsafe"))
	}
	if words == nil {
		return ""
	}
	return "fixable: " + strings.Join(words, ", ")
}

// statisticsJSON prints the same counts as an array.
func statisticsJSON(w io.Writer, entries []Entry, _ Options) error {
	return WriteJSON(w, statistics(entries))
}
