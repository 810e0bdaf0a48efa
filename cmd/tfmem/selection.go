package main

import (
	"strings"

	"github.com/tfmem/tfmem/rules"
)

// selectors returns the rules that a flag was given: codes, prefixes of codes, ALL.
func selectors(flag string, given []string) ([]string, error) {
	var out []string
	for _, g := range given {
		if strings.TrimSpace(g) == "" {
			continue // after a trailing comma
		}
		s, err := rules.ParseSelector(g)
		if err != nil {
			return nil, usagef("%s: %w", flag, err)
		}
		out = append(out, s)
	}
	if len(given) > 0 && out == nil {
		return nil, usagef("%s needs the code of a rule, the beginning of one such as TFM1, or ALL", flag)
	}
	return out, nil
}
