package keras

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Dataset is what a tf.data pipeline hands out after one of its steps, as it
// was evaluated there.
type Dataset struct {
	Node syntax.Node // the call of the source or the step
	// Elements are the tensors of one example, features first, without the batch;
	// nil where they are not known.
	Elements []Input
	// Batched tells whether examples come in batches, and Batch of which size; it
	// is an Unknown where that is not known, and none where they do not.
	Batched bool
	Batch   value.Value
	// Count is the number of elements, or None.
	Count int64
	// most is how many elements take leaves at most, where Count is not known.
	most int64
	// Held are the arrays that a source made of arrays holds whole.
	Held []Input
	// Buffer is the buffer of a shuffle, or 0; Own tells whether what it holds is
	// in memory of its own, rather than in the arrays of the source or in a cache.
	Buffer int64
	Own    bool
}

// dataset is a tf.data pipeline while the program is evaluated.
type dataset struct {
	base
	Dataset
	h   *host
	why string // why the elements are not known
	// form is how the elements make an example, with anything in the place of each: a
	// tuple, a dictionary, or those within each other; nothing for a tuple of all.
	form value.Value
}

// source makes a dataset of which nothing is known, and why.
func (h *host) source(args *value.Args, why string) *dataset {
	return &dataset{base: base{"a dataset"}, h: h, why: why, Dataset: Dataset{Node: args.Node, Count: None, Own: true}}
}

// note adds a dataset to the program's, once for what it is at its place.
func (d *dataset) note() value.Value {
	key := noted{d.Node, fmt.Sprint(d.Elements, d.Batched, d.Batch.X, d.Count, d.Held, d.Buffer)}
	if d.Node.Valid() && !d.h.noted[key] {
		d.h.noted[key] = true
		of := d.Dataset
		d.h.program.Datasets = append(d.h.program.Datasets, &of)
	}
	return value.Value{X: d}
}

// noted tells datasets apart.
type noted struct {
	node syntax.Node
	is   string
}

// batches sets the batch size from an argument; without batches for None.
func (d *dataset) batches(args *value.Args, position int, otherwise int64) {
	d.Batched, d.Batch = true, value.Value{X: otherwise}
	if b, ok := args.Get(position, "batch_size"); ok {
		d.Batch = b
		if _, none := b.X.(value.None); none {
			d.Batched, d.Batch = false, value.Value{}
		}
	}
}

// dataset answers for the sources.
func (h *host) dataset(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	switch name {
	case "tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors":
		v, _ := args.Get(0, "tensors")
		d := h.source(args, "")
		d.Own, d.form = false, v
		for _, part := range flat(v) {
			shape, t, ok := arrayOf(part)
			if !ok || len(shape) == 0 {
				d.Elements, d.Held, d.Count, d.why = nil, nil, None, because(part)
				break
			}
			d.Held = append(d.Held, Input{shape, t})
			d.Elements = append(d.Elements, Input{shape[1:], t})
			d.Count = shape[0]
		}
		if d.Elements == nil {
			d.form = value.Value{}
		}
		if name == "tensorflow.data.Dataset.from_tensors" {
			d.Batched, d.Batch, d.Count = true, value.Value{X: d.Count}, 1
			if d.Elements == nil {
				d.Batch = h.unknown("the size of the one element is not known: %s", d.why)
			}
		}
		return d.note(), true
	case "tensorflow.TensorSpec":
		return h.spec(args), true
	case "tensorflow.data.Dataset.range":
		d := h.source(args, "")
		d.Elements = []Input{{Shape{}, "int64"}}
		if n, ok := args.Get(0, "start"); ok && len(args.Positional) == 1 {
			if n, ok := n.Int(); ok {
				d.Count = max(n, 0)
			}
		}
		return d.note(), true
	case "tensorflow.data.TFRecordDataset", "tensorflow.data.TextLineDataset", "tensorflow.data.Dataset.list_files":
		d := h.source(args, "")
		d.Elements = []Input{{Shape{}, "string"}}
		return d.note(), true
	case "tensorflow.data.Dataset.from_generator":
		return h.generated(args), true
	case "tensorflow_datasets.load":
		return h.loaded(args), true
	case "tensorflow.keras.utils.image_dataset_from_directory":
		r := &reader{args: args}
		d := h.source(args, "")
		d.Elements = []Input{image(r.numbers(6, "image_size", 2, []int64{256, 256}), r.text(4, "color_mode", "rgb"))}
		labels := r.text(2, "label_mode", "int")
		if v, _ := args.Get(2, "label_mode"); v.X == (value.None{}) {
			labels = ""
		}
		switch labels {
		case "int":
			d.Elements = append(d.Elements, Input{Shape{}, "int32"})
		case "categorical":
			d.Elements = append(d.Elements, Input{Shape{None}, "float32"})
		case "binary":
			d.Elements = append(d.Elements, Input{Shape{1}, "float32"})
		}
		if r.why != "" {
			d.Elements, d.why = nil, r.why
		}
		d.batches(args, 5, 32)
		if r.text(-1, "subset", "") == "both" {
			return value.Value{X: value.Tuple{d.note(), d.note()}}, true
		}
		return d.note(), true
	case "tensorflow.keras.utils.text_dataset_from_directory", "tensorflow.keras.utils.audio_dataset_from_directory":
		d := h.source(args, "the elements of "+name+" are not known")
		d.batches(args, 4, 32)
		if v, ok := args.Keywords.Get("subset"); ok && v.X == "both" {
			return value.Value{X: value.Tuple{d.note(), d.note()}}, true
		}
		return d.note(), true
	case "tensorflow.keras.utils.timeseries_dataset_from_array":
		return h.timeseries(args), true
	case "tensorflow.keras.preprocessing.image.ImageDataGenerator":
		return value.Value{X: &imageGenerator{base{"a generator of images"}, h}}, true
	case "tensorflow.data.Dataset.zip":
		v, _ := args.Get(0, "datasets")
		if len(args.Positional) > 1 {
			v = value.Value{X: value.Tuple(args.Positional)}
		}
		return h.zipped(v, args), true
	}
	return value.Value{}, false
}

