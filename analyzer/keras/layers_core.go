package keras

import "fmt"

// dense is Dense: a product with a kernel, a bias, an activation.
type dense struct {
	units      int64
	bias       bool
	activation string
}

func (s *dense) build(l *Layer, in []Shape) error {
	if len(in) == 0 || len(in[0]) < 2 {
		return fmt.Errorf("TensorFlow will raise: it expects an input of at least 2 dimensions")
	}
	if err := known(in[0].last(), "the last dimension of its input"); err != nil {
		return err
	}
	if err := known(s.units, "units"); err != nil {
		return err
	}
	l.weight("kernel", true, in[0].last(), s.units)
	if s.bias {
		l.weight("bias", true, s.units)
	}
	return nil
}

func (s *dense) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if x.Shape.last() != l.Weights[0].Shape[0] {
		return nil, fmt.Errorf("TensorFlow will raise: the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	return weighted(l, g, "MatMul", x, x.Shape.with(-1, s.units), l.Weights[0], s.activation)
}

// weighted adds a product of x with a kernel (MatMul, a convolution), whose
// gradient reads both factors, then the bias and the activation, which write
// over the product where they can.
func weighted(l *Layer, g *Graph, name string, x *Tensor, shape Shape, kernel *Weight, act string) ([]*Tensor, error) {
	x = cast(g, x, l.DType)
	y, op := g.add(name, []*Tensor{x}, shape, l.DType)
	op.Keep = append(op.Keep, x)
	op.trains(l.trained(kernel)...)
	if l.DType.Size() < 4 {
		// The kernel's copy in the compute type: read by the input's gradient.
		op.Extra = append(op.Extra, round256(kernel.Elements()*l.DType.Size()))
	}
	if bias := l.named("bias"); bias != nil {
		z, op := g.add("BiasAdd", []*Tensor{y}, shape, l.DType)
		op.InPlace, op.GradSame = true, true
		op.trains(l.trained(bias)...)
		y = z
	}
	out, ok := activation(g, act, y)
	if !ok {
		return nil, fmt.Errorf("its activation %q is not known", act)
	}
	return []*Tensor{out}, nil
}

// cast adds a conversion where the type differs.
func cast(g *Graph, x *Tensor, d DType) *Tensor {
	if x.DType == d || d == "" {
		return x
	}
	out, _ := g.add("Cast", []*Tensor{x}, x.Shape, d)
	return out
}

func (l *Layer) named(name string) *Weight {
	for _, w := range l.Weights {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// plain is a layer without weights, given by what it does to one tensor.
type plain func(l *Layer, g *Graph, x *Tensor) (*Tensor, error)

func (plain) build(*Layer, []Shape) error { return nil }

func (s plain) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("it is called without an input")
	}
	out, err := s(l, g, in[0])
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

// merging is a layer without weights that takes several tensors.
type merging func(l *Layer, g *Graph, in []*Tensor) (*Tensor, error)

func (merging) build(*Layer, []Shape) error { return nil }

func (s merging) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) < 2 {
		return nil, fmt.Errorf("TensorFlow will raise: it merges at least two tensors and gets %d", len(in))
	}
	out, err := s(l, g, in)
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

// view gives x another shape without a copy.
func view(g *Graph, x *Tensor, shape Shape) *Tensor {
	out, op := g.add("Reshape", []*Tensor{x}, shape, x.DType)
	op.View, op.InPlace, op.GradInPlace = true, true, true
	return out
}

func identity(_ *Layer, _ *Graph, x *Tensor) (*Tensor, error) { return x, nil }

func flatten(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
	n, ok := x.Shape[1:].Elements()
	if !ok {
		n = None
	}
	return view(g, x, Shape{x.Shape[0], n}), nil
}

func reshape(target Shape) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		all, ok := x.Shape[1:].Elements()
		rest, open := int64(1), -1
		for i, d := range target {
			if d < 0 {
				open = i
			} else {
				rest *= d
			}
		}
		out := append(Shape{x.Shape[0]}, target...)
		switch {
		case open >= 0 && ok && rest > 0 && all%rest == 0:
			out[open+1] = all / rest
		case ok && open < 0 && all != rest, ok && open >= 0:
			return nil, fmt.Errorf("TensorFlow will raise: %d elements cannot take the shape %s", all, target)
		}
		return view(g, x, out), nil
	}
}

func repeatVector(n int64) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, 2); err != nil {
			return nil, err
		}
		out, _ := g.add("Tile", []*Tensor{x}, Shape{x.Shape[0], n, x.Shape[1]}, x.DType)
		return out, nil
	}
}

