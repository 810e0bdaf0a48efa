package pipelines

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Observed returns a dataset of which only what a run told is known; nothing if that is not what its
// elements are. They are batches if their first dimensions are open, as batch leaves them.
func Observed(h *state.Host, at syntax.Node, said *observed.Value) value.Value {
	elements, form, ok := elementsOf(said.Spec)
	if !ok {
		return value.Value{}
	}
	d := newSource(h, &value.Args{Node: at}, nil)
	d.Count = countOf(said)
	if batched(elements) {
		d.Batched, d.Batch = true, unknownBatch(h)
		strip(elements)
	}
	d.Elements, d.form = elements, form
	return d.note()
}

// Observed adds what a run told of a dataset to what is known. changed is set if that is more.
func (d *Dataset) Observed(said *observed.Value) (out value.Value, changed bool) {
	elements, form, ok := elementsOf(said.Spec)
	told := *d
	if d.Count < 0 && countOf(said) >= 0 {
		told.Count, changed = countOf(said), true
	}
	if d.Elements == nil && ok && d.windows.X == nil {
		if told.Batched {
			if n := rowsAll(elements); !told.Batch.Known() && n > 0 {
				told.Batch = value.Value{X: n}
			}
			if strip(elements) {
				told.Elements, told.form, told.Why, told.unshaped, changed = elements, form, nil, value.Value{}, true
			}
		} else {
			told.Elements, told.form, told.Why, told.unshaped, changed = elements, form, nil, value.Value{}, true
			if batched(elements) {
				told.Batched, told.Batch = true, unknownBatch(d.h)
				strip(elements)
			}
		}
	}
	if d.Elements != nil && ok {
		if sized, more := told.sized(elements); more {
			told.Elements, changed = sized, true
		}
	}
	if !changed {
		return value.Value{X: d}, false
	}
	return told.note(), true
}

// Sized returns the dataset with the sizes of a batch that a run had, where the text leaves them open.
func (d *Dataset) Sized(said *observed.Spec) (out value.Value, changed bool) {
	elements, _, ok := elementsOf(said)
	if !ok {
		return value.Value{X: d}, false
	}
	told := *d
	if told.Elements, changed = d.sized(elements); !changed {
		return value.Value{X: d}, false
	}
	return told.note(), true
}

// sized returns the elements with the open dimensions that others have, which are batches if those of
// the dataset are. It changes nothing if the others are of other shapes.
func (d *Dataset) sized(others []graph.Input) (elements []graph.Input, changed bool) {
	if len(others) != len(d.Elements) {
		return d.Elements, false
	}
	elements = slices.Clone(d.Elements)
	for i, e := range elements {
		shape := others[i].Shape
		if d.Batched && len(shape) > 0 {
			shape = shape[1:]
		}
		if e.Why != nil {
			elements[i], changed = graph.Input{Shape: shape, DType: others[i].DType}, true
			continue
		}
		full, more, ok := completed(e.Shape, shape)
		if !ok {
			return d.Elements, false
		}
		elements[i].Shape, changed = full, changed || more
	}
	return elements, changed
}

// completed returns a shape with its open dimensions from another, and whether that is more. ok is
// false if they contradict each other.
func completed(shape, from tensor.Shape) (full tensor.Shape, more, ok bool) {
	if len(shape) != len(from) {
		return shape, false, false
	}
	full = slices.Clone(shape)
	for i, n := range from {
		switch {
		case n == tensor.None || n == full[i]:
		case full[i] != tensor.None:
			return shape, false, false
		default:
			full[i], more = n, true
		}
	}
	return full, more, true
}