// zipped is Dataset.zip, whose examples are made of one of each dataset in the structure
// in which it is given them.
func (h *host) zipped(datasets value.Value, args *value.Args) value.Value {
	d := h.source(args, "")
	i, why := 0, ""
	d.form = each(datasets, func(part value.Value) value.Value {
		p, ok := part.X.(*dataset)
		switch {
		case why != "":
		case !ok:
			why = "a part of the zipped datasets is not known: " + because(part)
		case p.Elements == nil:
			why = "a part of the zipped datasets is not known: " + p.why
		case i > 0 && p.Batched != d.Batched:
			why = "a part of the zipped datasets is batched, another is not"
		}
		if why != "" {
			return value.Value{}
		}
		if i == 0 {
			d.Batched, d.Batch, d.Count, d.Own = p.Batched, p.Batch, p.Count, p.Own
		}
		i++
		d.Elements = append(d.Elements, p.Elements...)
		d.Count = fewer(d.Count, p.Count)
		d.Own = d.Own || p.Own
		return p.formed()
	})
	if i == 0 && why == "" {
		why = "nothing is zipped"
	}
	if why != "" {
		d.forget(why)
	}
	return d.note()
}

// formed is the structure of the elements, with nothing in the place of each.
func (d *dataset) formed() value.Value {
	if d.form.X != nil {
		return d.form
	}
	if len(d.Elements) == 1 {
		return value.Value{}
	}
	return value.Value{X: make(value.Tuple, len(d.Elements))}
}

// arranged are parts, one for each of the elements, in their structure.
func (d *dataset) arranged(parts []value.Value) value.Value {
	i := -1
	return eachElement(d.formed(), func(value.Value) value.Value {
		i++
		return parts[min(i, len(parts)-1)]
	})
}

// eachElement is each, for which a list is one element, as tf.data has it.
func eachElement(v value.Value, replace func(value.Value) value.Value) value.Value {
	return replaced(v, false, replace)
}

// generated is Dataset.from_generator, whose elements are what its signature says: with
// a first dimension that is open they may be batches, of any size.
func (h *host) generated(args *value.Args) value.Value {
	d := h.source(args, "what the generator yields is not declared")
	d.Batched, d.Batch = true, h.unknown("a generator may yield batches of any size")
	form, given := args.Keywords.Get("output_signature")
	if !given {
		types, ok := args.Get(1, "output_types")
		shapes, ok2 := args.Get(2, "output_shapes")
		if !ok || !ok2 {
			return d.note()
		}
		form = h.specified(types, shapes)
	}
	whole := true
	for _, part := range flat(form) {
		a, ok := part.X.(*array)
		if !ok {
			return d.note()
		}
		d.Elements = append(d.Elements, Input{a.shape, a.dtype})
		whole = whole && len(a.shape) > 0 && a.shape[0] < 0
	}
	if d.form, d.why = form, ""; !whole {
		d.Batched, d.Batch = false, value.Value{}
		return d.note()
	}
	for i, e := range d.Elements {
		d.Elements[i].Shape = e.Shape[1:]
	}
	return d.note()
}

