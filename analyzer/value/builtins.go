package value

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/library"
)

// builtinTypes are the builtins that are types.
var builtinTypes = map[string]bool{
	"int": true, "float": true, "str": true, "bool": true, "list": true, "tuple": true, "dict": true, "set": true, "frozenset": true,
	"object": true, "type": true, "bytes": true, "bytearray": true, "complex": true, "range": true, "slice": true, "property": true,
	"staticmethod": true, "classmethod": true, "super": true, "enumerate": true, "zip": true, "map": true, "filter": true, "reversed": true,
	"memoryview": true,
}

// otherBuiltins are builtins that are not modelled.
var otherBuiltins = map[string]bool{
	"input": true, "raw_input": true, "eval": true, "exec": true, "compile": true, "globals": true, "locals": true, "hash": true,
	"dir": true, "help": true, "__import__": true, "xrange": true, "unicode": true, "long": true,
	"basestring": true, "delattr": true, "aiter": true, "anext": true, "ascii": true, "NotImplemented": true, "__debug__": true,
}

// builtin returns the builtin of that name; ok is false if there is none.
func (in *Interp) builtin(name string) (Value, bool) {
	if in.library.functions.Has(name) || builtinTypes[name] || otherBuiltins[name] || isException(name) {
		return Value{X: External{"builtins." + name}}, true
	}
	return Value{}, false
}

// isException reports whether a name is written like one of Python's exceptions.
func isException(name string) bool {
	switch name {
	case "StopIteration", "KeyboardInterrupt", "SystemExit", "GeneratorExit", "BaseException", "Exception", "DeprecationWarning", "UserWarning", "FutureWarning", "RuntimeWarning", "Warning":
		return true
	}
	return strings.HasSuffix(name, "Error") && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, ".")
}

