package arrays

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A reader takes the arguments of a call apart, and notes the first that is needed and not
// known.
type reader struct {
	args *value.Args
	why  string
}

// number is a whole number, or otherwise where it is not passed.
func (r *reader) number(position int, keyword string, otherwise int64) int64 {
	n, why := objects.IntArgument(r.args, position, keyword, otherwise)
	r.why = cmp.Or(r.why, why)
	return n
}

// float is a number.
func (r *reader) float(position int, keyword string, otherwise float64) float64 {
	x, why := objects.FloatArgument(r.args, position, keyword, otherwise)
	r.why = cmp.Or(r.why, why)
	return x
}

// DTypeArgument is dtype=, or the second positional argument, as a type; otherwise where none
// is passed that is known.
func DTypeArgument(args *value.Args, otherwise tensor.DType) tensor.DType {
	v, ok := args.Keywords.Get("dtype")
	if !ok && len(args.Positional) > 1 {
		v, ok = args.Positional[1], true
	}
	if !ok {
		return otherwise
	}
	switch x := v.X.(type) {
	case string:
		if d := pythonTypes["builtins."+x]; d != "" {
			return d
		}
		return tensor.DType(x)
	case policy: // a variable is of the type that it stores
		return x.Stores()
	case value.External:
		if d, ok := tensor.DTypeOf(x.Name); ok {
			return d
		}
		if d := pythonTypes[x.Name]; d != "" {
			return d
		}
	}
	return otherwise
}

// pythonTypes are what NumPy takes Python's types for.
var pythonTypes = map[string]tensor.DType{"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}
