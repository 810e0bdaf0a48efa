package pipelines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/analyzer/value"
)

func (d *Dataset) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	step := StepOf(name)
	if step == nil {
		v, ok := d.tells[name]
		if c, folders := v.X.(*graph.FolderClasses); folders && name == "num_classes" {
			return c.Len(in), true
		}
		if name == "element_spec" {
			return d.spec(), true
		}
		if ok || name == "class_names" { // the result of a step has no class_names
			return v, ok
		}
		return d.Base.GetAttr(in, name)
	}
	return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
		out := *d
		out.Node, out.Held, out.Buffer, out.tells = args.Node, nil, 0, nil
		switch name {
		case "map", "prefetch", "cache", "shuffle", "batch":
		default:
			out.Most = 0
		}
		step(&out, in, args)
		out.takes(name, d, args)
		return out.note()
	})
}

// A step changes a dataset as a call of a method does.
type step func(d *Dataset, in *value.Interp, args *value.Args)

// StepOf returns the change that a dataset method makes to a copy of the dataset, or nil. The
// methods that it does not name do what their row says.
func StepOf(name string) step {
	m, ok := tfdata.Methods[name]
	if !ok {
		return nil
	}
	switch name {
	case "apply":
		return (*Dataset).applied
	case "assert_cardinality":
		return (*Dataset).counted
	case "batch":
		return (*Dataset).batch
	case "cache":
		return (*Dataset).cache
	case "concatenate":
		return (*Dataset).concatenate
	case "enumerate":
		return (*Dataset).enumerate
	case "flat_map", "interleave":
		return (*Dataset).flattened
	case "map":
		return (*Dataset).mapped
	case "padded_batch":
		return (*Dataset).paddedBatch
	case "ragged_batch":
		return (*Dataset).raggedBatch
	case "rebatch":
		return (*Dataset).rebatched
	case "repeat":
		return (*Dataset).repeat
	case "shuffle":
		return (*Dataset).shuffle
	case "skip":
		return (*Dataset).skip
	case "take":
		return (*Dataset).take
	case "unbatch":
		return (*Dataset).unbatch
	case "window":
		return (*Dataset).window
	}
	switch {
	case m.Replaces || m.Change != tfdata.Keeps && m.Change != tfdata.Iterates:
		return func(d *Dataset, _ *value.Interp, _ *value.Args) {
			d.forget(value.Because(value.ArrayShape, "the elements that %s makes are not known", name))
		}
	case m.Recounts:
		return func(d *Dataset, _ *value.Interp, _ *value.Args) { d.Count = tensor.None }
	}
	return func(*Dataset, *value.Interp, *value.Args) {}
}

// transformation returns the function that apply calls.
func transformation(c *state.Call) value.Value {
	t, _, ok := tfdata.TransformationOf(c.Name)
	if !ok {
		return value.Value{}
	}
	given := &value.Args{Open: c.Args.Open}
	for i, name := range strings.Fields(t.Parameters) {
		if v, ok := c.Args.Get(i, name); ok {
			given.Keywords.Put(name, v)
		}
	}
	if t.Drops {
		given.Keywords.Put("drop_remainder", value.Value{X: true})
	}
	made := func(in *value.Interp, call *value.Args) value.Value {
		made, _ := call.Get(0, "dataset")
		for i, name := range t.Methods {
			d, ok := made.X.(*Dataset)
			if !ok {
				break
			}
			method, _ := d.GetAttr(in, name)
			step := *given
			if step.Node = c.Args.Node; i == len(t.Methods)-1 {
				step.Node = call.Node
			}
			made = interp.Call(in, method, &step)
		}
		return made
	}
	return value.Value{X: value.Method(made)}
}

// forget drops what is known of the elements.
func (d *Dataset) forget(why *value.Cause) {
	d.Elements, d.Count, d.Why, d.Own, d.form, d.Batches = nil, tensor.None, why, true, value.Value{}, nil
	d.Batched, d.Batch = true, why.Unknown()
}

// cache keeps the elements in host memory, unless it gets a file name. A later shuffle buffer
// shares them.
func (d *Dataset) cache(_ *value.Interp, args *value.Args) {
	if _, given := args.Get(0, "filename"); !given {
		d.Own, d.sliced = false, false
	}
}

func (d *Dataset) shuffle(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "buffer_size")
	d.Buffer, _ = size.Int()
}

func (d *Dataset) repeat(_ *value.Interp, args *value.Args) {
	times, _ := args.Get(0, "count")
	if n, ok := times.Int(); ok && n >= 0 && d.Count >= 0 && n < 1<<30 {
		d.Count *= n
		return
	}
	d.Count = tensor.None
}

