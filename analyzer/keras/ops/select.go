package ops

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Select returns the one of two alternatives that took more computation. A tensor wins over a
// number.
func (v *SymbolicValue) Select(a, b value.Value) (value.Value, bool) { return choose(v.H, a, b) }

func choose(h *state.Host, a, b value.Value) (value.Value, bool) {
	x, first := a.X.(*SymbolicValue)
	y, second := b.X.(*SymbolicValue)
	switch {
	case first && second:
		if len(x.S.Shape) != len(y.S.Shape) || x.S.DType != y.S.DType {
			return value.Value{}, false
		}
		if computed([]*graph.Symbolic{x.S}) >= computed([]*graph.Symbolic{y.S}) {
			return a, true
		}
		return b, true
	case first && IsNumber(b):
		return a, true
	case second && IsNumber(a):
		return b, true
	}
	some, ok := a.X.(value.Tuple)
	others, ok2 := b.X.(value.Tuple)
	if !ok || !ok2 || len(some) != len(others) || len(some) == 0 {
		return value.Value{}, false
	}
	out := slices.Clone(some)
	for i := range some {
		var ok bool
		if out[i], ok = choose(h, some[i], others[i]); !ok {
			return value.Value{}, false
		}
	}
	return value.Value{X: out}, true
}

// computed returns how many elements were computed on the way to some tensors, for one example.
func computed(of []*graph.Symbolic) (sum int64) {
	for _, n := range graph.Trace(nil, of) {
		for _, s := range n.Out {
			elements := int64(1)
			for _, d := range s.Shape {
				elements *= max(d, 1)
			}
			sum += cmp.Or(elements, 1)
		}
	}
	return sum
}
