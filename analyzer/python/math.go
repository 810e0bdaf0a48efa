package python

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// constants are library names that stand for numbers.
var constants = library.Table[any]{
	"math.pi": math.Pi, "math.e": math.E, "math.inf": math.Inf(1), "math.nan": math.NaN(), "math.tau": 2 * math.Pi,
	"numpy.pi": math.Pi, "numpy.e": math.E, "numpy.inf": math.Inf(1), "numpy.Inf": math.Inf(1), "numpy.nan": math.NaN(), "numpy.newaxis": value.None{},
	"sys.maxsize": int64(math.MaxInt64), "os.sep": "/", "os.path.sep": "/", "os.linesep": "\n", "os.name": "posix",
	"string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz", "string.ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"string.ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "string.digits": "0123456789",
	"string.punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "typing.TYPE_CHECKING": false, "six.PY2": false, "six.PY3": true,
}

var realFunctions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": value.Exp, "log": value.Log, "log2": value.Log2, "log10": value.Log10, "log1p": math.Log1p, "sin": math.Sin, "cos": math.Cos,
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
func mathFunctions() library.Table[value.Native] {
	rows := library.Table[value.Native]{}
	real := func(f func(float64) float64) value.Native {
		return value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
			x, ok := value.Number(value.Plain(value.Positional(args, 0)).X)
			if !ok || len(args.Positional) != 1 {
				return in.Unknown(value.WrongType, "a function of %s", interp.Describe(in, value.Positional(args, 0)))
			}
			y := f(x)
			if (math.IsNaN(y) || math.IsInf(y, 0)) && !math.IsNaN(x) && !math.IsInf(x, 0) {
				return in.Unknown(value.WillRaise, "a number beyond the domain of a function: ValueError")
			}
			return value.Value{X: y}
		}}
	}
	for name, f := range realFunctions {
		if name != "log" { // Python's math.log takes a base
			rows.Add(real(f), "math."+name)
		}
		rows.Add(real(f), "numpy."+name)
	}
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		x, ok := value.Number(value.Plain(value.Positional(args, 0)).X)
		base, given := args.Get(1, "base")
		b, ok2 := value.Number(value.Plain(base).X)
		switch {
		case !ok || x <= 0 || given && (!ok2 || b <= 0 || b == 1):
			return in.Unknown(value.NumberRange, "a logarithm that does not exist")
		case given:
			return value.Value{X: value.Log(x) / value.Log(b)}
		}
		return value.Value{X: value.Log(x)}
	}}, "math.log")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		x, y, ok := value.Floats(value.Plain(value.Positional(args, 0)).X, value.Plain(value.Positional(args, 1)).X)
		if !ok {
			return in.Unknown(value.NumberRange, "a power of something that is not a number")
		}
		return in.FloatNumbers("**", x, y)
	}}, "math.pow")
	whole := func(f func(float64) float64) value.Native {
		return value.Native{Rounds: true, Run: func(in *value.Interp, args *value.Args) value.Value {
			v := value.Plain(value.Positional(args, 0))
			if n, ok := value.WholeOf(v); ok {
				return value.Value{X: n}
			}
			x, ok := v.X.(float64)
			if !ok || !(math.Abs(x) < 1<<62) {
				return in.Unknown(value.NumberRange, "%s as a whole number", interp.Describe(in, v))
			}
			return value.Value{X: int64(f(x))}
		}}
	}
	rows.Add(whole(math.Ceil), "math.ceil")
	rows.Add(whole(math.Floor), "math.floor")
	rows.Add(whole(math.Trunc), "math.trunc")
	for name, f := range map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor, "trunc": math.Trunc, "rint": math.RoundToEven} {
		rounds := real(f)
		rounds.Rounds = true
		rows.Add(rounds, "numpy."+name)
	}
	test := func(f func(float64) bool) value.Native {
		return value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
			x, ok := value.Number(value.Plain(value.Positional(args, 0)).X)
			if !ok {
				return in.Unknown(value.WrongType, "a test of %s", interp.Describe(in, value.Positional(args, 0)))
			}
			return value.Value{X: f(x)}
		}}
	}
	for _, library := range []string{"math.", "numpy."} {
		rows.Add(test(math.IsNaN), library+"isnan")
		rows.Add(test(func(x float64) bool { return math.IsInf(x, 0) }), library+"isinf")
		rows.Add(test(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }), library+"isfinite")
	}
	for _, name := range []string{"math.prod", "numpy.prod", "numpy.product"} {
		rows.Add(value.Native{Run: product}, name)
	}
	rows.Add(value.Native{Run: numbersOnly(sum)}, "numpy.sum", "math.fsum")
	rows.Add(value.Native{Run: numbersOnly(maximum)}, "numpy.max", "numpy.amax")
	rows.Add(value.Native{Run: numbersOnly(minimum)}, "numpy.min", "numpy.amin")
	rows.Add(value.Native{Run: scalars(maximum)}, "numpy.maximum")
	rows.Add(value.Native{Run: scalars(minimum)}, "numpy.minimum")
	rows.Add(value.Native{Run: scalars(func(in *value.Interp, args *value.Args) value.Value {
		if len(args.Positional) != 3 {
			return in.Unknown(value.UnmodelledPython, "a number between bounds that are not known")
		}
		low := maximum(in, &value.Args{Positional: args.Positional[:2]})
		return minimum(in, &value.Args{Positional: []value.Value{low, args.Positional[2]}})
	})}, "numpy.clip")
	rows.Add(value.Native{Run: scalars(abs)}, "numpy.abs", "numpy.absolute")
	rows.Add(value.Native{Run: scalars(roundFloat)}, "numpy.round", "numpy.around")
	for _, name := range []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int_", "intp"} {
		rows.Add(value.Native{Run: scalars(toInt)}, "numpy."+name)
	}
	rows.Add(value.Native{Run: scalars(toFloat)}, "numpy.float64", "numpy.float_")
	rows.Add(value.Native{Run: scalars(narrow)}, "numpy.float32", "numpy.float16")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		return folded(in, args, 0, func(a, b int64) (int64, bool) {
			for b != 0 {
				a, b = b, a%b
			}
			return int64(value.Magnitude(a)), a != math.MinInt64
		})
	}}, "math.gcd")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		return folded(in, args, 1, func(a, b int64) (int64, bool) {
			x, y := a, b
			for y != 0 {
				x, y = y, x%y
			}
			if x == 0 {
				return 0, true
			}
			p, ok := value.Times(a/x, b)
			return int64(value.Magnitude(p)), ok && p != math.MinInt64
		})
	}}, "math.lcm")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		n, k, ok := value.Wholes(value.Positional(args, 0).X, value.Positional(args, 1).X)
		if !ok || n < 0 || k < 0 || n > 1000 {
			return in.Unknown(value.UnmodelledPython, "a number of combinations")
		}
		result := int64(1)
		for i := range min(k, n-k) {
			if result, ok = value.Times(result, n-i); !ok {
				return in.Unknown(value.NumberRange, "a number of combinations that is larger than 64 bits")
			}
			result /= i + 1
		}
		if k > n {
			result = 0
		}
		return value.Value{X: result}
	}}, "math.comb")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		n, ok := value.WholeOf(value.Positional(args, 0))
		if !ok || n < 0 || n > 20 {
			return in.Unknown(value.NumberRange, "a factorial that is larger than 64 bits")
		}
		result := int64(1)
		for i := int64(2); i <= n; i++ {
			result *= i
		}
		return value.Value{X: result}
	}}, "math.factorial")
	rows.Add(value.Native{Run: func(in *value.Interp, args *value.Args) value.Value {
		n, ok := value.WholeOf(value.Positional(args, 0))
		if !ok || n < 0 || n > 1<<52 {
			return in.Unknown(value.NumberRange, "a root of %s", interp.Describe(in, value.Positional(args, 0)))
		}
		return value.Value{X: int64(math.Sqrt(float64(n)))}
	}}, "math.isqrt")
	return rows
}

