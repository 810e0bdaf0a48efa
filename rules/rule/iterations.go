package rule

import (
	"slices"
	"strconv"
	"strings"

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
	n, most := IterationsOf(info, iterable), untilBreak(info, loop)
	if n == 0 || most > 0 && most < n {
		return most
	}
	return n
}

// untilBreak returns after how many iterations a loop surely ends, because a statement of its body
// leaves it at a number that counts the iterations, or 0.
func untilBreak(info *names.Info, loop syntax.Node) int {
	for statement := range loop.Child(syntax.FieldBody).Children() {
		if goesOn(statement) {
			return 0 // what follows may never run
		}
		if statement.Kind() != syntax.IfStatement {
			continue
		}
		leaves := false
		for n := range statement.Child(syntax.FieldConsequence).Children() {
			leaves = leaves || n.Is(syntax.BreakStatement, syntax.ReturnStatement)
		}
		condition := statement.Child(syntax.FieldCondition)
		for condition.Kind() == syntax.ParenthesizedExpression {
			condition = condition.FirstChild()
		}
		if !leaves || condition.Kind() != syntax.ComparisonOperator {
			continue
		}
		operands := slices.DeleteFunc(slices.Collect(condition.Children()), func(n syntax.Node) bool { return n.Kind() == syntax.Operator })
		if len(operands) != 2 || operands[0].Kind() != syntax.Identifier || operands[1].Kind() != syntax.Integer {
			continue
		}
		counter, limit := operands[0], operands[1]
		first, ok := countsFrom(info, loop, statement, counter)
		if !ok {
			continue
		}
		last, _ := strconv.Atoi(limit.Text()) // the number at which it leaves
		switch strings.TrimSuffix(comparison(condition), limit.Text()) {
		case ">":
			last++
		case ">=":
		case "==":
			if last < first {
				continue
			}
		default:
			continue
		}
		return max(last-first+1, 1)
	}
	return 0
}

// goesOn reports whether a statement may go on with the next iteration of its loop.
func goesOn(statement syntax.Node) bool {
	found := false
	statement.Walk(func(n syntax.Node) bool {
		if n.Is(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.ClassDefinition) {
			return false
		}
		found = found || n.Kind() == syntax.ContinueStatement
		return !found
	})
	return found
}

// countsFrom returns the number that a name has in the first iteration of a loop, where a statement
// of its body reads it, if it surely is one more in each further iteration: the index of enumerate or
// range, or a name that the body increases by one.
func countsFrom(info *names.Info, loop, statement, counter syntax.Node) (first int, ok bool) {
	scope := info.Lookup(counter)
	if scope == nil {
		return 0, false
	}
	var before, inLoop []*names.Binding
	for _, b := range scope.Bindings(counter.Text()) {
		if b.Node.Within(loop) {
			inLoop = append(inLoop, b)
		} else {
			before = append(before, b)
		}
	}
	if len(inLoop) != 1 {
		return 0, false
	}
	b := inLoop[0]
	if b.Kind == names.ForBinding && b.Value == loop.Child(syntax.FieldRight) {
		if b.Node.Field() == syntax.FieldLeft {
			return 0, Builtin(info, b.Value, "range") && !names.Argument(b.Value, 1, "stop").Valid()
		}
		pattern := b.Node.Parent()
		return 0, Builtin(info, b.Value, "enumerate") && !names.Argument(b.Value, 1, "start").Valid() &&
			pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == b.Node
	}
	increase := b.Node.Parent()
	if b.Kind != names.AugmentedBinding || len(before) != 1 || before[0].Kind != names.AssignBinding || before[0].Value.Kind() != syntax.Integer ||
		increase.Child(syntax.FieldOperator).Text() != "+=" || b.Value.Text() != "1" || increase.Parent().Parent() != loop.Child(syntax.FieldBody) {
		return 0, false
	}
	first, _ = strconv.Atoi(before[0].Value.Text())
	if increase.Start() < statement.Start() {
		first++
	}
	return first, true
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
	if values := searched(info, iterable); values.Valid() {
		return IterationsOf(info, values)
	}
	if n := foldsOf(info, iterable); n > 0 {
		return n
	}
	if iterable.Kind() == syntax.Call && Builtin(info, iterable, "range") {
		return RangeLength(info, iterable)
	}
	return 0
}

// searched returns the list of values that TensorBoard's HParams goes through, as in
// hp.HParam("units", hp.Discrete([16, 32])).domain.values, or none.
func searched(info *names.Info, values syntax.Node) syntax.Node {
	domain := values.Child(syntax.FieldObject)
	if values.Child(syntax.FieldAttribute).Text() != "values" || domain.Child(syntax.FieldAttribute).Text() != "domain" {
		return syntax.Node{}
	}
	made := info.DefiningExpr(domain.Child(syntax.FieldObject))
	discrete := info.DefiningExpr(names.Argument(made, 1, "domain"))
	if info.Callee(made) != "tensorboard.plugins.hparams.api.HParam" || info.Callee(discrete) != "tensorboard.plugins.hparams.api.Discrete" {
		return syntax.Node{}
	}
	return names.Argument(discrete, 0, "values")
}

// foldsOf returns how many folds a split of sklearn's cross-validation has, as in
// KFold(n_splits=5).split(x), or 0 if the code does not show it.
func foldsOf(info *names.Info, split syntax.Node) int {
	function := split.Child(syntax.FieldFunction)
	if function.Child(syntax.FieldAttribute).Text() != "split" {
		return 0
	}
	made := info.DefiningExpr(function.Child(syntax.FieldObject))
	class, ok := strings.CutPrefix(info.Callee(made), "sklearn.model_selection.")
	if !ok || !slices.Contains(splitters, class) {
		return 0
	}
	return constant(info, names.Argument(made, 0, "n_splits"))
}

// splitters are the classes of sklearn whose first argument is the number of splits.
var splitters = []string{"KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "TimeSeriesSplit", "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit"}

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
