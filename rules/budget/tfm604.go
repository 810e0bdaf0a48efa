package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// Float64OnGPU is TFM604.
var Float64OnGPU = &rule.Rule{
	Code: "TFM604", Name: "float64-on-gpu", Severity: rule.Information, OffByDefault: true,
	Summary: "Keras is set to float64, or a layer, variable or tensor is created with it.",
	What: `
Checks for set_floatx("float64"), the dtype policy float64, and dtype float64
in Keras layers and inputs, variables, and the tensors of tf.cast, tf.constant,
tf.zeros and similar.`,
	Why: `
A float64 number takes eight bytes, twice as much as float32, and so do its
gradient, its optimizer state and everything computed from it. Few GPUs compute
in float64 at more than a thirty-second of the speed. The rule is off by
default because scientific code may need the precision.`,
	Bad: `
from tensorflow import keras

keras.backend.set_floatx("float64")`,
	Good: `
from tensorflow import keras

keras.backend.set_floatx("float32")`,
	FixSafety: `
Unsafe: numbers are rounded to seven digits instead of sixteen. All float64 of
the file is changed together, because the two types do not mix. Where the file
mentions float64 in another way, uses another module of the project, or passes
NumPy arrays, which are float64, to operations, the change is only shown.`,
	Limitations: `
NumPy arrays are not reported, because Keras casts what fit is given. Neither
are functions of a dataset, which run on the CPU, nor code under a device scope
that is not a GPU, nor a file in which all that is created in float64 is written
out, and takes less than a megabyte. Neither is a comparison that is cast for a
mean or a sum, such as an accuracy.`,
	References: []rule.Reference{
		rule.API("tf.keras.backend.set_floatx"),
		rule.Keras("utils/config_utils", "Keras configuration utilities: set_floatx"),
		rule.Keras("mixed_precision", "Mixed precision"),
	},
	Triggers: []string{"float64", "tf.double"},
	Check:    checkFloat64,
}

// typed are the calls that make tensors of a given type, and the position of that argument.
var typed = map[string]int{
	"tensorflow.cast": 1, "tensorflow.constant": 1, "tensorflow.convert_to_tensor": 1, "tensorflow.Variable": 4,
	"tensorflow.zeros": 1, "tensorflow.ones": 1, "tensorflow.fill": -1, "tensorflow.eye": 3, "tensorflow.range": -1, "tensorflow.zeros_like": 1, "tensorflow.ones_like": 1,
	"tensorflow.random.normal": 3, "tensorflow.random.uniform": 3, "tensorflow.random.truncated_normal": 3,
	"tensorflow.keras.Input": -1, "tensorflow.keras.ops.cast": 1, "tensorflow.keras.ops.convert_to_tensor": 1,
	"tensorflow.keras.backend.set_floatx": 0, "tensorflow.keras.config.set_floatx": 0,
	"tensorflow.keras.mixed_precision.set_global_policy": 0, "tensorflow.keras.config.set_dtype_policy": 0,
}

// typeNames are the names of that parameter.
var typeNames = []string{"dtype", "policy", "value"}

// A float64Place is a call that makes something of that type.
type float64Place struct {
	call, at syntax.Node
	setter   bool
	counts   bool // of truths, to add them up: a number for each example, of which nothing learns
}

// ofKeras reports whether Keras makes it, which casts its inputs.
func (f float64Place) ofKeras(p *rule.Pass) bool {
	name := p.File.Names().Callee(f.call)
	return f.setter || strings.HasPrefix(name, "tensorflow.keras.layers.") || name == "tensorflow.keras.Input"
}

// float64Places returns the calls of a file that make something of that type.
func float64Places(p *rule.Pass) (places []float64Place) {
	info := p.File.Names()
	for _, call := range info.Calls {
		name := info.Callee(call)
		position, known := typed[name]
		if !known && strings.HasPrefix(name, "tensorflow.keras.layers.") {
			position, known = -1, true
		}
		if !known || call.HasError() {
			continue
		}
		setter := strings.Contains(name, ".set_")
		for _, keyword := range typeNames {
			if keyword == "value" && !strings.HasSuffix(name, "set_floatx") || keyword == "policy" && !setter {
				continue
			}
			at := names.Argument(call, position, keyword)
			if facts.Of(info).NamedDType(at) == "float64" {
				if setter || !offGPU(info, call, map[*names.Function]bool{}) {
					places = append(places, float64Place{call, at, setter, countsTruths(info, call, name)})
				}
				break
			}
		}
	}
	return places
}

