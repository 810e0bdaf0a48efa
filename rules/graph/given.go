package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// severalOptimizers reports whether a step applies gradients with an optimizer that it is given, and
// the program gives it several. An optimizer makes its variables when it is first used. A
// tf.function allows that only in its first call ("only supports singleton tf.Variables created on
// the first call", tensorflow/python/eager/polymorphic_function/polymorphic_function.py).
func severalOptimizers(info *names.Info, step *names.Function) bool {
	applies := func(method string) bool {
		return method == "apply_gradients" || method == "minimize" || method == "apply"
	}
	return slices.ContainsFunc(step.Info.MethodCalls(applies), func(call syntax.Node) bool {
		if step.Info.ScopeOf(call).Function() != step {
			return false
		}
		optimizer := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		if optimizer.Kind() == syntax.Attribute {
			optimizer = optimizer.Child(syntax.FieldObject) // the model that has it
		}
		b := step.Info.ReachingDefs(optimizer)
		if optimizer.Kind() != syntax.Identifier || len(b) != 1 || b[0].Kind != names.ParameterBinding || b[0].Scope.Func != step || b[0].IsInstance() {
			return false // one that stands in the module, or each object's own
		}
		return passesSeveral(info, step, b[0].Name)
	})
}

// severalObjects returns a parameter for which the program passes several models, layers or metrics,
// or "". They are what the step calls, or whose variables it reads.
func severalObjects(info *names.Info, step *names.Function) string {
	for _, parameter := range step.Params {
		for _, b := range step.Scope.Bindings(parameter.Name) {
			if b.Kind == names.ParameterBinding && !b.IsInstance() && slices.ContainsFunc(step.Info.Uses(b), hasVariables) && passesSeveral(info, step, b.Name) {
				return b.Name
			}
		}
	}
	return ""
}

// hasVariables reports whether a use shows that an object is a model, a layer or a metric.
func hasVariables(use syntax.Node) bool {
	switch use.Parent().Child(syntax.FieldAttribute).Text() {
	case "trainable_variables", "trainable_weights", "variables", "weights", "update_state":
		return use.Field() == syntax.FieldObject
	}
	return use.Field() == syntax.FieldFunction
}

func passesSeveral(info *names.Info, step *names.Function, parameter string) bool {
	g := given{info: info, known: facts.Of(info), made: map[syntax.Node]bool{}, asked: map[*names.Function]bool{}}
	for _, module := range info.Program() {
		for _, call := range module.CallsOf(step) {
			if argument := step.Passed(call, parameter); argument.Valid() {
				g.from(argument)
			}
		}
	}
	return g.several || len(g.made) > 1
}

// gated reports whether a step applies gradients under a condition. A call that applies none makes
// no variables of the optimizer.
func gated(step *names.Function, apply *flow.Event) bool {
	return slices.ContainsFunc(append(slices.Clone(apply.Path), apply.Node), func(n syntax.Node) bool {
		return n.Ancestor(syntax.IfStatement).Within(step.Node)
	})
}

// A given collects the objects that calls pass for a parameter.
type given struct {
	info    *names.Info
	known   *facts.Facts
	made    map[syntax.Node]bool // where each is made
	several bool                 // whether one of these places makes several objects, in a loop
	asked   map[*names.Function]bool
}

// from collects the objects of an argument. A name with several values may be bound again in the course
// of the program; that it may have one or the other by a condition does not count.
func (g *given) from(argument syntax.Node) {
	for _, origin := range g.known.Until(argument, nil, func(p origins.Place) bool {
		return p.Node.Is(syntax.Call, syntax.Subscript) || len(g.info.ReachingDefs(p.Node)) > 1
	}) {
		switch made := origin.Node; made.Kind() {
		case syntax.Identifier:
			for _, b := range g.info.ReachingDefs(made) {
				if b.Kind == names.ParameterBinding {
					continue
				}
				g.several = g.several || b.Kind == names.ForBinding || facts.LoopOf(b.Node).Valid()
				if b.Value.Kind() == syntax.Call && !b.Node.Ancestor(syntax.IfStatement, syntax.TryStatement).Valid() {
					g.made[b.Value] = true // the name is bound again later
				}
			}
		case syntax.Subscript:
			g.several = g.several || !made.Child(syntax.FieldSubscript).Is(syntax.Integer, syntax.String)
		case syntax.Call:
			g.made[made] = true
			g.several = g.several || g.often(made)
		}
	}
}

// often reports whether code runs more than once: in a loop, or in a function that is called in one
// or from several places.
func (g *given) often(n syntax.Node) bool {
	defer g.info.Enter(n).Leave()
	fn := g.info.ScopeOf(n).Function()
	if facts.LoopOf(n).Valid() || fn == nil || g.asked[fn] {
		return facts.LoopOf(n).Valid()
	}
	g.asked[fn] = true
	calls := 0
	for _, module := range g.info.Program() {
		for _, call := range module.CallsOf(fn) {
			if calls++; calls > 1 || g.often(call) {
				return true
			}
		}
	}
	return false
}
