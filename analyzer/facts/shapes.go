package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Rows are what is known of the first axis of an array.
type Rows struct {
	// One is set if the array surely has one row: it is a batch of one example.
	One bool
	// Of are the names and attributes of which nothing else is known, and of which the array is made.
	Of []syntax.Node
}

// mostDimensions is the largest number of dimensions that an array is taken to have of which nothing
// is known: a batch of videos has as many.
const mostDimensions = 5

// Rows returns what is known of the rows of an array. It asks the functions that make it, which are
// those of [keras.Calculator], for each number of dimensions that the arrays may have of which nothing
// is known. What a function refuses cannot be.
//
// With assumed, an operator keeps the rows of one operand whatever the other is. That is for arrays of
// which the program surely uses one row.
func (f *Facts) Rows(n syntax.Node, in *origins.Call, assumed bool) Rows {
	for _, sized := range []bool{false, true} {
		var of []syntax.Node
		one, others := false, false
		for rank := 1; rank <= mostDimensions; rank++ {
			t := f.trial(rank, sized, assumed)
			v := t.of(origins.Place{Node: n, In: in})
			switch shape := shapeOf(v); {
			case v.X == nil:
			case len(shape) == 0 || shape[0] != 1:
				others = true
			default:
				one, of = true, t.leaves
			}
		}
		if one && !others {
			return Rows{true, of}
		}
	}
	return Rows{}
}

// channels are those of a picture, and aSize is below all sizes that stand for unknown ones.
const channels, aSize = 3, 1000

// A trial evaluates an expression in which each array of which nothing is known has so many
// dimensions. The empty value is that of what cannot be.
type trial struct {
	*Facts
	rank int
	// sized is set if each unknown dimension has a size that no other has, and the third one that of the
	// channels of a picture: a reshape may repeat the sizes of what it is given.
	sized   bool
	assumed bool
	// unknownType is that of the items of an array of which nothing is known.
	unknownType tensor.DType
	numbers     bool // what is not known is a number
	opaque      bool // it is neither a number nor an array
	alike       bool // it has as many dimensions as what stands before it
	leaves      []syntax.Node
	known       map[asked]value.Value
	open        map[origins.Key]bool
	named       map[string]int64 // the first of the sizes of an expression that is not known
	varied      *varied          // or nil
}

// asked is what was asked of an origin.
type asked struct {
	of      origins.Key
	rank    int
	numbers bool
	alike   bool
	opaque  bool
}

// of evaluates a place: what its origins agree on. An origin that is being evaluated, as x of
// x = x / 2 in a loop, is as the others are.
func (t *trial) of(p origins.Place) value.Value {
	defer t.info.Enter(p.Node).Leave()
	if v, varies := t.seed(p); varies {
		return v
	}
	var all value.Value
	first := true
	for _, origin := range t.origins.Of(p) {
		if !origin.Node.Valid() {
			return t.unknown(p.Node)
		}
		k := origin.Key()
		if t.open[k] || origin.Node.Kind() == syntax.NoneLiteral && p.Node.Kind() == syntax.Attribute {
			continue // an attribute that is None holds nothing yet
		}
		v, done := t.known[asked{k, t.rank, t.numbers, t.alike, t.opaque}]
		if !done {
			t.open[k] = true
			leaves := len(t.leaves)
			v = t.made(origin)
			delete(t.open, k)
			if len(t.leaves) > leaves && p.Node.Is(syntax.Identifier, syntax.Attribute) {
				t.reads(p.Node)
			}
			t.known[asked{k, t.rank, t.numbers, t.alike, t.opaque}] = v
		}
		if first {
			all, first = v, false
		} else {
			all = t.joined(p.Node, all, v)
		}
	}
	if first {
		return t.unknown(p.Node)
	}
	return all
}

// joined returns what is known of a value that has one shape or another.
func (t *trial) joined(n syntax.Node, a, b value.Value) value.Value {
	x, y := shapeOf(a), shapeOf(b)
	switch {
	case t.sized && (a.X == nil || b.X == nil):
		return t.functions.Array(tensor.Shape{tensor.None}, t.unknownType) // sizes of two arrays may be the same
	case a.X == nil:
		return b
	case b.X == nil:
		return a
	case x == nil || len(x) != len(y):
		return t.unknown(n)
	case slices.Equal(x, y) && typeOf(a) == typeOf(b):
		return a
	}
	x = slices.Clone(x)
	for i := range x {
		if x[i] != y[i] {
			x[i] = tensor.None
		}
	}
	if dtype := typeOf(a); dtype == typeOf(b) {
		return t.functions.Array(x, dtype)
	}
	return t.functions.Array(x, t.unknownType)
}

