package python

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// builtins returns Python's builtin functions.
func builtins() library.Table[value.Native] {
	known := func(f func(in *value.Interp, args *value.Args) value.Value) value.Native { return value.Native{Run: f} }
	lenient := func(f func(in *value.Interp, args *value.Args) value.Value) value.Native {
		return value.Native{Run: f, TakesUnknown: true}
	}
	silent := lenient(func(*value.Interp, *value.Args) value.Value { return value.NoneValue })
	return library.Table[value.Native]{
		"print": silent, "len": lenient(length), "range": lenient(makeRange), "int": {Run: toInt, Rounds: true}, "float": {Run: toFloat, Rounds: true},
		"str": known(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 0 {
				return value.Value{X: ""}
			}
			if v := value.Positional(args, 0); isFileName(v) {
				return v
			}
			return interp.ToText(in, value.Positional(args, 0))
		}),
		"repr": known(func(in *value.Interp, args *value.Args) value.Value {
			return interp.Repr(in, value.Positional(args, 0))
		}),
		"format": known(func(in *value.Interp, args *value.Args) value.Value {
			spec, _ := value.Positional(args, 1).X.(string)
			return interp.Format(in, value.Positional(args, 0), spec)
		}),
		"bool": known(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 0 {
				return value.Value{X: false}
			}
			truth, ok := interp.Truth(in, value.Positional(args, 0))
			if !ok {
				return interp.UnknownTruth(in, value.Positional(args, 0))
			}
			return value.Value{X: truth}
		}),
		"list": lenient(toList), "tuple": lenient(toTuple), "dict": lenient(toDict), "set": lenient(toSet), "frozenset": lenient(toSet),
		"zip": lenient(zip), "enumerate": lenient(enumerate), "map": lenient(mapped), "filter": lenient(filtered), "reversed": lenient(reversed), "sorted": lenient(sorted),
		"ast.literal_eval": known(literalEval),
		"eval":             lenient(eval),
		"__import__":       lenient(dunderImport),
		"iter":             lenient(iterator), "next": lenient(interp.Next),
		"min": lenient(besideMany(minimum, false)), "max": lenient(besideMany(maximum, true)),
		"sum": known(sum), "abs": known(abs), "round": known(round), "pow": known(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) != 2 {
				return in.Unknown(value.NumberRange, "a power that is not modelled")
			}
			return interp.Binary(in, "**", value.Positional(args, 0), value.Positional(args, 1))
		}),
		"divmod": known(func(in *value.Interp, args *value.Args) value.Value {
			return value.Value{X: value.Tuple{interp.Binary(in, "//", value.Positional(args, 0), value.Positional(args, 1)), interp.Binary(in, "%", value.Positional(args, 0), value.Positional(args, 1))}}
		}),
		"any": known(func(in *value.Interp, args *value.Args) value.Value {
			return anyOf(in, value.Positional(args, 0), true)
		}),
		"all": known(func(in *value.Interp, args *value.Args) value.Value {
			return anyOf(in, value.Positional(args, 0), false)
		}),
		"isinstance": lenient(func(in *value.Interp, args *value.Args) value.Value {
			return tested(in, value.Positional(args, 0), func() (bool, bool) { return value.Isinstance(value.Positional(args, 0), value.Positional(args, 1)) })
		}),
		"issubclass": lenient(func(in *value.Interp, args *value.Args) value.Value {
			return tested(in, value.Positional(args, 0), func() (bool, bool) { return issubclass(in, value.Positional(args, 0), value.Positional(args, 1)) })
		}),
		"hasattr": lenient(hasAttr), "getattr": lenient(getAttr), "setattr": lenient(setAttr),
		"callable": known(func(in *value.Interp, args *value.Args) value.Value {
			switch x := value.Positional(args, 0).X.(type) {
			case *value.Func, *value.Bound, *value.Class, value.Method, *interp.Partial:
				return value.Value{X: true}
			case *value.Instance:
				if _, ok := x.Class.Lookup("__call__"); ok || x.Class.Open() == nil {
					return value.Value{X: ok}
				}
			case value.External:
				if value.IsLibrary(x.Name) {
					return value.Value{X: true}
				}
			case int64, float64, bool, string, value.None, *value.List, value.Tuple, *value.Dict, *value.Set, value.Range:
				return value.Value{X: false}
			}
			return in.Unknown(value.WrongType, "whether %s can be called", interp.Describe(in, value.Positional(args, 0)))
		}),
		"type": known(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) != 1 {
				return in.Unknown(value.UnmodelledPython, "a class that type() makes")
			}
			return interp.TypeOf(in, value.Positional(args, 0))
		}),
		"id": known(func(in *value.Interp, args *value.Args) value.Value {
			return in.Unknown(value.Environment, "the id of %s", interp.Describe(in, value.Positional(args, 0)))
		}),
		"vars": lenient(func(in *value.Interp, args *value.Args) value.Value {
			return interp.Attr(in, value.Positional(args, 0), "__dict__")
		}),
		"ord": known(func(in *value.Interp, args *value.Args) value.Value {
			s, _ := value.Positional(args, 0).X.(string)
			r, size := utf8.DecodeRuneInString(s)
			if size == 0 || size != len(s) {
				return in.Unknown(value.WrongType, "ord of %s", interp.Describe(in, value.Positional(args, 0)))
			}
			return value.Value{X: int64(r)}
		}),
		"chr": known(func(in *value.Interp, args *value.Args) value.Value {
			n, ok := value.Whole(value.Positional(args, 0).X)
			if !ok || n != int64(rune(n)) || !utf8.ValidRune(rune(n)) {
				return in.Unknown(value.WrongType, "chr of %s", interp.Describe(in, value.Positional(args, 0)))
			}
			return value.Value{X: string(rune(n))}
		}),
		"hex": inBase(16, "0x"), "oct": inBase(8, "0o"), "bin": inBase(2, "0b"),
		"slice": known(func(in *value.Interp, args *value.Args) value.Value {
			parts := append(slices.Clone(args.Positional), value.NoneValue, value.NoneValue, value.NoneValue)
			switch len(args.Positional) {
			case 1:
				return value.Value{X: value.Slice{Start: value.NoneValue, Stop: parts[0], Step: value.NoneValue}}
			case 2, 3:
				return value.Value{X: value.Slice{Start: parts[0], Stop: parts[1], Step: parts[2]}}
			}
			return in.Unknown(value.UnmodelledPython, "a slice")
		}),
		"property": lenient(func(in *value.Interp, args *value.Args) value.Value {
			get, _ := args.Get(0, "fget")
			set, _ := args.Get(1, "fset")
			return value.Value{X: &value.Property{Get: get, Set: set}}
		}),
		"staticmethod": lenient(func(in *value.Interp, args *value.Args) value.Value {
			return value.Value{X: &value.StaticMethod{F: value.Positional(args, 0)}}
		}),
		"classmethod": lenient(func(in *value.Interp, args *value.Args) value.Value {
			return value.Value{X: &value.ClassMethod{F: value.Positional(args, 0)}}
		}),
		"object": known(func(in *value.Interp, args *value.Args) value.Value {
			c := &value.Class{Name: "object", Attrs: in.Namespace()}
			c.Mro = []value.Value{{X: c}}
			return value.Value{X: in.Allocate(c)}
		}),
		"exit": silent, "quit": silent, "breakpoint": silent,
	}
}

