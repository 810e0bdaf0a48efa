package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A function is a function of TensorFlow, Keras or NumPy on tensors. It is known by the last part
// of its name. If the libraries differ, it does what they agree on.
type function func(h *host, in *value.Interp, name string, args *value.Args) value.Value

// A functionRow is a function and its names in [arrays.Modules], without the module's. Names that
// begin with "ops." are those of keras.ops functions that differ from TensorFlow's functions of the
// same name.
type functionRow struct {
	f     function
	names string
}

// functionTables are all functions on tensors.
var functionTables = [][]functionRow{
	attentionFunctions, concatFunctions, createFunctions, einopsFunctions, gatherFunctions, imageFunctions, lossFunctions, mathFunctions, productFunctions,
	reduceFunctions, scatterFunctions, searchFunctions, shapeFunctions, signalFunctions, sparseFunctions, stepFunctions,
}

// functionNamed returns the function of a library, and its name without the library's; nil if it
// is not modelled.
func functionNamed(name string) (function, string) {
	functions := loaded().functions
	if f := functions[name]; f != nil {
		return f, name
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil, ""
	}
	module, short := name[:i], name[i+1:]
	if arrays.Modules[module] {
		if f := functions[opsPrefix+short]; f != nil && strings.HasPrefix(name, "tensorflow.keras.ops.") {
			return f, opsPrefix + short
		}
		if f := functions[short]; f != nil {
			return f, short
		}
	}
	if i = strings.LastIndexByte(module, '.'); i > 0 && arrays.Modules[module[:i]] { // linalg.diag
		return functions[name[i+1:]], name[i+1:]
	}
	return nil, ""
}

// opsPrefix starts the names of keras.ops functions that differ from TensorFlow's functions of
// the same name.
const opsPrefix = "ops."

// creating are the functions that create a tensor from a shape.
var creating = map[string]bool{
	"zeros": true, "ones": true, "fill": true, "full": true, "range": true, "arange": true, "normal": true, "uniform": true, "truncated_normal": true,
	"eye": true, "randint": true,
}

// onTensors answers for functions on tensors. On numbers and arrays they are those of package
// arrays, so far as it has them.
func onTensors(c *hostCall) value.Value {
	h, in, args := c.h, c.in, c.args
	if v := h.arrays.OnArrays(in, c.name, args); v.X != nil {
		return v
	}
	symbolic, arrays := kinds(args)
	f, short := functionNamed(c.name)
	if c.name == "tensorflow.keras."+backendConcatenate {
		short = backendConcatenate
	}
	switch {
	case f == nil:
		return value.Value{}
	case symbolic:
		// The lists are copied: a program may change them later, and the operation is repeated
		// when a batch is priced.
		return f(h, in, short, eachArgument(args, func(v value.Value) value.Value { return v }))
	case arrays:
		return eager(h, f(h, in, short, symbolicArguments(h, args)))
	case creating[short]:
		return eager(h, f(h, in, short, args))
	}
	for _, v := range args.Positional {
		if why := objects.UnknownIn(v); why != nil {
			return why.Unknown()
		}
	}
	if why := objects.UnknownIn(objects.First(args)); why != nil {
		return why.Unknown()
	}
	return value.Value{}
}

// kinds reports whether the arguments contain symbolic tensors, or values made from them, and
// whether they contain arrays (concrete).
func kinds(args *value.Args) (symbolic, concrete bool) {
	var look func(v value.Value, depth int)
	look = func(v value.Value, depth int) {
		switch v.X.(type) {
		case *symbolicValue, *variable, *lostVariable, *dimension, *vector:
			symbolic = true
		case *array, *sparse:
			concrete = true
		default:
			if items, ok := objects.Sequence(v); ok && depth < 4 {
				for _, item := range items[:min(len(items), 64)] {
					look(item, depth+1)
				}
			}
		}
	}
	for _, v := range args.Positional {
		look(v, 0)
	}
	for _, v := range args.Keywords.All() {
		look(v, 0)
	}
	return symbolic, concrete
}

// each replaces the leaves of a value: the items of nested tuples, lists and dictionaries.
func each(v value.Value, replace func(value.Value) value.Value) value.Value {
	return replaced(v, true, replace)
}

// replaced replaces the leaves of a value. Without lists, a list is a leaf.
func replaced(v value.Value, lists bool, replace func(value.Value) value.Value) value.Value {
	switch x := v.X.(type) {
	case value.Tuple:
		out := make(value.Tuple, len(x))
		for i, item := range x {
			out[i] = replaced(item, lists, replace)
		}
		return value.Value{X: out}
	case *value.List:
		if !lists {
			break
		}
		if x.Passes() {
			return v // an iterator: its readers share its position
		}
		out := &value.List{Open: x.Open, Items: make([]value.Value, len(x.Items))}
		for i, item := range x.Items {
			out.Items[i] = replaced(item, lists, replace)
		}
		return value.Value{X: out}
	case *value.Dict:
		out := &value.Dict{Open: x.Open, Keys: x.Keys, Values: make([]value.Value, len(x.Values))}
		for i, item := range x.Values {
			out.Values[i] = replaced(item, lists, replace)
		}
		return value.Value{X: out}
	}
	return replace(v)
}

