package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var coreLayers = map[string]layerClass{
	"Dense": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		return &dense{
			units: r.Number(0, "units", tensor.None), activation: r.activation(1, "activation"), bias: r.Bool(2, "use_bias", true),
			lora: r.Number(-1, "lora_rank", 0),
		}
	}},
	"Embedding": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		return &embedding{
			vocabulary: r.Number(0, "input_dim", tensor.None), dimension: r.Number(1, "output_dim", tensor.None), lora: r.Number(-1, "lora_rank", 0),
			masks: r.Bool(-1, "mask_zero", false),
		}
	}},
	"ReversibleEmbedding": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		s := &reversible{tied: r.Bool(2, "tie_weights", true)}
		s.vocabulary, s.dimension = r.Number(0, "input_dim", tensor.None), r.Number(1, "output_dim", tensor.None)
		_, s.capped = r.Get(-1, "logit_soft_cap")
		return s
	}},
	"EinsumDense": {MayHaveWeights, einsumDense},
	"Identity":    {NoWeights, func(*ArgParser) graph.Impl { return Plain(Identity) }},
	"Masking":     {NoWeights, func(*ArgParser) graph.Impl { return Plain(masking) }},
}

// dense is Dense: a product with a kernel, a bias, an activation.
type dense struct {
	units      int64
	bias       bool
	activation act
	lora       int64 // lora_rank
}

func (s *dense) Children() []*graph.Layer { return s.activation.layers() }

func (s *dense) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) == 0 || len(in[0]) < 2 {
		return value.Refused("it expects an input of at least 2 dimensions")
	}
	if err := graph.Checks(graph.CheckKnown(in[0].Last(), "the last dimension of its input"), graph.CheckKnown(s.units, "units")); err != nil {
		return err
	}
	kernel := l.Weight("kernel", true, in[0].Last(), s.units)
	if s.bias {
		l.Weight("bias", true, s.units)
	}
	LowRank(l, kernel, s.lora)
	return nil
}

// LowRank adds the two matrices that lora_rank= trains instead of the kernel
// (keras/src/layers/core/dense.py, enable_lora).
func LowRank(l *graph.Layer, kernel *graph.Weight, rank int64) {
	if rank <= 0 {
		return
	}
	kernel.Trainable = false
	n := len(kernel.Shape) - 1
	a := l.Weight("lora_a", true, append(append([]int64(nil), kernel.Shape[:n]...), rank)...)
	b := l.Weight("lora_b", true, rank, kernel.Shape[n])
	a.Penalties, b.Penalties = kernel.Penalties, kernel.Penalties
}

// Adapters returns the two matrices of LoRA for the kernel of a quantized layer. They are float32
// whatever the layer's policy.
func Adapters(kernel *graph.Weight, rank int64) []*graph.Weight {
	n := len(kernel.Shape) - 1
	return []*graph.Weight{
		{Name: "lora_a", Shape: append(append(tensor.Shape(nil), kernel.Shape[:n]...), rank), DType: "float32", Trainable: true},
		{Name: "lora_b", Shape: tensor.Shape{rank, kernel.Shape[n]}, DType: "float32", Trainable: true, Initializer: "zeros"},
	}
}

// lowRankSum adds the product of the two matrices to the kernel. It returns nil for a layer without
// them (keras/src/layers/core/dense.py, kernel).
//
// It is in type d: a table, which is not cast, is summed in its own type and cast then
// (keras/src/layers/core/embedding.py, embeddings).
func lowRankSum(l *graph.Layer, g *graph.Graph, kernel *graph.Weight, d tensor.DType) *graph.Tensor {
	a, b := l.Named("lora_a"), l.Named("lora_b")
	if a == nil || b == nil {
		return nil
	}
	product, op := g.Add(graph.OpMatMul, []*graph.Tensor{read(l, g, a, d), read(l, g, b, d)}, kernel.Shape, d)
	op.Contracts()
	scaled := graph.WithNumber(g, graph.OpMultiply, product, true)
	sum, _ := graph.Combine(g, graph.OpAdd, read(l, g, kernel, d), scaled) // of one shape
	return sum
}

// read adds a read of a variable, in a type.
func read(l *graph.Layer, g *graph.Graph, w *graph.Weight, d tensor.DType) *graph.Tensor {
	t, op := g.Add(graph.OpReadVariable, nil, w.Shape, w.DType)
	op.Read = true
	op.Trains(l.Trained(g, w)...)
	return graph.Cast(g, t, d)
}

