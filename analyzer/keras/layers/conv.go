package layers

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var convolutionLayers = map[string]layerClass{
	"Conv1D": {MayHaveWeights, conv(1)}, "Conv2D": {MayHaveWeights, conv(2)}, "Conv3D": {MayHaveWeights, conv(3)},
	"Conv1DTranspose": {MayHaveWeights, convTranspose(1)}, "Conv2DTranspose": {MayHaveWeights, convTranspose(2)}, "Conv3DTranspose": {MayHaveWeights, convTranspose(3)},
	"DepthwiseConv1D": {MayHaveWeights, depthwise(1)}, "DepthwiseConv2D": {MayHaveWeights, depthwise(2)},
	"SeparableConv1D": {MayHaveWeights, separable(1)}, "SeparableConv2D": {MayHaveWeights, separable(2)},
	"LocallyConnected1D": {MayHaveWeights, locallyConnected(1)}, "LocallyConnected2D": {MayHaveWeights, locallyConnected(2)},
}

// convolution is Conv1D to Conv3D, their transposes, DepthwiseConv and SeparableConv.
type convolution struct {
	rank       int // the number of spatial dimensions
	filters    int64
	kernel     []int64
	strides    []int64
	dilation   []int64
	padding    string
	at         Layout
	groups     int64
	bias       bool
	activation act
	transpose  bool
	depthwise  bool // filters is the depth multiplier
	separable  bool
	multiplier int64
	outputPad  []int64
	lora       int64 // lora_rank
	stacks     bool  // it takes batches of batches, as in Keras 2 (tf_keras/src/layers/convolutional/base_conv.py)
}

// ranked checks the dimensions of an input.
func (s *convolution) ranked(in []tensor.Shape) error {
	if s.stacks && len(in) > 0 && len(in[0]) > s.rank+2 {
		return value.Because(value.UnmodelledLayer, "a convolution over an input of %d dimensions is not followed", len(in[0]))
	}
	return graph.CheckRank(in, s.rank+2)
}

func conv(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := r.convolution(&convolution{rank: rank, filters: r.Number(0, "filters", tensor.None), groups: r.Number(6, "groups", 1), lora: r.Number(-1, "lora_rank", 0), stacks: r.keras2()}, 1, 4, 5, 7)
		if s.groups > 0 && s.filters > 0 && s.filters%s.groups != 0 {
			r.note(value.Refused("%d filters cannot be split into %d groups", s.filters, s.groups))
		}
		return s
	}
}

func convTranspose(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		outputPad, format := 4, 5
		if rank == 3 { // keras/src/layers/convolutional/conv3d_transpose.py has them in reverse order
			outputPad, format = 5, 4
		}
		s := &convolution{rank: rank, transpose: true, groups: 1, filters: r.Number(0, "filters", tensor.None), outputPad: r.Numbers(outputPad, "output_padding", rank, nil)}
		return r.convolution(s, 1, format, 6, 7)
	}
}

func depthwise(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		return r.convolution(&convolution{rank: rank, depthwise: true, groups: 1, filters: r.Number(3, "depth_multiplier", 1)}, 0, 4, 5, 6)
	}
}

// convolution reads what all convolutions are given: kernel_size and what follows it, and the
// others at their places.
func (r *ArgParser) convolution(s *convolution, kernel, layout, dilation, activation int) *convolution {
	s.kernel = r.Numbers(kernel, "kernel_size", s.rank, Repeated(s.rank, tensor.None))
	s.strides = r.Numbers(kernel+1, "strides", s.rank, Repeated(s.rank, 1))
	s.padding, s.at = r.padding(kernel+2), r.layout(layout)
	s.dilation = r.Numbers(dilation, "dilation_rate", s.rank, Repeated(s.rank, 1))
	s.activation, s.bias = r.activation(activation, "activation"), r.Bool(activation+1, "use_bias", true)
	if own := s.depthwise || s.separable; slices.Max(s.strides) > 1 && slices.Max(s.dilation) > 1 && (r.keras2() || !own) {
		// keras/src/layers/convolutional/base_conv.py
		r.note(value.Refused("a convolution has either strides or dilation_rate over 1"))
	}
	return s
}

func separable(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := r.convolution(&convolution{rank: rank, separable: true, groups: 1, filters: r.Number(0, "filters", tensor.None), multiplier: r.Number(6, "depth_multiplier", 1)}, 1, 4, 5, 7)
		if s.padding == "causal" && !(rank == 1 && r.keras2()) {
			why := `a separable convolution is "valid" or "same"`
			if rank == 1 {
				r.note(FromKeras3("%s", why)) // Keras 2 pads in an operation of its own
			} else {
				r.Fail("padding", value.Refused("%s", why))
			}
		}
		return s
	}
}

func (s *convolution) Children() []*graph.Layer { return s.activation.layers() }

