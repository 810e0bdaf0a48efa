package main

import (
	"strings"

	"github.com/tfmem/tfmem/rules"
)

// selectors are what a flag that names rules was given: codes, beginnings of
// codes, ALL.
func selectors(flag string, given []string) ([]string, error) {
	var out []string
	for _, g := range given {
		if strings.TrimSpace(g) == "" {
			continue // as a trailing comma leaves behind
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
