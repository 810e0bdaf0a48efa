package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// penalize adds what regularizers compute from the updated weights: their squares or absolute
// values, the sums of these, and the gradients of the sums. None needs a batch. TensorFlow
// computes all of them when the step begins, and the gradients wait for those of the loss
// (keras/src/regularizers/regularizers.py; tensorflow/python/ops/math_grad.py, _SquareGrad,
// _AbsGrad).
func (b *Builder) penalize(update *graph.Op) {
	b.Phase, b.Layer = Forward, nil
	var sums []*Buffer
	for i, w := range update.Update.Weights {
		for range w.Penalties {
			sums = append(sums, b.made(w.Bytes(), nil))
			if b.penalties == nil {
				b.penalties = make([][]pending, b.Places.Count)
			}
			gradient := b.made(w.Bytes(), nil)
			gradient.Kind = Gradients
			at := b.Places.Slot(update, i)
			b.penalties[at] = append(b.penalties[at], pending{gradient: gradient})
		}
	}
	for _, each := range sums {
		b.Run([]*Buffer{each})
	}
}
