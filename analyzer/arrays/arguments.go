package arrays

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A argumentReader takes the arguments of a call apart, and notes the first that is needed and
// not known.
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
