package ops

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions on images: crops, resizing, patches, and sliding windows.

// ImageFunctions are those on images, and convolutions.
var ImageFunctions = []FunctionRow{
	{boundingBox, "pad_to_bounding_box crop_to_bounding_box"},
	{cropAndResize, "crop_and_resize"},
	{resize, "resize tensorflow.image.resize_images tensorflow.compat.v1.image.resize_images resize_with_pad resize_with_crop_or_pad resize_bilinear resize_nearest_neighbor ops.resize"},
	{crop, "central_crop random_crop"},
	{spaceToDepth, "space_to_depth depth_to_space"},
	{extractPatches, "extract_patches"},
	{totalVariation, "total_variation"},
	{convolve, "conv2d conv1d conv3d depthwise_conv2d max_pool2d max_pool avg_pool2d avg_pool average_pool max_pool1d avg_pool1d max_pool3d avg_pool3d conv depthwise_conv"},
	{convolveBack, "conv2d_transpose conv1d_transpose conv3d_transpose conv_transpose"},
	{grayscale, "rgb_to_grayscale"},
	{edges, "sobel_edges"},
	{similarity, "ssim"},
	{convertImageType, "convert_image_dtype"},
	{recolored, "adjust_contrast random_contrast stateless_random_contrast adjust_saturation random_saturation stateless_random_saturation adjust_hue random_hue stateless_random_hue"},
	{standardized, "per_image_standardization"},
}

// recolored adjusts the colours of an image in one kernel, not in place. It has no gradient
// (tensorflow/core/kernels/image/adjust_contrast_op.cc, adjust_hue_op.cc,
// adjust_saturation_op.cc).
func recolored(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpRecolor, []*graph.Tensor{x}, x.Shape, x.DType)
		if !x.DType.Floating() {
			op.ForwardTemp = 2 * tensor.Round256(x.Bytes()/max(x.DType.Size(), 1)*tensor.DType("float32").Size()) // converted to float32 and back
		}
		return []*graph.Tensor{out}, nil
	})
}

// standardized is tf.image.per_image_standardization (tensorflow/python/ops/image_ops_impl.py).
func standardized(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	c, keep := calls{h, in}, value.Value{X: true}
	picture := value.Value{X: value.Tuple{{X: int64(-1)}, {X: int64(-2)}, {X: int64(-3)}}}
	x := c.do("cast", objects.First(args), text("float32"))
	deviation := c.do("maximum", c.do("reduce_std", x, picture, keep), value.Value{X: 1e-6})
	return c.do("divide", c.do("subtract", x, c.do("reduce_mean", x, picture, keep)), deviation)
}

// convertImageType is a cast. From integers to other types it also multiplies, to scale the
// largest of them to 1 (tensorflow/python/ops/image_ops_impl.py, convert_image_dtype).
func convertImageType(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	image, _ := args.Get(0, "image")
	to, _ := objects.Passed(args, 1, "dtype")
	d, ok := to.X.(string)
	s, why := Operand(h, image)
	if why == nil && !ok {
		why = value.Because(value.UnmodelledUse, "the type that an image is converted to is not known: %s", objects.Because(to))
	}
	if why != nil {
		return why.Unknown()
	}
	call := func(name string, with value.Value) {
		image = interp.Call(in, value.Value{X: value.External{Name: "tensorflow." + name}}, &value.Args{Positional: []value.Value{image, with}, Node: args.Node})
	}
	scales := s.DType.Floating() != tensor.DType(d).Floating()
	if scales && s.DType.Floating() {
		call("multiply", value.Value{X: 255.5})
	}
	if s.DType != tensor.DType(d) {
		call("cast", to)
	}
	if scales && !s.DType.Floating() {
		call("multiply", value.Value{X: 1. / 255})
	}
	return image
}

// cropAndResize cuts boxes out of images. The gradient of the images reads the boxes and not the
// images (tensorflow/python/ops/image_grad.py, _CropAndResizeGrad).
func cropAndResize(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	boxes, _ := objects.Passed(args, 1, "boxes")
	which, _ := objects.Passed(args, 2, "box_indices", "box_ind")
	size, _ := objects.Passed(args, 3, "crop_size")
	to, ok := objects.Dims(size)
	if !ok || len(to) != 2 {
		return h.Unknown(value.ArrayShape, "the size that boxes are resized to is not known: %s", objects.Because(size))
	}
	return OnAll(h, "CropAndResize", []value.Value{objects.First(args), boxes, which}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		images, boxes, which := in[0], in[1], in[2]
		if len(images.Shape) != 4 || len(boxes.Shape) != 2 {
			return nil, value.Refused("%s crops boxes of the shape %s out of %s", name, boxes.Shape, images.Shape)
		}
		out, op := g.Add(graph.OpCropAndResize, in, tensor.Shape{boxes.Shape[0], to[0], to[1], images.Shape[3]}, "float32")
		out.Grad = images.Grad || boxes.Grad
		op.NoGradOf = []int{2}
		op.Keep = append(op.Keep, boxes, which)
		if boxes.Grad {
			op.Keep = append(op.Keep, images)
		}
		return []*graph.Tensor{out}, nil
	})
}