// Hinted returns the dataset with what a person says of its shape: of a batch where it makes batches.
// That holds for all of its tensors that may have it, such as words and their mask. wrong is why it
// cannot be so, a sentence.
func (d *Dataset) Hinted(h *hints.Hint) (said value.Value, wrong string) {
	switch {
	case h.Kind != hints.Shape:
		return value.Value{X: d}, "It is a dataset, of which only the shape can be said."
	case len(d.Elements) == 0:
		return value.Value{X: d}, "It is a dataset whose tensors are not known."
	}
	told, fits := *d, false
	told.Elements = slices.Clone(d.Elements)
	var shapes []string
	for i, e := range d.Elements {
		if e.Why != nil {
			continue
		}
		shape := e.Shape
		if d.Batched {
			shape = append(tensor.Shape{d.rows(i)}, shape...)
		}
		shapes = append(shapes, shape.String())
		full, _, ok := completed(shape, h.Shape)
		if !ok {
			continue
		}
		fits = true
		if d.Batched {
			if n := full[0]; n > 0 && !d.batchOf(i).Known() && len(d.Batches) == 0 {
				told.Batch = value.Value{X: n}
			}
			full = full[1:]
		}
		told.Elements[i].Shape = full
	}
	if !fits {
		return value.Value{X: d}, "The program makes it a dataset of " + strings.Join(shapes, ", ") + "."
	}
	return told.note(), ""
}

// BatchOf returns a batch that a run told of: arrays in its structure.
func BatchOf(h *state.Host, said *observed.Spec) (value.Value, bool) {
	elements, form, ok := elementsOf(said)
	if !ok {
		return value.Value{}, false
	}
	d := Dataset{h: h, form: form}
	d.Elements, d.Count = elements, tensor.None
	return d.element()
}

// unknownBatch is the size of the batches of a dataset whose spec leaves it open.
func unknownBatch(h *state.Host) value.Value {
	return h.Unknown(value.BatchSize, "the size of the batches of a dataset that a run had is not known")
}

func countOf(said *observed.Value) int64 {
	if said.Length == nil {
		return tensor.None
	}
	return *said.Length
}

// batched reports whether the first dimensions of elements are open.
func batched(elements []graph.Input) bool {
	return !slices.ContainsFunc(elements, func(e graph.Input) bool { return len(e.Shape) == 0 || e.Shape[0] != tensor.None })
}

// rowsAll returns how many rows all elements have, or None.
func rowsAll(elements []graph.Input) int64 {
	rows := tensor.None
	for i, e := range elements {
		if len(e.Shape) == 0 || i > 0 && e.Shape[0] != rows {
			return tensor.None
		}
		rows = e.Shape[0]
	}
	return rows
}

// strip removes the batch from the shapes of elements, if all have one.
func strip(elements []graph.Input) bool {
	for _, e := range elements {
		if len(e.Shape) == 0 {
			return false
		}
	}
	for i, e := range elements {
		elements[i].Shape = e.Shape[1:]
	}
	return true
}

// elementsOf returns the tensors of a spec, and its structure; ok is false if their shapes are not known.
func elementsOf(s *observed.Spec) (elements []graph.Input, form value.Value, ok bool) {
	ok = s != nil
	var walk func(s *observed.Spec) value.Value
	walk = func(s *observed.Spec) value.Value {
		switch {
		case s == nil || !ok:
			ok = false
		case s.Kind == observed.Tensor && s.Shape != nil && len(*s.Shape) <= tensor.MostDimensions:
			elements = append(elements, graph.Input{Shape: append(tensor.Shape{}, *s.Shape...), DType: tensor.DType(s.DType)})
			return value.Value{}
		case s.Kind == observed.Tuple:
			parts := value.Tuple{}
			for _, item := range s.Items.List {
				if item != nil && item.Kind == observed.None { // no targets, no weights
					continue
				}
				parts = append(parts, walk(item))
			}
			return value.Value{X: parts}
		case s.Kind == observed.Mapping:
			d := &value.Dict{}
			for _, name := range slices.Sorted(maps.Keys(s.Items.Named)) {
				d.Put(value.Value{X: name}, walk(s.Items.Named[name]))
			}
			return value.Value{X: d}
		default:
			ok = false
		}
		return value.Value{}
	}
	form = walk(s)
	if len(elements) == 0 || len(elements) > mostTensors {
		return nil, value.Value{}, false
	}
	return elements, form, ok
}
