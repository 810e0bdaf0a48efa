package models

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Use records a call of fit and its like.
func (v *ModelValue) Use(in *value.Interp, method string, args *value.Args) value.Value {
	h := v.H
	if told := observedModel(in, v, args); told != nil {
		return told.Use(in, method, args)
	}
	u := &graph.ModelCall{Method: method, Node: args.Node, Model: v.Model, Traced: in.ObservedStep(args.Node)}
	defer func() {
		lost := u.Data
		v.holds(in, u, args)
		u.Data = append(u.Data, lost...)
		h.Program.Use(h.Interp, u)
	}()
	if m := v.Model; m.Compiled != nil && (h.Eager && !m.Compiled.Eager || h.Undecided != nil && m.Compiled.Undecided == nil) {
		in.Touch(graph.ModelCompilation{Of: m})
		compiled := *m.Compiled
		compiled.Eager, compiled.Undecided = compiled.Eager || h.Eager, cmp.Or(compiled.Undecided, h.Undecided)
		m.Compiled = &compiled
	}
	data, given := args.Get(0, "x")
	if !given { // fit_generator and its like
		data, _ = args.Get(0, "generator")
	}
	targets, _ := args.Get(1, "y")
	data, targets = pipelines.InBatches(ops.AsArrays(data)), ops.AsArrays(targets)
	batch, several := pipelines.FirstBatch(in, data)
	if !says(batch) && !says(data) {
		if told, ok := observedBatch(h, in, args); ok {
			batch, several = told, true
		}
	}
	data = observedSizes(in, data, args)
	if several {
		return v.useBatch(in, u, batch, args)
	}
	if method == "fit" || method == "evaluate" || method == "predict" {
		position := map[string]int{"fit": 2, "evaluate": 2, "predict": 1}[method]
		if b, ok := args.Get(position, "batch_size"); ok {
			if _, none := b.X.(value.None); !none {
				u.Batch = b
			}
		}
	}
	if d, ok := data.X.(*pipelines.Dataset); ok {
		u.Batch, u.Source = d.Batch, d.Node
		if !d.Batched {
			u.Batch = h.Unknown(value.BatchSize, "the dataset makes no batches")
		}
		if d.Elements != nil && (v.Model.Class != "Sequential" || len(v.Model.Inputs) > 0 || d.Feeds() == 1) {
			u.Inputs = d.Elements[:min(len(d.Elements), max(len(v.Model.Inputs), 1))]
		}
	} else {
		if u.Batch.X == nil && (method == "fit" || method == "evaluate" || method == "predict") {
			// Keras's default, for arrays. Targets come with arrays; a dataset contains its own.
			u.Batch = value.Value{X: int64(32)}
			_, none := targets.X.(value.None)
			if (none || targets.X == nil) && !data.Known() && !numpy.IsUnknown(data) {
				u.Batch = h.Unknown(value.BatchSize, "the data may be batched already: %s", objects.Because(data))
			}
		}
		for _, part := range structured(data) {
			shape, d, ok := numpy.Of(part)
			if !ok || len(shape) == 0 {
				if len(u.Inputs) == 0 && u.Batch.Known() {
					u.Batch = graph.AtMost(u.Batch, rowsTaken(rowsOf(part), method, args))
				}
				u.Inputs = nil
				break
			}
			switch {
			case u.Batch.X == nil && shape[0] < 0:
				u.Batch = h.Unknown(value.BatchSize, "the size of the batches is not known")
			case u.Batch.X == nil:
				u.Batch = value.Value{X: shape[0]}
			}
			if len(u.Inputs) == 0 {
				u.Batch = graph.AtMost(u.Batch, rowsTaken(shape[0], method, args))
			}
			u.Inputs = append(u.Inputs, graph.Input{Shape: shape[1:], DType: d})
		}
		if method == "fit" || method == "evaluate" || method == "predict" {
			u.Arrays = wholeArrays(args, method)
		}
	}
	if u.Batch.X == nil {
		u.Batch = numpy.Reason(objects.Because(data)).Unknown()
	}
	if method == "train_on_batch" || method == "test_on_batch" {
		weights, _ := args.Get(2, "sample_weight")
		u.Batch = rowsOfAny(u.Batch, data, targets, weights)
	}
	if method == "fit" {
		u.Validation = v.validation(in, u, args)
	}
	v.feed(in, u, data, targets)
	v.compares(in, u, data, targets)
	if method == "fit" {
		v.refuses(u, data, targets, args)
	}
	if method == "predict" || method == "predict_on_batch" {
		if out, ok := v.predicted(data); ok {
			return out
		}
	}
	return h.Unknown(value.UnmodelledUse, "the result of %s is not followed", method)
}

