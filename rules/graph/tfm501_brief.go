package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// fewSteps is a number of steps that take less time than compiling one. Of fewScalarSteps that is
// true if they only train a few numbers: such a step takes about a millisecond.
const fewSteps, fewScalarSteps = 10, 500

// brief reports whether a tape's loop has few iterations, according to the code, and the program
// runs it from its own statements, and in no other loop.
func brief(info *names.Info, tape *flow.Event) bool {
	n := facts.Of(info).Iterations(tape.Loop, nil)
	return n > 0 && (n <= fewSteps || n <= fewScalarSteps && trainsScalars(info, tape)) && onlyLoop(info, tape)
}

// onlyLoop reports whether the program runs the loop of an event from its own statements, and in no
// other loop.
func onlyLoop(info *names.Info, e *flow.Event) bool {
	way := append(slices.Clone(e.Path), e.Node, e.Loop)
	for _, at := range way {
		for loop := at.Ancestor(syntax.ForStatement, syntax.WhileStatement); loop.Valid() && loop != e.Loop; loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement) {
			if !names.IteratesOnce(loop) {
				return false
			}
		}
	}
	return info.ScopeOf(way[0]).Function() == nil
}

// trainsScalars reports whether the loop, or the function with the tape that it calls, asks only for
// gradients of variables that are surely a few numbers each.
func trainsScalars(info *names.Info, tape *flow.Event) bool {
	around := tape.Loop
	if !tape.Node.Within(around) {
		step := info.ScopeOf(tape.Node).Function()
		if step == nil || step.Info != info {
			return false
		}
		around = step.Node
	}
	asked := false
	for _, call := range flow.CallsWith(info, effects.TakesGradient|effects.AppliesGradients) {
		sources := names.Argument(call, 1, "sources")
		if rule.MinimizedLoss(info, call).Valid() {
			sources = names.Argument(call, 1, "var_list")
		} else if effects.Lookup(info.Callee(call)).Effects.Has(effects.AppliesGradients) {
			continue
		}
		if !call.Within(around) {
			continue
		}
		if asked = true; !sources.Valid() || !rule.FewNumbers(info, sources) {
			return false
		}
	}
	return asked
}

// meant reports whether code is under a condition about eager execution or debugging.
func meant(tape *flow.Event) bool {
	for _, n := range append(slices.Clone(tape.Path), tape.Node) {
		for a := n.Parent(); a.Valid(); a = a.Parent() {
			if !a.Is(syntax.IfStatement, syntax.ElifClause) {
				continue
			}
			condition := strings.ToLower(a.Child(syntax.FieldCondition).Text())
			if strings.Contains(condition, "eager") || strings.Contains(condition, "debug") {
				return true
			}
		}
	}
	return false
}

// onCPU reports whether the innermost tf.device around a tape, in the order of calls, names the
// CPU. No GPU memory is concerned then.
func onCPU(info *names.Info, tape *flow.Event) bool {
	for _, n := range slices.Backward(append(slices.Clone(tape.Path), tape.Node)) {
		of := info
		if f := info.ScopeOf(n).Function(); f != nil {
			of = f.Info // it may be in another module
		}
		for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
			if device := deviceOf(of, with); device.Valid() {
				name, _ := names.StringValue(of.DefiningExpr(names.Argument(device, 0, "device_name")))
				return strings.Contains(strings.ToUpper(name), "CPU")
			}
		}
	}
	return false
}

// deviceOf returns the last call in the head of a with statement that sets the device of its body,
// or none.
func deviceOf(info *names.Info, with syntax.Node) (device syntax.Node) {
	for c := range with.Children() {
		if c.Field() == syntax.FieldBody {
			break
		}
		c.Walk(func(n syntax.Node) bool {
			if e := effects.Lookup(info.Callee(n)); n.Kind() == syntax.Call && e != nil && e.Effects.Has(effects.SelectsDevice) {
				device = n
			}
			return true
		})
	}
	return device
}

// loaded reports whether a tape records a call of an object from tf.saved_model.load, whose
// functions are compiled.
func loaded(info *names.Info, tape syntax.Node) bool {
	body := tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
	if !body.Valid() {
		return false
	}
	found := false
	body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			object := n.Child(syntax.FieldFunction)
			for object.Kind() == syntax.Attribute {
				object = object.Child(syntax.FieldObject)
			}
			if object.Kind() == syntax.Identifier {
				for _, b := range info.ReachingDefs(object) {
					found = found || b.Value.Kind() == syntax.Call && info.Callee(b.Value) == "tensorflow.saved_model.load"
				}
			}
		}
		return !found
	})
	return found
}

// callsFit returns the method with its own loop that a step calls on a Keras object, or "".
// TensorFlow raises an error if fit, evaluate or predict, or one of them for a batch, is compiled.
func callsFit(info *names.Info, body syntax.Node) string {
	name := ""
	body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			function := n.Child(syntax.FieldFunction)
			switch method := function.Child(syntax.FieldAttribute).Text(); method {
			case "predict", "evaluate", "fit", "train_on_batch", "test_on_batch", "predict_on_batch":
				if info.Target(function).Function == nil {
					name = method
				}
			}
		}
		return name == ""
	})
	return name
}
