package pipelines

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/analyzer/value"
)

// DataTable are the sources of data.
var DataTable = state.Table{
	"tensorflow.data.Dataset.*":                  asStep,
	"tensorflow.data.experimental.*":             transformation,
	"tensorflow.contrib.data.*":                  transformation,
	"tensorflow.data.Dataset.from_tensor_slices": fromSlices,
	"tensorflow.data.Dataset.from_tensors":       func(c *state.Call) value.Value { return fromTensors(c.H, c.Args) },
	"tensorflow.data.Dataset.from_generator":     generated,
	"tensorflow.data.Dataset.range":              rangeOfNumbers,
	"tensorflow.data.Dataset.list_files":         source,
	"tensorflow.data.Dataset.random":             source,
	"tensorflow.data.Dataset.counter":            source,
	"tensorflow.data.Dataset.load":               source,
	"tensorflow.data.TFRecordDataset":            source,
	"tensorflow.data.TextLineDataset":            linesOfTexts,
	"tensorflow.data.FixedLengthRecordDataset":   source,
	"tensorflow.data.experimental.load":          source,
	"tensorflow.data.experimental.from_list":     source,
	"tensorflow.data.experimental.Counter":       source,
	"tensorflow.data.experimental.RandomDataset": source,
	"tensorflow.data.experimental.SqlDataset":    source,

	"tensorflow.data.experimental.make_csv_dataset":              source,
	"tensorflow.data.experimental.make_batched_features_dataset": source,

	"tensorflow.data.experimental.CsvDataset": func(c *state.Call) value.Value { return lines(c.H, c.Args) },
	"tensorflow.data.Dataset.zip": func(c *state.Call) value.Value {
		v, _ := c.Args.Get(0, "datasets")
		if len(c.Args.Positional) > 1 {
			v = value.Value{X: value.Tuple(c.Args.Positional)}
		}
		return zipped(c.H, v, c.Args)
	},
	"tensorflow.data.Dataset.sample_from_datasets": mixed, "tensorflow.data.experimental.sample_from_datasets": mixed,
	"tensorflow.data.Dataset.choose_from_datasets": mixed, "tensorflow.data.experimental.choose_from_datasets": mixed,
	"tensorflow.keras.utils.split_dataset": splitDataset,
	"tensorflow.TensorSpec":                func(c *state.Call) value.Value { return spec(c.H, c.Args) },
	"tensorflow_datasets.load":             func(c *state.Call) value.Value { return loaded(c.H, c.Args) },
	"tensorflow_datasets.builder": func(c *state.Call) value.Value {
		name, _ := c.Args.Get(0, "name")
		return value.Value{X: &setBuilder{"a builder of a data set", c.H, name}}
	},
	"tensorflow_datasets.as_numpy": func(c *state.Call) value.Value {
		v, _ := c.Args.Get(0, "dataset")
		if !v.Known() {
			return value.Value{}
		}
		return v
	},
	"tensorflow.keras.utils.image_dataset_from_directory":         imagesInFolders,
	"tensorflow.keras.utils.text_dataset_from_directory":          textsInFolders,
	"tensorflow.keras.utils.audio_dataset_from_directory":         soundsInFolders,
	"tensorflow.keras.utils.timeseries_dataset_from_array":        func(c *state.Call) value.Value { return timeseries(c.H, c.Args) },
	"tensorflow.keras.preprocessing.sequence.TimeseriesGenerator": func(c *state.Call) value.Value { return windowed(c.H, c.Args) },
	"tensorflow.keras.preprocessing.image.ImageDataGenerator":     newImageGenerator,
	"tensorflow.keras.preprocessing.text.Tokenizer":               func(c *state.Call) value.Value { return newTokenizer(c.H, c.Args) },
}

