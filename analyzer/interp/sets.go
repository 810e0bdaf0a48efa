package interp

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// MakeSet returns a set of the items, without duplicates.
func MakeSet(in *value.Interp, items []value.Value, open *value.Cause) value.Value {
	s := &value.Set{Open: open}
	AddAll(in, s, value.Value{X: value.Tuple(items)})
	return value.Value{X: s}
}

// AddAll adds the items of v to a set.
func AddAll(in *value.Interp, s *value.Set, v value.Value) {
	items, ok := Elements(in, v)
	in.Record(s)
	if !ok {
		*s = value.Set{Open: WhyNotIterable(in, v)}
		return
	}
	// Many items are compared by index where possible, not each with each.
	var there map[any]bool
	if len(items) > value.Few && in.Spend(len(s.Items)/8) {
		there = make(map[any]bool, len(s.Items)+len(items))
		for _, item := range s.Items {
			if key, ok := value.KeyOf(item); ok {
				there[key] = true
			}
		}
	}
	for _, item := range items {
		if !in.Hashable(item) {
			s.Open = value.Because(value.WrongType, "an item that is not known (%s)", item.Cause())
			continue
		}
		if one, ok := item.X.(value.Object); ok && len(s.Items) > 0 {
			if _, known := value.Equal(s.Items[0], item, 1); !known {
				if _, known = one.Is(s.Items[0]); !known { // numbers that are not known may all be one
					s.Open = value.Because(value.ArrayContents, "which of its items are the same is not known")
					continue
				}
			}
		}
		key, quick := value.KeyOf(item)
		quick = quick && there != nil
		if quick && there[key] || !quick && !(in.Spend(len(s.Items)/8) && !value.Contains(s.Items, item)) {
			continue
		}
		if in.Spend(1) && len(s.Items) < value.MaxItems {
			s.Items = append(s.Items, item)
			if quick {
				there[key] = true
			}
		}
	}
}

// Elements returns the items of v, in any order.
func Elements(in *value.Interp, v value.Value) ([]value.Value, bool) {
	if s, ok := v.X.(*value.Set); ok {
		return slices.Clone(s.Items), s.Open == nil
	}
	return Iterate(in, v)
}

// Sets evaluates a op b for two sets.
func Sets(in *value.Interp, op string, a, b *value.Set) value.Value {
	for _, s := range []*value.Set{a, b} {
		if s.Open != nil {
			return value.Value{X: &value.Set{Open: s.Open}}
		}
	}
	if !in.Spend(len(a.Items) * len(b.Items) / 8) {
		return value.OutOfSteps.Unknown()
	}
	out := &value.Set{}
	for _, v := range a.Items {
		if op == "|" || op == "&" && value.Contains(b.Items, v) || (op == "-" || op == "^") && !value.Contains(b.Items, v) {
			out.Items = append(out.Items, v)
		}
	}
	if op == "|" || op == "^" {
		for _, v := range b.Items {
			if !value.Contains(a.Items, v) {
				out.Items = append(out.Items, v)
			}
		}
	}
	if !strings.Contains("|&-^", op) {
		return in.Unknown(value.UnmodelledPython, "%s of sets", op)
	}
	return value.Value{X: out}
}