func typeOf(array value.Value) tensor.DType {
	_, dtype, _ := numpy.Of(array)
	return dtype
}

// shapeOf returns the shape of an array, or nil.
func shapeOf(v value.Value) tensor.Shape {
	shape, _, ok := numpy.Of(v)
	if !ok {
		return nil
	}
	return shape
}

// mayBroadcast reports whether nothing is known of the sizes of an array.
func (t *trial) mayBroadcast(shape tensor.Shape) bool {
	for i, n := range shape {
		if n >= 0 && !(t.sized && (n > aSize || i == 2 && n == channels)) {
			return false
		}
	}
	return true
}

// unknown returns what an expression may be of which nothing is known.
func (t *trial) unknown(n syntax.Node) value.Value {
	t.reads(n)
	if t.opaque {
		return value.Because(value.FileContents, "it is not known").Unknown()
	}
	if t.numbers {
		return value.Value{X: t.sizeOf(n.Text(), 0)}
	}
	return t.functions.Array(t.sizes(n.Text(), slices.Repeat(tensor.Shape{tensor.None}, t.rank)), t.unknownType)
}

// sizes gives the unknown dimensions of an array sizes of their own.
func (t *trial) sizes(name string, shape tensor.Shape) tensor.Shape {
	if t.sized {
		shape = slices.Clone(shape)
		for i, n := range shape {
			if n < 0 {
				shape[i] = t.sizeOf(name, i+1)
			}
			if n < 0 && i == 2 && len(shape) == 3 {
				shape[i] = channels
			}
		}
	}
	return shape
}

// sizeOf returns a number that stands for one that is not known: the same for the same expression, and
// for no other.
func (t *trial) sizeOf(name string, axis int) int64 {
	first, seen := t.named[name]
	if !seen {
		first = aSize + 1 + int64(len(t.named))*32 // no array has as many dimensions
		t.named[name] = first
	}
	return first + int64(axis)
}

// reads notes the names and attributes that an expression reads.
func (t *trial) reads(n syntax.Node) {
	for _, m := range Reads(n) {
		if !slices.Contains(t.leaves, m) {
			t.leaves = append(t.leaves, m)
		}
	}
}

// Reads returns the names and attributes in an expression.
func Reads(n syntax.Node) (read []syntax.Node) {
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Attribute || m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
			read = append(read, m)
		}
		return true
	})
	return read
}

// made evaluates an origin.
func (t *trial) made(p origins.Place) value.Value {
	if v, varies := t.seed(p); varies {
		return v
	}
	n := p.Node
	of := func(n syntax.Node) value.Value { return t.of(origins.Place{Node: n, In: p.In}) }
	if len(p.Path) > 0 {
		return t.partOf(p)
	}
	switch n.Kind() {
	case syntax.String:
		text, _ := names.StringValue(n)
		return value.Value{X: text}
	case syntax.True, syntax.False:
		return value.Value{X: n.Kind() == syntax.True}
	case syntax.NoneLiteral:
		return value.Value{X: value.None{}}
	case syntax.Identifier:
		if value.BuiltinTypes[n.Text()] && t.info.Lookup(n) == nil {
			return value.Value{X: value.External{Name: "builtins." + n.Text()}}
		}
	case syntax.Ellipsis:
		return value.Value{X: value.Ellipsis{}}
	case syntax.Tuple, syntax.ExpressionList, syntax.List:
		return t.display(n, of)
	case syntax.Attribute:
		return t.attribute(n, p.In)
	case syntax.Subscript:
		object := t.array(n.Child(syntax.FieldValue), p.In)
		if object.X == nil {
			return object
		}
		if t.varied != nil && !t.varied.reached && !t.Kinds(n.Child(syntax.FieldValue), p.In).Surely(Array|Tensor) {
			return t.unknown(n) // it may be no array
		}
		index := t.index(n, p.In)
		t.reads(n.Child(syntax.FieldSubscript))
		if _, _, ok := numpy.Of(object); !ok {
			return t.unknown(n)
		}
		return t.result(interp.Index(t.functions.In, object, index))
	case syntax.BinaryOperator, syntax.UnaryOperator, syntax.AugmentedAssignment:
		if number := t.Number(n, p.In); number.Complete && t.varied == nil {
			return numeral(number)
		}
		if operator := n.Child(syntax.FieldOperator).Text(); t.varied != nil && (operator == "%" || operator == "//") {
			return t.unknown(n) // it has few values
		}
		if n.Kind() == syntax.UnaryOperator {
			return of(n.Child(syntax.FieldArgument))
		}
		return t.operated(strings.TrimSuffix(n.Child(syntax.FieldOperator).Text(), "="), of(n.Child(syntax.FieldLeft)), of(n.Child(syntax.FieldRight)))
	case syntax.Call:
		return t.numeral(n, t.call(n, p.In))
	}
	if number := t.Number(n, p.In); number.Complete {
		return numeral(number)
	}
	return t.unknown(n)
}