// besideMany is min or max of two numbers of which one counts as more than any number.
func besideMany(of func(in *value.Interp, args *value.Args) value.Value, greatest bool) func(in *value.Interp, args *value.Args) value.Value {
	return func(in *value.Interp, args *value.Args) value.Value {
		if p := args.Positional; len(p) == 2 && args.Keywords.Len() == 0 && args.Open == nil && p[0].Many() != p[1].Many() {
			many, other := p[0], p[1]
			if other.Many() {
				many, other = other, many
			}
			if _, number := value.Number(value.Plain(other).X); number && greatest {
				return many
			} else if number {
				return other
			}
		}
		return interp.CallNative(in, value.Native{Run: of}, args)
	}
}

func minimum(in *value.Interp, args *value.Args) value.Value { return extreme(in, args, -1) }

func maximum(in *value.Interp, args *value.Args) value.Value { return extreme(in, args, 1) }

func tested(in *value.Interp, v value.Value, test func() (truth, known bool)) value.Value {
	truth, known := test()
	if !known {
		if why := v.Cause(); why != nil {
			return value.Value{X: value.Unknown{Cause: why}}
		}
		return in.Unknown(value.WrongType, "what %s is an instance of", interp.Describe(in, v))
	}
	return value.Value{X: truth}
}

