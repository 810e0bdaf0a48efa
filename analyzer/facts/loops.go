package facts

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// LoopsAround returns the loops that repeat an event, innermost first: its own, and those around it
// and around the calls that lead to it.
func LoopsAround(e *flow.Event) (loops []syntax.Node) {
	if !e.Loop.Valid() {
		return nil
	}
	steps := append(slices.Clone(e.Path), e.Node)
	for len(steps) > 1 && !steps[len(steps)-1].Within(e.Loop) {
		steps = steps[:len(steps)-1] // in a function that the loop calls
	}
	for _, at := range slices.Backward(steps) {
		if at.Within(e.Loop) {
			loops = []syntax.Node{e.Loop}
			at = e.Loop
		}
		for child, n := at, at.Parent(); n.Valid() && !n.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition); child, n = n, n.Parent() {
			comprehension := n.Is(syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression)
			if comprehension || n.Is(syntax.ForStatement, syntax.WhileStatement) && child.Field() == syntax.FieldBody {
				loops = append(loops, n)
			}
		}
	}
	return loops
}

// IsTarget reports whether an assignment gives a name or an attribute a value.
func IsTarget(n syntax.Node) bool {
	return n.Field() == syntax.FieldLeft && n.Parent().Kind() == syntax.Assignment
}

// Runs reports whether a loop calls a function of the program, itself or in one that it calls.
func (f *Facts) Runs(function *names.Function, loop syntax.Node) bool {
	seen, known := f.called[loop]
	if known || function == nil {
		return seen[function]
	}
	seen = map[*names.Function]bool{}
	f.called[loop] = seen
	for code := []syntax.Node{loop}; len(code) > 0; code = code[1:] {
		code[0].Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Call {
				if called := f.info.Target(n.Child(syntax.FieldFunction)).Function; called != nil && !seen[called] {
					seen[called] = true
					code = append(code, called.Node)
				}
			}
			return true
		})
	}
	return seen[function]
}

// Times returns how often loops that are around each other run the code in the innermost one, at most, if
// the code shows it, else 0.
func (f *Facts) Times(loops []syntax.Node) int {
	total := 1
	for _, loop := range loops {
		total = min(total*f.Iterations(loop, nil), many)
	}
	return total
}

// Iterations returns how many iterations a loop or comprehension has at most, or how often a library calls a
// function, if the code shows it, else 0.
func (f *Facts) Iterations(loop syntax.Node, in *origins.Call) int {
	defer f.info.Enter(loop).Leave()
	if loop.Is(syntax.FunctionDefinition, syntax.Lambda) {
		if r := f.RepeatOf(f.info.FunctionAt(loop)); r != nil {
			return r.Times
		}
		return 0
	}
	if !loop.Is(syntax.ForStatement, syntax.WhileStatement) {
		total := 1
		for c := range loop.Children() {
			if c.Kind() == syntax.ForInClause {
				total = min(total*f.Items(c.Child(syntax.FieldRight), in), many)
			}
		}
		return total
	}
	if names.IteratesOnce(loop) {
		return 1
	}
	n, until := f.whileCounting(loop, in), f.untilBreak(loop, in)
	if loop.Kind() == syntax.ForStatement {
		n = f.Items(loop.Child(syntax.FieldRight), in)
	}
	if n == 0 || until > 0 && until < n {
		return until
	}
	return n
}

// whileCounting returns how many iterations a loop has while a number that it increases by one is
// below a limit, or 0.
func (f *Facts) whileCounting(loop syntax.Node, in *origins.Call) int {
	condition := loop.Child(syntax.FieldCondition)
	counter, sign, limit := f.compared(condition, in)
	if !limit.Complete || names.GoesOn(loop.Child(syntax.FieldBody)) {
		return 0
	}
	first, ok := f.countsFrom(loop, condition, counter)
	switch most := int(math.Ceil(min(limit.High, many))); {
	case ok && sign == "<":
		return max(most-first, 0)
	case ok && sign == "<=":
		return max(most-first+1, 0)
	}
	return 0
}

// compared returns the parts of a comparison of a name with a number.
func (f *Facts) compared(condition syntax.Node, in *origins.Call) (name syntax.Node, sign string, number Numbers) {
	for condition.Kind() == syntax.ParenthesizedExpression {
		condition = condition.FirstChild()
	}
	if condition.Kind() != syntax.ComparisonOperator {
		return name, "", number
	}
	operands := slices.DeleteFunc(slices.Collect(condition.Children()), func(n syntax.Node) bool { return n.Kind() == syntax.Operator })
	if len(operands) != 2 || operands[0].Kind() != syntax.Identifier {
		return name, "", number
	}
	between := condition.Text()[operands[0].End()-condition.Start() : operands[1].Start()-condition.Start()]
	return operands[0], strings.TrimSpace(between), f.Number(operands[1], in)
}

// untilBreak returns after how many iterations a loop surely ends, because a statement of its body
// leaves it at a number that counts the iterations, or 0.
func (f *Facts) untilBreak(loop syntax.Node, in *origins.Call) int {
	for _, statement := range f.leaving(loop) {
		counter, sign, limit := f.compared(statement.Child(syntax.FieldCondition), in)
		if !limit.Complete {
			continue
		}
		first, ok := f.countsFrom(loop, statement, counter)
		if !ok {
			continue
		}
		last := int(math.Ceil(min(limit.High, many))) // the number at which it leaves
		switch sign {
		case ">":
			last++
		case ">=":
		case "==":
			if limit.Low < float64(first) {
				continue
			}
		default:
			continue
		}
		return max(last-first+1, 1)
	}
	return 0
}

// leaving returns the if statements of a loop's body that leave it, up to one after which what follows may
// never run. A loop is asked for each event in it, so its body is read once.
func (f *Facts) leaving(loop syntax.Node) []syntax.Node {
	if found, known := f.leave[loop]; known {
		return found
	}
	var found []syntax.Node
	for statement := range loop.Child(syntax.FieldBody).Children() {
		if names.GoesOn(statement) {
			break
		}
		if statement.Kind() == syntax.IfStatement {
			for n := range statement.Child(syntax.FieldConsequence).Children() {
				if n.Is(syntax.BreakStatement, syntax.ReturnStatement) {
					found = append(found, statement)
					break
				}
			}
		}
	}
	f.leave[loop] = found
	return found
}

// countsFrom returns the number that a name has in the first iteration of a loop, where a statement
// of its body reads it, if it surely is one more in each further iteration: the index of enumerate or
// range, or a name that the body increases by one.
func (f *Facts) countsFrom(loop, statement, counter syntax.Node) (first int, ok bool) {
	scope := f.info.Lookup(counter)
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
		kind := f.iterableKind(b.Value)
		if b.Node.Field() == syntax.FieldLeft {
			return 0, kind == "range" && !names.Argument(b.Value, 1, "stop").Valid()
		}
		pattern := b.Node.Parent()
		return 0, kind == "enumerate" && !names.Argument(b.Value, 1, "start").Valid() && pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == b.Node
	}
	increase := b.Node.Parent()
	if b.Kind != names.AugmentedBinding || len(before) != 1 || before[0].Kind != names.AssignBinding ||
		increase.Child(syntax.FieldOperator).Text() != "+=" || b.Value.Text() != "1" || increase.Parent().Parent() != loop.Child(syntax.FieldBody) {
		return 0, false
	}
	start, ok := f.Number(before[0].Value, nil).Whole()
	if first = int(start); increase.Start() < statement.Start() {
		first++
	}
	return first, ok
}