func (d *Dataset) take(_ *value.Interp, args *value.Args) {
	count, _ := args.Get(0, "count")
	if n, ok := count.Int(); ok && n >= 0 && d.Count >= 0 {
		d.Count = min(d.Count, n)
	} else if ok && n >= 0 {
		d.Most = n
	} else if !ok {
		d.Count = tensor.None
	}
}

// counted is assert_cardinality: the run ends if there are fewer or more elements.
func (d *Dataset) counted(_ *value.Interp, args *value.Args) {
	count, _ := args.Get(0, "expected_cardinality")
	n, ok := count.Int()
	if d.Count = n; !ok || n < 0 {
		d.Count = tensor.None
	}
}

func (d *Dataset) skip(_ *value.Interp, args *value.Args) {
	count, _ := args.Get(0, "count")
	if n, ok := count.Int(); ok && n >= 0 && d.Count >= 0 {
		d.Count = max(d.Count-n, 0)
		return
	}
	d.Count = tensor.None
}

// unite makes elements of what were batches, because they are batched again. A generator may have
// meant that anyway: the first dimension of its elements is open.
func (d *Dataset) unite() {
	if !d.Batched {
		return
	}
	whole := make([]graph.Input, len(d.Elements))
	for i, e := range d.Elements {
		if whole[i] = e; e.Why == nil {
			whole[i].Shape = append(tensor.Shape{d.rows(i)}, e.Shape...)
		}
	}
	if d.Elements != nil {
		d.Elements = whole
	}
	d.Batched, d.Batch, d.Batches = false, value.Value{}, nil
}

func (d *Dataset) batch(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "batch_size")
	n, ok := size.Int()
	d.unite()
	drop, _ := args.Get(1, "drop_remainder")
	switch {
	case ok && n > 0 && d.Count < 0 && d.Most > 0 && (drop.X == nil || drop.X == false):
		size = graph.AtMost(size, d.Most)
		d.Most = (d.Most + n - 1) / n
	case !ok || n < 1 || d.Count < 0:
		d.Count, d.Most = tensor.None, 0
	case drop.X == true:
		d.Count /= n
	case drop.X == nil || drop.X == false:
		size = graph.AtMost(size, d.Count)
		d.Count = (d.Count + n - 1) / n
	default:
		d.Count = tensor.None
	}
	d.Batched, d.Batch, d.Own, d.windowed = true, size, true, false
}

func (d *Dataset) paddedBatch(in *value.Interp, args *value.Args) {
	d.unite()
	if to, given := args.Get(1, "padded_shapes"); given && to.X != (value.None{}) {
		d.pad(to)
	}
	d.batch(in, &value.Args{Positional: args.Positional[:min(len(args.Positional), 1)], Keywords: args.Keywords, Node: args.Node})
}

// pad pads the tensors of an element to the given shapes. Open dimensions are padded to the
// longest of a batch, which is known if all are as long
// (tensorflow/python/data/ops/padded_batch_op.py).
func (d *Dataset) pad(to value.Value) {
	shapes, ok := upTo(d.formed(), to)
	if ok = ok && len(shapes) == len(d.Elements); ok {
		d.Elements = slices.Clone(d.Elements)
	}
	for i := 0; ok && i < len(shapes); i++ {
		if d.Elements[i].Why != nil {
			continue
		}
		was := d.Elements[i].Shape
		var shape tensor.Shape
		if shape, ok = objects.Dims(shapes[i]); !ok || len(shape) != len(was) {
			ok = false
			break
		}
		for j, n := range shape {
			if n < 0 {
				shape[j] = was[j]
			}
		}
		d.Elements[i].Shape = shape
	}
	if !ok {
		d.Elements, d.Why = nil, value.Because(value.ArrayShape, "the shapes it pads to are not known")
	}
}

// upTo returns the parts of a value at the leaves of a structure, in order. ok is false if the
// value has another structure.
func upTo(structure, v value.Value) (parts []value.Value, ok bool) {
	switch form := structure.X.(type) {
	case value.Tuple:
		items, isSequence := objects.Sequence(v)
		if !isSequence || len(items) != len(form) {
			return nil, false
		}
		for i, inner := range form {
			more, ok := upTo(inner, items[i])
			if !ok {
				return nil, false
			}
			parts = append(parts, more...)
		}
		return parts, true
	case *value.Dict:
		given, isDict := v.X.(*value.Dict)
		if !isDict {
			return nil, false
		}
		for i, key := range form.Keys {
			name, _ := key.X.(string)
			item, there := given.Get(name)
			more, ok := upTo(form.Values[i], item)
			if !there || !ok {
				return nil, false
			}
			parts = append(parts, more...)
		}
		return parts, true
	}
	return []value.Value{v}, true
}

