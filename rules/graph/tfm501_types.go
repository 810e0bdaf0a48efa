package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// castFirst says which parameters of a step are, or may be, NumPy arrays of float64 that meet other
// types, or returns "". In eager execution an operator casts them, but tf.function makes float64 tensors
// of them.
func castFirst(p *rule.Pass, step *names.Function, apply *flow.Event) string {
	info, known := p.File.Names(), p.File.Facts()
	if slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsTo(func(name string) bool { return strings.HasSuffix(name, ".set_floatx") }), func(call syntax.Node) bool {
			return facts.Of(module).NamedDType(names.Argument(call, 0, "value")) == "float64"
		})
	}) {
		return "" // Keras's own numbers are float64
	}
	calls := append(slices.Clone(info.CallsOf(step)), callOf(step, apply)...)
	var surely, perhaps []string
	for _, parameter := range step.Params {
		doubles, may := false, false
		for _, call := range calls {
			given := step.Passed(call, parameter.Name)
			kinds := known.Kinds(given, nil)
			if !kinds.May(facts.Array | facts.FromCaller) {
				continue
			}
			dtype := known.DType(given, nil)
			doubles = doubles || kinds.Surely(facts.Array) && dtype == "float64"
			may = may || dtype == "" || dtype == "float64"
		}
		if !may || !meetsOthers(step, parameter.Name) {
			continue
		}
		if doubles {
			surely = append(surely, parameter.Name)
		} else {
			perhaps = append(perhaps, parameter.Name)
		}
	}
	switch {
	case len(surely) > 0:
		return fmt.Sprintf("Cast %s, NumPy's float64, to float32.", strings.Join(surely, " and "))
	case len(perhaps) > 0:
		return fmt.Sprintf("Cast %s to float32 if they are arrays of NumPy, whose float64 a tf.function keeps.", strings.Join(perhaps, " and "))
	}
	return ""
}

// callOf returns the call by which the program comes to the step of an event. It may be that of a
// method of an object that the code is given.
func callOf(step *names.Function, e *flow.Event) []syntax.Node {
	way := append(slices.Clone(e.Path), e.Node)
	i := slices.IndexFunc(way, func(n syntax.Node) bool { return n.Within(step.Node) })
	if i < 1 {
		return nil
	}
	return way[i-1 : i]
}

// meetsOthers reports whether the value of a parameter reaches an operator, a TensorFlow operation or
// unknown code. Unlike Keras and tf.cast, these keep its type.
func meetsOthers(step *names.Function, parameter string) bool {
	known := facts.Of(step.Info)
	var uses []facts.Use
	for _, b := range step.Scope.Bindings(parameter) {
		if b.Kind == names.ParameterBinding {
			uses, _ = known.UsesOf(b, nil, syntax.Node{})
		}
	}
	for i := 0; i < len(uses); i++ {
		n := uses[i].Node
		if uses[i].Part != facts.Whole {
			continue
		}
		for n.Parent().Kind() == syntax.UnaryOperator || n.Parent().Kind() == syntax.Subscript && n.Field() == syntax.FieldValue {
			n = n.Parent()
		}
		switch parent := n.Parent(); parent.Kind() {
		case syntax.BinaryOperator, syntax.AugmentedAssignment, syntax.ComparisonOperator:
			return true
		case syntax.ArgumentList, syntax.KeywordArgument:
			call := parent.Ancestor(syntax.Call)
			if passesOn[step.Info.Callee(call)] && !slices.ContainsFunc(uses, func(use facts.Use) bool { return use.Node == call }) {
				more, _ := known.Uses(call, nil, syntax.Node{})
				uses = append(uses, more...)
			} else if keepsType(step.Info, call) {
				return true
			}
		}
	}
	return false
}

// passesOn are operations whose result is their argument as a tensor.
var passesOn = map[string]bool{"tensorflow.stop_gradient": true, "tensorflow.identity": true, "tensorflow.convert_to_tensor": true}

// keepsType reports whether a call may compute with an argument in the type that it has.
func keepsType(info *names.Info, call syntax.Node) bool {
	if q := info.Callee(call); strings.HasPrefix(q, "tensorflow.") {
		return !strings.HasPrefix(q, "tensorflow.keras.") && q != "tensorflow.cast" && q != "tensorflow.shape"
	}
	function := call.Child(syntax.FieldFunction)
	return len(obstacles.RanBy(info, call)) == 0 && function.Kind() == syntax.Identifier && info.Lookup(function) != nil &&
		!facts.Of(info).Kinds(function, nil).May(facts.Model)
}
