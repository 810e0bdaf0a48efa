package value

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// constants are library names that stand for numbers.
var constants = library.Table[any]{
	"math.pi": math.Pi, "math.e": math.E, "math.inf": math.Inf(1), "math.nan": math.NaN(), "math.tau": 2 * math.Pi,
	"numpy.pi": math.Pi, "numpy.e": math.E, "numpy.inf": math.Inf(1), "numpy.Inf": math.Inf(1), "numpy.nan": math.NaN(), "numpy.newaxis": None{},
	"sys.maxsize": int64(math.MaxInt64), "os.sep": "/", "os.path.sep": "/", "os.linesep": "\n", "os.name": "posix",
	"string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz", "string.ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"string.ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "string.digits": "0123456789",
	"string.punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "typing.TYPE_CHECKING": false, "six.PY2": false, "six.PY3": true,
}

var realFunctions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": exp, "log": log, "log2": log2, "log10": log10, "log1p": math.Log1p, "sin": math.Sin, "cos": math.Cos,
	"tan": math.Tan, "tanh": math.Tanh, "sinh": math.Sinh, "cosh": math.Cosh, "fabs": math.Abs, "degrees": func(x float64) float64 { return x * (180 / math.Pi) },
	"asin": math.Asin, "arcsin": math.Asin, "acos": math.Acos, "arccos": math.Acos, "atan": math.Atan, "arctan": math.Atan,
	"radians": func(x float64) float64 { return x * (math.Pi / 180) },
}

// Real returns the function of real numbers that NumPy and Python's math know by that
// name, or nil. Outside its domain it returns NaN.
func Real(name string) func(float64) float64 { return realFunctions[name] }

