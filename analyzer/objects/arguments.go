package objects

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Argument returns an argument of a call. ok is false if it is not passed, is None, or is not
// known; why is the reason for the latter.
func Argument(args *value.Args, position int, keyword string) (v value.Value, ok bool, why *value.Cause) {
	v, ok = args.Get(position, keyword)
	if _, none := v.X.(value.None); none {
		return v, false, nil
	}
	if why := v.Cause(); ok && why != nil {
		return v, false, NotKnown(keyword, why)
	}
	return v, ok, nil
}

// number is Argument for one that is to be a number.
func number(args *value.Args, position int, keyword string) (v value.Value, ok bool, why *value.Cause) {
	if v, ok, why = Argument(args, position, keyword); why != nil && args.Node.Kind() == syntax.Call {
		why.Number = names.Argument(args.Node, position, keyword)
	}
	return v, ok, why
}

// IntArgument returns an integer argument, or fallback if it is not passed, or not known.
func IntArgument(args *value.Args, position int, keyword string, fallback int64) (n int64, why *value.Cause) {
	v, ok, why := number(args, position, keyword)
	if !ok {
		return fallback, why
	}
	switch x := v.X.(type) {
	case int64:
		return x, nil
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case float64:
		if x == float64(int64(x)) {
			return int64(x), nil
		}
	}
	return fallback, NotKnown(keyword, Unlike(v, "no whole number"))
}

// FloatArgument returns a number, or fallback if it is not passed, or not known.
func FloatArgument(args *value.Args, position int, keyword string, fallback float64) (x float64, why *value.Cause) {
	v, ok, why := number(args, position, keyword)
	if !ok {
		return fallback, why
	}
	switch x := v.X.(type) {
	case int64:
		return float64(x), nil
	case float64:
		return x, nil
	}
	return fallback, NotKnown(keyword, Unlike(v, "no number"))
}

// firstNames are the libraries' names for the first argument of a function.
var firstNames = []string{"x", "input", "inputs", "tensor", "input_tensor", "a", "x1", "values", "value", "features", "logits", "images", "image", "params", "arrays", "xs", "labels", "indices", "condition", "cond", "array", "m"}

// First returns the first argument of a function, whatever its library calls it.
func First(args *value.Args) value.Value {
	if len(args.Positional) > 0 {
		return args.Positional[0]
	}
	for _, name := range firstNames {
		if v, ok := args.Keywords.Get(name); ok {
			return v
		}
	}
	return value.Because(value.MissingArgument, "an operation is called without a tensor").Unknown()
}

// NamesFirst reports whether a library uses this name for the first argument of functions.
func NamesFirst(keyword string) bool { return slices.Contains(firstNames, keyword) }

// Passed returns an argument at a position or under one of several names.
func Passed(args *value.Args, position int, names ...string) (value.Value, bool) {
	for _, name := range names {
		if v, ok := args.Keywords.Get(name); ok {
			return v, true
		}
	}
	return args.Get(position, names[0])
}

// Given is [Passed] of an argument whose None is the same as leaving it out.
func Given(args *value.Args, position int, names ...string) (value.Value, bool) {
	v, ok := Passed(args, position, names...)
	return v, ok && v.X != (value.None{})
}
