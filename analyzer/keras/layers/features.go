package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// featureLayers prepare numbers, categories and text.
var featureLayers = map[string]layerClass{
	"CategoryEncoding": {NoWeights, func(r *ArgParser) graph.Impl {
		return encoding{mode: r.Text(1, "output_mode", "multi_hot"), depth: r.Number(0, "num_tokens", tensor.None)}.impl()
	}},
	"Discretization": {NoWeights, func(r *ArgParser) graph.Impl {
		depth := r.Number(1, "num_bins", tensor.None)
		if v, ok := r.Get(0, "bin_boundaries"); ok {
			items, ok := objects.Sequence(v)
			if !ok {
				r.Fail("bin_boundaries", objects.Because(v))
			}
			depth = int64(len(items)) + 1
		}
		return encoding{mode: r.Text(3, "output_mode", "int"), depth: depth, integer: "int32", second: true}.impl()
	}},
	"Hashing": {NoWeights, func(r *ArgParser) graph.Impl {
		return encoding{mode: r.Text(3, "output_mode", "int"), depth: r.Number(0, "num_bins", tensor.None), integer: "int64", squeezed: true}.impl()
	}},
	"HashedCrossing": {NoWeights, func(r *ArgParser) graph.Impl {
		e := encoding{mode: r.Text(1, "output_mode", "int"), depth: r.Number(0, "num_bins", tensor.None), integer: "int64"}
		return Merging(func(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) (*graph.Tensor, error) {
			return e.encode(l, g, in[0])
		})
	}},
	"StringLookup": {NoWeights, func(r *ArgParser) graph.Impl {
		return lookup(r, r.Text(7, "output_mode", "int"), r.Number(1, "num_oov_indices", 1), 4)
	}},
	"IntegerLookup": {NoWeights, func(r *ArgParser) graph.Impl {
		return lookup(r, r.Text(8, "output_mode", "int"), r.Number(1, "num_oov_indices", 1), 4)
	}},
	"TextVectorization": {NoWeights, func(r *ArgParser) graph.Impl {
		length := r.Number(5, "output_sequence_length", tensor.None)
		mode := r.Text(4, "output_mode", "int")
		split, squeezes := true, r.keras2()
		if v, ok := r.Args.Get(2, "split"); ok {
			_, none := v.X.(value.None)
			split = !none
		}
		e := encoding{mode: mode, depth: vocabulary(r, mode, 7, 1), integer: "int64"}
		return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			if mode == "int" {
				return g.Tensor(graph.OpTextVectorization, []*graph.Tensor{x}, tensor.Shape{batchOf(x), length}, "int64"), nil
			}
			shape := x.Shape
			if squeezes {
				shape = shape[:min(len(shape), 1)] // Keras 2 drops the dimension of 1 that texts come in
			}
			if split {
				shape = append(append(tensor.Shape(nil), shape...), tensor.None)
			}
			return e.encode(l, g, &graph.Tensor{Shape: shape, DType: x.DType, From: x.From})
		})
	}},
}

func batchOf(x *graph.Tensor) int64 {
	if len(x.Shape) == 0 {
		return tensor.None
	}
	return x.Shape[0]
}

// encoding is the output format of categories: numbers, or vectors of a depth.
type encoding struct {
	mode    string // "int", "one_hot", "multi_hot", "count", "tf_idf"
	depth   int64
	integer tensor.DType
	// second is set if every encoding but one-hot loses its second dimension
	// (keras/src/layers/preprocessing/discretization.py, compute_output_shape).
	second bool
	// squeezed is set if one-hot replaces the last dimension, whatever it is
	// (keras/src/layers/preprocessing/hashing.py, compute_output_shape).
	squeezed bool
}

func (e encoding) impl() graph.Impl {
	return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) { return e.encode(l, g, x) })
}

func (e encoding) encode(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	if e.mode == "int" {
		return g.Tensor(graph.OpEncode, []*graph.Tensor{x}, x.Shape, e.integer), nil
	}
	if e.depth < 0 {
		return nil, value.Because(value.CategoryCount, "how many categories it knows depends on the data that it adapts to")
	}
	n := len(x.Shape)
	if n == 0 {
		return nil, value.Refused("it expects a batch")
	}
	shape := append(tensor.Shape(nil), x.Shape...)
	switch {
	case e.mode == "one_hot" && (n == 1 || x.Shape.Last() != 1) && !e.squeezed:
		shape = append(shape, e.depth)
	case e.second && n >= 2 && e.mode != "one_hot":
		shape = append(append(shape[:1], x.Shape[2:]...), e.depth)
	default:
		shape = append(shape[:n-1], e.depth)
	}
	return g.Tensor(graph.OpEncode, []*graph.Tensor{x}, shape, l.DType), nil
}

// lookup is StringLookup and IntegerLookup. Keras says that the output of an inverted lookup is
// numbers, too.
func lookup(r *ArgParser, mode string, outOfVocabulary int64, at int) graph.Impl {
	return encoding{mode: mode, depth: vocabulary(r, mode, at, outOfVocabulary), integer: "int64"}.impl()
}

// vocabulary returns how many categories a layer knows, None if that depends on the data
// (keras/src/layers/preprocessing/index_lookup.py, vocabulary_size). Numbers are made of categories
// whichever it knows.
func vocabulary(r *ArgParser, mode string, position int, outOfVocabulary int64) int64 {
	if v, _ := r.Args.Get(position, "vocabulary"); mode == "int" && !v.Known() {
		return tensor.None
	}
	if r.Bool(-1, "pad_to_max_tokens", false) {
		return r.Number(0, "max_tokens", tensor.None)
	}
	v, ok := r.Get(position, "vocabulary")
	if !ok {
		return tensor.None
	}
	items, ok := objects.Sequence(v)
	if !ok {
		return tensor.None // the name of a file
	}
	return int64(len(items)) + outOfVocabulary
}
