package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// setMethods returns the methods of sets.
func setMethods() library.Table[func(in *Interp, s *Set, args *Args) Value] {
	operator := func(op string) func(in *Interp, s *Set, args *Args) Value {
		return func(in *Interp, s *Set, args *Args) Value {
			result := Value{X: s}
			for _, v := range args.Positional {
				items, ok := in.elements(v)
				if !ok {
					return Value{X: &Set{Open: in.whyNotIterable(v)}}
				}
				result = in.sets(op, result.X.(*Set), in.makeSet(items, nil).X.(*Set))
				if _, ok := result.X.(*Set); !ok {
					return result
				}
			}
			return result
		}
	}
	remove := func(in *Interp, s *Set, args *Args) Value {
		in.touch(s)
		item := positional(args, 0)
		in.Spend(len(s.Items) / 8)
		if !in.hashable(item) {
			*s = Set{Open: Because(UnmodelledPython, "an item that is not known is removed")}
			return noneValue
		}
		s.Items = slices.DeleteFunc(slices.Clone(s.Items), func(v Value) bool { return contains([]Value{v}, item) })
		return noneValue
	}
	return library.Table[func(in *Interp, s *Set, args *Args) Value]{
		"add": func(in *Interp, s *Set, args *Args) Value {
			in.addAll(s, Value{X: Tuple{positional(args, 0)}})
			return noneValue
		},
		"update": func(in *Interp, s *Set, args *Args) Value {
			for _, v := range args.Positional {
				in.addAll(s, v)
			}
			return noneValue
		},
		"remove": remove, "discard": remove,
		"union": operator("|"), "intersection": operator("&"), "difference": operator("-"), "symmetric_difference": operator("^"),
		"copy": func(in *Interp, s *Set, _ *Args) Value {
			return Value{X: &Set{Items: slices.Clone(s.Items), Open: s.Open}}
		},
		"issubset": func(in *Interp, s *Set, args *Args) Value {
			items, ok := in.elements(positional(args, 0))
			if !ok || s.Open != nil {
				return in.Unknown(Unordered, "what is in a set")
			}
			if !in.Spend(len(s.Items) * len(items) / 8) {
				return tooLong.Unknown()
			}
			return Value{X: holdsAll(items, s.Items)}
		},
	}
}

// makeSet returns a set of the items, without duplicates.
func (in *Interp) makeSet(items []Value, open *Cause) Value {
	s := &Set{Open: open}
	in.addAll(s, Value{X: Tuple(items)})
	return Value{X: s}
}

// addAll adds the items of v to a set.
func (in *Interp) addAll(s *Set, v Value) {
	items, ok := in.elements(v)
	in.touch(s)
	if !ok {
		*s = Set{Open: in.whyNotIterable(v)}
		return
	}
	// Many items are compared by index where possible, not each with each.
	var there map[any]bool
	if len(items) > few && in.Spend(len(s.Items)/8) {
		there = make(map[any]bool, len(s.Items)+len(items))
		for _, item := range s.Items {
			if key, ok := keyOf(item); ok {
				there[key] = true
			}
		}
	}
	for _, item := range items {
		if !in.hashable(item) {
			s.Open = Because(WrongType, "an item that is not known (%s)", item.Cause())
			continue
		}
		key, quick := keyOf(item)
		quick = quick && there != nil
		if quick && there[key] || !quick && !(in.Spend(len(s.Items)/8) && !contains(s.Items, item)) {
			continue
		}
		if in.Spend(1) && len(s.Items) < maxItems {
			s.Items = append(s.Items, item)
			if quick {
				there[key] = true
			}
		}
	}
}

// elements returns the items of v, in any order.
func (in *Interp) elements(v Value) ([]Value, bool) {
	if s, ok := v.X.(*Set); ok {
		return slices.Clone(s.Items), s.Open == nil
	}
	return in.Iterate(v)
}

// sets evaluates a op b for two sets.
func (in *Interp) sets(op string, a, b *Set) Value {
	for _, s := range []*Set{a, b} {
		if s.Open != nil {
			return Value{X: &Set{Open: s.Open}}
		}
	}
	if !in.Spend(len(a.Items) * len(b.Items) / 8) {
		return tooLong.Unknown()
	}
	out := &Set{}
	for _, v := range a.Items {
		if op == "|" || op == "&" && contains(b.Items, v) || (op == "-" || op == "^") && !contains(b.Items, v) {
			out.Items = append(out.Items, v)
		}
	}
	if op == "|" || op == "^" {
		for _, v := range b.Items {
			if !contains(a.Items, v) {
				out.Items = append(out.Items, v)
			}
		}
	}
	if !strings.Contains("|&-^", op) {
		return in.Unknown(UnmodelledPython, "%s of sets", op)
	}
	return Value{X: out}
}