// resize is tf.image.resize. The shape changes. The type stays only if pixels are selected,
// cropped or padded (tensorflow/python/ops/image_ops_impl.py, resize_images_v2,
// resize_image_with_crop_or_pad), and with keras.ops, which casts the result back
// (keras/src/backend/tensorflow/image.py, resize).
func resize(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	size, _ := objects.Passed(args, 1, "size", "target_height")
	if width, ok := objects.Passed(args, 2, "target_width"); ok && strings.HasPrefix(name, "resize_with") {
		size = value.Value{X: value.Tuple{size, width}}
	}
	return OnOne(h, "Resize", args, []value.Value{size}, func(g *graph.Graph, x *graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := shapes.Resize(x.Shape, resolve(size))
		if err != nil {
			return nil, err
		}
		d := x.DType
		switch name {
		case "resize", "tensorflow.image.resize_images", "tensorflow.compat.v1.image.resize_images", "resize_bilinear":
			d = numpy.ResizedType(args, 2, d)
		case "resize_with_pad":
			d = numpy.ResizedType(args, 3, d)
		}
		return []*graph.Tensor{g.Tensor(graph.OpResize, []*graph.Tensor{x}, shape, d)}, nil
	})
}

// crop cuts a part of a given size out of an image, or the central fraction of its sides
// (tensorflow/python/ops/random_crop_ops.py, random_crop; image_ops_impl.py, central_crop).
func crop(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if name == "random_crop" {
		size, _ := objects.Passed(args, 1, "size")
		return shaped(h, "Slice", graph.OpSlice, args, []value.Value{size}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
			shape, ok := objects.Sizes(resolve(size))
			if !ok {
				return nil, value.Because(value.ArrayShape, "the size of a crop is not known: %s", objects.Because(size))
			}
			if len(shape) != len(s) {
				return nil, value.Refused("random_crop cuts %s out of %s", shape, s)
			}
			return shape, nil
		})
	}
	given, _ := objects.Passed(args, 1, "central_fraction")
	fraction, ok := given.X.(float64)
	if n, whole := given.Int(); whole {
		fraction, ok = float64(n), true
	}
	if !ok || fraction <= 0 || fraction > 1 {
		return h.Unknown(value.ArrayShape, "the part that central_crop leaves is not known: %s", objects.Because(given))
	}
	return shaped(h, "Slice", graph.OpSlice, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		n, shape := len(s), slices.Clone(s)
		if fraction == 1 {
			return shape, nil // before the rank is checked
		}
		if n < 3 || n > 4 {
			return nil, value.Refused("central_crop is of images, and is given %s", s)
		}
		for i := n - 3; i < n-1; i++ {
			if side := float64(shape[i]); side >= 0 {
				shape[i] -= 2 * int64((side-side*fraction)/2)
			}
		}
		return shape, nil
	})
}

func spaceToDepth(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	block, ok := passedInt(args, 1, "block_size")
	if !ok || block < 1 || block > 1<<16 {
		return h.Unknown(value.ArrayShape, "the block of %s is not known", name)
	}
	return shaped(h, name, graph.OpSpaceToDepth, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		if err := graph.CheckRank([]tensor.Shape{s}, 4); err != nil {
			return nil, err
		}
		shape, b := slices.Clone(s), int64(block)
		for i := 1; i < 3; i++ {
			switch {
			case shape[i] < 0:
			case name == "depth_to_space":
				shape[i] *= b
			default:
				shape[i] /= b
			}
		}
		if name == "depth_to_space" {
			shape[3] /= b * b
		} else {
			shape[3] *= b * b
		}
		return shape, nil
	})
}

