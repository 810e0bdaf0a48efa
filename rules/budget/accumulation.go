package budget

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// accumulation is a step that accumulates gradients.
type accumulation struct {
	*rule.Pass
	info     *names.Info
	step     *names.Scope
	gradient syntax.Node // the call that computes them

	added       syntax.Node // what is added: an element of the gradients, unchanged or divided
	accumulator string      // the name of the list it is added to
	apply       syntax.Node // the call that applies the gradients
	applied     syntax.Node // the accumulator in it; none if something is computed from it first
	every       syntax.Node // the if statement around it
	modulo      syntax.Node // count % n, in its condition
	loop        syntax.Node // the for loop of batches
}

// find finds what adds and what applies, in the code of the same function.
func (a *accumulation) find() bool {
	assigned := a.gradient.Parent()
	named := assigned.Kind() == syntax.Assignment && assigned.Child(syntax.FieldLeft).Kind() == syntax.Identifier
	loop := a.gradient.Ancestor(syntax.ForStatement, syntax.ForInClause, syntax.Block)
	if !named && !(loop.Is(syntax.ForStatement, syntax.ForInClause) && a.gradient.Within(loop.Child(syntax.FieldRight))) {
		return false
	}
	a.findAdded()
	return a.added.Valid() && a.findApply()
}

// statementOf returns the statement that contains an expression.
func statementOf(n syntax.Node) syntax.Node {
	for n.Parent().Valid() && !n.Parent().Is(syntax.Block) && n.Kind() != syntax.ExpressionStatement {
		n = n.Parent()
	}
	return n
}

// findAdded finds the statement that adds the gradients, as the tape returned them, to an
// accumulator.
func (a *accumulation) findAdded() {
	for s := range a.statements() {
		s.Walk(func(n syntax.Node) bool {
			if a.added.Valid() || n.Kind() == syntax.FunctionDefinition && n != a.step.Node {
				return false
			}
			if !flow.Before(a.gradient, n) {
				return true
			}
			var to, value syntax.Node
			switch n.Kind() {
			case syntax.Call: // total.assign_add(g), accumulated[i].assign_add(gradients[i])
				if names.Method(n) == "assign_add" {
					to, value = n.Child(syntax.FieldFunction).Child(syntax.FieldObject), names.Argument(n, 0, "delta")
				}
			case syntax.AugmentedAssignment: // accumulated[i] += g
				if n.Child(syntax.FieldOperator).Text() == "+=" && n.Child(syntax.FieldLeft).Kind() == syntax.Subscript {
					to, value = n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
				}
			case syntax.ListComprehension: // accumulated = [total + g for …]
				sum, assigned := n.Child(syntax.FieldBody), n.Parent()
				if x, y, ok := a.sum(sum); ok && assigned.Kind() == syntax.Assignment {
					to, value = x, y
					if list, _ := a.listOf(to); list.Text() != assigned.Child(syntax.FieldLeft).Text() {
						to, value = value, to
					}
				}
			case syntax.Assignment: // accumulated[i] = accumulated[i] + g
				left, sum := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
				if left.Kind() == syntax.Subscript && sum.Kind() == syntax.BinaryOperator && sum.Child(syntax.FieldOperator).Text() == "+" && sum.Child(syntax.FieldLeft).Text() == left.Text() {
					to, value = left, sum.Child(syntax.FieldRight)
				}
			}
			if !to.Valid() || !value.Valid() {
				return true
			}
			of := value
			if of.Kind() == syntax.BinaryOperator {
				of = of.Child(syntax.FieldLeft)
			}
			list, ok := a.listOf(of)
			into, known := a.listOf(to)
			if ok && known && a.isGradient(list) && into.Text() != list.Text() {
				a.added, a.accumulator = value, into.Text()
			}
			return true
		})
	}
}

// sum returns what an expression adds: x + y, or tf.add(x, y).
func (a *accumulation) sum(n syntax.Node) (x, y syntax.Node, ok bool) {
	switch {
	case n.Kind() == syntax.BinaryOperator:
		return n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight), n.Child(syntax.FieldOperator).Text() == "+"
	case n.Kind() == syntax.Call && slices.Contains(adds, a.info.Callee(n)):
		x, y = names.Argument(n, 0, "x"), names.Argument(n, 1, "y")
	}
	return x, y, x.Valid() && y.Valid()
}

// adds are the functions that add two tensors.
var adds = []string{"tensorflow.add", "tensorflow.math.add", "operator.add", "tensorflow.keras.ops.add"}

// statements iterates over the statements of the step: of its function, or of the module.
func (a *accumulation) statements() func(func(syntax.Node) bool) {
	if f := a.step.Function(); f != nil {
		return func(yield func(syntax.Node) bool) { yield(f.Body) }
	}
	return a.File.Tree.Statements()
}

// isGradient reports whether a list is what the tape returned, unchanged.
func (a *accumulation) isGradient(list syntax.Node) bool {
	if list.Kind() != syntax.Identifier {
		return list == a.gradient
	}
	bindings := a.info.ReachingDefs(list)
	return len(bindings) == 1 && bindings[0].Value == a.gradient
}

