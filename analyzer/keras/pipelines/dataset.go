package pipelines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Dataset is a tf.data pipeline during evaluation.
type Dataset struct {
	value.Base
	graph.Dataset
	h   *state.Host
	Why *value.Cause // why the elements are not known
	// form is the structure of an example with any value in place of each element: a tuple, a
	// dictionary, or nested ones; nothing for a tuple of all elements.
	form value.Value
	// windows are the datasets that each element consists of after window, in the structure of an
	// element; nothing if elements are tensors. windowed is set if what counts as a batch is such
	// a window.
	windows  value.Value
	windowed bool
	// unshaped is an element whose arrays have known types and unknown shapes, if that is all that is
	// known of it.
	unshaped value.Value
	// tensors are the memory of those that it was made of, which live as long as it.
	tensors []*numpy.Buffer
	// shuffled is set after a shuffle, and sliced while the elements are rows of an array.
	shuffled, sliced bool
	// tells holds attributes of datasets that are read from folders. Later steps drop them.
	tells map[string]value.Value
}

// newSource creates a dataset with unknown elements, given the reason.
func newSource(h *state.Host, args *value.Args, why *value.Cause) *Dataset {
	return &Dataset{Base: "a dataset", h: h, Why: why, Dataset: graph.Dataset{Node: args.Node, Count: tensor.None, Own: true}}
}

// note adds a dataset to the program's list, once for each place and state.
func (d *Dataset) note() value.Value {
	tooDeep := slices.ContainsFunc(d.Elements, func(e graph.Input) bool { return len(e.Shape) > tensor.MostDimensions })
	if len(d.Elements) > mostTensors || tooDeep || !d.h.Interp.Followable(d.form) {
		d.forget(value.Because(value.ArrayShape, "an element of a dataset has too many tensors to follow"))
	}
	d.h.Program.Dataset(d.Dataset, fmt.Sprint(d.Elements, d.Batched, d.Batch.X, d.Count, d.Held, d.Buffer))
	return value.Value{X: d}
}

// InBatches returns data as a model takes it. Keras batches no dataset, so without a batching
// step each element counts as a batch (keras/src/trainers/data_adapters/tf_dataset_adapter.py),
// if all of its tensors have as many rows.
func InBatches(data value.Value) value.Value {
	d, ok := data.X.(*Dataset)
	if !ok || d.Batched || d.windows.X != nil || len(d.Elements) == 0 {
		return data
	}
	batches := *d
	batches.Elements = nil
	for _, e := range d.Elements {
		if len(e.Shape) == 0 || e.Shape[0] != d.Elements[0].Shape[0] {
			return data
		}
		batches.Elements = append(batches.Elements, graph.Input{Shape: e.Shape[1:], DType: e.DType})
	}
	batches.Batched, batches.Batch = true, value.Value{X: d.Elements[0].Shape[0]}
	if d.Elements[0].Shape[0] < 0 {
		batches.Batch = d.h.Unknown(value.RowCount, "the number of rows of a dataset's elements is not known")
	}
	return value.Value{X: &batches}
}

// batches sets the batch size from an argument; None means no batches.
func (d *Dataset) batches(args *value.Args, position int, fallback int64) {
	d.Batched, d.Batch = true, value.Value{X: fallback}
	if b, ok := args.Get(position, "batch_size"); ok {
		d.Batch = b
		if _, none := b.X.(value.None); none {
			d.Batched, d.Batch = false, value.Value{}
		}
	}
}

// batchesOf sets the batch size as a source does.
func (d *Dataset) batchesOf(source string, args *value.Args) {
	s := tfdata.Sources[source]
	d.batches(args, s.Position, s.Default)
}

// batchOf returns the batch of an element.
func (d *Dataset) batchOf(i int) *value.Value {
	if i < len(d.Batches) {
		return &d.Batches[i]
	}
	return &d.Batch
}

// rows returns the number of rows in an element's batch, or None.
func (d *Dataset) rows(i int) int64 {
	if n, ok := d.batchOf(i).Int(); ok {
		return n
	}
	return tensor.None
}

// formed returns the structure of an example, with nothing in place of each element.
func (d *Dataset) formed() value.Value {
	if d.form.X != nil {
		return d.form
	}
	if len(d.Elements) == 1 {
		return value.Value{}
	}
	return value.Value{X: make(value.Tuple, len(d.Elements))}
}

// Feeds returns how many tensors of an element a model gets: all in the first item of a tuple, or
// all of the element (keras/src/trainers/data_adapters/data_adapter_utils.py,
// unpack_x_y_sample_weight).
func (d *Dataset) Feeds() int {
	features := d.formed()
	if parts, ok := features.X.(value.Tuple); ok && len(parts) > 0 {
		features = parts[0]
	}
	return len(Flat(features))
}

