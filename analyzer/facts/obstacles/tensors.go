package obstacles

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// iterates reports whether Python itself iterates over a tensor at a node. AutoGraph compiles a for
// loop over a tensor. A comprehension, an unpacking or a Python function that is given a tensor
// raises OperatorNotAllowedInGraphError (tensorflow/python/framework/tensor.py, Tensor.__iter__).
func (w *walk) iterates(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ForInClause:
		return w.isTensor(n.Child(syntax.FieldRight))
	case syntax.Assignment:
		return n.Child(syntax.FieldLeft).Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) && w.isTensor(n.Child(syntax.FieldRight))
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		if !iterators[function.Text()] || w.info.Lookup(function) != nil {
			return false
		}
		for a := range n.Child(syntax.FieldArguments).Children() {
			if w.isTensor(a) {
				return true
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

// OneTensor reports whether calling a name of TensorFlow returns one tensor.
func OneTensor(name string) bool {
	e := effects.Lookup(name)
	return e != nil && e.Effects.Has(effects.AddsOperation) && e.Returns == "" && !several[name] && !RunsPython[name]
}

// RunsPython are the functions of TensorFlow that run Python code in a graph.
var RunsPython = map[string]bool{"tensorflow.py_function": true, "tensorflow.numpy_function": true, "tensorflow.py_func": true}

// IsTensor reports whether an expression surely is one tensor, or a variable.
func IsTensor(info *names.Info, n syntax.Node) bool { return newWalk(info).isTensor(n) }

// isTensor reports whether an expression surely is one tensor, or a variable.
func (w *walk) isTensor(n syntax.Node) bool {
	return w.facts.All(n, nil, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		switch n.Kind() {
		case syntax.UnaryOperator:
			return of(n.Child(syntax.FieldArgument))
		case syntax.BinaryOperator:
			return of(n.Child(syntax.FieldLeft)) || of(n.Child(syntax.FieldRight))
		case syntax.Subscript:
			return of(n.Child(syntax.FieldValue))
		case syntax.AugmentedAssignment:
			return of(n.Child(syntax.FieldRight))
		case syntax.Attribute:
			return w.info.TypeOf(n).Class == "tensorflow.Variable"
		case syntax.Call:
			return w.info.TypeOf(n).Class == "tensorflow.Variable" || OneTensor(w.info.Callee(n)) || w.layerReturns(origin, same)
		case syntax.Identifier:
			bindings := w.info.ReachingDefs(n)
			return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
				switch b.Kind {
				case names.ForBinding:
					return b.Node.Field() != syntax.FieldLeft || !of(b.Value) // an element that is unpacked
				case names.AssignBinding, names.WithBinding, names.UnpackBinding, names.FromBinding, names.AugmentedBinding:
					return false // another origin
				}
				return true
			})
		}
		return false
	})
}

// layerReturns reports whether a layer, a sequential model or the object of the program that a call runs
// returns one tensor.
func (w *walk) layerReturns(call origins.Place, same func(origins.Place) bool) bool {
	of := w.info.TypeOf(call.Node.Child(syntax.FieldFunction))
	if of.Local == nil && of.Class != "" {
		return len(call.Path) == 0 && (of.Class == "tensorflow.keras.Sequential" || strings.HasPrefix(of.Class, "tensorflow.keras.layers.") && !several[of.Class])
	}
	ran := RanBy(w.info, call.Node)
	return len(ran) > 0 && !slices.ContainsFunc(ran, func(f *names.Function) bool {
		in := w.facts.Enter(f, call.Node, call.In)
		return len(f.Returns) == 0 || f.Yields || slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !same(origins.Place{Node: r, Path: call.Path, In: in}) })
	})
}

// Computed reports whether an expression is a tensor that a trace of a function has: an unchanged
// parameter, or what TensorFlow code in the function computes. A constant or a shape is none.
func Computed(info *names.Info, n syntax.Node, fn *names.Function) bool {
	w := newWalk(info)
	return w.computed(n, fn)
}

