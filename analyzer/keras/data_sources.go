package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/analyzer/value"
)

// dataTable are the sources of data.
var dataTable = table{
	"tensorflow.data.Dataset.*":                  asStep,
	"tensorflow.data.experimental.*":             transformation,
	"tensorflow.contrib.data.*":                  transformation,
	"tensorflow.data.Dataset.from_tensor_slices": (*hostCall).slices,
	"tensorflow.data.Dataset.from_tensors":       func(c *hostCall) value.Value { return c.h.fromTensors(c.args) },
	"tensorflow.data.Dataset.from_generator":     func(c *hostCall) value.Value { return c.h.generated(c.args) },
	"tensorflow.data.Dataset.range":              (*hostCall).rangeOfNumbers,
	"tensorflow.data.Dataset.list_files":         source,
	"tensorflow.data.Dataset.random":             source,
	"tensorflow.data.Dataset.counter":            source,
	"tensorflow.data.Dataset.load":               source,
	"tensorflow.data.TFRecordDataset":            source,
	"tensorflow.data.TextLineDataset":            source,
	"tensorflow.data.FixedLengthRecordDataset":   source,
	"tensorflow.data.experimental.load":          source,
	"tensorflow.data.experimental.from_list":     source,
	"tensorflow.data.experimental.Counter":       source,
	"tensorflow.data.experimental.RandomDataset": source,
	"tensorflow.data.experimental.SqlDataset":    source,

	"tensorflow.data.experimental.make_csv_dataset":              source,
	"tensorflow.data.experimental.make_batched_features_dataset": source,

	"tensorflow.data.experimental.CsvDataset": func(c *hostCall) value.Value { return c.h.lines(c.args) },
	"tensorflow.data.Dataset.zip": func(c *hostCall) value.Value {
		v, _ := c.args.Get(0, "datasets")
		if len(c.args.Positional) > 1 {
			v = value.Value{X: value.Tuple(c.args.Positional)}
		}
		return c.h.zipped(v, c.args)
	},
	"tensorflow.data.Dataset.sample_from_datasets": mixed, "tensorflow.data.experimental.sample_from_datasets": mixed,
	"tensorflow.data.Dataset.choose_from_datasets": mixed, "tensorflow.data.experimental.choose_from_datasets": mixed,
	"tensorflow.keras.utils.split_dataset": (*hostCall).splitDataset,
	"tensorflow.TensorSpec":                func(c *hostCall) value.Value { return c.h.spec(c.args) },
	"tensorflow_datasets.load":             func(c *hostCall) value.Value { return c.h.loaded(c.args) },
	"tensorflow_datasets.builder": func(c *hostCall) value.Value {
		name, _ := c.args.Get(0, "name")
		return value.Value{X: &setBuilder{"a builder of a data set", c.h, name}}
	},
	"tensorflow_datasets.as_numpy": func(c *hostCall) value.Value {
		v, _ := c.args.Get(0, "dataset")
		if !v.Known() {
			return value.Value{}
		}
		return v
	},
	"tensorflow.keras.utils.image_dataset_from_directory":         (*hostCall).imagesInFolders,
	"tensorflow.keras.utils.text_dataset_from_directory":          (*hostCall).filesInFolders,
	"tensorflow.keras.utils.audio_dataset_from_directory":         (*hostCall).filesInFolders,
	"tensorflow.keras.utils.timeseries_dataset_from_array":        func(c *hostCall) value.Value { return c.h.timeseries(c.args) },
	"tensorflow.keras.preprocessing.sequence.TimeseriesGenerator": func(c *hostCall) value.Value { return c.h.windowed(c.args) },
	"tensorflow.keras.preprocessing.image.ImageDataGenerator":     func(c *hostCall) value.Value { return value.Value{X: &imageGenerator{"a generator of images", c.h}} },
	"tensorflow.keras.preprocessing.text.Tokenizer":               func(c *hostCall) value.Value { return c.h.tokenizer(c.args) },
}