// specified are arrays of types and shapes that are given apart.
func (h *host) specified(types, shapes value.Value) value.Value {
	if parts, ok := types.X.(value.Tuple); ok {
		others, ok := shapes.X.(value.Tuple)
		if !ok || len(others) != len(parts) {
			return h.unknown("the shapes that a generator yields are not known")
		}
		var out value.Tuple
		for i := range parts {
			out = append(out, h.specified(parts[i], others[i]))
		}
		return value.Value{X: out}
	}
	return h.spec(&value.Args{Positional: []value.Value{shapes, types}})
}

// spec is a tf.TensorSpec, here an array of its shape and type.
func (h *host) spec(args *value.Args) value.Value {
	given, _ := args.Get(0, "shape")
	shape, ok := dims(given)
	if !ok {
		return h.unknown("the shape of a TensorSpec is not known: %s", because(given))
	}
	d := DType("float32")
	if t, ok := args.Get(1, "dtype"); ok {
		name, ok := t.X.(string)
		if d = DType(name); !ok {
			return h.unknown("the type of a TensorSpec is not known")
		}
	}
	return h.newArray(shape, d)
}

// image is an image of a size, height first, in a color mode.
func image(size []int64, mode string) Input {
	channels := int64(3)
	switch mode {
	case "grayscale":
		channels = 1
	case "rgba":
		channels = 4
	}
	return Input{Shape{size[0], size[1], channels}, "float32"}
}

// imageGenerator is an ImageDataGenerator, whose methods yield batches of images
// (keras/src/legacy/preprocessing/image.py).
type imageGenerator struct {
	base
	h *host
}

func (g *imageGenerator) Attr(_ *value.Interp, name string) (value.Value, bool) {
	// Where the arguments stand: the size of images, their colors, and of batches.
	var size, mode, batch int
	switch name {
	case "flow":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			d := g.h.source(args, "the array is not known")
			x, _ := args.Get(0, "x")
			if shape, _, ok := arrayOf(x); ok && len(shape) > 0 {
				d.Elements, d.why = []Input{{shape[1:], "float32"}}, ""
			}
			d.batches(args, 2, 32)
			return d.note()
		})
	case "flow_from_directory":
		size, mode, batch = 1, 2, 5
	case "flow_from_dataframe":
		size, mode, batch = 5, 6, 9
	default:
		return value.Value{}, false
	}
	return method(func(_ *value.Interp, args *value.Args) value.Value {
		d, r := g.h.source(args, ""), &reader{args: args}
		d.Elements = []Input{image(r.numbers(size, "target_size", 2, []int64{256, 256}), r.text(mode, "color_mode", "rgb"))}
		if r.why != "" {
			d.Elements, d.why = nil, r.why
		}
		d.batches(args, batch, 32)
		return d.note()
	})
}

// fewer is the smaller of two numbers of elements, or None.
func fewer(a, b int64) int64 {
	if a < 0 || b < 0 {
		return None
	}
	return min(a, b)
}

// timeseries is timeseries_dataset_from_array: windows over the rows of an array
// (keras/src/utils/timeseries_dataset_utils.py).
func (h *host) timeseries(args *value.Args) value.Value {
	d := h.source(args, "the array is not known")
	r := &reader{args: args}
	data, _ := args.Get(0, "data")
	length := r.number(2, "sequence_length", None)
	if shape, t, ok := arrayOf(data); ok && len(shape) > 0 && r.why == "" {
		d.Elements, d.why = []Input{{append(Shape{length}, shape[1:]...), t}}, ""
		targets, given := args.Get(1, "targets")
		if shape, t, ok := arrayOf(targets); ok && len(shape) > 0 {
			d.Elements = append(d.Elements, Input{shape[1:], t})
		} else if _, none := targets.X.(value.None); given && !none {
			d.Elements, d.why = nil, "the targets are not known"
		}
	}
	d.batches(args, 5, 128)
	return d.note()
}

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
	step := stepOf(name)
	if step == nil {
		return value.Value{}, false
	}
	return method(func(in *value.Interp, args *value.Args) value.Value {
		out := *d
		out.Node, out.Held, out.Buffer = args.Node, nil, 0
		if name != "map" && name != "prefetch" && name != "cache" {
			out.most = 0
		}
		step(&out, in, args)
		return out.note()
	})
}