// builtins returns Python's builtin functions.
func builtins() library.Table[native] {
	known := func(f func(in *Interp, args *Args) Value) native { return native{run: f} }
	lenient := func(f func(in *Interp, args *Args) Value) native { return native{run: f, takesUnknown: true} }
	silent := lenient(func(*Interp, *Args) Value { return noneValue })
	return library.Table[native]{
		"print": silent, "len": known(length), "range": lenient(makeRange), "int": known(toInt), "float": known(toFloat),
		"str": known(func(in *Interp, args *Args) Value {
			if len(args.Positional) == 0 {
				return Value{X: ""}
			}
			return in.toText(positional(args, 0))
		}),
		"repr": known(func(in *Interp, args *Args) Value { return in.repr(positional(args, 0)) }),
		"format": known(func(in *Interp, args *Args) Value {
			spec, _ := positional(args, 1).X.(string)
			return in.format(positional(args, 0), spec)
		}),
		"bool": known(func(in *Interp, args *Args) Value {
			if len(args.Positional) == 0 {
				return Value{X: false}
			}
			truth, ok := in.Truth(positional(args, 0))
			if !ok {
				return in.unknownTruth(positional(args, 0))
			}
			return Value{X: truth}
		}),
		"list": lenient(toList), "tuple": lenient(toTuple), "dict": lenient(toDict), "set": lenient(toSet), "frozenset": lenient(toSet),
		"zip": lenient(zip), "enumerate": lenient(enumerate), "map": lenient(mapped), "filter": lenient(filtered), "reversed": lenient(reversed), "sorted": lenient(sorted),
		"ast.literal_eval": known(literalEval),
		"iter":             lenient(iterator), "next": lenient(nextItem),
		"min": known(minimum), "max": known(maximum),
		"sum": known(sum), "abs": known(abs), "round": known(round), "pow": known(func(in *Interp, args *Args) Value {
			if len(args.Positional) != 2 {
				return in.Unknown(NumberRange, "a power that is not modelled")
			}
			return in.Binary("**", positional(args, 0), positional(args, 1))
		}),
		"divmod": known(func(in *Interp, args *Args) Value {
			return Value{X: Tuple{in.Binary("//", positional(args, 0), positional(args, 1)), in.Binary("%", positional(args, 0), positional(args, 1))}}
		}),
		"any": known(func(in *Interp, args *Args) Value { return in.anyOf(positional(args, 0), true) }),
		"all": known(func(in *Interp, args *Args) Value { return in.anyOf(positional(args, 0), false) }),
		"isinstance": lenient(func(in *Interp, args *Args) Value {
			return in.tested(positional(args, 0), func() (bool, bool) { return in.isinstance(positional(args, 0), positional(args, 1)) })
		}),
		"issubclass": lenient(func(in *Interp, args *Args) Value {
			return in.tested(positional(args, 0), func() (bool, bool) { return in.issubclass(positional(args, 0), positional(args, 1)) })
		}),
		"hasattr": lenient(hasAttr), "getattr": lenient(getAttr), "setattr": lenient(setAttr),
		"callable": known(func(in *Interp, args *Args) Value {
			switch x := positional(args, 0).X.(type) {
			case *Func, *Bound, *Class, Method, *partial:
				return Value{X: true}
			case *Instance:
				if _, ok := x.Class.lookup("__call__"); ok || x.Class.open() == nil {
					return Value{X: ok}
				}
			case External:
				if isLibrary(x.Name) {
					return Value{X: true}
				}
			case int64, float64, bool, string, None, *List, Tuple, *Dict, *Set, Range:
				return Value{X: false}
			}
			return in.Unknown(WrongType, "whether %s can be called", in.describe(positional(args, 0)))
		}),
		"type": known(func(in *Interp, args *Args) Value {
			if len(args.Positional) != 1 {
				return in.Unknown(UnmodelledPython, "a class that type() makes")
			}
			return in.typeOf(positional(args, 0))
		}),
		"id": known(func(in *Interp, args *Args) Value {
			return in.Unknown(Environment, "the id of %s", in.describe(positional(args, 0)))
		}),
		"vars": lenient(func(in *Interp, args *Args) Value { return in.Attr(positional(args, 0), "__dict__") }),
		"ord": known(func(in *Interp, args *Args) Value {
			s, _ := positional(args, 0).X.(string)
			r, size := utf8.DecodeRuneInString(s)
			if size == 0 || size != len(s) {
				return in.Unknown(WrongType, "ord of %s", in.describe(positional(args, 0)))
			}
			return Value{X: int64(r)}
		}),
		"chr": known(func(in *Interp, args *Args) Value {
			n, ok := whole(positional(args, 0).X)
			if !ok || n != int64(rune(n)) || !utf8.ValidRune(rune(n)) {
				return in.Unknown(WrongType, "chr of %s", in.describe(positional(args, 0)))
			}
			return Value{X: string(rune(n))}
		}),
		"hex": inBase(16, "0x"), "oct": inBase(8, "0o"), "bin": inBase(2, "0b"),
		"slice": known(func(in *Interp, args *Args) Value {
			parts := append(slices.Clone(args.Positional), noneValue, noneValue, noneValue)
			switch len(args.Positional) {
			case 1:
				return Value{X: Slice{Start: noneValue, Stop: parts[0], Step: noneValue}}
			case 2, 3:
				return Value{X: Slice{Start: parts[0], Stop: parts[1], Step: parts[2]}}
			}
			return in.Unknown(UnmodelledPython, "a slice")
		}),
		"property": lenient(func(in *Interp, args *Args) Value {
			get, _ := args.Get(0, "fget")
			set, _ := args.Get(1, "fset")
			return Value{X: &property{get: get, set: set}}
		}),
		"staticmethod": lenient(func(in *Interp, args *Args) Value { return Value{X: &staticMethod{positional(args, 0)}} }),
		"classmethod":  lenient(func(in *Interp, args *Args) Value { return Value{X: &classMethod{positional(args, 0)}} }),
		"object": known(func(in *Interp, args *Args) Value {
			c := &Class{Name: "object", Attrs: in.namespace()}
			c.mro = []Value{{X: c}}
			return Value{X: in.allocate(c)}
		}),
		"exit": silent, "quit": silent, "breakpoint": silent,
	}
}

func minimum(in *Interp, args *Args) Value { return in.extreme(args, -1) }
func maximum(in *Interp, args *Args) Value { return in.extreme(args, 1) }

func (in *Interp) tested(v Value, test func() (truth, known bool)) Value {
	truth, known := test()
	if !known {
		if why := v.Cause(); why != nil {
			return Value{X: Unknown{why}}
		}
		return in.Unknown(WrongType, "what %s is an instance of", in.describe(v))
	}
	return Value{X: truth}
}