// fromSlices is Dataset.from_tensor_slices.
func fromSlices(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "tensors")
	d := newSource(c.H, c.Args, nil)
	d.Own, d.sliced, d.form = false, true, v
	d.hold(v)
	for i, part := range Flat(v) {
		shape, t, ok := numpy.Of(part)
		if !ok && i >= features(v) {
			d.Elements = append(d.Elements, graph.Input{Why: objects.Because(part)})
			d.holdUnknown(objects.Because(part))
			continue
		}
		if !ok || len(shape) == 0 {
			d.Elements, d.Count, d.Why = nil, tensor.None, objects.Because(part)
			break
		}
		d.Elements = append(d.Elements, graph.Input{Shape: shape[1:], DType: t})
		d.Count = shape[0]
	}
	if d.Elements == nil {
		d.form = value.Value{}
	}
	return d.note()
}

// rangeOfNumbers is Dataset.range.
func rangeOfNumbers(c *state.Call) value.Value {
	d := newSource(c.H, c.Args, nil)
	d.Elements = []graph.Input{{Shape: tensor.Shape{}, DType: tensor.DType(tfdata.Sources[c.Name].Number)}}
	if n, ok := c.Args.Get(0, "start"); ok && len(c.Args.Positional) == 1 {
		if n, ok := n.Int(); ok {
			d.Count = max(n, 0)
		}
	}
	return d.note()
}

// source is a source whose row in tfdata says all that is known of it.
func source(c *state.Call) value.Value { return sourceOf(c).note() }

func sourceOf(c *state.Call) *Dataset {
	row := tfdata.Sources[c.Name]
	d := newSource(c.H, c.Args, value.Because(value.ArrayShape, "the elements of %s are not known", c.Name))
	if row.Number != "" {
		d.Elements, d.Why = []graph.Input{{Shape: tensor.Shape{}, DType: tensor.DType(row.Number)}}, nil
	}
	switch {
	case row.Batch != "":
		d.batchesOf(c.Name, c.Args)
	case row.Elements != tfdata.Single:
		d.Batched, d.Batch = true, c.H.Unknown(value.BatchSize, "whether %s has batches is not known", c.Name)
	}
	return d
}

// linesOfTexts is tf.data.TextLineDataset, which has as many elements as the files have lines, if these
// are not compressed (tensorflow/core/kernels/data/text_line_dataset_op.cc).
func linesOfTexts(c *state.Call) value.Value {
	d := sourceOf(c)
	d.Count = newlines(c)
	return d.note()
}

// newlines returns how many lines the files of a TextLineDataset have, None if that is not known.
func newlines(c *state.Call) (all int64) {
	if packed, given := c.Args.Get(1, "compression_type"); given && packed.X != (value.None{}) && packed.X != "" {
		return tensor.None
	}
	names, _ := c.Args.Get(0, "filenames")
	files, several := objects.Sequence(names)
	if !several {
		files = []value.Value{names}
	}
	for _, file := range files {
		named, ok := value.PathText(file)
		if !ok {
			return tensor.None
		}
		count, ok := c.In.Lines(named)
		if !ok {
			return tensor.None
		}
		all += count.Newlines
	}
	return all
}

// splitDataset is keras.utils.split_dataset: two datasets like the argument
// (keras/src/utils/dataset_utils.py).
func splitDataset(c *state.Call) value.Value {
	of, _ := c.Args.Get(0, "dataset")
	d, ok := of.X.(*Dataset)
	if !ok {
		return value.Value{}
	}
	part := *d
	part.Node, part.Held, part.Buffer, part.tells, part.Count, part.Most = c.Args.Node, nil, 0, nil, tensor.None, 0
	return value.Value{X: value.Tuple{part.note(), part.note()}}
}

func mixed(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "datasets")
	return mix(c.H, v, c.Args)
}

