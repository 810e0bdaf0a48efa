package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// threads are the classes whose start runs a function, or run of a class that extends them.
// What they run is followed where they are started.
var threads = []string{"threading.Thread", "multiprocessing.Process"}

// A thread is one, or what an object of a class that extends it inherits.
type thread struct {
	value.Opaque
	object *value.Instance // of the program's own class, or nil
	target value.Value
	args   *value.Args
}

// ThreadOf returns what an object of a class of the program inherits from a class of threads; nil
// for other classes.
func ThreadOf(object *value.Instance, base string) value.Object {
	for _, name := range threads {
		if base == name {
			return &thread{Opaque: value.Opaque{Base: "a thread"}, object: object}
		}
	}
	return nil
}

func addThreads(lenient value.Adder) {
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		t := &thread{Opaque: value.Opaque{Base: "a thread"}}
		t.init(in, args)
		return value.Value{X: t}
	}, threads...)
}

// init is __init__(group, target, name, args, kwargs).
func (t *thread) init(in *value.Interp, args *value.Args) value.Value {
	t.target, _ = args.Get(1, "target")
	t.args = &value.Args{Node: args.Node}
	if given, ok := args.Get(3, "args"); ok {
		items, known := interp.Items(in, given)
		if !known {
			t.target = in.Unknown(value.Parameter, "what a thread passes to its function")
			return value.NoneValue
		}
		t.args.Positional = items
	}
	if given, ok := args.Get(4, "kwargs"); ok {
		named, isDict := given.X.(*value.Dict)
		if !isDict {
			return value.NoneValue
		}
		for i, key := range named.Keys {
			if name, ok := key.X.(string); ok {
				t.args.Keywords.Put(name, named.Values[i])
			}
		}
	}
	return value.NoneValue
}

func (t *thread) run(in *value.Interp, _ *value.Args) value.Value {
	if t.target.X != nil && t.args != nil {
		interp.Call(in, t.target, t.args)
	}
	return value.NoneValue
}

func (t *thread) start(in *value.Interp, args *value.Args) value.Value {
	if t.object == nil {
		return t.run(in, args)
	}
	interp.Call(in, interp.Attr(in, value.Value{X: t.object}, "run"), &value.Args{Node: args.Node})
	return value.NoneValue
}

func (t *thread) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	method := func(m value.Method) (value.Value, bool) { return value.Value{X: m}, true }
	switch name {
	case "__init__":
		return method(t.init)
	case "run":
		return method(t.run)
	case "start":
		return method(t.start)
	case "join", "setDaemon":
		return method(func(*value.Interp, *value.Args) value.Value { return value.NoneValue })
	}
	return t.Base.GetAttr(in, name)
}
