package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// switchedOff reports whether the line above a step is a comment about tf.function.
func switchedOff(p *rule.Pass, step *names.Function) bool {
	if !p.Here(step.Node) {
		return false
	}
	at := step.Node
	if parent := at.Parent(); parent.Kind() == syntax.DecoratedDefinition {
		at = parent
	}
	text := p.File.Source.Text()
	above := strings.TrimSpace(text[:source.LineStart(text, at.Start())])
	line := above[source.LineStart(above, len(above)):]
	return strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(line, "tf.function")
}

// mixed returns the parameters of a step that are NumPy arrays of float64 and meet other types. In
// eager execution an operator casts them, but tf.function makes float64 tensors of them.
func mixed(p *rule.Pass, step *names.Function) []string {
	if !p.File.Names().Mentions("numpy") || floatsAreDouble(p.File.Names()) {
		return nil // so that no program is interpreted needlessly
	}
	return mixing(step, func(parameter string) bool { return isDouble(p, step, parameter) })
}

// maybeMixed returns the parameters of a step that may be such arrays: NumPy makes them, of a type that
// is not known, or the program passes what a function is given that other programs call.
func maybeMixed(p *rule.Pass, step *names.Function, apply *flow.Event) []string {
	info := p.File.Names()
	if floatsAreDouble(info) {
		return nil
	}
	calls := append(slices.Clone(info.CallsOf(step)), callOf(step, apply)...)
	return mixing(step, func(parameter string) bool {
		return slices.ContainsFunc(calls, func(call syntax.Node) bool {
			given := step.Passed(call, parameter)
			return given.Valid() && mayBeFloat64Array(p, given)
		})
	})
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

// mixing returns the parameters of a step that a test holds for and that meet other types.
func mixing(step *names.Function, test func(parameter string) bool) []string {
	var found []string
	for _, parameter := range step.Params {
		if test(parameter.Name) && slices.ContainsFunc(step.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
			return b.Kind == names.ParameterBinding && meetsOthers(step.Info, b, map[*names.Binding]bool{})
		}) {
			found = append(found, parameter.Name)
		}
	}
	return found
}

// floatsAreDouble reports whether the program makes float64 Keras's type of numbers.
func floatsAreDouble(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsTo(func(name string) bool {
			return name == "tensorflow.keras.backend.set_floatx" || name == "tensorflow.keras.config.set_floatx"
		}), func(call syntax.Node) bool {
			value, _ := names.StringValue(module.DefiningExpr(names.Argument(call, 0, "value")))
			return value == "float64"
		})
	})
}

// isDouble reports whether a call passes a NumPy array of float64 for a parameter, or a part of one
// that the caller received.
func isDouble(p *rule.Pass, fn *names.Function, parameter string) bool {
	doubles := p.File.Models().Doubles
	if slices.Contains(doubles[fn], parameter) {
		return true
	}
	info := p.File.Names()
	return slices.ContainsFunc(info.CallsOf(fn), func(call syntax.Node) bool {
		part := fn.Passed(call, parameter)
		if part.Kind() != syntax.Subscript {
			return false
		}
		array := part.Child(syntax.FieldValue)
		return array.Kind() == syntax.Identifier && slices.ContainsFunc(info.ReachingDefs(array), func(b *names.Binding) bool {
			return b.Kind == names.ParameterBinding && slices.Contains(doubles[b.Scope.Func], b.Name)
		})
	})
}

// meetsOthers reports whether the value of a name reaches an operator, a TensorFlow operation or
// unknown code. Unlike Keras and tf.cast, these keep its type.
func meetsOthers(info *names.Info, b *names.Binding, seen map[*names.Binding]bool) bool {
	defer info.Enter(b.Node).Leave()
	if seen[b] {
		return false
	}
	seen[b] = true
	return slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool {
		for {
			if call := use.Parent().Parent(); use.Parent().Kind() == syntax.ArgumentList && keepsType[info.Callee(call)] {
				use = call
			} else if use.Parent().Is(syntax.ParenthesizedExpression, syntax.UnaryOperator) || use.Parent().Kind() == syntax.Subscript && use.Field() == syntax.FieldValue {
				use = use.Parent()
			} else {
				break
			}
		}
		switch parent := use.Parent(); parent.Kind() {
		case syntax.BinaryOperator, syntax.AugmentedAssignment, syntax.ComparisonOperator:
			return true
		case syntax.Assignment:
			other := info.BindingAt(parent.Child(syntax.FieldLeft))
			return use.Field() == syntax.FieldRight && other != nil && meetsOthers(info, other, seen)
		case syntax.ArgumentList, syntax.KeywordArgument:
			return callMixes(info, use.Ancestor(syntax.Call), use, seen)
		}
		return false
	})
}

// keepsType are the operations on one tensor whose result is of the same type.
var keepsType = map[string]bool{
	"tensorflow.stop_gradient": true, "tensorflow.identity": true, "tensorflow.reshape": true, "tensorflow.squeeze": true, "tensorflow.expand_dims": true,
	"tensorflow.convert_to_tensor": true,
}

// callMixes is meetsOthers for an argument of a call.
func callMixes(info *names.Info, call, argument syntax.Node, seen map[*names.Binding]bool) bool {
	defer info.Enter(call).Leave()
	if q := info.Callee(call); strings.HasPrefix(q, "tensorflow.") {
		return !strings.HasPrefix(q, "tensorflow.keras.") && q != "tensorflow.cast" && q != "tensorflow.shape"
	}
	function := call.Child(syntax.FieldFunction)
	of := info.TypeOf(function)
	if strings.HasPrefix(of.Class, "tensorflow.keras.") || of.Local != nil && info.Inherits(of.Local, "tensorflow.keras.layers.Layer") {
		return false
	}
	ran := obstacles.RanBy(info, call)
	if len(ran) == 0 {
		return function.Kind() == syntax.Identifier && info.Lookup(function) != nil
	}
	return slices.ContainsFunc(ran, func(f *names.Function) bool {
		p, ok := f.ParameterFor(call, argument)
		return ok && slices.ContainsFunc(f.Scope.Bindings(p.Name), func(b *names.Binding) bool {
			return b.Kind == names.ParameterBinding && meetsOthers(f.Info, b, seen)
		})
	})
}

// mayBeFloat64Array reports whether an expression may be an array of NumPy's whose type nobody states: the
// program makes it with NumPy, or a function that nothing in the program calls is given it.
func mayBeFloat64Array(p *rule.Pass, n syntax.Node) bool {
	f := p.File.Facts()
	if !f.Kinds(n, nil).May(facts.Array | facts.FromCaller) {
		return false
	}
	dtype := f.DType(n, nil)
	return dtype == "" || dtype == "float64"
}
