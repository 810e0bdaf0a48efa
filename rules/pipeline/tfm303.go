package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// DatasetFromLargeArray is TFM303.
var DatasetFromLargeArray = &rule.Rule{
	Code: "TFM303", Name: "dataset-from-large-array", Severity: rule.Information,
	Summary: "A whole array is copied to the GPU because a Dataset is made from it, or a model is fitted to it.",
	What: `
Computes the size of the arrays that Dataset.from_tensor_slices, from_tensors,
Model.fit, evaluate and predict are given: datasets that come with Keras,
np.zeros and similar functions, and what is computed from them. Reports 512 MiB
and more, or a sixteenth of the GPU's memory where the GPU is known and larger.`,
	Why: `
tf.data runs on the CPU, but converts its arrays as any eager operation does:
tf.convert_to_tensor copies them to the default device, the GPU. The copy stays
as long as the Dataset does, in addition to the model and every batch. If there
is no room for it, the program ends with "Failed copying input tensor from ...
CPU:0 to ... GPU:0 in order to run _EagerConst: Dst tensor is not initialized".
fit, evaluate and predict make such a Dataset from their arrays.`,
	Bad: `
import numpy as np
import tensorflow as tf

images = np.zeros((60000, 64, 64, 3), dtype="float32")
dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)`,
	Good: `
import numpy as np
import tensorflow as tf

images = np.zeros((60000, 64, 64, 3), dtype="float32")
with tf.device("/CPU:0"):
    dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)`,
	FixSafety: `
Safe: a pipeline runs on the CPU wherever its arrays are. The fix is offered
where the statement does nothing else. It is not offered for fit, whose model
would move to the CPU too.`,
	Limitations: `
Not reported where a shape is unknown, for example because the array is read
from a file, where the call is under tf.device, where the array is a tensor that
was made before, of which no copy is made, where the program uses no GPU, and where
Keras may run in graphs, as in TensorFlow 1, which feeds one batch after the other.
Integers of 32 bits and strings stay in host memory and are not counted. Tests
are not checked.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#from_tensor_slices"),
		rule.Guide("data#consuming_numpy_arrays", "tf.data: Consuming NumPy arrays"),
		rule.API("tf.device"),
	},
	Triggers:     []string{"from_tensor_slices", "from_tensors", ".fit(", ".evaluate(", ".predict("},
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkLargeArray,
}

// least is the size in bytes from which an array matters on a GPU, if no larger GPU is known.
const least = 512 << 20

func checkLargeArray(p *rule.Pass) {
	if rule.IsTest(p) || !mayBeLarge(p.File.Names()) {
		return // so that no program is interpreted needlessly
	}
	limit := int64(least)
	if devices := p.File.Devices(); len(devices) > 0 {
		total := devices[0].Total
		for _, d := range devices {
			total = min(total, d.Total)
		}
		limit = max(limit, total/16)
	}
	models := p.File.Models()
	largest := map[syntax.Node]int64{}
	var order []syntax.Node
	note := func(call syntax.Node, arrays []graph.Input) {
		bytes, ok := size(arrays)
		if !ok || bytes < limit || !p.Here(call) {
			return
		}
		if largest[call] == 0 {
			order = append(order, call)
		}
		largest[call] = max(largest[call], bytes)
	}
	for _, d := range models.Datasets {
		note(d.Node, onDevice(d.Held))
	}
	for _, u := range models.Uses {
		if p.File.Releases().KerasMayRunInGraphs() {
			break // it feeds one batch after the other
		}
		// Keras casts floating-point arrays to floatx before it makes tensors
		// (keras/src/trainers/data_adapters/array_slicing.py).
		note(u.Node, onDevice(cast(u.Arrays)))
	}
	if len(order) == 0 || offGPU(p) {
		return
	}
	for _, call := range order {
		if !ofTensor(p.File.Names(), call) && !underDevice(p.File.Names(), call, map[*names.Function]bool{}) && !inGraph(p, call) {
			reportLargeArray(p, call, largest[call])
		}
	}
}

// mayBeLarge reports whether an array of the module may be large, judging by names and constants.
// The module makes one, collects its rows, or converts a dataset of Keras on its way to a model or
// a Dataset. As they are loaded, none of those datasets is large.
func mayBeLarge(info *names.Info) bool {
	if makesArray(info, least) || collectsRows(info) {
		return true
	}
	loads := info.CallsTo(func(name string) bool { return strings.HasPrefix(name, "tensorflow.keras.datasets.cifar") })
	if len(loads) == 0 {
		return false
	}
	takers := []string{"from_tensor_slices", "from_tensors", "fit", "evaluate", "predict"}
	for _, call := range info.MethodCalls(func(name string) bool { return slices.Contains(takers, name) }) {
		for n := range call.Child(syntax.FieldArguments).Children() {
			if grows(info, n, 4) {
				return true
			}
		}
	}
	return false
}

// collectsRows reports whether a loop whose iterations are counted in constants appends to a list
// that becomes an array.
func collectsRows(info *names.Info) bool {
	program := info.Program()
	return slices.ContainsFunc(program, func(info *names.Info) bool {
		return slices.ContainsFunc(info.MethodCalls(func(name string) bool { return name == "append" }), func(call syntax.Node) bool {
			loop := call.Ancestor(syntax.ForStatement, syntax.FunctionDefinition)
			rows := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			if loop.Kind() != syntax.ForStatement || rows.Kind() != syntax.Identifier || !becomesArray(info, rows) {
				return false
			}
			counted := false
			loop.Child(syntax.FieldRight).Walk(func(n syntax.Node) bool {
				counted = counted || n.Is(syntax.Integer, syntax.Identifier) && largest(program, info, n, 4) > 0
				return !counted
			})
			return counted
		})
	})
}

// becomesArray reports whether a call of NumPy or TensorFlow makes an array of a list.
func becomesArray(info *names.Info, list syntax.Node) bool {
	return slices.ContainsFunc(info.ReachingDefs(list), func(b *names.Binding) bool {
		return slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool {
			if use.Parent().Kind() != syntax.ArgumentList {
				return false
			}
			switch info.Callee(use.Parent().Parent()) {
			case "numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate", "tensorflow.convert_to_tensor", "tensorflow.constant", "tensorflow.stack":
				return true
			}
			return false
		})
	})
}

// grows reports whether an expression may be larger than the data that the program loads: it is
// computed, cast, concatenated, or passed through a function.
func grows(info *names.Info, n syntax.Node, depth int) bool {
	defer info.Enter(n).Leave()
	found := false
	n.Walk(func(m syntax.Node) bool {
		switch m.Kind() {
		case syntax.BinaryOperator:
			found = true
		case syntax.Call:
			function := m.Child(syntax.FieldFunction)
			name := function.Text()
			if function.Kind() == syntax.Attribute {
				name = function.Child(syntax.FieldAttribute).Text()
			}
			switch name {
			case "astype", "array", "asarray", "float32", "cast", "concatenate", "concat", "repeat", "tile", "resize", "convert_image_dtype":
				found = true
			default:
				found = found || info.Target(function).Function != nil
			}
		case syntax.Identifier:
			if m.Field() == syntax.FieldAttribute || m.Field() == syntax.FieldName || depth == 0 {
				break
			}
			for _, b := range info.ReachingDefs(m) {
				switch b.Kind {
				case names.AugmentedBinding, names.ParameterBinding:
					found = true
				case names.AssignBinding, names.UnpackBinding:
					found = found || grows(info, b.Value, depth-1)
				}
			}
		}
		return !found
	})
	return found
}

// makesArray reports whether a call makes an array that may have at least this many bytes on its
// own.
func makesArray(info *names.Info, least float64) bool {
	program := info.Program()
	rows := 1.0
	if slices.ContainsFunc(program, func(info *names.Info) bool {
		return len(info.CallsTo(func(q string) bool { return strings.HasPrefix(q, "tensorflow.keras.datasets.") })) > 0
	}) {
		rows = mostRows
	}
	elements := func(call syntax.Node) float64 {
		all := 1.0
		call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
			switch {
			case n.Is(syntax.Integer, syntax.Identifier):
				all *= max(largest(program, info, n, 4), 1)
			case rule.Builtin(info, n, "len"), n.Kind() == syntax.Subscript:
				all *= rows // len(x_train), x_train.shape[0]
			}
			return !n.Is(syntax.Call, syntax.Lambda)
		})
		return all
	}
	most, classes := 0.0, 1.0 // of labels, of which to_categorical makes so many columns
	for _, info := range program {
		for _, call := range info.CallsTo(isArray) {
			most = max(most, elements(call))
		}
		for _, call := range info.CallsTo(func(q string) bool { return q == "tensorflow.keras.utils.to_categorical" }) {
			classes = max(classes, largest(program, info, names.Argument(call, 1, "num_classes"), 4))
		}
	}
	return most*classes*8 >= least
}

// mostRows is the number of examples of the largest data set that comes with Keras.
const mostRows = 60000

// isArray reports whether calling a name makes an array of a given size.
func isArray(q string) bool {
	dot := max(strings.LastIndexByte(q, '.'), 0)
	module, name := q[:dot], strings.TrimPrefix(q[dot:], ".")
	switch module {
	case "numpy", "numpy.random", "tensorflow", "tensorflow.random":
	default:
		return false
	}
	switch name {
	case "zeros", "ones", "empty", "ndarray", "full", "fill", "rand", "randn", "random", "random_sample", "standard_normal", "randint", "normal", "uniform", "truncated_normal":
		return true
	}
	return false
}

// largest is constant, but for a parameter it returns the largest number that a call passes for it.
func largest(program []*names.Info, info *names.Info, n syntax.Node, depth int) float64 {
	defer info.Enter(n).Leave()
	most := constant(info, n)
	if b := info.ReachingDefs(n); n.Kind() == syntax.Identifier && len(b) == 1 && b[0].Kind == names.ParameterBinding && b[0].Scope.Func != nil && depth > 0 {
		for _, module := range program {
			for _, call := range module.CallsOf(b[0].Scope.Func) {
				if passed := b[0].Scope.Func.Passed(call, b[0].Name); passed.Is(syntax.Integer, syntax.Identifier) {
					most = max(most, largest(program, module, passed, depth-1))
				}
			}
		}
	}
	return most
}

// constant returns the number that an expression is, or that a name is given once or by default. It
// returns 0 for anything else.
func constant(info *names.Info, n syntax.Node) float64 {
	if n.Kind() == syntax.Identifier {
		bindings := info.ReachingDefs(n)
		if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding && bindings[0].Kind != names.ParameterBinding {
			return 0
		}
		n = bindings[0].Value
	}
	if n.Kind() != syntax.Integer {
		return 0
	}
	x, _ := strconv.ParseFloat(strings.ReplaceAll(n.Text(), "_", ""), 64)
	return x
}

// onDevice removes arrays that stay in host memory even when placed on a GPU: strings, and 32-bit
// integers (tensorflow/core/kernels/identity_op.cc, where _EagerConst is registered).
func onDevice(arrays []graph.Input) []graph.Input {
	var out []graph.Input
	for _, a := range arrays {
		if a.DType != "int32" && a.DType != "string" {
			out = append(out, a)
		}
	}
	return out
}

func cast(arrays []graph.Input) []graph.Input {
	var out []graph.Input
	for _, a := range arrays {
		if a.DType == "float64" || a.DType == "float16" {
			a.DType = "float32"
		}
		out = append(out, a)
	}
	return out
}

// offGPU reports whether the program may use no GPU at all: it hides them, or runs on a TPU.
func offGPU(p *rule.Pass) bool {
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			switch e := &t.Events[i]; {
			case e.NeedsTPU():
				return true
			case e.Effects.Has(effects.SetsVisible):
				if list := names.Argument(e.Node, 0, "devices"); list.Is(syntax.List, syntax.Tuple) && !names.Element(list, 0).Valid() {
					return true
				}
			case e.Effects.Has(effects.SetsEnvironment) && e.Key == "CUDA_VISIBLE_DEVICES":
				if !e.Known || e.Value == "" || e.Value == "-1" {
					return true
				}
			}
		}
	}
	return false
}

// ofTensor reports whether the data of a call, or the first part of it, is a tensor that was made
// before: it is where TensorFlow made it, and no copy is made of it
// (tensorflow/python/framework/tensor_conversion_registry.py, convert).
func ofTensor(info *names.Info, call syntax.Node) bool {
	data := names.Argument(call, 0, "x")
	if !data.Valid() {
		data = names.Argument(call, 0, "tensors")
	}
	switch data.Kind() {
	case syntax.Tuple, syntax.List:
		data = names.Element(data, 0)
	case syntax.Dictionary:
		data = data.FirstChild().Child(syntax.FieldValue)
	}
	return isTensor(info, data, call, 8)
}

// isTensor reports whether an expression is surely an eager tensor, and was made outside of a call.
// It follows that many definitions.
func isTensor(info *names.Info, n, outside syntax.Node, steps int) bool {
	defer info.Enter(n).Leave()
	if steps == 0 {
		return false
	}
	of := func(n syntax.Node) bool { return isTensor(info, n, outside, steps-1) }
	switch n.Kind() {
	case syntax.Identifier:
		bindings := info.ReachingDefs(n)
		return len(bindings) > 0 && len(bindings) <= 4 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool { return !holdsTensor(info, b, of) })
	case syntax.Attribute:
		made := info.DefiningExpr(n)
		return made.Valid() && made != n && of(made)
	case syntax.ParenthesizedExpression:
		return of(n.FirstChild())
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		return of(value) && of(value.Next().Next())
	case syntax.Subscript:
		whole := n.Child(syntax.FieldValue)
		return of(whole) || itemsAreTensors(info, info.DefiningExpr(whole), n.Child(syntax.FieldSubscript).Text(), of)
	case syntax.BinaryOperator:
		return of(n.Child(syntax.FieldLeft)) || of(n.Child(syntax.FieldRight))
	case syntax.UnaryOperator:
		return of(n.Child(syntax.FieldArgument))
	case syntax.Call:
		q, function := info.Callee(n), n.Child(syntax.FieldFunction)
		if strings.HasPrefix(q, "tensorflow.keras.applications.") && strings.HasSuffix(q, ".preprocess_input") {
			return of(names.Argument(n, 0, "x")) // it returns what it is given
		}
		if n.Within(outside) {
			return false
		}
		if f := info.Target(function).Function; f != nil {
			return len(f.Returns) > 0 && !f.Yields && !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !of(r) })
		}
		return ops.MakesTensor(q) || info.InstanceOf(function, kerasLayer)
	}
	return false
}

// holdsTensor reports whether what a binding gives its name is a tensor, judging by of. For a
// parameter, all calls of the module pass one.
func holdsTensor(info *names.Info, b *names.Binding, of func(syntax.Node) bool) bool {
	switch b.Kind {
	case names.AssignBinding:
		return of(b.Value)
	case names.AugmentedBinding: // x /= 255.0
		return of(b.Node)
	case names.UnpackBinding:
		return ops.MakesTensor(info.Callee(b.Value)) || // split, unstack
			len(b.Path) == 1 && itemsAreTensors(info, b.Value, strconv.Itoa(b.Path[0]), of)
	case names.ParameterBinding:
		if b.Scope.Func == nil {
			return false
		}
		calls := info.CallsOf(b.Scope.Func)
		return len(calls) > 0 && len(calls) <= 8 && !slices.ContainsFunc(calls, func(call syntax.Node) bool { return !of(b.Scope.Func.Passed(call, b.Name)) })
	}
	return false
}

// itemsAreTensors reports whether an item of what an expression makes, under an index or a key as it
// is written, is a tensor, judging by of.
func itemsAreTensors(info *names.Info, made syntax.Node, key string, of func(syntax.Node) bool) bool {
	defer info.Enter(made).Leave()
	at, err := strconv.Atoi(key)
	switch made.Kind() {
	case syntax.Tuple, syntax.ExpressionList, syntax.List:
		return err == nil && at >= 0 && of(names.Element(made, at))
	case syntax.ListComprehension, syntax.GeneratorExpression:
		return of(made.Child(syntax.FieldBody))
	case syntax.Dictionary:
		return slices.ContainsFunc(slices.Collect(made.Children()), func(pair syntax.Node) bool {
			return pair.FirstChild().Text() == key && of(pair.Child(syntax.FieldValue))
		})
	case syntax.Call:
		if rule.Builtin(info, made, "map") {
			return ops.MakesTensor(info.Qualified(names.Argument(made, 0, "")))
		}
		f := info.Target(made.Child(syntax.FieldFunction)).Function
		return f != nil && len(f.Returns) > 0 && !f.Yields && !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !itemsAreTensors(info, r, key, of) })
	}
	return false
}

// underDevice reports whether some call of the function around code runs it under tf.device.
func underDevice(info *names.Info, n syntax.Node, seen map[*names.Function]bool) bool {
	defer info.Enter(n).Leave()
	for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
		found := false
		for c := range with.Children() {
			if c.Field() == syntax.FieldBody {
				break
			}
			c.Walk(func(m syntax.Node) bool {
				if m.Kind() == syntax.Call {
					e := effects.Lookup(info.Callee(m))
					found = found || e != nil && e.Effects.Has(effects.SelectsDevice)
				}
				return !found
			})
		}
		if found {
			return true
		}
	}
	f := info.ScopeOf(n).Function()
	if f == nil || seen[f] {
		return false
	}
	seen[f] = true
	for _, call := range info.Calls {
		if info.Target(call.Child(syntax.FieldFunction)).Function == f && underDevice(info, call, seen) {
			return true
		}
	}
	return false
}

// inGraph reports whether the call runs, or may run, in a graph, where an array becomes a constant.
func inGraph(p *rule.Pass, call syntax.Node) bool {
	function := p.File.Names().ScopeOf(call).Function()
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if e.Effects.Has(effects.GraphMode | effects.OpensSession) {
				return true
			}
			if e.Context&(flow.InGraph|flow.Compiled|flow.Uncertain) != 0 && (e.Node == call || function != nil && p.Here(e.Node) && p.File.Names().ScopeOf(e.Node).Function() == function) {
				return true
			}
		}
	}
	return false
}

func reportLargeArray(p *rule.Pass, call syntax.Node, bytes int64) {
	function := call.Child(syntax.FieldFunction)
	method := function.Child(syntax.FieldAttribute).Text()
	if method == "" {
		method = function.Text()
	}
	f := rule.Finding{Span: rule.Callee(call)}
	switch method {
	case "fit", "evaluate", "predict":
		f.Message = fmt.Sprintf("%s() copies its arrays whole to the GPU: %s. They stay there while it runs, in addition to the model. A Dataset that is created under tf.device(\"/CPU:0\") copies one batch at a time.", method, memory.Bytes(bytes))
	default:
		f.Message = fmt.Sprintf("%s() copies its arrays whole to the GPU: %s. They stay there for as long as the dataset does. Under tf.device(\"/CPU:0\") they stay in host memory.", method, memory.Bytes(bytes))
		f.Fixes = onCPU(p, call)
	}
	p.Report(f)
}

// onCPU offers to put the statement that makes a dataset under tf.device.
func onCPU(p *rule.Pass, call syntax.Node) []rule.Fix {
	info := p.File.Names()
	statement := call.Ancestor(syntax.ExpressionStatement, syntax.ReturnStatement)
	if !rule.Fixable(statement) || !p.StartsLine(statement) || !p.EndsLine(statement) || !pipelineOnly(info, statement) {
		return nil
	}
	tf := p.Bound("tensorflow", info.ScopeOf(statement), statement)
	if tf == "" {
		return nil
	}
	indent, quote, nl := p.IndentOf(statement), p.Quote(), p.Newline()
	edits := []source.Edit{{
		Span: source.Span{Start: statement.Start(), End: statement.Start()},
		New:  "with " + tf + ".device(" + quote + "/CPU:0" + quote + "):" + nl + indent + p.Indent(),
	}}
	text := p.File.Source.Text()
	for at := source.NextLine(text, source.LineEnd(text, statement.Start())); at < statement.End(); at = source.NextLine(text, source.LineEnd(text, at)) {
		if strings.Trim(text[at:source.LineEnd(text, at)], " \t") != "" {
			edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, New: p.Indent()})
		}
	}
	return []rule.Fix{{Message: "Keep the arrays in host memory", Applicability: rule.Safe, Edits: edits}}
}

// pipelineOnly reports whether a statement only builds a pipeline, and contains no multi-line
// string that more indentation would change.
func pipelineOnly(info *names.Info, statement syntax.Node) bool {
	tracer := dataset.NewTracer(info)
	only := true
	statement.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Lambda:
			return false // it runs in the pipeline
		case syntax.String:
			only = only && !strings.ContainsAny(n.Text(), "\r\n")
		case syntax.NamedExpression, syntax.Await, syntax.Yield:
			only = false
		case syntax.Call:
			q := info.Callee(n)
			only = only && (strings.HasPrefix(q, "numpy.") || tracer.Of(n).Kind == dataset.Pipeline || n.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() == "astype" || q == "" && n.Child(syntax.FieldFunction).Text() == "len")
		}
		return only
	})
	return only
}
