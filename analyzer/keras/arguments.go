package keras

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An argParser takes the arguments of a layer apart, and notes the first that is
// needed and not known.
type argParser struct {
	args *value.Args
	why  string
	// in and h are at hand where an argument may be a function of the program.
	in *value.Interp
	h  *host
	// read holds the arguments that were read, by keyword, with defaults for those that are
	// not passed; nil if nothing asks for it.
	read map[string]value.Value
}

// reads notes what an argument was read as.
func (r *argParser) reads(keyword string, x any) {
	if r.read != nil {
		r.read[keyword] = value.Value{X: x}
	}
}

// keras2 tells whether what is made is surely of Keras 2.
func (r *argParser) keras2() bool { return r.keras() == 2 }

// keras is the major version of the Keras that what is made is of.
func (r *argParser) keras() int {
	if r.h == nil {
		return 3
	}
	return r.h.keras()
}

// note notes a reason, unless there is one.
func (r *argParser) note(why string) {
	if r.why == "" {
		r.why = why
	}
}

func (r *argParser) fail(what, why string) { r.note(objects.NotKnown(what, why)) }

// get is an argument; ok is false where it is not passed, or None.
func (r *argParser) get(position int, keyword string) (value.Value, bool) {
	v, ok, why := objects.Argument(r.args, position, keyword)
	r.note(why)
	return v, ok
}

// number is a whole number, or otherwise where it is not passed.
func (r *argParser) number(position int, keyword string, fallback int64) int64 {
	n, why := objects.IntArgument(r.args, position, keyword, fallback)
	r.note(why)
	if _, given := r.get(position, keyword); given && why == "" {
		r.refuses(keyword, n)
	}
	r.reads(keyword, n)
	return n
}

// refuses notes that Keras refuses a size of a layer: none takes one below zero, and some none of
// zero (keras/src/utils/argument_validation.py, standardize_tuple; keras/src/layers/core/dense.py).
func (r *argParser) refuses(keyword string, n int64) {
	least := int64(0)
	switch keyword {
	case "kernel_size", "pool_size":
		least = 1
	case "units":
		if !r.keras2() {
			least = 1
		}
	case "filters", "input_dim", "output_dim", "n", "size":
	default:
		return
	}
	if n < least {
		if keyword == "units" && n == 0 {
			r.note(from3("units is 0")) // a Dense of none was one before
			return
		}
		r.note(fmt.Sprintf("TensorFlow will raise: %s is %d", keyword, n))
	}
}

// float is a number.
func (r *argParser) float(position int, keyword string, fallback float64) float64 {
	x, why := objects.FloatArgument(r.args, position, keyword, fallback)
	r.note(why)
	r.reads(keyword, x)
	return x
}

func (r *argParser) bool(position int, keyword string, fallback bool) (is bool) {
	defer func() { r.reads(keyword, is) }()
	v, ok := r.get(position, keyword)
	if !ok {
		return fallback
	}
	switch x := v.X.(type) {
	case bool:
		return x
	case int64:
		return x != 0
	}
	r.fail(keyword, objects.Unlike(v, "neither True nor False"))
	return fallback
}

func (r *argParser) text(position int, keyword, fallback string) (text string) {
	defer func() { r.reads(keyword, text) }()
	v, ok := r.get(position, keyword)
	if !ok {
		return fallback
	}
	if s, ok := policyName(v); ok {
		return s
	}
	r.fail(keyword, objects.Unlike(v, "no string"))
	return fallback
}

// numbers is a tuple of n whole numbers, or of any number where n is negative, or
// otherwise where it is not passed. A single number stands for all n; where any
// number will do, Keras takes none (keras/src/layers/reshaping/reshape.py).
func (r *argParser) numbers(position int, keyword string, n int, fallback []int64) (numbers []int64) {
	defer func() {
		if numbers != nil {
			r.reads(keyword, intsOf(numbers))
		}
	}()
	v, ok := r.get(position, keyword)
	if !ok {
		return fallback
	}
	if x, ok := v.X.(int64); ok && n >= 0 {
		r.refuses(keyword, x)
		return same(n, x)
	}
	out, ok := objects.Whole(v)
	if !ok || len(out) != n && n >= 0 {
		if n >= 0 && len(out) == 1 {
			for len(out) < n {
				out = append(out, out[0])
			}
			return out
		}
		r.fail(keyword, objects.Unlike(v, "no tuple of whole numbers"))
		return fallback
	}
	if len(out) > 0 {
		r.refuses(keyword, slices.Min(out))
	}
	return out
}

func intsOf(numbers []int64) value.Tuple {
	var out value.Tuple
	for _, n := range numbers {
		out = append(out, value.Value{X: n})
	}
	return out
}

// same is n times x.
func same(n int, x int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = x
	}
	return out
}
