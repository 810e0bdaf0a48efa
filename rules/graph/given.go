package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// maxHanded bounds through how many functions an object is followed.
const maxHanded = 4

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
		if optimizer.Kind() != syntax.Identifier || len(b) != 1 || b[0].Kind != names.ParameterBinding || b[0].Scope.Func != step ||
			step.Class != nil && !step.IsStatic() && step.Params[0].Name == b[0].Name {
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
			if b.Kind == names.ParameterBinding && !isInstance(b) && slices.ContainsFunc(step.Info.Uses(b), hasVariables) && passesSeveral(info, step, b.Name) {
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
	g := given{program: info.Program(), made: map[syntax.Node]bool{}}
	g.passed(step, parameter, maxHanded)
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
	program []*names.Info
	made    map[syntax.Node]bool // where each is made, or the name that it has
	several bool                 // whether one of these places makes several objects, in a loop
}

func (g *given) passed(fn *names.Function, parameter string, depth int) {
	for _, module := range g.program {
		for _, call := range module.CallsOf(fn) {
			if argument := fn.Passed(call, parameter); argument.Valid() {
				g.from(module, argument, depth)
			}
		}
	}
}

func (g *given) from(info *names.Info, n syntax.Node, depth int) {
	defer info.Enter(n).Leave()
	made := info.DefiningExpr(n)
	if !made.Valid() {
		made = n
	}
	switch made.Kind() {
	case syntax.Identifier:
		for _, b := range info.ReachingDefs(made) {
			switch b.Kind {
			case names.ParameterBinding:
				if b.Scope.Func != nil && depth > 0 {
					g.passed(b.Scope.Func, b.Name, depth-1)
				}
			default:
				g.several = g.several || b.Kind == names.ForBinding || loopOf(b.Node).Valid()
				if b.Value.Kind() == syntax.Call && !b.Node.Ancestor(syntax.IfStatement, syntax.TryStatement).Valid() {
					g.made[b.Value] = true // the name is bound again later
				}
			}
		}
	case syntax.Subscript:
		g.several = g.several || !made.Child(syntax.FieldSubscript).Is(syntax.Integer, syntax.String)
	case syntax.Call:
		g.made[made] = true
		g.several = g.several || g.often(info, made, depth)
	}
}

// often reports whether code runs more than once: in a loop, or in a function that is called in one
// or from several places.
func (g *given) often(info *names.Info, n syntax.Node, depth int) bool {
	defer info.Enter(n).Leave()
	if loopOf(n).Valid() {
		return true
	}
	fn := info.ScopeOf(n).Function()
	if fn == nil || depth == 0 {
		return false
	}
	calls := 0
	for _, module := range g.program {
		for _, call := range module.CallsOf(fn) {
			if calls++; calls > 1 || g.often(module, call, depth-1) {
				return true
			}
		}
	}
	return false
}
