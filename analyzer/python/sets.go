package python

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// setMethods returns the methods of sets.
func setMethods() library.Table[func(in *value.Interp, s *value.Set, args *value.Args) value.Value] {
	operator := func(op string) func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
		return func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
			result := value.Value{X: s}
			for _, v := range args.Positional {
				items, ok := interp.Elements(in, v)
				if !ok {
					return value.Value{X: &value.Set{Open: interp.WhyNotIterable(in, v)}}
				}
				result = interp.Sets(in, op, result.X.(*value.Set), interp.MakeSet(in, items, nil).X.(*value.Set))
				if _, ok := result.X.(*value.Set); !ok {
					return result
				}
			}
			return result
		}
	}
	remove := func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
		in.Record(s)
		item := value.Positional(args, 0)
		in.Spend(len(s.Items) / 8)
		if !in.Hashable(item) {
			*s = value.Set{Open: value.Because(value.UnmodelledPython, "an item that is not known is removed")}
			return value.NoneValue
		}
		s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(v value.Value) bool { return value.Contains([]value.Value{v}, item) })
		return value.NoneValue
	}
	return library.Table[func(in *value.Interp, s *value.Set, args *value.Args) value.Value]{
		"add": func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
			interp.AddAll(in, s, value.Value{X: value.Tuple{value.Positional(args, 0)}})
			return value.NoneValue
		},
		"update": func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
			for _, v := range args.Positional {
				interp.AddAll(in, s, v)
			}
			return value.NoneValue
		},
		"remove": remove, "discard": remove,
		"union": operator("|"), "intersection": operator("&"), "difference": operator("-"), "symmetric_difference": operator("^"),
		"copy": func(in *value.Interp, s *value.Set, _ *value.Args) value.Value {
			return value.Value{X: &value.Set{Items: slices.Clone(s.Items), Open: s.Open}}
		},
		"issubset": func(in *value.Interp, s *value.Set, args *value.Args) value.Value {
			items, ok := interp.Elements(in, value.Positional(args, 0))
			if !ok || s.Open != nil {
				return in.Unknown(value.Unordered, "what is in a set")
			}
			if !in.Spend(len(s.Items) * len(items) / 8) {
				return value.OutOfSteps.Unknown()
			}
			return value.Value{X: value.HoldsAll(items, s.Items)}
		},
	}
}
