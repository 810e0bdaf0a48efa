package keras

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Step is a custom training step: a forward pass of one or more models, the requests to tapes,
// and how it applies the gradients. The train_step of a model that fit trains is one. So is a
// function, or one iteration of a loop, that opens a tape.
type Step struct {
	// Name is what the program calls it, "train_step", or "the loop".
	Name string
	Node syntax.Node // of the function or the loop
	// Compiled reports whether it runs as a graph, and not operation by operation.
	Compiled bool
	// Inputs are the data of one batch.
	Inputs []*Symbolic
	// rows are the numbers of rows of Inputs in a batch of the program, if they differ: zipped
	// datasets may differ in it. own is the number that counts as the batch size.
	rows []int64
	own  int64
	// Updates are what it applies, in order.
	Updates []*Update

	// Repeats is set if it is one iteration of a loop, or returns its gradients to one. Names in
	// the loop then hold the values of the previous iteration.
	Repeats bool

	nodes   []*node
	watched map[*Symbolic]bool
}

// A recorder follows one step while the program runs it.
type recorder struct {
	unit     syntax.Node
	tape     syntax.Node // the call that created the first tape
	name     string
	compiled bool
	xla      bool  // tf.function is asked for it
	replicas int64 // that share its batch; 0 if apart says why that is not known
	apart    *value.Cause
	inputs   []*Symbolic
	batches  []value.Value // of inputs; missing ones are batch
	batch    value.Value
	model    *Model // whose train_step it is, or nil
	applied  []*node
	born     int          // by value.Interp.Now
	began    int          // by host.tick
	loose    []*Weight    // variables that belong to no layer
	returned bool         // its caller applies the gradients, and names of the caller hold them
	calls    int          // of functions of the program, which are running within it
	why      *value.Cause // why it is not known, or nil
}

// next returns the time of the next event.
func (h *host) next() int {
	h.tick++
	return h.tick
}

// happens records when a call was made.
func (h *host) happens(out []*Symbolic) {
	if len(out) > 0 && out[0].from != nil && out[0].from.at == 0 {
		n := out[0].from
		n.at, n.inLoop, n.within = h.next(), h.loopDepth > 0, h.tracing > 0
		if h.mode != unsaid {
			n.mode = h.mode
		}
	}
}

// released records when a name no longer refers to a tensor: `gradients = clipped(gradients)`
// frees the old ones.
func (h *host) released(old value.Value) {
	if h.recorder == nil || h.tracing > 0 {
		return
	}
	if list, ok := old.X.(*value.List); ok && len(list.Items) > 0 {
		old = list.Items[0] // a tape returns one list
		if x, ok := old.X.(*symbolicValue); !ok || x.s.from == nil || x.s.from.asks == nil {
			return
		}
	}
	x, ok := old.X.(*symbolicValue)
	if !ok || x.s.from == nil {
		return
	}
	n := x.s.from
	if n.asks == nil {
		if n.names == 0 || h.recorder.calls > 0 {
			return
		}
		if n.names--; n.names > 0 {
			return
		}
	}
	if n.gone == 0 {
		n.gone = h.next()
	}
}

// binds records that a name refers to a tensor, or to a list of results of functions, such as
// clipped gradients. Names of functions that the step calls are gone when those return.
func (h *host) binds(v value.Value) {
	if h.recorder == nil || h.tracing > 0 {
		return
	}
	if x, ok := v.X.(*symbolicValue); ok && x.s.from != nil && x.s.from.asks == nil && h.recorder.calls == 0 {
		x.s.from.names++
		x.s.from.gone = 0
	}
	list, ok := v.X.(*value.List)
	if !ok {
		return
	}
	for _, item := range list.Items {
		if x, ok := item.X.(*symbolicValue); ok && x.s.from != nil && x.s.from.asks == nil {
			x.s.from.named = true
		}
	}
}

// variable records a variable that belongs to no layer.
func (r *recorder) variable(v *variable) {
	if v.owner == nil && !slices.Contains(r.loose, v.weight) {
		r.loose = append(r.loose, v.weight)
	}
}

// applies records that gradients are applied to weights.
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

// stepUpdates are the updates of a step, which a branch may or may not apply.
type stepUpdates struct{ of *recorder }

func (s stepUpdates) Content() any { return updating{slices.Clone(s.of.applied), s.of.why} }
func (s stepUpdates) Restore(x any) {
	c := x.(updating)
	s.of.applied, s.of.why = slices.Clone(c.nodes), c.why
}
func (stepUpdates) Either(a, b any, why *value.Cause) any {
	x, y := a.(updating), b.(updating)
	if len(x.nodes) > len(y.nodes) {
		x, y = y, x
	}
	// A step that applies its gradients only sometimes is priced as one that always does.
	y.why = cmp.Or(y.why, x.why)
	if n := len(x.nodes); !slices.Equal(x.nodes, y.nodes[:n]) && y.why == nil {
		y.why = value.Because(value.UnmodelledTraining, "what it updates is not known: %s", why)
	}
	return y
}
func (s stepUpdates) Born() int { return s.of.born }

// updating is what a step applies, and why that is not known.
type updating struct {
	nodes []*node
	why   *value.Cause
}

// asked returns the last step if a tape computed the gradients.
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

// summed returns the last step that adds to the variables from which gradients are read.
func (h *host) summed(gradients []*Symbolic) *recorder {
	return h.changing(gradients, func(u *Update) bool { return u.Optimizer == nil })
}

// changing returns the last step with an update that such accepts, of a variable that the tensors
// are read from.
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

// assigned records an assignment to a variable: the sum of gradients that waits for the next
// update, an average of weights, a target network that follows another. The assignment to a
// layer's weight only counts in a step: elsewhere, programs load and copy weights.
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

// ofGradient reports whether a tensor is a gradient, or is computed from one element by element.
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

// layers returns the layers that the step calls, including models, each once.
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

// Fixed reports whether a step gets no batch: it computes the same each time, for instance if an
// image is the variable. It is false for a nil step.
func (s *Step) Fixed() bool { return s != nil && len(s.Inputs) == 0 }

// Rows returns the number of rows of an input in a batch of a size, in proportion to the
// program's own batch. A single row remains one, because it goes with all rows of another input.
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
