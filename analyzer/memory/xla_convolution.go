package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

func convolves(op *keras.Op) bool { return op.Name == "Conv" || op.Name == "DepthwiseConv" }

// convolution makes what a convolution of cuDNN's reads: the filters in another
// layout than Keras has them; its input, where that is the batch, likewise; and
// where it is padded more on one side than on the other, which cuDNN cannot, a
// copy with the zeros (xla/service/gpu/transforms/conv_padding_legalization.cc).
func (c *compiler) convolution(op *keras.Op, reads []*buffer) []*buffer {
	x := op.In[0]
	if in := c.in[op.Number]; in.reads > 0 || len(reads) == 1 && reads[0].pinned {
		reads = c.list(c.apart(max(in.reads, x.Bytes()), Activations, reads))
		c.copies[op.Number] = reads
	}
	if w := filter(op); w != nil {
		c.filters[op.Number] = c.list(c.write(w.Elements()*op.Out[0].DType.Size(), Activations, nil))
	}
	return slices.Concat(reads, c.filters[op.Number])
}

// filter is the variable that a convolution reads, or nil.
func filter(op *keras.Op) *keras.Weight {
	for _, w := range op.Weights {
		if len(w.Shape) == len(op.In[0].Shape) {
			return w
		}
	}
	if op.Layer != nil {
		for _, w := range op.Layer.Weights {
			if len(w.Shape) == len(op.In[0].Shape) {
				return w
			}
		}
	}
	return nil
}

// A border is the bytes of what a convolution reads or writes with zeros around it.
type border struct {
	reads, writes int64
}

// borders are those of the input of a convolution that is padded more on one side than on
// the other, or of the output of a transposed one; zero where there are none. What is read
// has all of the zeros, what is written those that one side has more
// (xla/service/gpu/transforms/conv_padding_legalization.cc).
func borders(op *keras.Op) (in, out border) {
	if !convolves(op) {
		return border{}, border{}
	}
	w := filter(op)
	if w == nil {
		return border{}, border{}
	}
	x, y := op.In[0], op.Out[0]
	return lopsided(x.Shape, y.Shape, w.Shape, x.DType), lopsided(y.Shape, x.Shape, w.Shape, y.DType)
}

// lopsided is the border of what a convolution reads, given the shapes of that, of what it
// writes and of its filters, where "same" adds more zeros on one side.
func lopsided(in, out, filters keras.Shape, d keras.DType) border {
	reads, writes := int64(1), int64(1)
	more := false
	for i, n := range in {
		read, written := n, n
		if 0 < i && i < len(in)-1 { // channels last, as Keras has them by itself
			m := out[i]
			if m < 1 || n < m { // it is the other way round
				return border{}
			}
			stride := (n + m - 1) / m
			same := (n+stride-1)/stride == m
			if pad := (m-1)*stride + filters[i-1] - n; same && pad > 0 && pad%2 == 1 {
				read, written, more = n+pad, n+1, true
			}
		}
		reads, writes = reads*read, writes*written
	}
	if !more {
		return border{}
	}
	bytes := func(n int64) int64 { return (&keras.Tensor{Shape: keras.Shape{n}, DType: d}).Bytes() }
	return border{bytes(reads), bytes(writes)}
}

// convolved tells whether the kernel of a convolution does what an operation does: it
// adds a bias, and takes the maximum with zero, where nothing else reads what is before
// that (xla/service/gpu/transforms/cudnn_fused_conv_rewriter.cc).
func (c *compiler) convolved(op *keras.Op) bool {
	bias := op.Name == "BiasAdd"
	if !bias && (op.Name != "relu" || c.keeps(op)) {
		return false
	}
	in := op.In[0]
	if c.readers[in.Number] != 1 {
		return false
	}
	if bias {
		return in.From != nil && convolves(in.From) && !transposed(in.From)
	}
	return c.within[in.Number]
}

// transposed tells of a convolution whether it is the gradient of one, whose kernel adds
// no bias.
func transposed(op *keras.Op) bool {
	in, out := op.In[0].Shape, op.Out[0].Shape
	return len(out) > 2 && out[1] > in[1]
}

// planar tells whether a tensor is what a convolution makes, perhaps with a bias, in a type
// in which cuDNN has each channel by itself.
func planar(t *keras.Tensor) bool {
	for t.From != nil && (t.From.View || t.From.Name == "BiasAdd") {
		t = t.From.In[0]
	}
	return t.From != nil && convolves(t.From) && t.DType.Size() >= 4
}
