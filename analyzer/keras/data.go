package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/tfdata"
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
	// most is the upper limit that take sets on the number of elements, if Count is not known.
	most int64
	// Held are the arrays that an array source holds as a whole.
	Held []Input
	// Buffer is the buffer size of a shuffle, or 0. Own is set if the buffered elements have
	// memory of their own, rather than in the arrays of the source or in a cache.
	Buffer int64
	Own    bool
}

// A dataset is a tf.data pipeline during evaluation.
type dataset struct {
	base
	Dataset
	h   *host
	why *value.Cause // why the elements are not known
	// form is the structure of an example with any value in place of each element: a tuple, a
	// dictionary, or nested ones; nothing for a tuple of all elements.
	form value.Value
	// windows are the datasets that each element consists of after window, in the structure of an
	// element; nothing if elements are tensors. windowed is set if what counts as a batch is such
	// a window.
	windows  value.Value
	windowed bool
	// tells holds attributes of datasets that are read from folders. Later steps drop them.
	tells map[string]value.Value
}

// source creates a dataset with unknown elements, given the reason.
func (h *host) source(args *value.Args, why *value.Cause) *dataset {
	return &dataset{base: "a dataset", h: h, why: why, Dataset: Dataset{Node: args.Node, Count: None, Own: true}}
}

// note adds a dataset to the program's list, once for each place and state.
func (d *dataset) note() value.Value {
	tooDeep := slices.ContainsFunc(d.Elements, func(e Input) bool { return len(e.Shape) > tensor.MostDimensions })
	if len(d.Elements) > mostTensors || tooDeep || !d.h.interp.Followable(d.form) {
		d.forget(value.Because(value.ArrayShape, "an element of it is made of more tensors than can be followed"))
	}
	key := noted{d.Node, fmt.Sprint(d.Elements, d.Batched, d.Batch.X, d.Count, d.Held, d.Buffer)}
	if d.Node.Valid() && !d.h.noted[key] {
		d.h.noted[key] = true
		of := d.Dataset
		d.h.program.Datasets = append(d.h.program.Datasets, &of)
	}
	return value.Value{X: d}
}

// inBatches returns data as a model takes it. Keras batches no dataset, so without a batching
// step each element counts as a batch (keras/src/trainers/data_adapters/tf_dataset_adapter.py),
// if all of its tensors have as many rows.
func inBatches(data value.Value) value.Value {
	d, ok := data.X.(*dataset)
	if !ok || d.Batched || d.windows.X != nil || len(d.Elements) == 0 {
		return data
	}
	batches := *d
	batches.Elements = nil
	for _, e := range d.Elements {
		if len(e.Shape) == 0 || e.Shape[0] != d.Elements[0].Shape[0] {
			return data
		}
		batches.Elements = append(batches.Elements, Input{e.Shape[1:], e.DType})
	}
	batches.Batched, batches.Batch = true, value.Value{X: d.Elements[0].Shape[0]}
	if d.Elements[0].Shape[0] < 0 {
		batches.Batch = d.h.unknown(value.RowCount, "how many rows the elements of a dataset have is not known")
	}
	return value.Value{X: &batches}
}

// A noted identifies a dataset at a place.
type noted struct {
	node syntax.Node
	is   string
}

// batches sets the batch size from an argument; None means no batches.
func (d *dataset) batches(args *value.Args, position int, fallback int64) {
	d.Batched, d.Batch = true, value.Value{X: fallback}
	if b, ok := args.Get(position, "batch_size"); ok {
		d.Batch = b
		if _, none := b.X.(value.None); none {
			d.Batched, d.Batch = false, value.Value{}
		}
	}
}

// batchesOf sets the batch size as a source does.
func (d *dataset) batchesOf(source string, args *value.Args) {
	s := tfdata.Sources[source]
	d.batches(args, s.Position, s.Default)
}

// batchOf returns the batch of an element.
func (d *dataset) batchOf(i int) *value.Value {
	if i < len(d.Batches) {
		return &d.Batches[i]
	}
	return &d.Batch
}

// rows returns the number of rows in an element's batch, or None.
func (d *dataset) rows(i int) int64 {
	if n, ok := d.batchOf(i).Int(); ok {
		return n
	}
	return None
}

