package keras

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

func init() {
	define(shapeFunction, "shape", "int_shape", "get_static_shape")
	define(reshapeFunction, "reshape")
	define(flattenFunction, "flatten", "batch_flatten", "ravel")
	define(transpose, "transpose", "permute_dimensions", "matrix_transpose", "swapaxes", "moveaxis")
	define(expandDims, "expand_dims")
	define(squeeze, "squeeze")
	define(ensureShape, "ensure_shape")
	define(concat, "concat", "concatenate", "hstack", "vstack")
	define(stackFunction, "stack")
	define(unstack, "unstack", "unbind")
	define(split, "split")
	define(tile, "tile", "repeat", "repeat_elements")
	define(padFunction, "pad")
	define(broadcastTo, "broadcast_to")
	define(filled, "zeros", "ones", "fill", "normal", "uniform", "truncated_normal", "random_normal", "random_uniform", "full", "stateless_normal", "stateless_uniform", "bernoulli")
	define(rangeFunction, "range", "arange")
}

func shapeFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	switch x := firstOf(args).X.(type) {
	case *vector:
		return shapeValue(Shape{int64(len(x.items))})
	case *dimension, int64, float64:
		return newVector(nil)
	}
	s, why := h.operand(firstOf(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	if name == "int_shape" {
		return shapeValue(s.Shape)
	}
	return newVector(shapeOf(s))
}

// fill gives -1 its size: that which makes the elements as many as x has. Where the
// first dimensions of both are not known, those are taken to be the same.
func fill(x, to Shape) (Shape, error) {
	out := slices.Clone(to)
	var open []int
	rest := int64(1)
	for i, d := range to {
		if d < 0 {
			open = append(open, i)
		} else {
			rest *= d
		}
	}
	all, ok := x.Elements()
	switch {
	case ok && len(open) == 0 && all != rest, ok && len(open) == 1 && (rest == 0 || all%rest != 0):
		return nil, fmt.Errorf("TensorFlow will raise: %s cannot take the shape %s", x, to)
	case ok && len(open) == 1:
		out[open[0]] = all / rest
	case !ok && len(open) >= 2:
		first := len(open) - 1
		if open[first-1] != first-1 || len(x) < first || slices.ContainsFunc(x[:first], func(n int64) bool { return n >= 0 }) {
			break
		}
		if n, ok := x[first:].Elements(); ok && rest > 0 && n%rest == 0 {
			out[open[first]] = n / rest
		}
	}
	return out, nil
}

func reshapeFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 1, "shape", "newshape")
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: v}
	}
	return h.onOne("Reshape", args, []value.Value{to}, func(g *Graph, x *Tensor, at func(value.Value) value.Value) ([]*Tensor, error) {
		want, err := shapeArgument(at(to))
		if err != nil {
			return nil, err
		}
		if d := computedBatch(to); d != nil && len(want) > 0 && want[0] < 0 {
			return []*Tensor{view(g, x, rowsOf(firstOf(args), d, x.Shape, want))}, nil
		}
		shape, err := fill(x.Shape, want)
		if err != nil {
			return nil, err
		}
		return []*Tensor{view(g, x, shape)}, nil
	})
}

// computedBatch is the first number of a shape where it is computed of dimensions: the
// windows of images, put together again, are not as many as the images.
func computedBatch(to value.Value) *dimension {
	items, _ := sequence(to)
	if len(items) == 0 {
		return nil
	}
	if d, ok := items[0].X.(*dimension); ok && d.computed {
		return d
	}
	return nil
}