// features returns how many leaves of a structure are a model's inputs: those of the first item of
// several. The others are targets and weights.
func features(form value.Value) int {
	if parts, ok := form.X.(value.Tuple); ok && len(parts) > 1 {
		form = parts[0]
	}
	return len(Flat(form))
}

// Arranged puts parts, one for each element, into the structure of an example.
func (d *Dataset) Arranged(parts []value.Value) value.Value {
	i := -1
	return eachElement(d.formed(), func(value.Value) value.Value {
		i++
		return parts[min(i, len(parts)-1)]
	})
}

// eachElement is each, except that a list is one element, as in tf.data.
func eachElement(v value.Value, replace func(value.Value) value.Value) value.Value {
	return ops.Replaced(v, false, replace)
}

// fewer returns the smaller of two numbers of elements, or None.
func fewer(a, b int64) int64 {
	if a < 0 || b < 0 {
		return tensor.None
	}
	return min(a, b)
}

// Flat returns the leaves of nested tuples, lists and dictionaries. A list of numbers is a leaf.
func Flat(v value.Value) []value.Value {
	var items []value.Value
	switch x := v.X.(type) {
	case value.Tuple:
		items = x
	case *value.Dict:
		items = x.Values
	default:
		return []value.Value{v}
	}
	var out []value.Value
	for _, i := range items {
		out = append(out, Flat(i)...)
	}
	return out
}

// mostTensors bounds the tensors of an element.
const mostTensors = 1000

// mostTaken bounds the elements that a loop over a dataset iterates over.
const mostTaken = 16

// Iter returns the elements if they are few, as after data.take(1).
func (d *Dataset) Iter(in *value.Interp) ([]value.Value, bool) {
	d.reads(in)
	n := d.Count
	if n < 0 && d.Most > 0 {
		n = d.Most // assume that the dataset has as many as are taken
	}
	item, ok := d.element()
	if _, endless := d.tells["__next__"]; endless || !ok || n < 0 || n > mostTaken {
		return nil, false
	}
	items := make([]value.Value, n)
	for i := range items {
		items[i] = item
	}
	return items, true
}

// Len is len(d).
func (d *Dataset) Len(*value.Interp) value.Value {
	if d.Count < 0 {
		return value.Value{}
	}
	return value.Value{X: d.Count}
}

// Counted implements [interp.Counted].
func (d *Dataset) Counted() (n int64, ok bool) { return d.Count, d.Count >= 0 }

// WhyLacking says why the elements are not known.
func (d *Dataset) WhyLacking() *value.Cause { return d.Why }

// WhyNotIter says why it is not known what a loop over it iterates over.
func (d *Dataset) WhyNotIter() *value.Cause {
	switch {
	case d.Why != nil:
		return d.Why
	case d.Elements == nil:
		return value.Because(value.ArrayShape, "the elements of a dataset are not known")
	case d.Count == tensor.None:
		return value.Because(value.RowCount, "the number of elements of a dataset is not known")
	}
	return value.Because(value.UndecidedLoop, "a dataset of %d elements", d.Count)
}

// Sample returns an element: a dataset that is looped over is assumed to have one.
func (d *Dataset) Sample(in *value.Interp) (item value.Value, first bool) {
	d.reads(in)
	item, ok := d.element()
	return item, ok && d.Count != 0
}

// InstanceOf recognises datasets. A generator of images is not one of TensorFlow's.
func (d *Dataset) InstanceOf(class string) (truth, known bool) {
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
func (d *Dataset) spec() value.Value {
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
func (d *Dataset) element() (value.Value, bool) {
	var parts value.Tuple
	for i, e := range d.Elements {
		if e.Why != nil {
			parts = append(parts, e.Why.Unknown())
			continue
		}
		shape := e.Shape
		if d.Batched {
			shape = append(tensor.Shape{d.rows(i)}, shape...)
		}
		part := d.h.Arrays.Array(shape, e.DType)
		a := part.X.(*numpy.Array)
		a.Tensor, a.Buffer = true, &numpy.Buffer{Shape: shape, DType: e.DType, Passing: true}
		if a.Made = d.Node; d.Batched {
			a.Batch = d.batchOf(i)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return value.Value{}, false
	}
	return d.Arranged(parts), true
}

func (d *Dataset) Bool(*value.Interp) (truth, known bool) { return true, true }

// Rows returns how many rows the batches have together, at most, or None.
func (d *Dataset) Rows() int64 {
	if d.Count < 0 || !d.Batched {
		return d.Count
	}
	if n, ok := d.Batch.Int(); ok && n > 0 {
		return d.Count * n
	}
	return tensor.None
}
