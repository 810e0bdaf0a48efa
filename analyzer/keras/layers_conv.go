package keras

import "fmt"

// convolution is Conv1D to Conv3D, their transposes, DepthwiseConv and
// SeparableConv.
type convolution struct {
	rank       int // of space
	filters    int64
	kernel     []int64
	strides    []int64
	dilation   []int64
	padding    string
	groups     int64
	bias       bool
	activation string
	transpose  bool
	depthwise  bool // filters is the depth multiplier
	separable  bool
	multiplier int64
	outputPad  []int64
}

func (s *convolution) build(l *Layer, in []Shape) error {
	if err := rank(in, s.rank+2); err != nil {
		return err
	}
	channels := in[0].last()
	if err := known(channels, "the number of channels of its input"); err != nil {
		return err
	}
	for _, k := range s.kernel {
		if err := known(k, "kernel_size"); err != nil {
			return err
		}
	}
	if err := known(s.filters, "filters"); err != nil {
		return err
	}
	if s.groups < 1 || channels%s.groups != 0 {
		return fmt.Errorf("TensorFlow will raise: %d channels cannot be split into %d groups", channels, s.groups)
	}
	kernel := append([]int64(nil), s.kernel...)
	out := s.filters
	switch {
	case s.separable:
		l.weight("depthwise_kernel", true, append(kernel, channels, s.multiplier)...)
		l.weight("pointwise_kernel", true, append(same(s.rank, 1), channels*s.multiplier, s.filters)...)
	case s.depthwise:
		out = channels * s.filters
		l.weight("kernel", true, append(kernel, channels, s.filters)...)
	case s.transpose:
		l.weight("kernel", true, append(kernel, s.filters, channels)...)
	default:
		l.weight("kernel", true, append(kernel, channels/s.groups, s.filters)...)
	}
	if s.bias {
		l.weight("bias", true, out)
	}
	return nil
}

func (s *convolution) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if err := rank([]Shape{x.Shape}, s.rank+2); err != nil {
		return nil, err
	}
	w := l.Weights[0].Shape
	channels := w[s.rank] * s.groups
	if s.transpose {
		channels = w[s.rank+1]
	}
	if x.Shape.last() != channels {
		return nil, fmt.Errorf("TensorFlow will raise: the kernel takes %d channels and the input has the shape %s", channels, x.Shape)
	}
	shape := append(Shape(nil), x.Shape...)
	for i := range s.rank {
		d, err := s.length(x.Shape[i+1], i)
		if err != nil {
			return nil, err
		}
		shape[i+1] = d
	}
	if s.padding == "causal" {
		// Keras pads, then convolves without padding.
		padded := x.Shape.with(1, x.Shape[1])
		if padded[1] >= 0 {
			padded[1] += s.dilation[0] * (s.kernel[0] - 1)
		}
		x, _ = g.add("Pad", []*Tensor{x}, padded, x.DType)
	}
	switch {
	case s.separable:
		middle := shape.with(-1, channels*s.multiplier)
		d, op := g.add("DepthwiseConv", []*Tensor{cast(g, x, l.DType)}, middle, l.DType)
		op.keepsInputs()
		op.trains(l.trained(l.Weights[0])...)
		return weighted(l, g, "Conv", d, shape.with(-1, s.filters), l.Weights[1], s.activation)
	case s.depthwise:
		return weighted(l, g, "DepthwiseConv", x, shape.with(-1, channels*s.filters), l.Weights[0], s.activation)
	}
	return weighted(l, g, "Conv", x, shape.with(-1, s.filters), l.Weights[0], s.activation)
}

// length is the length of dimension i of space after the convolution
// (keras/src/ops/operation_utils.py, compute_conv_output_shape).
func (s *convolution) length(n int64, i int) (int64, error) {
	if n < 0 {
		return None, nil
	}
	k := s.dilation[i]*(s.kernel[i]-1) + 1
	stride := s.strides[i]
	if stride < 1 {
		return 0, fmt.Errorf("TensorFlow will raise: a stride of %d", stride)
	}
	if s.transpose {
		if s.outputPad != nil {
			pad := int64(0)
			if s.padding == "same" {
				pad = k / 2
			}
			return (n-1)*stride + k - 2*pad + s.outputPad[i], nil
		}
		if s.padding == "same" {
			return n * stride, nil
		}
		return n*stride + max(k-stride, 0), nil
	}
	return window(n, k, stride, s.padding)
}

// window is how many windows of length k fit at a stride.
func window(n, k, stride int64, padding string) (int64, error) {
	if n < 0 {
		return None, nil
	}
	if stride < 1 {
		return 0, fmt.Errorf("TensorFlow will raise: a stride of %d", stride)
	}
	if padding == "same" || padding == "causal" {
		return (n + stride - 1) / stride, nil
	}
	if n < k {
		return 0, fmt.Errorf("TensorFlow will raise: a window of %d does not fit into %d (negative dimension size)", k, n)
	}
	return (n-k)/stride + 1, nil
}

// pooling is the pools with a window.
func pooling(average bool, rnk int, size, strides []int64, padding string) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, rnk+2); err != nil {
			return nil, err
		}
		shape := append(Shape(nil), x.Shape...)
		for i := range rnk {
			d, err := window(shape[i+1], size[i], strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i+1] = d
		}
		if average {
			out, _ := g.add("AvgPool", []*Tensor{x}, shape, x.DType)
			return out, nil
		}
		out, op := g.add("MaxPool", []*Tensor{x}, shape, x.DType)
		op.keepsInputs()
		op.keepsOutputs()
		return out, nil
	}
}

// globalPooling reduces all dimensions of space.
func globalPooling(average, keepdims bool, rnk int) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, rnk+2); err != nil {
			return nil, err
		}
		shape := Shape{x.Shape[0]}
		if keepdims {
			for range rnk {
				shape = append(shape, 1)
			}
		}
		shape = append(shape, x.Shape.last())
		if average {
			out, _ := g.add("Mean", []*Tensor{x}, shape, x.DType)
			return out, nil
		}
		out, op := g.add("Max", []*Tensor{x}, shape, x.DType)
		op.keepsInputs()
		op.keepsOutputs()
		// Which elements are the greatest, a byte each
		// (tensorflow/python/ops/math_grad.py, _MinOrMaxGrad).
		if n, ok := x.Shape.Elements(); ok {
			op.BackwardTemp = round256(n)
		}
		return out, nil
	}
}

// resizing is UpSampling: each dimension of space times a factor.
func upsampling(factors []int64) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, len(factors)+2); err != nil {
			return nil, err
		}
		shape := append(Shape(nil), x.Shape...)
		for i, f := range factors {
			if shape[i+1] >= 0 {
				shape[i+1] *= f
			}
		}
		out, _ := g.add("UpSampling", []*Tensor{x}, shape, x.DType)
		return out, nil
	}
}

// padding adds to, or cropping takes from, each end of the dimensions of space.
func padding(pads [][2]int64, crop bool) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, len(pads)+2); err != nil {
			return nil, err
		}
		shape := append(Shape(nil), x.Shape...)
		for i, p := range pads {
			if shape[i+1] < 0 {
				continue
			}
			if crop {
				shape[i+1] -= p[0] + p[1]
			} else {
				shape[i+1] += p[0] + p[1]
			}
			if shape[i+1] <= 0 {
				return nil, fmt.Errorf("TensorFlow will raise: nothing of %s is left", x.Shape)
			}
		}
		out, _ := g.add("Pad", []*Tensor{x}, shape, x.DType)
		return out, nil
	}
}
