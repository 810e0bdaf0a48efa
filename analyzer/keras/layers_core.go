package keras

import (
	"github.com/tfmem/tfmem/analyzer/value"
)

var coreLayers = map[string]layerClass{
	"Dense": {mayHaveWeights, func(r *argParser) layerImpl {
		return &dense{
			units: r.number(0, "units", None), activation: r.activation(1, "activation"), bias: r.bool(2, "use_bias", true),
			lora: r.number(-1, "lora_rank", 0),
		}
	}},
	"Embedding": {mayHaveWeights, func(r *argParser) layerImpl {
		return &embedding{
			vocabulary: r.number(0, "input_dim", None), dimension: r.number(1, "output_dim", None), lora: r.number(-1, "lora_rank", 0),
		}
	}},
	"ReversibleEmbedding": {mayHaveWeights, func(r *argParser) layerImpl {
		s := &reversible{tied: r.bool(2, "tie_weights", true)}
		s.vocabulary, s.dimension = r.number(0, "input_dim", None), r.number(1, "output_dim", None)
		return s
	}},
	"EinsumDense": {mayHaveWeights, einsumDense},
	"Identity":    {noWeights, func(*argParser) layerImpl { return plain(identity) }},
	"Masking":     {noWeights, func(*argParser) layerImpl { return plain(masking) }},
}

// dense is Dense: a product with a kernel, a bias, an activation.
type dense struct {
	units      int64
	bias       bool
	activation act
	lora       int64 // lora_rank
}

func (s *dense) build(l *Layer, in []Shape) error {
	if len(in) == 0 || len(in[0]) < 2 {
		return value.Because(value.KerasRaises, "TensorFlow will raise: it expects an input of at least 2 dimensions")
	}
	if err := known(in[0].Last(), "the last dimension of its input"); err != nil {
		return err
	}
	if err := known(s.units, "units"); err != nil {
		return err
	}
	kernel := l.weight("kernel", true, in[0].Last(), s.units)
	if s.bias {
		l.weight("bias", true, s.units)
	}
	low(l, kernel, s.lora)
	return nil
}

// low adds the two matrices that lora_rank= trains instead of the kernel
// (keras/src/layers/core/dense.py, enable_lora).
func low(l *Layer, kernel *Weight, rank int64) {
	if rank <= 0 {
		return
	}
	kernel.Trainable = false
	n := len(kernel.Shape) - 1
	l.weight("lora_a", true, append(append([]int64(nil), kernel.Shape[:n]...), rank)...)
	l.weight("lora_b", true, rank, kernel.Shape[n])
}

func (s *dense) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	return weighted(l, g, OpMatMul, x, x.Shape.With(-1, s.units), l.Weights[0], s.activation)
}

// weighted adds a product of x with a kernel (MatMul, a convolution), then the bias and the
// activation. The gradient of the product reads both factors. Bias and activation overwrite the
// product where they can.
func weighted(l *Layer, g *Graph, kind *Kind, x *Tensor, shape Shape, kernel *Weight, a act) ([]*Tensor, error) {
	return biased(l, g, kernelProduct(l, g, kind, x, shape, kernel), a)
}

func kernelProduct(l *Layer, g *Graph, kind *Kind, x *Tensor, shape Shape, kernel *Weight) *Tensor {
	x = cast(g, x, l.DType)
	y, op := g.add(kind, []*Tensor{x}, shape, l.DType)
	if g.eager && reshaped(kind, shape) {
		op.keepsOutputs()
	}
	if g.eager && kind == OpEinsum && len(x.Shape) > 2 {
		// It is a product for each matrix of the batch, and so is the kernel's gradient before it
		// is summed (keras/src/backend/tensorflow/numpy.py, einsum; math_grad.py,
		// _BatchMatMulV2).
		if n, ok := (Shape{x.Shape[0], kernel.Elements()}).Elements(); ok {
			op.BackwardTemp = round256(n * x.DType.Size())
		}
	}
	if a, b := l.named("lora_a"), l.named("lora_b"); a != nil && b != nil {
		// Every step computes the kernel with the product of the two matrices added.
		op.Extra = append(op.Extra, kernel.Bytes())
		op.Keep = append(op.Keep, x)
		op.trains(l.trained(g, a, b)...)
		return y
	}
	trained := l.trained(g, kernel)
	if len(trained) > 0 {
		op.Keep = append(op.Keep, x)
	}
	op.Linear = true
	op.trains(trained...)
	l.keepCast(op, kernel)
	return y
}

// reshaped reports whether a product runs on reshaped tensors and its result is reshaped back.
// The gradient of that reshape looks at the result (tensorflow/python/ops/math_ops.py, tensordot;
// nn_ops.py, convolution of one dimension).
func reshaped(kind *Kind, shape Shape) bool {
	return kind == OpMatMul && len(shape) > 2 || kind == OpConv && len(shape) == 3
}

