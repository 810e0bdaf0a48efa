package memory

import (
	"github.com/tfmem/tfmem/analyzer/graph"
)

// How much memory the weights of a model take while they are made.

// An initial is what an initializer has in use at its peak, in tensors of the size of the weight:
// Python runs its operations one by one, and its names keep their results until it returns. The
// variable takes the last result as its own memory (AssignVariableOp in
// tensorflow/core/kernels/resource_variable_ops.cc).
type initial struct {
	keras3, keras2 int64
	// factored is set if there is the triangle of a QR decomposition beside them.
	factored bool
}

// initials are the initializers of Keras by their classes (keras/src/initializers,
// tf_keras/src/initializers/initializers.py).
var initials = map[string]initial{
	"zeros": {keras3: 1, keras2: 1},
	"ones":  {keras3: 1, keras2: 1},
	// Keras 3 multiplies the value, cast to the type, with ones; Keras 2 calls tf.constant.
	"constant": {keras3: 2, keras2: 1},
	"array":    {keras3: 3, keras2: 1},
	"identity": {keras3: 2, keras2: 2},
	// Random numbers, their product with the width or the deviation, and the sum with the mean
	// (tensorflow/python/ops/random_ops.py and stateless_random_ops.py). VarianceScaling and all
	// that are called after people draw from these distributions.
	"random": {keras3: 3, keras2: 3},
	// The random matrix, Q before and after the signs or the transposition, and R.
	"orthogonal": {keras3: 3, keras2: 3, factored: true},
}

// make allocates what is in use while a weight is made, and frees all but the weight.
func (p *blocks) make(m *graph.Model, w *graph.Weight) {
	i, known := initials[w.Initializer]
	if !known {
		i = initials["random"]
	}
	n := i.keras3
	if m.Keras == 2 {
		n = i.keras2
	}
	var temporaries []block
	for range n - 1 {
		temporaries = append(temporaries, p.allocate(w.Bytes()))
	}
	if columns := w.Shape.Last(); i.factored && len(w.Shape) > 1 {
		rows := w.Elements() / max(columns, 1)
		side := min(columns, rows)
		temporaries = append(temporaries, p.allocate(side*side*w.DType.Size()))
	}
	p.allocate(w.Bytes())
	for _, b := range temporaries {
		p.release(b)
	}
}

// building returns the phase in which the weights of a model are made.
func building(m *graph.Model, feeds bool) *Phase {
	p := &Phase{Kind: Building, Then: m, feeds: feeds, Profile: &Profile{Top: -1}}
	p.Need = BuildNeed(m)
	p.add(p.Terms(), 0)
	return p
}

// BuildNeed returns what it takes to make the weights of a model, one after the other.
func BuildNeed(m *graph.Model) (n Need) {
	if t := m.Traced; t != nil { // how large each of its weights is, is not known
		n.Weights = t.Weights
		n.close(0)
		return n
	}
	made, quantized := m.AsMade()
	var pool blocks
	given := quantized
	made.Weights(func(w *graph.Weight, _ bool) {
		pool.make(m, w)
		n.Weights += w.Bytes()
		if w.Given {
			given = max(given, w.Bytes())
		}
	})
	// A value that a weight is given takes the place of the first one when it is on the device.
	n.Peak = max(pool.peak, n.Weights+given)
	n.Transient = n.Peak - n.Weights
	n.Low, n.High = n.Peak-n.Peak/100, n.Peak+n.Transient/10+n.Peak/50
	if m.Wider != nil {
		most := BuildNeed(m.Wider)
		n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	}
	return n
}