// slices is Dataset.from_tensor_slices.
func (c *hostCall) slices() value.Value {
	v, _ := c.args.Get(0, "tensors")
	d := c.h.source(c.args, nil)
	d.Own, d.form = false, v
	for _, part := range flat(v) {
		shape, t, ok := arrays.Of(part)
		if !ok || len(shape) == 0 {
			d.Elements, d.Held, d.Count, d.why = nil, nil, None, objects.Because(part)
			break
		}
		d.Held = append(d.Held, Input{shape, t})
		d.Elements = append(d.Elements, Input{shape[1:], t})
		d.Count = shape[0]
	}
	if d.Elements == nil {
		d.form = value.Value{}
	}
	return d.note()
}

// rangeOfNumbers is Dataset.range.
func (c *hostCall) rangeOfNumbers() value.Value {
	d := c.h.source(c.args, nil)
	d.Elements = []Input{{Shape{}, DType(tfdata.Sources[c.name].Number)}}
	if n, ok := c.args.Get(0, "start"); ok && len(c.args.Positional) == 1 {
		if n, ok := n.Int(); ok {
			d.Count = max(n, 0)
		}
	}
	return d.note()
}

// source is a source whose row in tfdata says all that is known of it.
func source(c *hostCall) value.Value {
	row := tfdata.Sources[c.name]
	d := c.h.source(c.args, value.Because(value.ArrayShape, "the elements of %s are not known", c.name))
	if row.Number != "" {
		d.Elements, d.why = []Input{{Shape{}, DType(row.Number)}}, nil
	}
	switch {
	case row.Batch != "":
		d.batchesOf(c.name, c.args)
	case row.Elements != tfdata.Single:
		d.Batched, d.Batch = true, c.h.unknown(value.BatchSize, "whether %s has batches is not known", c.name)
	}
	return d.note()
}

// splitDataset is keras.utils.split_dataset: two datasets like the argument
// (keras/src/utils/dataset_utils.py).
func (c *hostCall) splitDataset() value.Value {
	of, _ := c.args.Get(0, "dataset")
	d, ok := of.X.(*dataset)
	if !ok {
		return value.Value{}
	}
	part := *d
	part.Node, part.Held, part.Buffer, part.tells, part.Count, part.most = c.args.Node, nil, 0, nil, None, 0
	return value.Value{X: value.Tuple{part.note(), part.note()}}
}

func mixed(c *hostCall) value.Value {
	v, _ := c.args.Get(0, "datasets")
	return c.h.mixed(v, c.args)
}

// imagesInFolders is image_dataset_from_directory.
func (c *hostCall) imagesInFolders() value.Value {
	args := c.args
	r := &argParser{args: args}
	d := c.h.source(args, nil)
	d.Elements = []Input{image(r.numbers(6, "image_size", 2, []int64{256, 256}), r.text(4, "color_mode", "rgb"))}
	labels := r.text(2, "label_mode", "int")
	for i, name := range []string{"labels", "label_mode"} { // one being None makes the other None
		if v, _ := args.Get(i+1, name); v.X == (value.None{}) {
			labels = ""
		}
	}
	switch labels {
	case "int":
		d.Elements = append(d.Elements, Input{Shape{}, "int32"})
	case "categorical":
		d.Elements = append(d.Elements, Input{Shape{None}, "float32"})
	case "binary":
		d.Elements = append(d.Elements, Input{Shape{1}, "float32"})
	}
	if r.why != nil {
		d.Elements, d.why = nil, r.why
	}
	d.batchesOf(c.name, args)
	d.readsFolders(args, "class_names", labels == "binary")
	if r.text(-1, "subset", "") == "both" {
		return value.Value{X: value.Tuple{d.note(), d.note()}}
	}
	return d.note()
}

// filesInFolders is text_dataset_from_directory or audio_dataset_from_directory.
func (c *hostCall) filesInFolders() value.Value {
	args := c.args
	d := c.h.source(args, value.Because(value.ArrayShape, "the elements of %s are not known", c.name))
	d.batchesOf(c.name, args)
	d.readsFolders(args, "class_names", (&argParser{args: args}).text(2, "label_mode", "int") == "binary")
	if v, ok := args.Keywords.Get("subset"); ok && v.X == "both" {
		return value.Value{X: value.Tuple{d.note(), d.note()}}
	}
	return d.note()
}