func permute(dims []int64) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		out := Shape{x.Shape[0]}
		for _, d := range dims {
			if d < 1 || int(d) >= len(x.Shape) {
				return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %s", d, x.Shape)
			}
			out = append(out, x.Shape[d])
		}
		y, _ := g.add("Transpose", []*Tensor{x}, out, x.DType)
		return y, nil
	}
}

// dropout keeps its mask, a byte an element, for the gradient
// (tf.nn.experimental.stateless_dropout); noise dimensions are shared.
func dropout(rate float64, spatial bool) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if rate == 0 {
			return x, nil
		}
		mask := x.Shape
		if spatial {
			mask = append(Shape(nil), x.Shape...)
			for i := 1; i < len(mask)-1; i++ {
				mask[i] = 1
			}
		}
		out, op := g.add("Dropout", []*Tensor{x}, x.Shape, x.DType)
		if n, ok := mask.Elements(); ok {
			op.Extra = []int64{round256(n)}
			op.ForwardTemp = round256(n * 4)
		}
		op.GradInPlace = true
		return out, nil
	}
}

func activate(name string) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		out, ok := activation(g, name, x)
		if !ok {
			return nil, fmt.Errorf("the activation %q is not known", name)
		}
		return out, nil
	}
}

// arithmetic is a layer that computes an elementwise function whose gradient
// keeps nothing: Rescaling, a constant added.
func arithmetic(name string) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		x = cast(g, x, l.DType)
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		return out, nil
	}
}

// broadcast is the shape of an elementwise operation on two tensors.
func broadcast(a, b Shape) (Shape, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append(Shape(nil), a...)
	for i := range b {
		j := len(a) - len(b) + i
		switch {
		case a[j] == b[i] || b[i] == 1:
		case a[j] == 1:
			out[j] = b[i]
		case a[j] < 0:
			out[j] = b[i]
		case b[i] < 0:
		default:
			return nil, fmt.Errorf("TensorFlow will raise: the shapes %s and %s do not fit together", a, b)
		}
	}
	return out, nil
}

// elementwise is Add, Multiply and their like.
func elementwise(name string) merging {
	return func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		shape := in[0].Shape
		for _, t := range in[1:] {
			var err error
			if shape, err = broadcast(shape, t.Shape); err != nil {
				return nil, err
			}
		}
		out, op := g.add(name, in, shape, in[0].DType)
		op.InPlace = true
		switch name {
		case "Multiply", "Maximum", "Minimum":
			op.keepsInputs()
		case "Add":
			op.GradSame = true
		default:
			op.GradInPlace = true
		}
		return out, nil
	}
}

func concatenate(axis int) merging {
	return func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		shape := append(Shape(nil), in[0].Shape...)
		at := axis
		if at < 0 {
			at += len(shape)
		}
		if at < 0 || at >= len(shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %s", axis, shape)
		}
		for _, t := range in[1:] {
			if len(t.Shape) != len(shape) {
				return nil, fmt.Errorf("TensorFlow will raise: %s and %s cannot be joined", in[0].Shape, t.Shape)
			}
			for i, d := range t.Shape {
				switch {
				case i == at && (shape[i] < 0 || d < 0):
					shape[i] = None
				case i == at:
					shape[i] += d
				case shape[i] < 0:
					shape[i] = d
				case d >= 0 && d != shape[i]:
					return nil, fmt.Errorf("TensorFlow will raise: %s and %s differ beside the dimension they are joined along", in[0].Shape, t.Shape)
				}
			}
		}
		out, _ := g.add("Concat", in, shape, in[0].DType)
		return out, nil
	}
}

// embedding is Embedding: its gradient comes as rows.
type embedding struct{ vocabulary, dimension int64 }

func (s *embedding) build(l *Layer, _ []Shape) error {
	if err := known(s.vocabulary, "input_dim"); err != nil {
		return err
	}
	if err := known(s.dimension, "output_dim"); err != nil {
		return err
	}
	l.weight("embeddings", true, s.vocabulary, s.dimension)
	return nil
}

func (s *embedding) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if x.DType != "int32" && x.DType != "int64" {
		x = cast(g, x, "int32")
	}
	out, op := g.add("Embedding", []*Tensor{x}, append(append(Shape(nil), x.Shape...), s.dimension), l.DType)
	op.NoGradOf = []int{0}
	op.Keep = []*Tensor{x}
	op.trains(l.trained(l.Weights[0])...)
	if rows, ok := out.Shape.Elements(); ok {
		op.SparseRows = rows
	}
	return []*Tensor{out}, nil
}