// asStep answers for a dataset method that is called as a function.
func asStep(c *state.Call) value.Value {
	if len(c.Args.Positional) == 0 {
		return value.Value{}
	}
	d, ok := c.Args.Positional[0].X.(*Dataset)
	if !ok {
		return value.Value{}
	}
	does, ok := d.GetAttr(c.In, c.Below("tensorflow.data.Dataset"))
	if !ok {
		return value.Value{}
	}
	rest := *c.Args
	rest.Positional = c.Args.Positional[1:]
	return interp.Call(c.In, does, &rest)
}

// lines creates the dataset of a CSV file's lines, with a number or a text in each field.
func lines(h *state.Host, args *value.Args) value.Value {
	d := newSource(h, args, nil)
	defaults, _ := args.Get(1, "record_defaults")
	fields, ok := objects.Sequence(defaults)
	if !ok {
		d.Why = value.Because(value.UnmodelledUse, "the fields of the lines are not known: %s", objects.Because(defaults))
		return d.note()
	}
	var form value.Tuple
	for _, field := range fields {
		t := numpy.FieldType(field)
		d.Elements, form = append(d.Elements, graph.Input{Shape: tensor.Shape{}, DType: t}), append(form, h.Arrays.Array(tensor.Shape{}, t))
	}
	d.form = value.Value{X: form}
	return d.note()
}

// fromTensors is Dataset.from_tensors. It has one element: a batch, if all parts have as many rows.
func fromTensors(h *state.Host, args *value.Args) value.Value {
	form, _ := args.Get(0, "tensors")
	d := newSource(h, args, nil)
	d.Own, d.form, d.Count = false, form, 1
	d.hold(form)
	for _, part := range Flat(form) {
		shape, t, ok := numpy.Of(part)
		if !ok {
			d.Elements, d.form, d.Why = nil, value.Value{}, objects.Because(part)
			d.Batched, d.Batch = true, h.Unknown(value.BatchSize, "the size of the one element is not known: %s", d.Why)
			return d.note()
		}
		d.Elements = append(d.Elements, graph.Input{Shape: shape, DType: t})
	}
	if n, ok := rowsIn(form); ok && n != tensor.None {
		d.Batched, d.Batch = true, value.Value{X: n}
		for i, e := range d.Elements {
			d.Elements[i].Shape = e.Shape[1:]
		}
	}
	return d.note()
}

// mix interleaves datasets.
func mix(h *state.Host, datasets value.Value, args *value.Args) value.Value {
	d := newSource(h, args, nil)
	parts, _ := objects.Sequence(datasets)
	for i, part := range parts {
		one, ok := part.X.(*Dataset)
		if ok {
			d.tensors = append(d.tensors, one.tensors...)
		}
		switch {
		case ok && i == 0:
			d.Dataset, d.form, d.Why = one.Dataset, one.form, one.Why
		case !ok || !d.like(one):
			d.Elements = nil
		}
	}
	if d.Elements == nil {
		d.forget(value.Because(value.ArrayShape, "datasets take turns that differ, or are not known"))
	}
	d.Node, d.Held, d.Buffer, d.Count = args.Node, nil, 0, tensor.None
	return d.note()
}

