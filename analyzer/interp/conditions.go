package interp

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// whyTest says why a value depends on an unknown test.
func whyTest(in *value.Interp, test syntax.Node, v value.Value) *value.Cause {
	text := test.Text()
	const room = 40
	if len(text) > room {
		text = text[:room] + "…"
	}
	return value.Because(value.UndecidedBranch, "the test on line %d, %s, is not known: %s", in.Line(test), text, UnknownTruth(in, v).Cause()).On(test)
}

// decide runs one of two pieces of code, according to a test. If the test is unknown,
// it runs both and joins them. If the test depends on an overridable default, it also
// follows the other side, and marks what that side would have changed as overridable.
func decide(in *value.Interp, test syntax.Node, v value.Value, yes, no func() value.Control) value.Control {
	truth, known := Truth(in, v)
	if !known {
		why := whyTest(in, test, v)
		ways := in.Speculate(yes)
		if ways[0].How == value.OutOfBudget {
			return value.OutOfBudget
		}
		ways = append(ways, in.Speculate(no)...)
		return in.ContinueBy(v, ways, why)
	}
	meant, other := yes, no
	if !truth {
		meant, other = no, yes
	}
	if !v.Overridable {
		return meant()
	}
	var ways []value.Outcome
	in.Within(value.MaxBranch, func() { ways = in.Speculate(other) })
	depth, mark := len(in.Journal), len(in.Frame.Open)
	in.Begin()
	how := meant()
	if len(in.Frame.Open) > mark || how == value.OutOfBudget || in.Bounds.Exhausted {
		// The journal goes below those of the pending exits.
		in.Dissolve(depth)
		return how
	}
	in.MarkOverridable(ways, how)
	in.Commit(depth)
	return how
}
