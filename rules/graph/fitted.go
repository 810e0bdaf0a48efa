package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// fittedInstead reports whether the program trains with fit in another branch of an if around a
// tape, unless the default of a command-line option surely selects the branch with the tape.
func fittedInstead(info *names.Info, t *flow.Trace, tape *flow.Event) bool {
	fits := t.Having(effects.Trains)
	return slices.ContainsFunc(append(slices.Clone(tape.Path), tape.Node), func(n syntax.Node) bool {
		for choice := n.Ancestor(syntax.IfStatement); choice.Valid(); choice = choice.Ancestor(syntax.IfStatement) {
			own := branchOf(choice, n)
			for _, fit := range fits {
				at := fit.Outermost()
				for _, step := range append(slices.Clone(fit.Path), fit.Node) {
					if step.Within(choice) {
						at = step
					}
				}
				if at.Within(choice) && !at.Within(own) && !selects(info, choice, own) {
					return true
				}
			}
		}
		return false
	})
}

// branchOf returns the part of an if statement that contains a node: a block, or the clause of an
// elif or else.
func branchOf(choice, n syntax.Node) syntax.Node {
	for n.Parent() != choice {
		n = n.Parent()
	}
	return n
}

// selects reports whether the default of a command-line option surely selects a branch of an if,
// which compares the option with a string.
func selects(info *names.Info, choice, branch syntax.Node) bool {
	condition := choice.Child(syntax.FieldCondition)
	parts := slices.Collect(condition.Children())
	if condition.Kind() != syntax.ComparisonOperator || len(parts) != 3 || parts[0].Kind() != syntax.Attribute {
		return false
	}
	text, ok := names.StringValue(parts[2])
	byDefault, known := names.StringValue(info.OptionDefault(parts[0].Child(syntax.FieldAttribute).Text()))
	if !ok || !known {
		return false
	}
	switch parts[1].Text() {
	case "==":
		return (text == byDefault) == (branch.Field() == syntax.FieldConsequence)
	case "!=":
		return (text != byDefault) == (branch.Field() == syntax.FieldConsequence)
	}
	return false
}