// rowsOf is the shape that a tensor takes of which the first dimension is computed of
// that tensor's own: what is left open behind it follows from any two numbers of rows,
// if it is the same for both.
func rowsOf(v value.Value, first *dimension, x, to Shape) Shape {
	s, ok := v.X.(*symbolicValue)
	open := -1
	rest := int64(1)
	for i, d := range to[1:] {
		switch {
		case d < 0 && open >= 0:
			return to
		case d < 0:
			open = i + 1
		default:
			rest *= d
		}
	}
	if !ok || open < 0 || len(x) == 0 || x[0] >= 0 || slices.ContainsFunc(first.of, func(o *Symbolic) bool { return o != s.s }) {
		return to
	}
	var found [2]int64
	for i, rows := range []int64{720720, 2 * 720720} { // which most numbers divide
		all, ok := x.with(0, rows).Elements()
		n := first.eval(map[*Symbolic]Shape{s.s: x.with(0, rows)})
		if !ok || n <= 0 || rest <= 0 || all%(n*rest) != 0 {
			return to
		}
		found[i] = all / (n * rest)
	}
	if found[0] != found[1] {
		return to
	}
	return to.with(open, found[0])
}

func flattenFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if name == "batch_flatten" && len(x.Shape) > 1 {
			return one(flatten(nil, g, x))
		}
		return []*Tensor{view(g, x, Shape{product(x.Shape)})}, nil
	})
}

// movedAxes is moveaxis of several at once: those that are named go where they are told,
// the others keep their order (keras/src/ops/numpy.py, Moveaxis).
func (h *host) movedAxes(args *value.Args) (moved value.Value, ok bool) {
	source, _ := passed(args, 1, "source")
	destination, _ := passed(args, 2, "destination")
	from, okFrom := sequence(source)
	to, okTo := sequence(destination)
	s, why := h.operand(firstOf(args))
	if !okFrom || !okTo || len(from) != len(to) || why != "" {
		return value.Value{}, false
	}
	n := int64(len(s.Shape))
	order := make([]int64, n)
	for i := range order {
		order[i] = -1
	}
	taken := map[int64]bool{}
	for i := range from {
		a, okA := from[i].Int()
		b, okB := to[i].Int()
		if a < 0 {
			a += n
		}
		if b < 0 {
			b += n
		}
		if !okA || !okB || a < 0 || b < 0 || a >= n || b >= n {
			return value.Value{}, false
		}
		order[b], taken[a] = a, true
	}
	next := int64(0)
	perm := make(value.Tuple, n)
	for i := range order {
		if order[i] < 0 {
			for taken[next] {
				next++
			}
			order[i] = next
			next++
		}
		perm[i] = value.Value{X: order[i]}
	}
	return tensorFunctions["transpose"](h, h.interp, "transpose", &value.Args{Positional: []value.Value{firstOf(args), {X: perm}}}), true
}

