package rule

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// SwitchedOff reports whether an event is under a parameter that is false where the event happens,
// or that has a false default and that no call of the program sets.
func SwitchedOff(info *names.Info, e *flow.Event) bool {
	return slices.ContainsFunc(append(slices.Clone(e.Path), e.Node), func(n syntax.Node) bool {
		for block := n.Ancestor(syntax.Block); block.Valid(); block = block.Ancestor(syntax.Block) {
			if verdictOn(block, func(test syntax.Node) names.Verdict { return ofParameter(info, e, test) }) == names.Never {
				return true
			}
		}
		return false
	})
}

// ofParameter returns the verdict on a test of parameters where an event happens.
func ofParameter(info *names.Info, e *flow.Event, test syntax.Node) names.Verdict {
	return names.Decide(test, func(test syntax.Node) names.Verdict {
		off := []syntax.Kind{syntax.False, syntax.NoneLiteral}
		if test.Kind() == syntax.ComparisonOperator && comparison(test) == "isnotNone" {
			test, off = test.FirstChild(), off[1:]
		}
		if test.Kind() == syntax.Attribute {
			test = info.DefiningExpr(test) // a parameter of __init__
		}
		bindings := info.ReachingDefs(test)
		if test.Kind() != syntax.Identifier || len(bindings) != 1 || bindings[0].Kind != names.ParameterBinding {
			return names.Maybe
		}
		b := bindings[0]
		given := e.Argument(info, b)
		if !given.Valid() && !isPassed(info, b) {
			given = b.Value
		}
		if info.DefiningExpr(given).Is(off...) {
			return names.Never
		}
		return names.Maybe
	})
}

// isPassed reports whether the program may pass a parameter.
func isPassed(info *names.Info, b *names.Binding) bool {
	fn := b.Scope.Func
	return fn == nil || slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsOf(fn), func(call syntax.Node) bool {
			return names.HasSplat(call) || fn.Passed(call, b.Name).Valid()
		})
	})
}
