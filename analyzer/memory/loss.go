package memory

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// targets is the bytes of the targets of a model's outputs, as far as their losses are
// known: a label for each row of scores, or as much as the output.
func targets(m *keras.Model, outputs []*keras.Tensor) int64 {
	var sum int64
	for i, t := range outputs {
		switch loss := m.Compiled.Loss(i); {
		case loss == "", loss == keras.NoLoss:
		case strings.HasPrefix(loss, "sparse"):
			of := labels(t)
			of.DType = cmp.Or(m.Compiled.Labels, of.DType)
			sum += of.Bytes()
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

// loss adds the forward pass of a loss.
func (b *builder) loss(op *keras.Op) {
	t := op.In[0]
	x := b.value(t)
	out := b.add(buffer{size: op.Out[0].Bytes()})
	b.values[op.Out[0].Number] = out
	var others []*buffer
	for _, t := range op.In[1:] {
		others = append(others, b.value(t))
	}
	if squared(op) {
		b.squares(op, x, others, out)
		return
	}
	switch op.Loss {
	case "ctc", "ctcloss":
		if len(op.In) == 2 && len(op.In[0].Shape) == 3 && len(op.In[1].Shape) == 2 {
			b.ctc(op, x, others, out)
			return
		}
	case "sigmoidcrossentropywithlogits":
		if b.ordered {
			b.sigmoidCrossEntropy(op, x, others, out)
			return
		}
	}
	// The loss keeps as much as the output.
	kept := b.loses(t)
	if strings.Contains(op.Loss, "categoricalcrossentropy") || strings.Contains(op.Loss, "softmaxcrossentropy") {
		// What its gradient reads takes the place of the scores
		// (tensorflow/core/kernels/sparse_xent_op.cc, xent_op.cc).
		kept.over[0] = x
	}
	b.run(append(others, x), kept)
	b.ahead[op.Number] = kept
	b.run([]*buffer{kept}, out)
}

// loses is a buffer of an output's size that the gradient of its loss reads.
func (b *builder) loses(t *keras.Tensor) *buffer {
	kept := b.add(buffer{size: t.Bytes(), kind: Activations})
	b.stays(kept)
	return kept
}

// squared tells of a loss that it is the mean of squared differences.
func squared(op *keras.Op) bool { return op.Loss == "mse" || op.Loss == "meansquarederror" }

// squares is the mean of the squared differences along the last dimension
// (keras/src/losses/losses.py, mean_squared_error): the differences take the place of
// the output, and the squares theirs; the gradient has its own.
func (b *builder) squares(op *keras.Op, x *buffer, others []*buffer, out *buffer) {
	t := op.In[0]
	difference := b.loses(t)
	difference.over[0] = x
	b.run(append(others, x), difference)
	b.ahead[op.Number] = b.made(t.Bytes(), nil, difference) // twice the differences
	square := b.made(t.Bytes(), difference, difference)
	mean := b.made(labels(t).Bytes(), square, square)
	b.run([]*buffer{mean}, out)
}

// sigmoidCrossEntropy is tf.nn.sigmoid_cross_entropy_with_logits operation by operation
// (tensorflow/python/ops/nn_impl.py): its names hold what it has made until it returns,
// and the tape what the gradients of its operations read.
func (b *builder) sigmoidCrossEntropy(op *keras.Op, x *buffer, labels []*buffer, out *buffer) {
	t := op.In[0]
	n, _ := t.Shape.Elements()
	kept := func(size int64, from ...*buffer) *buffer {
		made := b.made(size, nil, from...)
		made.kind = Activations
		b.stays(made)
		return made
	}
	zeros := kept(t.Bytes())
	positive := kept(n, x, zeros) // a byte for each element
	relu := kept(t.Bytes(), positive, x, zeros)
	negative := kept(t.Bytes(), x)
	small := b.made(t.Bytes(), nil, positive, negative, x)
	product := kept(t.Bytes(), append(labels, x)...)
	difference := kept(t.Bytes(), relu, product)
	exp := kept(t.Bytes(), small)
	log := kept(t.Bytes(), exp)
	b.run([]*buffer{difference, log, small}, out)
	b.ahead[op.Number] = exp
	b.extras[op.Number] = append(b.extras[op.Number], zeros, positive, negative, x, relu, product, difference, log)
}

// ctc is tf.nn.ctc_loss, and Keras 3's CTC of it, which makes the gradient of the scores along with the loss
// (tensorflow/python/ops/ctc_ops.py, ctc_loss_dense and ctc_loss_and_grad). It looks up the
// scores of labels in a product with as many numbers as there are scores, for each label of
// a row, and sums what is likely of them in another; two loops between them go through the
// states, each of which is a label or the blank before it.
func (b *builder) ctc(op *keras.Op, x *buffer, labels []*buffer, out *buffer) {
	scores, length := op.In[0].Shape, op.In[1].Shape[1]
	rows, classes := op.In[1].Shape[0], scores[2]
	all, _ := scores.Elements()
	times := all / max(rows*classes, 1)
	const float = 4 // of float32, which other scores are cast to
	states := 2 * (length + 1)
	one := func(size int64, from ...*buffer) *buffer { return b.made(size*float, nil, from...) }
	// Time comes first, and the blank before the labels.
	turned := one(all, x)
	likely := b.made(all*float, turned, turned)
	chance := one(all, likely)
	observed := one(all*states/max(classes, 1), append(labels, one(all*length, append(labels, likely)...))...)
	steps := one(2*rows*states*states, labels...) // how states follow each other, there and back
	there := one((times+1)*rows*states, labels...)
	there = b.made(there.size, there, there, observed, steps)
	back := one((times+1)*rows*states, observed, steps)
	both := one(times*rows*states, there, back)
	summed := one(all, one(all*length, append(labels, both)...))
	kept := b.add(buffer{size: all * float, kind: Activations, over: [2]*buffer{chance, summed}})
	b.run([]*buffer{chance, summed}, kept)
	b.stays(kept)
	b.ahead[op.Number] = kept
	b.run([]*buffer{back}, out)
}

// lossGradient adds the gradient of a loss, given that of its value: as large as what
// it compares.
func (b *builder) lossGradient(op *keras.Op, of *buffer) {
	kept := b.ahead[op.Number]
	if size := op.In[0].Bytes(); squared(op) && !b.ordered && !b.folds(of, size) {
		of = b.made(size, nil, of) // it is spread out
	}
	for _, t := range op.In {
		if !b.flows(t) {
			continue
		}
		b.comes(t, b.made(t.Bytes(), kept, append([]*buffer{kept, of}, b.extras[op.Number]...)...))
	}
}
