package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Part is some neighbours along a dimension. Its ends are None if they are not known.
type Part struct{ Start, Size int64 }

// A Cut says what the second argument of a function that splits means.
type Cut int

const (
	Even   Cut = iota // so many even parts, or the places to cut at: numpy.split, keras.ops.split
	Uneven            // the first parts may be longer by one: array_split
	Sizes             // so many even parts, or the size of each: tf.split
)

// mostParts bounds the parts of one tensor.
const mostParts = 1 << 16

// Split returns the parts of a dimension of n.
func Split(by value.Value, cut Cut, n int64) ([]Part, error) {
	if count, ok := by.Int(); ok {
		if count < 1 || count > mostParts || n >= 0 && n%count != 0 && cut != Uneven {
			return nil, raises("%d in %d parts", n, count)
		}
		out, start := make([]Part, count), int64(0)
		for i := range out {
			if out[i] = (Part{tensor.None, tensor.None}); n >= 0 {
				out[i] = Part{start, n / count}
				if int64(i) < n%count {
					out[i].Size++
				}
				start += out[i].Size
			}
		}
		return out, nil
	}
	list, ok := objects.Whole(by)
	if !ok || len(list) > mostParts {
		return nil, notKnown("the parts of a split are not known: %s", objects.Because(by))
	}
	if cut == Sizes {
		return sized(list, n)
	}
	// A part begins where the one before it ends, also if that is further on.
	out, start := make([]Part, len(list)+1), int64(0)
	for i := range out {
		end := n
		if i < len(list) {
			end = list[i]
		}
		if n >= 0 {
			if end < 0 {
				end += n
			}
			end = min(max(end, 0), n)
		}
		if out[i] = (Part{start, tensor.None}); start >= 0 && end >= 0 {
			out[i].Size = max(end-start, 0)
		}
		start = end
	}
	return out, nil
}

// sized returns parts of these sizes, of which one may be left open.
func sized(sizes []int64, n int64) ([]Part, error) {
	rest, open := n, -1
	for i, size := range sizes {
		if size < 0 {
			open = i
		} else {
			rest -= size
		}
	}
	if n >= 0 && (rest < 0 || rest > 0 && open < 0) {
		return nil, raises("%d in parts of %v", n, sizes)
	}
	out, start := make([]Part, len(sizes)), int64(0)
	for i, size := range sizes {
		if i == open {
			size = max(rest, tensor.None)
		}
		if out[i] = (Part{start, size}); start >= 0 && size >= 0 {
			start += size
		} else {
			start = tensor.None
		}
	}
	return out, nil
}

// Tile returns the shape of copies in rows: a tensor is given as many dimensions as there are
// numbers of copies first, and has one copy along those without a number.
func Tile(s tensor.Shape, copies value.Value) (from, times, to tensor.Shape, err error) {
	times, ok := objects.Dims(copies)
	if !ok {
		return nil, nil, nil, notKnown("how often a tensor is repeated is not known: %s", objects.Because(copies))
	}
	from = slices.Clone(s)
	for len(from) < len(times) {
		from = slices.Insert(from, 0, 1)
	}
	for len(times) < len(from) {
		times = slices.Insert(times, 0, 1)
	}
	to = make(tensor.Shape, len(from))
	for i, d := range from {
		to[i] = tensor.Shape{d, times[i]}.Product()
	}
	return from, times, to, nil
}

// A Repetition is how elements along a dimension are repeated: of which shape, how often, all alike
// or each, and to which shape.
type Repetition struct {
	From  tensor.Shape
	Axis  int
	Times []int64
	To    tensor.Shape
}

// Repeat returns how a tensor is repeated. Without a dimension, it is flattened first.
func Repeat(s tensor.Shape, by value.Value, args *value.Args) (r Repetition, err error) {
	r.From = s
	if _, given := objects.Given(args, 2, "axis"); !given {
		r.From = tensor.Shape{s.Product()}
	} else if r.Axis, err = AxisArgument(args, 2, 0, s); err != nil {
		return r, err
	}
	var ok bool
	if r.Times, ok = objects.Dims(by); by.X == (value.None{}) {
		r.Times, ok = []int64{tensor.None}, true
	}
	n, each := r.From[r.Axis], int64(len(r.Times))
	switch {
	case !ok || each == 0:
		return r, notKnown("how often a tensor is repeated is not known: %s", objects.Because(by))
	case each == 1:
		n = tensor.Shape{n, r.Times[0]}.Product()
	case n >= 0 && n != each:
		return r, raises("%d numbers of copies for %d elements", each, n)
	default:
		n = 0
		for _, times := range r.Times {
			if n += times; times < 0 {
				n = tensor.None
				break
			}
		}
	}
	r.To = r.From.With(r.Axis, n)
	return r, nil
}

// Pad returns a shape with so many elements before and after each dimension: by one number or pair
// for all, or a pair for each (numpy/lib/_arraypad_impl.py, _as_pairs).
func Pad(s tensor.Shape, by value.Value) (tensor.Shape, error) {
	unknown := notKnown("the padding is not known: %s", objects.Because(by))
	pairs := []value.Value{by}
	if items, ok := objects.Sequence(by); ok && len(items) > 0 {
		if _, nested := objects.Sequence(items[0]); nested {
			pairs = items
		}
	}
	if len(pairs) != 1 && len(pairs) != len(s) {
		return nil, unknown
	}
	out := slices.Clone(s)
	for i, d := range s {
		width, ok := objects.Dims(pairs[i%len(pairs)])
		if !ok || len(width) != 1 && len(width) != 2 {
			return nil, unknown
		}
		before, after := width[0], width[len(width)-1]
		if d >= 0 && before >= 0 && after >= 0 {
			out[i] += before + after
		} else if before != 0 || after != 0 {
			out[i] = tensor.None
		}
	}
	return out, nil
}

// Diff returns the shape of the differences of neighbours along a dimension, taken n times.
func Diff(s tensor.Shape, n int64, args *value.Args) (tensor.Shape, error) {
	at, err := AxisArgument(args, 2, -1, s)
	if err != nil || s[at] < 0 {
		return s, err
	}
	return s.With(at, max(s[at]-n, 0)), nil
}

// OneHot returns the shape of indices with a dimension for so many classes.
func OneHot(s tensor.Shape, classes int64, position int, args *value.Args) (tensor.Shape, error) {
	at, err := AxisArgument(args, position, -1, append(slices.Clone(s), classes))
	if err != nil {
		return nil, err
	}
	return slices.Insert(slices.Clone(s), at, classes), nil
}

// Resize returns the shape of an image, or of several, in another height and width.
func Resize(s tensor.Shape, size value.Value) (tensor.Shape, error) {
	to, ok := objects.Sizes(size)
	n := len(s)
	if !ok || len(to) != 2 || n < 3 || n > 4 {
		return nil, notKnown("the size that an image is resized to is not known: %s", objects.Because(size))
	}
	return s.With(n-3, to[0]).With(n-2, to[1]), nil
}

// Grid returns the shape of a grid of so many points along each dimension. The first two are
// swapped unless indexing= is "ij": the first runs along the second dimension, like x in an image.
func Grid(points tensor.Shape, args *value.Args) (grid tensor.Shape, swapped bool) {
	grid = slices.Clone(points)
	if v, given := args.Keywords.Get("indexing"); len(grid) > 1 && (!given || v.X == "xy") {
		grid[0], grid[1] = grid[1], grid[0]
		return grid, true
	}
	return grid, false
}
