package keras

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

func init() {
	define(boundingBox, "pad_to_bounding_box", "crop_to_bounding_box")
	define(sequenceMask, "sequence_mask")
	define(spectrum, "fft", "fft2", "fft2d", "fft3d", "ifft", "ifft2", "ifft2d")
	define(meshgrid, "meshgrid")
	define(partOfComplex, "real", "imag", "angle")
	define(complexNumbers, "complex")
}

// boundingBox gives images the height and width of a frame that they are put in,
// or cut by.
func boundingBox(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	r := &argParser{args: args}
	height, width := r.number(3, "target_height", None), r.number(4, "target_width", None)
	if r.why != "" {
		return h.unknown("%s: %s", name, r.why)
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		n := len(x.Shape)
		if n < 3 {
			return nil, fmt.Errorf("TensorFlow will raise: %s is no image", x.Shape)
		}
		out, _ := g.add(name, []*Tensor{x}, x.Shape.With(n-3, height).With(n-2, width), x.DType)
		return []*Tensor{out}, nil
	})
}

// sequenceMask is a row of bools for each length.
func sequenceMask(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	longest := None
	if v, ok := objects.Passed(args, 1, "maxlen"); ok {
		if n, known := v.Int(); known {
			longest = n
		}
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add(name, []*Tensor{x}, append(append(Shape(nil), x.Shape...), longest), arrays.DTypeAt(args, 2, "dtype", "bool"))
		out.Grad = false
		return []*Tensor{out}, nil
	})
}

// spectrum is a Fourier transform, of a complex tensor or, with keras.ops, of a
// pair of tensors.
func spectrum(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if parts, ok := objects.Sequence(objects.First(args)); ok && len(parts) == 2 {
		in, why := h.operands(parts)
		if why != "" {
			return h.unknown("%s", why)
		}
		return h.operate(name, in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			real, _ := g.add(name, in, in[0].Shape, in[0].DType)
			imaginary, _ := g.add(name, in, in[0].Shape, in[0].DType)
			return []*Tensor{real, imaginary}, nil
		})
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		return []*Tensor{out}, nil
	})
}

// partOfComplex is one number of each complex one.
func partOfComplex(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add(name, []*Tensor{x}, x.Shape, realOf(x.DType))
		return []*Tensor{out}, nil
	})
}

// complexNumbers is complex numbers of their two parts.
func complexNumbers(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	real, _ := args.Get(0, "real")
	imaginary, _ := args.Get(1, "imag")
	pair, why := h.operands([]value.Value{real, imaginary})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := tensor.Broadcast(in[0].Shape, in[1].Shape)
		if err != nil {
			return nil, err
		}
		out, _ := g.add(name, in, shape, complexOf(in[0].DType))
		return []*Tensor{out}, nil
	})
}

// meshgrid is the coordinates of the points of a grid, an array for each of its
// dimensions.
func meshgrid(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	in, why := h.operands(args.Positional)
	if why != "" || len(in) == 0 {
		return h.unknown("the axes of a grid are not known: %s", why)
	}
	var shape Shape
	for _, s := range in {
		shape = append(shape, product(s.Shape))
	}
	indexing, given := args.Keywords.Get("indexing")
	if len(shape) > 1 && (!given || indexing.X == "xy") {
		shape[0], shape[1] = shape[1], shape[0]
	}
	return listed(h.operate(name, in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		var out []*Tensor
		for _, x := range in {
			t, _ := g.add(name, []*Tensor{x}, shape, x.DType)
			out = append(out, t)
		}
		return out, nil
	}))
}
