package ops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// LossValue is a loss: an instance of one of Keras's classes.
type LossValue struct {
	state.Opaque
	h    *state.Host
	Name string // of its class
	rows bool   // it is not reduced: there is one for each row
	With *graph.LossCall
}

// abbreviated are functions that keras.losses also exports in capitals.
var abbreviated = map[string]bool{"MSE": true, "MAE": true, "MAPE": true, "MSLE": true, "KLD": true}

// LossNamed returns the result of calling a name of keras.losses: an instance of a class, or the
// loss itself.
func LossNamed(h *state.Host, name string, args *value.Args) value.Value {
	if abbreviated[name] {
		name = strings.ToLower(name)
	}
	if symbolic, _ := Kinds(args); name != "" && name[0] >= 'a' && name[0] <= 'z' && (symbolic || len(args.Positional)+args.Keywords.Len() > 1) {
		return LossOf(h, name, true, graph.LossWith(name, args, h.Keras() == 2), args)
	}
	v := &LossValue{state.Opaque{Base: "a loss"}, h, name, false, graph.LossWith(name, args, h.Keras() == 2)}
	if how, ok := args.Keywords.Get("reduction"); ok {
		v.rows = reducedBy(how) == "none"
	}
	return value.Value{X: v}
}

// reducedBy returns the name of a reduction of losses in small letters, or "" if it is not known.
func reducedBy(how value.Value) string {
	switch x := how.X.(type) {
	case value.None:
		return "none"
	case string:
		return strings.ToLower(x)
	case value.External:
		return strings.ToLower(x.Name[strings.LastIndexByte(x.Name, '.')+1:])
	}
	return ""
}

// Call is loss(y_true, y_pred).
func (v *LossValue) Call(_ *value.Interp, args *value.Args) value.Value {
	return LossOf(v.h, v.Name, v.rows, v.With, args)
}

func (v *LossValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if name == "call" || name == "__call__" {
		rows := v.rows || name == "call"
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return LossOf(v.h, v.Name, rows, v.With, args) })
	}
	return v.Base.GetAttr(in, name)
}

// LossOf adds the loss between predictions and targets.
func LossOf(h *state.Host, name string, rows bool, l *graph.LossCall, args *value.Args) value.Value {
	truth, ok := objects.Passed(args, 0, "y_true", "target", "labels")
	guess, ok2 := objects.Passed(args, 1, "y_pred", "output", "logits")
	if !ok || !ok2 {
		return h.Unknown(value.MissingArgument, "a loss is called with less than it compares")
	}
	if s, ok := guess.X.(*SymbolicValue); ok && graph.LossName(name) == "categoricalcrossentropy" {
		if labels, ok := truth.X.(*SymbolicValue); ok {
			Settle(h, labels.S, s.S.Shape, 1) // both have one shape (keras/src/backend/tensorflow/nn.py)
		}
	}
	return compare(h, name, guess, truth, func(guess, truth *graph.Tensor) (tensor.Shape, tensor.DType, error) {
		if g, t := guess.Shape, truth.Shape; !l.Keras2 && len(g) > 0 && len(t) > 0 && !layers.ComparableInKeras3(graph.LossName(name), t.With(0, tensor.None), g.With(0, tensor.None)) {
			return nil, "", layers.FromKeras3("%s compares predictions of the shape %s with labels of the shape %s", name, g, t)
		}
		shape := tensor.Shape{}
		if rows {
			shape = graph.OneARow(guess.Shape)
		}
		return shape, "float32", nil
	}, l.Typed, func(g *graph.Graph, guess, truth *graph.Tensor) *graph.Tensor { return l.Lower(g, guess, truth, rows) })
}

// compare adds the loss with a name. like returns the shape and the type of the result for
// predictions and targets. typed converts both to the types that it compares; lower adds the
// operations that the loss consists of, and returns nil if they are not known. Both functions may
// be nil.
func compare(h *state.Host, name string, guess, truth value.Value, like func(guess, truth *graph.Tensor) (tensor.Shape, tensor.DType, error), typed func(g *graph.Graph, guess, truth *graph.Tensor) (*graph.Tensor, *graph.Tensor), lower func(g *graph.Graph, guess, truth *graph.Tensor) *graph.Tensor) value.Value {
	return OnAll(h, "Loss", []value.Value{guess, truth}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, d, err := like(in[0], in[1])
		if err != nil {
			return nil, err
		}
		if lower != nil && g.Apart {
			if out := lower(g, in[0], in[1]); out != nil && slices.Equal(out.Shape, shape) {
				return []*graph.Tensor{out}, nil
			}
		}
		if typed != nil {
			guess, truth := typed(g, in[0], in[1])
			in = []*graph.Tensor{guess, truth}
		}
		out, op := g.Add(graph.OpLoss, in, shape, d)
		op.Loss = graph.LossName(name)
		return []*graph.Tensor{out}, nil
	})
}

