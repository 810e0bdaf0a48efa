package numpy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// The numbers in an array are known if it is small and they can be computed: rates of dropout by
// depth, widths by stage, tables of relative positions. Models are built from such numbers, and
// sized by their maximum.

const (
	MostNumbers = 1 << 16 // that are kept of one array
	allNumbers  = 1 << 20 // that a program may compute; later arrays have only a shape
	MostRows    = 256     // the items of an array that is iterated over without known numbers
	mostExact   = 64      // numbers of which a power is exact to the last digit, which is slow: no widths are computed from more
)

// Known returns the numbers of an array in row-major order; nil if they are not known. The caller
// must not change them.
func (a *Array) Known() []value.Value {
	if a.written != nil && *a.written {
		return nil
	}
	return a.items
}

// forget records that the program wrote into the array, or into one that shares its numbers: only
// the shapes stay.
func (a *Array) forget() {
	if a.written != nil {
		*a.written = true
	}
	a.Memory().unwritten = false
}

// numbered returns an array of the shape with these numbers, if there are not too many.
func (lib *Library) numbered(shape tensor.Shape, d tensor.DType, items []value.Value) *Array {
	a := &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}
	if lib.keeps(len(items)) {
		a.items, a.written = items, new(bool)
	}
	return a
}

// keeps reports whether so many more numbers are kept, and counts them.
func (lib *Library) keeps(n int) bool {
	if n > MostNumbers || lib.kept+n > allNumbers {
		return false
	}
	lib.kept += n
	return true
}

// Row returns an array with one dimension.
func (lib *Library) Row(items []value.Value, d tensor.DType) *Array {
	return lib.numbered(tensor.Shape{int64(len(items))}, d, items)
}

// asArray converts a value to an array: an array, a number, a range, or nested lists of them; nil
// for anything else. A list with unknown items has only a shape, that of the first item of each
// level.
func (lib *Library) asArray(in *value.Interp, v value.Value) *Array {
	switch x := v.X.(type) {
	case *Array:
		return x
	case numeric:
		return x.AsArray()
	case int64:
		return lib.numbered(tensor.Shape{}, "int64", []value.Value{v})
	case float64:
		return lib.numbered(tensor.Shape{}, "float64", []value.Value{v})
	case bool:
		return lib.numbered(tensor.Shape{}, "bool", []value.Value{v})
	}
	items, ok := objects.Sequence(v)
	if _, isRange := v.X.(value.Range); isRange {
		items, ok = interp.Iterate(in, v)
	}
	if !ok || len(items) == 0 {
		return lib.shaped(v)
	}
	var parts []*Array
	for _, item := range items {
		part := lib.asArray(in, item)
		if part == nil || len(parts) > 0 && !slices.Equal(part.Shape, parts[0].Shape) {
			return lib.shaped(v)
		}
		parts = append(parts, part)
	}
	return lib.stacked(parts)
}

// shaped returns an array of which only the shape is known, or nil.
func (lib *Library) shaped(v value.Value) *Array {
	shape, d, ok := Of(v)
	if !ok {
		return nil
	}
	return &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}
}

// scalar returns the number of an array without dimensions, and other arrays as they are.
func (a *Array) scalar() value.Value {
	if items := a.Known(); len(a.Shape) == 0 && len(items) == 1 {
		return items[0]
	}
	return value.Value{X: a}
}

// reshaped returns the same numbers in another shape with as many elements.
func (a *Array) reshaped(shape tensor.Shape) *Array {
	out := &Array{Base: a.Base, Lib: a.Lib, Shape: shape, DType: a.DType, items: a.items, of: a.of, written: a.written, base: a.Memory()}
	if a.of.Hot && shape.Last() != a.Shape.Last() {
		out.of = Labels{}
	}
	return out
}

