package xla

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// convolution adds the inputs of a cuDNN convolution. The filters have another layout than in
// Keras; so has its input, if that is the batch. If the padding is asymmetric, which cuDNN does
// not support, it reads a zero-padded copy
// (xla/service/gpu/transforms/conv_padding_legalization.cc).
func (c *compiler) convolution(op *graph.Op, reads []*executor.Buffer) []*executor.Buffer {
	x := op.In[0]
	if in := c.in[op.Number]; in.reads > 0 || len(reads) == 1 && reads[0].Pinned {
		reads = c.List(c.apart(max(in.reads, x.Bytes()), executor.Activations, reads))
		c.copies[op.Number] = reads
	}
	if w := filter(op); w != nil {
		c.filters[op.Number] = c.List(c.write(w.Elements()*op.Out[0].DType.Size(), executor.Activations, nil))
	}
	return slices.Concat(reads, c.filters[op.Number])
}

// filter returns the variable that a convolution reads, or nil.
func filter(op *graph.Op) *graph.Weight {
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

// A border holds the bytes of a convolution's input or output with zeros around it.
type border struct {
	reads, writes int64
}

// borders returns the border of a convolution's input if the padding is asymmetric, or the border
// of the output of a transposed convolution; zero if there is none. The input includes all of the
// zeros, the output only those that make one side larger
// (xla/service/gpu/transforms/conv_padding_legalization.cc).
func borders(op *graph.Op) (in, out border) {
	if !op.Kind.Is(graph.Convolves) {
		return border{}, border{}
	}
	w := filter(op)
	if w == nil {
		return border{}, border{}
	}
	x, y := op.In[0], op.Out[0]
	return lopsided(x.Shape, y.Shape, w.Shape, x.DType), lopsided(y.Shape, x.Shape, w.Shape, y.DType)
}

// lopsided returns the border of a convolution's input, given the shapes of input, output and
// filters, if "same" adds more zeros on one side.
func lopsided(in, out, filters tensor.Shape, d tensor.DType) border {
	reads, writes := int64(1), int64(1)
	more := false
	for i, n := range in {
		read, written := n, n
		if 0 < i && i < len(in)-1 { // channels last, Keras's default
			m := out[i]
			if m < 1 || n < m { // it is a transposed convolution
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
	bytes := func(n int64) int64 { return (&graph.Tensor{Shape: tensor.Shape{n}, DType: d}).Bytes() }
	return border{bytes(reads), bytes(writes)}
}

// convolved reports whether the kernel of a convolution also runs op. It adds a bias, and applies
// ReLU, if nothing else reads the intermediate result
// (xla/service/gpu/transforms/cudnn_fused_conv_rewriter.cc).
func (c *compiler) convolved(op *graph.Op) bool {
	bias := op.Kind == graph.OpBiasAdd
	if !bias && (op.Kind != graph.OpRelu || c.keeps(op)) {
		return false
	}
	in := op.In[0]
	if c.readers[in.Number] != 1 {
		return false
	}
	if bias {
		return in.From != nil && in.From.Kind.Is(graph.Convolves) && !transposed(in.From)
	}
	return c.within[in.Number]
}

// transposed reports whether a convolution is the gradient of one. Its kernel adds no bias.
func transposed(op *graph.Op) bool {
	in, out := op.In[0].Shape, op.Out[0].Shape
	return len(out) > 2 && out[1] > in[1]
}

// planar reports whether a tensor is the output of a convolution, perhaps with a bias, in a type
// for which cuDNN stores each channel separately.
func planar(t *graph.Tensor) bool {
	for t.From != nil && (t.From.View || t.From.Kind == graph.OpBiasAdd) {
		t = t.From.In[0]
	}
	return t.From != nil && t.From.Kind.Is(graph.Convolves) && t.DType.Size() >= 4
}
