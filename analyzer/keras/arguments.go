package keras

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A reader takes the arguments of a layer apart, and notes the first that is
// needed and not known.
type reader struct {
	args *value.Args
	why  string
	// in and h are at hand where an argument may be a function of the program.
	in *value.Interp
	h  *host
}

// keras2 tells whether what is made is surely of Keras 2.
func (r *reader) keras2() bool { return r.keras() == 2 }

// keras is the major version of the Keras that what is made is of.
func (r *reader) keras() int {
	if r.h == nil {
		return 3
	}
	return r.h.keras()
}

func (r *reader) fail(what, why string) {
	if r.why == "" {
		r.why = fmt.Sprintf("%s is not known: %s", what, why)
	}
}

// get is an argument; ok is false where it is not passed, or None.
func (r *reader) get(position int, keyword string) (value.Value, bool) {
	v, ok := r.args.Get(position, keyword)
	if _, none := v.X.(value.None); none {
		return v, false
	}
	if why := v.Why(); ok && why != "" {
		r.fail(keyword, why)
		return v, false
	}
	return v, ok
}

// number is a whole number, or otherwise where it is not passed.
func (r *reader) number(position int, keyword string, otherwise int64) int64 {
	v, ok := r.get(position, keyword)
	if !ok {
		return otherwise
	}
	switch x := v.X.(type) {
	case int64:
		return x
	case bool:
		if x {
			return 1
		}
		return 0
	case float64:
		if x == float64(int64(x)) {
			return int64(x)
		}
	}
	r.fail(keyword, unlike(v, "no whole number"))
	return otherwise
}

// unlike tells what an argument is that is not what it has to be.
func unlike(v value.Value, wanted string) string {
	switch x := v.X.(type) {
	case value.External:
		return x.Name + " is not in this program"
	case *array:
		if len(x.shape) == 0 {
			return "it is computed of data that is not known"
		}
	case *value.List:
		if x.Open != "" {
			return x.Open
		}
	}
	if items, ok := sequence(v); ok && len(items) > 0 {
		if why := unknownIn(v); why != "" {
			return why
		}
	} else if !ok {
		return because(v) + ", " + wanted
	}
	return "it is " + wanted
}

// float is a number.
func (r *reader) float(position int, keyword string, otherwise float64) float64 {
	v, ok := r.get(position, keyword)
	if !ok {
		return otherwise
	}
	switch x := v.X.(type) {
	case int64:
		return float64(x)
	case float64:
		return x
	}
	r.fail(keyword, unlike(v, "no number"))
	return otherwise
}

func (r *reader) bool(position int, keyword string, otherwise bool) bool {
	v, ok := r.get(position, keyword)
	if !ok {
		return otherwise
	}
	switch x := v.X.(type) {
	case bool:
		return x
	case int64:
		return x != 0
	}
	r.fail(keyword, unlike(v, "neither True nor False"))
	return otherwise
}

func (r *reader) text(position int, keyword, otherwise string) string {
	v, ok := r.get(position, keyword)
	if !ok {
		return otherwise
	}
	if s, ok := policyName(v); ok {
		return s
	}
	r.fail(keyword, unlike(v, "no string"))
	return otherwise
}

// numbers is a tuple of n whole numbers, or of any number where n is negative, or
// otherwise where it is not passed. A single number stands for all n; where any
// number will do, Keras takes none (keras/src/layers/reshaping/reshape.py).
func (r *reader) numbers(position int, keyword string, n int, otherwise []int64) []int64 {
	v, ok := r.get(position, keyword)
	if !ok {
		return otherwise
	}
	if x, ok := v.X.(int64); ok && n >= 0 {
		return same(n, x)
	}
	out, ok := whole(v)
	if !ok || len(out) != n && n >= 0 {
		if n >= 0 && len(out) == 1 {
			for len(out) < n {
				out = append(out, out[0])
			}
			return out
		}
		r.fail(keyword, unlike(v, "no tuple of whole numbers"))
		return otherwise
	}
	return out
}

// whole reads a tuple or list of whole numbers; None stands for an unknown one.
func whole(v value.Value) ([]int64, bool) {
	items, ok := sequence(v)
	if !ok {
		return nil, false
	}
	out := make([]int64, 0, len(items))
	for _, i := range items {
		switch x := i.X.(type) {
		case int64:
			out = append(out, x)
		case value.None:
			out = append(out, None)
		case float64:
			if x != float64(int64(x)) {
				return nil, false
			}
			out = append(out, int64(x))
		default:
			return nil, false
		}
	}
	return out, true
}

// sequence is the items of a tuple or list.
func sequence(v value.Value) ([]value.Value, bool) {
	switch x := v.X.(type) {
	case value.Tuple:
		return x, true
	case *value.List:
		return x.Items, x.Open == ""
	case *vector:
		return x.items, true
	}
	return nil, false
}

// same is n times x.
func same(n int, x int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = x
	}
	return out
}
