package keras

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A ModelCall is a place where the program trains or runs a model.
type ModelCall struct {
	// Method is "fit", "evaluate", "predict", "train_on_batch"; "step" for a custom training
	// step.
	Method string
	Node   syntax.Node // the call; for a custom step the one that creates the tape
	Model  *Model
	// Batch is the batch size and the literal that it comes from. Its X is nil if none is given,
	// and an Unknown if it is not known.
	Batch value.Value
	// Inputs are the shapes of one batch, as far as the data gives them. The batch size itself is
	// Batch.
	Inputs []Input
	// Arrays are the arrays of known shapes that the call is passed as a whole.
	Arrays []Input

	// replicas is the number of replicas that share the batch of a custom step. It is 0 if apart
	// says why that is not known, and for steps that Keras runs.
	replicas int64
	apart    *value.Cause

	snapshot *trainableSnapshot // of a training by Keras
	then     *Model             // the model in that state; nil for other uses
}

// Trains reports whether the use trains its model.
func (u *ModelCall) Trains() bool {
	switch u.Method {
	case "evaluate", "predict", "test_on_batch", "predict_on_batch":
		return false
	}
	return true
}

// ModelAt returns the model at the time of the use. Later changes of trainable, or calls of
// compile, do not count.
func (u *ModelCall) ModelAt() *Model {
	if u.then != nil {
		return u.then
	}
	return u.Model
}

// BatchInputs returns the inputs of one batch of a given size: the model's own inputs, with their
// open dimensions from the data.
func (u *ModelCall) BatchInputs(batch int64) []Input {
	var out []Input
	inputs := u.Model.Inputs
	if u.Model.Own != nil {
		inputs = u.Model.Own.Inputs
	}
	for i, s := range inputs {
		shape := append(Shape(nil), s.Shape...)
		if shape[0] = batch; u.Model.Own != nil {
			shape[0] = u.Model.Own.Rows(i, batch)
		}
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

// use records a call of fit and its like.
func (v *modelValue) use(in *value.Interp, method string, args *value.Args) value.Value {
	h := v.h
	u := &ModelCall{Method: method, Node: args.Node, Model: v.model}
	defer h.note(u)
	if m := v.model; m.Compiled != nil && (h.eager && !m.Compiled.Eager || h.undecided != nil && m.Compiled.undecided == nil) {
		in.Touch(modelCompilation{m})
		compiled := *m.Compiled
		compiled.Eager, compiled.undecided = compiled.Eager || h.eager, cmp.Or(compiled.undecided, h.undecided)
		m.Compiled = &compiled
	}
	data, _ := args.Get(0, "x")
	targets, _ := args.Get(1, "y")
	data, targets = inBatches(asArrays(data)), asArrays(targets)
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
			u.Batch = h.unknown(value.BatchSize, "the dataset makes no batches")
		}
		if d.Elements != nil && (v.model.Class != "Sequential" || len(v.model.Inputs) > 0 || d.feeds() == 1) {
			u.Inputs = d.Elements[:min(len(d.Elements), max(len(v.model.Inputs), 1))]
		}
	} else {
		if u.Batch.X == nil && (method == "fit" || method == "evaluate" || method == "predict") {
			// Keras's default, for arrays. Targets come with arrays; a dataset contains its own.
			u.Batch = value.Value{X: int64(32)}
			_, none := targets.X.(value.None)
			if (none || targets.X == nil) && !data.Known() && !arrays.IsUnknown(data) {
				u.Batch = h.unknown(value.BatchSize, "the data may come in batches of their own: %s", objects.Because(data))
			}
		}
		for _, part := range structured(data) {
			shape, d, ok := arrays.Of(part)
			if !ok || len(shape) == 0 {
				u.Inputs = nil
				break
			}
			if u.Batch.X == nil {
				u.Batch = value.Value{X: shape[0]}
			}
			if len(u.Inputs) == 0 {
				u.Batch = atMost(u.Batch, rowsTaken(shape[0], method, args))
			}
			u.Inputs = append(u.Inputs, Input{shape[1:], d})
		}
		if method == "fit" || method == "evaluate" || method == "predict" {
			u.Arrays = wholeArrays(args, method)
		}
	}
	if u.Batch.X == nil {
		u.Batch = arrays.Reason(objects.Because(data)).Unknown()
	}
	v.feed(in, u, data, targets)
	if method == "fit" {
		v.compares(in, data, targets)
		v.refuses(u, data, targets, args)
	}
	if method == "predict" || method == "predict_on_batch" {
		if out, ok := v.predicted(data); ok {
			return out
		}
	}
	return h.unknown(value.UnmodelledUse, "the result of %s is not followed", method)
}

// structured returns the arrays of a model's data, whatever the model. A list of arrays is a
// structure of several; a list of numbers is one array
// (keras/src/trainers/data_adapters/array_slicing.py, convert_to_sliceable).
func structured(v value.Value) []value.Value {
	switch x := v.X.(type) {
	case value.Tuple:
		return structuredIn(x)
	case *value.Dict:
		return structuredIn(x.Values)
	case *value.List:
		if !x.Passes() && x.Open == nil && !ofNumbers(v) {
			return structuredIn(x.Items)
		}
	}
	return []value.Value{v}
}