// listOf returns the list that an expression is an element of: by its index, or because a loop over
// it, or over several lists zipped with it, binds the element.
func (a *accumulation) listOf(n syntax.Node) (syntax.Node, bool) {
	switch n.Kind() {
	case syntax.Subscript:
		list := n.Child(syntax.FieldValue)
		return list, list.Is(syntax.Identifier, syntax.Attribute)
	case syntax.Identifier:
		bindings := a.info.ReachingDefs(n)
		if len(bindings) != 1 || !bindings[0].Value.Valid() || !bindings[0].Value.Parent().Is(syntax.ForStatement, syntax.ForInClause) {
			return syntax.Node{}, false
		}
		over := bindings[0].Value
		path, ok := pathTo(over.Parent().Child(syntax.FieldLeft), bindings[0].Node)
		if !ok {
			return syntax.Node{}, false
		}
		if over.Kind() != syntax.Call {
			return over, len(path) == 0
		}
		f := over.Child(syntax.FieldFunction)
		for f.Text() == "enumerate" && a.info.Lookup(f) == nil && len(path) > 0 && path[0] == 1 {
			over, path = names.Argument(over, 0, "iterable"), path[1:]
			if f = over.Child(syntax.FieldFunction); !f.Valid() {
				return over, len(path) == 0
			}
		}
		if f.Text() == "zip" && a.info.Lookup(f) == nil && len(path) == 1 {
			list := names.Element(over.Child(syntax.FieldArguments), path[0])
			return list, list == a.gradient || list.Is(syntax.Identifier, syntax.Attribute)
		}
	}
	return syntax.Node{}, false
}

// pathTo returns the position of a name in the pattern of a loop: an index per level.
func pathTo(pattern, name syntax.Node) ([]int, bool) {
	if pattern == name {
		return nil, true
	}
	if !pattern.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) {
		return nil, false
	}
	i := 0
	for c := range pattern.Children() {
		if rest, ok := pathTo(c, name); ok {
			return append([]int{i}, rest...), true
		}
		if c.Kind() == syntax.ListSplatPattern {
			return nil, false
		}
		i++
	}
	return nil, false
}

// findApply finds the call that applies the accumulator every few iterations.
func (a *accumulation) findApply() bool {
	for _, call := range a.info.Calls {
		if a.info.ScopeOf(call) != a.step || !rule.Fixable(call) {
			continue
		}
		list, ok := a.appliedBy(call)
		if !ok || !flow.Before(a.added, call) && !(list.Text() == a.accumulator && a.atHead(call)) {
			continue
		}
		every := call.Ancestor(syntax.IfStatement, syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
		if every.Kind() != syntax.IfStatement || !call.Within(every.Child(syntax.FieldConsequence)) || every.Child(syntax.FieldAlternative).Valid() {
			return false
		}
		every.Child(syntax.FieldCondition).Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.BinaryOperator && n.Child(syntax.FieldOperator).Text() == "%" {
				a.modulo = n
			}
			return !a.modulo.Valid()
		})
		a.every, a.apply = every, call
		if list.Text() == a.accumulator {
			a.applied = list
		}
		a.loop = every.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
		return a.modulo.Valid() && (a.applied.Valid() || a.mentions(call))
	}
	return false
}

// atHead reports whether a call precedes the addition in the body of the same loop, and applies
// what earlier iterations have added.
func (a *accumulation) atHead(call syntax.Node) bool {
	loop := call.Ancestor(syntax.ForStatement, syntax.WhileStatement)
	return loop.Valid() && a.added.Within(loop.Child(syntax.FieldBody)) && flow.Before(call, a.added)
}

// mentions reports whether a call's arguments contain the accumulator.
func (a *accumulation) mentions(call syntax.Node) bool {
	found := false
	call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
		found = found || n.Text() == a.accumulator
		return !found
	})
	return found
}

// appliedBy returns the list of gradients that a call applies, itself or through a function of the
// program that does nothing else with them.
func (a *accumulation) appliedBy(call syntax.Node) (list syntax.Node, ok bool) {
	if list, ok := a.pairs(call); ok {
		return list, true
	}
	f := a.info.Target(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Info != a.info || f.Class != nil {
		return list, false
	}
	for _, inner := range a.info.Calls {
		if !inner.Within(f.Body) {
			continue
		}
		if list, ok := a.pairs(inner); ok {
			i := slices.IndexFunc(f.Params, func(p names.Parameter) bool { return p.Name == list.Text() })
			if i < 0 {
				return syntax.Node{}, false
			}
			return names.Argument(call, i, list.Text()), true
		}
	}
	return list, false
}

// pairs returns the first of the lists in optimizer.apply_gradients(zip(gradients, variables)), or
// the first argument of optimizer.apply.
func (a *accumulation) pairs(call syntax.Node) (syntax.Node, bool) {
	if !call.Child(syntax.FieldArguments).Valid() {
		return syntax.Node{}, false
	}
	e := effects.Lookup(a.info.Callee(call))
	if names.Method(call) != "apply_gradients" && (e == nil || !e.Effects.Has(effects.AppliesGradients) || names.Method(call) != "apply") {
		return syntax.Node{}, false
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	if f := first.Child(syntax.FieldFunction); first.Kind() == syntax.Call && f.Text() == "zip" {
		first = names.Element(first.Child(syntax.FieldArguments), 0)
	}
	return first, first.Valid()
}