func length(in *Interp, args *Args) Value {
	v := positional(args, 0)
	switch x := v.X.(type) {
	case string:
		return Value{X: int64(utf8.RuneCountInString(x))}
	case Range:
		return Value{X: x.Length()}
	case *List, Tuple, *Dict, *Set:
		if items, ok := in.elements(v); ok {
			if l, ok := x.(*List); ok && (l.consumed || l.endless) {
				return in.Unknown(UnmodelledPython, "the length of an iterator")
			}
			return Value{X: int64(len(items))}
		}
		return Value{X: Unknown{in.whyNotIterable(v)}}
	case *Class:
		if x.members != nil {
			return Value{X: int64(len(x.members))}
		}
	case *Instance:
		if _, ok := x.Class.lookup("__len__"); ok {
			return in.CallMethod(x, "__len__", &Args{})
		}
		if x.Class.tuple {
			return Value{X: int64(len(x.Class.fields))}
		}
		if x.holds != nil {
			return length(in, &Args{Positional: []Value{held(v)}})
		}
		if n := in.slots(x.Host).Len(in); n.X != nil {
			return n
		}
	case Object:
		if n := in.slots(x).Len(in); n.X != nil {
			return n
		}
		if items, ok := in.Iterate(v); ok {
			return Value{X: int64(len(items))}
		}
	case External:
		return in.unknownExternal(x)
	}
	return in.Unknown(WrongType, "the length of %s", in.describe(v))
}

func makeRange(in *Interp, args *Args) Value {
	n := make([]int64, 0, 3)
	for at, v := range args.Positional {
		i, ok := wholeOf(v)
		switch {
		case ok:
			n = append(n, i)
			continue
		case at == min(len(args.Positional)-1, 1) && args.Open == nil:
			return in.rangeFrom(n, v)
		}
		return in.noRange(v)
	}
	switch {
	case len(n) == 1:
		return Value{X: Range{0, n[0], 1}}
	case len(n) == 2:
		return Value{X: Range{n[0], n[1], 1}}
	case len(n) == 3 && n[2] != 0 && n[2] != math.MinInt64:
		return Value{X: Range{n[0], n[1], n[2]}}
	}
	return in.Unknown(WrongType, "a range with a step of zero")
}

// rangeFrom returns a range whose end is unknown and whose start is known. Programs do
// not loop over empty ranges on purpose, so it has a first item.
func (in *Interp) rangeFrom(start []int64, end Value) Value {
	first := int64(0)
	if len(start) > 0 {
		first = start[0]
	}
	l := unknownList(in.noRange(end).Cause(), false)
	l.first = Value{X: first}
	return Value{X: &l}
}

// noRange returns the result of range for an argument that is not an integer.
func (in *Interp) noRange(v Value) Value {
	if h, isHost := v.X.(Object); isHost {
		return in.Unknown(WrongType, "a range over %s", in.describe(Value{X: h}))
	}
	return in.Unknown(WrongType, "range of %s", in.describe(v))
}

// extreme evaluates min or max. Its result has no literal, because changing the literal
// of the chosen argument might make another argument the extreme.
func (in *Interp) extreme(args *Args, sign int) Value {
	items := args.Positional
	if len(items) == 1 {
		var ok bool
		if items, ok = in.elements(items[0]); !ok {
			return Value{X: Unknown{in.whyNotIterable(args.Positional[0])}}
		}
	}
	if len(items) == 0 {
		if v, ok := args.Keywords.Get("default"); ok {
			return v
		}
		return in.Unknown(WillRaise, "the greatest or smallest of nothing: ValueError")
	}
	keyOf := func(v Value) Value {
		if key, ok := args.Keywords.Get("key"); ok && key.X != (None{}) {
			return in.Call(key, &Args{Positional: []Value{v}})
		}
		return v
	}
	if !in.Followable(items...) {
		return tooLarge.Unknown()
	}
	best, bestKey := items[0], keyOf(items[0])
	overridable := best.Overridable
	for _, v := range items[1:] {
		key := keyOf(v)
		if !in.Followable(key) {
			return tooLarge.Unknown()
		}
		c, known := compare(plain(key), plain(bestKey), 16)
		if !known || c == unordered {
			for _, k := range []Value{bestKey, key} {
				if why := k.Cause(); why != nil {
					return Value{X: Unknown{why}}
				}
			}
			return in.Unknown(WrongType, "which of %s and %s is greater", in.describe(bestKey), in.describe(key))
		}
		overridable = overridable || v.Overridable
		if cmp.Compare(c, 0) == sign {
			best, bestKey = v, key
		}
	}
	if !best.Known() {
		return best
	}
	best.Lit, best.Overridable = none, overridable
	return best
}

