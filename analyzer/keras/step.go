package keras

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Step is a step of training that the program writes itself: a forward pass of one
// or more models, what it asks tapes for, and how it applies the gradients. The
// train_step of a model that fit trains is one, and so is a function, or one turn of
// a loop, that opens a tape.
type Step struct {
	// Name is what the program calls it, "train_step", or "the loop".
	Name string
	Node syntax.Node // of the function or the loop
	// Compiled tells whether it runs as a graph, and not operation by operation.
	Compiled bool
	// Inputs are the data of one batch.
	Inputs []*Symbolic
	// rows are how many rows each of Inputs has in a batch as the program makes them, where
	// that is not the same of all: zipped datasets may differ in it. What the size of the
	// batch is said to be is that of own.
	rows []int64
	own  int64
	// Updates are what it applies, in order.
	Updates []*Update

	// Repeats tells that it is one turn of a loop, or returns its gradients to one, whose
	// names hold what they stood for in the turn before.
	Repeats bool

	nodes   []*node
	watched map[*Symbolic]bool
}

// A recorder follows one step while the program runs it.
type recorder struct {
	unit     syntax.Node
	tape     syntax.Node // the call that made the first tape
	name     string
	compiled bool
	xla      bool  // tf.function is asked for it
	replicas int64 // that share its batch, 0 where apart says why that is not known
	apart    string
	inputs   []*Symbolic
	batches  []value.Value // of inputs; those behind its end are batch
	batch    value.Value
	model    *Model // whose train_step it is, or nil
	applied  []*node
	born     int       // by value.Interp.Now
	began    int       // by host.tick
	loose    []*Weight // variables that belong to no layer
	returned bool      // its caller, whose names hold them, applies the gradients
	why      string    // why it is not known, or empty
}

// next is the time at which something happens.
func (h *host) next() int {
	h.tick++
	return h.tick
}

// happens notes when a call was made.
func (h *host) happens(out []*Symbolic) {
	if len(out) > 0 && out[0].from != nil && out[0].from.at == 0 {
		n := out[0].from
		n.at, n.turns, n.within = h.next(), h.turning > 0, h.tracing > 0
		if h.mode != unsaid {
			n.mode = h.mode
		}
	}
}

// Released notes when a name no longer stands for gradients: `gradients = clipped(gradients)`
// frees those before it.
func (h *host) Released(old value.Value) {
	if h.recorder == nil || h.tracing > 0 {
		return
	}
	switch x := old.X.(type) {
	case *value.List:
		if len(x.Items) > 0 {
			h.Released(x.Items[0]) // a tape's answer is one list
		}
	case *symbolicValue:
		if n := x.s.from; n != nil && n.asks != nil && n.gone == 0 {
			n.gone = h.next()
		}
	}
}

// Binds notes that a name stands for a list of what functions made: of gradients that are clipped.
func (h *host) Binds(v value.Value) {
	list, ok := v.X.(*value.List)
	if !ok || h.recorder == nil || h.tracing > 0 {
		return
	}
	for _, item := range list.Items {
		if x, ok := item.X.(*symbolicValue); ok && x.s.from != nil && x.s.from.asks == nil {
			x.s.from.named = true
		}
	}
}

// variable notes a variable that is none of a layer's.
func (r *recorder) variable(v *variable) {
	if v.owner == nil && !slices.Contains(r.loose, v.weight) {
		r.loose = append(r.loose, v.weight)
	}
}

// applies notes that gradients are applied to weights.
func (h *host) applies(u *Update, gradients []*Symbolic) {
	n := &node{layer: &Layer{Class: "Update", Name: "update", function: true}, in: gradients, applies: u, at: h.next()}
	r := h.recorder
	if r == nil { // what a helper returned is applied by its caller
		if r = h.asked(gradients); r != nil {
			r.returned = true
		}
	}
	if r != nil {
		h.interp.Touch(stepUpdates{r})
		r.applied = append(r.applied, n)
	}
}

// stepUpdates are what a step applies, which a branch may or may not.
type stepUpdates struct{ of *recorder }

func (s stepUpdates) Content() any { return updating{slices.Clone(s.of.applied), s.of.why} }
func (s stepUpdates) Restore(x any) {
	c := x.(updating)
	s.of.applied, s.of.why = slices.Clone(c.nodes), c.why
}
func (stepUpdates) Either(a, b any, why string) any {
	x, y := a.(updating), b.(updating)
	if len(x.nodes) > len(y.nodes) {
		x, y = y, x
	}
	// A step that applies its gradients at times is priced as one that does.
	y.why = cmp.Or(y.why, x.why)
	if n := len(x.nodes); !slices.Equal(x.nodes, y.nodes[:n]) && y.why == "" {
		y.why = "what it updates is not known: " + why
	}
	return y
}
func (s stepUpdates) Born() int { return s.of.born }

