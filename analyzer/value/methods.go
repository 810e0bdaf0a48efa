package value

import (
	"math"
	"slices"
)

// method returns a method of a value of one of Python's own types.
func (in *Interp) method(v Value, name string) (Method, bool) {
	switch x := v.X.(type) {
	case string:
		if f, ok := in.library.ofText.Lookup(name); ok {
			return func(in *Interp, args *Args) Value {
				return in.callNative(native{run: func(in *Interp, args *Args) Value { return f(in, x, args) }}, args)
			}, true
		}
	case *List:
		if name == "get_next" && x.consumed { // of a dataset's iterator
			return func(in *Interp, _ *Args) Value { return nextItem(in, &Args{Positional: []Value{v}}) }, true
		}
		if f, ok := in.library.ofList.Lookup(name); ok {
			return func(in *Interp, args *Args) Value { return f(in, x, args) }, true
		}
	case Tuple:
		if name == "index" || name == "count" {
			l, f := &List{Items: x}, in.listMethod(name)
			return func(in *Interp, args *Args) Value { return f(in, l, args) }, true
		}
		if name == "as_list" { // of a TensorShape, which a Host returns as a tuple
			return func(in *Interp, _ *Args) Value { return Value{X: &List{Items: slices.Clone([]Value(x))}} }, true
		}
	case *Dict:
		if f, ok := in.library.ofDict.Lookup(name); ok {
			return func(in *Interp, args *Args) Value {
				defer in.synchronize(x)
				return f(in, x, args)
			}, true
		}
	case *Set:
		if f, ok := in.library.ofSet.Lookup(name); ok {
			return func(in *Interp, args *Args) Value { return f(in, x, args) }, true
		}
	case Range:
		if name == "index" || name == "count" {
			return func(in *Interp, args *Args) Value {
				items, ok := in.Iterate(v)
				if !ok {
					return in.Unknown(TooLong, "a place in a long range")
				}
				return in.listMethod(name)(in, &List{Items: items}, args)
			}, true
		}
	case float64:
		if name == "is_integer" {
			return func(*Interp, *Args) Value { return Value{X: x == math.Trunc(x) && !math.IsInf(x, 0)} }, true
		}
	case int64:
		if name == "bit_length" {
			return func(*Interp, *Args) Value {
				n := int64(0)
				for m := magnitude(x); m > 0; m >>= 1 {
					n++
				}
				return Value{X: n}
			}, true
		}
	}
	return nil, false
}

// listMethod returns a method of lists that tuples and ranges share.
func (in *Interp) listMethod(name string) func(in *Interp, l *List, args *Args) Value {
	f, _ := in.library.ofList.Lookup(name)
	return f
}

// noneValue is Python's None.
var noneValue = Value{X: None{}}