// symbolicArguments replaces arrays by tensors of their shapes.
func symbolicArguments(h *host, args *value.Args) *value.Args {
	replace := func(v value.Value) value.Value {
		if a, ok := v.X.(*array); ok {
			return h.tensor(&Symbolic{Shape: a.Shape, DType: a.DType})
		}
		return v
	}
	return eachArgument(args, replace)
}

func eachArgument(args *value.Args, replace func(value.Value) value.Value) *value.Args {
	out := &value.Args{Node: args.Node, Open: args.Open}
	for _, v := range args.Positional {
		out.Positional = append(out.Positional, each(v, replace))
	}
	for name, v := range args.Keywords.All() {
		out.Keywords.Put(name, each(v, replace))
	}
	return out
}

// eager replaces tensors in a result by arrays of their shapes.
func eager(h *host, v value.Value) value.Value {
	return each(v, func(v value.Value) value.Value {
		switch x := v.X.(type) {
		case *symbolicValue:
			return h.newArray(x.s.Shape, x.s.DType)
		case *vector:
			return value.Value{X: value.Tuple(x.items)}
		}
		return v
	})
}

// operand returns an argument as a tensor.
func (h *host) operand(v value.Value) (*Symbolic, *value.Cause) {
	switch x := v.X.(type) {
	case *symbolicValue:
		return x.s, nil
	case *variable:
		return symbolOf(x.read())
	case int64, *dimension, bool:
		return symbolOf(h.constant(Shape{}, "int32"))
	case float64:
		return symbolOf(h.constant(Shape{}, "float32"))
	case *vector:
		return symbolOf(h.constant(Shape{int64(len(x.items))}, "int32"))
	case *lostVariable:
		return nil, x.why
	case value.Unknown:
		return nil, x.Cause
	}
	if shape, d, ok := arrays.Of(v); ok {
		if d == "float64" {
			d = "float32"
		}
		return symbolOf(h.constant(shape, d))
	}
	items, ok := objects.Sequence(v)
	if !ok || len(items) == 0 {
		return nil, value.Because(value.WrongType, "an operation on tensors is called with something that is not a tensor")
	}
	var parts []*Symbolic
	for _, item := range items {
		s, why := h.operand(item)
		if why != nil {
			return nil, why
		}
		parts = append(parts, s)
	}
	return symbolOf(h.operate("Pack", parts, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return stack(g, in, 0)
	}))
}

// symbolOf returns the tensor that an operation returned, or why there is none.
func symbolOf(made value.Value) (*Symbolic, *value.Cause) {
	if s, ok := made.X.(*symbolicValue); ok {
		return s.s, nil
	}
	return nil, made.Cause()
}

// constant returns a tensor that does not depend on a model's inputs. Its shape may contain
// dimensions.
func (h *host) constant(shape Shape, d DType) value.Value {
	return h.operate("Const", nil, nil, func(g *Graph, _ []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpConst, nil, shape, d)}, nil
	})
}

// operands returns several arguments as tensors.
func (h *host) operands(items []value.Value) ([]*Symbolic, *value.Cause) {
	out := make([]*Symbolic, len(items))
	for i, item := range items {
		var why *value.Cause
		if out[i], why = h.operand(item); why != nil {
			return nil, why
		}
	}
	return out, nil
}

// onOne applies an operation to the first argument.
func (h *host) onOne(name string, args *value.Args, uses []value.Value, do func(g *Graph, x *Tensor, at func(value.Value) value.Value) ([]*Tensor, error)) value.Value {
	s, why := h.operand(objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	return h.operate(name, []*Symbolic{s}, uses, func(g *Graph, in []*Tensor, at func(value.Value) value.Value) ([]*Tensor, error) {
		return do(g, in[0], at)
	})
}

// axisArgument returns an axis, or fallback if none is passed.
func axisArgument(args *value.Args, position int, fallback int) (int, error) {
	v, ok := objects.Passed(args, position, "axis", "dim")
	if !ok {
		return fallback, nil
	}
	n, ok := v.Int()
	if !ok {
		return 0, value.Because(value.ArrayShape, "an axis is not known: %s", objects.Because(v))
	}
	return int(n), nil
}

// axisOf returns an axis counted from the front.
func axisOf(axis int, shape Shape) (int, error) {
	at := axis
	if at < 0 {
		at += len(shape)
	}
	if at < 0 || at >= len(shape) {
		return 0, value.Because(value.KerasRaises, "TensorFlow will raise: %d is not a dimension of %s", axis, shape)
	}
	return at, nil
}

func passedInt(args *value.Args, position int, names ...string) (int, bool) {
	v, ok := objects.Passed(args, position, names...)
	n, isInt := v.Int()
	return int(n), ok && isInt
}