// zipped is Dataset.zip. Its examples consist of one example of each dataset, in the structure of
// the argument.
func zipped(h *state.Host, datasets value.Value, args *value.Args) value.Value {
	d := newSource(h, args, nil)
	i, why, inputs := 0, (*value.Cause)(nil), features(datasets)
	d.form = ops.Each(datasets, func(part value.Value) value.Value {
		p, ok := part.X.(*Dataset)
		if ok {
			d.tensors = append(d.tensors, p.tensors...)
		}
		switch {
		case why != nil:
		case (!ok || p.Elements == nil) && i > 0 && len(d.Elements) >= inputs:
			unknown := objects.Because(part)
			if ok {
				unknown = p.Why
			}
			d.Elements, d.Batches = append(d.Elements, graph.Input{Why: unknown}), append(d.Batches, d.Batch)
			return value.Value{}
		case !ok:
			why = value.Because(value.ArrayShape, "a dataset that is zipped is not known: %s", objects.Because(part))
		case p.Elements == nil:
			why = value.Because(value.ArrayShape, "a dataset that is zipped is not known: %s", p.Why)
		case len(d.Elements) > mostTensors:
			why = value.Because(value.TooLong, "an element of a dataset has too many tensors to follow")
		case i > 0 && p.Batched != d.Batched:
			why = value.Because(value.BatchSize, "one of the zipped datasets has batches, another has none")
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
		why = value.Because(value.MissingArgument, "no dataset is zipped")
	}
	if why != nil {
		d.forget(why)
	}
	d.Settle()
	return d.note()
}

// timeseries is timeseries_dataset_from_array: windows over the rows of an array
// (keras/src/utils/timeseries_dataset_utils.py).
func timeseries(h *state.Host, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	data, _ := args.Get(0, "data")
	d := newSource(h, args, numpy.Unknown(data).Cause())
	length := r.Number(2, "sequence_length", tensor.None)
	targets, given := args.Get(1, "targets")
	d.hold(data, targets)
	if shape, t, ok := numpy.Of(data); ok && len(shape) > 0 && r.Why == nil {
		d.Elements, d.Why = []graph.Input{{Shape: append(tensor.Shape{length}, shape[1:]...), DType: t}}, nil
		if shape, t, ok := numpy.Of(targets); ok && len(shape) > 0 {
			d.Elements = append(d.Elements, graph.Input{Shape: shape[1:], DType: t})
		} else if _, none := targets.X.(value.None); given && !none {
			d.Elements, d.Why = nil, numpy.Unknown(targets).Cause()
		}
	}
	d.batchesOf("tensorflow.keras.utils.timeseries_dataset_from_array", args)
	return d.note()
}

// windowed is a TimeseriesGenerator: batches of windows over the rows of an array, and of the row
// after each window in another array (keras/src/legacy/preprocessing/sequence.py).
func windowed(h *state.Host, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	data, _ := args.Get(0, "data")
	targets, _ := args.Get(1, "targets")
	length, every, stride := r.Number(2, "length", tensor.None), r.Number(3, "sampling_rate", 1), r.Number(4, "stride", 1)
	start, end := r.Number(5, "start_index", 0), r.Number(6, "end_index", tensor.None)
	shuffled := r.Bool(7, "shuffle", false) // it draws windows, however few there are
	d := newSource(h, args, r.Why)
	d.batches(args, 9, 128)
	d.tells = map[string]value.Value{}
	shape, t, ok := numpy.Of(data)
	of, t2, ok2 := numpy.Of(targets)
	switch {
	case r.Why != nil:
	case !ok || len(shape) == 0:
		d.Why = numpy.Unknown(data).Cause()
	case !ok2 || len(of) == 0:
		d.Why = numpy.Unknown(targets).Cause()
	case length < 1 || every < 1 || stride < 1:
		d.Why = value.Refused("windows have a length, and distances")
	default:
		window := append(tensor.Shape{(length-1)/every + 1}, shape[1:]...)
		d.Elements = []graph.Input{{Shape: window, DType: t}, {Shape: of[1:], DType: t2}}
		if end < 0 && shape[0] >= 0 {
			end = shape[0] - 1
		}
		if windows := (end - start - length + stride) / stride; end >= 0 && start >= 0 && !shuffled {
			d.Batch = graph.AtMost(d.Batch, windows)
		}
	}
	return d.handedOut("__getitem__")
}

// handedOut records batches that Keras's own generators return from the given methods.
func (d *Dataset) handedOut(by ...string) value.Value {
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
func (d *Dataset) GetItem(in *value.Interp, index value.Value) value.Value {
	if item, ok := d.tells["__getitem__"]; ok {
		return interp.Call(in, item, &value.Args{Positional: []value.Value{index}})
	}
	return d.Base.GetItem(in, index)
}
