package value

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

func parseInt(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func inBase(base int, prefix string) native {
	return native{run: func(in *Interp, args *Args) Value {
		n, ok := whole(positional(args, 0).X)
		if !ok {
			return in.Unknown(NumberRange, "a number that is not whole")
		}
		digits := prefix + strconv.FormatUint(magnitude(n), base)
		if n < 0 {
			digits = "-" + digits
		}
		return Value{X: digits}
	}}
}

// toInt evaluates int(v). The result keeps the literal of v.
func toInt(in *Interp, args *Args) Value {
	if len(args.Positional)+args.Keywords.Len() == 0 {
		return Value{X: int64(0)}
	}
	v := plain(positional(args, 0))
	base := 10
	if b, ok := args.Get(1, "base"); ok {
		n, ok := b.Int()
		if !ok || n < 0 || n > 36 {
			return in.Unknown(UnmodelledPython, "a number in base %s", in.describe(b))
		}
		base = int(n)
	}
	switch x := v.X.(type) {
	case int64:
		return v
	case bool:
		n, _ := whole(x)
		return Value{X: n, Overridable: v.Overridable}
	case float64:
		if math.Abs(x) < 1<<63 {
			return Value{X: int64(x), Lit: v.Lit, Overridable: v.Overridable}
		}
		return in.Unknown(NumberRange, "%s as a whole number", formatFloat(x))
	case string:
		s := strings.ReplaceAll(strings.TrimSpace(x), "_", "")
		if base == 16 || base == 0 {
			s = strings.Replace(strings.ToLower(s), "0x", "", min(base/16, 1))
		}
		n, err := strconv.ParseInt(s, base, 64)
		if err != nil {
			return in.Unknown(WillRaise, "int(%s) raises ValueError", quote(x))
		}
		return Value{X: n, Lit: v.Lit, Overridable: v.Overridable}
	case *Instance:
		for _, name := range []string{"__int__", "__index__"} {
			if in.Defines(x, name) {
				return in.CallMethod(x, name, &Args{})
			}
		}
	}
	return in.Unknown(WrongType, "int(%s)", in.describe(v))
}

func toFloat(in *Interp, args *Args) Value {
	if len(args.Positional) == 0 {
		return Value{X: 0.0}
	}
	v := plain(positional(args, 0))
	if s, ok := v.X.(string); ok {
		switch strings.TrimLeft(strings.ToLower(strings.TrimSpace(s)), "+") {
		case "inf", "infinity":
			return Value{X: math.Inf(1)}
		case "-inf", "-infinity":
			return Value{X: math.Inf(-1)}
		case "nan":
			return Value{X: math.NaN()}
		}
		if f, ok := parseFloat(strings.TrimSpace(s)); ok {
			return Value{X: f, Lit: v.Lit, Overridable: v.Overridable}
		}
		return in.Unknown(WillRaise, "float(%s) raises ValueError", quote(s))
	}
	if f, ok := number(v.X); ok {
		return Value{X: f, Lit: v.Lit, Overridable: v.Overridable}
	}
	return in.Unknown(WrongType, "float(%s)", in.describe(v))
}

// collected returns a new list of the items of v.
func (in *Interp) collected(v Value) *List {
	items, ok := in.elements(v)
	if s, set := v.X.(*Set); set && len(s.Items) > 1 {
		ok = false
	}
	if l, isList := v.X.(*List); isList && l.endless {
		ok = false
	}
	if !ok {
		l := unknownList(in.whyNotIterable(v), false)
		return &l
	}
	return &List{Items: slices.Clone(items)}
}

func toList(in *Interp, args *Args) Value {
	if len(args.Positional) == 0 {
		return Value{X: &List{}}
	}
	return Value{X: in.collected(positional(args, 0))}
}

func toTuple(in *Interp, args *Args) Value {
	if len(args.Positional) == 0 {
		return Value{X: Tuple{}}
	}
	if t, ok := positional(args, 0).X.(Tuple); ok {
		return Value{X: t}
	}
	l := in.collected(positional(args, 0))
	if l.Open != nil {
		return Value{X: Unknown{l.Open}}
	}
	return Value{X: Tuple(l.Items)}
}

func toDict(in *Interp, args *Args) Value {
	d := &Dict{}
	for _, v := range args.Positional {
		in.update(d, v)
	}
	for name, v := range args.Keywords.All() {
		d.put(Value{X: name}, v)
	}
	if args.Open != nil {
		d.Open = args.Open
	}
	return Value{X: d}
}

func toSet(in *Interp, args *Args) Value {
	s := &Set{}
	if len(args.Positional) == 0 {
		return Value{X: s}
	}
	if x, ok := positional(args, 0).X.(Object); ok {
		if s.Items, ok = x.Distinct(); ok {
			return Value{X: s}
		}
	}
	in.addAll(s, positional(args, 0))
	return Value{X: s}
}
