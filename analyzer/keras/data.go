package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Dataset is what a tf.data pipeline hands out after one of its steps, as it
// was evaluated there.
type Dataset struct {
	Node syntax.Node // the call of the source or the step
	// Elements are the tensors of one example, features first, without the batch;
	// nil where they are not known.
	Elements []Input
	// Batched reports whether examples come in batches, and Batch is their size: an Unknown
	// if it is unknown, none if there are no batches.
	Batched bool
	Batch   value.Value
	// Batches holds the batch size of each element when zipped datasets differ (Batches[0]
	// == Batch); otherwise nil.
	Batches []value.Value
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
	// windows are, in the structure of an element, the datasets that it is after window; nothing
	// for elements of tensors. Windowed tells that what counts as a batch is such a window.
	windows  value.Value
	windowed bool
	// tells are attributes of what is read from folders, which no step behind it has.
	tells map[string]value.Value
}

// source makes a dataset of which nothing is known, with the reason.
func (h *host) source(args *value.Args, why string) *dataset {
	return &dataset{base: "a dataset", h: h, why: why, Dataset: Dataset{Node: args.Node, Count: None, Own: true}}
}

// note adds a dataset to the program's, once for what it is at its place.
func (d *dataset) note() value.Value {
	tooDeep := slices.ContainsFunc(d.Elements, func(e Input) bool { return len(e.Shape) > tensor.MostDimensions })
	if len(d.Elements) > mostTensors || tooDeep || !d.h.interp.Followable(d.form) {
		d.forget("an element of it is made of more tensors than can be followed")
	}
	key := noted{d.Node, fmt.Sprint(d.Elements, d.Batched, d.Batch.X, d.Count, d.Held, d.Buffer)}
	if d.Node.Valid() && !d.h.noted[key] {
		d.h.noted[key] = true
		of := d.Dataset
		d.h.program.Datasets = append(d.h.program.Datasets, &of)
	}
	return value.Value{X: d}
}

// inBatches is data as a model takes it: of a dataset without a step that makes batches, each
// element is one, since Keras makes none of them
// (keras/src/trainers/data_adapters/tf_dataset_adapter.py), if all tensors of it have as many
// rows.
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
		batches.Batch = d.h.unknown("how many rows the elements of a dataset have is not known")
	}
	return value.Value{X: &batches}
}

// noted tells datasets apart.
type noted struct {
	node syntax.Node
	is   string
}

// batches sets the batch size from an argument; without batches for None.
func (d *dataset) batches(args *value.Args, position int, fallback int64) {
	d.Batched, d.Batch = true, value.Value{X: fallback}
	if b, ok := args.Get(position, "batch_size"); ok {
		d.Batch = b
		if _, none := b.X.(value.None); none {
			d.Batched, d.Batch = false, value.Value{}
		}
	}
}

// batchOf is the batch of an element.
func (d *dataset) batchOf(i int) *value.Value {
	if i < len(d.Batches) {
		return &d.Batches[i]
	}
	return &d.Batch
}

// rows is how many rows a batch of an element has, or None.
func (d *dataset) rows(i int) int64 {
	if n, ok := d.batchOf(i).Int(); ok {
		return n
	}
	return None
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

// feeds is how many tensors of an element are given to a model: all of what stands first in a
// tuple, or of the whole (keras/src/trainers/data_adapters/data_adapter_utils.py,
// unpack_x_y_sample_weight).
func (d *dataset) feeds() int {
	features := d.formed()
	if parts, ok := features.X.(value.Tuple); ok && len(parts) > 0 {
		features = parts[0]
	}
	return len(flat(features))
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

// fewer is the smaller of two numbers of elements, or None.
func fewer(a, b int64) int64 {
	if a < 0 || b < 0 {
		return None
	}
	return min(a, b)
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

// mostTensors is of how many tensors an element may be made.
const mostTensors = 1000

// mostTaken bounds the elements that a loop over a dataset goes through.
const mostTaken = 16

// Iterate is the elements, if they are few: those of data.take(1).
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

// First is the first element: a dataset that a loop runs over is meant to hold one.
func (d *dataset) First(*value.Interp) (value.Value, bool) {
	if d.Count == 0 {
		return value.Value{}, false
	}
	return d.element()
}

// IsInstance tells datasets from all else; a generator of images is none of TensorFlow's.
func (d *dataset) IsInstance(class string) (truth, known bool) {
	library, _, _ := strings.Cut(class, ".")
	switch {
	case strings.HasSuffix(class, ".Iterable"):
		return true, true
	case class == "tensorflow.data.Dataset":
		return true, d.tells["__getitem__"].X == nil
	case library == "tensorflow":
		return false, class == "tensorflow.Tensor"
	}
	return false, true // of Python's, NumPy's or pandas'
}

// spec is element_spec, here arrays of the shapes and types of an element. tf.data leaves the
// batch open, as the last may be smaller.
func (d *dataset) spec() value.Value {
	open := *d
	if open.Batched {
		open.Batch, open.Batches = value.Value{}, nil
	}
	if spec, ok := open.element(); ok {
		return spec
	}
	return d.h.unknown("%s", d.WhyNoItems())
}

// element is one element: an array, or a tuple of them.
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