func (w *walk) computed(n syntax.Node, fn *names.Function) bool {
	inside := func(b *names.Binding) bool { return b.Scope.Func != nil && b.Scope.Sees(fn.Scope) }
	return w.facts.AnyUntil(origins.Place{Node: n}, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		if len(origin.Path) > 0 {
			return false
		}
		switch n.Kind() {
		case syntax.Identifier:
			return slices.ContainsFunc(w.info.ReachingDefs(n), func(b *names.Binding) bool {
				switch b.Kind {
				case names.AugmentedBinding:
					return of(b.Value)
				case names.ForBinding:
					return b.Scope.Sees(fn.Scope) && Symbolic(w.info, b.Value)
				case names.ParameterBinding:
					return b.Scope.Sees(fn.Scope) && !b.Value.Valid() && !b.Annotation.Valid() && !w.info.TypeOf(n).Known() && !w.givenPython(b)
				}
				return false
			})
		case syntax.BinaryOperator:
			return of(n.Child(syntax.FieldLeft)) || of(n.Child(syntax.FieldRight))
		case syntax.List, syntax.Tuple: // the argument of extend
			return slices.ContainsFunc(slices.Collect(n.Children()), of)
		case syntax.Call:
			if e := effects.Lookup(w.info.Callee(n)); e != nil {
				return e.Effects.Has(effects.AddsOperation|effects.TakesGradient) && e.Returns == ""
			}
			// A layer, a model, a loss: calling a Keras object returns tensors.
			t := w.info.TypeOf(n.Child(syntax.FieldFunction))
			return strings.HasPrefix(t.Class, "tensorflow.keras.") || t.Local != nil && w.info.Inherits(t.Local, "tensorflow.keras.layers.Layer")
		}
		return false
	}, func(p origins.Place) bool {
		return p.Node.Is(syntax.Call, syntax.Attribute, syntax.Subscript) || p.Node.Kind() == syntax.Identifier &&
			slices.ContainsFunc(w.info.ReachingDefs(p.Node), func(b *names.Binding) bool { return b.Kind != names.AssignBinding || !inside(b) })
	})
}

// Symbolic reports whether a loop over an expression becomes part of the graph.
func Symbolic(info *names.Info, n syntax.Node) bool {
	if n.Kind() != syntax.Call {
		return false
	}
	q := info.Callee(n)
	return info.IsA(info.TypeOf(n).Class, "tensorflow.data.Dataset") || OneTensor(q)
}

// givenPython reports whether every visible call of a parameter's function passes a Python number,
// string or flag for it, which is not a tensor of the trace.
func (w *walk) givenPython(parameter *names.Binding) bool {
	calls := w.info.CallsOf(parameter.Scope.Func)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call syntax.Node) bool {
		return !w.ofPython(parameter.Scope.Func.Passed(call, parameter.Name))
	})
}

// ofPython reports whether an expression is a literal, or a name bound only to literals and to the
// reward and the flags that an environment's step returns after the observation.
func (w *walk) ofPython(n syntax.Node) bool {
	bindings := w.info.ReachingDefs(n)
	return isLiteral(n) || n.Kind() == syntax.Identifier && len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		switch b.Kind {
		case names.AssignBinding:
			return !isLiteral(b.Value)
		case names.UnpackBinding:
			return len(b.Path) != 1 || b.Path[0] == 0 || !StepsEnvironment(w.info, b.Value)
		}
		return true
	})
}

func isLiteral(n syntax.Node) bool {
	return n.Is(syntax.Integer, syntax.Float, syntax.String, syntax.True, syntax.False)
}

// StepsEnvironment reports whether an expression is a step of an environment of Gymnasium, or of
// Gym before it.
func StepsEnvironment(info *names.Info, n syntax.Node) bool {
	if n.Kind() != syntax.Call || n.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() != "step" {
		return false
	}
	made := info.DefiningExpr(n.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	if made.Kind() != syntax.Call {
		return false
	}
	name := info.Callee(made)
	return name == "gymnasium.make" || name == "gym.make"
}
