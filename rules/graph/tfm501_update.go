package graph

import (
	"cmp"
	"slices"
	"sort"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// writtenUpdate returns the call that subtracts what is computed from a gradient of a tape from a variable,
// in the function that creates the tape, or in the loop that calls it: an optimizer written by hand. It
// may also apply gradients with the optimizer that a model was compiled with. It is none if there is no
// such call.
func writtenUpdate(p *rule.Pass, tape *flow.Event) syntax.Node {
	info := p.File.Names()
	fn := info.ScopeOf(tape.Node).Function()
	modules := []*names.Info{info}
	if fn != nil && fn.Info != info {
		modules = append(modules, fn.Info)
	}
	ofTape := func(gradient syntax.Node) bool {
		of := p.File.Flow().TapeOf(gradient.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return info.ScopeOf(gradient).Function() == fn && (of == nil || of.Call == tape.Node)
	}
	for _, module := range modules {
		for _, call := range module.MethodCalls(func(name string) bool { return name == "assign_sub" || name == "apply_gradients" }) {
			calls := len(tape.Path) > 0 && call.Within(tape.Loop) && info.ScopeOf(call) == info.ScopeOf(tape.Path[len(tape.Path)-1])
			if info.ScopeOf(call).Function() != fn && !calls {
				continue
			}
			if names.Method(call) == "apply_gradients" {
				optimizer := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
				if !calls && optimizer.Child(syntax.FieldAttribute).Text() == "optimizer" && module.InstanceOf(optimizer.Child(syntax.FieldObject), "tensorflow.keras.Model") {
					return call
				}
			} else if slices.ContainsFunc(flow.CallsWith(modules[len(modules)-1], effects.TakesGradient), func(gradient syntax.Node) bool {
				return ofTape(gradient) && facts.Of(info).DependsOn(call.Child(syntax.FieldArguments), gradient)
			}) {
				return call
			}
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
	return tape.Loop == apply.Loop || apply.Loop.Within(tape.Loop) || addedUp(info, tape, apply) ||
		apply.Loop.Valid() && info.ScopeOf(apply.Loop).Function() == info.ScopeOf(tape.Node).Function() && !tape.Node.Within(apply.Loop)
}

// addedUp reports whether a tape is in a loop of the function that applies gradients after it: names
// that the loop binds, or what is made of a gradient in it.
func addedUp(info *names.Info, tape, apply *flow.Event) bool {
	fn := info.ScopeOf(apply.Node).Function()
	if fn == nil || !tape.Loop.Within(fn.Node) || tape.Loop.End() > apply.Node.Start() {
		return false
	}
	arguments := apply.Node.Child(syntax.FieldArguments)
	return slices.ContainsFunc(facts.Reads(arguments), func(n syntax.Node) bool {
		return slices.ContainsFunc(fn.Info.ReachingDefs(n), func(b *names.Binding) bool { return b.Node.Within(tape.Loop) })
	}) || slices.ContainsFunc(flow.CallsWith(fn.Info, effects.TakesGradient), func(gradient syntax.Node) bool {
		return gradient.Within(tape.Loop) && facts.Of(fn.Info).DependsOn(arguments, gradient)
	})
}

// recordedBy returns the code that a tape, or the minimize that records a function, records, or
// none.
func recordedBy(info *names.Info, tape syntax.Node) syntax.Node {
	if loss := rule.MinimizedLoss(info, tape); loss.Valid() {
		return loss
	}
	return tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
}