func (d *Dataset) unbatch(*value.Interp, *value.Args) {
	if !d.Batched {
		d.Elements, d.Why = nil, value.Because(value.ArrayShape, "a dataset without batches is unbatched")
	}
	n, ok := d.Batch.Int()
	if d.Count = tensor.None; ok && n < 0 {
		d.Elements = nil
	}
	d.Batched, d.Batch, d.Batches = false, value.Value{}, nil
}

func (d *Dataset) enumerate(*value.Interp, *value.Args) {
	if d.Elements != nil {
		d.form = value.Value{X: value.Tuple{{}, d.formed()}}
		d.Elements = append([]graph.Input{{Shape: tensor.Shape{}, DType: "int64"}}, d.Elements...)
		if d.Batches != nil {
			d.Batches = append([]value.Value{d.Batch}, d.Batches...)
		}
	}
}

// looks returns the elements and their batches as a text.
func (d *Dataset) looks() string {
	var batches []any
	for i := range d.Elements {
		batches = append(batches, d.batchOf(i).X)
	}
	return fmt.Sprint(d.Elements, d.Batched, batches)
}

// like reports whether the elements of two datasets are known to have the same shapes.
func (d *Dataset) like(other *Dataset) bool {
	return d.Elements != nil && other.Elements != nil && d.looks() == other.looks()
}

func (d *Dataset) concatenate(_ *value.Interp, args *value.Args) {
	v, _ := args.Get(0, "dataset")
	other, ok := v.X.(*Dataset)
	if ok {
		d.tensors = slices.Concat(d.tensors, other.tensors)
	}
	if !ok || !d.like(other) {
		d.forget(value.Because(value.ArrayShape, "the dataset that is concatenated differs, or is not known"))
		return
	}
	if d.Own = d.Own || other.Own; d.Count >= 0 && other.Count >= 0 {
		d.Count += other.Count
		return
	}
	d.Count = tensor.None
}

// rebatched regroups batches.
func (d *Dataset) rebatched(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "batch_size")
	if !d.Batched {
		d.forget(value.Because(value.BatchSize, "the dataset that is rebatched has no batches"))
		return
	}
	if _, ok := size.Int(); !ok {
		size = d.h.Unknown(value.BatchSize, "batches of several sizes take turns, or none is known: %s", objects.Because(size))
	}
	d.Batch, d.Batches, d.Count, d.Own = size, nil, tensor.None, true
}

// raggedBatch is batch if all examples have one shape. Otherwise its batches are ragged
// (tensorflow/python/data/ops/ragged_batch_op.py).
func (d *Dataset) raggedBatch(in *value.Interp, args *value.Args) {
	for _, e := range d.Elements {
		if _, ok := e.Shape.Elements(); !ok {
			d.Elements, d.Why = nil, value.Because(value.BatchSize, "the batches of a dataset are ragged")
			break
		}
	}
	d.batch(in, args)
}

// applied replaces the dataset by the result of a function.
func (d *Dataset) applied(in *value.Interp, args *value.Args) {
	f, _ := args.Get(0, "transformation_func")
	before := *d
	made := interp.Call(in, f, &value.Args{Positional: []value.Value{{X: &before}}, Node: args.Node})
	if out, ok := made.X.(*Dataset); ok {
		node := d.Node
		*d = *out
		d.Node = node
		return
	}
	d.forget(value.Because(value.ArrayShape, "the elements that apply makes are not known"))
}

// flattened concatenates the datasets that a function returns for each element.
func (d *Dataset) flattened(in *value.Interp, args *value.Args) {
	made, ok := d.call(in, args)
	if out, is := made.X.(*Dataset); ok && is && out.Why == nil && out.Elements != nil {
		d.windowed, d.windows = d.windows.X != nil, value.Value{}
		d.Elements, d.form, d.Batched, d.Batch, d.Batches, d.Count, d.Own, d.Why = out.Elements, out.form, out.Batched, out.Batch, out.Batches, tensor.None, true, nil
		return
	}
	d.forget(value.Because(value.ArrayShape, "the elements that flat_map or interleave makes are not known"))
}

// call evaluates the function given to map and similar steps on an element.
func (d *Dataset) call(in *value.Interp, args *value.Args) (value.Value, bool) {
	f, given := args.Get(0, "map_func")
	item, ok := d.element()
	switch {
	case d.windows.X != nil:
		item, ok = d.windows, true
	case !ok && d.unshaped.X != nil: // what the function crops is one example
		item, ok = d.unshaped, true
		d.Batched, d.Batch = false, value.Value{}
	}
	if !given || !ok {
		return value.Value{}, false
	}
	parts := []value.Value{item}
	if several, ok := item.X.(value.Tuple); ok {
		parts = several
	}
	return interp.Call(in, f, &value.Args{Positional: parts, Node: args.Node}), true
}

