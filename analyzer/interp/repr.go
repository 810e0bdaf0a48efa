package interp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// ToText evaluates str(v).
func ToText(in *value.Interp, v value.Value) value.Value {
	switch x := v.X.(type) {
	case string:
		return value.Value{X: x, Lit: v.Lit, Overridable: v.Overridable}
	case value.PathLike:
		return value.Value{X: x.Fspath(), Overridable: v.Overridable}
	case *value.Instance:
		if _, ok := x.Class.Lookup("__str__"); ok {
			return CallMethod(in, x, "__str__", &value.Args{})
		}
		if x.Class.Mixed && x.Class.InheritsAny(func(name string) bool {
			return name == "enum.IntEnum" || name == "enum.StrEnum" || name == "enum.IntFlag"
		}) {
			return ToText(in, value.Plain(v))
		}
		if x.Class.Members != nil {
			name, _ := x.Attrs.Get("_name_")
			return value.Value{X: fmt.Sprintf("%s.%s", x.Class.Name, name.X)}
		}
	}
	return Repr(in, v)
}

// Repr evaluates repr(v).
func Repr(in *value.Interp, v value.Value) value.Value {
	if v.Cause() != nil {
		return value.Value{X: v.X}
	}
	var b strings.Builder
	if why := writeRepr(in, &b, v, 32); why != nil {
		return value.Value{X: value.Unknown{Cause: why}}
	}
	out := in.Str(b.String())
	out.Overridable = v.Overridable
	return out
}

func writeRepr(in *value.Interp, b *strings.Builder, v value.Value, depth int) *value.Cause {
	if depth == 0 || b.Len() > value.MaxText || !in.Spend(1) {
		return value.TextTooLong()
	}
	items := func(open, end string, items []value.Value) *value.Cause {
		b.WriteString(open)
		for i, v := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := writeRepr(in, b, v, depth-1); why != nil {
				return why
			}
		}
		b.WriteString(end)
		return nil
	}
	switch x := v.X.(type) {
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case float64:
		b.WriteString(value.FormatFloat(x))
	case bool:
		if x {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case value.None:
		b.WriteString("None")
	case value.Ellipsis:
		b.WriteString("Ellipsis")
	case string:
		b.WriteString(value.Quote(x))
	case *value.List:
		if x.Open != nil {
			return x.Open
		}
		if x.Consumed || x.View {
			return value.Because(value.UnmodelledPython, "the text of an iterator")
		}
		return items("[", "]", x.Items)
	case value.Tuple:
		if len(x) == 1 {
			return items("(", ",)", x)
		}
		return items("(", ")", x)
	case *value.Set:
		if x.Open != nil || len(x.Items) > 1 {
			return value.Because(value.Unordered, "the order of a set")
		}
		if len(x.Items) == 0 {
			b.WriteString("set()")
			return nil
		}
		return items("{", "}", x.Items)
	case *value.Dict:
		if x.Open != nil {
			return x.Open
		}
		if x.Missing != nil {
			return value.Because(value.UnmodelledPython, "the text of a defaultdict")
		}
		b.WriteString("{")
		for i, key := range x.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := writeRepr(in, b, key, depth-1); why != nil {
				return why
			}
			b.WriteString(": ")
			if why := writeRepr(in, b, x.Values[i], depth-1); why != nil {
				return why
			}
		}
		b.WriteString("}")
	case value.Range:
		fmt.Fprintf(b, "range(%d, %d", x.Start, x.Stop)
		if x.Step != 1 {
			fmt.Fprintf(b, ", %d", x.Step)
		}
		b.WriteString(")")
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "builtins."); ok && value.BuiltinTypes[name] {
			fmt.Fprintf(b, "<class '%s'>", name)
			return nil
		}
		return value.Because(value.UnmodelledPython, "the text of %s", x.Name)
	case *value.Instance:
		return reprInstance(in, b, x, depth)
	case value.Unknown:
		return x.Cause
	default:
		return value.Because(value.UnmodelledPython, "the text of %s", Describe(in, v))
	}
	return nil
}

func reprInstance(in *value.Interp, b *strings.Builder, o *value.Instance, depth int) *value.Cause {
	if _, ok := o.Class.Lookup("__repr__"); ok {
		v := CallMethod(in, o, "__repr__", &value.Args{})
		s, ok := v.X.(string)
		if !ok {
			return value.Because(value.UnmodelledPython, "the text of a %s", o.Class.Name)
		}
		b.WriteString(s)
		return nil
	}
	if o.Class.Members != nil {
		name, _ := o.Attrs.Get("_name_")
		fmt.Fprintf(b, "<%s.%s: ", o.Class.Name, name.X)
		if why := writeRepr(in, b, o.EnumValue(), depth-1); why != nil {
			return why
		}
		b.WriteString(">")
		return nil
	}
	if o.Holds != nil {
		return writeRepr(in, b, value.Held(value.Value{X: o}), depth)
	}
	if !o.Class.Tuple && !o.Class.Dataclass() {
		return value.Because(value.UnmodelledPython, "the text of a %s", o.Class.Name)
	}
	b.WriteString(o.Class.Name + "(")
	for i, v := range o.FieldValues() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(o.Class.Fields[i].Name + "=")
		if why := writeRepr(in, b, v, depth-1); why != nil {
			return why
		}
	}
	b.WriteString(")")
	return nil
}

// CauseOf is why a value is not known, or has the wrong type.
func CauseOf(in *value.Interp, v value.Value) *value.Cause {
	if why := v.Cause(); why != nil {
		return why
	}
	return value.Because(value.WrongType, "%s", Describe(in, v))
}

// Describe names a value in a message: by its cause where it is not known, else in words.
func Describe(in *value.Interp, v value.Value) any {
	switch x := v.X.(type) {
	case value.Unknown:
		return x.Cause
	case value.External:
		return x.Name
	case *value.Instance:
		return "a " + x.Class.Name
	case *value.Class:
		return x.Name
	case *value.Func:
		return x.Def.Name
	case int64, float64, bool, value.None, string:
		var b strings.Builder
		writeRepr(in, &b, v, 2)
		if b.Len() > 40 {
			return strings.ToValidUTF8(b.String()[:40], "") + "…"
		}
		return b.String()
	}
	if name := value.TypeName(v); name != "" {
		return "a " + name
	}
	if x, ok := v.X.(interface{ What() string }); ok {
		return x.What()
	}
	return "a value"
}
