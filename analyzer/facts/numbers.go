package facts

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Numbers are those that an expression may stand for, from Low to High.
type Numbers struct {
	Low, High float64
	// Known is set if at least one number is known.
	Known bool
	// Complete is set if all are, and then Known is as well. Otherwise there may be others: a parameter that nothing in the
	// program passes has its default here, as has an option of the command line.
	Complete bool
}

// Exactly returns the only number that the expression can be, or 0.
func (n Numbers) Exactly() (number float64, ok bool) {
	if !n.Complete {
		return 0, false
	}
	return n.Likely()
}

// Whole returns the only number that the expression can be if it is a whole one, or 0.
func (n Numbers) Whole() (number int64, ok bool) {
	v, ok := n.Exactly()
	if !ok || v != math.Trunc(v) || math.Abs(v) >= 1<<53 {
		return 0, false
	}
	return int64(v), true
}

// Likely returns the only number that is known, or 0: the program may be given others.
func (n Numbers) Likely() (number float64, ok bool) {
	if !n.Known || n.Low != n.High {
		return 0, false
	}
	return n.Low, true
}

func one(v float64) Numbers { return Numbers{v, v, true, true} }

// among returns the numbers of two origins of one value.
func among(a, b Numbers) Numbers {
	switch {
	case !a.Known:
		b.Complete = false
		return b
	case !b.Known:
		a.Complete = false
		return a
	}
	return Numbers{min(a.Low, b.Low), max(a.High, b.High), true, a.Complete && b.Complete}
}

// Number returns the numbers that an expression may be, in code that is reached as in says.
func (f *Facts) Number(n syntax.Node, in *origins.Call) Numbers {
	return f.number(origins.Place{Node: n, In: in})
}

func (f *Facts) number(p origins.Place) Numbers {
	defer f.info.Enter(p.Node).Leave()
	end, ok := f.begins(number, p)
	if !ok {
		return Numbers{}
	}
	defer end()
	var all Numbers
	for i, origin := range f.origins.Of(p) {
		of := f.numberOf(origin)
		if i == 0 {
			all = of
		} else {
			all = among(all, of)
		}
	}
	return all
}

// numberOf returns the numbers of an origin.
func (f *Facts) numberOf(p origins.Place) Numbers {
	n := p.Node
	if len(p.Path) > 0 {
		return Numbers{}
	}
	of := func(n syntax.Node) Numbers { return f.number(origins.Place{Node: n, In: p.In}) }
	switch n.Kind() {
	case syntax.Integer:
		if v, err := strconv.ParseInt(strings.ReplaceAll(n.Text(), "_", ""), 0, 64); err == nil {
			return one(float64(v))
		}
		return literal(n) // 007
	case syntax.Float:
		return literal(n)
	case syntax.UnaryOperator:
		switch operand := of(n.Child(syntax.FieldArgument)); n.Child(syntax.FieldOperator).Text() {
		case "-":
			return Numbers{-operand.High, -operand.Low, operand.Known, operand.Complete}
		case "+":
			return operand
		}
	case syntax.BinaryOperator, syntax.AugmentedAssignment:
		return combined(of(n.Child(syntax.FieldLeft)), of(n.Child(syntax.FieldRight)), strings.TrimSuffix(n.Child(syntax.FieldOperator).Text(), "="))
	case syntax.Call:
		return f.computed(n, p.In)
	case syntax.Identifier:
		return f.assumed(n)
	case syntax.Attribute:
		if given := f.info.OptionDefault(n.Child(syntax.FieldAttribute).Text()); given.Valid() {
			option := f.number(origins.Place{Node: given})
			option.Complete = false
			return option
		}
	}
	return Numbers{}
}

func literal(n syntax.Node) Numbers {
	v, err := strconv.ParseFloat(strings.ReplaceAll(n.Text(), "_", ""), 64)
	if err != nil {
		return Numbers{}
	}
	return one(v)
}