func transpose(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	perm, given := passed(args, 1, "perm", "axes", "pattern")
	var order []int64
	if _, none := perm.X.(value.None); given && !none && name != "swapaxes" && name != "moveaxis" {
		var ok bool
		if order, ok = dims(perm); !ok {
			return h.unknown("the order of a transpose is not known: %s", because(perm))
		}
	}
	if name == "moveaxis" {
		if moved, ok := h.movedAxes(args); ok {
			return moved
		}
	}
	a, okA := passedInt(args, 1, "axis1", "source")
	b, okB := passedInt(args, 2, "axis2", "destination")
	if (name == "swapaxes" || name == "moveaxis") && (!okA || !okB) {
		return h.unknown("the axes of %s are not known", name)
	}
	return h.onOne("Transpose", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		order := order
		n := len(x.Shape)
		if order == nil {
			for i := range n {
				order = append(order, int64(n-1-i))
			}
		}
		if name == "matrix_transpose" || name == "swapaxes" || name == "moveaxis" {
			order = nil
			for i := range n {
				order = append(order, int64(i))
			}
			from, to := n-2, n-1
			if name != "matrix_transpose" {
				var err error
				if from, err = axisOf(a, x.Shape); err != nil {
					return nil, err
				}
				if to, err = axisOf(b, x.Shape); err != nil {
					return nil, err
				}
			}
			if from < 0 {
				return nil, fmt.Errorf("TensorFlow will raise: a transpose of %s", x.Shape)
			}
			if name == "moveaxis" {
				moved := order[from]
				order = slices.Insert(slices.Delete(order, from, from+1), to, moved)
			} else {
				order[from], order[to] = order[to], order[from]
			}
		}
		if len(order) != n {
			return nil, fmt.Errorf("TensorFlow will raise: %v is no order of the dimensions of %s", order, x.Shape)
		}
		shape := Shape{}
		for _, i := range order {
			at, err := axisOf(int(i), x.Shape)
			if err != nil {
				return nil, err
			}
			shape = append(shape, x.Shape[at])
		}
		out, _ := g.add("Transpose", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

func passedInt(args *value.Args, position int, names ...string) (int, bool) {
	v, ok := passed(args, position, names...)
	n, isInt := v.Int()
	return int(n), ok && isInt
}

func expandDims(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	axis, err := axisArgument(args, 1, -1)
	if err != nil {
		return h.unknown("%s", err)
	}
	return h.onOne("ExpandDims", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		at := axis
		if at < 0 {
			at += len(x.Shape) + 1
		}
		if at < 0 || at > len(x.Shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no place for a dimension in %s", axis, x.Shape)
		}
		return []*Tensor{view(g, x, slices.Insert(slices.Clone(x.Shape), at, 1))}, nil
	})
}

func squeeze(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	axis, given := passed(args, 1, "axis", "squeeze_dims")
	if _, none := axis.X.(value.None); none {
		given = false
	}
	axes, ok := dims(axis)
	if given && !ok {
		return h.unknown("the axis of a squeeze is not known: %s", because(axis))
	}
	return h.onOne("Squeeze", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape := Shape{}
		if given {
			var err error
			if shape, err = reduced(x.Shape, axes, false); err != nil {
				return nil, err
			}
		} else {
			for _, d := range x.Shape {
				if d != 1 {
					shape = append(shape, d)
				}
			}
		}
		return []*Tensor{view(g, x, shape)}, nil
	})
}

// backendConcatenate is the one that joins along the last dimension where nothing is said.
const backendConcatenate = "backend.concatenate"

func concat(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	first := firstOf(args)
	if v, ok := first.X.(*vector); ok {
		return value.Value{X: v}
	}
	items, ok := sequence(first)
	if !ok || len(items) == 0 {
		return h.unknown("the tensors of %s are not known: %s", name, because(first))
	}
	if all := joined(items); all != nil {
		return newVector(all)
	}
	otherwise := 0 // keras/src/ops/numpy.py, concatenate, and numpy's
	switch name {
	case backendConcatenate:
		otherwise = -1 // tf_keras/src/backend.py
	case "hstack":
		otherwise = 1
	}
	axis, err := axisArgument(args, 1, otherwise)
	if err != nil {
		return h.unknown("%s", err)
	}
	in, why := h.operands(items)
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Concat", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(in) == 1 {
			return in, nil
		}
		return one(concatenate(axis)(nil, g, in))
	})
}

// joined are the items of several shapes, one behind the other; nil where they
// are not all shapes.
func joined(parts []value.Value) []value.Value {
	var out []value.Value
	for _, part := range parts {
		items, ok := sequence(part)
		if !ok {
			return nil
		}
		for _, item := range items {
			switch item.X.(type) {
			case int64, *dimension:
			default:
				return nil
			}
		}
		out = append(out, items...)
	}
	return out
}

// stack adds a dimension along which tensors are joined.
func stack(g *Graph, in []*Tensor, axis int) ([]*Tensor, error) {
	shape := in[0].Shape
	for _, t := range in[1:] {
		if len(t.Shape) != len(shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %s and %s cannot be stacked", shape, t.Shape)
		}
		var err error
		if shape, err = broadcast(shape, t.Shape); err != nil {
			return nil, err
		}
	}
	at := axis
	if at < 0 {
		at += len(shape) + 1
	}
	if at < 0 || at > len(shape) {
		return nil, fmt.Errorf("TensorFlow will raise: %d is no place for a dimension in %s", axis, shape)
	}
	out, _ := g.add("Pack", in, slices.Insert(slices.Clone(shape), at, int64(len(in))), in[0].DType)
	return []*Tensor{out}, nil
}

func stackFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := firstOf(args)
	items, ok := sequence(first)
	if !ok || len(items) == 0 {
		return h.unknown("the tensors of a stack are not known: %s", because(first))
	}
	if all := joined([]value.Value{first}); all != nil {
		return newVector(all)
	}
	axis, err := axisArgument(args, 1, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	in, why := h.operands(items)
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Pack", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return stack(g, in, axis)
	})
}

// maxParts bounds the tensors that one is taken apart into.
const maxParts = 4096

func unstack(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: &value.List{Items: v.items}}
	}
	position := 2
	if name == "unbind" {
		position = 1
	}
	axis, err := axisArgument(args, position, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	out := h.onOne("Unpack", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		return parts(g, "Unpack", x, at, nil, slices.Delete(slices.Clone(x.Shape), at, at+1))
	})
	return listed(out)
}

// listed is a list of one where an operation has one output.
func listed(v value.Value) value.Value {
	if _, ok := v.X.(*symbolicValue); ok {
		return value.Value{X: &value.List{Items: []value.Value{v}}}
	}
	return v
}

// parts takes a tensor apart along a dimension: into as many as that is long, or
// of the given sizes.
func parts(g *Graph, name string, x *Tensor, at int, sizes []int64, shape Shape) ([]*Tensor, error) {
	n := len(sizes)
	if sizes == nil {
		n = int(x.Shape[at])
	}
	if n < 0 {
		return nil, fmt.Errorf("the dimension of %s along which it is taken apart is not known", x.Shape)
	}
	if n > maxParts {
		return nil, fmt.Errorf("it is taken apart into %d tensors", n)
	}
	if n == 0 {
		return nil, nil
	}
	_, op := g.add(name, []*Tensor{x}, shape, x.DType)
	first := op.Out[0]
	op.Out = nil
	for i := range n {
		t := *first
		if sizes != nil {
			t.Shape = shape.with(at, sizes[i])
		}
		op.Out = append(op.Out, &t)
	}
	return op.Out, nil
}

func split(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	number, _ := passed(args, 1, "num_or_size_splits", "indices_or_sections")
	_, indices := args.Keywords.Get("indices_or_sections")
	axis, err := axisArgument(args, 2, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	out := h.onOne("Split", args, []value.Value{number}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		number := resolve(number)
		var sizes []int64
		if n, ok := number.Int(); ok {
			if n < 1 || n > maxParts || x.Shape[at] >= 0 && x.Shape[at]%n != 0 {
				return nil, fmt.Errorf("TensorFlow will raise: %s in %d parts", x.Shape, n)
			}
			size := None
			if x.Shape[at] >= 0 {
				size = x.Shape[at] / n
			}
			sizes = same(int(n), size)
		} else if list, ok := whole(number); ok && len(list) <= maxParts {
			sizes = list
			if indices {
				return nil, fmt.Errorf("a split at indices is not followed")
			}
			open, rest := -1, x.Shape[at]
			for i, n := range list {
				if n < 0 {
					open = i
				} else {
					rest -= n
				}
			}
			if open >= 0 && rest >= 0 {
				sizes = slices.Clone(list)
				sizes[open] = rest
			}
		} else {
			return nil, fmt.Errorf("the parts of a split are not known: %s", because(number))
		}
		return parts(g, "Split", x, at, sizes, x.Shape)
	})
	return listed(out)
}