func checkFloat64(p *rule.Pass) {
	places := float64Places(p)
	if fewNumbers(p.File.Names(), places) {
		return
	}
	fixes := useFloat32(p, places)
	for _, place := range places {
		if place.counts {
			continue
		}
		what := "This is created in float64"
		if place.setter {
			what = "Keras creates everything from here on in float64"
		}
		p.Report(rule.Finding{
			Span:    rule.Span(place.at),
			Message: fmt.Sprintf("%s, twice the size of float32. A number takes eight bytes on the GPU, and so do its gradient, its optimizer state and every result.", what),
			Fixes:   fixes,
		})
	}
}

// countsTruths reports whether a call casts what is true or false for a mean or a sum alone, as an
// accuracy is computed.
func countsTruths(info *names.Info, call syntax.Node, name string) bool {
	if name != "tensorflow.cast" && name != "tensorflow.keras.ops.cast" {
		return false
	}
	truth := info.DefiningExpr(names.Argument(call, 0, "x"))
	for truth.Kind() == syntax.ParenthesizedExpression {
		truth = truth.FirstChild()
	}
	return (truth.Is(syntax.ComparisonOperator, syntax.NotOperator) || truthful[operation(info, truth)]) && addedUp(info, call)
}

// operation is the name of the TensorFlow operation that a call runs, without its module, or "".
func operation(info *names.Info, call syntax.Node) string {
	if call.Kind() != syntax.Call {
		return ""
	}
	q := info.Callee(call)
	if !strings.HasPrefix(q, "tensorflow.") {
		return ""
	}
	return q[strings.LastIndexByte(q, '.')+1:]
}

// truthful are the operations whose results are true or false, and adding those that add up
// what they are given.
var (
	truthful = map[string]bool{
		"equal": true, "not_equal": true, "greater": true, "greater_equal": true, "less": true, "less_equal": true,
		"logical_and": true, "logical_or": true, "logical_not": true, "logical_xor": true, "in_top_k": true,
		"is_nan": true, "is_finite": true, "is_inf": true,
	}
	adding = map[string]bool{"reduce_mean": true, "reduce_sum": true, "mean": true, "sum": true, "count_nonzero": true}
)

// addedUp reports whether a value is used by a mean or a sum alone.
func addedUp(info *names.Info, call syntax.Node) bool {
	uses, _ := facts.Of(info).Uses(call, nil, syntax.Node{})
	return !slices.ContainsFunc(uses, func(use facts.Use) bool {
		switch parent := use.Node.Parent(); parent.Kind() {
		case syntax.ParenthesizedExpression, syntax.Assignment:
			return false // another use
		case syntax.ArgumentList, syntax.KeywordArgument:
			return !adding[operation(info, use.Node.Ancestor(syntax.Call))]
		}
		return true
	})
}

// littleFloat64 is the size in bytes below which float64 costs nothing that matters.
const littleFloat64 = 1 << 20

// fewNumbers reports whether what some places make takes little memory together, as far as the code
// shows how many numbers each has.
func fewNumbers(info *names.Info, places []float64Place) bool {
	bytes := 0.0
	for _, place := range places {
		if place.counts {
			continue
		}
		n, known := numbers(info, place.call)
		if !known {
			return false
		}
		bytes += 8 * n
	}
	return bytes < littleFloat64
}

// numbers returns how many numbers the tensor of a call has, if its value or its shape is written
// out.
func numbers(info *names.Info, call syntax.Node) (n float64, known bool) {
	switch first := info.DefiningExpr(names.Element(call.Child(syntax.FieldArguments), 0)); info.Callee(call) {
	case "tensorflow.Variable", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast":
		return written(first), written(first) > 0
	case "tensorflow.zeros", "tensorflow.ones", "tensorflow.random.normal", "tensorflow.random.uniform", "tensorflow.random.truncated_normal":
		n = 1
		for size := range first.Children() {
			value, ok := facts.Of(info).Number(size, nil).Exactly()
			if !ok {
				return 0, false
			}
			n *= value
		}
		return n, first.Is(syntax.List, syntax.Tuple)
	}
	return 0, false
}

