package ops

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A FunctionRow is a function and its names in [numpy.Modules], without the module's. Names that
// begin with "ops." are those of keras.ops functions that differ from TensorFlow's functions of the
// same name.
type FunctionRow struct {
	F     state.Function
	Names string
}

// FunctionNamed returns the function of a library, and its name without the library's; nil if it
// is not modelled.
func FunctionNamed(name string) (state.Function, string) {
	functions := state.Loaded().Functions
	if f := functions[name]; f != nil {
		return f, name
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil, ""
	}
	module, short := name[:i], name[i+1:]
	if numpy.Modules[module] {
		if f := functions[opsPrefix+short]; f != nil && strings.HasPrefix(name, "tensorflow.keras.ops.") {
			return f, opsPrefix + short
		}
		if f := functions[short]; f != nil {
			return f, short
		}
	}
	if i = strings.LastIndexByte(module, '.'); i > 0 && numpy.Modules[module[:i]] { // linalg.diag
		return functions[name[i+1:]], name[i+1:]
	}
	return nil, ""
}

// MakesTensor reports whether a function, eager and on tensors or arrays, returns tensors: one of the
// modules of functions on tensors, but for those that give NumPy's arrays.
func MakesTensor(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	module, short := name[:i], name[i+1:]
	switch module {
	case "numpy", "numpy.linalg", "tensorflow.keras.utils", "tensorflow.keras.applications":
		return false // arrays of arrays
	}
	switch short {
	case "make_ndarray", "get_static_value", "convert_to_numpy", "get_value", "batch_get_value", "eval", "cast_to_floatx":
		return false
	}
	return numpy.Modules[module] && (short == "Variable" || short[:1] == strings.ToLower(short[:1]))
}

// opsPrefix starts the names of keras.ops functions that differ from TensorFlow's functions of
// the same name.
const opsPrefix = "ops."

// creating are the functions that create a tensor from a shape.
var creating = map[string]bool{
	"zeros": true, "ones": true, "fill": true, "full": true, "range": true, "arange": true, "normal": true, "uniform": true, "truncated_normal": true,
	"eye": true, "randint": true,
}

