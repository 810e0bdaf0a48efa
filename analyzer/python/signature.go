package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// signature evaluates inspect.signature, limited to the names of the parameters.
func signature(in *value.Interp, args *value.Args) value.Value {
	v, _ := args.Get(0, "obj")
	names, ok := parameterNames(v)
	if !ok {
		return in.Unknown(value.Parameter, "the parameters of %s", interp.Describe(in, v))
	}
	parameters, list := &value.Dict{}, &value.List{}
	for _, name := range names {
		parameters.Put(value.Value{X: name}, in.Unknown(value.Parameter, "the parameter %s", name))
		list.Items = append(list.Items, value.Value{X: name})
	}
	fields := &value.Dict{}
	fields.Put(value.Value{X: "parameters"}, value.Value{X: parameters})
	fields.Put(value.Value{X: "args"}, value.Value{X: list})
	return interp.PlainInstance(in, "inspect.Signature", fields)
}

// parameterNames returns the parameters of a function; for a method, without the first.
func parameterNames(v value.Value) (names []string, ok bool) {
	switch x := v.X.(type) {
	case *value.Func:
		for _, p := range x.Def.Params {
			names = append(names, p.Name)
		}
		return names, true
	case *value.Bound:
		if names, ok = parameterNames(x.Func); len(names) > 0 {
			names = names[1:]
		}
		return names, ok
	case value.Object:
		return x.Signature()
	}
	return nil, false
}
