package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// decorated evaluates a definition and applies its decorators, the last first.
func decorated(in *value.Interp, n syntax.Node) {
	def := n.Child(syntax.FieldDefinition)
	var decorators []syntax.Node
	for c := range n.Children() {
		if c.Kind() == syntax.Decorator {
			decorators = append(decorators, operand(c))
		}
	}
	var v value.Value
	switch def.Kind() {
	case syntax.FunctionDefinition:
		v = function(in, def)
	case syntax.ClassDefinition:
		v = class(in, def)
	default:
		unbind(in, n, value.Because(value.SyntaxError, "line %d does not parse", in.Line(n)).On(n))
		return
	}
	for _, d := range slices.Backward(decorators) {
		v = decorate(in, d, v)
	}
	in.Bind(def.Child(syntax.FieldName).Text(), v)
}

// transparent are decorators that do not change what a function computes.
var transparent = map[string]bool{
	"functools.wraps": true, "functools.lru_cache": true, "functools.cache": true, "functools.total_ordering": true, "abc.abstractmethod": true,
	"tensorflow.function": true, "tensorflow.autograph.experimental.do_not_convert": true, "tensorflow.Module.with_name_scope": true,
	"tensorflow.keras.saving.register_keras_serializable": true, "tensorflow.keras.utils.register_keras_serializable": true,
	"contextlib.contextmanager": true, "enum.unique": true,
	"typing.overload": true, "typing.override": true, "typing.final": true, "numba.jit": true, "numba.njit": true,
}

// decorate applies one decorator.
//
// An unknown decorator of a library is ignored: nearly all return something that is
// called like the function and computes the same. But gin, hydra, sacred and similar
// libraries exist to change defaults, so the function's defaults become overridable. A
// decorator of the program itself is called.
func decorate(in *value.Interp, d syntax.Node, v value.Value) value.Value {
	callee, args := d, &value.Args{Node: d}
	if d.Kind() == syntax.Call {
		callee = d.Child(syntax.FieldFunction)
	}
	decorator := Eval(in, callee)
	x, ok := decorator.X.(value.External)
	if d.Kind() == syntax.Call {
		args = arguments(in, d)
		if !ok {
			decorator = Call(in, decorator, args)
			x, ok = decorator.X.(value.External)
		}
	}
	if !ok {
		switch decorator.X.(type) {
		case *value.Func, *value.Bound, *value.Class, *value.Instance, value.Method, *Partial:
			return Call(in, decorator, &value.Args{Positional: []value.Value{v}, Node: d})
		}
		return OverridableDefaults(v)
	}
	switch x.Name {
	case "builtins.staticmethod":
		return value.Value{X: &value.StaticMethod{F: v}}
	case "builtins.classmethod":
		return value.Value{X: &value.ClassMethod{F: v}}
	case "builtins.property", "functools.cached_property", "abc.abstractproperty", "tensorflow.keras.utils.cached_property":
		return value.Value{X: &value.Property{Get: v}}
	case "dataclasses.dataclass":
		if c, ok := v.X.(*value.Class); ok {
			c.Made = true
		}
		return v
	case "functools.partial": // @partial(tf.function, jit_compile=True)
		if len(args.Positional) > 0 {
			if x, ok := args.Positional[0].X.(value.External); ok && transparent[x.Name] {
				return v
			}
			return Call(in, MakePartial(in, args), &value.Args{Positional: []value.Value{v}, Node: d})
		}
	}
	if transparent[x.Name] {
		return v
	}
	switch x.Name {
	case "tensorflow.recompute_grad", "tensorflow.keras.remat", "tensorflow.custom_gradient":
		return Call(in, decorator, &value.Args{Positional: []value.Value{v}, Node: d})
	}
	if apply, ok := in.Library.Decorators.Lookup(x.Name); ok {
		return apply(in, x.Name, args, v)
	}
	return OverridableDefaults(v)
}

// OverridableDefaults returns the function with overridable defaults.
func OverridableDefaults(v value.Value) value.Value {
	f, ok := v.X.(*value.Func)
	if !ok {
		return v
	}
	f.Defaults = slices.Clone(f.Defaults)
	for i := range f.Defaults {
		if f.Defaults[i].Known() {
			f.Defaults[i].Overridable = true
		}
	}
	return v
}
