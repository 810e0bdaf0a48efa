package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// Isinstance reports whether v is an instance of a class.
func Isinstance(v, class Value) (truth, known bool) {
	switch c := class.X.(type) {
	case Tuple:
		known = true
		for _, one := range c {
			t, k := Isinstance(v, one)
			if t && k {
				return true, true
			}
			known = known && k
		}
		return false, known
	case *Class:
		switch o := v.X.(type) {
		case *Instance:
			if IndexOf(o.Class.Mro, class) >= 0 {
				return true, true
			}
			return false, !slices.ContainsFunc(o.Class.Mro, func(k Value) bool { return !k.Known() })
		case Unknown, External:
			return false, false
		}
		return false, true
	case External:
		return IsBuiltin(v, c.Name)
	}
	return false, false
}

// abstract are the names by which programs ask for Python's types.
var abstract = map[string][]string{
	"int": {"int", "bool"}, "float": {"float"}, "bool": {"bool"}, "str": {"str"}, "list": {"list"}, "tuple": {"tuple"},
	"dict": {"dict"}, "set": {"set"}, "range": {"range"}, "slice": {"slice"}, "NoneType": {"NoneType"}, "object": nil,
	"numbers.Number": {"int", "bool", "float"}, "numbers.Real": {"int", "bool", "float"}, "numbers.Integral": {"int", "bool"},
	"collections.abc.Sequence": {"list", "tuple", "str", "range"}, "typing.Sequence": {"list", "tuple", "str", "range"},
	"collections.abc.Iterable": {"list", "tuple", "str", "range", "dict", "set"}, "typing.Iterable": {"list", "tuple", "str", "range", "dict", "set"},
	"collections.abc.Mapping": {"dict"}, "typing.Mapping": {"dict"}, "typing.Dict": {"dict"}, "typing.List": {"list"}, "typing.Tuple": {"tuple"},
	"collections.OrderedDict": {}, "bytes": {}, "complex": {}, "frozenset": {}, "bytearray": {},
	"six.string_types": {"str"}, "six.integer_types": {"int", "bool"}, "collections.abc.Callable": {"function"}, "typing.Callable": {"function"},
}

// IsSubtype reports whether one of Python's own types is another, or inherits from it.
func IsSubtype(class, ancestor string) (truth, known bool) {
	name, own := strings.CutPrefix(class, "builtins.")
	names, python := abstract[strings.TrimPrefix(ancestor, "builtins.")]
	if !own || !python || len(abstract[name]) == 0 {
		return false, false // an abstract class may know others
	}
	return ancestor == "builtins.object" || slices.Contains(names, name), true
}

// IsBuiltin reports whether v is an instance of a class of Python or of a library.
func IsBuiltin(v Value, class string) (truth, known bool) {
	short := strings.TrimPrefix(class, "builtins.")
	if short == "object" {
		return true, true
	}
	if o, ok := v.X.(*Instance); ok {
		if o.Class.Inherits(class) || o.Class.Tuple && slices.Contains(abstract[short], "tuple") {
			return true, true
		}
		if o.Host != nil {
			return o.Host.InstanceOf(class)
		}
		_, python := abstract[short]
		return false, o.Class.Open() == nil || python && !slices.ContainsFunc(o.Class.Mro, func(k Value) bool { return !k.Known() })
	}
	if x, ok := v.X.(Object); ok {
		return x.InstanceOf(class)
	}
	names, python := abstract[short]
	kind := TypeName(v)
	switch {
	case !python && IsException(short):
		return false, kind != ""
	case !python && strings.HasPrefix(class, "tensorflow."), !python && strings.HasPrefix(class, "numpy."), !python && strings.HasPrefix(class, "pathlib."):
		return false, kind != "" && kind != "function" // a number or text of Python is not of a library's type
	case !python, kind == "":
		return false, false
	}
	return slices.Contains(names, kind), true
}

// TypeName returns the name of the Python type of a value, or an empty text if it is
// not of Python's own types.
func TypeName(v Value) string {
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
		if x.Consumed || x.View {
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
	case *Func, *Bound, Method, *StaticMethod:
		return "function"
	case *Class:
		return "type"
	case Slice:
		return "slice"
	}
	return ""
}

// IsSubclass reports whether a library's class is another or inherits from it.
func IsSubclass(class, ancestor string) bool {
	for range 16 {
		if class == ancestor {
			return class != ""
		}
		class = effects.Library{}.Base(class)
	}
	return false
}

// A ForeignType is an unidentified type of a library, not one of Python's own.
type ForeignType struct{ Of string }

// What names the type in reasons.
func (t ForeignType) What() string { return "the type of " + t.Of }

// differForeign reports whether the types a and b are known to differ if one of them is foreign.
func differForeign(a, b Value) (differ, ok bool) {
	if _, foreign := b.X.(ForeignType); foreign {
		a, b = b, a
	}
	if _, foreign := a.X.(ForeignType); !foreign {
		return false, false
	}
	x, ok := b.X.(External)
	return ok && strings.HasPrefix(x.Name, "builtins."), true
}