// window groups consecutive elements into one dataset each, or into one for each of their parts
// (tensorflow/python/data/ops/dataset_ops.py, window).
func (d *Dataset) window(_ *value.Interp, args *value.Args) {
	size, _ := args.Get(0, "size")
	n, ok := size.Int()
	of := *d
	elements, why := d.Elements, d.Why
	const notKnown = "the elements that window makes are not known"
	d.forget(value.Because(value.ArrayShape, notKnown))
	if elements == nil || !ok || n < 1 {
		if elements == nil && why != nil {
			d.Why = value.Because(value.ArrayShape, "%s: %s", notKnown, why)
		}
		return
	}
	parts := make([]value.Value, len(elements))
	for i, e := range elements {
		part := of
		part.Elements, part.form, part.Count = []graph.Input{e}, value.Value{}, n
		parts[i] = value.Value{X: &part}
	}
	if !of.Batched {
		d.windows = of.Arranged(parts)
	}
}

// mapped evaluates map's function on an element. If the function changes the batch size, for
// instance by concatenating two batches, the new size counts.
func (d *Dataset) mapped(in *value.Interp, args *value.Args) {
	d.Own = true
	form, ok := d.call(in, args)
	d.windows, d.unshaped = value.Value{}, value.Value{}
	if !ok {
		return
	}
	batch, known := d.Batch.Int()
	if n, ok := rowsIn(form); d.Batches != nil {
		d.regroup(form)
	} else if d.Batched && known && ok && n != batch {
		if n == tensor.None {
			d.Batch = d.h.Unknown(value.BatchSize, "map makes batches of several sizes")
		} else {
			d.Batch = value.Value{X: n}
		}
	}
	if d.windowed && d.uneven(form) { // past and future steps: each is an example
		d.Batched, d.Batch = false, value.Value{}
	}
	const notKnown = "the elements that map makes are not known"
	d.Elements, d.Why, d.form = nil, value.Because(value.ArrayShape, notKnown), value.Value{}
	var elements []graph.Input
	for i, part := range Flat(form) {
		shape, t, ok := numpy.Of(part)
		if !ok && i >= features(form) {
			elements = append(elements, graph.Input{Why: objects.Because(part)})
			continue
		}
		if !ok || d.Batched && (len(shape) == 0 || shape[0] != d.rows(i)) {
			if why := objects.Because(part); !ok && part.Cause() != nil {
				d.Why = value.Because(value.ArrayShape, "%s: %s", notKnown, why)
			}
			return
		}
		if d.Batched {
			shape = shape[1:]
		}
		elements = append(elements, graph.Input{Shape: shape, DType: t})
	}
	d.Elements, d.Why, d.form = elements, nil, form
}

// regroup finds the batch sizes after map if the elements had different ones. An array with as
// many rows as one of them has that batch; all arrays may have the same now.
func (d *Dataset) regroup(form value.Value) {
	was := d.Batches
	d.Batches = nil
	for _, part := range Flat(form) {
		batch := d.h.Unknown(value.BatchSize, "map makes batches of several sizes")
		if shape, _, ok := numpy.Of(part); ok && len(shape) > 0 && shape[0] >= 0 {
			batch = value.Value{X: shape[0]}
		}
		rows, known := batch.Int()
		for _, before := range was {
			if n, ok := before.Int(); known && ok && n == rows {
				batch = before
				break
			}
		}
		d.Batches = append(d.Batches, batch)
	}
	d.Settle()
}

// Settle makes the first batch size that of the dataset, and forgets the others unless they are
// known to differ.
func (d *Dataset) Settle() {
	if len(d.Batches) == 0 {
		return
	}
	d.Batch = d.Batches[0]
	n, known := d.Batch.Int()
	for _, other := range d.Batches {
		if m, ok := other.Int(); known && ok && m != n {
			return
		}
	}
	d.Batches = nil
}

// uneven reports whether arrays in a structure differ in their first dimension.
func (d *Dataset) uneven(form value.Value) bool {
	rows := tensor.None
	for i, part := range Flat(form) {
		shape, _, ok := numpy.Of(part)
		switch {
		case !ok:
			return false
		case len(shape) == 0:
			return true
		case i > 0 && shape[0] != rows:
			return true
		}
		rows = shape[0]
	}
	return false
}

// rowsIn returns the first dimension of all arrays in a structure: None if they differ. ok is
// false if one of them is unknown.
func rowsIn(form value.Value) (n int64, ok bool) {
	for i, part := range Flat(form) {
		shape, _, known := numpy.Of(part)
		switch {
		case !known || len(shape) == 0 || shape[0] < 0:
			return 0, false
		case i == 0:
			n = shape[0]
		case n != shape[0]:
			n = tensor.None
		}
	}
	return n, true
}