func length(in *value.Interp, args *value.Args) value.Value {
	n := lengthOf(in, value.Positional(args, 0))
	if why := n.Cause(); why != nil && in.Batching {
		n.X = value.Unknown{Cause: why, Many: true}
	}
	return n
}

func lengthOf(in *value.Interp, v value.Value) value.Value {
	switch x := v.X.(type) {
	case value.Unknown:
		if v.Length > 0 {
			return value.Value{X: v.Length}
		}
		return value.Value{X: x}
	case string:
		return value.Value{X: int64(utf8.RuneCountInString(x))}
	case value.Range:
		return value.Value{X: x.Length()}
	case *value.List, value.Tuple, *value.Dict, *value.Set:
		if items, ok := interp.Elements(in, v); ok {
			if l, ok := x.(*value.List); ok && (l.Consumed || l.Endless) {
				return in.Unknown(value.UnmodelledPython, "the length of an iterator")
			}
			return value.Value{X: int64(len(items))}
		}
		if l, ok := x.(*value.List); ok && !l.Consumed {
			if n, ok := l.Counted(); ok {
				return value.Value{X: n}
			}
		}
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, v)}}
	case *value.Class:
		if x.Members != nil {
			return value.Value{X: int64(len(x.Members))}
		}
	case *value.Instance:
		if _, ok := x.Class.Lookup("__len__"); ok {
			return interp.CallMethod(in, x, "__len__", &value.Args{})
		}
		if x.Class.Tuple {
			return value.Value{X: int64(len(x.Class.Fields))}
		}
		if x.Holds != nil {
			return lengthOf(in, value.Held(v))
		}
		if n := in.Slots(x.Host).Len(in); n.X != nil {
			return n
		}
	case value.Object:
		if n := in.Slots(x).Len(in); n.X != nil {
			return n
		}
		if items, ok := interp.Iterate(in, v); ok {
			return value.Value{X: int64(len(items))}
		}
	case value.External:
		return interp.UnknownExternal(in, x)
	}
	return in.Unknown(value.WrongType, "the length of %s", interp.Describe(in, v))
}

// An ofSizes is an integer that is known once the sizes of tensors are.
type ofSizes interface {
	// Range is range(start, stop, step) where it is one of them: the items, or an empty value if they
	// are not known.
	Range(in *value.Interp, start, stop, step value.Value) value.Value
}

func makeRange(in *value.Interp, args *value.Args) value.Value {
	if v := rangeOf(in, args); v.X != nil {
		return v
	}
	n := make([]int64, 0, 3)
	for at, v := range args.Positional {
		i, ok := value.WholeOf(v)
		switch {
		case ok:
			n = append(n, i)
			continue
		case at == min(len(args.Positional)-1, 1) && args.Open == nil:
			return rangeFrom(in, n, v)
		}
		return noRange(in, v)
	}
	switch {
	case len(n) == 1:
		return value.Value{X: value.Range{Start: 0, Stop: n[0], Step: 1}}
	case len(n) == 2:
		return value.Value{X: value.Range{Start: n[0], Stop: n[1], Step: 1}}
	case len(n) == 3 && n[2] != 0 && n[2] != math.MinInt64:
		return value.Value{X: value.Range{Start: n[0], Stop: n[1], Step: n[2]}}
	}
	return in.Unknown(value.WrongType, "a range with a step of zero")
}

// rangeOf returns the range of an object; it is empty if none of the arguments is one that knows it.
func rangeOf(in *value.Interp, args *value.Args) value.Value {
	start, stop, step := value.Value{X: int64(0)}, value.Positional(args, 0), value.Value{X: int64(1)}
	switch len(args.Positional) {
	case 3:
		step = args.Positional[2]
		fallthrough
	case 2:
		start, stop = args.Positional[0], args.Positional[1]
	}
	for _, v := range []value.Value{step, stop} {
		if r, ok := v.X.(ofSizes); ok && args.Open == nil {
			return r.Range(in, start, stop, step)
		}
	}
	return value.Value{}
}

// rangeFrom returns a range whose end is unknown and whose start is known. Programs do
// not loop over empty ranges on purpose, so it has a first item.
func rangeFrom(in *value.Interp, start []int64, end value.Value) value.Value {
	first := int64(0)
	if len(start) > 0 {
		first = start[0]
	}
	l := value.UnknownList(noRange(in, end).Cause(), false)
	l.First = value.Value{X: first}
	return value.Value{X: &l}
}