// folded folds f over all arguments.
func folded(in *value.Interp, args *value.Args, start int64, f func(a, b int64) (int64, bool)) value.Value {
	result := start
	for _, v := range args.Positional {
		n, ok := value.WholeOf(v)
		if !ok {
			return in.Unknown(value.NumberRange, "a number that is not whole")
		}
		if result, ok = f(result, n); !ok {
			return in.Unknown(value.NumberRange, "a number that is larger than 64 bits")
		}
	}
	return value.Value{X: result}
}

func product(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) != 1 {
		return in.Unknown(value.UnmodelledPython, "a product that is not modelled")
	}
	if _, ok := value.Number(args.Positional[0].X); ok {
		return args.Positional[0]
	}
	items, ok := interp.Iterate(in, args.Positional[0])
	if !ok {
		return value.Value{X: value.Unknown{Cause: interp.WhyNotIterable(in, args.Positional[0])}}
	}
	total := value.Value{X: int64(1)}
	if start, ok := args.Keywords.Get("start"); ok {
		total = start
	}
	for _, v := range items {
		if _, ok := value.Number(value.Plain(v).X); !ok {
			if why := v.Cause(); why != nil {
				return value.Value{X: value.Unknown{Cause: why}}
			}
			return in.Unknown(value.NumberRange, "a product of something that is not a number")
		}
		total = interp.Binary(in, "*", total, v)
	}
	return total
}

// numbersOnly limits a function of a sequence to one argument that contains only
// numbers: an array would give another result.
func numbersOnly(f func(in *value.Interp, args *value.Args) value.Value) func(in *value.Interp, args *value.Args) value.Value {
	return func(in *value.Interp, args *value.Args) value.Value {
		if len(args.Positional) != 1 || args.Keywords.Len() > 0 {
			return in.Unknown(value.UnmodelledPython, "this function of an array is not modelled")
		}
		items, ok := value.SequenceOf(args.Positional[0])
		if !ok || slices.ContainsFunc(items, func(v value.Value) bool { _, ok := value.Number(value.Plain(v).X); return !ok }) {
			return in.Unknown(value.UnmodelledPython, "this function of %s is not modelled", interp.Describe(in, args.Positional[0]))
		}
		return f(in, args)
	}
}

// scalars limits a function to numbers.
func scalars(f func(in *value.Interp, args *value.Args) value.Value) func(in *value.Interp, args *value.Args) value.Value {
	return func(in *value.Interp, args *value.Args) value.Value {
		for _, v := range args.Positional {
			if _, ok := value.Number(value.Plain(v).X); !ok {
				return in.Unknown(value.UnmodelledPython, "this function of %s is not modelled", interp.Describe(in, v))
			}
		}
		return f(in, args)
	}
}

// narrow converts a number to single precision; to half precision only if that gives
// the same number.
func narrow(in *value.Interp, args *value.Args) value.Value {
	f, _ := value.Number(value.Plain(value.Positional(args, 0)).X)
	if float64(float32(f)) != f {
		return in.Unknown(value.NumberRange, "%s in less precision", value.FormatFloat(f))
	}
	return value.Value{X: f, Lit: value.Positional(args, 0).Lit}
}

func roundFloat(in *value.Interp, args *value.Args) value.Value {
	v := round(in, args)
	if n, ok := v.Int(); ok {
		if _, isFloat := value.Positional(args, 0).X.(float64); isFloat {
			return value.Value{X: float64(n)}
		}
	}
	return v
}
