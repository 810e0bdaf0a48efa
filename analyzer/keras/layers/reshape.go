package layers

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var reshapingLayers = map[string]layerClass{
	"Flatten": {NoWeights, func(r *ArgParser) graph.Impl { r.layout(0); return Plain(Flatten) }},
	"Reshape": {NoWeights, func(r *ArgParser) graph.Impl {
		target, given := r.Get(0, "target_shape")
		items, _ := objects.Sequence(target)
		open := 0
		for _, item := range items {
			if item.X == int64(-1) {
				open++
			}
		}
		if given && open > 1 {
			r.note(value.Refused("target_shape leaves %d dimensions open", open))
		}
		return reshape(r.Numbers(0, "target_shape", -1, nil))
	}},
	"Permute":       {NoWeights, func(r *ArgParser) graph.Impl { return permute(r.Numbers(0, "dims", -1, nil)) }},
	"RepeatVector":  {NoWeights, func(r *ArgParser) graph.Impl { return repeatVector(r.Number(0, "n", tensor.None)) }},
	"ZeroPadding1D": {NoWeights, pad(1, 1, false)}, "ZeroPadding2D": {NoWeights, pad(2, 1, false)}, "ZeroPadding3D": {NoWeights, pad(3, 1, false)},
	"Cropping1D": {NoWeights, pad(1, 1, true)}, "Cropping2D": {NoWeights, pad(2, 0, true)}, "Cropping3D": {NoWeights, pad(3, 1, true)},
	"UpSampling1D": {NoWeights, upsample(1)}, "UpSampling2D": {NoWeights, upsample(2)}, "UpSampling3D": {NoWeights, upsample(3)},
}

func Flatten(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	if len(x.Shape) == 0 {
		return nil, value.Refused("a single number cannot be flattened")
	}
	return graph.View(g, x, tensor.Shape{x.Shape[0], x.Shape[1:].Product()}), nil
}

func reshape(target tensor.Shape) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if len(x.Shape) == 0 {
			return nil, value.Refused("it expects a batch")
		}
		each, err := shapes.Reshape(x.Shape[1:], target, shapes.Ratio{Rows: 1, Per: 1})
		if err != nil {
			return nil, err
		}
		return graph.View(g, x, append(x.Shape[:1:1], each...)), nil
	}
}

func repeatVector(n int64) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := graph.CheckRank([]tensor.Shape{x.Shape}, 2); err != nil {
			return nil, err
		}
		return g.Tensor(graph.OpTile, []*graph.Tensor{x}, tensor.Shape{x.Shape[0], n, x.Shape[1]}, x.DType), nil
	}
}

func permute(dims []int64) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if len(dims) != len(x.Shape)-1 {
			return nil, value.Refused("%d dimensions are named of %s", len(dims), x.Shape)
		}
		out := tensor.Shape{x.Shape[0]}
		for _, d := range dims {
			if d < 1 || int(d) >= len(x.Shape) {
				return nil, value.Refused("%d is not a dimension of %s", d, x.Shape)
			}
			out = append(out, x.Shape[d])
		}
		return g.Tensor(graph.OpTranspose, []*graph.Tensor{x}, out, x.DType), nil
	}
}

// pad is ZeroPadding and Cropping: one number, a number per dimension, or a pair per dimension.
func pad(rank int, fallback int64, crop bool) layerFactory {
	return func(r *ArgParser) graph.Impl {
		keyword := "padding"
		if crop {
			keyword = "cropping"
		}
		at := r.layout(1)
		v, ok := r.Get(0, keyword)
		if !ok {
			v.X = fallback
		}
		items, several := objects.Sequence(v)
		if !several || rank == 1 && len(items) == 2 {
			items = slices.Repeat([]value.Value{v}, rank)
		}
		pads := make([][2]int64, len(items))
		for i, item := range items {
			pair, ok := objects.Whole(item)
			if n, number := item.Int(); number {
				pair, ok = []int64{n, n}, true
			}
			if !ok || len(pair) != 2 {
				pads = nil
				break
			}
			pads[i] = [2]int64(pair)
		}
		if len(pads) != rank {
			r.Fail(keyword, value.Because(value.WrongType, "it does not have one number per dimension"))
			return nil
		}
		return padding(at, pads, crop)
	}
}

// padding adds to, or cropping removes from, each end of the spatial dimensions.
func padding(at Layout, pads [][2]int64, crop bool) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := graph.CheckRank([]tensor.Shape{x.Shape}, len(pads)+2); err != nil {
			return nil, err
		}
		shape := at.last(x.Shape)
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
				return nil, value.Refused("nothing of %s is left", x.Shape)
			}
		}
		return g.Tensor(graph.OpPad, []*graph.Tensor{x}, at.back(shape), x.DType), nil
	}
}

// upsample is UpSampling: each spatial dimension times a factor.
func upsample(rnk int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		factors, at := r.Numbers(0, "size", rnk, Repeated(rnk, 2)), r.layout(1)
		repeated, keras2 := r.Text(2, "interpolation", "nearest") == "nearest", r.keras2()
		return Plain(func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			if err := graph.CheckRank([]tensor.Shape{x.Shape}, rnk+2); err != nil {
				return nil, err
			}
			shape := at.last(x.Shape)
			for i, f := range factors {
				if shape[i+1] >= 0 {
					shape[i+1] *= f
				}
				if repeated && !keras2 && g.Apart {
					// One dimension after the other (keras/src/layers/reshaping/up_sampling2d.py,
					// _resize_images).
					x = g.Tensor(graph.OpTile, []*graph.Tensor{graph.View(g, x, x.Shape)}, at.back(shape), x.DType)
					x = graph.View(g, x, x.Shape)
				}
			}
			if repeated && !keras2 && g.Apart {
				return x, nil
			}
			out, op := g.Add(graph.OpUpSampling, []*graph.Tensor{x}, at.back(shape), x.DType)
			if !repeated {
				op.KeepsInputs() // ResizeBilinearGrad reads the image
			}
			return out, nil
		})
	}
}