func (s *dense) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Refused("the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	return weighted(l, g, graph.OpMatMul, x, x.Shape.With(-1, s.units), l.Weights[0], s.activation)
}

// weighted adds a product of x with a kernel (MatMul, a convolution), then the bias and the
// activation. The gradient of the product reads both factors. Bias and activation overwrite the
// product where they can.
func weighted(l *graph.Layer, g *graph.Graph, kind *graph.Kind, x *graph.Tensor, shape tensor.Shape, kernel *graph.Weight, a act) ([]*graph.Tensor, error) {
	return biased(l, g, kernelProduct(l, g, kind, x, shape, kernel), a)
}

func kernelProduct(l *graph.Layer, g *graph.Graph, kind *graph.Kind, x *graph.Tensor, shape tensor.Shape, kernel *graph.Weight) *graph.Tensor {
	if q := l.Quantized(g.Snapshot); q != nil && kernel.Name == "kernel" {
		return quantizedProduct(l, g, q, kind, x, shape, kernel)
	}
	x = graph.Cast(g, x, l.DType)
	if adapted := lowRankSum(l, g, kernel, l.DType); adapted != nil {
		y, op := g.Add(kind, []*graph.Tensor{x, adapted}, shape, l.DType)
		op.Contracts()
		return y
	}
	y, op := g.Add(kind, []*graph.Tensor{x}, shape, l.DType)
	if g.Eagerly && reshaped(kind, shape) {
		op.KeepsOutputs()
	}
	trained := l.Trained(g, kernel)
	if len(trained) > 0 {
		op.Keep = append(op.Keep, x)
	}
	op.Linear = true
	op.Trains(trained...)
	l.Casts(op, kernel)
	return y
}

// byExample makes the product of an einsum with a kernel one of each example's matrix, as Keras 3
// computes these equations, and so is the kernel's gradient before it is summed
// (keras/src/backend/tensorflow/numpy.py, einsum; tensorflow/python/ops/math_grad.py,
// _BatchMatMulV2).
func byExample(y, x *graph.Tensor, kernel *graph.Weight, equation string) {
	op := y.From
	n, ok := tensor.Shape{x.Shape[0], kernel.Elements()}.Elements()
	if !ok || op.Kind != graph.OpEinsum {
		return
	}
	switch equation {
	case "abc,cd->abd", "abc,dc->abd", "abc,cde->abde", "abc,dce->abde", "abc,dec->abde", "abcd,cde->abe", "abcd,ced->abe", "abcd,ecd->abe":
		whole := tensor.Round256(n * y.DType.Size())
		if len(op.In) == 2 {
			op.Spread[1] = whole
		} else {
			op.ByExample = whole
		}
	}
}

// reshaped reports whether a product runs on reshaped tensors and its result is reshaped back.
// The gradient of that reshape looks at the result (tensorflow/python/ops/math_ops.py, tensordot;
// nn_ops.py, convolution of one dimension).
func reshaped(kind *graph.Kind, shape tensor.Shape) bool {
	return kind == graph.OpMatMul && len(shape) > 2 || kind == graph.OpConv && len(shape) == 3
}

// biased adds the layer's bias, if it has one, and the activation.
func biased(l *graph.Layer, g *graph.Graph, y *graph.Tensor, a act) ([]*graph.Tensor, error) {
	if bias := l.Named("bias"); bias != nil {
		z, op := g.Add(graph.OpBiasAdd, []*graph.Tensor{y}, y.Shape, l.DType)
		if g.Eagerly && len(bias.Shape) > 1 {
			op.KeepsInputs() // it is an ordinary addition (keras/src/backend/tensorflow/numpy.py, add)
		}
		op.Trains(l.Trained(g, bias)...)
		y = z
	}
	out, err := a.apply(g, y)
	if err != nil {
		return nil, err
	}
	return []*graph.Tensor{out}, nil
}

// Plain is a layer without weights, given by its operation on one tensor.
type Plain func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error)

func (Plain) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (s Plain) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if len(in) == 0 {
		return nil, value.Because(value.MissingArgument, "it is called without an input")
	}
	out, err := s(l, g, in[0])
	if err != nil {
		return nil, err
	}
	return []*graph.Tensor{out}, nil
}

