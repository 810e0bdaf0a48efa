// Package rules is the one list of rules, and how a file is checked against
// them and mended.
package rules

import (
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/device"
	"github.com/tfmem/tfmem/rules/graph"
	"github.com/tfmem/tfmem/rules/pipeline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/tape"
)

// All are the rules, in order of their codes.
var All = []*rule.Rule{
	NotAnalysed,
	device.MissingMemoryGrowth,
	device.MemoryGrowthAfterInit,
	pipeline.UnbatchedDataset,
	tape.PersistentTapeHeld,
	graph.TrainStepWithoutTFFunction,
	budget.OversizedBatch,
}

// Lookup finds a rule by its code or name, in any letter case, or returns nil.
func Lookup(codeOrName string) *rule.Rule {
	for _, r := range All {
		if strings.EqualFold(r.Code, codeOrName) || strings.EqualFold(r.Name, codeOrName) {
			return r
		}
	}
	return nil
}

// A Selection says which rules run. The zero Selection runs all that are on by
// default.
type Selection struct {
	// Select and Ignore hold codes and prefixes of codes ("TFM1"). The longer
	// prefix wins; of two equally long ones, Ignore does. An empty Select
	// stands for all rules that are on by default.
	Select, Ignore []string
}

// Enabled tells whether the rule runs.
func (s Selection) Enabled(r *rule.Rule) bool {
	selected := longest(s.Select, r.Code)
	if len(s.Select) == 0 {
		selected = 0
	}
	return selected >= 0 && selected > longest(s.Ignore, r.Code)
}

// longest is the length of the longest of the prefixes of code, or -1. "ALL" is
// the shortest prefix there is.
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

// Check runs the selected rules over a file and returns the findings in order
// of their places.
func Check(file *analyzer.File, selection Selection) []rule.Finding {
	var findings []rule.Finding
	if file.Unread != "" {
		if selection.Enabled(NotAnalysed) {
			rule.Run(NotAnalysed, file, &findings)
		}
		return findings
	}
	if !file.Relevant() {
		return nil
	}
	defer file.Lock()()
	if file.Foreign() {
		return nil
	}
	text := file.Source.Text()
	for _, r := range All {
		if selection.Enabled(r) && (triggered(r, text) || r.Imported && file.Names().Connected()) {
			rule.Run(r, file, &findings)
		}
	}
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := findings[i], findings[j]
		if a.Span.Start != b.Span.Start {
			return a.Span.Start < b.Span.Start
		}
		return a.Rule.Code < b.Rule.Code
	})
	return findings
}

func triggered(r *rule.Rule, text string) bool {
	for _, word := range r.Triggers {
		if strings.Contains(text, word) {
			return true
		}
	}
	return r.Triggers == nil
}