// updating is what a step applies, and why that is not known.
type updating struct {
	nodes []*node
	why   string
}

// asked is the last step, where that is the one that gradients come from.
func (h *host) asked(gradients []*Symbolic) *recorder {
	if len(h.steps) == 0 {
		return nil
	}
	for _, n := range trace(nil, gradients) {
		if n.asks != nil {
			return h.steps[len(h.steps)-1]
		}
	}
	return nil
}

// summed is the last step that adds to variables of the program's own which gradients are
// read from.
func (h *host) summed(gradients []*Symbolic) *recorder {
	return h.changing(gradients, func(u *Update) bool { return u.Optimizer == nil })
}

// changing is the last step of which such an update changes a variable that is read for
// tensors.
func (h *host) changing(tensors []*Symbolic, such func(*Update) bool) *recorder {
	if len(h.steps) == 0 {
		return nil
	}
	read := map[*Weight]bool{}
	for _, n := range trace(nil, tensors) {
		read[n.reads] = true
	}
	for _, r := range slices.Backward(h.steps) {
		for _, n := range r.applied {
			if such(n.applies) && slices.ContainsFunc(n.applies.Weights, func(w *Weight) bool { return read[w] }) {
				return r
			}
		}
	}
	return nil
}

// assigned notes that a variable gets a value: the sum of gradients that waits for the
// next update, an average of weights, a target that follows a network. The weight of a layer
// gets one in a step alone: outside, programs load and copy them.
func (h *host) assigned(v *variable, to value.Value) {
	s, ok := to.X.(*symbolicValue)
	if h.tracing > 0 || !ok || v.owner != nil && h.recorder == nil {
		return
	}
	r := h.recorder
	if r == nil { // the sum of what a helper returned
		r = h.asked([]*Symbolic{s.s})
	}
	if r == nil { // a moving average of the weights, after each step
		r = h.changing([]*Symbolic{s.s}, func(u *Update) bool { return u.Optimizer != nil })
	}
	if r == nil {
		return
	}
	r.variable(v)
	v.weight.Sums = v.weight.Sums || !v.weight.Trainable && v.owner == nil && s.s.ofGradient(v.weight.Shape)
	h.applies(&Update{Weights: []*Weight{v.weight}}, []*Symbolic{s.s})
}

// ofGradient tells whether a tensor is a gradient, or is made of one element by element.
func (s *Symbolic) ofGradient(shape Shape) bool {
	seen := map[*Symbolic]bool{}
	for stack := []*Symbolic{s}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.from == nil || seen[top] || !slices.Equal(top.Shape, shape) {
			continue
		}
		if top.from.asks != nil {
			return true
		}
		seen[top] = true
		stack = append(stack, top.from.in...)
	}
	return false
}

// layers are those that the step calls, models among them, each once.
func (s *Step) layers() []*Layer {
	var out []*Layer
	seen := map[*Layer]bool{}
	for _, n := range s.nodes {
		if !n.layer.function && !seen[n.layer] {
			seen[n.layer] = true
			out = append(out, n.layer)
		}
	}
	return out
}

// Fixed tells of a step that it is given no batch: it computes the same each time, as
// where an image is the variable. A nil step is none.
func (s *Step) Fixed() bool { return s != nil && len(s.Inputs) == 0 }

// Rows is how many rows an input has in a batch of a size: in proportion to the batch that the
// program makes. One row is meant to be one, to go with all of another.
func (s *Step) Rows(input int, batch int64) int64 {
	if s.rows == nil || s.rows[input] == s.own {
		return batch
	}
	if s.rows[input] == 1 {
		return 1
	}
	return (batch*s.rows[input] + s.own - 1) / s.own
}

// Slots visits each weight that the step updates, once for each optimizer that does.
func (s *Step) Slots(visit func(o *Optimizer, w *Weight)) {
	type slot struct {
		o *Optimizer
		w *Weight
	}
	seen := map[slot]bool{}
	for _, u := range s.Updates {
		for _, w := range u.Weights {
			if k := (slot{u.Optimizer, w}); !seen[k] {
				seen[k] = true
				visit(u.Optimizer, w)
			}
		}
	}
}
