package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

// A Selection says which rules run on a file, and how severe their findings are. The zero Selection
// runs all rules that are on by default, at their own severities.
//
// Rules are named by codes, by prefixes of codes ("TFM1"), or by "ALL", the shortest prefix. The
// longest prefix wins. Of two equally long ones, the one that turns a rule off wins.
type Selection struct {
	// An empty Select stands for all rules that are on by default.
	Select, ExtendSelect, Ignore []string
	// Over is the selection below this one, as the settings are below the command line. It decides
	// about a rule that this one does not mention, unless this one has a Select.
	Over *Selection
	// Except lists rules that never run, whatever is selected: those that settings ignore for this
	// file.
	Except []string
	// Severity maps codes of rules to a severity other than their own.
	Severity map[string]rule.Severity
	// Fixable and Unfixable list the rules whose fixes are kept, all by default, and whose are not.
	Fixable, Unfixable []string
	// IgnoreComments also reports findings that comments suppress.
	IgnoreComments bool
}

// LaidOver returns s on top of another selection, whose exceptions and severities still count.
func (s Selection) LaidOver(base Selection) Selection {
	if s.Over != nil {
		base = s.Over.LaidOver(base)
	}
	s.Over = &base
	s.Except = slices.Concat(base.Except, s.Except)
	severity := map[string]rule.Severity{}
	maps.Copy(severity, base.Severity)
	maps.Copy(severity, s.Severity)
	s.Severity = severity
	s.Fixable, s.Unfixable = slices.Concat(base.Fixable, s.Fixable), slices.Concat(base.Unfixable, s.Unfixable)
	s.IgnoreComments = s.IgnoreComments || base.IgnoreComments
	return s
}

// Enabled reports whether the rule runs.
func (s Selection) Enabled(r *rule.Rule) bool {
	return longest(s.Except, r.Code) < 0 && s.selects(r.Code, !r.OffByDefault, r.Always)
}

// selects reports whether the rule of a code is selected. fallback is the result if nothing
// mentions the rule. With always, a Select that does not mention the rule does not turn it off.
func (s *Selection) selects(code string, fallback, always bool) bool {
	on := max(longest(s.Select, code), longest(s.ExtendSelect, code))
	off := longest(s.Ignore, code)
	switch {
	case on >= 0 || off >= 0:
		return on > off
	case len(s.Select) > 0 && !always:
		return false
	case s.Over != nil:
		return s.Over.selects(code, fallback, always)
	}
	return fallback
}

// regrade gives findings the severities of the settings.
func (s *Selection) regrade(findings []rule.Finding) {
	for i := range findings {
		if severity, ok := s.Severity[findings[i].Rule.Code]; ok {
			findings[i].Severity = severity
		}
	}
}

// unfix takes the fixes from findings of rules that are not to be fixed.
func (s *Selection) unfix(findings []rule.Finding) {
	for i, f := range findings {
		kept := longest(s.Fixable, f.Rule.Code)
		if len(s.Fixable) == 0 {
			kept = 0 // as ALL
		}
		if kept <= longest(s.Unfixable, f.Rule.Code) || kept < 0 {
			findings[i].Fixes = nil
		}
	}
}

// ParseSelector parses the code of a rule, a prefix of one, or ALL, in any letter case.
func ParseSelector(s string) (string, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if s == "ALL" {
		return s, nil
	}
	codes := []string{"ALL"}
	for _, r := range All {
		if s != "" && strings.HasPrefix(r.Code, s) {
			return s, nil
		}
		codes = append(codes, r.Code)
	}
	if r := Lookup(s); r != nil {
		return "", fmt.Errorf("there is no rule %s; did you mean %s?", s, r.Code)
	}
	return "", fmt.Errorf("there is no rule %s%s", s, suggest.DidYouMean(s, codes))
}

// longest returns the length of the longest of the prefixes of code, or -1.
func longest(prefixes []string, code string) int {
	n := -1
	for _, p := range prefixes {
		switch {
		case strings.EqualFold(p, "ALL"):
			n = max(n, 0)
		case len(p) <= len(code) && strings.EqualFold(p, code[:len(p)]):
			n = max(n, len(p))
		}
	}
	return n
}
