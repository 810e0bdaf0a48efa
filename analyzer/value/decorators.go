package value

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// decorated evaluates a definition and applies its decorators, the last first.
func (in *Interp) decorated(n syntax.Node) {
	def := n.Child(syntax.FieldDefinition)
	var decorators []syntax.Node
	for c := range n.Children() {
		if c.Kind() == syntax.Decorator {
			decorators = append(decorators, operand(c))
		}
	}
	var v Value
	switch def.Kind() {
	case syntax.FunctionDefinition:
		v = in.function(def)
	case syntax.ClassDefinition:
		v = in.class(def)
	default:
		in.unbind(n, Because(SyntaxError, "line %d does not parse", in.line(n)).On(n))
		return
	}
	for _, d := range slices.Backward(decorators) {
		v = in.decorate(d, v)
	}
	in.bind(def.Child(syntax.FieldName).Text(), v)
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
func (in *Interp) decorate(d syntax.Node, v Value) Value {
	callee, args := d, &Args{Node: d}
	if d.Kind() == syntax.Call {
		callee = d.Child(syntax.FieldFunction)
	}
	decorator := in.Eval(callee)
	x, ok := decorator.X.(External)
	if d.Kind() == syntax.Call {
		args = in.arguments(d)
		if !ok {
			decorator = in.Call(decorator, args)
			x, ok = decorator.X.(External)
		}
	}
	if !ok {
		switch decorator.X.(type) {
		case *Func, *Bound, *Class, *Instance, Method, *partial:
			return in.Call(decorator, &Args{Positional: []Value{v}, Node: d})
		}
		return overridableDefaults(v)
	}
	switch x.Name {
	case "builtins.staticmethod":
		return Value{X: &staticMethod{v}}
	case "builtins.classmethod":
		return Value{X: &classMethod{v}}
	case "builtins.property", "functools.cached_property", "abc.abstractproperty", "tensorflow.keras.utils.cached_property":
		return Value{X: &property{get: v}}
	case "dataclasses.dataclass":
		if c, ok := v.X.(*Class); ok {
			c.made = true
		}
		return v
	case "functools.partial": // @partial(tf.function, jit_compile=True)
		if len(args.Positional) > 0 {
			if x, ok := args.Positional[0].X.(External); ok && transparent[x.Name] {
				return v
			}
			return in.Call(in.makePartial(args), &Args{Positional: []Value{v}, Node: d})
		}
	}
	if transparent[x.Name] {
		return v
	}
	switch x.Name {
	case "tensorflow.recompute_grad", "tensorflow.keras.remat", "tensorflow.custom_gradient":
		return in.Call(decorator, &Args{Positional: []Value{v}, Node: d})
	}
	if apply, ok := in.library.decorators.Lookup(x.Name); ok {
		return apply(in, x.Name, args, v)
	}
	return overridableDefaults(v)
}

// overridableDefaults returns the function with overridable defaults.
func overridableDefaults(v Value) Value {
	f, ok := v.X.(*Func)
	if !ok {
		return v
	}
	f.defaults = slices.Clone(f.defaults)
	for i := range f.defaults {
		if f.defaults[i].Known() {
			f.defaults[i].Overridable = true
		}
	}
	return v
}