// says reports whether the text says what data are: arrays of known ranks, or a dataset of such.
func says(data value.Value) bool {
	if d, ok := data.X.(*pipelines.Dataset); ok {
		return d.Elements != nil
	}
	for _, part := range structured(data) {
		if _, _, ok := numpy.Of(part); !ok {
			return false
		}
	}
	return data.X != nil
}

// structured returns the arrays of a model's data, whatever the model. A list of arrays is a
// structure of several; a list of numbers is one array
// (keras/src/trainers/data_adapters/array_slicing.py, convert_to_sliceable).
func structured(v value.Value) []value.Value {
	var items []value.Value
	switch x := v.X.(type) {
	case value.Tuple:
		items = x
	case *value.Dict:
		items = x.Values
	case *value.List:
		if x.Passes() || x.Open != nil || ofNumbers(v) {
			return []value.Value{v}
		}
		items = x.Items
	default:
		return []value.Value{v}
	}
	var out []value.Value
	for _, item := range items {
		out = append(out, structured(item)...)
	}
	return out
}

// rowsOfAny returns the size of one batch: if its first input does not tell, what comes with it
// does, for Keras refuses arrays of different lengths
// (keras/src/trainers/data_adapters/data_adapter_utils.py, check_data_cardinality).
func rowsOfAny(batch value.Value, parts ...value.Value) value.Value {
	if batch.Known() {
		return batch
	}
	for _, part := range parts {
		for _, array := range structured(part) {
			n := rowsOf(array)
			if n < 0 {
				continue
			}
			batch = value.Value{X: n}
			if a, ok := array.X.(*numpy.Array); ok {
				batch.Lit = a.Rows
			}
			return batch
		}
	}
	return batch
}

// rowsOf returns how many rows an array has, of which perhaps nothing else is known.
func rowsOf(v value.Value) int64 {
	if shape, _, ok := numpy.Of(v); ok && len(shape) > 0 {
		return shape[0]
	}
	if n := numpy.LengthOf(v); n > 0 {
		return n
	}
	return tensor.None
}

// rowsAmong returns how many rows the arrays of a structure have. A list of two arrays is two inputs,
// and no batch of two.
func rowsAmong(v value.Value) int64 {
	for _, part := range structured(v) {
		if n := rowsOf(part); n >= 0 {
			return n
		}
	}
	return tensor.None
}

// ofNumbers reports whether a list holds numbers or texts, perhaps in nested lists.
func ofNumbers(v value.Value) bool {
	l, ok := v.X.(*value.List)
	for ok && len(l.Items) > 0 {
		v = l.Items[0]
		l, ok = v.X.(*value.List)
	}
	switch v.X.(type) {
	case int64, float64, bool, string, *value.List:
		return true
	}
	return false
}

// predicted returns the predictions of a built model: as many rows as the data has.
func (v *ModelValue) predicted(data value.Value) (value.Value, bool) {
	rows := rowsAmong(data)
	if len(v.Model.Outputs) == 0 || len(v.Model.Outputs) > 1 && v.custom != nil && !v.custom.functional {
		return value.Value{}, false
	}
	var all value.Tuple
	for _, s := range v.Model.Outputs {
		if len(s.Shape) == 0 || s.Shape[0] >= 0 {
			return value.Value{}, false
		}
		all = append(all, v.H.Arrays.Array(s.Shape.With(0, rows), s.DType))
	}
	if len(all) == 1 {
		return v.arranged(all[0], true), true
	}
	return v.arranged(value.Value{X: all}, true), true
}

// rowsTaken returns how many of the rows a method uses. With validation_split, fit leaves the
// last ones out (keras/src/trainers/data_adapters/array_slicing.py, train_validation_split). It
// returns None if that is not known.
func rowsTaken(rows int64, method string, args *value.Args) int64 {
	split, given := args.Get(6, "validation_split")
	if method != "fit" || !given || rows < 0 {
		return rows
	}
	switch part := split.X.(type) {
	case float64:
		if 0 <= part && part < 1 {
			return int64(float64(rows) * (1 - part))
		}
	case int64:
		return rows // 0: anything else raises
	}
	return tensor.None
}

// feed builds an unbuilt model for the data of a call.
func (v *ModelValue) feed(in *value.Interp, u *graph.ModelCall, data, targets value.Value) {
	if m := v.Model; m.Class == "Sequential" && len(m.Inputs) == 0 {
		if len(u.Inputs) == 1 {
			m.Input(append(tensor.Shape{tensor.None}, u.Inputs[0].Shape...), "float32")
			m.Fed = true
		} else {
			m.Starved = cmp.Or(m.Starved, unshaped(u.Method, data))
		}
	}
	if v.custom != nil {
		trains := u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "fit_generator"
		own := trains && v.custom.defines(in, "train_step")
		if own { // Keras calls only the custom step, and its argument may be no batch
			v.custom.rehearse(in, u, data, targets)
		}
		if x, ok := batchOf(v.H, data); ok && !(own && v.Model.Built()) {
			if why := v.custom.feed(in, x); why != nil && !v.Model.Built() {
				v.custom.failed = why
			}
		}
		if trains && !own {
			v.custom.rehearse(in, u, data, targets)
		}
		if len(u.Inputs) != len(v.Model.Inputs) {
			u.Inputs = nil
		}
	}
}

