package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A tensors determines which expressions of a program are surely one tensor, or a variable. A name
// that is defined in terms of itself is what its other definitions are.
type tensors struct {
	info  *names.Info  // of the module whose calls determine the parameters
	known map[any]bool // by binding and function
}

// iterates reports whether Python itself iterates over a tensor at a node. AutoGraph compiles a for
// loop over a tensor. A comprehension, an unpacking or a Python function that is given a tensor
// raises OperatorNotAllowedInGraphError (tensorflow/python/framework/tensor.py, Tensor.__iter__).
func (t tensors) iterates(info *names.Info, n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ForInClause:
		return t.is(info, n.Child(syntax.FieldRight))
	case syntax.Assignment:
		return n.Child(syntax.FieldLeft).Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) && t.is(info, n.Child(syntax.FieldRight))
	case syntax.Call:
		if name := n.Child(syntax.FieldFunction).Text(); iterators[name] && rule.Builtin(info, n, name) {
			for a := range n.Child(syntax.FieldArguments).Children() {
				if t.is(info, a) {
					return true
				}
			}
		}
	}
	return false
}

// iterators are the Python functions that iterate over their argument.
var iterators = map[string]bool{
	"zip": true, "enumerate": true, "map": true, "filter": true, "reversed": true, "iter": true,
	"list": true, "tuple": true, "set": true, "sum": true, "max": true, "min": true, "any": true, "all": true,
}

// several are the operations and layers that do not, or not always, return one tensor.
var several = map[string]bool{
	"tensorflow.unstack": true, "tensorflow.split": true, "tensorflow.gradients": true, "tensorflow.no_op": true, "tensorflow.print": true,
	"tensorflow.cond": true, "tensorflow.while_loop": true, "tensorflow.map_fn": true,
	"tensorflow.nn.moments": true, "tensorflow.nn.weighted_moments": true, "tensorflow.nn.sufficient_statistics": true, "tensorflow.nn.normalize_moments": true,
	"tensorflow.nn.top_k": true, "tensorflow.math.top_k": true, "tensorflow.math.approx_max_k": true, "tensorflow.math.approx_min_k": true,
	"tensorflow.nn.max_pool_with_argmax": true, "tensorflow.nn.ctc_greedy_decoder": true, "tensorflow.nn.ctc_beam_search_decoder": true, "tensorflow.nn.ctc_unique_labels": true,
	"tensorflow.linalg.svd": true, "tensorflow.linalg.qr": true, "tensorflow.linalg.eig": true, "tensorflow.linalg.eigh": true, "tensorflow.linalg.lu": true,
	"tensorflow.linalg.slogdet": true, "tensorflow.linalg.normalize": true, "tensorflow.image.image_gradients": true,
	"tensorflow.image.sample_distorted_bounding_box": true, "tensorflow.image.combined_non_max_suppression": true,
	"tensorflow.image.non_max_suppression_with_scores": true, "tensorflow.image.non_max_suppression_padded": true,

	"tensorflow.keras.layers.Layer": true, "tensorflow.keras.layers.Lambda": true, "tensorflow.keras.layers.TimeDistributed": true, "tensorflow.keras.layers.TFSMLayer": true,
	"tensorflow.keras.layers.RNN": true, "tensorflow.keras.layers.LSTM": true, "tensorflow.keras.layers.GRU": true, "tensorflow.keras.layers.SimpleRNN": true,
	"tensorflow.keras.layers.LSTMCell": true, "tensorflow.keras.layers.GRUCell": true, "tensorflow.keras.layers.SimpleRNNCell": true, "tensorflow.keras.layers.StackedRNNCells": true,
	"tensorflow.keras.layers.ConvLSTM1D": true, "tensorflow.keras.layers.ConvLSTM2D": true, "tensorflow.keras.layers.ConvLSTM3D": true, "tensorflow.keras.layers.Bidirectional": true,
	"tensorflow.keras.layers.Attention": true, "tensorflow.keras.layers.AdditiveAttention": true,
	"tensorflow.keras.layers.MultiHeadAttention": true, "tensorflow.keras.layers.GroupQueryAttention": true,
}

// oneTensor reports whether calling a name of TensorFlow returns one tensor.
func oneTensor(name string) bool {
	e := effects.Lookup(name)
	return e != nil && e.Effects.Has(effects.AddsOperation) && e.Returns == "" && !several[name] && !runsPython[name]
}

func (t tensors) is(info *names.Info, n syntax.Node) bool {
	defer info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return t.is(info, n.FirstChild())
	case syntax.UnaryOperator:
		return t.is(info, n.Child(syntax.FieldArgument))
	case syntax.BinaryOperator:
		return t.is(info, n.Child(syntax.FieldLeft)) || t.is(info, n.Child(syntax.FieldRight))
	case syntax.Subscript:
		return t.is(info, n.Child(syntax.FieldValue))
	case syntax.Attribute:
		return info.TypeOf(n).Class == "tensorflow.Variable"
	case syntax.Call:
		return info.TypeOf(n).Class == "tensorflow.Variable" || oneTensor(info.Callee(n)) || t.returned(info, n)
	case syntax.Identifier:
		bindings := info.ReachingDefs(n)
		return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
			return !t.once(b, func() bool { return t.bound(info, b) })
		})
	}
	return false
}

// once memoises what is known of a binding or function.
func (t tensors) once(of any, answer func() bool) bool {
	known, asked := t.known[of]
	if !asked {
		t.known[of] = true // for a circular definition
		known = answer()
		t.known[of] = known
	}
	return known
}

// bound reports whether a name is bound to one tensor. A parameter is what a call passes.
func (t tensors) bound(info *names.Info, b *names.Binding) bool {
	switch b.Kind {
	case names.AssignBinding, names.ForBinding:
		isElement := b.Kind == names.ForBinding && b.Node.Field() != syntax.FieldLeft
		return !isElement && t.is(info, b.Value)
	case names.AugmentedBinding:
		return t.is(info, b.Value)
	case names.ParameterBinding:
		fn := b.Scope.Func
		return fn != nil && slices.ContainsFunc(t.info.CallsOf(fn), func(call syntax.Node) bool {
			passed := fn.Passed(call, b.Name)
			return passed.Valid() && t.is(t.info, passed)
		})
	}
	return false
}

// returned reports whether a layer, a sequential model or the function that a call surely runs
// returns one tensor.
func (t tensors) returned(info *names.Info, call syntax.Node) bool {
	of := info.TypeOf(call.Child(syntax.FieldFunction))
	if of.Local == nil && of.Class != "" {
		return of.Class == "tensorflow.keras.Sequential" || strings.HasPrefix(of.Class, "tensorflow.keras.layers.") && !several[of.Class]
	}
	ran := ranBy(info, call)
	return len(ran) > 0 && !slices.ContainsFunc(ran, func(f *names.Function) bool {
		return !t.once(f, func() bool {
			return len(f.Returns) > 0 && !f.Yields && !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !t.is(f.Info, r) })
		})
	})
}