func Identity(_ *graph.Layer, _ *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) { return x, nil }

// masking multiplies x by a mask of the steps in which some feature counts, a byte each.
func masking(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	out, op := g.Add(graph.OpMask, []*graph.Tensor{x}, x.Shape, x.DType)
	if len(x.Shape) > 0 {
		if n, ok := x.Shape.With(-1, 1).Elements(); ok {
			op.Extra = []int64{tensor.Round256(n)}
		}
	}
	return out, nil
}

// Arithmetic is a layer that computes an elementwise function whose gradient keeps nothing:
// Rescaling, a constant added.
func Arithmetic(kind *graph.Kind) Plain {
	return func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		x = graph.Cast(g, x, l.DType)
		out, op := g.Add(kind, []*graph.Tensor{x}, x.Shape, x.DType)
		if kind == graph.OpRescaling {
			g.Taped(op, x.Bytes()) // the product, to which the offset is added
		}
		return out, nil
	}
}

// embedding is Embedding: its gradient is sparse.
type embedding struct {
	vocabulary, dimension, lora int64
	masks                       bool // mask_zero
}

func (s *embedding) Build(l *graph.Layer, _ []tensor.Shape) error {
	if err := graph.Checks(graph.CheckKnown(s.vocabulary, "input_dim"), graph.CheckKnown(s.dimension, "output_dim")); err != nil {
		return err
	}
	LowRank(l, l.Weight("embeddings", true, s.vocabulary, s.dimension), s.lora)
	return nil
}

func (s *embedding) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if x.DType != "int32" && x.DType != "int64" {
		x = graph.Cast(g, x, "int32")
	}
	// Negative indices count from the end: all indices are copied
	// (keras/src/backend/tensorflow/numpy.py, take).
	x = g.Tensor(graph.OpSelect, []*graph.Tensor{x}, x.Shape, x.DType)
	shape := append(append(tensor.Shape(nil), x.Shape...), s.dimension)
	if q := l.Quantized(g.Snapshot); q != nil {
		return []*graph.Tensor{quantizedRows(l, g, q, x, shape, l.Weights[0])}, nil
	}
	if table := lowRankSum(l, g, l.Weights[0], l.Weights[0].DType); table != nil {
		table = graph.Cast(g, table, l.DType)
		out, op := g.Add(graph.OpGather, []*graph.Tensor{x, table}, shape, l.DType)
		op.NoGradOf = []int{0}
		op.Keep = []*graph.Tensor{x}
		return []*graph.Tensor{out}, nil
	}
	out, op := g.Add(graph.OpEmbedding, []*graph.Tensor{x}, shape, l.DType)
	op.NoGradOf = []int{0}
	op.Keep = []*graph.Tensor{x}
	op.Trains(l.Trained(g, l.Weights[0])...)
	if rows, ok := out.Shape.Elements(); ok {
		op.SparseRows = rows
	}
	return []*graph.Tensor{out}, nil
}

// reversible is ReversibleEmbedding: a table that can also map back to logits, with its own
// weights or another table.
type reversible struct {
	embedding
	tied, capped bool // capped: logit_soft_cap keeps logits between two numbers
}

func (s *reversible) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := s.embedding.Build(l, in); err != nil {
		return err
	}
	if !s.tied {
		l.Weight("reverse_embeddings", true, s.dimension, s.vocabulary)
	}
	return nil
}

func (s *reversible) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	x, _ := r.Args.Get(0, "inputs")
	if r.Bool(1, "reverse", false) {
		return []value.Value{x}, &reversed{*s}
	}
	return []value.Value{x}, s
}

// reversed is the call of a reversible embedding that computes logits.
type reversed struct{ reversible }

func (s *reversed) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	table := l.Weights[len(l.Weights)-1]
	if in[0].Shape.Last() != s.dimension {
		return nil, value.Refused("the table has rows of %d and the input the shape %s", s.dimension, in[0].Shape)
	}
	logits := kernelProduct(l, g, graph.OpMatMul, in[0], in[0].Shape.With(-1, s.vocabulary), table)
	if s.capped {
		capped, err := act{name: "tanh"}.apply(g, graph.WithNumber(g, graph.OpDivide, logits, false))
		if err != nil {
			return nil, err
		}
		logits = graph.WithNumber(g, graph.OpMultiply, capped, false)
	}
	return []*graph.Tensor{logits}, nil
}
