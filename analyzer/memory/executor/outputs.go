package executor

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// Bypass finds the outputs that come straight out of a softmax and are compared with categories.
// Keras takes the scores themselves, so no gradient flows through the softmax
// (keras/src/backend/tensorflow/nn.py, _get_logits). If no metric reads the output either, the
// step does not run the softmax.
func (l *Lowered) Bypass(c *graph.Compile) {
	l.bypassed = make([]bool, len(l.Outputs))
	for i, t := range l.Outputs {
		op := t.From
		if op == nil || len(op.In) != 1 || !c.ReadsScores(i, op) || l.read(t) {
			continue
		}
		l.bypassed[i] = true
		op.Keep, op.HoistedGrad, op.HoistedSizes = nil, nil, nil
		if !c.Measures && !l.Graph.Eagerly {
			l.drop(op)
		}
	}
}

// Prune removes from the step what leads only to outputs without a loss: nothing reads it,
// because compiled steps return no output. A layer with frozen weights stays, because it may
// change them.
func (l *Lowered) Prune(c *graph.Compile) {
	for i, t := range l.Outputs {
		if !c.Skips(i) {
			continue
		}
		unread := []*graph.Tensor{t}
		for len(unread) > 0 {
			op := unread[len(unread)-1].From
			unread = unread[:len(unread)-1]
			if op == nil || l.serves(op, c) {
				continue
			}
			l.drop(op)
			unread = append(unread, op.In...)
		}
	}
}

// serves reports whether an operation has an effect in the step that trains the model.
func (l *Lowered) serves(op *graph.Op, c *graph.Compile) bool {
	if !slices.Contains(l.Graph.Ops, op) {
		return true // it is removed already
	}
	for _, w := range op.Weights {
		if !w.Trainable {
			return true
		}
	}
	for _, t := range op.Out {
		if l.read(t) || slices.Contains(l.Graph.Losses, t) {
			return true
		}
		for i, other := range l.Outputs {
			if other == t && !c.Skips(i) {
				return true
			}
		}
	}
	return false
}

// drop removes an operation from the step.
func (l *Lowered) drop(op *graph.Op) {
	l.dropAll(func(other *graph.Op) bool { return other == op })
}

// dropAll removes operations from the step.
func (l *Lowered) dropAll(drop func(*graph.Op) bool) {
	l.Graph.Ops = slices.DeleteFunc(l.Graph.Ops, drop)
	for n, op := range l.Graph.Ops {
		op.Number = n
	}
	l.Places.find(l.Graph.Ops)
}

// read reports whether an operation of the forward pass reads a tensor.
func (l *Lowered) read(t *graph.Tensor) bool {
	return slices.ContainsFunc(l.Graph.Ops, func(op *graph.Op) bool { return slices.Contains(op.In, t) })
}

// compared returns what the loss of an output reads.
func (l *Lowered) compared(output int) *graph.Tensor {
	t := l.Outputs[output]
	if l.bypassed != nil && l.bypassed[output] {
		return t.From.In[0]
	}
	return t
}

// ownLoss adds the operations of a loss, and returns its tensor. It returns nil if they are not
// known, and for those of Keras with XLA.
func (l *Lowered) ownLoss(c *graph.Compile, at int, output *graph.Tensor) *graph.Tensor {
	if c.Owned(at) == nil && l.bypassed == nil {
		return nil
	}
	from := len(l.Graph.Ops)
	loss, truth := c.Compares(l.Graph, at, output, l.Places.Trains)
	if loss == nil {
		return nil
	}
	l.Graph.Inputs = append(l.Graph.Inputs, truth) // it is resident as the batch is
	if c.Loss(at) == "" {
		l.Truth += truth.Bytes() // other targets are counted already
	}
	number := func(t *graph.Tensor) {
		if t.Number == 0 {
			t.Number = l.Tensors
			l.Tensors++
		}
	}
	number(truth)
	for i, op := range l.Graph.Ops[from:] {
		op.Number = from + i
		l.Places.add(op)
		for _, t := range op.Out {
			number(t)
		}
	}
	if c.Owned(at) != nil {
		l.Compared = append(l.Compared, l.Graph.Ops[from:]...)
	}
	return loss
}

// measuring returns the types of the tensors that a metric computes of each score of an output,
// one from the other. binary_accuracy compares the scores with a threshold, and the result with
// the target (keras/src/metrics/accuracy_metrics.py, binary_accuracy). Accuracy does so if there
// is one score (keras/src/trainers/compile_utils.py, get_metric). Other metrics take the
// differences, if the loss does not have them.
func measuring(c *graph.Compile, output int, t *graph.Tensor) []tensor.DType {
	if len(t.Shape) == 0 {
		return nil
	}
	if c.Splits || c.Ranks && t.Shape.Last() == 1 {
		return []tensor.DType{"bool", t.DType, "bool", "float32"}
	}
	switch c.Loss(output) {
	case "mae", "meanabsoluteerror", "mse", "meansquarederror":
		return nil
	}
	if c.Differs {
		return []tensor.DType{t.DType, t.DType}
	}
	return nil
}

// ranks reports whether a metric looks for the largest score of each row of an output as Keras 3
// does. It first reads the signs of all scores from their bits, and then a copy without negative
// zeros (keras/src/backend/tensorflow/numpy.py, argmax and signbit). Until then the output is
// held.
func ranks(c *graph.Compile, output int, o *graph.Optimizer) bool {
	return c.Ranks && o.Keras == 3 && strings.Contains(c.Loss(output), "categorical")
}

// measure adds the operations of an output's metrics that run before its loss, and returns a
// function that adds the rest. In the recorded graphs the largest score is computed before the
// loss has run, and other metrics after.
func (l *Lowered) measure(losses *graph.Compile, output int, optimizer *graph.Optimizer) (rest func()) {
	if losses == nil || !losses.Measures || l.bypassed == nil {
		return func() {}
	}
	t := l.Outputs[output]
	metrics := func(temp int64, of ...*graph.Tensor) {
		l.then(&graph.Op{Kind: graph.OpMetrics, In: of, ForwardTemp: temp}, &graph.Tensor{DType: "float32"})
	}
	if ranks(losses, output, optimizer) {
		n, _ := t.Shape.Elements()
		of := func(d tensor.DType) *graph.Tensor { return &graph.Tensor{Shape: tensor.Shape{n}, DType: d} }
		zero, cast, bits, signs := of("bool"), of("int32"), of("int32"), of("bool")
		l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{t}}, zero)
		if l.bypassed[output] {
			// The loss reads the scores before the activation, and waits for its labels.
			l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{t}, ForwardTemp: t.Bytes()}, signs)
			return func() { metrics(t.Bytes(), t, zero, signs) }
		}
		// The loss runs side by side. If it takes logarithms of the scores itself, these are as many
		// operations one after the other as it takes to find the signs.
		l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{t}, View: true}, cast)
		l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{cast}}, bits)
		return func() {
			l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{bits}}, signs)
			metrics(t.Bytes(), t, zero, signs)
		}
	}
	parts := measuring(losses, output, t)
	if parts == nil && losses.Ranks {
		metrics(0, t)
		return func() {}
	}
	return func() {
		of := t
		for _, d := range parts {
			part := &graph.Tensor{Shape: t.Shape, DType: d}
			l.then(&graph.Op{Kind: graph.OpMetrics, In: []*graph.Tensor{of}, InPlace: of != t && d == of.DType}, part)
			of = part
		}
		metrics(0, of)
	}
}