// partOf evaluates an item of what is no display. What a function returns of which nothing is known, if
// it returns several arrays, has as many rows in each.
func (t *trial) partOf(p origins.Place) value.Value {
	defer t.info.Enter(p.Node).Leave()
	if p.Node.Kind() == syntax.Identifier {
		return t.unknown(p.Node)
	}
	v := t.made(origins.Place{Node: p.Node, In: p.In})
	if p.Node.Kind() == syntax.Call && !t.modelled(p.Node) && !isSequence(v) {
		return v
	}
	for _, i := range p.Path {
		k, ok := i.(int)
		if shape := shapeOf(v); !ok || len(shape) == 0 {
			return t.unknown(p.Node)
		}
		if v = interp.Index(t.functions.In, v, value.Value{X: int64(k)}); !v.Known() {
			return t.unknown(p.Node)
		}
	}
	return t.numeral(p.Node, v)
}

// numeral returns a number that a run draws or computes, where one is asked for.
func (t *trial) numeral(n syntax.Node, v value.Value) value.Value {
	if shape, _, ok := numpy.Of(v); t.numbers && ok && len(shape) == 0 {
		return t.unknown(n)
	}
	return v
}

func (t *trial) modelled(call syntax.Node) bool {
	name := t.info.Callee(call)
	return name != "" && t.functions.Models(name)
}

// result returns the array, or another value that is known, that an operation returns.
func (t *trial) result(v value.Value) value.Value {
	if !v.Known() {
		return value.Value{}
	}
	if a, ok := v.X.(*numpy.Array); ok && t.sized && slices.Contains(a.Shape, tensor.None) {
		if t.varied != nil && t.varied.reads && len(a.Shape) == 3 {
			return t.functions.Array(tensor.Shape{t.varied.size(), t.varied.size() + 1, channels}, a.DType)
		}
		return t.functions.Array(t.sizes("", a.Shape), a.DType)
	}
	return v
}

// numeral returns a number, or one of several.
func numeral(n Numbers) value.Value {
	if whole, ok := n.Whole(); ok {
		return value.Value{X: whole}
	}
	return value.Value{X: n.Low}
}

// display evaluates a list or tuple.
func (t *trial) display(n syntax.Node, of func(syntax.Node) value.Value) value.Value {
	defer func(rank int) { t.rank = rank }(t.rank)
	var items []value.Value
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Comment:
		case syntax.ListSplat:
			more := of(c.FirstChild())
			if shape, ok := more.X.(value.Tuple); ok {
				items = append(items, shape...)
				continue
			}
			return t.unknown(n)
		default:
			v := of(c)
			if v.X == nil {
				return v
			}
			if shape := shapeOf(v); t.alike && len(shape) > 0 {
				t.rank = len(shape)
			}
			items = append(items, v)
		}
	}
	if n.Kind() == syntax.List {
		return value.Value{X: &value.List{Items: items}}
	}
	return value.Value{X: value.Tuple(items)}
}

// attribute evaluates an attribute of an array, such as x.shape, or a name of a module.
func (t *trial) attribute(n syntax.Node, in *origins.Call) value.Value {
	switch name := t.info.Qualified(n); name[:max(strings.IndexByte(name, '.'), 0)] {
	case "numpy", "tensorflow", "cv2":
		if v, ok := t.functions.In.Host.Attr(t.functions.In, name); ok {
			return v
		}
		return value.Value{X: value.External{Name: name}}
	}
	object := t.array(n.Child(syntax.FieldObject), in)
	name := n.Child(syntax.FieldAttribute).Text()
	a, isArray := object.X.(*numpy.Array)
	if _, ok := object.X.(value.Object); ok && (!isArray || name == "shape" || name == "T" || !t.mayBroadcast(a.Shape)) {
		if v := interp.Attr(t.functions.In, object, name); v.Known() {
			return v
		}
	}
	return t.unknown(n)
}

