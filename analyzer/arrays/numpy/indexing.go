package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// GetItem is a[i], a[lo:hi], a[..., None] and tuples of them.
func (a *Array) GetItem(in *value.Interp, index value.Value) value.Value {
	return a.part(a.item(in, index), index)
}

func (a *Array) item(in *value.Interp, index value.Value) value.Value {
	if part, ok := a.at(in, index); ok {
		return part.scalar()
	}
	if _, one := index.X.(int64); one && len(a.Shape) == 1 && a.Known() != nil {
		return interp.Index(in, value.Value{X: value.Tuple(a.Known())}, index) // out of bounds
	}
	shape, err := Indexed(a.Shape, index)
	if err != nil {
		return value.From(err).Unknown()
	}
	if parts, _ := indexParts(index); len(parts) > 0 && len(a.Shape) > 0 && a.Shape[0] < 0 && !slices.ContainsFunc(parts, lists) {
		if s, ok := parts[0].X.(value.Slice); ok && s.Count() > 0 {
			shape[0] = s.Count() // there are enough rows
		}
	}
	if of := a.Labels(); !of.Hot && takesAll(a.Shape, index, shape) {
		return a.Lib.Labelled(shape, a.DType, of)
	}
	return a.Lib.Array(shape, a.DType)
}

// at returns what an index selects from an array with known numbers. The index has numbers,
// slices, ..., None, and at most one array or list of indices beside one of them. ok is false for
// any other index, and for one out of bounds.
func (a *Array) at(in *value.Interp, index value.Value) (*Array, bool) {
	parts, given := indexParts(index)
	if a.Known() == nil || given > len(a.Shape) || len(parts) > 2 && slices.ContainsFunc(parts, lists) {
		return nil, false
	}
	type span struct {
		stride int64
		places []int64
	}
	var (
		shape   tensor.Shape // of the result
		taken   []span
		start   int64 // the offset that the integers lead to
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
			p.X = value.Ellipsis{} // unnamed dimensions are taken whole
		}
		switch x := p.X.(type) {
		case value.None:
			shape = append(shape, 1)
		case value.Ellipsis:
			for range len(a.Shape) - next - namedBy(parts[min(i+1, len(parts)):]) {
				shape = append(shape, a.Shape[next])
				through(UpTo(a.Shape[next]))
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
			places, ok := SliceOf(a.Shape[next], x)
			if !ok {
				return nil, false
			}
			shape = append(shape, int64(len(places)))
			through(places)
		default:
			list := a.Lib.asArray(in, p)
			if list == nil || listed || next == len(a.Shape) {
				return nil, false
			}
			if list.DType == "bool" {
				list = list.whereTrue(a.Shape[next])
			}
			if list == nil || list.Known() == nil || list.DType.Floating() {
				return nil, false
			}
			places := slices.Clone(wholeNumbers(list.Known()))
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

// Indexed returns the shape of what an index selects from a shape. Lists, arrays and numbers
// beside them select together: in their place, or in front if another part is between them
// (https://numpy.org/doc/stable/user/basics.indexing.html#combining-advanced-and-basic-indexing).
func Indexed(shape tensor.Shape, index value.Value) (tensor.Shape, error) {
	parts, given := indexParts(index)
	if given > len(shape) {
		return nil, value.Because(value.WillRaise, "something of the shape %s has no item of that index", shape)
	}
	var out, together tensor.Shape
	at, place := 0, -1
	apart, ended := false, false
	several := slices.ContainsFunc(parts, lists)
	for _, p := range parts {
		var takes tensor.Shape
		of := 1 // number of dimensions
		switch x := p.X.(type) {
		case value.None:
			out, ended = append(out, 1), place >= 0
			continue
		case value.Ellipsis:
			for range len(shape) - given {
				if at < len(shape) {
					out = append(out, shape[at])
					at++
				}
			}
			ended = place >= 0
			continue
		case int64:
			if !several {
				at++
				continue
			}
		case value.Slice:
			_, _, n, ok := Slicing(shape[at], x)
			if !ok {
				n = tensor.None
				if width, ok := x.Width.Int(); ok && width >= 0 && (shape[at] < 0 || width <= shape[at]) {
					n = width // wherever it starts: a crop lies within the image
				}
			}
			out, ended = append(out, n), place >= 0
			at++
			continue
		case *Array:
			takes = x.Shape
			if x.DType == "bool" { // as many as are true
				takes, of = tensor.Shape{tensor.None}, len(x.Shape)
				if of == 1 && x.whereTrue(shape[at]) != nil {
					takes = x.whereTrue(shape[at]).Shape
				}
			}
		case value.Unknown:
			return nil, x.Cause
		case value.External:
			return nil, value.Because(value.ExternalName, "an index is not known: %s is not in this program", x.Name)
		default:
			takes = tensor.Shape{tensor.None}
			if places, ok := objects.Whole(p); ok {
				takes[0] = int64(len(places))
			}
		}
		if place < 0 {
			place = len(out)
		}
		apart = apart || ended
		at += of
		var err error
		if together, err = tensor.Broadcast(together, takes); err != nil {
			return nil, err
		}
	}
	out = append(out, shape[at:]...)
	if apart {
		place = 0
	}
	return slices.Insert(out, max(place, 0), together...), nil
}

// lists reports whether a part of an index takes several places: it is neither a slice nor a
// number.
func lists(part value.Value) bool {
	switch part.X.(type) {
	case value.None, value.Ellipsis, value.Slice, int64:
		return false
	}
	return true
}

// indexParts returns the parts of an index, and how many dimensions they name.
func indexParts(index value.Value) (parts []value.Value, named int) {
	parts = []value.Value{index}
	if t, ok := index.X.(value.Tuple); ok {
		parts = t
	}
	return parts, namedBy(parts)
}

// namedBy returns how many dimensions parts of an index name: None and ... name none, a mask as
// many as it has.
func namedBy(parts []value.Value) (n int) {
	for _, p := range parts {
		switch x := p.X.(type) {
		case value.None, value.Ellipsis:
		case *Array:
			if x.DType == "bool" {
				n += len(x.Shape)
			} else {
				n++
			}
		default:
			n++
		}
	}
	return n
}

// SliceOf returns the places that a slice takes of n.
func SliceOf(n int64, s value.Slice) (places []int64, ok bool) {
	start, step, count, ok := Slicing(n, s)
	for i := range count {
		places = append(places, start+i*step)
	}
	return places, ok
}

// Slicing returns the start, step and count of a slice of n (CPython, Objects/sliceobject.c,
// PySlice_AdjustIndices).
func Slicing(n int64, s value.Slice) (start, step, count int64, ok bool) {
	start, stop, step, ok := s.Indices(max(n, 0))
	return start, step, value.Range{Start: start, Stop: stop, Step: step}.Length(), ok && n >= 0
}

// UpTo returns the integers from 0 below n.
func UpTo(n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// whereTrue returns the indices of true values in a mask of n; nil for other arrays, and if they
// are not known.
func (a *Array) whereTrue(n int64) *Array {
	if a.Known() == nil || len(a.Shape) != 1 || a.Shape[0] != n {
		return nil
	}
	places := []value.Value{}
	for i, item := range a.Known() {
		if item.X == true {
			places = append(places, value.Value{X: int64(i)})
		}
	}
	return a.Lib.Row(places, "int64")
}

func wholeNumbers(items []value.Value) []int64 {
	out := make([]int64, len(items))
	for i, item := range items {
		out[i], _ = item.Int()
	}
	return out
}
