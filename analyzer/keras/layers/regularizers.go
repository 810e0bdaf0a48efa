package layers

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A regularizer is one of keras.regularizers.
type regularizer struct {
	state.Opaque
	sums []string // over the weight, of its squares or its absolute values
}

// RegularizerOf returns the regularizer that a name of keras.regularizers creates. L1 and L2
// compute their sum for any factor, zero included; L1L2 leaves out a sum times zero
// (keras/src/regularizers/regularizers.py, __call__).
func RegularizerOf(name string, args *value.Args) *regularizer {
	v := &regularizer{Opaque: state.Opaque{Base: "one of keras.regularizers"}}
	r := &ArgParser{Args: args}
	add := func(position int, keyword string, fallback float64) {
		if r.Float(position, keyword, fallback) != 0 {
			v.sums = append(v.sums, keyword)
		}
	}
	switch strings.ToLower(name) {
	case "l1", "l2":
		v.sums = []string{strings.ToLower(name)}
	case "l1_l2":
		add(0, "l1", 0.01)
		add(1, "l2", 0.01)
	case "l1l2":
		add(0, "l1", 0)
		add(1, "l2", 0)
	}
	return v
}

// Penalties returns how many sums a regularizer argument adds to the loss.
func Penalties(v value.Value) int { return len(SumsOf(v)) }

// SumsOf returns the sums that a regularizer argument adds to the loss.
func SumsOf(v value.Value) []string {
	switch x := v.X.(type) {
	case *regularizer:
		return x.sums
	case string:
		return RegularizerOf(x, &value.Args{}).sums
	}
	return nil
}

// Regularized reads the regularizer arguments of a layer, by weight name without "_kernel".
func Regularized(args *value.Args) map[string]int {
	var out map[string]int
	for name, v := range args.Keywords.All() {
		of, ok := strings.CutSuffix(name, "_regularizer")
		if !ok {
			continue
		}
		if n := Penalties(v); n > 0 {
			if out == nil {
				out = map[string]int{}
			}
			out[of] = n
		}
	}
	return out
}
