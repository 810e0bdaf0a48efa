package layers

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A regularizer is one of keras.regularizers.
type regularizer struct {
	state.Opaque
	sums []graph.Penalty
}

// RegularizerOf returns the regularizer that a name of keras.regularizers creates. L1 and L2
// compute their sum for any factor, zero included; L1L2 leaves out a sum times zero
// (keras/src/regularizers/regularizers.py, __call__).
func RegularizerOf(name string, args *value.Args) *regularizer {
	v := &regularizer{Opaque: state.Opaque{Base: "one of keras.regularizers"}}
	r := &ArgParser{Args: args}
	add := func(position int, keyword string, fallback float64) {
		if r.Float(position, keyword, fallback) != 0 {
			v.sums = append(v.sums, graph.Penalty{Squares: keyword == "l2"})
		}
	}
	switch strings.ToLower(name) {
	case "l1":
		v.sums = []graph.Penalty{{Tensor: true}} // L1.__init__
	case "l2":
		v.sums = []graph.Penalty{{Squares: true}}
	case "l1_l2":
		add(0, "l1", 0.01)
		add(1, "l2", 0.01)
	case "l1l2":
		add(0, "l1", 0)
		add(1, "l2", 0)
	}
	return v
}

// PenaltiesOf returns the sums that a regularizer argument adds to the loss.
func PenaltiesOf(v value.Value) []graph.Penalty {
	switch x := v.X.(type) {
	case *regularizer:
		return x.sums
	case string:
		return RegularizerOf(x, &value.Args{}).sums
	}
	return nil
}

// Regularized reads the regularizer arguments of a layer, by weight name without "_kernel".
func Regularized(args *value.Args) map[string][]graph.Penalty {
	var out map[string][]graph.Penalty
	for name, v := range args.Keywords.All() {
		of, ok := strings.CutSuffix(name, "_regularizer")
		if !ok {
			continue
		}
		if sums := PenaltiesOf(v); len(sums) > 0 {
			if out == nil {
				out = map[string][]graph.Penalty{}
			}
			out[of] = sums
		}
	}
	return out
}