func (s *convolution) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := s.ranked(in); err != nil {
		return err
	}
	channels := s.at.last(in[0]).Last()
	err := graph.Checks(graph.CheckKnown(channels, "the number of channels of its input"), graph.CheckKnown(slices.Min(s.kernel), "kernel_size"), graph.CheckKnown(s.filters, "filters"))
	if err != nil {
		return err
	}
	if s.groups < 1 || channels%s.groups != 0 {
		return value.Refused("%d channels cannot be split into %d groups", channels, s.groups)
	}
	kernel := append([]int64(nil), s.kernel...)
	out := s.filters
	switch {
	case s.separable:
		l.Weight("depthwise_kernel", true, append(kernel, channels, s.multiplier)...)
		l.Weight("pointwise_kernel", true, append(Repeated(s.rank, 1), channels*s.multiplier, s.filters)...)
	case s.depthwise:
		out = channels * s.filters
		l.Weight("kernel", true, append(kernel, channels, s.filters)...)
	case s.transpose:
		l.Weight("kernel", true, append(kernel, s.filters, channels)...)
	default:
		l.Weight("kernel", true, append(kernel, channels/s.groups, s.filters)...)
	}
	if s.bias {
		l.Weight("bias", true, out)
	}
	LowRank(l, l.Weights[0], s.lora)
	return nil
}

func (s *convolution) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if err := s.ranked([]tensor.Shape{x.Shape}); err != nil {
		return nil, err
	}
	w := l.Weights[0].Shape
	channels := w[s.rank] * s.groups
	if s.transpose {
		channels = w[s.rank+1]
	}
	given := s.at.last(x.Shape)
	if given.Last() >= 0 && given.Last() != channels {
		return nil, value.Refused("the kernel takes %d channels and the input has the shape %s", channels, x.Shape)
	}
	shape := given
	for i := range s.rank {
		d, err := s.length(given[i+1], i)
		if err != nil {
			return nil, err
		}
		shape[i+1] = d
	}
	if s.padding == "causal" {
		// Keras pads, then convolves without padding.
		padded := s.at.last(x.Shape)
		if padded[1] >= 0 {
			padded[1] += s.dilation[0] * (s.kernel[0] - 1)
		}
		x = s.once(g, graph.OpPad, x, s.at.back(padded))
	}
	switch {
	case s.separable:
		d := graph.Cast(g, x, l.DType)
		middle := s.depthwiseOf(l, g, d, s.at.back(shape.With(-1, channels*s.multiplier)))
		return weighted(l, g, graph.OpConv, middle, s.at.back(shape.With(-1, s.filters)), l.Weights[1], s.activation)
	case s.depthwise:
		y := s.depthwiseOf(l, g, graph.Cast(g, x, l.DType), s.at.back(shape.With(-1, channels*s.filters)))
		return biased(l, g, y, s.activation)
	}
	out := s.at.back(shape.With(-1, s.filters))
	if s.transpose {
		return weighted(l, g, graph.OpConv, x, out, l.Weights[0], s.activation)
	}
	x, dilated := s.blocks(g, graph.Cast(g, x, l.DType))
	y := kernelProduct(l, g, graph.OpConv, x, out, l.Weights[0])
	if dilated {
		y = g.Tensor(graph.OpBatchToSpace, []*graph.Tensor{y}, out, l.DType)
	}
	return biased(l, g, y, s.activation)
}

// depthwiseOf adds the convolution with a depthwise kernel.
func (s *convolution) depthwiseOf(l *graph.Layer, g *graph.Graph, x *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	x, dilated := s.blocks(g, x)
	y, op := g.Add(graph.OpDepthwiseConv, []*graph.Tensor{x}, shape, l.DType)
	op.Keep, op.Linear = append(op.Keep, x), true
	op.Trains(l.Trained(g, l.Weights[0])...)
	l.Casts(op, l.Weights[0])
	if dilated {
		y = g.Tensor(graph.OpBatchToSpace, []*graph.Tensor{y}, shape, l.DType)
	}
	return y
}

// blocks cuts the input of a dilated convolution into blocks, to which a dense kernel is applied,
// on every device but a TPU (tensorflow/python/ops/nn_ops.py, convolution_internal; nn_impl.py,
// depthwise_conv2d_v2: with_space_to_batch).
func (s *convolution) blocks(g *graph.Graph, x *graph.Tensor) (*graph.Tensor, bool) {
	dilated := false
	shape := s.at.last(x.Shape)
	for i, d := range s.dilation {
		if d > 1 {
			dilated = true
		}
		if d > 0 && shape[i+1] >= 0 {
			n := shape[i+1]
			if s.padding == "same" {
				n += d * (s.kernel[i] - 1)
			}
			shape[i+1] = (n + d - 1) / d * d
		}
	}
	if dilated {
		x = s.once(g, graph.OpSpaceToBatch, x, s.at.back(shape))
	}
	return x, dilated
}