// noRange returns the result of range for an argument that is not an integer.
func noRange(in *value.Interp, v value.Value) value.Value {
	if h, isHost := v.X.(value.Object); isHost {
		return in.Unknown(value.WrongType, "a range over %s", interp.Describe(in, value.Value{X: h}))
	}
	return in.Unknown(value.WrongType, "range of %s", interp.Describe(in, v))
}

// extreme evaluates min or max. Its result has no literal, because changing the literal
// of the chosen argument might make another argument the extreme.
func extreme(in *value.Interp, args *value.Args, sign int) value.Value {
	items := args.Positional
	if len(items) == 1 {
		var ok bool
		if items, ok = interp.Elements(in, items[0]); !ok {
			return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, args.Positional[0])}}
		}
	}
	if len(items) == 0 {
		if v, ok := args.Keywords.Get("default"); ok {
			return v
		}
		return in.Unknown(value.WillRaise, "the greatest or smallest of nothing: ValueError")
	}
	keyOf := func(v value.Value) value.Value {
		if key, ok := args.Keywords.Get("key"); ok && key.X != (value.None{}) {
			return interp.Call(in, key, &value.Args{Positional: []value.Value{v}})
		}
		return v
	}
	if !in.Followable(items...) {
		return value.TooLarge.Unknown()
	}
	if len(items) == 2 && args.Keywords.Len() == 0 {
		for i, v := range items {
			if _, ok := v.X.(ofSizes); ok {
				return interp.Binary(in, map[int]string{-1: "min", 1: "max"}[sign], v, items[1-i])
			}
		}
	}
	best, bestKey := items[0], keyOf(items[0])
	overridable := best.Overridable
	for _, v := range items[1:] {
		key := keyOf(v)
		if !in.Followable(key) {
			return value.TooLarge.Unknown()
		}
		c, known := value.Compare(value.Plain(key), value.Plain(bestKey), 16)
		if !known || c == value.NotOrdered {
			for _, k := range []value.Value{bestKey, key} {
				if why := k.Cause(); why != nil {
					return value.Value{X: value.Unknown{Cause: why}}
				}
			}
			return in.Unknown(value.WrongType, "which of %s and %s is greater", interp.Describe(in, bestKey), interp.Describe(in, key))
		}
		overridable = overridable || v.Overridable
		if cmp.Compare(c, 0) == sign {
			best, bestKey = v, key
		}
	}
	if !best.Known() {
		return best
	}
	best.Lit, best.Overridable = value.NoLiteral, overridable
	return best
}

func sum(in *value.Interp, args *value.Args) value.Value {
	many := count(value.Positional(args, 0))
	items, ok := interp.Elements(in, value.Positional(args, 0))
	if l, isList := value.Positional(args, 0).X.(*value.List); !ok && isList && many > 0 && l.Made.Valid() && len(args.Positional) == 1 {
		if body := l.Made.Child(syntax.FieldBody); body.Is(syntax.Integer) { // sum(1 for _ in f)
			return interp.Binary(in, "*", interp.Eval(in, body), value.Value{X: many})
		}
	}
	if !ok {
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, value.Positional(args, 0))}}
	}
	total, given := args.Get(1, "start")
	if !given {
		total = value.Value{X: int64(0)}
	}
	var lost float64 // rounding error so far, as in Neumaier's algorithm
	for _, v := range items {
		before, isFloat := value.Number(total.X)
		x, ok := value.Number(value.Plain(v).X)
		total = interp.Binary(in, "+", total, v)
		if after, sumIsFloat := total.X.(float64); sumIsFloat && isFloat && ok {
			if math.Abs(before) >= math.Abs(x) {
				lost += before - after + x
			} else {
				lost += x - after + before
			}
		}
	}
	if f, ok := total.X.(float64); ok && f+lost != f && !math.IsNaN(lost) {
		return in.Unknown(value.NumberRange, "the last digit of a sum, which differs between versions of Python")
	}
	return total
}

