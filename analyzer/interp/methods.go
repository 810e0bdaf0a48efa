package interp

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// method returns a method of a value of one of Python's own types.
func method(in *value.Interp, v value.Value, name string) (value.Method, bool) {
	switch x := v.X.(type) {
	case string:
		if f, ok := in.Library.OfText.Lookup(name); ok {
			return func(in *value.Interp, args *value.Args) value.Value {
				return CallNative(in, value.Native{Run: func(in *value.Interp, args *value.Args) value.Value { return f(in, x, args) }}, args)
			}, true
		}
	case *value.List:
		// Of a dataset's iterator (tensorflow/python/data/ops/iterator_ops.py, OwnedIterator).
		if (name == "get_next" || name == "next") && x.Consumed {
			return func(in *value.Interp, _ *value.Args) value.Value {
				return Next(in, &value.Args{Positional: []value.Value{v}})
			}, true
		}
		if f, ok := in.Library.OfList.Lookup(name); ok {
			return func(in *value.Interp, args *value.Args) value.Value { return f(in, x, args) }, true
		}
	case value.Tuple:
		if name == "index" || name == "count" {
			l, f := &value.List{Items: x}, listMethod(in, name)
			return func(in *value.Interp, args *value.Args) value.Value { return f(in, l, args) }, true
		}
		if name == "as_list" { // of a TensorShape, which a Host returns as a tuple
			return func(in *value.Interp, _ *value.Args) value.Value {
				return value.Value{X: &value.List{Items: slices.Clone([]value.Value(x))}}
			}, true
		}
	case *value.Dict:
		if f, ok := in.Library.OfDict.Lookup(name); ok {
			return func(in *value.Interp, args *value.Args) value.Value {
				defer synchronize(in, x)
				return f(in, x, args)
			}, true
		}
	case *value.Set:
		if f, ok := in.Library.OfSet.Lookup(name); ok {
			return func(in *value.Interp, args *value.Args) value.Value { return f(in, x, args) }, true
		}
	case value.Range:
		if name == "index" || name == "count" {
			return func(in *value.Interp, args *value.Args) value.Value {
				items, ok := Iterate(in, v)
				if !ok {
					return in.Unknown(value.TooLong, "a place in a long range")
				}
				return listMethod(in, name)(in, &value.List{Items: items}, args)
			}, true
		}
	case float64:
		if name == "is_integer" {
			return func(*value.Interp, *value.Args) value.Value {
				return value.Value{X: x == math.Trunc(x) && !math.IsInf(x, 0)}
			}, true
		}
	case int64:
		if name == "bit_length" {
			return func(*value.Interp, *value.Args) value.Value {
				n := int64(0)
				for m := value.Magnitude(x); m > 0; m >>= 1 {
					n++
				}
				return value.Value{X: n}
			}, true
		}
	}
	return nil, false
}

// listMethod returns a method of lists that tuples and ranges share.
func listMethod(in *value.Interp, name string) func(in *value.Interp, l *value.List, args *value.Args) value.Value {
	f, _ := in.Library.OfList.Lookup(name)
	return f
}
