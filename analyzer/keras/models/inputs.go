package models

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Input is keras.Input, and InputLayer.
func Input(h *state.Host, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	shape, why := inputShape(r)
	if why != nil {
		return why.Unknown()
	}
	d := tensor.DType(h.Instead(r.Text(-1, "dtype", h.Floatx(args.Node))))
	s := &graph.Symbolic{Shape: shape, DType: d, Name: r.Text(-1, "name", "")}
	return ops.Tensor(h, s)
}

// inputShape reads shape= and puts the batch in front, or reads batch_shape=.
func inputShape(r *layers.ArgParser) (tensor.Shape, *value.Cause) {
	for _, keyword := range []string{"batch_shape", "batch_input_shape"} {
		v, ok := r.Args.Keywords.Get(keyword)
		if _, none := v.X.(value.None); ok && !none {
			shape, ok := objects.Whole(v)
			if !ok {
				return nil, value.Because(value.UnmodelledUse, "%s is not known: %s", keyword, objects.Because(v))
			}
			return shape, nil
		}
	}
	v, ok := r.Args.Get(0, "shape")
	if !ok {
		v, ok = r.Args.Get(-1, "input_shape")
	}
	if !ok {
		return nil, value.Because(value.NotBuilt, "the input has no shape")
	}
	batch := r.Number(1, "batch_size", tensor.None)
	if n, ok := v.Int(); ok {
		return tensor.Shape{batch, n}, nil
	}
	shape, ok := objects.Whole(v)
	if !ok {
		why := value.Because(value.UnmodelledUse, "the input's shape is not known: %s", objects.Because(v))
		if _, display := v.X.(value.Tuple); display && r.Args.Node.Kind() == syntax.Call {
			if why.Number = names.Argument(r.Args.Node, 0, "shape"); !why.Number.Valid() {
				why.Number = names.Argument(r.Args.Node, -1, "input_shape")
			}
		}
		return nil, why
	}
	return append(tensor.Shape{batch}, shape...), nil
}

// inputOf returns the input shape that a layer is created with, without the batch.
func inputOf(args *value.Args) *value.Value {
	if shape, ok := args.Keywords.Get("input_shape"); ok {
		given := shape // a copy, so that most calls need no allocation
		return &given
	}
	if dim, ok := args.Keywords.Get("input_dim"); ok {
		return &value.Value{X: value.Tuple{dim}}
	}
	if shape, ok := args.Keywords.Get("batch_input_shape"); ok {
		if items, ok := objects.Sequence(shape); ok && len(items) > 0 {
			return &value.Value{X: value.Tuple(items[1:])}
		}
	}
	return nil
}

// stepsOf returns the input shape of a Keras 2 recurrent layer that is told the number of steps,
// or the size of each (tf_keras/src/layers/rnn/base_rnn.py, __init__); nil for any other layer.
func stepsOf(args *value.Args) *value.Value {
	steps := value.Tuple{{X: value.None{}}, {X: value.None{}}}
	for i, name := range []string{"input_length", "input_dim"} {
		if n, ok := args.Keywords.Get(name); ok {
			steps[i] = n
		}
	}
	if args.Keywords.Value("input_length").X == nil && args.Keywords.Value("input_dim").X == nil {
		return nil
	}
	return &value.Value{X: steps}
}

// lengthOf returns the input shape of a Keras 2 Embedding, which always has one
// (tf_keras/src/layers/core/embedding.py, __init__).
func lengthOf(args *value.Args) *value.Value {
	length, ok := args.Keywords.Get("input_length")
	if _, several := objects.Sequence(length); ok && several {
		return &length
	}
	if !ok {
		length = value.Value{X: value.None{}}
	}
	return &value.Value{X: value.Tuple{length}}
}
