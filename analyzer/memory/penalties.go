package memory

import "github.com/tfmem/tfmem/analyzer/graph"

// penalize adds what regularizers compute from the updated weights: their squares or absolute
// values, the sums of these, and the gradients of the sums. None needs a batch. TensorFlow
// computes all of them when the step begins, and the gradients wait for those of the loss
// (keras/src/regularizers/regularizers.py; tensorflow/python/ops/math_grad.py, _SquareGrad,
// _AbsGrad).
func (b *builder) penalize(update *graph.Op) {
	b.phase, b.layer = Forward, nil
	var sums []*buffer
	for i, w := range update.Update.Weights {
		for range w.Penalties {
			sums = append(sums, b.made(w.Bytes(), nil))
			if b.penalties == nil {
				b.penalties = make([][]pending, b.places.count)
			}
			gradient := b.made(w.Bytes(), nil)
			gradient.kind = Gradients
			at := b.places.slot(update, i)
			b.penalties[at] = append(b.penalties[at], pending{gradient: gradient})
		}
	}
	for _, each := range sums {
		b.run([]*buffer{each})
	}
}
