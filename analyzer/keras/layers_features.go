package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// featureLayers prepare numbers, categories and text.
var featureLayers = map[string]layerClass{
	"CategoryEncoding": {noWeights, func(r *argParser) layerImpl {
		return encoding{mode: r.text(1, "output_mode", "multi_hot"), depth: r.number(0, "num_tokens", None)}.impl()
	}},
	"Discretization": {noWeights, func(r *argParser) layerImpl {
		depth := r.number(1, "num_bins", None)
		if v, ok := r.get(0, "bin_boundaries"); ok {
			items, ok := objects.Sequence(v)
			if !ok {
				r.fail("bin_boundaries", objects.Because(v))
			}
			depth = int64(len(items)) + 1
		}
		return encoding{mode: r.text(3, "output_mode", "int"), depth: depth, integer: "int32", second: true}.impl()
	}},
	"Hashing": {noWeights, func(r *argParser) layerImpl {
		return encoding{mode: r.text(3, "output_mode", "int"), depth: r.number(0, "num_bins", None), integer: "int64", squeezed: true}.impl()
	}},
	"HashedCrossing": {noWeights, func(r *argParser) layerImpl {
		e := encoding{mode: r.text(1, "output_mode", "int"), depth: r.number(0, "num_bins", None), integer: "int64"}
		return merging(func(l *Layer, g *Graph, in []*Tensor) (*Tensor, error) { return e.encode(l, g, in[0]) })
	}},
	"StringLookup": {noWeights, func(r *argParser) layerImpl {
		return lookup(r, r.text(7, "output_mode", "int"), r.number(1, "num_oov_indices", 1), 4)
	}},
	"IntegerLookup": {noWeights, func(r *argParser) layerImpl {
		return lookup(r, r.text(8, "output_mode", "int"), r.number(1, "num_oov_indices", 1), 4)
	}},
	"TextVectorization": {noWeights, func(r *argParser) layerImpl {
		length := r.number(5, "output_sequence_length", None)
		mode := r.text(4, "output_mode", "int")
		split, squeezes := true, r.keras2()
		if v, ok := r.args.Get(2, "split"); ok {
			_, none := v.X.(value.None)
			split = !none
		}
		e := encoding{mode: mode, depth: vocabulary(r, 7, 1), integer: "int64"}
		return plain(func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
			if mode == "int" {
				return g.tensor(OpTextVectorization, []*Tensor{x}, Shape{batchOf(x), length}, "int64"), nil
			}
			shape := x.Shape
			if squeezes {
				shape = shape[:min(len(shape), 1)] // Keras 2 drops the dimension of 1 that texts come in
			}
			if split {
				shape = append(append(Shape(nil), shape...), None)
			}
			return e.encode(l, g, &Tensor{Shape: shape, DType: x.DType, From: x.From})
		})
	}},
}

func batchOf(x *Tensor) int64 {
	if len(x.Shape) == 0 {
		return None
	}
	return x.Shape[0]
}

// encoding is the output format of categories: numbers, or vectors of a depth.
type encoding struct {
	mode    string // "int", "one_hot", "multi_hot", "count", "tf_idf"
	depth   int64
	integer DType
	// second is set if every encoding but one-hot loses its second dimension
	// (keras/src/layers/preprocessing/discretization.py, compute_output_shape).
	second bool
	// squeezed is set if one-hot replaces the last dimension, whatever it is
	// (keras/src/layers/preprocessing/hashing.py, compute_output_shape).
	squeezed bool
}

func (e encoding) impl() layerImpl {
	return plain(func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) { return e.encode(l, g, x) })
}

func (e encoding) encode(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
	if e.mode == "int" {
		return g.tensor(OpEncode, []*Tensor{x}, x.Shape, e.integer), nil
	}
	if e.depth < 0 {
		return nil, value.Because(value.CategoryCount, "how many categories it knows depends on the data that it adapts to")
	}
	n := len(x.Shape)
	if n == 0 {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: it expects a batch")
	}
	shape := append(Shape(nil), x.Shape...)
	switch {
	case e.mode == "one_hot" && (n == 1 || x.Shape.Last() != 1) && !e.squeezed:
		shape = append(shape, e.depth)
	case e.second && n >= 2 && e.mode != "one_hot":
		shape = append(append(shape[:1], x.Shape[2:]...), e.depth)
	default:
		shape = append(shape[:n-1], e.depth)
	}
	return g.tensor(OpEncode, []*Tensor{x}, shape, l.DType), nil
}

// lookup is StringLookup and IntegerLookup. Keras says that the output of an inverted lookup is
// numbers, too.
func lookup(r *argParser, mode string, outOfVocabulary int64, at int) layerImpl {
	return encoding{mode: mode, depth: vocabulary(r, at, outOfVocabulary), integer: "int64"}.impl()
}

// vocabulary returns how many categories a layer knows, None if that depends on the data
// (keras/src/layers/preprocessing/index_lookup.py, vocabulary_size).
func vocabulary(r *argParser, position int, outOfVocabulary int64) int64 {
	if r.bool(-1, "pad_to_max_tokens", false) {
		return r.number(0, "max_tokens", None)
	}
	v, ok := r.get(position, "vocabulary")
	if !ok {
		return None
	}
	items, ok := objects.Sequence(v)
	if !ok {
		return None // the name of a file
	}
	return int64(len(items)) + outOfVocabulary
}
