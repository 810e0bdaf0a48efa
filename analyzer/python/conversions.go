package python

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

func parseInt(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func inBase(base int, prefix string) value.Native {
	return value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		n, ok := value.Whole(value.Positional(args, 0).X)
		if !ok {
			return in.Unknown(value.NumberRange, "a number that is not whole")
		}
		digits := prefix + strconv.FormatUint(value.Magnitude(n), base)
		if n < 0 {
			digits = "-" + digits
		}
		return value.Value{X: digits}
	}}
}

// toInt evaluates int(v). The result keeps the literal of v.
func toInt(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional)+args.Keywords.Len() == 0 {
		return value.Value{X: int64(0)}
	}
	v := value.Plain(value.Positional(args, 0))
	base := 10
	if b, ok := args.Get(1, "base"); ok {
		n, ok := b.Int()
		if !ok || n < 0 || n > 36 {
			return in.Unknown(value.UnmodelledPython, "a number in base %s", interp.Describe(in, b))
		}
		base = int(n)
	}
	switch x := v.X.(type) {
	case int64:
		return v
	case bool:
		n, _ := value.Whole(x)
		return value.Value{X: n, Overridable: v.Overridable}
	case float64:
		if math.Abs(x) < 1<<63 {
			return value.Value{X: int64(x), Lit: v.Lit, Scalar: v.Scalar, Overridable: v.Overridable}
		}
		return in.Unknown(value.NumberRange, "%s as a whole number", value.FormatFloat(x))
	case string:
		s := strings.ReplaceAll(strings.TrimSpace(x), "_", "")
		if base == 16 || base == 0 {
			s = strings.Replace(strings.ToLower(s), "0x", "", min(base/16, 1))
		}
		n, err := strconv.ParseInt(s, base, 64)
		if err != nil {
			return in.Unknown(value.WillRaise, "int(%s) raises ValueError", value.Quote(x))
		}
		return value.Value{X: n, Lit: v.Lit, Scalar: v.Scalar, Overridable: v.Overridable}
	case single:
		if n, ok := x.Converted("int"); ok {
			return n
		}
	case *value.Instance:
		for _, name := range []string{"__int__", "__index__"} {
			if x.Defines(name) {
				return interp.CallMethod(in, x, name, &value.Args{})
			}
		}
	}
	return in.Unknown(value.WrongType, "int(%s)", interp.Describe(in, v))
}

func toFloat(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return value.Value{X: 0.0}
	}
	v := value.Plain(value.Positional(args, 0))
	if s, ok := v.X.(string); ok {
		switch strings.TrimLeft(strings.ToLower(strings.TrimSpace(s)), "+") {
		case "inf", "infinity":
			return value.Value{X: math.Inf(1)}
		case "-inf", "-infinity":
			return value.Value{X: math.Inf(-1)}
		case "nan":
			return value.Value{X: math.NaN()}
		}
		if f, ok := value.ParseFloat(strings.TrimSpace(s)); ok {
			return value.Value{X: f, Lit: v.Lit, Overridable: v.Overridable}
		}
		return in.Unknown(value.WillRaise, "float(%s) raises ValueError", value.Quote(s))
	}
	if f, ok := value.Number(v.X); ok {
		return value.Value{X: f, Lit: v.Lit, Overridable: v.Overridable}
	}
	if x, ok := v.X.(single); ok {
		if f, ok := x.Converted("float"); ok {
			return f
		}
	}
	return in.Unknown(value.WrongType, "float(%s)", interp.Describe(in, v))
}

// A single is a number of a library that is not known: an array without dimensions. Converted
// returns it as one of Python's int, float or bool; ok is false if there are several numbers.
type single interface {
	Converted(class string) (v value.Value, ok bool)
}

// collected returns a new list of the items of v.
func collected(in *value.Interp, v value.Value) *value.List {
	many := count(v)
	items, ok := interp.Elements(in, v)
	if s, set := v.X.(*value.Set); set && len(s.Items) > 1 {
		ok = false
	}
	if l, isList := v.X.(*value.List); isList && l.Endless {
		ok = false
	}
	if !ok {
		l := value.UnknownList(interp.WhyNotIterable(in, v), false)
		if of, isList := v.X.(*value.List); isList {
			l.Typical, l.Last = of.Typical, of.Shared()
		} else if many > 0 {
			l.Typical = interp.Sample(in, v)
		}
		l.Count = many
		return &l
	}
	return &value.List{Items: slices.Clone(items)}
}

// count returns how many items a value has that are not listed, 0 if that is not known. It is asked
// before an iterator is at its end.
func count(v value.Value) int64 {
	if of, is := v.X.(interp.Counted); is {
		if n, ok := of.Counted(); ok {
			return n
		}
	}
	return 0
}

func toList(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return value.Value{X: &value.List{}}
	}
	return value.Value{X: collected(in, value.Positional(args, 0))}
}

func toTuple(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return value.Value{X: value.Tuple{}}
	}
	if t, ok := value.Positional(args, 0).X.(value.Tuple); ok {
		return value.Value{X: t}
	}
	l := collected(in, value.Positional(args, 0))
	if l.Open != nil {
		return value.Value{X: value.Unknown{Cause: l.Open}}
	}
	return value.Value{X: value.Tuple(l.Items)}
}

func toDict(in *value.Interp, args *value.Args) value.Value {
	d := &value.Dict{}
	for _, v := range args.Positional {
		interp.Update(in, d, v)
	}
	for name, v := range args.Keywords.All() {
		d.Put(value.Value{X: name}, v)
	}
	if args.Open != nil {
		d.Open = args.Open
	}
	return value.Value{X: d}
}

func toSet(in *value.Interp, args *value.Args) value.Value {
	s := &value.Set{}
	if len(args.Positional) == 0 {
		return value.Value{X: s}
	}
	if x, ok := value.Positional(args, 0).X.(value.Object); ok {
		if s.Items, ok = x.Distinct(); ok {
			return value.Value{X: s}
		}
	}
	interp.AddAll(in, s, value.Positional(args, 0))
	return value.Value{X: s}
}