// OnTensors answers for functions on tensors. On numbers and arrays they are those of package
// arrays, so far as it has them.
func OnTensors(c *state.Call) value.Value {
	h, in, args := c.H, c.In, c.Args
	if v := h.Arrays.OnArrays(in, c.Name, args); v.X != nil {
		return v
	}
	symbolic, arrays := Kinds(args)
	f, short := FunctionNamed(c.Name)
	if c.Name == "tensorflow.keras."+shapes.BackendConcatenate {
		short = shapes.BackendConcatenate
	}
	switch {
	case f == nil:
		return value.Value{}
	case symbolic:
		// The lists are copied: a program may change them later, and the operation is repeated
		// when a batch is priced.
		return f(h, in, short, EachArgument(args, func(v value.Value) value.Value { return v }))
	case arrays:
		return Eager(h, f(h, in, short, SymbolicArguments(h, args)))
	case creating[short]:
		return Eager(h, f(h, in, short, args))
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

// Kinds reports whether the arguments contain symbolic tensors, or values made from them, and
// whether they contain arrays (concrete).
func Kinds(args *value.Args) (symbolic, concrete bool) {
	var look func(v value.Value, depth int)
	look = func(v value.Value, depth int) {
		switch x := v.X.(type) {
		case *dimension:
			symbolic, concrete = symbolic || x.data == nil, concrete || x.data != nil
		case *Vector:
			symbolic, concrete = symbolic || !x.ofData(), concrete || x.ofData()
		case *SymbolicValue, *Variable, *LostVariable, *copied, *repeated:
			symbolic = true
		case *numpy.Array, *sparse:
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

// Each replaces the leaves of a value: the items of nested tuples, named tuples, lists and
// dictionaries.
func Each(v value.Value, replace func(value.Value) value.Value) value.Value {
	return Replaced(v, true, replace)
}

// Replaced replaces the leaves of a value. Without lists, a list is a leaf.
func Replaced(v value.Value, lists bool, replace func(value.Value) value.Value) value.Value {
	switch x := v.X.(type) {
	case value.Tuple:
		out := make(value.Tuple, len(x))
		for i, item := range x {
			out[i] = Replaced(item, lists, replace)
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
			out.Items[i] = Replaced(item, lists, replace)
		}
		return value.Value{X: out}
	case *value.Dict:
		out := &value.Dict{Open: x.Open, Keys: x.Keys, Values: make([]value.Value, len(x.Values))}
		for i, item := range x.Values {
			out.Values[i] = Replaced(item, lists, replace)
		}
		return value.Value{X: out}
	case *value.Instance:
		if !x.Class.Tuple {
			break
		}
		out := &value.Instance{Class: x.Class, Attrs: &value.Namespace{}, Args: x.Args}
		for i, item := range x.FieldValues() {
			out.Attrs.Put(x.Class.Fields[i].Name, Replaced(item, lists, replace))
		}
		return value.Value{X: out}
	}
	return replace(v)
}

// SymbolicArguments replaces arrays by tensors of their shapes.
func SymbolicArguments(h *state.Host, args *value.Args) *value.Args {
	replace := func(v value.Value) value.Value {
		if a, ok := v.X.(*numpy.Array); ok {
			return Tensor(h, &graph.Symbolic{Shape: a.Shape, DType: a.DType})
		}
		return v
	}
	return EachArgument(args, replace)
}

func EachArgument(args *value.Args, replace func(value.Value) value.Value) *value.Args {
	out := &value.Args{Node: args.Node, Open: args.Open}
	for _, v := range args.Positional {
		out.Positional = append(out.Positional, Each(v, replace))
	}
	for name, v := range args.Keywords.All() {
		out.Keywords.Put(name, Each(v, replace))
	}
	return out
}

// Eager replaces tensors in a result by eager ones of their shapes.
func Eager(h *state.Host, v value.Value) value.Value {
	return Each(v, func(v value.Value) value.Value {
		switch x := v.X.(type) {
		case *SymbolicValue:
			a := h.Arrays.Array(x.S.Shape, x.S.DType).X.(*numpy.Array)
			a.Buffer = h.Arrays.NewBuffer(a.Shape, a.DType, syntax.Node{})
			return value.Value{X: a}
		case *dimension:
			return ofData(h, v)
		case *Vector:
			items := make([]value.Value, len(x.items))
			for i, item := range x.items {
				items[i] = ofData(h, item)
			}
			if v := (&Vector{x.Base, items}); v.ofData() {
				return value.Value{X: v}
			}
			return value.Value{X: value.Tuple(items)}
		}
		return v
	})
}

// ofData says of a dimension that it is an array's.
func ofData(h *state.Host, v value.Value) value.Value {
	if d, ok := v.X.(*dimension); ok && d.data == nil {
		of := *d
		of.data = h
		v.X = &of
	}
	return v
}

// Operand returns an argument as a tensor.
func Operand(h *state.Host, v value.Value) (*graph.Symbolic, *value.Cause) {
	switch x := v.X.(type) {
	case *SymbolicValue:
		return x.S, nil
	case *Variable:
		return symbolOf(x.read())
	case int64, *dimension, bool:
		return symbolOf(Constant(h, tensor.Shape{}, "int32"))
	case float64:
		return symbolOf(Constant(h, tensor.Shape{}, "float32"))
	case *Vector:
		return symbolOf(Constant(h, tensor.Shape{int64(len(x.items))}, "int32"))
	case *repeated:
		return x.tensor(h)
	case *LostVariable:
		return nil, x.Why
	case value.Unknown:
		return nil, x.Cause
	}
	if shape, d, ok := numpy.Of(v); ok {
		if d == "float64" {
			d = "float32"
		}
		return symbolOf(Constant(h, shape, d))
	}
	items, ok := objects.Sequence(v)
	if !ok || len(items) == 0 {
		return nil, value.Because(value.WrongType, "an operation on tensors is called with something that is not a tensor")
	}
	var parts []*graph.Symbolic
	for _, item := range items {
		s, why := Operand(h, item)
		if why != nil {
			return nil, why
		}
		parts = append(parts, s)
	}
	return symbolOf(Operate(h, "Pack", parts, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(joinTensors(g, "stack", in, &value.Args{}))
	}))
}

// symbolOf returns the tensor that an operation returned, or why there is none.
func symbolOf(made value.Value) (*graph.Symbolic, *value.Cause) {
	if s, ok := made.X.(*SymbolicValue); ok {
		return s.S, nil
	}
	return nil, made.Cause()
}

// Constant returns a tensor that does not depend on a model's inputs. Its shape may contain
// dimensions.
func Constant(h *state.Host, shape tensor.Shape, d tensor.DType) value.Value {
	return Operate(h, "Const", nil, nil, func(g *graph.Graph, _ []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpConst, nil, shape, d)}, nil
	})
}

// Operands returns several arguments as tensors.
func Operands(h *state.Host, items []value.Value) ([]*graph.Symbolic, *value.Cause) {
	out := make([]*graph.Symbolic, len(items))
	for i, item := range items {
		var why *value.Cause
		if out[i], why = Operand(h, item); why != nil {
			return nil, why
		}
	}
	return out, nil
}

// OnOne applies an operation to the first argument.
func OnOne(h *state.Host, name string, args *value.Args, uses []value.Value, do func(g *graph.Graph, x *graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error)) value.Value {
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	return Operate(h, name, []*graph.Symbolic{s}, uses, func(g *graph.Graph, in []*graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return do(g, in[0], at)
	})
}

// OnAll applies an operation to several values.
func OnAll(h *state.Host, name string, items, uses []value.Value, do func(g *graph.Graph, in []*graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error)) value.Value {
	in, why := Operands(h, items)
	if why != nil {
		return why.Unknown()
	}
	return Operate(h, name, in, uses, do)
}

// shaped applies an operation of a kind to the first argument, whose shape alone it changes.
func shaped(h *state.Host, class string, kind *graph.Kind, args *value.Args, uses []value.Value, shape func(s tensor.Shape, at func(value.Value) value.Value) (tensor.Shape, error)) value.Value {
	return OnOne(h, class, args, uses, func(g *graph.Graph, x *graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error) {
		s, err := shape(x.Shape, at)
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(kind, []*graph.Tensor{x}, s, x.DType)}, nil
	})
}

func passedInt(args *value.Args, position int, names ...string) (int, bool) {
	v, ok := objects.Passed(args, position, names...)
	n, isInt := v.Int()
	return int(n), ok && isInt
}