// asStep answers for a dataset method that is called as a function.
func asStep(c *hostCall) value.Value {
	if len(c.args.Positional) == 0 {
		return value.Value{}
	}
	d, ok := c.args.Positional[0].X.(*dataset)
	if !ok {
		return value.Value{}
	}
	does, ok := d.GetAttr(c.in, c.below("tensorflow.data.Dataset"))
	if !ok {
		return value.Value{}
	}
	rest := *c.args
	rest.Positional = c.args.Positional[1:]
	return c.in.Call(does, &rest)
}

// lines creates the dataset of a CSV file's lines, with a number or a text in each field.
func (h *host) lines(args *value.Args) value.Value {
	d := h.source(args, nil)
	defaults, _ := args.Get(1, "record_defaults")
	fields, ok := objects.Sequence(defaults)
	if !ok {
		d.why = value.Because(value.UnmodelledUse, "the fields of the lines are not known: %s", objects.Because(defaults))
		return d.note()
	}
	var form value.Tuple
	for _, field := range fields {
		t := arrays.FieldType(field)
		d.Elements, form = append(d.Elements, Input{Shape{}, t}), append(form, h.newArray(Shape{}, t))
	}
	d.form = value.Value{X: form}
	return d.note()
}

// fromTensors is Dataset.from_tensors. It has one element: a batch, if all parts have as many rows.
func (h *host) fromTensors(args *value.Args) value.Value {
	form, _ := args.Get(0, "tensors")
	d := h.source(args, nil)
	d.Own, d.form, d.Count = false, form, 1
	for _, part := range flat(form) {
		shape, t, ok := arrays.Of(part)
		if !ok {
			d.Elements, d.Held, d.form, d.why = nil, nil, value.Value{}, objects.Because(part)
			d.Batched, d.Batch = true, h.unknown(value.BatchSize, "the size of the one element is not known: %s", d.why)
			return d.note()
		}
		d.Held = append(d.Held, Input{shape, t})
		d.Elements = append(d.Elements, Input{shape, t})
	}
	if n, ok := rowsIn(form); ok && n != None {
		d.Batched, d.Batch = true, value.Value{X: n}
		for i, e := range d.Elements {
			d.Elements[i].Shape = e.Shape[1:]
		}
	}
	return d.note()
}

// mixed interleaves datasets.
func (h *host) mixed(datasets value.Value, args *value.Args) value.Value {
	d := h.source(args, nil)
	parts, _ := objects.Sequence(datasets)
	for i, part := range parts {
		one, ok := part.X.(*dataset)
		switch {
		case ok && i == 0:
			d.Dataset, d.form, d.why = one.Dataset, one.form, one.why
		case !ok || !d.like(one):
			d.Elements = nil
		}
	}
	if d.Elements == nil {
		d.forget(value.Because(value.ArrayShape, "datasets take turns that differ, or are not known"))
	}
	d.Node, d.Held, d.Buffer, d.Count = args.Node, nil, 0, None
	return d.note()
}

// zipped is Dataset.zip. Its examples consist of one example of each dataset, in the structure of
// the argument.
func (h *host) zipped(datasets value.Value, args *value.Args) value.Value {
	d := h.source(args, nil)
	i, why := 0, (*value.Cause)(nil)
	d.form = each(datasets, func(part value.Value) value.Value {
		p, ok := part.X.(*dataset)
		switch {
		case why != nil:
		case !ok:
			why = value.Because(value.ArrayShape, "a part of the zipped datasets is not known: %s", objects.Because(part))
		case p.Elements == nil:
			why = value.Because(value.ArrayShape, "a part of the zipped datasets is not known: %s", p.why)
		case len(d.Elements) > mostTensors:
			why = value.Because(value.TooLong, "an element of it is made of more tensors than can be followed")
		case i > 0 && p.Batched != d.Batched:
			why = value.Because(value.BatchSize, "a part of the zipped datasets is batched, another is not")
		}
		if why != nil {
			return value.Value{}
		}
		if i == 0 {
			d.Batched, d.Batch, d.Count, d.Own = p.Batched, p.Batch, p.Count, p.Own
		}
		i++
		for j := range p.Elements {
			d.Batches = append(d.Batches, *p.batchOf(j))
		}
		d.Elements = append(d.Elements, p.Elements...)
		d.Count = fewer(d.Count, p.Count)
		d.Own = d.Own || p.Own
		return p.formed()
	})
	if i == 0 && why == nil {
		why = value.Because(value.MissingArgument, "nothing is zipped")
	}
	if why != nil {
		d.forget(why)
	}
	d.settle()
	return d.note()
}

