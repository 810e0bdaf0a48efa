package facts

import (
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A TraceKey is what a tf.function tells traces apart by, for one argument
// (tensorflow/core/function/trace_type/trace_type_builder.py, from_value).
type TraceKey uint8

const (
	NotTraced    TraceKey = iota
	ByNumber              // the value of a Python number
	ByText                // the characters of a string
	ByLambda              // a function that the iteration makes
	ByMethod              // a bound method: Python makes one each time that the attribute is read
	ByPartial             // functools.partial, or another object around a function
	ByObject              // an object of a class of the program
	ByContainer           // one of those as an item of a list, a tuple or a dict
	ByListLength          // how many items a Python list has
	ByShape               // the shape of an array or a tensor
	ByFileShape           // the same, where it is that of a picture or a sound in a file
)

// TraceRows names, for each key, the rows of testdata/traces/record.py in which ten calls are traced ten times.
// Those of Relaxed are traced twice with reduce_retracing=True.
var TraceRows = map[TraceKey][]string{
	ByNumber:     {"int", "float"},
	ByText:       {"str", "path"},
	ByLambda:     {"lambda", "function defined for the call"},
	ByMethod:     {"bound method", "bound method of a new object"},
	ByPartial:    {"partial"},
	ByObject:     {"new object"},
	ByContainer:  {"dict of numbers", "list of numbers", "tuple of numbers", "list of strings"},
	ByListLength: {"longer list of numbers", "longer list of tensors"},
	ByShape:      {"longer array", "longer tensor", "longer batch of rows"},
	ByFileShape:  {"picture of another size"},
}

// Relaxed reports whether reduce_retracing=True keeps an argument from being traced more than twice.
func (k TraceKey) Relaxed() bool { return k == ByShape || k == ByFileShape }

// A Retrace says by what an argument of a tf.function surely is another one in each iteration of a loop.
type Retrace struct {
	By TraceKey
	// Part is the argument, or the item of it that differs, and Item what that is told apart by.
	Part syntax.Node
	Item TraceKey
	// Values is how many traces there are at most, or 0 if that is not known.
	Values int
}

// Retraces tells by what an argument makes a new trace of a tf.function in each iteration of a loop.
func (f *Facts) Retraces(n syntax.Node, in *origins.Call, loop syntax.Node) Retrace {
	defer f.info.Enter(n).Leave()
	if c := f.Varies(n, in, loop); c.Surely {
		return Retrace{By: ByNumber, Part: n, Values: c.Values}
	}
	p := origins.Place{Node: n, In: in}
	end, ok := f.begins(retraces, p)
	if !ok {
		return Retrace{}
	}
	defer end()
	if c := f.TextVaries(n, in, loop); c.Surely {
		return Retrace{By: ByText, Part: n, Values: c.Values}
	}
	if found := f.origins.Until(p, f.decides); len(found) == 1 && len(found[0].Path) == 0 {
		if r := f.madeAnew(found[0], loop); r.By != NotTraced {
			r.Values = f.Iterations(loop, nil)
			return r
		}
	}
	if c := f.ShapeVaries(n, in, loop); c.Surely {
		return Retrace{By: ByShape, Part: n, Values: c.Values}
	}
	if by := f.sizeVaries(p, loop); by != NotTraced {
		return Retrace{By: by, Part: n, Values: f.Iterations(loop, nil)}
	}
	return Retrace{}
}

// madeAnew answers for what each iteration makes: functions, objects, and containers with such items.
func (f *Facts) madeAnew(origin origins.Place, loop syntax.Node) Retrace {
	n := origin.Node
	repeated := f.Repeats(origin, loop)
	switch n.Kind() {
	case syntax.Lambda:
		if repeated {
			return Retrace{By: ByLambda, Part: n}
		}
	case syntax.Identifier:
		if b := f.info.ReachingDefs(n); len(b) == 1 && b[0].Kind == names.FunctionBinding && len(b[0].Func.Decorators) == 0 &&
			f.Repeats(origins.Place{Node: b[0].Func.Node, In: origin.In}, loop) {
			return Retrace{By: ByLambda, Part: n}
		}
	case syntax.Attribute:
		class := f.info.TypeOf(n.Child(syntax.FieldObject)).Local
		if class == nil || !repeated || len(f.info.Attribute(class, n.Child(syntax.FieldAttribute).Text())) > 0 {
			break
		}
		if m := f.info.Method(class, n.Child(syntax.FieldAttribute).Text()); m != nil && len(m.Decorators) == 0 {
			return Retrace{By: ByMethod, Part: n}
		}
	case syntax.Call:
		if repeated && f.info.Callee(n) == "functools.partial" {
			return Retrace{By: ByPartial, Part: n}
		}
		if repeated && f.hashedByIdentity(n) {
			return Retrace{By: ByObject, Part: n}
		}
	case syntax.Dictionary, syntax.List, syntax.Tuple:
		if !repeated {
			break
		}
		for item := range n.Children() {
			if item.Kind() == syntax.Pair {
				item = item.Child(syntax.FieldValue)
			}
			if r := f.Retraces(item, origin.In, loop); r.By != NotTraced && !r.By.Relaxed() {
				return Retrace{By: ByContainer, Part: r.Part, Item: innermost(r)}
			}
		}
	case syntax.ListComprehension:
		if repeated && f.lengthVaries(origin, loop) {
			return Retrace{By: ByListLength, Part: n}
		}
	}
	return Retrace{}
}

// hashedByIdentity reports whether a call makes an object of a class of the program that a tf.function knows by its
// identity: one with neither bases, such as NamedTuple or a layer, nor an equality or a trace type of its own.
func (f *Facts) hashedByIdentity(call syntax.Node) bool {
	class := f.info.TypeOf(call).Local
	if class == nil || f.info.Target(call.Child(syntax.FieldFunction)).Class != class || f.info.LibraryBase(class) != "" || f.info.InheritsUnknown(class) {
		return false
	}
	for _, own := range []string{"__eq__", "__hash__", "__tf_tracing_type__"} {
		if f.info.Method(class, own) != nil {
			return false
		}
	}
	return class.Node.Field() != syntax.FieldDefinition // no dataclass: they differ in what they hash by
}

// innermost returns what tells apart the part that differs.
func innermost(r Retrace) TraceKey {
	if r.By == ByContainer {
		return r.Item
	}
	return r.By
}