// stepOf is what a method of a dataset changes in a copy of it, or nil.
func stepOf(name string) func(d *dataset, in *value.Interp, args *value.Args) {
	switch name {
	case "prefetch", "with_options", "snapshot", "as_numpy_iterator":
		return func(*dataset, *value.Interp, *value.Args) {}
	case "cache":
		return (*dataset).cache
	case "filter", "take_while", "unique", "ignore_errors", "shard", "assert_cardinality":
		return func(d *dataset, _ *value.Interp, _ *value.Args) { d.Count = None }
	case "shuffle":
		return (*dataset).shuffle
	case "repeat":
		return (*dataset).repeat
	case "take":
		return (*dataset).take
	case "skip":
		return (*dataset).skip
	case "batch":
		return (*dataset).batch
	case "padded_batch":
		return (*dataset).paddedBatch
	case "unbatch":
		return (*dataset).unbatch
	case "map":
		return (*dataset).mapped
	case "enumerate":
		return (*dataset).enumerate
	case "concatenate":
		return (*dataset).concatenate
	case "flat_map", "interleave", "apply", "window", "scan", "group_by_window", "ragged_batch", "sparse_batch", "rebatch",
		"bucket_by_sequence_length", "rejection_resample":
		return func(d *dataset, _ *value.Interp, _ *value.Args) {
			d.forget("what " + name + " makes of the elements is not known")
		}
	}
	return nil
}

// forget drops what is known of the elements.
func (d *dataset) forget(why string) {
	d.Elements, d.Count, d.why, d.Own, d.form = nil, None, why, true, value.Value{}
	d.Batched, d.Batch = true, d.h.unknown("%s", why)
}

// cache keeps the elements in host memory, where a buffer that follows has them
// too, unless it is given a file.
func (d *dataset) cache(_ *value.Interp, args *value.Args) {
	if _, given := args.Get(0, "filename"); !given {
		d.Own = false
	}
}

func (d *dataset) shuffle(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "buffer_size")
	d.Buffer, _ = size.Int()
}

func (d *dataset) repeat(_ *value.Interp, args *value.Args) {
	times, _ := args.Get(0, "count")
	if n, ok := times.Int(); ok && n >= 0 && d.Count >= 0 && n < 1<<30 {
		d.Count *= n
		return
	}
	d.Count = None
}

func (d *dataset) take(_ *value.Interp, args *value.Args) {
	count, _ := args.Get(0, "count")
	if n, ok := count.Int(); ok && n >= 0 && d.Count >= 0 {
		d.Count = min(d.Count, n)
	} else if ok && n >= 0 {
		d.most = n
	} else if !ok {
		d.Count = None
	}
}

// mostTaken bounds the elements that a loop over a dataset goes through.
const mostTaken = 16

// Iterate is the elements, where they are few: those of data.take(1).
func (d *dataset) Iterate(*value.Interp) ([]value.Value, bool) {
	n := d.Count
	if n < 0 && d.most > 0 {
		n = d.most // a dataset is meant to hold as many as are taken
	}
	item, ok := d.element()
	if !ok || n < 0 || n > mostTaken {
		return nil, false
	}
	items := make([]value.Value, n)
	for i := range items {
		items[i] = item
	}
	return items, true
}

// WhyNoItems is why it is not known what a loop over it goes through.
func (d *dataset) WhyNoItems() string {
	switch {
	case d.why != "":
		return d.why
	case d.Elements == nil:
		return "the elements of a dataset are not known"
	case d.Count == None:
		return "how many elements a dataset has is not known"
	}
	return fmt.Sprintf("a dataset of %d elements", d.Count)
}

// Sample is what the elements look like.
func (d *dataset) Sample(*value.Interp) (value.Value, bool) { return d.element() }

