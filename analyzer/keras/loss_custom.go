package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An ownLoss holds the operations of the program's own loss on a model's output and its target.
type ownLoss struct {
	guess, truth *Symbolic
	body         *body
}

// compares follows the loss passed to compile on tensors of the shapes of a batch. That may be a
// function of the program, an object with a call of its own, or Keras's CTC. If it cannot be
// followed, nothing is known of it.
func (v *modelValue) compares(in *value.Interp, data, targets value.Value) {
	m := v.model
	if m.Compiled == nil || len(m.Outputs) != 1 || v.h.tracing > 0 || v.h.recorder != nil {
		return
	}
	if _, d, known := arrays.Of(targets); known && !d.Floating() {
		m.Compiled.Labels = d // others become float32
	}
	loss := m.Compiled.loss
	switch x := loss.X.(type) {
	case *value.Func, *value.Bound:
	case *lossValue:
		// The length of the labels decides the shapes in this loss, and an output does not
		// determine it.
		if lossName(x.name) != "ctc" {
			return
		}
	case *value.Instance:
		loss = in.Attr(loss, "call")
	default:
		return
	}
	batch, _ := v.h.wholeBatch(data, targets)
	parts, _ := batch.X.(value.Tuple)
	if len(parts) < 2 {
		return
	}
	truth, ok := parts[1].X.(*symbolicValue)
	if !ok || len(truth.s.Shape) == 0 || len(m.Outputs[0].Shape) == 0 {
		return
	}
	own := &ownLoss{guess: &Symbolic{Shape: m.Outputs[0].Shape, DType: m.Outputs[0].DType}, truth: &Symbolic{Shape: truth.s.Shape, DType: truth.s.DType}}
	if own.truth.DType == "float64" {
		own.truth.DType = "float32" // keras/src/losses/loss.py, Loss.__call__
	}
	v.h.tracing++
	result := in.Call(loss, &value.Args{Positional: []value.Value{v.h.tensor(own.truth), v.h.tensor(own.guess)}, Node: m.Compiled.Node})
	v.h.tracing--
	if _, ok := result.X.(*symbolicValue); !ok {
		return
	}
	_, own.body = v.h.bodyOf(result, []*Symbolic{own.guess, own.truth})
	m.Compiled.own = own
}

// Compares adds the operations of the loss of the n-th output to g, and returns its result and
// the target. They are nil if the operations are unknown.
func (c *Compile) Compares(g *Graph, number int, output *Tensor) (loss, truth *Tensor) {
	if c == nil {
		return nil, nil
	}
	if c.own == nil {
		l, known := at(c.parts, number)
		if !known {
			return nil, nil
		}
		truth = c.truth(number, output)
		return l.lower(g, output, truth, false), truth
	}
	truth = &Tensor{Shape: c.own.truth.Shape.With(0, output.Shape[0]), DType: c.own.truth.DType}
	if _, ok := truth.Shape.Elements(); !ok {
		return nil, nil
	}
	from := len(g.Ops)
	out, err := c.own.body.lower(g, []*Tensor{output, truth})
	known := err == nil && len(out) == 1 && out[0].Grad
	for _, op := range g.Ops[from:] {
		for _, t := range op.Out {
			if _, ok := t.Shape.Elements(); !ok {
				known = false
			}
		}
	}
	if !known {
		g.Ops = g.Ops[:from]
		return nil, nil
	}
	return out[0], truth
}

// truth returns the target of an output: a tensor of its shape, or a number for each of its rows.
func (c *Compile) truth(number int, output *Tensor) *Tensor {
	if strings.HasPrefix(c.Loss(number), "sparse") {
		return &Tensor{Shape: oneARow(output.Shape), DType: "float32"}
	}
	return &Tensor{Shape: output.Shape, DType: "float32"}
}