// generated is Dataset.from_generator. Its elements follow the output signature. If their first
// dimension is open, they may be batches of any size.
func (h *host) generated(args *value.Args) value.Value {
	d := h.source(args, value.Because(value.ArrayShape, "what the generator yields is not declared"))
	d.Batched, d.Batch = true, h.unknown(value.BatchSize, "a generator may yield batches of any size")
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
		d.Elements = append(d.Elements, Input{a.Shape, a.DType})
		whole = whole && len(a.Shape) > 0 && a.Shape[0] < 0
	}
	if d.form, d.why = form, nil; !whole {
		d.Batched, d.Batch = false, value.Value{}
		return d.note()
	}
	for i, e := range d.Elements {
		d.Elements[i].Shape = e.Shape[1:]
	}
	return d.note()
}

// specified returns arrays, given their types and shapes.
func (h *host) specified(types, shapes value.Value) value.Value {
	if parts, ok := types.X.(value.Tuple); ok {
		others, ok := shapes.X.(value.Tuple)
		if !ok || len(others) != len(parts) {
			return h.unknown(value.ArrayShape, "the shapes that a generator yields are not known")
		}
		var out value.Tuple
		for i := range parts {
			out = append(out, h.specified(parts[i], others[i]))
		}
		return value.Value{X: out}
	}
	return h.spec(&value.Args{Positional: []value.Value{shapes, types}})
}

// spec is tf.TensorSpec, here an array of its shape and type.
func (h *host) spec(args *value.Args) value.Value {
	given, _ := args.Get(0, "shape")
	shape, ok := objects.Dims(given)
	if !ok {
		return h.unknown(value.ArrayShape, "the shape of a TensorSpec is not known: %s", objects.Because(given))
	}
	d := DType("float32")
	if t, ok := args.Get(1, "dtype"); ok {
		name, ok := t.X.(string)
		if d = DType(name); !ok {
			return h.unknown(value.ArrayShape, "the type of a TensorSpec is not known")
		}
	}
	return h.newArray(shape, d)
}

// timeseries is timeseries_dataset_from_array: windows over the rows of an array
// (keras/src/utils/timeseries_dataset_utils.py).
func (h *host) timeseries(args *value.Args) value.Value {
	r := &argParser{args: args}
	data, _ := args.Get(0, "data")
	d := h.source(args, h.unknownArray(data).Cause())
	length := r.number(2, "sequence_length", None)
	if shape, t, ok := arrays.Of(data); ok && len(shape) > 0 && r.why == nil {
		d.Elements, d.why = []Input{{append(Shape{length}, shape[1:]...), t}}, nil
		targets, given := args.Get(1, "targets")
		if shape, t, ok := arrays.Of(targets); ok && len(shape) > 0 {
			d.Elements = append(d.Elements, Input{shape[1:], t})
		} else if _, none := targets.X.(value.None); given && !none {
			d.Elements, d.why = nil, h.unknownArray(targets).Cause()
		}
	}
	d.batchesOf("tensorflow.keras.utils.timeseries_dataset_from_array", args)
	return d.note()
}

