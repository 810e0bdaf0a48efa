package interp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Setting is an interpolation such as "${model.units}", which is resolved whenever it
// is read.
type Setting struct {
	value.Opaque
	Text string
}

var interpolation = regexp.MustCompile(`^\$\{([^{}]*)\}$`)

// Settled returns the value that a dict of settings yields for one of its entries.
func Settled(in *value.Interp, d *value.Dict, v value.Value) value.Value {
	return settledWithin(in, d.Root, v, 16)
}

func settledWithin(in *value.Interp, root *value.Dict, v value.Value, depth int) value.Value {
	switch x := v.X.(type) {
	case *value.List:
		if root == nil || !slices.ContainsFunc(x.Items, func(v value.Value) bool { _, ok := v.X.(Setting); return ok }) {
			return v
		}
		l := &value.List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = settledWithin(in, root, l.Items[i], depth-1)
		}
		return value.Value{X: l}
	case Setting:
		m := interpolation.FindStringSubmatch(x.Text)
		if m == nil || root == nil || depth == 0 || !in.Spend(1) {
			return in.Unknown(value.Settings, "the setting %s", x.Text)
		}
		found := value.Value{X: root}
		for name := range strings.SplitSeq(m[1], ".") {
			d, ok := found.X.(*value.Dict)
			if ok {
				found, ok = d.Get(name)
			}
			if !ok {
				return in.Unknown(value.Settings, "the setting %s", x.Text)
			}
			found = settledWithin(in, root, found, depth-1)
		}
		return found
	}
	return v
}

// ForgetSettings makes settings unknown after an unmodelled function may have changed
// them.
func ForgetSettings(in *value.Interp, v value.Value, why *value.Cause, depth int) {
	d, ok := v.X.(*value.Dict)
	if !ok || depth == 0 || !in.Spend(len(d.Keys)) {
		return
	}
	for _, v := range d.Values {
		ForgetSettings(in, v, why, depth-1)
	}
	in.OpenDict(d, why)
}

const MaxNested = 64 // nesting of mappings and lists of settings

// WithAttributes returns a copy of a dict whose keys are also attributes, as are those of the dicts
// inside it, also in its lists and tuples (easydict/__init__.py, __setattr__). It returns any other
// value unchanged.
func WithAttributes(in *value.Interp, v value.Value, depth int) value.Value {
	return below(in, nil, v, depth)
}

// below is WithAttributes inside the dict root, if there is one.
func below(in *value.Interp, root *value.Dict, v value.Value, depth int) value.Value {
	each := func(items []value.Value) []value.Value {
		if !in.Spend(len(items)) {
			return items
		}
		out := slices.Clone(items)
		for i := range out {
			out[i] = below(in, root, out[i], depth-1)
		}
		return out
	}
	hasDict := func(v value.Value) bool { d, ok := v.X.(*value.Dict); return ok && !d.Dotted }
	d, ok := v.X.(*value.Dict)
	switch x := v.X.(type) {
	case *value.List:
		if depth > 0 && slices.ContainsFunc(x.Items, hasDict) {
			v.X = &value.List{Items: each(x.Items), Open: x.Open}
		}
	case value.Tuple:
		if depth > 0 && slices.ContainsFunc(x, hasDict) {
			v.X = value.Tuple(each(x))
		}
	}
	switch {
	case !ok || d.Dotted:
		return v
	case depth == 0 || !in.Spend(len(d.Keys)):
		return in.Unknown(value.TooLong, "settings that are too deep to follow")
	}
	out := &value.Dict{Keys: slices.Clone(d.Keys), Open: d.Open, Dotted: true, Root: root}
	if root == nil {
		out.Root = out
	}
	for _, item := range d.Values {
		out.Values = append(out.Values, below(in, out.Root, item, depth-1))
	}
	v.X = out
	return v
}
