package layers

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An ArgParser reads the arguments of a layer. It records the first required argument that is
// unknown.
type ArgParser struct {
	Args *value.Args
	Why  *value.Cause
	// In and H are needed if an argument may be a function of the program.
	In *value.Interp
	H  *state.Host
	// Own returns an activation that is a function of the program. If it is nil, there are none.
	Own func(f value.Value) OwnActivation
	// Read holds the arguments that were read, by keyword, with defaults for those that are not
	// passed. It is nil if nothing asks for it.
	Read map[string]value.Value
}

// reads records the value that was read for an argument.
func (r *ArgParser) reads(keyword string, x any) {
	if r.Read != nil {
		r.Read[keyword] = value.Value{X: x}
	}
}

// keras2 reports whether the layer surely belongs to Keras 2.
func (r *ArgParser) keras2() bool { return r.H != nil && r.H.Keras() == 2 }

// switches reports whether layers choose what training alone does by the switches of TensorFlow 1.
func (r *ArgParser) switches() bool { return r.H != nil && r.H.Env.Switches }

// note records a reason, unless there is one already.
func (r *ArgParser) note(why *value.Cause) {
	r.Why = cmp.Or(r.Why, why)
}

func (r *ArgParser) Fail(what string, why *value.Cause) { r.note(objects.NotKnown(what, why)) }

// Get returns an argument. ok is false if it is not passed, or None.
func (r *ArgParser) Get(position int, keyword string) (value.Value, bool) {
	v, ok, why := objects.Argument(r.Args, position, keyword)
	r.note(why)
	return v, ok
}

// Number returns an integer argument, or fallback if it is not passed.
func (r *ArgParser) Number(position int, keyword string, fallback int64) int64 {
	n, why := objects.IntArgument(r.Args, position, keyword, fallback)
	if keyword == "units" && why != nil && !r.keras2() {
		// Keras 2 converts it (keras/src/layers/core/dense.py).
		switch v, _ := r.Args.Get(position, keyword); x := v.X.(type) {
		case string, float64:
			r.note(FromKeras3("units is %v, no whole number", x))
		}
	}
	r.note(why)
	if _, given := r.Get(position, keyword); given && why == nil {
		r.refuses(keyword, n)
	}
	r.reads(keyword, n)
	return n
}

// refuses records that Keras refuses the size of a layer. No size may be negative, and some must
// not be zero (keras/src/utils/argument_validation.py, standardize_tuple;
// keras/src/layers/core/dense.py).
func (r *ArgParser) refuses(keyword string, n int64) {
	least := int64(0)
	switch keyword {
	case "kernel_size", "pool_size", "filters", "input_dim", "output_dim":
		least = 1
	case "units", "n", "depth_multiplier": // earlier versions accepted 0: a Dense of 0 units
		if n == 0 && !r.keras2() {
			r.note(FromKeras3("%s is 0", keyword))
			return
		}
	case "size":
	default:
		return
	}
	if n < least {
		r.note(value.Refused("%s is %d", keyword, n))
	}
}

// Float returns a floating-point argument.
func (r *ArgParser) Float(position int, keyword string, fallback float64) float64 {
	x, why := objects.FloatArgument(r.Args, position, keyword, fallback)
	r.note(why)
	r.reads(keyword, x)
	return x
}

// fraction returns an argument from 0 to 1. Keras refuses others, in some classes since Keras 3
// (keras/src/layers/regularization).
func (r *ArgParser) fraction(position int, keyword string, fallback float64, since3 bool) float64 {
	x := r.Float(position, keyword, fallback)
	switch {
	case x >= 0 && x <= 1 || since3 && r.keras2():
	case since3:
		r.note(FromKeras3("%s is %v, not from 0 to 1", keyword, x))
	default:
		r.note(value.Refused("%s is %v, not from 0 to 1", keyword, x))
	}
	return x
}

func (r *ArgParser) Bool(position int, keyword string, fallback bool) (is bool) {
	defer func() { r.reads(keyword, is) }()
	v, ok := r.Get(position, keyword)
	if !ok {
		return fallback
	}
	switch x := v.X.(type) {
	case bool:
		return x
	case int64:
		return x != 0
	}
	r.Fail(keyword, objects.Unlike(v, "neither True nor False"))
	return fallback
}

func (r *ArgParser) Text(position int, keyword, fallback string) (text string) {
	defer func() { r.reads(keyword, text) }()
	v, ok := r.Get(position, keyword)
	if !ok {
		return fallback
	}
	if s, ok := state.PolicyName(v); ok {
		return s
	}
	r.Fail(keyword, objects.Unlike(v, "no string"))
	return fallback
}

// Numbers returns a tuple of n integers, or of any number of them if n is negative, or fallback
// if the argument is not passed. A single number stands for all n. If any number of them is
// allowed, Keras takes no single number (keras/src/layers/reshaping/reshape.py).
func (r *ArgParser) Numbers(position int, keyword string, n int, fallback []int64) (numbers []int64) {
	defer func() {
		if numbers != nil {
			r.reads(keyword, intsOf(numbers))
		}
	}()
	v, ok := r.Get(position, keyword)
	if !ok {
		return fallback
	}
	if x, ok := v.X.(int64); ok && n >= 0 {
		r.refuses(keyword, x)
		return Repeated(n, x)
	}
	out, ok := objects.Whole(v)
	if !ok || len(out) != n && n >= 0 {
		if n >= 0 && len(out) == 1 {
			return Repeated(n, out[0])
		}
		switch keyword {
		case "kernel_size", "strides", "pool_size", "dilation_rate":
			if ok { // keras/src/utils/argument_validation.py, standardize_tuple
				r.note(value.Refused("%s has %d numbers, not %d", keyword, len(out), n))
			}
		}
		r.Fail(keyword, objects.Unlike(v, "no tuple of whole numbers"))
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

// Repeated returns n times x.
func Repeated(n int, x int64) []int64 { return slices.Repeat([]int64{x}, n) }

// A Caller is an Impl with calls that take more than one tensor or list of them. arguments
// returns the tensors of a call, in the order that Impl.call takes, and the Impl of
// this call, which may depend on other arguments.
type Caller interface {
	Arguments(r *ArgParser) (inputs []value.Value, s graph.Impl)
}

// tooMany records that layers are more than can be followed.
func (r *ArgParser) tooMany(keyword string, layers []*graph.Layer) bool {
	e := graph.Nesting{}
	for _, l := range layers {
		e = e.With(l)
	}
	if why := e.Excess(); why != nil {
		r.Fail(keyword, why)
		return true
	}
	return false
}
