package keras

import (
	"github.com/tfmem/tfmem/analyzer/value"
)

// An activity is what the activity_regularizer of a layer adds to the loss, for each tensor that
// the layer returns (keras/src/layers/layer.py, __call__). Keras 2 divides each term by the batch
// size (tf_keras/src/engine/base_layer.py, _handle_activity_regularization).
type activity struct {
	sums []string // of absolute values, of squares
	// of is a regularizer of the program, and bodies are its operations on tensors of several
	// shapes.
	of     value.Value
	h      *host
	in     *value.Interp
	bodies []*body
}

// activityOf reads the activity regularizer of a layer's arguments. It returns nil if there is
// none. ActivityRegularization is a layer of its own
// (keras/src/layers/regularization/activity_regularization.py). Attention passes its regularizer
// to inner layers, which is not followed (keras/src/layers/attention/multi_head_attention.py,
// _get_common_kwargs_for_sublayer).
func (h *host) activityOf(in *value.Interp, class string, args *value.Args) *activity {
	switch class {
	case "ActivityRegularization":
		return h.activity(in, value.Value{X: regularizerOf("l1l2", args)})
	case "MultiHeadAttention", "GroupQueryAttention":
		return nil
	}
	return h.activity(in, args.Keywords.Value("activity_regularizer"))
}

func (h *host) activity(in *value.Interp, regularizer value.Value) *activity {
	switch regularizer.X.(type) {
	case *value.Func, *value.Bound, *value.Instance:
		return &activity{of: regularizer, h: h, in: in}
	}
	if sums := sumsOf(regularizer); len(sums) > 0 {
		return &activity{sums: sums}
	}
	return nil
}

// follow runs a regularizer of the program on tensors like those that a layer returns.
func (a *activity) follow(out []*Tensor) {
	if a == nil || a.of.X == nil {
		return
	}
	for _, t := range out {
		if a.body(t) != nil {
			continue
		}
		x := &Symbolic{Shape: t.Shape, DType: t.DType}
		a.h.tracing++
		loss := a.in.Call(a.of, &value.Args{Positional: []value.Value{a.h.tensor(x)}})
		a.h.tracing--
		if _, ok := loss.X.(*symbolicValue); ok {
			_, b := a.h.bodyOf(loss, []*Symbolic{x})
			a.bodies = append(a.bodies, b)
		}
	}
}

// body returns the operations of the program's regularizer on such a tensor, or nil.
func (a *activity) body(t *Tensor) *body {
	for _, b := range a.bodies {
		if b.takes([]*Tensor{t}) {
			return b
		}
	}
	return nil
}

// adds adds the regularization of a layer's outputs to the loss.
func (a *activity) adds(g *Graph, out []*Tensor) error {
	if a == nil || !g.Trains {
		return nil
	}
	for _, t := range out {
		loss := a.sum(g, t)
		if b := a.body(t); b != nil {
			made, err := b.lower(g, []*Tensor{t})
			if err != nil {
				return err
			}
			loss = made[0]
		}
		if loss != nil {
			g.addLoss(loss)
		}
	}
	return nil
}

// sum adds Keras's own regularization of a tensor, nil if there is none: sums, each times a
// number (keras/src/regularizers/regularizers.py).
func (a *activity) sum(g *Graph, t *Tensor) (loss *Tensor) {
	for _, of := range a.sums {
		kind := OpAbs
		if of == "l2" {
			kind = OpSquare
		}
		part := withNumber(g, OpMultiply, reduce(g, OpSum, unary(g, kind, t), Shape{}), true)
		if loss != nil {
			part, _ = combine(g, OpAdd, loss, part) // of two numbers
		}
		loss = part
	}
	return loss
}

// regularize adds the activity regularization of a custom layer's outputs to the losses of its
// call.
func (v *custom) regularize(in *value.Interp, b *body) {
	a, _ := v.layer.activity.(*activity)
	if a == nil {
		return
	}
	for _, s := range b.out {
		x := v.h.tensor(s)
		if a.of.X != nil {
			x = in.Call(a.of, &value.Args{Positional: []value.Value{x}})
		} else {
			x = v.h.operate("regularizer", []*Symbolic{s}, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
				return []*Tensor{a.sum(g, in[0])}, nil
			})
		}
		v.h.losses = append(v.h.losses, tensorsIn(x)...)
	}
}