// compares is for the functions of TensorFlow and of keras.ops that compare scores with labels.
// shape returns the shape of the result.
func compares(shape func(scores, labels tensor.Shape) (tensor.Shape, error)) state.Function {
	return func(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
		truth, ok := objects.Passed(args, 0, "labels", "target")
		guess, ok2 := objects.Passed(args, 1, "logits", "output")
		if !ok || !ok2 {
			return h.Unknown(value.MissingArgument, "%s is called with less than it compares", name)
		}
		return compare(h, name, guess, truth, func(scores, labels *graph.Tensor) (tensor.Shape, tensor.DType, error) {
			out, err := shape(scores.Shape, labels.Shape)
			return out, scores.DType, err
		}, nil, nil)
	}
}

// forElements is for losses with a number for each score.
func forElements(scores, _ tensor.Shape) (tensor.Shape, error) { return scores, nil }

// forRows is for losses with a number for each row of scores.
func forRows(scores, _ tensor.Shape) (tensor.Shape, error) { return graph.OneARow(scores), nil }

// forSequences is for losses with a number for each row of labels that are padded to one length,
// such as tf.nn.ctc_loss and keras.ops.ctc_loss.
func forSequences(scores, labels tensor.Shape) (tensor.Shape, error) {
	if len(scores) != 3 || len(labels) != 2 {
		return nil, value.Because(value.UnmodelledOperation, "ctc_loss of scores of the shape %s and labels of the shape %s is not followed", scores, labels)
	}
	return labels[:1], nil
}

// averageLoss is tf.nn.compute_average_loss: the sum of the losses of examples divided by the
// batch size of all replicas.
func averageLoss(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	of, ok := args.Get(0, "per_example_loss")
	if !ok {
		return h.Unknown(value.MissingArgument, "tf.nn.compute_average_loss is called without losses")
	}
	return reduction(h, in, "reduce_mean", &value.Args{Positional: []value.Value{of}, Node: args.Node})
}

// LossFunctions are losses as functions of tensors.
var LossFunctions = []FunctionRow{
	{averageLoss, "compute_average_loss"},
	{sigmoidLoss, "sigmoid_cross_entropy_with_logits"},
	{compares(forElements), "binary_crossentropy"},
	{compares(forRows), "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits categorical_crossentropy sparse_categorical_crossentropy"},
	{compares(forSequences), "ctc_loss"},
	{weightedLoss, "weighted_cross_entropy_with_logits"},
}

// sigmoidLoss is tf.nn.sigmoid_cross_entropy_with_logits, as TensorFlow computes it
// (tensorflow/python/ops/nn_impl.py).
func sigmoidLoss(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	labels, _ := objects.Passed(args, 0, "labels", "target")
	logits, _ := objects.Passed(args, 1, "logits", "output")
	if why := cmp.Or(labels.Cause(), logits.Cause()); why != nil {
		return h.Unknown(value.UnmodelledUse, "the inputs of %s are not known: %s", name, why)
	}
	c := calls{h, in}
	zeros := c.do("zeros_like", logits)
	positive := c.do("greater_equal", logits, zeros)
	above := c.do("where", positive, logits, zeros)
	below := c.do("where", positive, c.do("negative", logits), logits)
	return Binary(h, graph.OpAdd, Binary(h, graph.OpSubtract, above, Binary(h, graph.OpMultiply, logits, labels)), c.do("log1p", c.do("exp", below)))
}

// weightedLoss is tf.nn.weighted_cross_entropy_with_logits, as TensorFlow computes it
// (tensorflow/python/ops/nn_impl.py).
func weightedLoss(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	labels, _ := args.Get(0, "labels")
	logits, _ := args.Get(1, "logits")
	if why := cmp.Or(labels.Cause(), logits.Cause()); why != nil {
		return h.Unknown(value.UnmodelledUse, "the inputs of %s are not known: %s", name, why)
	}
	c, number := calls{h, in}, value.Value{X: 1.0}
	weight := Binary(h, graph.OpAdd, number, Binary(h, graph.OpMultiply, number, labels))
	decay := c.do("log1p", c.do("exp", c.do("negative", c.do("abs", logits))))
	penalty := Binary(h, graph.OpAdd, decay, c.do("relu", c.do("negative", logits)))
	return Binary(h, graph.OpAdd, Binary(h, graph.OpMultiply, Binary(h, graph.OpSubtract, number, labels), logits), Binary(h, graph.OpMultiply, weight, penalty))
}
