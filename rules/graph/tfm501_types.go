package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// castFirst says which parameters of a step are, or may be, NumPy arrays of float64 that meet other
// types, or returns "". In eager execution an operator casts them, but tf.function makes float64 tensors
// of them.
func (s *eagerStep) castFirst() string {
	known, in := s.p.File.Facts(), s.p.File.Facts().At(s.apply)
	for _, module := range s.info.Program() {
		for _, call := range module.CallsTo(func(name string) bool { return strings.HasSuffix(name, ".set_floatx") }) {
			if known.NamedDType(names.Argument(call, 0, "value")) == "float64" {
				return "" // Keras's own numbers are float64
			}
		}
	}
	var surely, perhaps []string
	for _, parameter := range s.fn.Params {
		for _, b := range s.fn.Scope.Bindings(parameter.Name) {
			uses := s.fn.Info.Uses(b)
			if b.Kind != names.ParameterBinding || len(uses) == 0 {
				continue
			}
			kinds := known.Kinds(uses[0], in)
			if !kinds.May(facts.Array|facts.FromCaller) || !meetsOthers(s.fn.Info, b) {
				continue
			}
			switch dtype := known.DType(uses[0], in); {
			case kinds.Surely(facts.Array) && dtype == "float64":
				surely = append(surely, b.Name)
			case dtype == "" || dtype == "float64":
				perhaps = append(perhaps, b.Name)
			}
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

// meetsOthers reports whether the value of a parameter reaches an operator, a TensorFlow operation or
// unknown code. Unlike Keras and tf.cast, these keep its type.
func meetsOthers(info *names.Info, parameter *names.Binding) bool {
	known := facts.Of(info)
	uses, _ := known.UsesOf(parameter, nil, syntax.Node{})
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
			if passesOn[info.Callee(call)] && !slices.ContainsFunc(uses, func(use facts.Use) bool { return use.Node == call }) {
				more, _ := known.Uses(call, nil, syntax.Node{})
				uses = append(uses, more...)
			} else if keepsType(info, call) {
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
