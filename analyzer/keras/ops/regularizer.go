package ops

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Activity is what the activity_regularizer of a layer adds to the loss, for each tensor that
// the layer returns (keras/src/layers/layer.py, __call__). Keras 2 divides each term by the batch
// size (tf_keras/src/engine/base_layer.py, _handle_activity_regularization).
type Activity struct {
	sums   []graph.Penalty
	keras2 bool
	// Of is a regularizer of the program, and bodies are its operations on tensors of several
	// shapes.
	Of     value.Value
	h      *state.Host
	in     *value.Interp
	bodies []*graph.Body
}

// ActivityOf reads the activity regularizer of a layer's arguments. It returns nil if there is
// none. ActivityRegularization is a layer of its own
// (keras/src/layers/regularization/activity_regularization.py). Attention passes its regularizer
// to inner layers, which is not followed (keras/src/layers/attention/multi_head_attention.py,
// _get_common_kwargs_for_sublayer).
func ActivityOf(h *state.Host, in *value.Interp, class string, args *value.Args) *Activity {
	switch class {
	case "ActivityRegularization":
		return RegularizedActivity(h, in, value.Value{X: layers.RegularizerOf("l1l2", args)})
	case "MultiHeadAttention", "GroupQueryAttention":
		return nil
	}
	return RegularizedActivity(h, in, args.Keywords.Value("activity_regularizer"))
}

func RegularizedActivity(h *state.Host, in *value.Interp, regularizer value.Value) *Activity {
	switch regularizer.X.(type) {
	case *value.Func, *value.Bound, *value.Instance:
		return &Activity{Of: regularizer, h: h, in: in}
	}
	if sums := layers.PenaltiesOf(regularizer); len(sums) > 0 {
		return &Activity{sums: sums, keras2: h.Keras() == 2}
	}
	return nil
}

// Follow runs a regularizer of the program on tensors like those that a layer returns.
func (a *Activity) Follow(out []*graph.Tensor) {
	if a == nil || a.Of.X == nil {
		return
	}
	for _, t := range out {
		if a.body(t) != nil {
			continue
		}
		x := &graph.Symbolic{Shape: t.Shape, DType: t.DType}
		end := a.h.Calls.Trace()
		loss := interp.Call(a.in, a.Of, &value.Args{Positional: []value.Value{Tensor(a.h, x)}})
		end()
		if _, ok := loss.X.(*SymbolicValue); ok {
			_, b := BodyOf(a.h, loss, []*graph.Symbolic{x})
			a.bodies = append(a.bodies, b)
		}
	}
}

// body returns the operations of the program's regularizer on such a tensor, or nil.
func (a *Activity) body(t *graph.Tensor) *graph.Body {
	for _, b := range a.bodies {
		if b.Takes([]*graph.Tensor{t}) {
			return b
		}
	}
	return nil
}

// Adds adds the regularization of a layer's outputs to the loss.
func (a *Activity) Adds(g *graph.Graph, out []*graph.Tensor) error {
	if a == nil || !g.Trains {
		return nil
	}
	for _, t := range out {
		loss := a.Sum(g, t)
		if b := a.body(t); b != nil {
			made, err := b.Lower(g, []*graph.Tensor{t})
			if err != nil {
				return err
			}
			loss = made[0]
		}
		if loss != nil {
			g.AddLoss(loss)
		}
	}
	return nil
}

// Sum adds Keras's own regularization of a tensor, nil if there is none: sums, each times a
// number (keras/src/regularizers/regularizers.py). Keras 2 squares and sums in one kernel
// (tf_keras/src/regularizers.py).
func (a *Activity) Sum(g *graph.Graph, t *graph.Tensor) (loss *graph.Tensor) {
	for _, of := range a.sums {
		var sum *graph.Tensor
		switch {
		case of.Squares && a.keras2:
			sum = graph.L2Loss(g, t)
			if op := sum.From; !g.Eagerly { // its gradient waits for no other
				op.Keep, op.HoistedGrad, op.HoistedSizes = nil, []*graph.Tensor{t}, []int64{t.Bytes()}
			}
		case of.Squares:
			sum = graph.Reduce(g, graph.OpSum, graph.Unary(g, graph.OpSquare, t), tensor.Shape{})
		default:
			sum = graph.Reduce(g, graph.OpSum, graph.Unary(g, graph.OpAbs, t), tensor.Shape{})
		}
		part := graph.WithNumber(g, graph.OpMultiply, sum, true)
		if loss != nil {
			part, _ = graph.Combine(g, graph.OpAdd, loss, part) // of two numbers
		}
		loss = part
	}
	return loss
}