// keepCast keeps a kernel's copy in the compute type, if that differs: the gradient of the input
// reads it.
func (l *Layer) keepCast(op *Op, kernel *Weight) {
	if op.In[0].Grad && l.DType != "" && l.DType != kernel.DType && kernel.DType.Floating() {
		op.Extra = append(op.Extra, round256(kernel.Elements()*l.DType.Size()))
	}
}

// biased adds the layer's bias, if it has one, and the activation.
func biased(l *Layer, g *Graph, y *Tensor, a act) ([]*Tensor, error) {
	if bias := l.named("bias"); bias != nil {
		z, op := g.add(OpBiasAdd, []*Tensor{y}, y.Shape, l.DType)
		if g.eager && len(bias.Shape) > 1 {
			op.keepsInputs() // it is an ordinary addition (keras/src/backend/tensorflow/numpy.py, add)
		}
		op.trains(l.trained(g, bias)...)
		y = z
	}
	out, err := a.apply(g, y)
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

// cast adds a conversion if the type differs.
func cast(g *Graph, x *Tensor, d DType) *Tensor {
	if x.DType == d || d == "" {
		return x
	}
	return g.tensor(OpCast, []*Tensor{x}, x.Shape, d)
}

func (l *Layer) named(name string) *Weight {
	for _, w := range l.Weights {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// plain is a layer without weights, given by its operation on one tensor.
type plain func(l *Layer, g *Graph, x *Tensor) (*Tensor, error)

func (plain) build(*Layer, []Shape) error { return nil }

func (s plain) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) == 0 {
		return nil, value.Because(value.MissingArgument, "it is called without an input")
	}
	out, err := s(l, g, in[0])
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

func identity(_ *Layer, _ *Graph, x *Tensor) (*Tensor, error) { return x, nil }

// masking multiplies x by a mask of the steps in which some feature counts, a byte each.
func masking(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
	out, op := g.add(OpMask, []*Tensor{x}, x.Shape, x.DType)
	if len(x.Shape) > 0 {
		if n, ok := x.Shape.With(-1, 1).Elements(); ok {
			op.Extra = []int64{round256(n)}
		}
	}
	return out, nil
}

// arithmetic is a layer that computes an elementwise function whose gradient keeps nothing:
// Rescaling, a constant added.
func arithmetic(kind *Kind) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		x = cast(g, x, l.DType)
		out, op := g.add(kind, []*Tensor{x}, x.Shape, x.DType)
		if kind == OpRescaling {
			g.taped(op, x.Bytes()) // the product, to which the offset is added
		}
		return out, nil
	}
}

// embedding is Embedding: its gradient is sparse.
type embedding struct{ vocabulary, dimension, lora int64 }

func (s *embedding) build(l *Layer, _ []Shape) error {
	if err := known(s.vocabulary, "input_dim"); err != nil {
		return err
	}
	if err := known(s.dimension, "output_dim"); err != nil {
		return err
	}
	low(l, l.weight("embeddings", true, s.vocabulary, s.dimension), s.lora)
	return nil
}

func (s *embedding) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if x.DType != "int32" && x.DType != "int64" {
		x = cast(g, x, "int32")
	}
	// Negative indices count from the end: all indices are copied
	// (keras/src/backend/tensorflow/numpy.py, take).
	x = g.tensor(OpSelect, []*Tensor{x}, x.Shape, x.DType)
	out, op := g.add(OpEmbedding, []*Tensor{x}, append(append(Shape(nil), x.Shape...), s.dimension), l.DType)
	op.NoGradOf = []int{0}
	op.Keep = []*Tensor{x}
	trained := l.trained(g, l.Weights[0])
	if a := l.named("lora_a"); a != nil {
		trained = l.trained(g, a, l.named("lora_b"))
	}
	op.trains(trained...)
	if rows, ok := out.Shape.Elements(); ok {
		op.SparseRows = rows
	}
	return []*Tensor{out}, nil
}

// reversible is ReversibleEmbedding: a table that can also map back to logits, with its own
// weights or another table.
type reversible struct {
	embedding
	tied bool
}

func (s *reversible) build(l *Layer, in []Shape) error {
	if err := s.embedding.build(l, in); err != nil {
		return err
	}
	if !s.tied {
		l.weight("reverse_embeddings", true, s.dimension, s.vocabulary)
	}
	return nil
}

func (s *reversible) arguments(r *argParser) ([]value.Value, layerImpl) {
	x, _ := r.args.Get(0, "inputs")
	if r.bool(1, "reverse", false) {
		return []value.Value{x}, &reversed{*s}
	}
	return []value.Value{x}, s
}

// reversed is the call of a reversible embedding that computes logits.
type reversed struct{ reversible }

func (s *reversed) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	table := l.Weights[len(l.Weights)-1]
	if in[0].Shape.Last() != s.dimension {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the table has rows of %d and the input the shape %s", s.dimension, in[0].Shape)
	}
	return []*Tensor{kernelProduct(l, g, OpMatMul, in[0], in[0].Shape.With(-1, s.vocabulary), table)}, nil
}