// picked returns an array of the shape with elements of a: from maps the indices of an element to
// the place in a.
func (a *Array) picked(shape tensor.Shape, from func(at []int64) int64) *Array {
	out := a.reshaped(shape)
	out.base = nil
	items := a.Known()
	out.items, out.of = nil, Labels{}
	n, ok := shape.Elements()
	if items == nil || !ok || !a.Lib.keeps(int(n)) {
		return out
	}
	out.items = make([]value.Value, 0, n)
	at := make([]int64, len(shape))
	for range n {
		out.items = append(out.items, items[from(at)])
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
	}
	return out
}

// broadcast repeats an array along dimensions of size one, and along missing ones.
func (a *Array) broadcast(shape tensor.Shape) *Array {
	if slices.Equal(a.Shape, shape) {
		return a
	}
	strides, more := a.Shape.Strides(), len(shape)-len(a.Shape)
	return a.picked(shape, func(at []int64) (from int64) {
		for i, stride := range strides {
			if a.Shape[i] != 1 {
				from += stride * at[more+i]
			}
		}
		return from
	})
}

// permuted returns the array with its dimensions in another order.
func (a *Array) permuted(order []int) *Array {
	strides := a.Shape.Strides()
	out := a.picked(shapes.Permuted(a.Shape, order), func(at []int64) (from int64) {
		for i, dimension := range order {
			from += strides[dimension] * at[i]
		}
		return from
	})
	out.base = a.Memory()
	return out
}

// taken returns, along one dimension, the elements at these places.
func (a *Array) taken(axis int, places []int64) *Array {
	strides := a.Shape.Strides()
	return a.picked(a.Shape.With(axis, int64(len(places))), func(at []int64) (from int64) {
		for i, stride := range strides {
			if i == axis {
				from += stride * places[at[i]]
			} else {
				from += stride * at[i]
			}
		}
		return from
	})
}

// concatenated concatenates arrays along a dimension to a shape.
func (lib *Library) concatenated(parts []*Array, axis int, shape tensor.Shape) *Array {
	d := parts[0].DType
	for _, p := range parts[1:] {
		d = promoted(d, p.DType)
	}
	n, ok := shape.Elements()
	if !ok || n > MostNumbers {
		return &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}
	}
	items := make([]value.Value, 0, n)
	blocks := int64(1)
	for _, d := range shape[:axis] {
		blocks *= d
	}
	for block := range blocks {
		for _, p := range parts {
			all := p.Known()
			if all == nil {
				return &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}
			}
			each := int64(len(all)) / blocks
			items = append(items, all[block*each:(block+1)*each]...)
		}
	}
	return lib.numbered(shape, d, items)
}

// stacked stacks arrays of one shape in front of their dimensions.
func (lib *Library) stacked(parts []*Array) *Array {
	shape := parts[0].Shape
	for i, p := range parts {
		parts[i] = p.reshaped(slices.Insert(slices.Clone(shape), 0, 1))
	}
	return lib.concatenated(parts, 0, slices.Insert(slices.Clone(shape), 0, int64(len(parts))))
}

// arithmetic is an elementwise operation; nil if the numbers of one side, or one result, are not
// known.
func (a *Array) arithmetic(in *value.Interp, op string, b *Array) *Array {
	shape, err := tensor.Broadcast(a.Shape, b.Shape)
	if n, ok := shape.Elements(); err != nil || !ok || n > MostNumbers || a.Known() == nil || b.Known() == nil {
		return nil
	}
	d := wider(a, b) // before a number becomes an array
	a, b = a.broadcast(shape), b.broadcast(shape)
	x, y := a.Known(), b.Known()
	if x == nil || y == nil {
		return nil
	}
	items := make([]value.Value, len(x))
	compute := calculated
	if compares[op] {
		compute = interp.Compare
	}
	for i := range items {
		if len(x) > mostExact && op == "**" {
			items[i] = roughPower(in, x[i], y[i])
		} else {
			items[i] = compute(in, op, x[i], y[i])
		}
		if !objects.IsNumber(items[i]) {
			return nil
		}
	}
	if compares[op] {
		d = "bool"
	} else if d == "bool" {
		return nil // + of bools is or, * is and
	}
	if len(items) > 0 && !d.Floating() {
		if _, isFloat := items[0].X.(float64); isFloat {
			d = "float64" // a division of integers
		}
	}
	if slices.ContainsFunc(items, func(v value.Value) bool { return wraps(d, v) }) {
		return nil
	}
	return a.Lib.numbered(shape, d, items)
}

