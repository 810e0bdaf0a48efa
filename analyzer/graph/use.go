package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Dataset is the output of one step of a tf.data pipeline, as it was evaluated there.
type Dataset struct {
	Node syntax.Node // the call of the source or the step
	// Elements are the tensors of one example, features first, without the batch; nil if they are
	// not known.
	Elements []Input
	// Batched reports whether examples come in batches, and Batch is their size: an Unknown if it
	// is unknown, none if there are no batches.
	Batched bool
	Batch   value.Value
	// Batches holds the batch size of each element when zipped datasets differ (Batches[0] ==
	// Batch); otherwise nil.
	Batches []value.Value
	// Count is the number of elements, or None.
	Count int64
	// Most is the upper limit that take sets on the number of elements, if Count is not known.
	Most int64
	// Held are the arrays that an array source copies to the device as a whole.
	Held []DataTerm
	// Buffer is the buffer size of a shuffle, or 0. Own is set if the buffered elements have
	// memory of their own, rather than in the arrays of the source or in a cache.
	Buffer int64
	Own    bool
	// Host is the memory of the machine that its steps take while it is read.
	Host []*HostTerm
}

// FolderClasses are the class names of a folder, or the class numbers by name.
type FolderClasses struct{ objects.Counted }

func (c *FolderClasses) Iter(*value.Interp) ([]value.Value, bool) {
	return slices.Repeat([]value.Value{c.Unknown("the name of one of ")}, int(c.Count())), true
}

func (c *FolderClasses) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "keys":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iter(in)
			return value.Value{X: &value.List{Items: names}}
		})
	case "values":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.List{Items: objects.NumbersTo(c.Count())}}
		})
	case "items":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iter(in)
			for i, name := range names {
				names[i].X = value.Tuple{name, {X: int64(i)}}
			}
			return value.Value{X: &value.List{Items: names}}
		})
	}
	return c.Unknown("a use of "), true
}

// A ModelCall is a place where the program trains or runs a model.
type ModelCall struct {
	// Method is "fit", "evaluate", "predict", "train_on_batch"; "step" for a custom training
	// step; "validate" for what fit does between epochs.
	Method string
	Node   syntax.Node // the call; for a custom step the one that creates the tape
	Model  *Model
	// Led is the call of the program's own file that leads to this one in another module, unless that
	// module alone shows what it trains. None otherwise.
	Led syntax.Node
	// Batch is the batch size and the literal that it comes from. Its X is nil if none is given,
	// and an Unknown if it is not known.
	Batch value.Value
	// Inputs are the shapes of one batch, as far as the data gives them. The batch size itself is
	// Batch.
	Inputs []Input
	// Source is the call that makes the dataset that the batches come from; none if that is not known.
	Source syntax.Node
	// Arrays are the arrays of known shapes that the call is passed as a whole.
	Arrays []Input
	// Data is what lies on the device beside the steps of the call. Copied are those of its arrays
	// that it puts there.
	Data, Copied []DataTerm
	// Validation is how fit runs the model on its validation data; nil if it does not. It is no use
	// of the program's own.
	Validation *ModelCall

	// Replicas is the number of replicas that share the batch of a custom step. It is 0 if apart
	// says why that is not known, and for steps that Keras runs.
	Replicas int64
	Apart    *value.Cause

	// Within is what the loops around the call give to their names in its iteration.
	Within []value.Setting

	// Traced is its step as a run traced it; nil for none.
	Traced *observed.Step

	Snapshot *TrainableSnapshot // of a training by Keras
	then     *Model             // the model in that state; nil for other uses
}

// Leads sets the call of the program's own file that leads to this one, if any. Where such calls make
// the models, and hand over nothing, the other module shows all of it.
func (u *ModelCall) Leads(call syntax.Node, models ...*Model) {
	alone := !call.Child(syntax.FieldArguments).FirstChild().Valid() && !slices.ContainsFunc(models, func(m *Model) bool { return m.Led != call })
	if alone {
		return
	}
	u.Led = call
	if u.Validation != nil {
		u.Validation.Led = call
	}
}

// Trains reports whether the use trains its model.
func (u *ModelCall) Trains() bool {
	switch u.Method {
	case "evaluate", "predict", "test_on_batch", "predict_on_batch", "validate":
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
		shape := append(tensor.Shape(nil), s.Shape...)
		if len(shape) == 0 { // the model was built by one example, without a batch
			out = append(out, Input{Shape: shape, DType: s.DType})
			continue
		}
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
		out = append(out, Input{Shape: shape, DType: d})
	}
	return out
}

// AtMost limits the batch size to the number of rows, if that is known.
func AtMost(batch value.Value, rows int64) value.Value {
	if n, ok := batch.Int(); ok && 0 < rows && rows < n {
		batch.X = rows
	}
	return batch
}

// Used identifies a use of a model.
type Used struct {
	Node  syntax.Node
	Model *Model
	Batch int64
}

// Replicas returns the number of replicas that share the batches of fit, or why it is not known.
func (m *Model) Replicas() (n int64, why *value.Cause) { return m.ReplicaCount, m.Apart }

// Distributed reports whether the model is created under a strategy, or may be.
func (m *Model) Distributed() bool { return m.IsDistributed }

// Shared returns the number of replicas that share a batch, or why it is not known.
func (u *ModelCall) Shared() (n int64, why *value.Cause) {
	if u.Method == "step" {
		return u.Replicas, u.Apart
	}
	return u.Model.Replicas()
}

// A DataTerm is memory on the device that holds data beside a step: an array that the program puts
// there, or a copy that Keras makes of it.
type DataTerm struct {
	// What says what it is: "the array given to fit". Node is where it comes from.
	What string
	Node syntax.Node
	// Bytes do not depend on the batch. PerExample is what each example of a batch adds.
	Bytes, PerExample int64
	// Joined is what predict makes of them once its last step has ended.
	Joined int64
	// Unknown says why the size is not known; nil if it is. Bytes and PerExample count all the same.
	Unknown *value.Cause
	// Copied is set for an array that a dataset or a method of Keras copies whole.
	Copied bool
	// Cast is set if Keras makes an array of another type first, in the machine's own memory.
	Cast bool
	// Weight is that of a variable of the program's own, which a step may count among its weights.
	Weight *Weight
}

// Open reports whether the term has memory that is not counted.
func (t DataTerm) Open() bool { return t.Unknown != nil }

// DataBytes returns what the terms take beside a batch of a given size.
func DataBytes(terms []DataTerm, batch int64) (n int64) {
	for _, t := range terms {
		n += t.Bytes + t.PerExample*batch
	}
	return n
}