func abs(in *value.Interp, args *value.Args) value.Value {
	v := value.Plain(value.Positional(args, 0))
	if x, ok := v.X.(float64); ok {
		return value.Value{X: math.Abs(x)}
	}
	n, ok := value.Whole(v.X)
	if !ok || n == math.MinInt64 {
		return in.Unknown(value.WrongType, "abs(%s)", interp.Describe(in, v))
	}
	return value.Value{X: int64(value.Magnitude(n))}
}

// round evaluates round(v), which rounds halves to even by the number's decimal digits.
func round(in *value.Interp, args *value.Args) value.Value {
	v := value.Plain(value.Positional(args, 0))
	digits, given := args.Get(1, "ndigits")
	if given && digits.X == (value.None{}) {
		given = false
	}
	n, ok := value.Whole(digits.X)
	if given && (!ok || n < -300 || n > 300) {
		return in.Unknown(value.NumberRange, "the digits of round()")
	}
	if i, ok := value.Whole(v.X); ok {
		if !given || n >= 0 {
			return value.Value{X: i}
		}
		return in.Unknown(value.NumberRange, "a number rounded to tens")
	}
	f, ok := v.X.(float64)
	switch {
	case !ok:
		return in.Unknown(value.WrongType, "round(%s)", interp.Describe(in, v))
	case !given:
		r := math.RoundToEven(f)
		if math.Abs(r) < 1<<63 {
			return value.Value{X: int64(r)}
		}
		return in.Unknown(value.NumberRange, "%s as a whole number", value.FormatFloat(f))
	case n < 0 || math.IsInf(f, 0) || math.IsNaN(f):
		return in.Unknown(value.NumberRange, "a number rounded to tens")
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(n), 64), 64)
	if err != nil {
		return in.Unknown(value.NumberRange, "a number that is rounded")
	}
	return value.Value{X: r}
}

// anyOf evaluates any(v) or all(v).
func anyOf(in *value.Interp, v value.Value, any bool) value.Value {
	items, ok := interp.Elements(in, v)
	if !ok {
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, v)}}
	}
	var unknown value.Value
	for _, item := range items {
		truth, known := interp.Truth(in, item)
		if known && truth == any {
			return value.Value{X: any, Overridable: item.Overridable}
		}
		if !known && unknown.X == nil {
			unknown = interp.UnknownTruth(in, item)
		}
	}
	if unknown.X != nil {
		return unknown
	}
	return value.Value{X: !any, Overridable: slices.ContainsFunc(items, func(v value.Value) bool { return v.Overridable })}
}

func hasAttr(in *value.Interp, args *value.Args) value.Value {
	name, ok := value.Positional(args, 1).X.(string)
	if !ok {
		return in.Unknown(value.UnmodelledPython, "the name of an attribute")
	}
	v, ok := interp.FindAttr(in, value.Positional(args, 0), name)
	if o, isObject := value.Positional(args, 0).X.(*value.Instance); isObject {
		if _, ok := o.Attrs.Get(name); ok {
			return value.Value{X: true}
		}
	}
	if ok && !v.Known() {
		return value.Value{X: v.X}
	}
	if x, isName := value.Positional(args, 0).X.(value.External); isName {
		if has, known := in.Frame.Info.Library().Has(x.Name, name); known {
			return value.Value{X: has}
		}
		return in.Unknown(value.WrongType, "whether %s has %s", x.Name, name)
	}
	return value.Value{X: ok}
}

func getAttr(in *value.Interp, args *value.Args) value.Value {
	name, ok := value.Positional(args, 1).X.(string)
	if !ok {
		if why := value.Positional(args, 1).Cause(); why != nil {
			return value.Value{X: value.Unknown{Cause: why}}
		}
		return in.Unknown(value.UnmodelledPython, "the name of an attribute")
	}
	v, ok := interp.FindAttr(in, value.Positional(args, 0), name)
	if _, library := value.Positional(args, 0).X.(value.External); !ok || library && strings.Contains(name, ".") { // one name, not a path
		if len(args.Positional) > 2 {
			return args.Positional[2]
		}
		return in.Unknown(value.WillRaise, "%s has no %s: AttributeError", interp.Describe(in, value.Positional(args, 0)), name)
	}
	if v.Known() {
		v.Overridable = v.Overridable || value.Positional(args, 1).Overridable
	}
	return v
}

func setAttr(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return value.NoneValue
	}
	return interp.SetNamed(in, args.Positional[0], args.Positional[1:])
}