func sum(in *Interp, args *Args) Value {
	items, ok := in.elements(positional(args, 0))
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(positional(args, 0))}}
	}
	total, given := args.Get(1, "start")
	if !given {
		total = Value{X: int64(0)}
	}
	var lost float64 // rounding error so far, as in Neumaier's algorithm
	for _, v := range items {
		before, isFloat := number(total.X)
		x, ok := number(plain(v).X)
		total = in.Binary("+", total, v)
		if after, sumIsFloat := total.X.(float64); sumIsFloat && isFloat && ok {
			if math.Abs(before) >= math.Abs(x) {
				lost += before - after + x
			} else {
				lost += x - after + before
			}
		}
	}
	if f, ok := total.X.(float64); ok && f+lost != f && !math.IsNaN(lost) {
		return in.Unknown(NumberRange, "the last digit of a sum, which differs between versions of Python")
	}
	return total
}

func abs(in *Interp, args *Args) Value {
	v := plain(positional(args, 0))
	if x, ok := v.X.(float64); ok {
		return Value{X: math.Abs(x)}
	}
	n, ok := whole(v.X)
	if !ok || n == math.MinInt64 {
		return in.Unknown(WrongType, "abs(%s)", in.describe(v))
	}
	return Value{X: int64(magnitude(n))}
}

// round evaluates round(v), which rounds halves to even by the number's decimal digits.
func round(in *Interp, args *Args) Value {
	v := plain(positional(args, 0))
	digits, given := args.Get(1, "ndigits")
	if given && digits.X == (None{}) {
		given = false
	}
	n, ok := whole(digits.X)
	if given && (!ok || n < -300 || n > 300) {
		return in.Unknown(NumberRange, "the digits of round()")
	}
	if i, ok := whole(v.X); ok {
		if !given || n >= 0 {
			return Value{X: i}
		}
		return in.Unknown(NumberRange, "a number rounded to tens")
	}
	f, ok := v.X.(float64)
	switch {
	case !ok:
		return in.Unknown(WrongType, "round(%s)", in.describe(v))
	case !given:
		r := math.RoundToEven(f)
		if math.Abs(r) < 1<<63 {
			return Value{X: int64(r)}
		}
		return in.Unknown(NumberRange, "%s as a whole number", formatFloat(f))
	case n < 0 || math.IsInf(f, 0) || math.IsNaN(f):
		return in.Unknown(NumberRange, "a number rounded to tens")
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(n), 64), 64)
	if err != nil {
		return in.Unknown(NumberRange, "a number that is rounded")
	}
	return Value{X: r}
}

// anyOf evaluates any(v) or all(v).
func (in *Interp) anyOf(v Value, any bool) Value {
	items, ok := in.elements(v)
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(v)}}
	}
	var unknown Value
	for _, item := range items {
		truth, known := in.Truth(item)
		if known && truth == any {
			return Value{X: any, Overridable: item.Overridable}
		}
		if !known && unknown.X == nil {
			unknown = in.unknownTruth(item)
		}
	}
	if unknown.X != nil {
		return unknown
	}
	return Value{X: !any, Overridable: slices.ContainsFunc(items, func(v Value) bool { return v.Overridable })}
}

func hasAttr(in *Interp, args *Args) Value {
	name, ok := positional(args, 1).X.(string)
	if !ok {
		return in.Unknown(UnmodelledPython, "the name of an attribute")
	}
	v, ok := in.attr(positional(args, 0), name)
	if o, isObject := positional(args, 0).X.(*Instance); isObject {
		if _, ok := o.Attrs.Get(name); ok {
			return Value{X: true}
		}
	}
	if ok && !v.Known() {
		return Value{X: v.X}
	}
	if x, isName := positional(args, 0).X.(External); isName {
		if has, known := in.frame.info.Library().Has(x.Name, name); known {
			return Value{X: has}
		}
		return in.Unknown(WrongType, "whether %s has %s", x.Name, name)
	}
	return Value{X: ok}
}

func getAttr(in *Interp, args *Args) Value {
	name, ok := positional(args, 1).X.(string)
	if !ok {
		if why := positional(args, 1).Cause(); why != nil {
			return Value{X: Unknown{why}}
		}
		return in.Unknown(UnmodelledPython, "the name of an attribute")
	}
	v, ok := in.attr(positional(args, 0), name)
	if !ok {
		if len(args.Positional) > 2 {
			return args.Positional[2]
		}
		return in.Unknown(WillRaise, "%s has no %s: AttributeError", in.describe(positional(args, 0)), name)
	}
	if v.Known() {
		v.Overridable = v.Overridable || positional(args, 1).Overridable
	}
	return v
}

func setAttr(in *Interp, args *Args) Value {
	if len(args.Positional) == 0 {
		return noneValue
	}
	return in.setNamed(args.Positional[0], args.Positional[1:])
}
