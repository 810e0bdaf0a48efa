package arrays

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Index is a[i], a[lo:hi], a[..., None] and tuples of them.
func (a *Array) Index(in *value.Interp, index value.Value) value.Value {
	if part, ok := a.at(in, index); ok {
		return part.scalar()
	}
	if _, one := index.X.(int64); one && len(a.Shape) == 1 && a.known() != nil {
		return in.Index(value.Value{X: value.Tuple(a.known())}, index) // beyond its end
	}
	shape, err := Indexed(a.Shape, index)
	if err != nil {
		return objects.Unknown("%s", err)
	}
	if of := a.labels(); !of.hot && takesAll(a.Shape, index, shape) {
		return a.lib.labelled(shape, a.DType, of)
	}
	return a.lib.Array(shape, a.DType)
}

// at is what an index takes of an array whose numbers are known: numbers, slices,
// ..., None, and one array or list of places. ok is false where the index is
// another, or beyond the array.
func (a *Array) at(in *value.Interp, index value.Value) (*Array, bool) {
	parts, given := indexParts(index)
	if a.known() == nil || given > len(a.Shape) {
		return nil, false
	}
	type span struct {
		stride int64
		places []int64
	}
	var (
		shape   tensor.Shape // of the result
		taken   []span
		start   int64 // the place that whole numbers lead to
		strides = a.Shape.Strides()
		next    = 0 // dimension of a
		listed  = false
	)
	through := func(places []int64) {
		taken = append(taken, span{strides[next], places})
		next++
	}
	for i := 0; i <= len(parts); i++ {
		var p value.Value
		if i < len(parts) {
			p = parts[i]
		} else {
			p.X = value.Ellipsis{} // what is not named is taken whole
		}
		switch x := p.X.(type) {
		case value.None:
			shape = append(shape, 1)
		case value.Ellipsis:
			for range len(a.Shape) - next - namedBy(parts[min(i+1, len(parts)):]) {
				shape = append(shape, a.Shape[next])
				through(upTo(a.Shape[next]))
			}
		case int64:
			if x < 0 {
				x += a.Shape[next]
			}
			if x < 0 || x >= a.Shape[next] {
				return nil, false
			}
			start += x * strides[next]
			next++
		case value.Slice:
			places, ok := sliceOf(a.Shape[next], x)
			if !ok {
				return nil, false
			}
			shape = append(shape, int64(len(places)))
			through(places)
		default:
			list := a.lib.asArray(in, p)
			if list == nil || listed || list.known() == nil || list.DType.Floating() || list.DType == "bool" {
				return nil, false
			}
			places := slices.Clone(wholeNumbers(list.known()))
			for i := range places {
				if places[i] < 0 {
					places[i] += a.Shape[next]
				}
				if places[i] < 0 || places[i] >= a.Shape[next] {
					return nil, false
				}
			}
			listed = true
			shape = append(shape, list.Shape...)
			through(places)
		}
	}
	flat := make(tensor.Shape, len(taken))
	for i, d := range taken {
		flat[i] = int64(len(d.places))
	}
	return a.picked(flat, func(at []int64) int64 {
		from := start
		for i, d := range taken {
			from += d.stride * d.places[at[i]]
		}
		return from
	}).reshaped(shape), true
}

// Indexed is the shape of what an index takes of something of a shape.
func Indexed(shape tensor.Shape, index value.Value) (tensor.Shape, error) {
	parts, given := indexParts(index)
	if given > len(shape) {
		return nil, fmt.Errorf("something of the shape %s has no item of that index", shape)
	}
	var out tensor.Shape
	at := 0
	for _, p := range parts {
		switch x := p.X.(type) {
		case value.None:
			out = append(out, 1)
			continue
		case value.Ellipsis:
			for range len(shape) - given {
				if at < len(shape) {
					out = append(out, shape[at])
					at++
				}
			}
			continue
		case int64:
		case value.Slice:
			_, _, n, ok := slicing(shape[at], x)
			if !ok {
				n = tensor.None
				if width, ok := x.Width.Int(); ok && width >= 0 && (shape[at] < 0 || width <= shape[at]) {
					n = width // wherever it starts: a crop lies within what it is cut from
				}
			}
			out = append(out, n)
		case *Array:
			if x.DType == "bool" { // as many as are true
				out = append(out, tensor.None)
			} else {
				out = append(out, x.Shape...)
			}
		case value.Unknown:
			return nil, errors.New(x.Why)
		case value.External:
			return nil, fmt.Errorf("an index is not known: %s is not in this program", x.Name)
		default:
			out = append(out, tensor.None)
		}
		at++
	}
	return append(out, shape[at:]...), nil
}

// indexParts are the parts of an index, and how many dimensions they name.
func indexParts(index value.Value) (parts []value.Value, named int) {
	parts = []value.Value{index}
	if t, ok := index.X.(value.Tuple); ok {
		parts = t
	}
	return parts, namedBy(parts)
}

// namedBy is how many dimensions parts of an index name: None and ... name none.
func namedBy(parts []value.Value) (n int) {
	for _, p := range parts {
		switch p.X.(type) {
		case value.None, value.Ellipsis:
		default:
			n++
		}
	}
	return n
}

// sliceOf are the places that a slice takes of n.
func sliceOf(n int64, s value.Slice) (places []int64, ok bool) {
	start, step, count, ok := slicing(n, s)
	for i := range count {
		places = append(places, start+i*step)
	}
	return places, ok
}

// slicing is where a slice of n begins, how far it goes each time, and how many it
// takes (CPython, Objects/sliceobject.c, PySlice_AdjustIndices).
func slicing(n int64, s value.Slice) (start, step, count int64, ok bool) {
	ok = n >= 0
	bound := func(v value.Value, otherwise, least, most int64) int64 {
		switch x := v.X.(type) {
		case nil, value.None:
			return otherwise
		case int64:
			if x < 0 {
				x += n
			}
			return min(max(x, least), most)
		}
		ok = false
		return 0
	}
	switch x := s.Step.X.(type) {
	case nil, value.None:
		step = 1
	case int64:
		step = x
	}
	switch {
	case step > 0:
		start = bound(s.Start, 0, 0, n)
		count = (bound(s.Stop, n, 0, n) - start + step - 1) / step
	case step < 0:
		start = bound(s.Start, n-1, -1, n-1)
		count = (start - bound(s.Stop, -1, -1, n-1) - step - 1) / -step
	default:
		ok = false
	}
	return start, step, max(count, 0), ok
}

// upTo are the whole numbers below n.
func upTo(n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

func wholeNumbers(items []value.Value) []int64 {
	out := make([]int64, len(items))
	for i, item := range items {
		out[i], _ = item.Int()
	}
	return out
}
