package graph

import "github.com/tfmem/tfmem/analyzer/tensor"

// Casts gives op a copy of its kernel in the type that the layer computes in, if that differs.
func (l *Layer) Casts(op *Op, kernel *Weight) {
	if l.DType != "" && l.DType != kernel.DType && kernel.DType.Floating() {
		op.Cast = tensor.Round256(kernel.Elements() * l.DType.Size())
	}
}

// Cast adds a conversion if the type differs.
func Cast(g *Graph, x *Tensor, d tensor.DType) *Tensor {
	if x.DType == d || d == "" {
		return x
	}
	return g.Tensor(OpCast, []*Tensor{x}, x.Shape, d)
}

func (l *Layer) Named(name string) *Weight { return named(l.Weights, name) }

func named(weights []*Weight, name string) *Weight {
	for _, w := range weights {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// View gives x another shape without a copy.
func View(g *Graph, x *Tensor, shape tensor.Shape) *Tensor {
	return g.Tensor(OpReshape, []*Tensor{x}, shape, x.DType)
}

// Split takes x apart into tensors of the given shapes.
func Split(g *Graph, kind *Kind, x *Tensor, shapes ...tensor.Shape) []*Tensor {
	_, op := g.Add(kind, []*Tensor{x}, x.Shape, x.DType)
	first := op.Out[0]
	op.Out = nil
	for _, s := range shapes {
		t := *first
		t.Shape = s
		op.Out = append(op.Out, &t)
	}
	return op.Out
}

// Choice selects between two tensors by a condition, which comes first. A missing tensor is a
// number.
func Choice(g *Graph, in []*Tensor) (*Tensor, error) {
	shape, d := in[0].Shape, in[1].DType
	for _, t := range in[1:] {
		var err error
		if shape, err = tensor.Broadcast(shape, t.Shape); err != nil {
			return nil, err
		}
		if len(in[1].Shape) == 0 {
			d = t.DType
		}
	}
	out, op := g.Add(OpSelect, in, shape, d)
	op.Keep = append(op.Keep, in[0])
	op.NoGradOf = []int{0}
	op.InPlace, op.GradInPlace = true, true // tensorflow/core/kernels/cwise_op_select.cc, SelectV2Op
	return out, nil
}

// Unary adds an elementwise function.
func Unary(g *Graph, kind *Kind, x *Tensor) *Tensor {
	out, op := g.Add(kind, []*Tensor{x}, x.Shape, x.DType)
	if kind == OpAbs { // its sign, which waits for no gradient (_AbsGrad)
		op.Ahead(op.In, x.Bytes())
	}
	return out
}

// WithNumber adds an operation on a tensor and a number. A product keeps only the number. A
// power, a maximum and a quotient by the tensor keep their operands.
func WithNumber(g *Graph, kind *Kind, x *Tensor, left bool) *Tensor {
	d := x.DType
	if kind.Is(boolean) {
		d = "bool"
	} else if kind == OpDivide && !d.Floating() {
		d = "float32"
	}
	out, op := g.Add(kind, []*Tensor{x}, x.Shape, d)
	op.InPlace, op.GradInPlace = d == x.DType, true
	switch {
	case kind == OpPow && !left:
		// x ** (n-1), of the gradient n · x ** (n-1), waits for no gradient
		// (tensorflow/python/ops/math_grad.py, _PowGrad; other gradient functions delay such
		// products with control_dependencies).
		op.Ahead([]*Tensor{x}, x.Bytes())
	case kind == OpMaximum, kind == OpMinimum:
		op.Decides()
	case kind == OpDivide && left:
		op.Ahead([]*Tensor{x}, x.Bytes(), x.Bytes())
	case kind == OpPow, kind == OpSquaredDifference:
		op.KeepsInputs()
	case kind == OpMultiply, kind == OpDivide:
		op.ScalarScale = true
	}
	return out
}

// Combine adds an operation on two tensors. The gradient of one factor of a product reads the
// other factor, and is summed if the factor was broadcast.
func Combine(g *Graph, kind *Kind, a, b *Tensor) (*Tensor, error) {
	shape, err := tensor.Broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	d := a.DType
	if b.DType.Floating() && (!d.Floating() || len(a.Shape) == 0 || b.DType == "float64") {
		d = b.DType // an operand that is not a tensor takes the type of the other
	}
	switch {
	case kind.Is(boolean):
		d = "bool"
	case kind == OpDivide && !d.Floating() && d.Size() > 2: // tensorflow/python/ops/math_ops.py, _truediv_python3
		d = "float64"
	case kind == OpDivide && !d.Floating():
		d = "float32"
	}
	if kind == OpSubtract {
		return g.shared(kind, a, b, shape, func() *Tensor {
			out, op := g.Add(kind, []*Tensor{a, b}, shape, d)
			op.InPlace, op.GradInPlace = true, true
			return out
		}), nil
	}
	out, op := g.Add(kind, []*Tensor{a, b}, shape, d)
	op.InPlace = true
	switch {
	case kind.Second == NoGradient:
	case kind == OpAdd:
		op.GradSame = true
	case kind == OpMultiply:
		op.Product = true
		if a.Grad {
			op.Keep = append(op.Keep, b)
		}
		if b.Grad {
			op.Keep = append(op.Keep, a)
		}
	case kind == OpDivide:
		op.divides()
	case kind == OpMaximum, kind == OpMinimum:
		op.Decides()
	default:
		op.KeepsInputs()
		if kind == OpPow {
			op.KeepsOutputs()
		}
		op.GradInPlace = kind == OpSquaredDifference // the differences times the incoming gradient, twice
		op.InPlace = kind != OpCross                 // tensorflow/core/kernels/cross_op.cc
	}
	return out, nil
}

// L2Loss adds tf.nn.l2_loss, one kernel that returns a number. Its gradient is its input times a number,
// and overwrites the input if nothing else needs that (tensorflow/python/ops/nn_grad.py, _L2LossGrad).
func L2Loss(g *Graph, x *Tensor) *Tensor {
	out, op := g.Add(OpL2Loss, []*Tensor{x}, tensor.Shape{}, x.DType)
	op.KeepsInputs()
	op.GradInPlace = true
	return out
}

// Reduce adds an operation that reduces a tensor to fewer dimensions.
func Reduce(g *Graph, kind *Kind, x *Tensor, shape tensor.Shape) *Tensor {
	if kind == OpMean {
		return g.shared(kind, x, nil, shape, func() *Tensor { return g.Tensor(kind, []*Tensor{x}, shape, x.DType) })
	}
	d := x.DType
	if d == "bool" && kind != OpAny {
		d = "int32"
	}
	out, op := g.Add(kind, []*Tensor{x}, shape, d)
	switch {
	case kind == OpMax:
		op.Selects()
	case kind.Is(KeepsOne):
		op.Extra = append(op.Extra, x.Bytes())
	}
	return out
}
