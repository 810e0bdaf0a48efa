package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// SwitchedOff reports whether an event is under an if that the program itself rules out: by a constant,
// as "if not USE_GPU" with USE_GPU = True, by what the calls that lead there pass for a parameter, or by
// the default of one that no call passes. The program as it is does not run the event.
func (f *Facts) SwitchedOff(e *flow.Event) bool {
	for i, n := range append(slices.Clone(e.Path), e.Node) {
		for block := n.Ancestor(syntax.Block); block.Valid(); block = block.Ancestor(syntax.Block) {
			if block.Parent().Is(syntax.IfStatement, syntax.ElifClause, syntax.ElseClause) &&
				names.VerdictOn(block, func(test syntax.Node) names.Verdict { return f.Verdict(test, f.origins.Along(e.Path[:i], n)) }) == names.Never {
				return true
			}
		}
	}
	return false
}

// Verdict returns whether a test holds, as far as the origins of its parts are constants.
func (f *Facts) Verdict(test syntax.Node, in *origins.Call) names.Verdict {
	return names.Decide(test, func(part syntax.Node) names.Verdict {
		if part.Kind() == syntax.ComparisonOperator {
			return f.comparison(part, in)
		}
		constant := f.constant(part, in)
		if constant.Kind() == syntax.String {
			return names.Maybe // an empty string is false
		}
		return names.Decide(constant, func(syntax.Node) names.Verdict { return names.Maybe })
	})
}

// comparison returns the verdict on a comparison of two strings, or of a constant with None.
func (f *Facts) comparison(n syntax.Node, in *origins.Call) names.Verdict {
	operands := slices.DeleteFunc(slices.Collect(n.Children()), func(c syntax.Node) bool { return c.Is(syntax.Operator, syntax.Comment) })
	if len(operands) != 2 {
		return names.Maybe
	}
	a, b := f.constant(operands[0], in), f.constant(operands[1], in)
	x, known := names.StringValue(a)
	y, too := names.StringValue(b)
	equal := x == y
	if none := []bool{a.Kind() == syntax.NoneLiteral, b.Kind() == syntax.NoneLiteral}; none[0] || none[1] {
		known, too, equal = a.Valid(), b.Valid(), none[0] && none[1]
	}
	if !known || !too {
		return names.Maybe
	}
	verdict := names.Never
	if equal {
		verdict = names.Always
	}
	switch sign := n.Text()[operands[0].End()-n.Start() : operands[1].Start()-n.Start()]; strings.Join(strings.Fields(sign), " ") {
	case "==", "is":
		return verdict
	case "!=", "is not":
		return verdict.Not()
	}
	return names.Maybe
}

// constant returns the literal that all origins of an expression are, or none. A parameter that nothing
// passes has its default.
func (f *Facts) constant(n syntax.Node, in *origins.Call) (constant syntax.Node) {
	for _, p := range f.Origins(n, in) {
		literal := p.Node
		if b := f.info.ReachingDefs(literal); literal.Kind() == syntax.Identifier && len(b) == 1 && b[0].Kind == names.ParameterBinding {
			literal = f.info.DefiningExpr(b[0].Value)
		}
		if len(p.Path) > 0 || !literal.Is(syntax.True, syntax.False, syntax.NoneLiteral, syntax.Integer, syntax.String) || constant.Valid() && literal.Text() != constant.Text() {
			return syntax.Node{}
		}
		constant = literal
	}
	return constant
}
