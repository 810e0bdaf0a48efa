package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Quantization is what quantize makes of a layer (keras/src/layers/core/dense.py, quantize). The
// layer has other weights from then on, and other operations.
type Quantization struct {
	Mode    string // "int8", "int4", "float8"
	Group   int64  // for int4: how many rows of the kernel share a scale; 0 for all
	Weights []*Weight
	Why     *value.Cause // why it is not known how the layer runs; nil if it is
}

// Named returns a weight of the quantized layer, or nil.
func (q *Quantization) Named(name string) *Weight { return named(q.Weights, name) }

// Quantized returns what a layer is quantized to in a snapshot, or nil.
func (l *Layer) Quantized(at *TrainableSnapshot) *Quantization {
	if l.Low == nil || !at.Trains(&l.isLow) {
		return nil
	}
	return l.Low
}

// weightsIn returns the weights of a layer in a snapshot.
func (l *Layer) weightsIn(at *TrainableSnapshot) []*Weight {
	if q := l.Quantized(at); q != nil {
		return q.Weights
	}
	return l.Weights
}

// Quantizable reports whether Keras has quantized forms of a layer of this class
// (keras/src/layers/core: dense.py, einsum_dense.py, embedding.py, reversible_embedding.py).
func (l *Layer) Quantizable() bool {
	switch l.Class {
	case "Dense", "EinsumDense", "Embedding", "ReversibleEmbedding":
		return true
	}
	return false
}

// A quantizing is the [value.State] of a layer's quantization.
type quantizing struct{ of *Layer }

type quantized struct {
	is  bool
	low *Quantization
}

func (s quantizing) Content() any {
	q := quantized{s.of.isLow, nil}
	if s.of.Low != nil {
		low := *s.of.Low
		low.Weights = slices.Clone(low.Weights)
		q.low = &low
	}
	return q
}

func (s quantizing) Restore(x any) { q := x.(quantized); s.of.isLow, s.of.Low = q.is, q.low }

func (quantizing) Either(a, b any, why *value.Cause) any {
	x, y := a.(quantized), b.(quantized)
	if x.is == y.is && (!x.is || x.low.Mode == y.low.Mode && slices.Equal(x.low.Weights, y.low.Weights)) {
		return y
	}
	if y.low == nil {
		y.low = x.low
	}
	low := *y.low
	low.Why = value.Because(value.UnmodelledUse, "whether it is quantized is not known: %s", why)
	return quantized{true, &low}
}

func (s quantizing) Born() int { return s.of.Born }

// Quantize changes the layer's quantization.
func (l *Layer) Quantize(in *value.Interp, to *Quantization) {
	if in != nil {
		in.Touch(quantizing{l})
	}
	l.isLow, l.Low = true, to
}

// AsMade returns the model as its weights are made, before quantize, and the size of the largest
// quantized kernel, which is there before the kernel that it replaces is freed.
func (m *Model) AsMade() (made *Model, largest int64) {
	at := &TrainableSnapshot{on: map[*bool]bool{}}
	m.eachLayer(func(l *Layer) {
		if l.Low == nil || l.OnBuilt != nil { // nil: it has a policy such as int8_from_float32
			return
		}
		at.on[&l.isLow] = false
		if w := l.Low.Weights; len(w) > 0 && w[0].DType == "int8" {
			largest = max(largest, w[0].Bytes())
		}
	})
	if len(at.on) == 0 {
		return m, 0
	}
	then := *m
	then.snapshot = at
	return &then, largest
}

// eachLayer visits the layers of a model, and those inside them.
func (m *Model) eachLayer(visit func(l *Layer)) {
	for _, layers := range [][]*Layer{m.Layers(), m.Held} {
		for _, l := range layers {
			l.each(visit)
		}
	}
}

func (l *Layer) each(visit func(l *Layer)) {
	visit(l)
	if l.Inner != nil {
		l.Inner.eachLayer(visit)
		return
	}
	for _, p := range l.Parts() {
		p.each(visit)
	}
}
