package keras

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// lossValue is a loss: an instance of one of Keras's classes.
type lossValue struct {
	opaque
	h    *host
	name string // of its class
	rows bool   // it is not reduced: there is one for each row
	with *lossCall
}

// abbreviated are functions that keras.losses also exports in capitals.
var abbreviated = map[string]bool{"MSE": true, "MAE": true, "MAPE": true, "MSLE": true, "KLD": true}

// lossNamed returns the result of calling a name of keras.losses: an instance of a class, or the
// loss itself.
func (h *host) lossNamed(name string, args *value.Args) value.Value {
	if abbreviated[name] {
		name = strings.ToLower(name)
	}
	if symbolic, _ := kinds(args); name != "" && name[0] >= 'a' && name[0] <= 'z' && (symbolic || len(args.Positional)+args.Keywords.Len() > 1) {
		return h.lossOf(name, true, lossWith(name, args, h.keras() == 2), args)
	}
	v := &lossValue{opaque{"a loss"}, h, name, false, lossWith(name, args, h.keras() == 2)}
	if how, ok := args.Keywords.Get("reduction"); ok {
		text, known := how.X.(string)
		if x, ok := how.X.(value.External); ok {
			text, known = x.Name[strings.LastIndexByte(x.Name, '.')+1:], true
		}
		_, none := how.X.(value.None)
		v.rows = none || known && strings.EqualFold(text, "none")
	}
	return value.Value{X: v}
}

// Call is loss(y_true, y_pred).
func (v *lossValue) Call(_ *value.Interp, args *value.Args) value.Value {
	return v.h.lossOf(v.name, v.rows, v.with, args)
}

func (v *lossValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if name == "call" || name == "__call__" {
		rows := v.rows || name == "call"
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return v.h.lossOf(v.name, rows, v.with, args) })
	}
	return v.base.GetAttr(in, name)
}

// lossOf adds the loss between predictions and targets.
func (h *host) lossOf(name string, rows bool, l *lossCall, args *value.Args) value.Value {
	truth, ok := objects.Passed(args, 0, "y_true", "target", "labels")
	guess, ok2 := objects.Passed(args, 1, "y_pred", "output", "logits")
	if !ok || !ok2 {
		return h.unknown(value.MissingArgument, "a loss is called with less than it compares")
	}
	return h.compare(name, guess, truth, func(guess, truth *Tensor) (Shape, DType, error) {
		if g, t := guess.Shape, truth.Shape; !l.keras2 && len(g) > 0 && len(t) > 0 && !comparable3(lossName(name), t.With(0, None), g.With(0, None)) {
			return nil, "", from3("%s compares predictions of the shape %s with labels of the shape %s", name, g, t)
		}
		shape := Shape{}
		if rows {
			shape = oneARow(guess.Shape)
		}
		return shape, "float32", nil
	}, l.typed, func(g *Graph, guess, truth *Tensor) *Tensor { return l.lower(g, guess, truth, rows) })
}

// compare adds the loss with a name. like returns the shape and the type of the result for
// predictions and targets. typed converts both to the types that it compares; lower adds the
// operations that the loss consists of, and returns nil if they are not known. Both functions may
// be nil.
func (h *host) compare(name string, guess, truth value.Value, like func(guess, truth *Tensor) (Shape, DType, error), typed func(g *Graph, guess, truth *Tensor) (*Tensor, *Tensor), lower func(g *Graph, guess, truth *Tensor) *Tensor) value.Value {
	pair, why := h.operands([]value.Value{guess, truth})
	if why != nil {
		return why.Unknown()
	}
	return h.operate("Loss", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, d, err := like(in[0], in[1])
		if err != nil {
			return nil, err
		}
		if lower != nil && g.apart {
			if out := lower(g, in[0], in[1]); out != nil && slices.Equal(out.Shape, shape) {
				return []*Tensor{out}, nil
			}
		}
		if typed != nil {
			guess, truth := typed(g, in[0], in[1])
			in = []*Tensor{guess, truth}
		}
		out, op := g.add(OpLoss, in, shape, d)
		op.Loss = lossName(name)
		return []*Tensor{out}, nil
	})
}