// mathFunctions returns the functions of numbers. Square roots, exponentials and logarithms to
// the bases e and 2 equal C's to the last digit (see libm.go), because sizes are
// computed from them; other functions may differ in the last digit.
func mathFunctions() library.Table[native] {
	rows := library.Table[native]{}
	real := func(f func(float64) float64) native {
		return native{run: func(in *Interp, args *Args) Value {
			x, ok := number(plain(positional(args, 0)).X)
			if !ok || len(args.Positional) != 1 {
				return in.Unknown(WrongType, "a function of %s", in.describe(positional(args, 0)))
			}
			y := f(x)
			if (math.IsNaN(y) || math.IsInf(y, 0)) && !math.IsNaN(x) && !math.IsInf(x, 0) {
				return in.Unknown(WillRaise, "a number beyond the domain of a function: ValueError")
			}
			return Value{X: y}
		}}
	}
	for name, f := range realFunctions {
		if name != "log" { // Python's math.log takes a base
			rows.Add(real(f), "math."+name)
		}
		rows.Add(real(f), "numpy."+name)
	}
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		x, ok := number(plain(positional(args, 0)).X)
		base, given := args.Get(1, "base")
		b, ok2 := number(plain(base).X)
		switch {
		case !ok || x <= 0 || given && (!ok2 || b <= 0 || b == 1):
			return in.Unknown(NumberRange, "a logarithm that does not exist")
		case given:
			return Value{X: log(x) / log(b)}
		}
		return Value{X: log(x)}
	}}, "math.log")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		x, y, ok := floats(plain(positional(args, 0)).X, plain(positional(args, 1)).X)
		if !ok {
			return in.Unknown(NumberRange, "a power of something that is not a number")
		}
		return in.floatNumbers("**", x, y)
	}}, "math.pow")
	whole := func(f func(float64) float64) native {
		return native{run: func(in *Interp, args *Args) Value {
			v := plain(positional(args, 0))
			if n, ok := wholeOf(v); ok {
				return Value{X: n}
			}
			x, ok := v.X.(float64)
			if !ok || !(math.Abs(x) < 1<<62) {
				return in.Unknown(NumberRange, "%s as a whole number", in.describe(v))
			}
			return Value{X: int64(f(x))}
		}}
	}
	rows.Add(whole(math.Ceil), "math.ceil")
	rows.Add(whole(math.Floor), "math.floor")
	rows.Add(whole(math.Trunc), "math.trunc")
	for name, f := range map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor, "trunc": math.Trunc, "rint": math.RoundToEven} {
		rows.Add(real(f), "numpy."+name)
	}
	test := func(f func(float64) bool) native {
		return native{run: func(in *Interp, args *Args) Value {
			x, ok := number(plain(positional(args, 0)).X)
			if !ok {
				return in.Unknown(WrongType, "a test of %s", in.describe(positional(args, 0)))
			}
			return Value{X: f(x)}
		}}
	}
	for _, library := range []string{"math.", "numpy."} {
		rows.Add(test(math.IsNaN), library+"isnan")
		rows.Add(test(func(x float64) bool { return math.IsInf(x, 0) }), library+"isinf")
		rows.Add(test(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }), library+"isfinite")
	}
	for _, name := range []string{"math.prod", "numpy.prod", "numpy.product"} {
		rows.Add(native{run: product}, name)
	}
	rows.Add(native{run: numbersOnly(sum)}, "numpy.sum", "math.fsum")
	rows.Add(native{run: numbersOnly(maximum)}, "numpy.max", "numpy.amax")
	rows.Add(native{run: numbersOnly(minimum)}, "numpy.min", "numpy.amin")
	rows.Add(native{run: scalars(maximum)}, "numpy.maximum")
	rows.Add(native{run: scalars(minimum)}, "numpy.minimum")
	rows.Add(native{run: scalars(func(in *Interp, args *Args) Value {
		if len(args.Positional) != 3 {
			return in.Unknown(UnmodelledPython, "a number between bounds that are not known")
		}
		low := maximum(in, &Args{Positional: args.Positional[:2]})
		return minimum(in, &Args{Positional: []Value{low, args.Positional[2]}})
	})}, "numpy.clip")
	rows.Add(native{run: scalars(abs)}, "numpy.abs", "numpy.absolute")
	rows.Add(native{run: scalars(roundFloat)}, "numpy.round", "numpy.around")
	for _, name := range []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int_", "intp"} {
		rows.Add(native{run: scalars(toInt)}, "numpy."+name)
	}
	rows.Add(native{run: scalars(toFloat)}, "numpy.float64", "numpy.float_")
	rows.Add(native{run: scalars(narrow)}, "numpy.float32", "numpy.float16")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		return in.folded(args, 0, func(a, b int64) (int64, bool) {
			for b != 0 {
				a, b = b, a%b
			}
			return int64(magnitude(a)), a != math.MinInt64
		})
	}}, "math.gcd")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		return in.folded(args, 1, func(a, b int64) (int64, bool) {
			x, y := a, b
			for y != 0 {
				x, y = y, x%y
			}
			if x == 0 {
				return 0, true
			}
			p, ok := times(a/x, b)
			return int64(magnitude(p)), ok && p != math.MinInt64
		})
	}}, "math.lcm")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		n, k, ok := wholes(positional(args, 0).X, positional(args, 1).X)
		if !ok || n < 0 || k < 0 || n > 1000 {
			return in.Unknown(UnmodelledPython, "a number of combinations")
		}
		result := int64(1)
		for i := range min(k, n-k) {
			if result, ok = times(result, n-i); !ok {
				return in.Unknown(NumberRange, "a number of combinations that is larger than 64 bits")
			}
			result /= i + 1
		}
		if k > n {
			result = 0
		}
		return Value{X: result}
	}}, "math.comb")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		n, ok := wholeOf(positional(args, 0))
		if !ok || n < 0 || n > 20 {
			return in.Unknown(NumberRange, "a factorial that is larger than 64 bits")
		}
		result := int64(1)
		for i := int64(2); i <= n; i++ {
			result *= i
		}
		return Value{X: result}
	}}, "math.factorial")
	rows.Add(native{run: func(in *Interp, args *Args) Value {
		n, ok := wholeOf(positional(args, 0))
		if !ok || n < 0 || n > 1<<52 {
			return in.Unknown(NumberRange, "a root of %s", in.describe(positional(args, 0)))
		}
		return Value{X: int64(math.Sqrt(float64(n)))}
	}}, "math.isqrt")
	return rows
}

