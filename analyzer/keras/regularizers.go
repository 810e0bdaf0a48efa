package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// regularizer is one of keras.regularizers.
type regularizer struct {
	opaque
	sums []string // over the weight, of its squares or its absolute values
}

// regularizerOf is what a name of keras.regularizers makes
// (keras/src/regularizers/regularizers.py).
func regularizerOf(name string, args *value.Args) *regularizer {
	v := &regularizer{opaque: opaque{"one of keras.regularizers"}}
	r := &argParser{args: args}
	add := func(position int, keyword string, fallback float64) {
		if r.float(position, keyword, fallback) != 0 {
			v.sums = append(v.sums, keyword)
		}
	}
	switch strings.ToLower(name) {
	case "l1":
		add(0, "l1", 0.01)
	case "l2":
		add(0, "l2", 0.01)
	case "l1_l2":
		add(0, "l1", 0.01)
		add(1, "l2", 0.01)
	case "l1l2":
		add(0, "l1", 0)
		add(1, "l2", 0)
	}
	return v
}

// penalties is how many sums an argument that is a regularizer adds to the loss.
func penalties(v value.Value) int { return len(sumsOf(v)) }

// sumsOf are the sums that an argument which is a regularizer adds to the loss.
func sumsOf(v value.Value) []string {
	switch x := v.X.(type) {
	case *regularizer:
		return x.sums
	case string:
		return regularizerOf(x, &value.Args{}).sums
	}
	return nil
}

// regularized reads the regularizers that a layer is given, by its weights' names
// without "_kernel".
func regularized(args *value.Args) map[string]int {
	var out map[string]int
	for name, v := range args.Keywords.All() {
		of, ok := strings.CutSuffix(name, "_regularizer")
		if !ok {
			continue
		}
		if n := penalties(v); n > 0 {
			if out == nil {
				out = map[string]int{}
			}
			out[of] = n
		}
	}
	return out
}
