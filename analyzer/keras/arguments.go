package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An argParser reads the arguments of a layer. It records the first required argument that is
// unknown.
type argParser struct {
	args *value.Args
	why  *value.Cause
	// in and h are needed if an argument may be a function of the program.
	in *value.Interp
	h  *host
	// own returns an activation that is a function of the program. If it is nil, there are none.
	own func(f value.Value) ownActivation
	// read holds the arguments that were read, by keyword, with defaults for those that are not
	// passed. It is nil if nothing asks for it.
	read map[string]value.Value
}

// reads records the value that was read for an argument.
func (r *argParser) reads(keyword string, x any) {
	if r.read != nil {
		r.read[keyword] = value.Value{X: x}
	}
}

// keras2 reports whether the layer surely belongs to Keras 2.
func (r *argParser) keras2() bool { return r.keras() == 2 }

// keras returns the major version of the Keras that the layer belongs to.
func (r *argParser) keras() int {
	if r.h == nil {
		return 3
	}
	return r.h.keras()
}

// note records a reason, unless there is one already.
func (r *argParser) note(why *value.Cause) {
	if r.why == nil {
		r.why = why
	}
}

func (r *argParser) fail(what string, why *value.Cause) { r.note(objects.NotKnown(what, why)) }

// get returns an argument. ok is false if it is not passed, or None.
func (r *argParser) get(position int, keyword string) (value.Value, bool) {
	v, ok, why := objects.Argument(r.args, position, keyword)
	r.note(why)
	return v, ok
}

// number returns an integer argument, or fallback if it is not passed.
func (r *argParser) number(position int, keyword string, fallback int64) int64 {
	n, why := objects.IntArgument(r.args, position, keyword, fallback)
	r.note(why)
	if _, given := r.get(position, keyword); given && why == nil {
		r.refuses(keyword, n)
	}
	r.reads(keyword, n)
	return n
}

// refuses records that Keras refuses the size of a layer. No size may be negative, and some must
// not be zero (keras/src/utils/argument_validation.py, standardize_tuple;
// keras/src/layers/core/dense.py).
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
			r.note(from3("units is 0")) // earlier versions accepted a Dense of 0 units
			return
		}
		r.note(value.Because(value.KerasRaises, "TensorFlow will raise: %s is %d", keyword, n))
	}
}

// float returns a floating-point argument.
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

// numbers returns a tuple of n integers, or of any number of them if n is negative, or fallback
// if the argument is not passed. A single number stands for all n. If any number of them is
// allowed, Keras takes no single number (keras/src/layers/reshaping/reshape.py).
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

// same returns n times x.
func same(n int, x int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = x
	}
	return out
}