// compiledLoss is compute_loss and compiled_loss, which models inherit: the loss passed to
// compile, and those that layers add (keras/src/trainers/trainer.py, compute_loss).
func (v *modelValue) compiledLoss(in *value.Interp, name string, args *value.Args) (out value.Value) {
	at, more := 0, args.Keywords.Value("regularization_losses")
	if name == "compute_loss" {
		at, more = 1, v.losses() // x comes first
	}
	defer func() {
		for _, s := range tensorsIn(more) {
			if out.Known() {
				out = v.h.binary(OpAdd, out, v.h.tensor(s))
			}
		}
	}()
	truth, _ := objects.Passed(args, at, "y", "y_true")
	guess, ok := objects.Passed(args, at+1, "y_pred")
	if v.model.Compiled == nil || !ok {
		return v.h.lose(value.Because(value.UnmodelledTraining, "the loss that the model is compiled with is not known"))
	}
	pair := &value.Args{Positional: []value.Value{truth, guess}, Node: args.Node}
	loss := v.model.Compiled.loss
	switch x := loss.X.(type) {
	case string:
		return v.h.lossOf(x, false, lossWith(x, nil, v.h.keras() == 2), pair)
	case *value.Func, *value.Bound, *lossValue, *value.Instance:
		return in.Call(loss, pair)
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return v.h.lossOf(name, false, lossWith(name, nil, v.h.keras() == 2), pair)
		}
	}
	return v.h.lose(value.Because(value.UnmodelledTraining, "the loss that the model is compiled with is not followed"))
}

// compares is for the functions of TensorFlow and of keras.ops that compare scores with labels.
// shape returns the shape of the result.
func compares(shape func(scores, labels Shape) (Shape, error)) function {
	return func(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
		truth, ok := objects.Passed(args, 0, "labels", "target")
		guess, ok2 := objects.Passed(args, 1, "logits", "output")
		if !ok || !ok2 {
			return h.unknown(value.MissingArgument, "%s is called with less than it compares", name)
		}
		return h.compare(name, guess, truth, func(scores, labels *Tensor) (Shape, DType, error) {
			out, err := shape(scores.Shape, labels.Shape)
			return out, scores.DType, err
		}, nil, nil)
	}
}

// forElements is for losses with a number for each score.
func forElements(scores, _ Shape) (Shape, error) { return scores, nil }

// forRows is for losses with a number for each row of scores.
func forRows(scores, _ Shape) (Shape, error) { return oneARow(scores), nil }

// oneARow returns the shape of a number for each row of a tensor.
func oneARow(s Shape) Shape { return s[:max(len(s)-1, 0)] }

// forSequences is for losses with a number for each row of labels that are padded to one length,
// such as tf.nn.ctc_loss and keras.ops.ctc_loss.
func forSequences(scores, labels Shape) (Shape, error) {
	if len(scores) != 3 || len(labels) != 2 {
		return nil, value.Because(value.UnmodelledOperation, "ctc_loss of scores of the shape %s and labels of the shape %s is not followed", scores, labels)
	}
	return labels[:1], nil
}

// averageLoss is tf.nn.compute_average_loss: the sum of the losses of examples divided by the
// batch size of all replicas.
func averageLoss(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	of, ok := args.Get(0, "per_example_loss")
	if !ok {
		return h.unknown(value.MissingArgument, "tf.nn.compute_average_loss is called without losses")
	}
	return reduction(h, in, "reduce_mean", &value.Args{Positional: []value.Value{of}, Node: args.Node})
}

// lossFunctions are losses as functions of tensors.
var lossFunctions = []functionRow{
	{averageLoss, "compute_average_loss"},
	{compares(forElements), "sigmoid_cross_entropy_with_logits binary_crossentropy"},
	{compares(forRows), "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits categorical_crossentropy sparse_categorical_crossentropy"},
	{compares(forSequences), "ctc_loss"},
	{weightedLoss, "weighted_cross_entropy_with_logits"},
}

// weightedLoss is tf.nn.weighted_cross_entropy_with_logits, as TensorFlow computes it
// (tensorflow/python/ops/nn_impl.py).
func weightedLoss(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	labels, _ := args.Get(0, "labels")
	logits, _ := args.Get(1, "logits")
	if why := cmp.Or(labels.Cause(), logits.Cause()); why != nil {
		return h.unknown(value.UnmodelledUse, "what %s compares is not known: %s", name, why)
	}
	c, number := calls{h, in}, value.Value{X: 1.0}
	weight := h.binary(OpAdd, number, h.binary(OpMultiply, number, labels))
	decay := c.do("log1p", c.do("exp", c.do("negative", c.do("abs", logits))))
	penalty := h.binary(OpAdd, decay, c.do("relu", c.do("negative", logits)))
	return h.binary(OpAdd, h.binary(OpMultiply, h.binary(OpSubtract, number, labels), logits), h.binary(OpMultiply, weight, penalty))
}

// lossName returns the name of a loss without underscores and in lower case.
func lossName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