// calculated is an operation on two numbers. It does not count as a step of the interpreter: the
// elements of tables are many and cheap.
func calculated(in *value.Interp, op string, a, b value.Value) value.Value {
	const exact = 1 << 31 // integers with exact products
	x, isWhole := a.X.(int64)
	y, isWhole2 := b.X.(int64)
	small := isWhole && isWhole2 && x < exact && y < exact && -x < exact && -y < exact
	_, isFloat := a.X.(float64)
	_, isFloat2 := b.X.(float64)
	real := isFloat && (isFloat2 || isWhole2) || isFloat2 && isWhole
	switch {
	case small && op == "+":
		return value.Value{X: x + y}
	case small && op == "-":
		return value.Value{X: x - y}
	case small && op == "*":
		return value.Value{X: x * y}
	case real && op == "+":
		return value.Value{X: float(a) + float(b)}
	case real && op == "-":
		return value.Value{X: float(a) - float(b)}
	case real && op == "*":
		return value.Value{X: float(a) * float(b)}
	}
	return interp.Binary(in, op, a, b)
}

// roughPower returns a power that may be wrong in the last digit, as NumPy's own vectorised ones.
func roughPower(in *value.Interp, a, b value.Value) value.Value {
	_, isFloat := a.X.(float64)
	_, isFloat2 := b.X.(float64)
	if p := math.Pow(float(a), float(b)); (isFloat || isFloat2) && !math.IsInf(p, 0) && !math.IsNaN(p) {
		return value.Value{X: p}
	}
	return interp.Binary(in, "**", a, b)
}

// wider returns the type of arithmetic on two arrays. A Python number does not affect its size
// (NumPy's promotion of weak scalars, NEP 50).
func wider(a, b *Array) tensor.DType {
	switch {
	case len(a.Shape) > 0 && len(b.Shape) > 0, a.DType == "bool", b.DType == "bool":
		return promoted(a.DType, b.DType)
	case a.DType.Floating() != b.DType.Floating():
		if b.DType.Floating() {
			a, b = b, a
		}
		if len(a.Shape) == 0 && len(b.Shape) > 0 {
			return "float64"
		}
		return a.DType
	case len(a.Shape) == 0:
		return b.DType
	}
	return a.DType
}

// promoted returns the smallest type that holds the numbers of both, as numpy.promote_types does.
func promoted(a, b tensor.DType) tensor.DType {
	x, y := classOf(a), classOf(b)
	if x > y || x == y && a.Size() < b.Size() {
		a, b, x, y = b, a, y, x // a is of the lower class, or the wider one of the same
	}
	switch {
	case x == y, x == classBooleans, y == classOthers:
		if x == y {
			return a
		}
		return b
	case y == classFloats: // with whole numbers
		if need := tensor.DType(fmt.Sprint("float", min(16*a.Size(), 64))); need.Size() > b.Size() {
			return need
		}
		return b
	case a.Size() < b.Size(): // unsigned and signed ones
		return b
	case a.Size() == 8:
		return "float64"
	}
	return tensor.DType(fmt.Sprint("int", 16*a.Size()))
}

// A class of types. What is promoted has that of the greater one.
type class int

const (
	classBooleans class = iota
	classUnsigned
	classSigned
	classFloats
	classOthers // complex numbers, text
)

func classOf(d tensor.DType) class {
	switch {
	case d == "bool":
		return classBooleans
	case strings.HasPrefix(string(d), "uint"):
		return classUnsigned
	case strings.HasPrefix(string(d), "int"):
		return classSigned
	case d.Floating():
		return classFloats
	}
	return classOthers
}