// extractPatches is tf.image.extract_patches.
func extractPatches(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	sizes := r.Numbers(1, "sizes", -1, nil)
	strides := r.Numbers(2, "strides", -1, nil)
	if len(sizes) != 4 { // keras.ops.image names one side, or two
		r.Why = nil
		n := r.Numbers(1, "size", 2, nil)
		if n != nil {
			sizes = []int64{1, n[0], n[1], 1}
		}
		strides = sizes
		if _, given := args.Keywords.Get("strides"); given {
			if s := r.Numbers(-1, "strides", 2, nil); s != nil {
				strides = []int64{1, s[0], s[1], 1}
			}
		}
	}
	rates := []int64{1, 1, 1, 1}
	if v, given := objects.Passed(args, 3, "rates", "dilation_rate"); given {
		named, ok := objects.Dims(v)
		switch {
		case ok && len(named) == 4:
			rates = named
		case ok && len(named) > 0 && len(named) < 3:
			rates = []int64{1, named[0], named[len(named)-1], 1}
		default:
			r.Why = objects.Because(v)
		}
	}
	padding := strings.ToLower(r.Text(4, "padding", "valid"))
	if r.Why != nil || len(sizes) != 4 || len(strides) != 4 {
		return h.Unknown(value.ArrayShape, "the patches that are extracted are not known: %s", r.Why)
	}
	return shaped(h, "ExtractPatches", graph.OpExtractPatches, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		if err := graph.CheckRank([]tensor.Shape{s}, 4); err != nil {
			return nil, err
		}
		shape := slices.Clone(s)
		for i := 1; i < 3; i++ {
			n, err := layers.Window(shape[i], (sizes[i]-1)*rates[i]+1, strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i] = n
		}
		shape[3] = tensor.Shape{shape[3], sizes[1], sizes[2]}.Product()
		return shape, nil
	})
}

// totalVariation is the sum of the differences of neighbours in each image
// (tensorflow/python/ops/image_ops_impl.py, total_variation).
func totalVariation(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	x, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	n := len(x.Shape)
	if n < 3 || n > 4 {
		return value.Refused("the total variation of %s", x.Shape).Unknown()
	}
	none := value.Value{X: value.None{}}
	part := func(axis int, start, stop value.Value) value.Value {
		index := make(value.Tuple, n)
		for i := range index {
			index[i] = value.Value{X: value.Slice{Start: none, Stop: none, Step: none}}
		}
		index[axis] = value.Value{X: value.Slice{Start: start, Stop: stop, Step: none}}
		return item(h, x, value.Value{X: index})
	}
	axes := value.Value{X: value.None{}}
	if n == 4 {
		axes.X = value.Tuple{{X: int64(1)}, {X: int64(2)}, {X: int64(3)}}
	}
	var sums [2]value.Value
	for i := range sums {
		difference := Binary(h, graph.OpSubtract, part(n-3+i, value.Value{X: int64(1)}, none), part(n-3+i, none, value.Value{X: int64(-1)}))
		size := unaryFunction(graph.OpAbs)(h, in, "abs", &value.Args{Positional: []value.Value{difference}})
		sums[i] = reduction(h, in, "reduce_sum", &value.Args{Positional: []value.Value{size, axes}})
	}
	return Binary(h, graph.OpAdd, sums[0], sums[1])
}