// written returns how many numbers an expression writes out, in lists or alone. It returns 0 if it
// contains anything else.
func written(n syntax.Node) float64 {
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return 1
	case syntax.UnaryOperator:
		return written(n.Child(syntax.FieldArgument))
	case syntax.List, syntax.Tuple:
		sum := 0.0
		for item := range n.Children() {
			of := written(item)
			if of == 0 {
				return 0
			}
			sum += of
		}
		return sum
	}
	return 0
}

// useFloat32 changes all places together. The fix is for display only if some other float64 value
// may remain that meets them.
func useFloat32(p *rule.Pass, places []float64Place) []rule.Fix {
	var edits []source.Edit
	for _, place := range places {
		text, start := place.at.Text(), place.at.Start()
		i, length := strings.LastIndex(text, "float64"), len("float64")
		if i < 0 && strings.HasSuffix(text, ".double") {
			length = len("double")
			i = len(text) - length
		}
		if i < 0 || !rule.Fixable(place.call) {
			return nil // a name stands for the type
		}
		edits = append(edits, source.Edit{Span: source.Span{Start: start + i, End: start + i + length}, New: "float32"})
	}
	fix := rule.Fix{Message: "Use float32", Applicability: rule.Unsafe, Edits: edits}
	if len(edits) > 1 {
		fix.Message = fmt.Sprintf("Use float32 in all %d places", len(edits))
	}
	if float64Beside(p, places) {
		fix.Applicability = rule.Display
	}
	return []rule.Fix{fix}
}

// float64Beside reports whether the program may have float64 numbers from other sources that may
// meet what these places make.
func float64Beside(p *rule.Pass, places []float64Place) bool {
	info := p.File.Names()
	steps := slices.ContainsFunc(p.File.Flow().Traces(), func(t *flow.Trace) bool { return len(t.Having(effects.StartsTape)) > 0 })
	made := slices.ContainsFunc(places, func(place float64Place) bool { return steps || !place.ofKeras(p) })
	if info.Connected() || made && info.Imported()["numpy"] {
		return true
	}
	beside, here := false, map[syntax.Node]bool{}
	for _, place := range places {
		here[place.at] = true
	}
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			switch {
			case here[n]:
				return false
			case n.Is(syntax.Attribute, syntax.Identifier, syntax.String):
				beside = beside || p.File.Facts().NamedDType(n) == "float64" || strings.HasSuffix(n.Text(), ".float64")
			}
			return !beside
		})
	}
	return beside
}

// offGPU reports whether a call runs on the CPU: in a function of a dataset, under a device scope
// that names no GPU, or in a function that is only called there. It also holds for a call that
// never runs, in a nested function that nothing uses. seen are the functions whose calls were
// already examined.
func offGPU(info *names.Info, call syntax.Node, seen map[*names.Function]bool) bool {
	defer info.Enter(call).Leave()
	if device, set := facts.Of(info).Device(call); set && !strings.Contains(strings.ToUpper(device), "GPU") {
		return true
	}
	f := info.ScopeOf(call).Function()
	if f == nil {
		return false
	}
	if f.Node.Kind() == syntax.Lambda {
		return f.Node.Parent().Kind() == syntax.ArgumentList && ofDataset(info, f.Node.Parent().Parent())
	}
	for _, other := range info.Calls {
		if !ofDataset(info, other) {
			continue
		}
		for argument := range other.Child(syntax.FieldArguments).Children() {
			if info.Target(argument).Function == f || strings.Contains(argument.Text(), f.Name+"(") {
				return true
			}
		}
	}
	if seen[f] || unused(info, f) {
		return true
	}
	seen[f] = true
	called := false
	for _, c := range info.CallsOf(f) {
		if !c.Within(f.Node) && !offGPU(info, c, seen) {
			return false
		}
		called = called || !c.Within(f.Node)
	}
	return called
}

// unused reports whether a function is inside another one that does not use it.
func unused(info *names.Info, f *names.Function) bool {
	around := info.ScopeOf(f.Node)
	return around.Func != nil && !slices.ContainsFunc(around.Bindings(f.Name), func(b *names.Binding) bool { return len(info.Uses(b)) > 0 })
}

// ofDataset reports whether a call is of a dataset's method that takes a function.
func ofDataset(info *names.Info, call syntax.Node) bool {
	if strings.HasPrefix(info.Callee(call), "tensorflow.data.") {
		return true
	}
	switch names.Method(call) {
	case "map", "filter", "interleave", "flat_map", "from_generator":
		return true // of an unknown object: usually a dataset
	}
	return false
}
