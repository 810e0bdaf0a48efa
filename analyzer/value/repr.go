package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

func textTooLong() *Cause { return Because(TooLong, "a text that is too long to follow") }

// str returns a text value, or Unknown if the text is too long.
func (in *Interp) str(s string) Value {
	if len(s) > maxText || !in.Spend(len(s)/64) {
		return textTooLong().Unknown()
	}
	return Value{X: s}
}

// toText evaluates str(v).
func (in *Interp) toText(v Value) Value {
	switch x := v.X.(type) {
	case string:
		return Value{X: x, Lit: v.Lit, Overridable: v.Overridable}
	case pathLike:
		return Value{X: x.fspath(), Overridable: v.Overridable}
	case *Instance:
		if _, ok := x.Class.lookup("__str__"); ok {
			return in.CallMethod(x, "__str__", &Args{})
		}
		if x.Class.mixed && x.Class.inheritsAny(func(name string) bool {
			return name == "enum.IntEnum" || name == "enum.StrEnum" || name == "enum.IntFlag"
		}) {
			return in.toText(plain(v))
		}
		if x.Class.members != nil {
			name, _ := x.Attrs.Get("_name_")
			return Value{X: fmt.Sprintf("%s.%s", x.Class.Name, name.X)}
		}
	}
	return in.repr(v)
}

// repr evaluates repr(v).
func (in *Interp) repr(v Value) Value {
	if v.Cause() != nil {
		return Value{X: v.X}
	}
	var b strings.Builder
	if why := in.writeRepr(&b, v, 32); why != nil {
		return Value{X: Unknown{why}}
	}
	out := in.str(b.String())
	out.Overridable = v.Overridable
	return out
}

func (in *Interp) writeRepr(b *strings.Builder, v Value, depth int) *Cause {
	if depth == 0 || b.Len() > maxText || !in.Spend(1) {
		return textTooLong()
	}
	items := func(open, end string, items []Value) *Cause {
		b.WriteString(open)
		for i, v := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := in.writeRepr(b, v, depth-1); why != nil {
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
		b.WriteString(formatFloat(x))
	case bool:
		if x {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case None:
		b.WriteString("None")
	case Ellipsis:
		b.WriteString("Ellipsis")
	case string:
		b.WriteString(quote(x))
	case *List:
		if x.Open != nil {
			return x.Open
		}
		if x.consumed || x.view {
			return Because(UnmodelledPython, "the text of an iterator")
		}
		return items("[", "]", x.Items)
	case Tuple:
		if len(x) == 1 {
			return items("(", ",)", x)
		}
		return items("(", ")", x)
	case *Set:
		if x.Open != nil || len(x.Items) > 1 {
			return Because(Unordered, "the order of a set")
		}
		if len(x.Items) == 0 {
			b.WriteString("set()")
			return nil
		}
		return items("{", "}", x.Items)
	case *Dict:
		if x.Open != nil {
			return x.Open
		}
		if x.missing != nil {
			return Because(UnmodelledPython, "the text of a defaultdict")
		}
		b.WriteString("{")
		for i, key := range x.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			if why := in.writeRepr(b, key, depth-1); why != nil {
				return why
			}
			b.WriteString(": ")
			if why := in.writeRepr(b, x.Values[i], depth-1); why != nil {
				return why
			}
		}
		b.WriteString("}")
	case Range:
		fmt.Fprintf(b, "range(%d, %d", x.Start, x.Stop)
		if x.Step != 1 {
			fmt.Fprintf(b, ", %d", x.Step)
		}
		b.WriteString(")")
	case External:
		if name, ok := strings.CutPrefix(x.Name, "builtins."); ok && builtinTypes[name] {
			fmt.Fprintf(b, "<class '%s'>", name)
			return nil
		}
		return Because(UnmodelledPython, "the text of %s", x.Name)
	case *Instance:
		return in.reprInstance(b, x, depth)
	case Unknown:
		return x.Cause
	default:
		return Because(UnmodelledPython, "the text of %s", in.describe(v))
	}
	return nil
}

func (in *Interp) reprInstance(b *strings.Builder, o *Instance, depth int) *Cause {
	if _, ok := o.Class.lookup("__repr__"); ok {
		v := in.CallMethod(o, "__repr__", &Args{})
		s, ok := v.X.(string)
		if !ok {
			return Because(UnmodelledPython, "the text of a %s", o.Class.Name)
		}
		b.WriteString(s)
		return nil
	}
	if o.Class.members != nil {
		name, _ := o.Attrs.Get("_name_")
		fmt.Fprintf(b, "<%s.%s: ", o.Class.Name, name.X)
		if why := in.writeRepr(b, o.enumValue(), depth-1); why != nil {
			return why
		}
		b.WriteString(">")
		return nil
	}
	if o.holds != nil {
		return in.writeRepr(b, held(Value{X: o}), depth)
	}
	if !o.Class.tuple && !o.Class.dataclass() {
		return Because(UnmodelledPython, "the text of a %s", o.Class.Name)
	}
	b.WriteString(o.Class.Name + "(")
	for i, v := range o.fieldValues() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(o.Class.fields[i].name + "=")
		if why := in.writeRepr(b, v, depth-1); why != nil {
			return why
		}
	}
	b.WriteString(")")
	return nil
}

// formatFloat returns Python's repr of a float: the shortest text that reads back as
// the same number.
func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote returns Python's repr of a text.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteByte(q)
	for _, r := range s {
		switch {
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// causeOf is why a value is not known, or has the wrong type.
func (in *Interp) causeOf(v Value) *Cause {
	if why := v.Cause(); why != nil {
		return why
	}
	return Because(WrongType, "%s", in.describe(v))
}

// describe names a value in a message: by its cause where it is not known, else in words.
func (in *Interp) describe(v Value) any {
	switch x := v.X.(type) {
	case Unknown:
		return x.Cause
	case External:
		return x.Name
	case *Instance:
		return "a " + x.Class.Name
	case *Class:
		return x.Name
	case *Func:
		return x.Def.Name
	case int64, float64, bool, None, string:
		var b strings.Builder
		in.writeRepr(&b, v, 2)
		if b.Len() > 40 {
			return strings.ToValidUTF8(b.String()[:40], "") + "…"
		}
		return b.String()
	}
	if name := typeName(v); name != "" {
		return "a " + name
	}
	if x, ok := v.X.(interface{ What() string }); ok {
		return x.What()
	}
	return "a value"
}