// convolve is a convolution with a given kernel, or a pool.
func convolve(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	rnk := 2
	if strings.HasSuffix(name, "1d") {
		rnk = 1
	} else if strings.HasSuffix(name, "3d") {
		rnk = 3
	}
	if name == "max_pool" || name == "avg_pool" || name == "average_pool" { // of any rank
		x, why := Operand(h, objects.First(args))
		if why != nil {
			return why.Unknown()
		}
		rnk = len(x.Shape) - 2
		if rnk < 1 || rnk > 3 {
			return value.Refused("the pool of %s", x.Shape).Unknown()
		}
	}
	r := &layers.ArgParser{Args: args}
	spatial := func(position int, keyword string, fallback []int64) []int64 {
		v, ok := r.Get(position, keyword)
		if n, isInt := v.Int(); ok && isInt {
			return layers.Repeated(rnk, n)
		}
		if list, isList := objects.Whole(v); ok && isList {
			switch len(list) {
			case rnk + 2:
				if list[0] != 1 || list[rnk+1] != 1 {
					r.Fail(keyword, value.Because(value.UnmodelledArgument, "it is not 1 for examples and channels"))
				}
				return list[1 : rnk+1]
			case rnk:
				return list
			case 1:
				return layers.Repeated(rnk, list[0])
			}
		}
		if ok {
			r.Fail(keyword, value.Because(value.WrongType, "it does not have one number per dimension"))
		}
		return fallback
	}
	first := func() {
		if format, given := args.Keywords.Get("data_format"); given {
			if s, _ := format.X.(string); s == "channels_first" || strings.HasPrefix(s, "NC") {
				r.Fail("data_format", value.Because(value.UnmodelledArgument, "channels come first"))
			}
		}
	}
	if strings.Contains(name, "pool") {
		keyword := "ksize"
		if _, ok := args.Keywords.Get("pool_size"); ok {
			keyword = "pool_size"
		}
		size := spatial(1, keyword, layers.Repeated(rnk, 2))
		strides := spatial(2, "strides", size)
		padding := strings.ToLower(r.Text(3, "padding", "valid"))
		first()
		if r.Why != nil {
			return h.Unknown(value.UnmodelledOperation, "%s: %s", name, r.Why)
		}
		do := layers.Pooling(strings.HasPrefix(name, "av"), layers.Layout{}, size, strides, padding)
		return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			return one(do(nil, g, x))
		})
	}
	kernel, _ := objects.Passed(args, 1, "filters", "kernel", "filter")
	if name == "conv" || name == "depthwise_conv" { // keras.ops, of any rank
		k, why := Operand(h, kernel)
		if why != nil {
			return h.Unknown(value.UnmodelledOperation, "%s: %s", name, why)
		}
		rnk = max(len(k.Shape)-2, 0)
	}
	strides := spatial(2, "strides", layers.Repeated(rnk, 1))
	padding := strings.ToLower(r.Text(3, "padding", "valid"))
	dilation := spatial(-1, "dilations", layers.Repeated(rnk, 1))
	if _, keras := args.Keywords.Get("dilation_rate"); keras {
		dilation = spatial(-1, "dilation_rate", layers.Repeated(rnk, 1))
	}
	first()
	if r.Why != nil {
		return h.Unknown(value.UnmodelledOperation, "%s: %s", name, r.Why)
	}
	return OnAll(h, "Conv", []value.Value{objects.First(args), kernel}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x, k := in[0].Shape, in[1].Shape
		if len(x) != rnk+2 || len(k) != rnk+2 {
			return nil, value.Refused("a convolution of %s by %s", x, k)
		}
		shape := slices.Clone(x)
		for i := range rnk {
			if k[i] < 0 {
				return nil, value.Because(value.ArrayShape, "the size of a kernel is not known: %s", k)
			}
			n, err := layers.Window(x[i+1], dilation[i]*(k[i]-1)+1, strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i+1] = n
		}
		shape[rnk+1] = k[rnk+1]
		if strings.HasPrefix(name, "depthwise_conv") {
			shape[rnk+1] = tensor.Shape{k[rnk], k[rnk+1]}.Product()
		}
		return contract(g, graph.OpConv, in, shape)
	})
}

// convolveBack is a transposed convolution with a given kernel. tf.nn takes the output shape as
// an argument; in keras.ops it follows from the padding
// (keras/src/backend/common/backend_utils.py, _get_output_shape_given_tf_padding).
func convolveBack(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	kernel, _ := objects.Passed(args, 1, "filters", "kernel")
	pair, why := Operands(h, []value.Value{objects.First(args), kernel})
	if why != nil {
		return why.Unknown()
	}
	if name != "conv_transpose" {
		to, _ := args.Get(2, "output_shape")
		return Operate(h, "ConvTranspose", pair, []value.Value{to}, func(g *graph.Graph, in []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
			shape, err := ShapeArgument(resolve(to))
			if err != nil {
				return nil, err
			}
			return contract(g, graph.OpConvTranspose, in, shape)
		})
	}
	r := &layers.ArgParser{Args: args}
	_, padded := args.Get(4, "output_padding")
	rnk := max(len(pair[1].Shape)-2, 0)
	strides, dilation := r.Numbers(2, "strides", rnk, layers.Repeated(rnk, 1)), r.Numbers(6, "dilation_rate", rnk, layers.Repeated(rnk, 1))
	padding := strings.ToLower(r.Text(3, "padding", "valid"))
	if r.Why != nil || padded {
		return h.Unknown(value.UnmodelledArgument, "%s is called as is not followed: %s", name, r.Why)
	}
	return Operate(h, "ConvTranspose", pair, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x, k := in[0].Shape, in[1].Shape
		if len(x) != rnk+2 || len(k) != rnk+2 {
			return nil, value.Refused("a transposed convolution of %s by %s", x, k)
		}
		shape := slices.Clone(x)
		for i := range rnk {
			if x[i+1] < 0 {
				continue
			}
			shape[i+1] = x[i+1] * strides[i]
			if padding == "valid" {
				shape[i+1] += max(dilation[i]*(k[i]-1)+1-strides[i], 0)
			}
		}
		shape[rnk+1] = k[rnk]
		return contract(g, graph.OpConvTranspose, in, shape)
	})
}

