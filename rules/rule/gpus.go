package rule

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// WithGPU says which blocks surely run on a machine that has a GPU: the body of "if gpus:" and of a
// loop over the GPUs. Questions about GPUs are asked for such machines; on others the answers do
// not matter.
func WithGPU(info *names.Info) flow.Runs {
	return func(n syntax.Node) (runs, known bool) {
		switch n.Kind() {
		case syntax.ForStatement:
			runs = holdsAny(info, n.Child(syntax.FieldRight))
			return runs, runs
		case syntax.ListComprehension:
			for c := range n.Children() {
				if c.Kind() == syntax.ForInClause {
					runs = holdsAny(info, c.Child(syntax.FieldRight))
					return runs, runs
				}
			}
		case syntax.Block:
			return branchWithGPU(info, n)
		}
		return false, false
	}
}

// branchWithGPU reports whether a block of an if runs where there is a GPU, if it is known.
func branchWithGPU(info *names.Info, block syntax.Node) (runs, known bool) {
	verdict := names.VerdictOn(block, func(test syntax.Node) names.Verdict { return asksForGPU(info, test) })
	return verdict == names.Always, verdict != names.Maybe
}

// asksForGPU returns the verdict on a test on a machine with a GPU.
func asksForGPU(info *names.Info, test syntax.Node) names.Verdict {
	defer info.Enter(test).Leave()
	return names.Decide(test, func(test syntax.Node) names.Verdict {
		switch test.Kind() {
		case syntax.ComparisonOperator:
			count, left := CountOfGPUs(info, test), info.DefiningExpr(test.FirstChild())
			switch sign := comparison(test); {
			case atLeastOne(count), holdsAny(info, left) && (sign == "!=[]" || sign == "isnotNone"):
				return names.Always
			case none(count), holdsAny(info, left) && (sign == "==[]" || sign == "isNone"):
				return names.Never
			}
			return names.Maybe
		case syntax.Identifier, syntax.NamedExpression:
			if made := info.DefiningExpr(test); made.Kind() == syntax.Call {
				return asksForGPU(info, made)
			}
		case syntax.Call:
			if info.Builtin(test) == "len" || info.Builtin(test) == "bool" {
				test = names.Argument(test, 0, "obj")
			} else if callee := info.Callee(test); callee == "tensorflow.test.is_gpu_available" || callee == "tensorflow.test.is_built_with_cuda" {
				return names.Always
			}
		}
		if holdsAny(info, test) {
			return names.Always
		}
		return names.Maybe
	})
}

// holdsAny reports whether a list of devices is not empty on every machine with a GPU.
func holdsAny(info *names.Info, list syntax.Node) bool {
	if info.Builtin(list) == "enumerate" {
		list = names.Argument(list, 0, "iterable")
	}
	l := ListingOf(info, list)
	return l.List && l.Of != UnknownDevices && (l.Part == AllDevices || l.Part == OneDevice)
}

// CountOfGPUs returns what a comparison requires of the number of GPUs, without blanks, such as
// "!=1". It is empty if the comparison is about something else.
func CountOfGPUs(info *names.Info, comparing syntax.Node) string {
	counted := info.DefiningExpr(comparing.FirstChild())
	if info.Builtin(counted) != "len" || !holdsAny(info, names.Argument(counted, 0, "obj")) {
		return ""
	}
	return comparison(comparing)
}

// WithGPUs returns the verdict on a test on a machine with so many GPUs, of which it asks the number.
func WithGPUs(info *names.Info, test syntax.Node, number int) names.Verdict {
	return names.Decide(test, func(test syntax.Node) names.Verdict {
		if test.Kind() != syntax.ComparisonOperator {
			return asksForGPU(info, test)
		}
		sign := CountOfGPUs(info, test)
		at := strings.IndexFunc(sign, unicode.IsDigit)
		if at < 0 {
			return names.Maybe
		}
		limit, err := strconv.Atoi(sign[at:])
		if err != nil {
			return names.Maybe
		}
		holds, known := map[string]bool{
			"==": number == limit, "!=": number != limit,
			"<": number < limit, "<=": number <= limit,
			">": number > limit, ">=": number >= limit,
		}[sign[:at]]
		switch {
		case !known:
			return names.Maybe
		case holds:
			return names.Always
		}
		return names.Never
	})
}

// AsksForAny reports whether a comparison tests that a list is not empty: len(gpus) > 0.
func AsksForAny(n syntax.Node) bool {
	left := n.FirstChild()
	return left.Kind() == syntax.Call && left.Child(syntax.FieldFunction).Text() == "len" && names.Argument(left, 0, "obj").Valid() && atLeastOne(comparison(n))
}

// comparison returns the text to the right of a comparison's first operand, without blanks.
func comparison(n syntax.Node) string {
	return strings.Join(strings.Fields(n.Text()[len(n.FirstChild().Text()):]), "")
}

func atLeastOne(sign string) bool { return sign == ">0" || sign == ">=1" || sign == "!=0" }

func none(sign string) bool { return sign == "==0" || sign == "<1" || sign == "<=0" }

// ChecksCount reports whether a test around a call checks the number of GPUs, or one before it lets only
// a single GPU pass.
func ChecksCount(info *names.Info, call syntax.Node) bool {
	for n := call; n.Valid(); n = n.Parent() {
		for before := range Siblings(n) {
			if before.Start() >= n.Start() {
				break
			}
			if allowsOne(info, before) {
				return true
			}
		}
	}
	if call.Ancestor(syntax.MatchStatement, syntax.FunctionDefinition).Kind() == syntax.MatchStatement {
		return true
	}
	found := false
	for n := call.Ancestor(syntax.IfStatement, syntax.ElifClause, syntax.FunctionDefinition); n.Is(syntax.IfStatement, syntax.ElifClause); n = n.Ancestor(syntax.IfStatement, syntax.ElifClause, syntax.FunctionDefinition) {
		n.Child(syntax.FieldCondition).Walk(func(m syntax.Node) bool {
			if m.Kind() == syntax.ComparisonOperator && !AsksForAny(m) {
				m.Walk(func(x syntax.Node) bool {
					found = found || x.Kind() == syntax.Call && x.Child(syntax.FieldFunction).Text() == "len"
					return !found
				})
			}
			return !found
		})
	}
	return found
}

// allowsOne reports whether a statement ends the program or the function if there are several GPUs:
// assert len(gpus) == 1, if len(gpus) != 1: raise.
func allowsOne(info *names.Info, statement syntax.Node) bool {
	test, ends := statement.FirstChild(), names.Never
	switch statement.Kind() {
	case syntax.AssertStatement:
	case syntax.IfStatement:
		test, ends = statement.Child(syntax.FieldCondition), names.Always
		var last syntax.Node
		for last = range statement.Child(syntax.FieldConsequence).Children() {
		}
		if !last.Is(syntax.RaiseStatement, syntax.ReturnStatement) && !names.Exits(last) {
			return false
		}
	default:
		return false
	}
	for _, number := range []int{2, 8} { // few and many: len(gpus) == 2 allows several
		if WithGPUs(info, test, number) != ends {
			return false
		}
	}
	return true
}
