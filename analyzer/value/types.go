package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// isinstance reports whether v is an instance of a class.
func (in *Interp) isinstance(v, class Value) (truth, known bool) {
	switch c := class.X.(type) {
	case Tuple:
		known = true
		for _, one := range c {
			t, k := in.isinstance(v, one)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case *Class:
		switch o := v.X.(type) {
		case *Instance:
			if indexOf(o.Class.mro, class) >= 0 {
				return true, true
			}
			return false, !slices.ContainsFunc(o.Class.mro, func(k Value) bool { return !k.Known() })
		case Unknown, External:
			return false, false
		}
		return false, true
	case External:
		return in.isBuiltin(v, c.Name)
	}
	return false, false
}

// abstract are the names by which programs ask for Python's types.
var abstract = map[string][]string{
	"int": {"int", "bool"}, "float": {"float"}, "bool": {"bool"}, "str": {"str"}, "list": {"list"}, "tuple": {"tuple"},
	"dict": {"dict"}, "set": {"set"}, "range": {"range"}, "NoneType": {"NoneType"}, "object": nil,
	"numbers.Number": {"int", "bool", "float"}, "numbers.Real": {"int", "bool", "float"}, "numbers.Integral": {"int", "bool"},
	"collections.abc.Sequence": {"list", "tuple", "str", "range"}, "typing.Sequence": {"list", "tuple", "str", "range"},
	"collections.abc.Iterable": {"list", "tuple", "str", "range", "dict", "set"}, "typing.Iterable": {"list", "tuple", "str", "range", "dict", "set"},
	"collections.abc.Mapping": {"dict"}, "typing.Mapping": {"dict"}, "typing.Dict": {"dict"}, "typing.List": {"list"}, "typing.Tuple": {"tuple"},
	"collections.OrderedDict": {}, "bytes": {}, "complex": {}, "frozenset": {}, "bytearray": {},
	"six.string_types": {"str"}, "six.integer_types": {"int", "bool"}, "collections.abc.Callable": {"function"}, "typing.Callable": {"function"},
}

// isBuiltin reports whether v is an instance of a class of Python or of a library.
func (in *Interp) isBuiltin(v Value, class string) (truth, known bool) {
	short := strings.TrimPrefix(class, "builtins.")
	if short == "object" {
		return true, true
	}
	if o, ok := v.X.(*Instance); ok {
		if o.Class.Inherits(class) || o.Class.tuple && slices.Contains(abstract[short], "tuple") {
			return true, true
		}
		if o.Host != nil {
			return o.Host.InstanceOf(class)
		}
		_, python := abstract[short]
		return false, o.Class.open() == nil || python && !slices.ContainsFunc(o.Class.mro, func(k Value) bool { return !k.Known() })
	}
	if x, ok := v.X.(Object); ok {
		return x.InstanceOf(class)
	}
	names, python := abstract[short]
	kind := typeName(v)
	switch {
	case !python && isException(short):
		return false, kind != ""
	case !python && strings.HasPrefix(class, "tensorflow."), !python && strings.HasPrefix(class, "numpy."), !python && strings.HasPrefix(class, "pathlib."):
		return false, kind != "" && kind != "function" // a number or text of Python is not of a library's type
	case !python, kind == "":
		return false, false
	}
	return slices.Contains(names, kind), true
}

// typeName returns the name of the Python type of a value, or an empty text if it is
// not of Python's own types.
func typeName(v Value) string {
	switch x := v.X.(type) {
	case int64:
		return "int"
	case float64:
		return "float"
	case bool:
		return "bool"
	case string:
		return "str"
	case None:
		return "NoneType"
	case *List:
		if x.consumed || x.view {
			return "iterator"
		}
		return "list"
	case Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case *Set:
		return "set"
	case Range:
		return "range"
	case *Func, *Bound, Method, *staticMethod:
		return "function"
	case *Class:
		return "type"
	case Slice:
		return "slice"
	}
	return ""
}

// isSubclass reports whether a library's class is another or inherits from it.
func isSubclass(class, ancestor string) bool {
	for range 16 {
		if class == ancestor {
			return class != ""
		}
		class = effects.Library{}.Base(class)
	}
	return false
}

func (in *Interp) issubclass(v, class Value) (truth, known bool) {
	c, ok := v.X.(*Class)
	if !ok {
		x, ok := v.X.(External)
		base, ok2 := class.X.(External)
		return ok && ok2 && isSubclass(x.Name, base.Name), ok && ok2 && isSubclass(x.Name, base.Name)
	}
	return in.isinstance(Value{X: &Instance{Class: c}}, class)
}

// typeOf evaluates type(v).
func (in *Interp) typeOf(v Value) Value {
	switch x := v.X.(type) {
	case *Instance:
		return Value{X: x.Class}
	case Unknown:
		return Value{X: x}
	}
	if name := typeName(v); builtinTypes[name] || name == "NoneType" {
		return Value{X: External{"builtins." + name}}
	}
	if x, ok := v.X.(Object); ok {
		if class, ok := x.GetAttr(in, "__class__"); ok && class.Known() {
			return class
		}
	}
	if in.foreign(v) {
		return Value{X: foreignType{in.causeOf(v).String()}}
	}
	return in.Unknown(WrongType, "the type of %s", in.describe(v))
}

// A foreignType is an unidentified type of a library, not one of Python's own.
type foreignType struct{ of string }

// What names the type in reasons.
func (t foreignType) What() string { return "the type of " + t.of }

// foreign reports whether a value is not an instance of Python's own types.
func (in *Interp) foreign(v Value) bool {
	if _, ok := v.X.(Object); !ok {
		return false
	}
	for _, name := range [...]string{"int", "float", "bool", "str", "list", "tuple", "dict", "set"} {
		if truth, known := in.isinstance(v, Value{X: External{"builtins." + name}}); truth || !known {
			return false
		}
	}
	return true
}

// isForeign compares the types a and b if one of them is foreign.
func isForeign(a, b Value) (equal, known, ok bool) {
	if _, foreign := b.X.(foreignType); foreign {
		a, b = b, a
	}
	if _, foreign := a.X.(foreignType); !foreign {
		return false, false, false
	}
	x, ok := b.X.(External)
	return false, ok && strings.HasPrefix(x.Name, "builtins."), true
}
