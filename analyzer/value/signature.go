package value

// signature evaluates inspect.signature, limited to the names of the parameters.
func signature(in *Interp, args *Args) Value {
	v, _ := args.Get(0, "obj")
	names, ok := parameterNames(v)
	if !ok {
		return in.Unknown(Parameter, "the parameters of %s", in.describe(v))
	}
	parameters, list := &Dict{}, &List{}
	for _, name := range names {
		parameters.put(Value{X: name}, in.Unknown(Parameter, "the parameter %s", name))
		list.Items = append(list.Items, Value{X: name})
	}
	fields := &Dict{}
	fields.put(Value{X: "parameters"}, Value{X: parameters})
	fields.put(Value{X: "args"}, Value{X: list})
	return in.plainInstance("inspect.Signature", fields)
}

// parameterNames returns the parameters of a function; for a method, without the first.
func parameterNames(v Value) (names []string, ok bool) {
	switch x := v.X.(type) {
	case *Func:
		for _, p := range x.Def.Params {
			names = append(names, p.Name)
		}
		return names, true
	case *Bound:
		if names, ok = parameterNames(x.Func); len(names) > 0 {
			names = names[1:]
		}
		return names, ok
	case Object:
		return x.Signature()
	}
	return nil, false
}
