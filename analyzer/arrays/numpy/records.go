package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A feature says how a field of a serialized example is read
// (tensorflow/python/ops/parsing_config.py).
type feature struct {
	value.Base
	shape tensor.Shape
	dtype tensor.DType
	many  bool // the examples of a batch have different numbers of them
}

// RecordFunctions read serialized examples, and call functions of Python from a graph.
var RecordFunctions = func() Table {
	t := Table{
		"tensorflow.io.decode_raw":     (*Call).decodedBytes,
		"tensorflow.io.parse_tensor":   (*Call).parsedTensor,
		"tensorflow.ensure_shape":      (*Call).asserted,
		"tensorflow.image.random_crop": (*Call).asserted,
		"tensorflow.numpy_function":    (*Call).ofPython,
		"tensorflow.py_function":       (*Call).ofPython,
		"tensorflow.compat.v1.py_func": (*Call).ofPython,
	}
	for _, module := range []string{"tensorflow.io.", "tensorflow.", "tensorflow.compat.v1."} {
		t[module+"FixedLenFeature"], t[module+"VarLenFeature"], t[module+"FixedLenSequenceFeature"] = (*Call).feature, (*Call).feature, (*Call).feature
		t[module+"parse_single_example"], t[module+"parse_example"] = (*Call).example, (*Call).example
		t[module+"parse_single_sequence_example"] = (*Call).sequenceExample
	}
	return t
}()

func (c *Call) feature() value.Value {
	if c.Name == "VarLenFeature" {
		return value.Value{X: &feature{"a feature", tensor.Shape{tensor.None}, DTypeAt(c.Args, 0, "dtype", ""), true}}
	}
	v, _ := c.Args.Get(0, "shape")
	shape, ok := objects.Dims(v)
	if !ok {
		return objects.Unknown(value.ArrayShape, "the shape of a feature is not known: %s", objects.Because(v))
	}
	if c.Name == "FixedLenSequenceFeature" {
		shape = append(tensor.Shape{tensor.None}, shape...)
	}
	return value.Value{X: &feature{"a feature", shape, DTypeAt(c.Args, 1, "dtype", ""), c.Name == "FixedLenSequenceFeature"}}
}

// parsed returns the fields of an example, or of a batch of them, by the features of their names.
func (c *Call) parsed(v value.Value, rows tensor.Shape) value.Value {
	features, ok := v.X.(*value.Dict)
	if !ok {
		return objects.Unknown(value.ArrayShape, "the fields of an example are not known: %s", objects.Because(v))
	}
	out := &value.Dict{Open: features.Open}
	for i, key := range features.Keys {
		f, ok := features.Values[i].X.(*feature)
		if !ok {
			out.Put(key, Unknown(features.Values[i]))
			continue
		}
		out.Put(key, c.Lib.Array(append(rows[:len(rows):len(rows)], f.shape...), f.dtype))
	}
	return value.Value{X: out}
}

// example is tf.io.parse_single_example or tf.io.parse_example.
func (c *Call) example() value.Value {
	features, _ := c.Args.Get(1, "features")
	if c.Name == "parse_single_example" {
		return c.parsed(features, nil)
	}
	serialized, _ := c.Args.Get(0, "serialized")
	rows, _, ok := Of(serialized)
	if !ok || len(rows) != 1 {
		rows = tensor.Shape{tensor.None}
	}
	return c.parsed(features, rows)
}

// sequenceExample is tf.io.parse_single_sequence_example: the fields of the context, and those of
// the sequence.
func (c *Call) sequenceExample() value.Value {
	context, _ := objects.Given(c.Args, 1, "context_features")
	sequence, _ := objects.Given(c.Args, 2, "sequence_features")
	return value.Value{X: value.Tuple{c.parsed(context, nil), c.parsed(sequence, nil)}}
}

// decodedBytes is tf.io.decode_raw: as many numbers as the bytes of each text hold.
func (c *Call) decodedBytes() value.Value {
	v, _ := objects.Passed(c.Args, 0, "input_bytes", "bytes")
	of, _, ok := Of(v)
	if !ok {
		return Unknown(v)
	}
	return c.Lib.Array(append(of[:len(of):len(of)], tensor.None), DTypeAt(c.Args, 1, "out_type", ""))
}

// parsedTensor is tf.io.parse_tensor.
func (c *Call) parsedTensor() value.Value {
	return c.Lib.OfUnknownShape(DTypeAt(c.Args, 1, "out_type", ""), value.Because(value.ArrayShape, "what parse_tensor reads"))
}

// ofPython is tf.numpy_function or tf.py_function: what a function of Python returns has a type but
// no shape until the program sets it.
func (c *Call) ofPython() value.Value {
	types, given := objects.Passed(c.Args, 2, "Tout")
	if !given {
		return value.Value{}
	}
	unshaped := func(v value.Value) value.Value {
		d := DTypeAt(&value.Args{Positional: []value.Value{v}}, 0, "", "")
		return c.Lib.OfUnknownShape(d, value.Because(value.ArrayShape, "what %s returns has no shape, unless set_shape gives it one", c.Name))
	}
	items, several := objects.Sequence(types)
	if !several {
		return unshaped(types)
	}
	out := &value.List{}
	for _, item := range items {
		out.Items = append(out.Items, unshaped(item))
	}
	return value.Value{X: out}
}

// OfUnknownShape returns a tensor of a type whose shape is not known.
func (lib *Library) OfUnknownShape(d tensor.DType, why *value.Cause) value.Value {
	v := objects.Unknown(why.Code, ShapeUnknown+"%s", why)
	if d == "" {
		return v
	}
	if lib.types == nil {
		lib.types = map[*value.Cause]tensor.DType{}
	}
	lib.types[v.Cause()] = d
	return v
}

// asserted is tf.reshape, tf.ensure_shape or tf.image.random_crop of a tensor whose shape is not
// known. The sizes may be read from the same record: the tensor's own shape has None for them.
func (c *Call) asserted() value.Value {
	d, typed := c.Lib.types[objects.First(c.Args).Cause()]
	to, _ := objects.Passed(c.Args, 1, "shape", "size")
	sizes, ok := objects.Sequence(to)
	if !typed || !ok {
		return value.Value{}
	}
	sizes = slices.Clone(sizes)
	for i, size := range sizes {
		if a, ok := size.X.(*Array); size.Cause() != nil && len(sizes) > 1 || ok && len(a.Shape) == 0 {
			sizes[i] = value.Value{X: value.None{}}
		}
	}
	return c.Lib.shapedAs(sizes, d)
}