// index evaluates the index of a subscript. A slice of one item is one wherever it begins.
func (t *trial) index(n syntax.Node, in *origins.Call) value.Value {
	defer func(before bool) { t.numbers = before }(t.numbers)
	t.numbers = true
	var parts []value.Value
	for c := n.Child(syntax.FieldSubscript); c.Valid(); c = c.Next() {
		parts = append(parts, t.part(c, in))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return value.Value{X: value.Tuple(parts)}
}

func (t *trial) part(n syntax.Node, in *origins.Call) value.Value {
	defer t.info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.Slice:
		none := value.Value{X: value.None{}}
		whole := value.Slice{Start: none, Stop: none, Step: none}
		switch {
		case ofOne(n):
			whole.Stop, whole.Width = value.Value{X: int64(1)}, value.Value{X: int64(1)}
		case n.Text() != ":":
			bounds := strings.SplitN(n.Text(), ":", 3)
			child := n.FirstChild()
			for i, to := range []*value.Value{&whole.Start, &whole.Stop, &whole.Step} {
				if i < len(bounds) && strings.TrimSpace(bounds[i]) != "" && child.Valid() {
					*to = t.of(origins.Place{Node: child, In: in})
					child = child.Next()
				}
			}
		}
		return value.Value{X: whole}
	case syntax.Tuple, syntax.ExpressionList:
		var parts []value.Value
		for c := range n.Children() {
			parts = append(parts, t.part(c, in))
		}
		return value.Value{X: value.Tuple(parts)}
	}
	return t.of(origins.Place{Node: n, In: in})
}

// ofOne reports whether a slice has one item: i:i+1, 3:4, :1 or -1:.
func ofOne(slice syntax.Node) bool {
	from, to, ok := strings.Cut(strings.ReplaceAll(slice.Text(), " ", ""), ":")
	switch {
	case !ok:
		return false
	case from == "-1" && to == "", from != "" && (to == from+"+1" || to == "1+"+from):
		return true
	case from == "":
		from = "0"
	}
	start, err := strconv.Atoi(from)
	return err == nil && start != -1 && to == strconv.Itoa(start+1)
}

// operated evaluates an operator. An operand of which nothing is known may have as many rows as it
// likes, unless the right one is assumed to have as many as the left one.
func (t *trial) operated(operator string, a, b value.Value) value.Value {
	if a.X == nil || b.X == nil {
		return value.Value{}
	}
	x, y := shapeOf(a), shapeOf(b)
	_, text := a.X.(string)
	switch {
	case text:
		return value.Value{X: ""}
	case isSequence(a) && isSequence(b):
	case len(x) > 0 && len(y) > 0 && t.mayBroadcast(y) && !t.mayBroadcast(x):
		if t.assumed {
			return a
		}
		return t.functions.Array(x.With(0, tensor.None), t.unknownType)
	case len(x) > 0 && len(y) > 0 && t.mayBroadcast(x) && !t.mayBroadcast(y):
		return t.functions.Array(y.With(0, tensor.None), t.unknownType)
	}
	return t.result(interp.Binary(t.functions.In, operator, a, b))
}

// isSequence reports whether a value is a tuple or list, and no array.
func isSequence(v value.Value) bool {
	_, ok := objects.Sequence(v)
	_, array := v.X.(*numpy.Array)
	return ok && !array
}

// array is of for what must be an array.
func (t *trial) array(n syntax.Node, in *origins.Call) value.Value {
	defer func(numbers, opaque bool) { t.numbers, t.opaque = numbers, opaque }(t.numbers, t.opaque)
	t.numbers, t.opaque = false, false
	return t.of(origins.Place{Node: n, In: in})
}

// Scalar reports whether an expression is surely one number.
func (f *Facts) Scalar(n syntax.Node, in *origins.Call) bool {
	for rank := 1; rank <= 2; rank++ {
		if shape, _, ok := numpy.Of(f.trial(rank, false, false).of(origins.Place{Node: n, In: in})); !ok || len(shape) > 0 {
			return false
		}
	}
	return true
}

func (f *Facts) trial(rank int, sized, assumed bool) *trial {
	if f.functions == nil {
		f.functions = keras.CalculatorOf(f.info)
	}
	return &trial{Facts: f, rank: rank, sized: sized, assumed: assumed, unknownType: "float32", known: map[asked]value.Value{}, open: map[origins.Key]bool{}, named: map[string]int64{}}
}
