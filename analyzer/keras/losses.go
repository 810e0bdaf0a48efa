package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// lossValue is a loss: an instance of one of Keras's classes.
type lossValue struct {
	opaque
	h    *host
	name string // of its class
	rows bool   // it is not reduced: there is one for each row
}

// lossNamed is what a name of keras.losses gives when it is called: an instance of a
// class, or the loss itself.
func (h *host) lossNamed(name string, args *value.Args) value.Value {
	if symbolic, _ := kinds(args); name != "" && name[0] >= 'a' && name[0] <= 'z' && (symbolic || len(args.Positional)+args.Keywords.Len() > 1) {
		return h.lossOf(name, true, args)
	}
	v := &lossValue{opaque{base{"a loss"}}, h, name, false}
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
	return v.h.lossOf(v.name, v.rows, args)
}

func (v *lossValue) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if name == "call" || name == "__call__" {
		rows := v.rows || name == "call"
		return method(func(_ *value.Interp, args *value.Args) value.Value { return v.h.lossOf(v.name, rows, args) })
	}
	return value.Value{}, false
}

// lossOf compares predictions with what they should be.
func (h *host) lossOf(name string, rows bool, args *value.Args) value.Value {
	truth, ok := passed(args, 0, "y_true", "target", "labels")
	guess, ok2 := passed(args, 1, "y_pred", "output", "logits")
	if !ok || !ok2 {
		return h.unknown("a loss is called with less than it compares")
	}
	pair, why := h.operands([]value.Value{guess, truth})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Loss", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape := Shape{}
		if n := len(in[0].Shape); rows && n > 0 {
			shape = in[0].Shape[:n-1]
		}
		out, op := g.add("Loss", in, shape, "float32")
		op.Loss = lossName(name)
		return []*Tensor{out}, nil
	})
}

// compiledLoss is compute_loss and compiled_loss, which Keras has a model inherit: the
// loss that compile was given.
func (v *modelValue) compiledLoss(in *value.Interp, name string, args *value.Args) value.Value {
	at := 0
	if name == "compute_loss" {
		at = 1 // x comes first
	}
	truth, _ := passed(args, at, "y", "y_true")
	guess, ok := passed(args, at+1, "y_pred")
	if v.model.Compiled == nil || !ok {
		return v.h.lose("the loss that the model is compiled with is not known")
	}
	pair := &value.Args{Positional: []value.Value{truth, guess}, Node: args.Node}
	loss := v.model.Compiled.loss
	switch x := loss.X.(type) {
	case string:
		return v.h.lossOf(x, false, pair)
	case *value.Func, *value.Bound, *lossValue, *value.Object:
		return in.Call(loss, pair)
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return v.h.lossOf(name, false, pair)
		}
	}
	return v.h.lose("the loss that the model is compiled with is not followed")
}

// crossEntropy are the functions of TensorFlow and of keras.ops that compare scores
// with labels: a number a row, or one for each element.
func crossEntropy(elementwise bool) function {
	return func(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
		truth, ok := passed(args, 0, "labels", "target")
		guess, ok2 := passed(args, 1, "logits", "output")
		if !ok || !ok2 {
			return h.unknown("%s is called with less than it compares", name)
		}
		pair, why := h.operands([]value.Value{guess, truth})
		if why != "" {
			return h.unknown("%s", why)
		}
		return h.operate("Loss", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			shape := in[0].Shape
			if n := len(shape); !elementwise && n > 0 {
				shape = shape[:n-1]
			}
			out, op := g.add("Loss", in, shape, in[0].DType)
			op.Loss = lossName(name)
			return []*Tensor{out}, nil
		})
	}
}

// ctcLoss is tf.nn.ctc_loss and keras.ops.ctc_loss, a number for each row of labels that
// are padded to one length.
func ctcLoss(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	truth, ok := passed(args, 0, "labels", "target")
	guess, ok2 := passed(args, 1, "logits", "output")
	if !ok || !ok2 {
		return h.unknown("%s is called with less than it compares", name)
	}
	pair, why := h.operands([]value.Value{guess, truth})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Loss", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		scores, labels := in[0].Shape, in[1].Shape
		if len(scores) != 3 || len(labels) != 2 {
			return nil, fmt.Errorf("%s of scores of the shape %s and labels of the shape %s is not followed", name, scores, labels)
		}
		out, op := g.add("Loss", in, labels[:1], in[0].DType)
		op.Loss = lossName(name)
		return []*Tensor{out}, nil
	})
}

// averageLoss is tf.nn.compute_average_loss: the sum of the losses of examples over how
// many there are in the batch of all replicas.
func averageLoss(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	of, ok := args.Get(0, "per_example_loss")
	if !ok {
		return h.unknown("tf.nn.compute_average_loss is called without losses")
	}
	return reduction(h, in, "reduce_mean", &value.Args{Positional: []value.Value{of}, Node: args.Node})
}

func init() {
	define(averageLoss, "compute_average_loss")
	define(ctcLoss, "ctc_loss")
	define(crossEntropy(true), "sigmoid_cross_entropy_with_logits", "binary_crossentropy")
	define(crossEntropy(false), "softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits", "categorical_crossentropy", "sparse_categorical_crossentropy")
}

// lossName is the name of a loss without underscores and in lower case.
func lossName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