// formed returns the structure of an example, with nothing in place of each element.
func (d *dataset) formed() value.Value {
	if d.form.X != nil {
		return d.form
	}
	if len(d.Elements) == 1 {
		return value.Value{}
	}
	return value.Value{X: make(value.Tuple, len(d.Elements))}
}

// feeds returns how many tensors of an element a model gets: all in the first item of a tuple, or
// all of the element (keras/src/trainers/data_adapters/data_adapter_utils.py,
// unpack_x_y_sample_weight).
func (d *dataset) feeds() int {
	features := d.formed()
	if parts, ok := features.X.(value.Tuple); ok && len(parts) > 0 {
		features = parts[0]
	}
	return len(flat(features))
}

// arranged puts parts, one for each element, into the structure of an example.
func (d *dataset) arranged(parts []value.Value) value.Value {
	i := -1
	return eachElement(d.formed(), func(value.Value) value.Value {
		i++
		return parts[min(i, len(parts)-1)]
	})
}

// eachElement is each, except that a list is one element, as in tf.data.
func eachElement(v value.Value, replace func(value.Value) value.Value) value.Value {
	return replaced(v, false, replace)
}

// fewer returns the smaller of two numbers of elements, or None.
func fewer(a, b int64) int64 {
	if a < 0 || b < 0 {
		return None
	}
	return min(a, b)
}

// flat returns the leaves of nested tuples, lists and dictionaries. A list of numbers is a leaf.
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

// mostTensors bounds the tensors of an element.
const mostTensors = 1000

// mostTaken bounds the elements that a loop over a dataset iterates over.
const mostTaken = 16

// Iter returns the elements if they are few, as after data.take(1).
func (d *dataset) Iter(*value.Interp) ([]value.Value, bool) {
	n := d.Count
	if n < 0 && d.most > 0 {
		n = d.most // assume that the dataset has as many as are taken
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

// WhyLacking says why the elements are not known.
func (d *dataset) WhyLacking() *value.Cause { return d.why }

// WhyNotIter says why it is not known what a loop over it iterates over.
func (d *dataset) WhyNotIter() *value.Cause {
	switch {
	case d.why != nil:
		return d.why
	case d.Elements == nil:
		return value.Because(value.ArrayShape, "the elements of a dataset are not known")
	case d.Count == None:
		return value.Because(value.RowCount, "how many elements a dataset has is not known")
	}
	return value.Because(value.UndecidedLoop, "a dataset of %d elements", d.Count)
}

// Sample returns an element: a dataset that is looped over is assumed to have one.
func (d *dataset) Sample(*value.Interp) (item value.Value, first bool) {
	item, ok := d.element()
	return item, ok && d.Count != 0
}

// InstanceOf recognises datasets. A generator of images is not one of TensorFlow's.
func (d *dataset) InstanceOf(class string) (truth, known bool) {
	library, _, _ := strings.Cut(class, ".")
	switch {
	case strings.HasSuffix(class, ".Iterable"):
		return true, true
	case class == "tensorflow.data.Dataset":
		return true, d.tells["__getitem__"].X == nil
	case library == "tensorflow":
		return false, class == "tensorflow.Tensor"
	}
	return false, true // types of Python, NumPy or pandas
}

// spec returns element_spec, here arrays with the shapes and types of an element. tf.data leaves
// the batch size open, because the last batch may be smaller.
func (d *dataset) spec() value.Value {
	open := *d
	if open.Batched {
		open.Batch, open.Batches = value.Value{}, nil
	}
	if spec, ok := open.element(); ok {
		return spec
	}
	return d.WhyNotIter().Unknown()
}

// element returns one element: an array, or a tuple of them.
func (d *dataset) element() (value.Value, bool) {
	var parts value.Tuple
	for i, e := range d.Elements {
		shape := e.Shape
		if d.Batched {
			shape = append(Shape{d.rows(i)}, shape...)
		}
		part := d.h.newArray(shape, e.DType)
		a := part.X.(*array)
		if a.Tensor = true; d.Batched {
			a.Batch = d.batchOf(i)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.arranged(parts), true
}
