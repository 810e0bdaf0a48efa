package ops

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Records records a variable that a step assigns or trains.
func Records(r *state.Recorder, v *Variable) {
	if !slices.Contains(r.Variables, v.Weight) {
		r.Variables = append(r.Variables, v.Weight)
	}
}

// Applies records that gradients are applied to weights.
func Applies(h *state.Host, u *graph.Update, gradients []*graph.Symbolic) {
	n := &graph.Node{Layer: &graph.Layer{Class: "Update", Name: "update", Function: true}, In: gradients, Applies: u, At: h.Steps.Next()}
	r := h.Steps.Running()
	if r == nil { // what a helper returned is applied by its caller
		if r = Asked(h, gradients); r != nil {
			r.Returned = true
		}
	}
	if r != nil {
		h.Interp.Touch(stepUpdates{r})
		r.Applied = append(r.Applied, n)
	}
}

// stepUpdates are the updates of a step, which a branch may or may not apply.
type stepUpdates struct{ of *state.Recorder }

func (s stepUpdates) Content() any { return updating{slices.Clone(s.of.Applied), s.of.Why} }

func (s stepUpdates) Restore(x any) {
	c := x.(updating)
	s.of.Applied, s.of.Why = slices.Clone(c.nodes), c.why
}

func (stepUpdates) Either(a, b any, why *value.Cause) any {
	x, y := a.(updating), b.(updating)
	if len(x.nodes) > len(y.nodes) {
		x, y = y, x
	}
	// A step that applies its gradients only sometimes is priced as one that always does.
	y.why = cmp.Or(y.why, x.why)
	if n := len(x.nodes); !slices.Equal(x.nodes, y.nodes[:n]) && y.why == nil {
		y.why = value.Because(value.UnmodelledTraining, "the variables that it updates are not known: %s", why)
	}
	return y
}

func (s stepUpdates) Born() int { return s.of.Born }

// updating is what a step applies, and why that is not known.
type updating struct {
	nodes []*graph.Node
	why   *value.Cause
}

// Asked returns the last step if a tape computed the gradients.
func Asked(h *state.Host, gradients []*graph.Symbolic) *state.Recorder {
	if len(h.Steps.All()) == 0 {
		return nil
	}
	for _, n := range graph.Trace(nil, gradients) {
		if n.Asks != nil {
			return h.Steps.All()[len(h.Steps.All())-1]
		}
	}
	return nil
}

// Summed returns the last step that adds to the variables from which gradients are read.
func Summed(h *state.Host, gradients []*graph.Symbolic) *state.Recorder {
	return changing(h, gradients, func(u *graph.Update) bool { return u.Optimizer == nil })
}

// changing returns the last step with an update that such accepts, of a variable that the tensors
// are read from.
func changing(h *state.Host, tensors []*graph.Symbolic, such func(*graph.Update) bool) *state.Recorder {
	if len(h.Steps.All()) == 0 {
		return nil
	}
	read := map[*graph.Weight]bool{}
	for _, n := range graph.Trace(nil, tensors) {
		read[n.Reads] = true
	}
	for _, r := range slices.Backward(h.Steps.All()) {
		for _, n := range r.Applied {
			if such(n.Applies) && slices.ContainsFunc(n.Applies.Weights, func(w *graph.Weight) bool { return read[w] }) {
				return r
			}
		}
	}
	return nil
}

// assigned records an assignment to a variable: the sum of gradients that waits for the next
// update, an average of weights, a target network that follows another. The assignment to a
// layer's weight only counts in a step: elsewhere, programs load and copy weights.
func assigned(h *state.Host, v *Variable, to value.Value) {
	s, ok := to.X.(*SymbolicValue)
	if h.Calls.Tracing() || !ok || v.Owner != nil && h.Steps.Running() == nil {
		return
	}
	r := h.Steps.Running()
	if r == nil { // the sum of what a helper returned
		r = Asked(h, []*graph.Symbolic{s.S})
	}
	if r == nil { // a moving average of the weights, after each step
		r = changing(h, []*graph.Symbolic{s.S}, func(u *graph.Update) bool { return u.Optimizer != nil })
	}
	if r == nil {
		return
	}
	Records(r, v)
	v.Weight.Sums = v.Weight.Sums || !v.Weight.Trainable && v.Owner == nil && s.S.OfGradient(v.Weight.Shape)
	Applies(h, &graph.Update{Weights: []*graph.Weight{v.Weight}}, []*graph.Symbolic{s.S})
}
