package gym

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// wrapper is what an object of a program's own wrapper inherits (gymnasium/core.py): all that the
// wrapper does not define is the environment's.
type wrapper struct {
	value.Opaque
	object *value.Instance
	class  string
	env    value.Value
}

// wrappers are the classes that a program's own wrappers extend. Those with a method pass what
// they change through it.
var wrappers = []string{"Wrapper", "ObservationWrapper", "RewardWrapper", "ActionWrapper"}

// InstanceOf returns what an object of a class of the program inherits from a class of Gymnasium;
// nil for other classes.
func InstanceOf(object *value.Instance, base string) value.Object {
	library, class, _ := strings.Cut(base, ".")
	class = strings.TrimPrefix(class, "core.")
	if library != "gym" && library != "gymnasium" || !slices.Contains(wrappers, class) {
		return nil
	}
	return &wrapper{value.Opaque{Base: "a wrapper of an environment"}, object, class, value.Value{}}
}

func (w *wrapper) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch {
	case name == "__init__":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			w.env, _ = args.Get(0, "env")
			return value.NoneValue
		})}, true
	case w.env.X == nil || strings.HasPrefix(name, "__"):
		return w.Base.GetAttr(in, name)
	case name == "env":
		return w.env, true
	case w.class == "ObservationWrapper" && (name == "reset" || name == "step"):
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			return w.shown(in, interp.Call(in, interp.Attr(in, w.env, name), args))
		})}, true
	}
	return interp.FindAttr(in, w.env, name)
}

// shown passes the observation in what an environment returns through the program's own method.
func (w *wrapper) shown(in *value.Interp, v value.Value) value.Value {
	change := func(seen value.Value) value.Value {
		return interp.CallMethod(in, w.object, "observation", &value.Args{Positional: []value.Value{seen}})
	}
	if of, ok := v.X.(value.Tuple); ok && len(of) > 0 {
		return value.Value{X: append(value.Tuple{change(of[0])}, of[1:]...)}
	}
	if !v.Known() {
		return v
	}
	return change(v)
}