func structuredIn(items []value.Value) (out []value.Value) {
	for _, item := range items {
		out = append(out, structured(item)...)
	}
	return out
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
func (v *modelValue) predicted(data value.Value) (value.Value, bool) {
	rows := None
	if shape, _, ok := arrays.Of(data); ok && len(shape) > 0 {
		rows = shape[0]
	}
	if len(v.model.Outputs) == 0 || len(v.model.Outputs) > 1 && v.custom != nil && !v.custom.functional {
		return value.Value{}, false
	}
	var all value.Tuple
	for _, s := range v.model.Outputs {
		if len(s.Shape) == 0 || s.Shape[0] >= 0 {
			return value.Value{}, false
		}
		all = append(all, v.h.newArray(s.Shape.With(0, rows), s.DType))
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
	return None
}

// atMost limits the batch size to the number of rows, if that is known.
func atMost(batch value.Value, rows int64) value.Value {
	if n, ok := batch.Int(); ok && 0 < rows && rows < n {
		batch.X = rows
	}
	return batch
}

// feed builds an unbuilt model for the data of a call.
func (v *modelValue) feed(in *value.Interp, u *ModelCall, data, targets value.Value) {
	if m := v.model; m.Class == "Sequential" && len(m.Inputs) == 0 {
		if len(u.Inputs) == 1 {
			m.input(append(Shape{None}, u.Inputs[0].Shape...), "float32")
			m.Fed = true
		} else {
			m.starved = cmp.Or(m.starved, unshaped(u.Method, data))
		}
	}
	if v.custom != nil {
		trains := u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "fit_generator"
		own := trains && v.custom.defines(in, "train_step")
		if own { // Keras calls only the custom step, and its argument may be no batch
			v.custom.rehearse(in, u, data, targets)
		}
		if x, ok := v.h.batchOf(data); ok && !(own && v.model.Built()) {
			if why := v.custom.feed(in, x); why != nil && !v.model.Built() {
				v.custom.failed = why
			}
		}
		if trains && !own {
			v.custom.rehearse(in, u, data, targets)
		}
		if len(u.Inputs) != len(v.model.Inputs) {
			u.Inputs = nil
		}
	}
}

// unshaped says why the data of a call has no known shape.
func unshaped(method string, data value.Value) *value.Cause {
	why := objects.Because(data)
	if d, ok := data.X.(*dataset); ok {
		why = d.WhyNotIter()
		if d.Elements != nil && d.feeds() > 1 {
			why = value.Because(value.UnmodelledArgument, "a dataset of dictionaries feeds inputs by their names")
		}
	}
	return value.Because(value.ArrayShape, "that of the data that %s is given is not: %s", method, arrays.Reason(why))
}

// wholeArrays returns the arrays of known shapes that a method splits into batches: the inputs
// and the targets.
func wholeArrays(args *value.Args, method string) []Input {
	data, _ := args.Get(0, "x")
	out := arraysIn(asArrays(data))
	if method == "fit" || method == "evaluate" {
		labels, _ := args.Get(1, "y")
		out = append(out, arraysIn(asArrays(labels))...)
	}
	return out
}

// arraysIn returns the arrays in nested tuples, lists and dictionaries.
func arraysIn(v value.Value) []Input {
	var out []Input
	for _, part := range structured(v) {
		if a, ok := part.X.(*array); ok && len(a.Shape) > 0 {
			out = append(out, Input{a.Shape, a.DType})
		}
	}
	return out
}

// batchOf returns the argument of the model's call for the data of fit: tensors of the shapes of
// a batch, in the structure of the data.
func (h *host) batchOf(data value.Value) (value.Value, bool) {
	if d, ok := data.X.(*dataset); ok {
		// The first item of a tuple is the features; targets and weights follow
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
		if !ok || len(a.Shape) == 0 {
			return x
		}
		found = true
		d := a.DType
		if d == "float64" {
			d = "float32" // keras/src/trainers/data_adapters/array_slicing.py, convert_to_sliceable
		}
		return h.inBatch(a.Shape[1:], d)
	})
	return out, found
}

// wholeElement returns tensors of the shapes and types of one batch of a dataset.
func (h *host) wholeElement(d *dataset) (value.Value, bool) {
	var parts []value.Value
	for _, e := range d.Elements {
		parts = append(parts, h.inBatch(e.Shape, e.DType))
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.arranged(parts), true
}

// inBatch returns a tensor of a batch with a shape and a type.
func (h *host) inBatch(shape Shape, d DType) value.Value {
	return h.tensor(&Symbolic{Shape: append(Shape{None}, shape...), DType: d})
}

// used identifies a use of a model.
type used struct {
	node  syntax.Node
	model *Model
	batch int64
}

// note records a use of the program, unless an earlier iteration of a loop needs as much.
func (h *host) note(u *ModelCall) {
	h.phased(u)
	batch, _ := u.Batch.Int()
	key := used{u.Node, u.Model, batch}
	for _, before := range h.used[key] {
		if before.covers(u.snapshot) {
			return
		}
	}
	h.used[key] = append(h.used[key], u.snapshot)
	h.program.Uses = append(h.program.Uses, u)
}