// grayscale is a weighted sum of three channels.
func grayscale(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return shaped(h, name, graph.OpRGBToGrayscale, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		return append(slices.Clone(graph.OneARow(s)), 1), nil
	})
}

// edges is tf.image.sobel_edges: two filters for each channel of a padded image
// (tensorflow/python/ops/image_ops_impl.py, sobel_edges).
func edges(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	x, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	if len(x.Shape) != 4 || x.Shape[1] < 0 || x.Shape[2] < 0 || x.Shape[3] < 0 {
		return h.Unknown(value.ArrayShape, "the pictures of %s are not known: %s", name, x.Shape)
	}
	zero, one := value.Value{X: int64(0)}, value.Value{X: int64(1)}
	c := calls{h, in}
	padded := c.do("pad", Tensor(h, x), value.Value{X: value.Tuple{{X: value.Tuple{zero, zero}}, {X: value.Tuple{one, one}}, {X: value.Tuple{one, one}}, {X: value.Tuple{zero, zero}}}})
	filters := Constant(h, tensor.Shape{3, 3, x.Shape[3], 2}, x.DType)
	both := c.do("depthwise_conv2d", padded, filters, one, text("VALID"))
	to := objects.ShapeValue(append(slices.Clone(x.Shape), 2)).X.(value.Tuple)
	to[0] = value.Value{X: int64(-1)}
	return c.do("reshape", both, value.Value{X: to})
}

// similarity is tf.image.ssim: it averages both images, their product and their squares with a
// Gaussian of 11 by 11, and combines the results (tensorflow/python/ops/image_ops_impl.py,
// _ssim_helper, _ssim_per_channel).
func similarity(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	other, _ := args.Get(1, "img2")
	first, _ := args.Get(0, "img1")
	size, ok := args.Get(3, "filter_size")
	if !ok {
		size = value.Value{X: int64(11)}
	}
	n, known := size.Int()
	pair, why := Operands(h, []value.Value{first, other})
	if why != nil || !known {
		return h.Unknown(value.ArrayShape, "the inputs of %s are not known: %s", name, why)
	}
	if _, given := args.Get(7, "return_index_map"); given || len(pair[0].Shape) != 4 || pair[0].Shape[3] < 0 {
		return h.Unknown(value.UnmodelledArgument, "%s is called as is not followed", name)
	}
	c := calls{h, in}
	x, y := Tensor(h, pair[0]), Tensor(h, pair[1])
	filters := Constant(h, tensor.Shape{n, n, pair[0].Shape[3], 1}, "float32")
	mean := func(v value.Value) value.Value {
		return c.do("depthwise_conv2d", v, filters, value.Value{X: int64(1)}, text("VALID"))
	}
	sum := func(a, b value.Value) value.Value { return Binary(h, graph.OpAdd, a, b) }
	times := func(a, b value.Value) value.Value { return Binary(h, graph.OpMultiply, a, b) }
	plus, twice := value.Value{X: 1e-4}, value.Value{X: 2.0}
	meanX, meanY := mean(x), mean(y)
	product := times(times(meanX, meanY), twice)
	squares := sum(c.do("square", meanX), c.do("square", meanY))
	luminance := Binary(h, graph.OpDivide, sum(product, plus), sum(squares, plus))
	covariance := times(mean(times(x, y)), twice)
	variances := mean(sum(c.do("square", x), c.do("square", y)))
	structure := Binary(h, graph.OpDivide, sum(Binary(h, graph.OpSubtract, covariance, product), plus), sum(Binary(h, graph.OpSubtract, variances, squares), plus))
	return c.do("reduce_mean", times(luminance, structure), value.Value{X: value.Tuple{{X: int64(-3)}, {X: int64(-2)}, {X: int64(-1)}}})
}

// boundingBox pads or crops images to the height and width of a box.
func boundingBox(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	height, _ := objects.Passed(args, 3, "target_height")
	width, _ := objects.Passed(args, 4, "target_width")
	size := value.Value{X: value.Tuple{height, width}}
	return shaped(h, name, graph.OpBoundingBox, args, []value.Value{size}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
		n := len(s)
		if n < 3 {
			return nil, value.Refused("%s is not an image", s)
		}
		return shapes.Resize(s, resolve(size))
	})
}
