package keras

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// dataset is a tf.data pipeline: the shapes of its elements, and the batch size
// they have.
type dataset struct {
	base
	h        *host
	elements []Input // of one element: features first, or nil where they are not known
	batched  bool
	batch    value.Value // with its literal
	why      string      // why the elements are not known
}

// dataset answers for the sources.
func (h *host) dataset(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	switch name {
	case "tensorflow.data.Dataset.from_tensor_slices":
		v, _ := args.Get(0, "tensors")
		d := h.newDataset()
		for _, part := range flat(v) {
			shape, t, ok := arrayOf(part)
			if !ok || len(shape) == 0 {
				d.elements, d.why = nil, because(part)
				break
			}
			d.elements = append(d.elements, Input{shape[1:], t})
		}
		return value.Value{X: d}, true
	case "tensorflow.data.Dataset.from_generator", "tensorflow.data.TFRecordDataset", "tensorflow.data.TextLineDataset", "tensorflow.data.Dataset.list_files",
		"tensorflow_datasets.load", "tensorflow.data.Dataset.range":
		d := h.newDataset()
		d.why = "the elements of " + name + " are not known"
		return value.Value{X: d}, true
	case "tensorflow.keras.utils.image_dataset_from_directory":
		r := &reader{args: args}
		d := h.newDataset()
		size := r.numbers(-1, "image_size", 2, []int64{256, 256})
		channels := int64(3)
		switch r.text(-1, "color_mode", "rgb") {
		case "grayscale":
			channels = 1
		case "rgba":
			channels = 4
		}
		d.elements = []Input{{Shape{size[0], size[1], channels}, "float32"}, {Shape{}, "int32"}}
		d.batched, d.batch = true, value.Value{X: int64(32)}
		if b, ok := args.Keywords["batch_size"]; ok {
			d.batch = b
			if _, none := b.X.(value.None); none {
				d.batched = false
			}
		}
		return value.Value{X: d}, true
	case "tensorflow.data.Dataset.zip":
		v, _ := args.Get(0, "datasets")
		d := h.newDataset()
		for _, part := range flat(v) {
			p, ok := part.X.(*dataset)
			if !ok || p.elements == nil {
				d.elements, d.why = nil, "a part of the zipped datasets is not known"
				break
			}
			d.elements = append(d.elements, p.elements...)
		}
		return value.Value{X: d}, true
	}
	return value.Value{}, false
}

func (h *host) newDataset() *dataset { return &dataset{base: base{"a dataset"}, h: h} }

// flat is the leaves of nested tuples, lists and dictionaries; a list of
// numbers is a leaf.
func flat(v value.Value) []value.Value {
	switch x := v.X.(type) {
	case value.Tuple:
		var out []value.Value
		for _, i := range x {
			out = append(out, flat(i)...)
		}
		return out
	case *value.Dict:
		var out []value.Value
		for _, i := range x.Values {
			out = append(out, flat(i)...)
		}
		return out
	}
	return []value.Value{v}
}

func (d *dataset) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shuffle", "repeat", "prefetch", "cache", "take", "skip", "shard", "filter", "with_options", "snapshot":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: d} })
	case "batch", "padded_batch":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			out := *d
			out.batched = true
			out.batch, _ = args.Get(0, "batch_size")
			if d.batched {
				out.elements, out.why = nil, "it is batched twice"
			}
			return value.Value{X: &out}
		})
	case "map":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			out := *d
			f, ok := args.Get(0, "map_func")
			if !ok || d.elements == nil {
				return value.Value{X: &out}
			}
			var given []value.Value
			for _, e := range d.elements {
				given = append(given, d.h.newArray(e.Shape, e.DType))
			}
			out.elements, out.why = nil, "what map makes of the elements is not known"
			result := in.Call(f, &value.Args{Positional: given, Node: args.Node})
			var elements []Input
			for _, part := range flat(result) {
				shape, t, ok := arrayOf(part)
				if !ok {
					return value.Value{X: &out}
				}
				elements = append(elements, Input{shape, t})
			}
			out.elements, out.why = elements, ""
			return value.Value{X: &out}
		})
	case "unbatch", "flat_map", "interleave", "apply", "window", "concatenate", "enumerate":
		return method(func(*value.Interp, *value.Args) value.Value {
			out := d.h.newDataset()
			out.why = "what " + name + " makes of the elements is not known"
			return value.Value{X: out}
		})
	}
	return value.Value{}, false
}

// use notes a call of fit and its like.
func (v *modelValue) use(in *value.Interp, method string, args *value.Args) value.Value {
	h := v.h
	u := &Use{Method: method, Node: args.Node, Model: v.model}
	defer h.note(u)
	data, _ := args.Get(0, "x")
	if method == "fit" || method == "evaluate" || method == "predict" {
		position := map[string]int{"fit": 2, "evaluate": 2, "predict": 1}[method]
		if b, ok := args.Get(position, "batch_size"); ok {
			if _, none := b.X.(value.None); !none {
				u.Batch = b
			}
		}
	}
	if d, ok := data.X.(*dataset); ok {
		u.Batch = d.batch
		if !d.batched {
			u.Batch = h.unknown("the dataset makes no batches")
		}
		if d.elements != nil {
			u.Inputs = d.elements[:min(len(d.elements), max(len(v.model.Inputs), 1))]
		}
	} else {
		if u.Batch.X == nil && (method == "fit" || method == "evaluate" || method == "predict") {
			u.Batch = value.Value{X: int64(32)} // Keras's default
		}
		parts := flat(data)
		if l, ok := data.X.(*value.List); ok && len(v.model.Inputs) > 1 {
			parts = l.Items
		}
		for _, part := range parts {
			shape, d, ok := arrayOf(part)
			if !ok || len(shape) == 0 {
				u.Inputs = nil
				break
			}
			if u.Batch.X == nil {
				u.Batch = value.Value{X: shape[0]}
			}
			u.Inputs = append(u.Inputs, Input{shape[1:], d})
		}
	}
	if m := v.model; m.Class == "Sequential" && len(m.Inputs) == 0 && len(u.Inputs) == 1 {
		m.input(append(Shape{None}, u.Inputs[0].Shape...), "float32")
	}
	return h.unknown("the result of %s is not followed", method)
}

// note adds a use to the program's, unless a turn of a loop before was the same.
func (h *host) note(u *Use) {
	batch, _ := u.Batch.Int()
	key := used{u.Node, u.Model, batch}
	if !h.used[key] {
		h.used[key] = true
		h.program.Uses = append(h.program.Uses, u)
	}
}

// used tells uses of models apart.
type used struct {
	node  syntax.Node
	model *Model
	batch int64
}

// BatchInputs are the inputs of one batch of a given size: from the model's own
// inputs, with what they leave open taken from the data.
func (u *Use) BatchInputs(batch int64) []Input {
	var out []Input
	for i, s := range u.Model.Inputs {
		shape := append(Shape(nil), s.Shape...)
		shape[0] = batch
		if i < len(u.Inputs) && len(u.Inputs[i].Shape) == len(shape)-1 {
			for j := 1; j < len(shape); j++ {
				if shape[j] < 0 {
					shape[j] = u.Inputs[i].Shape[j-1]
				}
			}
		}
		d := s.DType
		out = append(out, Input{shape, d})
	}
	return out
}
