package memory

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// targets is the bytes of what the outputs of a model are compared with, as far as
// their losses are known: a label for each row of scores, or as much as the output.
func targets(m *keras.Model, outputs []*keras.Tensor) int64 {
	var sum int64
	for i, t := range outputs {
		switch loss := m.Compiled.Loss(i); {
		case loss == "":
		case strings.HasPrefix(loss, "sparse"):
			sum += labels(t).Bytes()
		default:
			sum += t.Bytes()
		}
	}
	return sum
}

// labels is a number for each row of a tensor.
func labels(t *keras.Tensor) *keras.Tensor {
	n := max(len(t.Shape)-1, 0)
	return &keras.Tensor{Shape: t.Shape[:n], DType: "float32"}
}

// loss makes the gradient of an output.
func (b *builder) loss(t *keras.Tensor, name string) {
	switch name {
	case "mse", "meansquarederror":
		b.squares(t)
		return
	}
	// As large as the output, besides which the loss keeps as much.
	kept := b.loses(t)
	b.run([]*buffer{b.values[t.Number]}, kept)
	d := b.add(buffer{size: t.Bytes(), over: [2]*buffer{kept}})
	b.run([]*buffer{kept}, d)
	b.comes(t, d)
}

// loses is a buffer of an output's size that the gradient of its loss reads.
func (b *builder) loses(t *keras.Tensor) *buffer {
	kept := b.add(buffer{size: t.Bytes(), kind: Activations})
	b.stays(kept)
	return kept
}

// squares is the mean of the squared differences along the last dimension
// (keras/src/losses/losses.py, mean_squared_error): the differences take the place of
// the output, and the squares theirs; the gradient has its own.
func (b *builder) squares(t *keras.Tensor) {
	difference := b.loses(t)
	difference.over[0] = b.values[t.Number]
	b.run([]*buffer{b.values[t.Number]}, difference)
	twice := b.add(buffer{size: t.Bytes()})
	b.run([]*buffer{difference}, twice)
	square := b.add(buffer{size: t.Bytes(), over: [2]*buffer{difference}})
	b.run([]*buffer{difference}, square)
	d := b.add(buffer{size: t.Bytes(), over: [2]*buffer{twice}})
	b.run([]*buffer{twice}, d)
	mean := b.add(buffer{size: labels(t).Bytes(), over: [2]*buffer{square}})
	b.run([]*buffer{square}, mean)
	b.run([]*buffer{mean})
	b.comes(t, d)
}