// windowed is a TimeseriesGenerator: batches of windows over the rows of an array, and of the row
// after each window in another array (keras/src/legacy/preprocessing/sequence.py).
func (h *host) windowed(args *value.Args) value.Value {
	r := &argParser{args: args}
	data, _ := args.Get(0, "data")
	targets, _ := args.Get(1, "targets")
	length, every, stride := r.number(2, "length", None), r.number(3, "sampling_rate", 1), r.number(4, "stride", 1)
	start, end := r.number(5, "start_index", 0), r.number(6, "end_index", None)
	shuffled := r.bool(7, "shuffle", false) // it draws windows, however few there are
	d := h.source(args, r.why)
	d.batches(args, 9, 128)
	d.tells = map[string]value.Value{}
	shape, t, ok := arrays.Of(data)
	of, t2, ok2 := arrays.Of(targets)
	switch {
	case r.why != nil:
	case !ok || len(shape) == 0:
		d.why = h.unknownArray(data).Cause()
	case !ok2 || len(of) == 0:
		d.why = h.unknownArray(targets).Cause()
	case length < 1 || every < 1 || stride < 1:
		d.why = value.Because(value.KerasRaises, "TensorFlow will raise: windows have a length, and distances")
	default:
		window := append(Shape{(length-1)/every + 1}, shape[1:]...)
		d.Elements = []Input{{window, t}, {of[1:], t2}}
		if end < 0 && shape[0] >= 0 {
			end = shape[0] - 1
		}
		if windows := (end - start - length + stride) / stride; end >= 0 && start >= 0 && !shuffled {
			d.Batch = atMost(d.Batch, windows)
		}
	}
	return d.handedOut("__getitem__")
}

// handedOut records batches that Keras's own generators return from the given methods.
func (d *dataset) handedOut(by ...string) value.Value {
	for _, name := range by {
		d.tells[name] = value.Value{X: value.Method(func(*value.Interp, *value.Args) value.Value {
			batch, ok := d.element()
			if !ok {
				return d.WhyNotIter().Unknown()
			}
			return batch
		})}
	}
	return d.note()
}

// GetItem returns an item of one of Keras's generators: a batch. Datasets have no items.
func (d *dataset) GetItem(in *value.Interp, index value.Value) value.Value {
	if item, ok := d.tells["__getitem__"]; ok {
		return in.Call(item, &value.Args{Positional: []value.Value{index}})
	}
	return d.base.GetItem(in, index)
}

// image returns an image of a size, height first, in a color mode.
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

// imageGenerator is an ImageDataGenerator. Its methods return iterators over batches of images
// (keras/src/legacy/preprocessing/image.py).
type imageGenerator struct {
	base
	h *host
}

func (g *imageGenerator) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	// The positions of the arguments: the size of images, their colors, labels, and the batch
	// size.
	var size, mode, labels, batch int
	switch name {
	case "fit": // computes the mean of the data
		return objects.Method(objects.Nothing)
	case "flow":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "x")
			d := g.h.source(args, g.h.unknownArray(x).Cause())
			if shape, _, ok := arrays.Of(x); ok && len(shape) > 0 {
				d.Elements, d.why = []Input{{shape[1:], "float32"}}, nil
				y, _ := args.Get(1, "y")
				if shape, t, ok := arrays.Of(y); ok && len(shape) > 0 {
					d.Elements = append(d.Elements, Input{shape[1:], t})
				}
			}
			d.batches(args, 2, 32)
			d.tells = map[string]value.Value{}
			return d.handedOut("next", "__next__", "__getitem__")
		})
	case "flow_from_directory":
		size, mode, labels, batch = 1, 2, 4, 5
	case "flow_from_dataframe":
		size, mode, labels, batch = 5, 6, 8, 9
	default:
		return value.Value{}, false
	}
	return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
		d, r := g.h.source(args, nil), &argParser{args: args}
		d.Elements = []Input{image(r.numbers(size, "target_size", 2, []int64{256, 256}), r.text(mode, "color_mode", "rgb"))}
		what := r.text(labels, "class_mode", "categorical")
		if v, _ := args.Get(labels, "class_mode"); v.X == (value.None{}) {
			what = ""
		}
		switch what {
		case "categorical":
			d.Elements = append(d.Elements, Input{Shape{None}, "float32"})
		case "binary", "sparse":
			d.Elements = append(d.Elements, Input{Shape{}, "float32"})
		case "input": // the images
			d.Elements = append(d.Elements, d.Elements[0])
		case "":
		default:
			r.fail("class_mode", value.Because(value.UnmodelledArgument, "what %s makes of labels is not followed", what))
		}
		if r.why != nil {
			d.Elements, d.why = nil, r.why
		}
		d.batches(args, batch, 32)
		d.readsFolders(args, "classes", what == "binary")
		d.tells["batch_size"] = d.Batch
		return d.handedOut("next", "__next__", "__getitem__")
	})
}