// once reshapes the input of a convolution, unless another convolution of it has done so.
// TensorFlow's graph optimizer merges common subexpressions, as it does for activations.
func (s *convolution) once(g *graph.Graph, kind *graph.Kind, x *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	for out := x.Activated; out != nil && !g.Eagerly; out = out.Before {
		if op := out.From; op.Kind == kind && slices.Equal(out.Shape, shape) {
			if other, ok := op.Layer.Impl.(*convolution); ok && slices.Equal(other.dilation, s.dilation) {
				return out
			}
		}
	}
	out := g.Tensor(kind, []*graph.Tensor{x}, shape, x.DType)
	out.Before, x.Activated = x.Activated, out
	return out
}

// length returns the length of the i-th spatial dimension after the convolution
// (keras/src/ops/operation_utils.py, compute_conv_output_shape, and
// keras/src/backend/common/backend_utils.py, compute_conv_transpose_output_shape).
func (s *convolution) length(n int64, i int) (int64, error) {
	if n < 0 {
		return tensor.None, nil
	}
	k := s.dilation[i]*(s.kernel[i]-1) + 1
	stride := s.strides[i]
	if stride < 1 {
		return 0, value.Refused("a stride of %d", stride)
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
	return Window(n, k, stride, s.padding)
}

// Window returns how many windows of length k fit at a stride.
func Window(n, k, stride int64, padding string) (int64, error) {
	if n < 0 {
		return tensor.None, nil
	}
	if stride < 1 {
		return 0, value.Refused("a stride of %d", stride)
	}
	if padding == "same" || padding == "causal" {
		return (n + stride - 1) / stride, nil
	}
	if n < k {
		return 0, value.Refused("a window of %d does not fit into %d (negative dimension size)", k, n)
	}
	return (n-k)/stride + 1, nil
}

// local is LocallyConnected of Keras 2: a kernel of its own for every position
// (keras/src/layers/locally_connected of Keras 2.13).
type local struct {
	rank           int
	filters        int64
	kernel, stride []int64
	padding        string
	at             Layout
	activation     act
	bias           bool
	implementation int64
}

func locallyConnected(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := &local{
			rank: rank, filters: r.Number(0, "filters", tensor.None), kernel: r.Numbers(1, "kernel_size", rank, Repeated(rank, tensor.None)),
			stride: r.Numbers(2, "strides", rank, Repeated(rank, 1)), padding: r.padding(3), at: r.layout(4),
			activation: r.activation(5, "activation"), bias: r.Bool(6, "use_bias", true), implementation: r.Number(-1, "implementation", 1),
		}
		if s.implementation == 1 && s.padding != "valid" {
			r.Fail("padding", value.Because(value.UnmodelledArgument, "Keras has only \"valid\" for implementation=1"))
		}
		if s.implementation != 1 && s.implementation != 2 {
			r.Fail("implementation", value.Because(value.UnmodelledArgument, "only 1 and 2 are modelled"))
		}
		return s
	}
}

// places returns the shape of the output.
func (s *local) places(in tensor.Shape) (tensor.Shape, error) {
	if err := graph.CheckRank([]tensor.Shape{in}, s.rank+2); err != nil {
		return nil, err
	}
	out := s.at.last(in)
	for i := range s.rank {
		if err := graph.Checks(graph.CheckKnown(s.kernel[i], "kernel_size"), graph.CheckKnown(out[i+1], "a dimension of its input")); err != nil {
			return nil, err
		}
		n, err := Window(out[i+1], s.kernel[i], s.stride[i], s.padding)
		if err != nil {
			return nil, err
		}
		out[i+1] = n
	}
	out[len(out)-1] = s.filters
	return out, nil
}

// patch returns the number of elements that one position reads.
func (s *local) patch(channels int64) int64 {
	for _, k := range s.kernel {
		channels *= k
	}
	return channels
}

func (s *local) Children() []*graph.Layer { return s.activation.layers() }

func (s *local) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) == 0 {
		return graph.CheckRank(in, s.rank+2)
	}
	if err := graph.CheckKnown(s.filters, "filters"); err != nil {
		return err
	}
	out, err := s.places(in[0])
	if err != nil {
		return err
	}
	from := s.at.last(in[0])
	if err := graph.CheckKnown(from.Last(), "the number of channels of its input"); err != nil {
		return err
	}
	n, _ := out[1 : len(out)-1].Elements()
	if s.implementation == 1 {
		l.Weight("kernel", true, n, s.patch(from.Last()), s.filters)
	} else {
		l.Weight("kernel", true, append(append([]int64(nil), from[1:]...), out[1:]...)...)
	}
	if s.bias {
		l.Weight("bias", true, out[1:]...)
	}
	return nil
}

func (s *local) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	out, err := s.places(in[0].Shape)
	if err != nil {
		return nil, err
	}
	x := in[0]
	if s.implementation == 1 {
		// The patches are concatenated (keras/src/backend.py, local_conv).
		n, _ := out[1 : len(out)-1].Elements()
		channels := s.at.last(x.Shape).Last()
		x = g.Tensor(graph.OpConcat, []*graph.Tensor{x}, tensor.Shape{n, x.Shape[0], s.patch(channels)}, x.DType)
	}
	return weighted(l, g, graph.OpBatchMatMul, x, s.at.back(out), l.Weights[0], s.activation)
}
