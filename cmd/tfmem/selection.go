package main

import (
	"strings"

	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/suggest"
)

// selection makes a selection of what --select and --ignore were given: codes,
// beginnings of codes, ALL.
func selection(selected, ignored []string) (rules.Selection, error) {
	s, err := selectors("--select", selected)
	if err != nil {
		return rules.Selection{}, err
	}
	i, err := selectors("--ignore", ignored)
	return rules.Selection{Select: s, Ignore: i}, err
}

func selectors(flag string, given []string) ([]string, error) {
	var out []string
	for _, g := range given {
		g = strings.ToUpper(strings.TrimSpace(g))
		if g == "" {
			continue // as a trailing comma leaves behind
		}
		if !isSelector(g) {
			return nil, usagef("%s: there is no rule %s%s", flag, g, nearestSelector(g))
		}
		out = append(out, g)
	}
	if len(given) > 0 && out == nil {
		return nil, usagef("%s needs the code of a rule, the beginning of one such as TFM1, or ALL", flag)
	}
	return out, nil
}

// isSelector tells whether any rule is meant.
func isSelector(s string) bool {
	if s == "ALL" {
		return true
	}
	for _, code := range codes() {
		if strings.HasPrefix(code, s) {
			return true
		}
	}
	return false
}

// nearestSelector is an advice, also to who gives a rule's name for its code.
func nearestSelector(s string) string {
	if r := rules.Lookup(s); r != nil {
		return "; did you mean " + r.Code + "?"
	}
	return suggest.DidYouMean(s, append(codes(), "ALL"))
}
