package budget

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// This file determines what happens to batches that are left over when the data ends.

// drops reports whether left-over batches are surely not applied: the number of batches is not
// chosen here, and nothing applies gradients after the loop.
func (a *accumulation) drops() bool {
	condition := a.every.Child(syntax.FieldCondition)
	both := false
	condition.Walk(func(n syntax.Node) bool {
		both = both || n.Kind() == syntax.BooleanOperator
		return !both
	})
	if both {
		return false
	}
	loop := a.loop
	if loop.Kind() == syntax.FunctionDefinition || !loop.Valid() {
		if loop = a.calledIn(); !loop.Valid() {
			return false
		}
	} else if a.info.ScopeOf(loop) != a.step {
		return false
	}
	if loop.Kind() != syntax.ForStatement || a.divided(loop.Child(syntax.FieldRight)) || loop.Child(syntax.FieldAlternative).Valid() || !a.openEnded(loop.Child(syntax.FieldRight)) {
		return false
	}
	if outer := loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition); outer.Is(syntax.ForStatement, syntax.WhileStatement) && !a.startsIn(outer) {
		return false // what is left over counts in the next iteration
	}
	for _, call := range a.info.Calls {
		// Other code that applies gradients may apply these.
		if _, ok := a.pairs(call); ok && call != a.apply && !a.through(call) {
			return false
		}
	}
	return true
}

// through reports whether a call is in the function that a.apply calls to apply the gradients.
func (a *accumulation) through(call syntax.Node) bool {
	f := a.info.Target(a.apply.Child(syntax.FieldFunction)).Function
	if f == nil || !call.Within(f.Body) {
		return false
	}
	// And nothing else calls that function.
	return !slices.ContainsFunc(a.info.Calls, func(c syntax.Node) bool {
		return c != a.apply && a.info.Target(c.Child(syntax.FieldFunction)).Function == f
	})
}

// calledIn returns the for loop around the only call of the step's function, or none.
func (a *accumulation) calledIn() syntax.Node {
	f := a.step.Function()
	var only syntax.Node
	for _, call := range a.info.Calls {
		if f != nil && a.info.Target(call.Child(syntax.FieldFunction)).Function == f {
			if only.Valid() {
				return syntax.Node{}
			}
			only = call
		}
	}
	if !only.Valid() {
		return only
	}
	return only.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
}

// openEnded reports whether a loop iterates over data whose number of batches is not written in the
// code.
func (a *accumulation) openEnded(over syntax.Node) bool {
	over = a.data(over)
	if !over.Is(syntax.Identifier, syntax.Attribute, syntax.Call) {
		return false
	}
	made := over
	for range 8 { // through the steps that made it
		if strings.Contains(made.Text(), "range(") {
			return false
		}
		for c := made; c.Kind() == syntax.Call; c = c.Child(syntax.FieldFunction).Child(syntax.FieldObject) {
			switch names.Method(c) {
			case "take", "repeat", "skip":
				return false
			}
		}
		next := a.info.DefiningExpr(made)
		if !next.Valid() || next == made {
			break
		}
		made = next
	}
	return true
}

// divided reports whether a loop iterates over as many batches as are applied together, or a
// multiple.
func (a *accumulation) divided(over syntax.Node) bool {
	every, ok := a.File.Facts().Number(a.modulo.Child(syntax.FieldRight), nil).Whole()
	if !ok || every < 1 {
		return false
	}
	made := a.info.DefiningExpr(a.data(over))
	return made.Kind() == syntax.Call && slices.ContainsFunc(a.File.Models().Datasets, func(d *graph.Dataset) bool {
		return d.Node == made && d.Count >= 0 && d.Count%every == 0
	})
}

// data returns what a loop iterates over, without wrappers that count it or show progress.
func (a *accumulation) data(over syntax.Node) syntax.Node {
	for range 3 {
		f := over.Child(syntax.FieldFunction)
		if over.Kind() == syntax.Call && (f.Text() == "enumerate" || strings.HasPrefix(a.info.Qualified(f), "tqdm.")) {
			over = names.Argument(over, 0, "iterable")
		}
	}
	return over
}

// startsIn reports whether the accumulator is created in every iteration of a loop.
func (a *accumulation) startsIn(loop syntax.Node) bool {
	found := false
	for _, b := range a.step.Bindings(a.accumulator) {
		if b.Node.Within(loop) && !b.Node.Within(a.loop) {
			found = true
		}
	}
	return found
}