// element is one element: an array, or a tuple of them.
func (d *dataset) element() (value.Value, bool) {
	batch, known := d.Batch.Int()
	if !known {
		batch = None
	}
	var parts value.Tuple
	for _, e := range d.Elements {
		shape := e.Shape
		if d.Batched {
			shape = append(Shape{batch}, shape...)
		}
		part := d.h.newArray(shape, e.DType)
		if d.Batched {
			part.X.(*array).batch = &d.Batch
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.arranged(parts), true
}

func (d *dataset) skip(_ *value.Interp, args *value.Args) {
	count, _ := args.Get(0, "count")
	if n, ok := count.Int(); ok && n >= 0 && d.Count >= 0 {
		d.Count = max(d.Count-n, 0)
		return
	}
	d.Count = None
}

func (d *dataset) batch(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "batch_size")
	n, ok := size.Int()
	if d.Batched && d.Elements != nil {
		of, known := d.Batch.Int()
		whole := make([]Input, len(d.Elements))
		for i, e := range d.Elements {
			whole[i] = Input{append(Shape{of}, e.Shape...), e.DType}
		}
		if d.Elements = whole; !known {
			d.Elements, d.why = nil, "it is batched twice"
		}
	}
	drop, _ := args.Get(1, "drop_remainder")
	switch {
	case !ok || n < 1 || d.Count < 0:
		d.Count = None
	case drop.X == true:
		d.Count /= n
	case drop.X == nil || drop.X == false:
		d.Count = (d.Count + n - 1) / n
	default:
		d.Count = None
	}
	d.Batched, d.Batch, d.Own = true, size, true
}

func (d *dataset) paddedBatch(in *value.Interp, args *value.Args) {
	if _, given := args.Get(1, "padded_shapes"); given {
		d.Elements, d.why = nil, "the shapes it pads to are not followed"
	}
	d.batch(in, &value.Args{Positional: args.Positional[:min(len(args.Positional), 1)], Keywords: args.Keywords, Node: args.Node})
}

func (d *dataset) unbatch(*value.Interp, *value.Args) {
	if !d.Batched {
		d.Elements, d.why = nil, "it is taken apart without being batched"
	}
	n, ok := d.Batch.Int()
	if d.Count = None; ok && n < 0 {
		d.Elements = nil
	}
	d.Batched, d.Batch = false, value.Value{}
}

func (d *dataset) enumerate(*value.Interp, *value.Args) {
	if d.Elements != nil {
		d.form = value.Value{X: value.Tuple{{}, d.formed()}}
		d.Elements = append([]Input{{Shape{}, "int64"}}, d.Elements...)
	}
}

func (d *dataset) concatenate(_ *value.Interp, args *value.Args) {
	v, _ := args.Get(0, "dataset")
	other, ok := v.X.(*dataset)
	if !ok || other.Elements == nil || d.Elements == nil || fmt.Sprint(other.Elements, other.Batched, other.Batch.X) != fmt.Sprint(d.Elements, d.Batched, d.Batch.X) {
		d.forget("what it is concatenated with differs, or is not known")
		return
	}
	if d.Own = d.Own || other.Own; d.Count >= 0 && other.Count >= 0 {
		d.Count += other.Count
		return
	}
	d.Count = None
}

// mapped has the function that map is given evaluated on an element.
func (d *dataset) mapped(in *value.Interp, args *value.Args) {
	f, ok := args.Get(0, "map_func")
	d.Own = true
	if !ok || d.Elements == nil {
		return
	}
	item, ok := d.element()
	if !ok {
		return
	}
	given := []value.Value{item}
	if parts, several := item.X.(value.Tuple); several {
		given = parts
	}
	batch, known := d.Batch.Int()
	if !known {
		batch = None
	}
	form := in.Call(f, &value.Args{Positional: given, Node: args.Node})
	d.Elements, d.why, d.form = nil, "what map makes of the elements is not known", value.Value{}
	var elements []Input
	for _, part := range flat(form) {
		shape, t, ok := arrayOf(part)
		if !ok || d.Batched && (len(shape) == 0 || shape[0] != batch) {
			if why := because(part); !ok && part.Why() != "" {
				d.why += ": " + why
			}
			return
		}
		if d.Batched {
			shape = shape[1:]
		}
		elements = append(elements, Input{shape, t})
	}
	d.Elements, d.why, d.form = elements, "", form
}

// use notes a call of fit and its like.
func (v *modelValue) use(in *value.Interp, method string, args *value.Args) value.Value {
	h := v.h
	u := &Use{Method: method, Node: args.Node, Model: v.model}
	defer h.note(u)
	data, _ := args.Get(0, "x")
	targets, _ := args.Get(1, "y")
	if batch, ok := firstBatch(in, data); ok {
		return v.useBatch(in, u, batch)
	}
	if method == "fit" || method == "evaluate" || method == "predict" {
		position := map[string]int{"fit": 2, "evaluate": 2, "predict": 1}[method]
		if b, ok := args.Get(position, "batch_size"); ok {
			if _, none := b.X.(value.None); !none {
				u.Batch = b
			}
		}
	}
	if d, ok := data.X.(*dataset); ok {
		u.Batch = d.Batch
		if !d.Batched {
			u.Batch = h.unknown("the dataset makes no batches")
		}
		if d.Elements != nil {
			u.Inputs = d.Elements[:min(len(d.Elements), max(len(v.model.Inputs), 1))]
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
		if method == "fit" || method == "evaluate" || method == "predict" {
			u.Arrays = wholeArrays(args, method)
		}
	}
	v.feed(in, u, data, targets)
	if method == "fit" {
		v.compares(in, data, targets)
	}
	return h.unknown("the result of %s is not followed", method)
}

// feed builds a model that is not built with what it is given.
func (v *modelValue) feed(in *value.Interp, u *Use, data, targets value.Value) {
	if m := v.model; m.Class == "Sequential" && len(m.Inputs) == 0 && len(u.Inputs) == 1 {
		m.input(append(Shape{None}, u.Inputs[0].Shape...), "float32")
	}
	if v.custom != nil {
		if x, ok := v.h.batchOf(data); ok {
			if why := v.custom.feed(in, x); why != "" && !v.model.Built() {
				v.custom.failed = why
			}
		}
		if u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "fit_generator" {
			v.custom.rehearse(in, u, data, targets)
		}
		if len(u.Inputs) != len(v.model.Inputs) {
			u.Inputs = nil
		}
	}
}

// wholeArrays are the arrays that a method is given to cut into batches, those of
// which the shape is known: what it learns from, and what it is to learn.
func wholeArrays(args *value.Args, method string) []Input {
	data, _ := args.Get(0, "x")
	out := arrays(data)
	if method == "fit" || method == "evaluate" {
		labels, _ := args.Get(1, "y")
		out = append(out, arrays(labels)...)
	}
	return out
}

// arrays are the arrays in nested tuples, lists and dictionaries.
func arrays(v value.Value) []Input {
	if l, ok := v.X.(*value.List); ok {
		v = value.Value{X: value.Tuple(l.Items)}
	}
	var out []Input
	for _, part := range flat(v) {
		if a, ok := part.X.(*array); ok && len(a.shape) > 0 {
			out = append(out, Input{a.shape, a.dtype})
		}
	}
	return out
}

// batchOf is what a model is called with, given what fit is: tensors of the
// shapes of a batch, in the structure of the data.
func (h *host) batchOf(data value.Value) (value.Value, bool) {
	if d, ok := data.X.(*dataset); ok {
		// What comes first of a tuple are the features; targets and weights follow
		// (keras/src/trainers/data_adapters/data_adapter_utils.py, unpack_x_y_sample_weight).
		whole, ok := h.wholeElement(d)
		if pair, several := whole.X.(value.Tuple); several && ok {
			return pair[0], len(pair) <= 3
		}
		return whole, ok
	}
	found := false
	out := each(data, func(x value.Value) value.Value {
		a, ok := x.X.(*array)
		if !ok || len(a.shape) == 0 {
			return x
		}
		found = true
		return h.symbolic(a.shape[1:], a.dtype)
	})
	return out, found
}

// wholeElement are tensors of the shapes of a batch of a dataset, as it hands them out.
func (h *host) wholeElement(d *dataset) (value.Value, bool) {
	var parts []value.Value
	for _, e := range d.Elements {
		parts = append(parts, h.symbolic(e.Shape, e.DType))
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.arranged(parts), true
}

// symbolic is a tensor of a batch of what has a shape and a type.
func (h *host) symbolic(shape Shape, d DType) value.Value {
	if d == "float64" {
		d = "float32"
	}
	return h.tensor(&Symbolic{Shape: append(Shape{None}, shape...), DType: d})
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
	inputs := u.Model.Inputs
	if u.Model.Own != nil {
		inputs = u.Model.Own.Inputs
	}
	for i, s := range inputs {
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
