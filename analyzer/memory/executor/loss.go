package executor

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// Targets returns the bytes of the targets of a model's outputs, as far as their losses are
// known: a label for each row of scores, or as much as the output.
func Targets(m *graph.Model, outputs []*graph.Tensor) int64 {
	var sum int64
	for i, t := range outputs {
		switch loss := m.Compiled.Loss(i); {
		case loss == graph.NoLoss:
			if given, ok := m.Compiled.Unused[i]; ok && len(t.Shape) > 0 {
				labels := graph.Tensor{Shape: given.Shape.With(0, t.Shape[0]), DType: given.DType}
				sum += labels.Bytes()
			}
		case loss == "":
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

// labels returns a tensor with one number for each row of t.
func labels(t *graph.Tensor) *graph.Tensor {
	n := max(len(t.Shape)-1, 0)
	return &graph.Tensor{Shape: t.Shape[:n], DType: "float32"}
}

// loss adds the forward pass of a loss.
func (b *Builder) loss(op *graph.Op) {
	t := op.In[0]
	x := b.value(t)
	out := b.Add(Buffer{Size: op.Out[0].Bytes()})
	b.Values[op.Out[0].Number] = out
	var others []*Buffer
	for _, t := range op.In[1:] {
		others = append(others, b.value(t))
	}
	if squared(op) && b.Ordered {
		b.squaresInTurn(op, x, others, out)
		return
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
		if b.Ordered {
			b.sigmoidCrossEntropy(op, x, others, out)
			return
		}
	}
	// The loss keeps as much as the output.
	kept := b.loses(t)
	if strings.Contains(op.Loss, "categoricalcrossentropy") || strings.Contains(op.Loss, "softmaxcrossentropy") {
		// What its gradient reads overwrites the scores
		// (tensorflow/core/kernels/sparse_xent_op.cc, xent_op.cc).
		kept.Over[0] = x
	}
	b.Run(append(others, x), kept)
	b.ahead[op.Number] = kept
	b.Run([]*Buffer{kept}, out)
}

// loses returns a buffer of an output's size that the gradient of its loss reads.
func (b *Builder) loses(t *graph.Tensor) *Buffer {
	kept := b.Add(Buffer{Size: t.Bytes(), Kind: Activations})
	b.Stays(kept)
	return kept
}

// squared reports whether a loss is the mean of squared differences.
func squared(op *graph.Op) bool { return op.Loss == "mse" || op.Loss == "meansquarederror" }

// squares adds the mean of the squared differences along the last dimension
// (keras/src/losses/losses.py, mean_squared_error). The differences overwrite the output, and the
// squares overwrite the differences. The gradient computes its own.
func (b *Builder) squares(op *graph.Op, x *Buffer, others []*Buffer, out *Buffer) {
	t := op.In[0]
	difference := b.loses(t)
	difference.Over[0] = x
	b.Run(append(others, x), difference)
	if !b.Infers {
		b.ahead[op.Number] = b.made(t.Bytes(), nil, difference) // twice the differences
	}
	square := b.made(t.Bytes(), difference, difference)
	mean := b.made(labels(t).Bytes(), square, square)
	b.Run([]*Buffer{mean}, out)
}

// squaresInTurn is squares operation by operation. The tape holds the squares, their means, and in
// Keras 3 the differences, which tf_keras computes again (tf.math.squared_difference).
func (b *Builder) squaresInTurn(op *graph.Op, x *Buffer, others []*Buffer, out *Buffer) {
	t, from := op.In[0], append(others, x)
	if b.optimizer.Keras == 3 {
		b.ahead[op.Number] = b.loses(t)
		b.Run(from, b.ahead[op.Number])
		from = b.List(b.ahead[op.Number])
	}
	square := b.loses(t)
	b.Run(from, square)
	mean := b.loses(labels(t))
	b.Run([]*Buffer{square}, mean)
	b.Run([]*Buffer{mean}, out)
	b.Extras[op.Number] = append(b.Extras[op.Number], square, mean)
}

// squaresGradient is the gradient of squaresInTurn (tensorflow/python/ops/math_grad.py, _MeanGrad,
// _SquareGrad, _SubGrad, _SquaredDifferenceGrad). The second of the two gradients is the negative
// of the first.
func (b *Builder) squaresGradient(op *graph.Op, of *Buffer) {
	t := op.In[0]
	var compared []*Buffer
	for _, t := range op.In {
		compared = append(compared, b.value(t))
	}
	tiled := b.made(labels(t).Bytes(), nil, of)
	broadcast := b.made(t.Bytes(), nil, tiled)
	quotient := b.made(t.Bytes(), nil, broadcast)
	b.Run(append(b.Extras[op.Number], tiled))
	difference := b.ahead[op.Number]
	twice := b.made(t.Bytes(), nil, quotient)
	if difference == nil {
		difference = b.made(t.Bytes(), nil, compared...)
	}
	first := b.made(t.Bytes(), nil, twice, difference)
	b.Run([]*Buffer{quotient})
	second := b.made(t.Bytes(), nil, append(compared, first)...)
	if b.Flows(t) || b.computesBoth(op) {
		b.arrives(t, second)
	}
	if len(op.In) > 1 && (b.Flows(op.In[1]) || b.computesBoth(op)) {
		b.arrives(op.In[1], first)
	}
}

// sigmoidCrossEntropy adds tf.nn.sigmoid_cross_entropy_with_logits operation by operation
// (tensorflow/python/ops/nn_impl.py). Its local names hold the results until it returns, and the
// tape holds what the gradients of its operations read.
func (b *Builder) sigmoidCrossEntropy(op *graph.Op, x *Buffer, labels []*Buffer, out *Buffer) {
	t := op.In[0]
	n, _ := t.Shape.Elements()
	kept := func(size int64, from ...*Buffer) *Buffer {
		made := b.made(size, nil, from...)
		made.Kind = Activations
		b.Stays(made)
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
	b.Run([]*Buffer{difference, log, small}, out)
	b.ahead[op.Number] = exp
	b.Extras[op.Number] = append(b.Extras[op.Number], zeros, positive, negative, x, relu, product, difference, log)
}

// ctc adds tf.nn.ctc_loss, on which Keras 3's CTC is built. It computes the gradient of the
// scores along with the loss (tensorflow/python/ops/ctc_ops.py, ctc_loss_dense and
// ctc_loss_and_grad). It looks up the scores of labels in a product with as many numbers as there
// are scores, for each label of a row. It sums the likelihoods in another such product. Two loops
// between them go through the states; each state is a label or the blank before it.
func (b *Builder) ctc(op *graph.Op, x *Buffer, labels []*Buffer, out *Buffer) {
	scores, length := op.In[0].Shape, op.In[1].Shape[1]
	rows, classes := op.In[1].Shape[0], scores[2]
	all, _ := scores.Elements()
	times := all / max(rows*classes, 1)
	const float = 4 // of float32, to which other scores are cast
	states := 2 * (length + 1)
	one := func(size int64, from ...*Buffer) *Buffer { return b.made(size*float, nil, from...) }
	// Time comes first, and the blank before the labels.
	turned := one(all, x)
	likely := b.made(all*float, turned, turned)
	chance := one(all, likely)
	observed := one(all*states/max(classes, 1), append(labels, one(all*length, append(labels, likely)...))...)
	steps := one(2*rows*states*states, labels...) // transitions between states, in both directions
	there := one((times+1)*rows*states, labels...)
	there = b.made(there.Size, there, there, observed, steps)
	back := one((times+1)*rows*states, observed, steps)
	both := one(times*rows*states, there, back)
	summed := one(all, one(all*length, append(labels, both)...))
	kept := b.Add(Buffer{Size: all * float, Kind: Activations, Over: [2]*Buffer{chance, summed}})
	b.Run([]*Buffer{chance, summed}, kept)
	b.Stays(kept)
	b.ahead[op.Number] = kept
	b.Run([]*Buffer{back}, out)
}

// lossGradient adds the gradient of a loss, given that of its value. It is as large as what the
// loss compares.
func (b *Builder) lossGradient(op *graph.Op, of *Buffer) {
	if squared(op) && b.Ordered {
		b.squaresGradient(op, of)
		return
	}
	kept := b.ahead[op.Number]
	if size := op.In[0].Bytes(); squared(op) && !b.folds(of, size) {
		of = b.made(size, nil, of) // it is broadcast
	}
	for _, t := range op.In {
		if !b.Flows(t) {
			continue
		}
		b.comes(t, b.made(t.Bytes(), kept, append([]*Buffer{kept, of}, b.Extras[op.Number]...)...))
	}
}