// each applies a function to every number; nil if they are not known or the function has no
// result for one.
func (a *Array) each(d tensor.DType, f func(v value.Value) value.Value) *Array {
	items := slices.Clone(a.Known())
	if items == nil {
		return nil
	}
	for i, item := range items {
		if items[i] = f(item); !objects.IsNumber(items[i]) || wraps(d, items[i]) {
			return nil
		}
	}
	return a.Lib.numbered(a.Shape, d, items)
}

// wraps reports whether an integer is out of the range of a type, and so wraps around.
func wraps(d tensor.DType, v value.Value) bool {
	n, whole := v.X.(int64)
	if !whole || d.Floating() {
		return false
	}
	least, most, ok := ends(d)
	return ok && (n < least.X.(int64) || n > most.X.(int64))
}

// converted converts the numbers to another type.
func (a *Array) converted(in *value.Interp, d tensor.DType) *Array {
	kind := "builtins.int"
	if d.Floating() {
		kind = "builtins.float"
	} else if d == "bool" {
		kind = "builtins.bool"
	}
	to := value.Value{X: value.External{Name: kind}}
	if out := a.each(d, func(v value.Value) value.Value {
		if _, is := v.X.(float64); is && kind == "builtins.float" {
			return v
		}
		if n, is := v.X.(int64); is && kind != "builtins.bool" {
			if kind == "builtins.float" {
				return value.Value{X: float64(n)}
			}
			return v
		}
		return interp.Call(in, to, &value.Args{Positional: []value.Value{v}})
	}); out != nil {
		return out
	}
	if d == "bool" {
		return &Array{Base: a.Base, Lib: a.Lib, Shape: a.Shape, DType: d}
	}
	return a.Lib.Labelled(a.Shape, d, a.Labels()).X.(*Array)
}

// folded combines the elements along dimensions into one each.
func (a *Array) folded(axes []int, keep bool, combine func(x, y value.Value) value.Value) *Array {
	kept := shapes.Reduced(a.Shape, axes, true)
	out := &Array{Base: a.Base, Lib: a.Lib, Shape: shapes.Reduced(a.Shape, axes, keep), DType: a.DType}
	items := a.Known()
	if len(items) == 0 {
		return out
	}
	strides, to := a.Shape.Strides(), kept.Strides()
	n, _ := kept.Elements()
	results := make([]value.Value, n)
	for i, item := range items {
		at := int64(0)
		for j, stride := range strides {
			if !slices.Contains(axes, j) {
				at += to[j] * (int64(i) / stride % a.Shape[j])
			}
		}
		if results[at].X == nil {
			results[at] = item
		} else if results[at] = combine(results[at], item); !objects.IsNumber(results[at]) {
			return out
		}
	}
	return a.Lib.numbered(out.Shape, a.DType, results)
}

// nested returns the numbers of an array as lists of lists.
func (a *Array) nested() value.Value {
	items := a.Known()
	if len(a.Shape) == 0 {
		return items[0]
	}
	list := &value.List{}
	for i := range a.Shape[0] {
		each := int64(len(items)) / a.Shape[0]
		part := &Array{Shape: a.Shape[1:], items: items[i*each : (i+1)*each]}
		list.Items = append(list.Items, part.nested())
	}
	return value.Value{X: list}
}

// unknownNumbers returns lists of lists as long as an array whose numbers are not known, for a cause.
// Of many, only their length is known.
func (a *Array) unknownNumbers(in *value.Interp, cause *value.Cause) value.Value {
	const most = 10_000
	if n, ok := a.Shape.Elements(); !ok || n > most || !in.Spend(int(n)) {
		why := cause.Unknown()
		if len(a.Shape) > 0 && a.Shape[0] >= 0 {
			return why.OfLength(a.Shape[0])
		}
		return why
	}
	if len(a.Shape) == 0 {
		return value.Value{X: &Array{Base: "an array", Lib: a.Lib, DType: a.DType, why: cause}}
	}
	list := &value.List{Items: make([]value.Value, a.Shape[0])}
	for i := range list.Items {
		list.Items[i] = (&Array{Lib: a.Lib, Shape: a.Shape[1:], DType: a.DType}).unknownNumbers(in, cause)
	}
	return value.Value{X: list}
}