// assumed returns the default of a parameter that nothing in the program passes.
func (f *Facts) assumed(n syntax.Node) Numbers {
	bindings := f.info.ReachingDefs(n)
	if b := f.info.BindingAt(n); b != nil {
		bindings = []*names.Binding{b} // a library calls its function
	}
	var all Numbers
	for _, b := range bindings {
		if b.Kind != names.ParameterBinding || !b.Value.Valid() || b.Scope.Func.Starred(b.Name) {
			return Numbers{}
		}
		all = among(all, f.number(origins.Place{Node: b.Value}))
	}
	all.Complete = false
	return all
}

// computed returns the result of a builtin, or of a function of math.
func (f *Facts) computed(call syntax.Node, in *origins.Call) Numbers {
	if names.HasSplat(call) {
		return Numbers{}
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	of := func(step func(float64) float64) Numbers {
		n := f.Number(first, in)
		return Numbers{step(n.Low), step(n.High), n.Known, n.Complete}
	}
	switch name := cmp.Or(f.info.Callee(call), f.info.Builtin(call)); name {
	case "len":
		return f.length(first, in)
	case "int", "math.trunc":
		return of(math.Trunc)
	case "float":
		return of(func(v float64) float64 { return v })
	case "round":
		if names.Argument(call, 1, "ndigits").Valid() {
			return Numbers{}
		}
		return of(math.RoundToEven)
	case "math.ceil", "numpy.ceil":
		return of(math.Ceil)
	case "math.floor", "numpy.floor":
		return of(math.Floor)
	case "min", "max":
		return f.extreme(call, in, name == "max")
	case "pow", "math.pow":
		return combined(f.Number(first, in), f.Number(names.Argument(call, 1, "exp"), in), "**")
	}
	return Numbers{}
}

// extreme returns the largest, or the smallest, of the arguments of a call.
func (f *Facts) extreme(call syntax.Node, in *origins.Call, largest bool) Numbers {
	var all Numbers
	for i := 0; ; i++ {
		argument := names.Element(call.Child(syntax.FieldArguments), i)
		switch {
		case !argument.Valid() && i > 1:
			return all
		case !argument.Valid(), argument.Kind() == syntax.KeywordArgument:
			return Numbers{} // of the items of one argument
		}
		switch n := f.Number(argument, in); {
		case !n.Known:
			return Numbers{}
		case i == 0:
			all = n
		case largest:
			all = Numbers{max(all.Low, n.Low), max(all.High, n.High), true, all.Complete && n.Complete}
		default:
			all = Numbers{min(all.Low, n.Low), min(all.High, n.High), true, all.Complete && n.Complete}
		}
	}
}

// combined returns the results of an operator.
func combined(a, b Numbers, operator string) Numbers {
	if !a.Known || !b.Known {
		return Numbers{}
	}
	var apply func(x, y float64) float64
	switch operator {
	case "+":
		apply = func(x, y float64) float64 { return x + y }
	case "-":
		apply = func(x, y float64) float64 { return x - y }
	case "*":
		apply = func(x, y float64) float64 { return x * y }
	case "/", "//":
		if b.Low <= 0 && b.High >= 0 {
			return Numbers{}
		}
		apply = func(x, y float64) float64 { return x / y }
		if operator == "//" {
			apply = func(x, y float64) float64 { return math.Floor(x / y) }
		}
	case "%", "**", "<<", ">>":
		if a.Low != a.High || b.Low != b.High || b.Low < 0 || operator == "%" && (b.Low == 0 || a.Low < 0) {
			return Numbers{}
		}
		apply = map[string]func(x, y float64) float64{
			"%":  math.Mod,
			"**": math.Pow,
			"<<": func(x, y float64) float64 { return x * math.Pow(2, y) },
			">>": func(x, y float64) float64 { return math.Floor(x / math.Pow(2, y)) },
		}[operator]
	default:
		return Numbers{}
	}
	out := Numbers{math.Inf(1), math.Inf(-1), true, a.Complete && b.Complete}
	for _, x := range []float64{a.Low, a.High} {
		for _, y := range []float64{b.Low, b.High} {
			v := apply(x, y)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return Numbers{}
			}
			out.Low, out.High = min(out.Low, v), max(out.High, v)
		}
	}
	return out
}