// unshaped says why the data of a call has no known shape.
func unshaped(method string, data value.Value) *value.Cause {
	why := objects.Because(data)
	if d, ok := data.X.(*pipelines.Dataset); ok {
		why = d.WhyNotIter()
		if d.Elements != nil && d.Feeds() > 1 {
			why = value.Because(value.UnmodelledArgument, "a dataset of dictionaries feeds inputs by their names")
		}
	}
	return value.Because(value.ArrayShape, "the shape of the data passed to %s is not known: %s", method, numpy.Reason(why))
}

// wholeArrays returns the arrays of known shapes that a method splits into batches: the inputs
// and the targets.
func wholeArrays(args *value.Args, method string) []graph.Input {
	data, _ := args.Get(0, "x")
	out := arraysIn(ops.AsArrays(data))
	if method == "fit" || method == "evaluate" {
		labels, _ := args.Get(1, "y")
		out = append(out, arraysIn(ops.AsArrays(labels))...)
	}
	return out
}

// arraysIn returns the arrays in nested tuples, lists and dictionaries.
func arraysIn(v value.Value) []graph.Input {
	var out []graph.Input
	for _, part := range structured(v) {
		if a, ok := part.X.(*numpy.Array); ok && len(a.Shape) > 0 {
			out = append(out, graph.Input{Shape: a.Shape, DType: a.DType})
		}
	}
	return out
}

// batchOf returns the argument of the model's call for the data of fit: tensors of the shapes of
// a batch, in the structure of the data.
func batchOf(h *state.Host, data value.Value) (value.Value, bool) {
	if d, ok := data.X.(*pipelines.Dataset); ok {
		// The first item of a tuple is the features; targets and weights follow
		// (keras/src/trainers/data_adapters/data_adapter_utils.py, unpack_x_y_sample_weight).
		whole, ok := wholeElement(h, d)
		if pair, several := whole.X.(value.Tuple); several && ok {
			return pair[0], len(pair) <= 3
		}
		return whole, ok
	}
	found := false
	out := ops.Each(data, func(x value.Value) value.Value {
		a, ok := x.X.(*numpy.Array)
		if !ok || len(a.Shape) == 0 {
			return x
		}
		found = true
		d := a.DType
		if d == "float64" {
			d = "float32" // keras/src/trainers/data_adapters/array_slicing.py, convert_to_sliceable
		}
		return ops.InBatch(h, a.Shape[1:], d)
	})
	return out, found
}

// wholeElement returns tensors of the shapes and types of one batch of a dataset.
func wholeElement(h *state.Host, d *pipelines.Dataset) (value.Value, bool) {
	var parts []value.Value
	for _, e := range d.Elements {
		if e.Why != nil {
			parts = append(parts, e.Why.Unknown())
			continue
		}
		parts = append(parts, ops.InBatch(h, e.Shape, e.DType))
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.Arranged(parts), true
}

// useBatch records that a model is trained on, or run with, batches like the given one.
func (v *ModelValue) useBatch(in *value.Interp, u *graph.ModelCall, batch value.Value, args *value.Args) value.Value {
	features, targets := v.takes(u, batch)
	if u.Method == "fit" {
		u.Validation = v.validation(in, u, args)
	}
	v.feed(in, u, features, targets)
	v.compares(in, u, features, targets)
	return v.H.Unknown(value.UnmodelledUse, "the result of %s is not followed", u.Method)
}

// takes sets what a call is given, and how many rows, from its first batch. It returns the parts of
// the batch.
func (v *ModelValue) takes(u *graph.ModelCall, batch value.Value) (features, targets value.Value) {
	features = batch
	if parts, ok := batch.X.(value.Tuple); ok && len(parts) > 1 {
		features, targets = parts[0], parts[1]
	}
	u.Batch = v.H.Unknown(value.BatchSize, "the size of the batches is not known: %s", objects.Because(batch))
	for i, part := range pipelines.Flat(features) {
		shape, d, ok := numpy.Of(part)
		if !ok || len(shape) == 0 {
			u.Inputs = nil
			break
		}
		if i == 0 {
			u.Batch = value.Value{X: shape[0]}
			if a, ok := part.X.(*numpy.Array); ok {
				u.Batch.Lit = a.Rows
			}
			if shape[0] < 0 {
				u.Batch = v.H.Unknown(value.BatchSize, "the size of the batches is not known")
			}
		}
		u.Inputs = append(u.Inputs, graph.Input{Shape: shape[1:], DType: d})
	}
	u.Batch = rowsOfAny(u.Batch, batch)
	return features, targets
}
