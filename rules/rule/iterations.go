package rule

import (
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IterationsIn returns the number of iterations of a loop or comprehension if the code shows it, else 0.
func IterationsIn(info *names.Info, loop syntax.Node) int {
	if loop.Kind() != syntax.ForStatement && loop.Kind() != syntax.WhileStatement {
		clauses := 0
		comprehension := loop
		for c := range comprehension.Children() {
			if c.Is(syntax.ForInClause, syntax.IfClause) {
				loop, clauses = c, clauses+1
			}
		}
		if clauses != 1 {
			return 0
		}
	}
	iterable := loop.Child(syntax.FieldRight)
	return IterationsOf(info, iterable)
}

// IterationsOf returns how many items an iterable has, or 0.
func IterationsOf(info *names.Info, iterable syntax.Node) int {
	iterable = items(info, iterable)
	if iterable.Kind() == syntax.Identifier {
		// A list that is bound to one name once and never changed.
		bindings := info.ReachingDefs(iterable)
		if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || len(bindings[0].Scope.Bindings(iterable.Text())) != 1 ||
			len(info.Uses(bindings[0])) != 1 && slices.ContainsFunc(info.Uses(bindings[0]), func(use syntax.Node) bool { return !onlyRead(info, use) }) {
			return 0
		}
		iterable = items(info, bindings[0].Value)
	}
	if iterable.Is(syntax.List, syntax.Tuple) {
		n := 0
		for c := range iterable.Children() {
			switch c.Kind() {
			case syntax.Comment:
			case syntax.ListSplat:
				return 0
			default:
				n++
			}
		}
		return n
	}
	if iterable.Kind() == syntax.Call && Builtin(info, iterable, "range") {
		return RangeLength(info, iterable)
	}
	return 0
}

// sameLength are the builtins that yield as many items as their argument has.
var sameLength = []string{"enumerate", "reversed", "list", "tuple", "sorted"}

// items returns the iterable whose items another one yields, one for one.
func items(info *names.Info, iterable syntax.Node) syntax.Node {
	for iterable.Kind() == syntax.Call && slices.ContainsFunc(sameLength, func(name string) bool { return Builtin(info, iterable, name) }) {
		iterable = names.Argument(iterable, 0, "iterable")
	}
	return iterable
}

// onlyRead reports whether the code that uses a list surely leaves its length as it is: it iterates
// over the list, asks for its length or takes an item of it.
func onlyRead(info *names.Info, use syntax.Node) bool {
	switch parent := use.Parent(); parent.Kind() {
	case syntax.ForStatement, syntax.ForInClause:
		return use.Field() == syntax.FieldRight
	case syntax.Subscript:
		return use.Field() == syntax.FieldValue && !parent.Parent().Is(syntax.DeleteStatement, syntax.Assignment, syntax.AugmentedAssignment)
	case syntax.ArgumentList:
		call := parent.Parent()
		return Builtin(info, call, "len") || Builtin(info, call, "zip") || Builtin(info, call, "print") ||
			slices.ContainsFunc(sameLength, func(name string) bool { return Builtin(info, call, name) })
	}
	return false
}

// RangeLength returns how many numbers a range of constants has, or 0.
func RangeLength(info *names.Info, call syntax.Node) int {
	first, second := names.Argument(call, 0, "start"), names.Argument(call, 1, "stop")
	if names.Argument(call, 2, "step").Valid() {
		return 0
	}
	from, to := 0, constant(info, first)
	if second.Valid() {
		from, to = to, constant(info, second)
		if from == 0 && first.Text() != "0" {
			return 0
		}
	}
	return max(to-from, 0)
}

// constant returns the number that a node stands for, or a name that is bound once, or 0.
func constant(info *names.Info, n syntax.Node) int {
	if n.Kind() == syntax.Identifier {
		if b := info.ReachingDefs(n); len(b) == 1 && b[0].Kind == names.AssignBinding {
			n = b[0].Value
		}
	}
	if n.Kind() != syntax.Integer {
		return 0
	}
	v, _ := strconv.Atoi(n.Text())
	return v
}
