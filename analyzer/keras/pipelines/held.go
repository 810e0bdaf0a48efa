package pipelines

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// hold makes the tensors of an array source: tf.convert_to_tensor of each part
// (tensorflow/python/data/util/structure.py, normalize_element).
func (d *Dataset) hold(parts ...value.Value) {
	name := d.Node.Child(syntax.FieldFunction).Text()
	name = name[strings.LastIndexByte(name, '.')+1:]
	for _, part := range parts {
		for _, x := range Flat(part) {
			switch x := x.X.(type) {
			case *numpy.Array:
				b := ops.Whole(d.h, x, d.Node)
				d.tensors = append(d.tensors, b)
				made := b != x.Buffer || b.Made.Valid() && b.Made.Within(d.Node)
				if term, ok := ops.DataTerm(b, "the array given to "+name+"()"); ok && made && b.On == numpy.OnDefault {
					d.Held = append(d.Held, term)
				}
			case *ops.Variable:
				d.tensors = append(d.tensors, x.Buffer)
			}
		}
	}
}

// holdUnknown makes the tensor of something of unknown size.
func (d *Dataset) holdUnknown(why *value.Cause) {
	b := d.h.Arrays.NewBuffer(nil, "", d.Node)
	b.Copied, b.Why = true, why
	d.tensors = append(d.tensors, b)
}

// Held returns the tensors that the device holds: those that names of the program stand for, the
// given values, and those that datasets among these were made of. Models hold their weights
// themselves. Whole tensors among batches are not counted: a step has them.
func Held(in *value.Interp, given, batches []value.Value) []graph.DataTerm {
	var out []graph.DataTerm
	seen := map[*numpy.Buffer]bool{}
	add := func(b *numpy.Buffer, w *graph.Weight) {
		if b == nil || seen[b] {
			return
		}
		seen[b] = true
		if term, ok := ops.DataTerm(b, ops.MadeBy(b.Made)); ok {
			term.Weight = w
			out = append(out, term)
		}
	}
	visit := func(v value.Value) {
		switch x := v.X.(type) {
		case *numpy.Array:
			add(x.Buffer, nil)
		case *ops.Variable:
			add(x.Buffer, x.Weight)
		case *Dataset:
			for _, b := range x.tensors {
				add(b, nil)
			}
		}
	}
	each := func(values []value.Value, do func(value.Value)) {
		for _, v := range values {
			ops.Each(v, func(x value.Value) value.Value {
				do(x)
				return x
			})
		}
	}
	each(batches, func(v value.Value) {
		if a, ok := v.X.(*numpy.Array); ok && a.Buffer != nil && slices.Equal(a.Shape, a.Buffer.Shape) {
			seen[a.Buffer] = true
		}
	})
	each(given, visit)
	in.Held(visit)
	at := func(t graph.DataTerm) int {
		if !t.Node.Valid() {
			return -1 // a value that Python itself makes has no place
		}
		return t.Node.Start()
	}
	slices.SortStableFunc(out, func(a, b graph.DataTerm) int { return at(a) - at(b) })
	return out
}