// folded folds f over all arguments.
func (in *Interp) folded(args *Args, start int64, f func(a, b int64) (int64, bool)) Value {
	result := start
	for _, v := range args.Positional {
		n, ok := wholeOf(v)
		if !ok {
			return in.Unknown(NumberRange, "a number that is not whole")
		}
		if result, ok = f(result, n); !ok {
			return in.Unknown(NumberRange, "a number that is larger than 64 bits")
		}
	}
	return Value{X: result}
}

func product(in *Interp, args *Args) Value {
	if len(args.Positional) != 1 {
		return in.Unknown(UnmodelledPython, "a product that is not modelled")
	}
	if _, ok := number(args.Positional[0].X); ok {
		return args.Positional[0]
	}
	items, ok := in.Iterate(args.Positional[0])
	if !ok {
		return Value{X: Unknown{in.whyNotIterable(args.Positional[0])}}
	}
	total := Value{X: int64(1)}
	if start, ok := args.Keywords.Get("start"); ok {
		total = start
	}
	for _, v := range items {
		if _, ok := number(plain(v).X); !ok {
			if why := v.Cause(); why != nil {
				return Value{X: Unknown{why}}
			}
			return in.Unknown(NumberRange, "a product of something that is not a number")
		}
		total = in.Binary("*", total, v)
	}
	return total
}

// numbersOnly limits a function of a sequence to one argument that contains only
// numbers: an array would give another result.
func numbersOnly(f func(in *Interp, args *Args) Value) func(in *Interp, args *Args) Value {
	return func(in *Interp, args *Args) Value {
		if len(args.Positional) != 1 || args.Keywords.Len() > 0 {
			return in.Unknown(UnmodelledPython, "a function of an array, which is not modelled")
		}
		items, ok := sequenceOf(args.Positional[0])
		if !ok || slices.ContainsFunc(items, func(v Value) bool { _, ok := number(plain(v).X); return !ok }) {
			return in.Unknown(UnmodelledPython, "a function of %s, which is not modelled", in.describe(args.Positional[0]))
		}
		return f(in, args)
	}
}

// scalars limits a function to numbers.
func scalars(f func(in *Interp, args *Args) Value) func(in *Interp, args *Args) Value {
	return func(in *Interp, args *Args) Value {
		for _, v := range args.Positional {
			if _, ok := number(plain(v).X); !ok {
				return in.Unknown(UnmodelledPython, "a function of %s, which is not modelled", in.describe(v))
			}
		}
		return f(in, args)
	}
}

// narrow converts a number to single precision; to half precision only if that gives
// the same number.
func narrow(in *Interp, args *Args) Value {
	f, _ := number(plain(positional(args, 0)).X)
	if float64(float32(f)) != f {
		return in.Unknown(NumberRange, "%s in less precision", formatFloat(f))
	}
	return Value{X: f, Lit: positional(args, 0).Lit}
}

func roundFloat(in *Interp, args *Args) Value {
	v := round(in, args)
	if n, ok := v.Int(); ok {
		if _, isFloat := positional(args, 0).X.(float64); isFloat {
			return Value{X: float64(n)}
		}
	}
	return v
}

// versionInfo returns sys.version_info of a recent Python.
func (in *Interp) versionInfo() Value {
	c := &Class{Name: "sys.version_info", Attrs: in.namespace(), tuple: true}
	c.mro = []Value{{X: c}}
	o := in.allocate(c)
	for i, name := range []string{"major", "minor", "micro"} {
		c.fields = append(c.fields, field{name: name})
		o.Attrs.put(name, Value{X: []int64{3, 11, 0}[i], Overridable: true})
	}
	return Value{X: o, Overridable: true}
}

// fallback returns the value of a library's name if the Host does not know it.
func (in *Interp) fallback(name string) (Value, bool) {
	switch name {
	case "sys.argv":
		return in.Unknown(CommandLine, "the command line"), true
	case "sys.version_info":
		return in.versionInfo(), true
	case "sys.platform":
		return Value{X: "linux", Overridable: true}, true
	}
	if strings.HasSuffix(name, ".__version__") {
		return in.Unknown(Environment, "the version of %s", strings.TrimSuffix(name, ".__version__")), true
	}
	return Value{}, false
}
