package graph

import (
	"cmp"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"sort"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// writtenUpdate returns the call that subtracts a value computed from a gradient from a variable,
// in the function that creates a tape: an optimizer written by hand. It may also apply gradients
// with the optimizer that a model was compiled with. It is none if there is no such call.
func writtenUpdate(p *rule.Pass, tape syntax.Node) syntax.Node {
	info := p.File.Names()
	fn := info.ScopeOf(tape).Function()
	if fn != nil {
		info = fn.Info // it may be in another module
	}
	gradients := slices.DeleteFunc(flow.CallsWith(info, effects.TakesGradient), func(gradient syntax.Node) bool {
		of := p.File.Flow().TapeOf(gradient.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return of != nil && of.Call != tape // of another one
	})
	for _, call := range info.MethodCalls(func(name string) bool { return name == "assign_sub" || name == "apply_gradients" }) {
		if info.ScopeOf(call).Function() != fn {
			continue
		}
		if names.Method(call) == "apply_gradients" {
			optimizer := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			if optimizer.Child(syntax.FieldAttribute).Text() == "optimizer" && info.InstanceOf(optimizer.Child(syntax.FieldObject), "tensorflow.keras.Model") {
				return call
			}
			continue
		}
		for _, gradient := range gradients {
			if info.ScopeOf(gradient).Function() == fn && rule.DependsOn(info, call.Child(syntax.FieldArguments), gradient) {
				return call
			}
		}
	}
	return syntax.Node{}
}

// updateOfReturned is writtenUpdate for a function that returns its gradients: the call, in the loop
// that calls the function, that subtracts them.
func updateOfReturned(info *names.Info, tape *flow.Event) syntax.Node {
	fn := info.ScopeOf(tape.Node).Function()
	if fn == nil || len(tape.Path) == 0 {
		return syntax.Node{}
	}
	at := tape.Path[len(tape.Path)-1]
	if at.Kind() != syntax.Call || !at.Within(tape.Loop) {
		return syntax.Node{}
	}
	gradients := flow.CallsWith(fn.Info, effects.TakesGradient)
	returnsGradient := func(part int) bool {
		return len(fn.Returns) > 0 && !slices.ContainsFunc(fn.Returns, func(r syntax.Node) bool {
			if r.Is(syntax.Tuple, syntax.ExpressionList) && part >= 0 {
				r = names.Element(r, part)
			}
			made := fn.Info.DefiningExpr(r)
			return !slices.ContainsFunc(gradients, func(g syntax.Node) bool { return info.ScopeOf(g).Function() == fn && made == g })
		})
	}
	for _, call := range info.MethodCalls(func(name string) bool { return name == "assign_sub" }) {
		if !call.Within(tape.Loop) || info.ScopeOf(call) != info.ScopeOf(at) {
			continue
		}
		found := false
		call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier {
				for _, b := range info.ReachingDefs(n) {
					part := -1
					if len(b.Path) > 0 {
						part = b.Path[0]
					}
					found = found || b.Value == at && (b.Kind == names.AssignBinding || b.Kind == names.UnpackBinding) && returnsGradient(part)
				}
			}
			return !found
		})
		if found {
			return call
		}
	}
	return syntax.Node{}
}

// tapeBefore returns the tape, in the same loop, whose gradients are applied. A tape of the same
// function comes first, because a step may record others on the way. So does one that records
// another, such as that of a gradient penalty, but not the update.
func tapeBefore(info *names.Info, t *flow.Trace, apply *flow.Event) *flow.Event {
	tapes := t.Having(effects.StartsTape)
	before := sort.Search(len(tapes), func(i int) bool { return !tapes[i].MaybeBefore(apply) })
	var last, own *flow.Event
	for _, e := range slices.Backward(tapes[:before]) {
		if !eagerInLoop(e) || !sameIteration(info, e, apply) || own != nil && (!records(e, own.Node) || records(e, apply.Node)) {
			continue
		}
		if info.ScopeOf(e.Node).Function() == info.ScopeOf(apply.Node).Function() {
			own = e
		} else if last == nil {
			last = e
		}
	}
	return cmp.Or(own, last)
}

// records reports whether the with statement of a tape contains a node.
func records(tape *flow.Event, n syntax.Node) bool {
	return n.Within(tape.Node.Ancestor(syntax.WithStatement).Child(syntax.FieldBody))
}

// sameIteration reports whether the gradients are applied in the loop iteration in which the tape
// recorded: in that loop, in one that the step has for its updates, or after it, where the gradients of
// several iterations are added up for one update.
func sameIteration(info *names.Info, tape, apply *flow.Event) bool {
	if tape.Loop == apply.Loop || apply.Loop.Within(tape.Loop) {
		return true
	}
	if addedUp(info, tape, apply) {
		return true
	}
	return apply.Loop.Valid() && info.ScopeOf(apply.Loop).Function() == info.ScopeOf(tape.Node).Function() && !tape.Node.Within(apply.Loop)
}

// addedUp reports whether a tape is in a loop of the function that applies gradients after it: names
// that the loop binds, or what is made of a gradient in it.
func addedUp(info *names.Info, tape, apply *flow.Event) bool {
	fn := info.ScopeOf(apply.Node).Function()
	if fn == nil || !tape.Loop.Within(fn.Node) || tape.Loop.End() > apply.Node.Start() {
		return false
	}
	arguments, found := apply.Node.Child(syntax.FieldArguments), false
	arguments.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && slices.ContainsFunc(fn.Info.ReachingDefs(n), func(b *names.Binding) bool {
			return b.Node.Within(tape.Loop)
		})
		return !found
	})
	return found || slices.ContainsFunc(flow.CallsWith(fn.Info, effects.TakesGradient), func(gradient syntax.Node) bool {
		return gradient.Within(tape.Loop) && rule.DependsOn(fn.Info, arguments, gradient)
	})
}

// forwardNeeds returns what the forward pass that a tape records needs of Python. The tape is a
// call of GradientTape, or of the minimize that records a function.
func forwardNeeds(info *names.Info, tape syntax.Node) obstacles.Obstacles {
	recorded := recordedBy(info, tape)
	switch {
	case !recorded.Valid():
		return 0
	case rule.MinimizedLoss(info, tape).Valid():
		return obstacles.Of(info, recorded)
	}
	return obstacles.InTape(info, recorded)
}

// recordedBy returns the code that a tape, or the minimize that records a function, records, or
// none.
func recordedBy(info *names.Info, tape syntax.Node) syntax.Node {
	if loss := rule.MinimizedLoss(info, tape); loss.Valid() {
		return loss
	}
	return tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
}