func tile(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	times, _ := passed(args, 1, "multiples", "repeats", "rep", "n")
	axis, given := passed(args, 2, "axis")
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: v}
	}
	return h.onOne("Tile", args, []value.Value{times}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		times := resolve(times)
		shape := slices.Clone(x.Shape)
		if name == "tile" {
			factors, ok := dims(times)
			if !ok {
				return nil, fmt.Errorf("how often a tensor is repeated is not known: %s", because(times))
			}
			for len(shape) < len(factors) {
				shape = slices.Insert(shape, 0, 1)
			}
			for i, f := range factors {
				j := len(shape) - len(factors) + i
				shape[j] = product(Shape{shape[j], f})
			}
		} else {
			n, isInt := axis.Int()
			if _, none := axis.X.(value.None); none || !given {
				shape, n, isInt = Shape{product(shape)}, 0, true // it is flattened
			}
			if !isInt {
				return nil, fmt.Errorf("the axis of a repeat is not known")
			}
			at, err := axisOf(int(n), shape)
			if err != nil {
				return nil, err
			}
			if items, ok := sequence(times); ok && len(items) == 1 {
				times = items[0] // for each element
			}
			switch f := times.X.(type) {
			case int64:
				shape[at] = product(Shape{shape[at], f})
			case value.None:
				shape[at] = None
			default:
				return nil, fmt.Errorf("how often a tensor is repeated is not known: %s", because(times))
			}
		}
		out, _ := g.add("Tile", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

func padFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	pads, _ := passed(args, 1, "paddings", "pad_width")
	return h.onOne("Pad", args, []value.Value{pads}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		items, ok := sequence(resolve(pads))
		if !ok || len(items) != len(x.Shape) {
			return nil, fmt.Errorf("the padding is not known: %s", because(pads))
		}
		shape := slices.Clone(x.Shape)
		for i, item := range items {
			pair, ok := whole(item)
			if !ok || len(pair) != 2 {
				return nil, fmt.Errorf("the padding is not known: %s", because(item))
			}
			if shape[i] >= 0 && pair[0] >= 0 && pair[1] >= 0 {
				shape[i] += pair[0] + pair[1]
			} else if pair[0] != 0 || pair[1] != 0 {
				shape[i] = None
			}
		}
		out, _ := g.add("Pad", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

func broadcastTo(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 1, "shape")
	return h.onOne("BroadcastTo", args, []value.Value{to}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("BroadcastTo", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

// filled makes a tensor of a shape that depends on those of others.
// ensureShape is a tensor of which the program says the shape.
func ensureShape(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	to, _ := passed(args, 1, "shape")
	said, ok := dims(to)
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape := x.Shape
		if ok {
			var err error
			if shape, err = shape.merged(said); err != nil {
				return nil, err
			}
		}
		out, op := g.add(name, []*Tensor{x}, shape, x.DType)
		op.View = true
		return []*Tensor{out}, nil
	})
}

// merged is the shape with the dimensions that another knows.
func (s Shape) merged(said Shape) (Shape, error) {
	if len(said) != len(s) {
		return nil, fmt.Errorf("TensorFlow will raise: the shape %s is not %s", s, said)
	}
	out := slices.Clone(s)
	for i, n := range said {
		switch {
		case n < 0:
		case out[i] < 0:
			out[i] = n
		case out[i] != n:
			return nil, fmt.Errorf("TensorFlow will raise: the shape %s is not %s", s, said)
		}
	}
	return out, nil
}

func filled(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 0, "shape", "dims")
	if _, isTensor := to.X.(*symbolicValue); isTensor {
		return h.unknown("a shape that depends on data")
	}
	d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "float32")
	return h.operate("Const", nil, []value.Value{to}, func(g *Graph, _ []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("Const", nil, shape, d)
		return []*Tensor{out}, nil
	})
}

func rangeFunction(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	start, limit := value.Value{X: int64(0)}, firstOf(args)
	if v, ok := args.Keywords.Get("start"); ok {
		start = v
	} else if len(args.Positional) > 1 {
		start = args.Positional[0]
	}
	if v, ok := passed(args, 1, "limit", "stop"); ok {
		limit = v
	}
	if delta, ok := passed(args, 2, "delta", "step"); ok && delta.X != int64(1) {
		return h.unknown("a range in steps is not followed")
	}
	length := in.Binary("-", limit, start)
	if _, ok := length.X.(*dimension); !ok {
		if _, ok := length.Int(); !ok {
			return h.unknown("the length of a range is not known: %s", because(length))
		}
	}
	return filled(h, in, "range", &value.Args{Positional: []value.Value{{X: value.Tuple{length}}}, Keywords: value.Named("dtype", value.Value{X: "int32"})})
}
