package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// conclude makes models of the steps that were followed.
func (h *host) conclude() {
	done := map[syntax.Node]*Model{}
	for _, r := range h.steps {
		if r.model == nil && !updates(r) && !learns(r.unit) && !r.returned || !r.tape.Valid() {
			continue // it computes a gradient only to look at it
		}
		s, why := r.step()
		if r.model != nil {
			if why == nil {
				r.model.Own, r.model.Step = s, nil
				r.model.Optimizer = s.Updates[0].Optimizer
			} else if r.model.Own == nil {
				r.model.Step = value.Because(value.UnmodelledTraining, "its train_step is not followed: %s", why)
			}
			continue
		}
		h.concluded(r, s, why, done)
	}
}

// learns reports whether a step that could not be followed seems to apply gradients.
func learns(unit syntax.Node) bool {
	text := unit.Child(syntax.FieldBody).Text()
	return strings.Contains(text, ".apply(") || strings.Contains(text, "apply_gradients") || strings.Contains(text, ".minimize(")
}

// updates reports whether an optimizer applies something in a step.
func updates(r *recorder) bool {
	return slices.ContainsFunc(r.applied, func(n *node) bool { return n.applies.Optimizer != nil })
}

// concluded adds a step that belongs to no model: it trains a model made of those that it calls.
func (h *host) concluded(r *recorder, s *Step, why *value.Cause, done map[syntax.Node]*Model) {
	before := done[r.unit]
	if before != nil && (why != nil || before.Own != nil) {
		return // it is known from another call, or unknown for another reason
	}
	m := before
	if m == nil {
		m = h.newModel("Step")
		m.Name, m.Variable, m.Node = r.name, r.name, r.tape
		h.program.Models = append(h.program.Models, m)
		done[r.unit] = m
	}
	if why != nil {
		m.Unresolved = []*value.Cause{why}
		return
	}
	m.Unresolved, m.Own = nil, s
	m.stack, m.own = s.layers(), r.loose
	m.Optimizer = s.Updates[0].Optimizer
	m.Compiled = &Compile{XLA: map[bool]string{true: "True", false: "False"}[r.xla], Eager: !r.compiled, Against: "tf.function compiles with XLA only where jit_compile is True"}
	u := &ModelCall{Method: "step", Node: r.tape, Model: m, Batch: r.batch, replicas: r.replicas, apart: r.apart}
	for _, x := range r.inputs {
		u.Inputs = append(u.Inputs, Input{x.Shape[1:], x.DType})
	}
	if u.Batch.X == nil {
		u.Batch = value.Value{X: int64(1)}
	}
	h.program.Uses = append(h.program.Uses, u)
}

// rows returns the numbers of rows of the inputs in the program's own batch, and the batch size;
// nil if all are the same. An input with an unknown number counts as part of the batch.
func (r *recorder) rows() (rows []int64, own int64) {
	own, known := r.batch.Int()
	if !known || own < 1 {
		return nil, 0
	}
	differ := false
	for i := range r.inputs {
		n := own
		if i < len(r.batches) {
			if m, ok := r.batches[i].Int(); ok && m > 0 {
				n = m
			}
		}
		rows, differ = append(rows, n), differ || n != own
	}
	if !differ {
		return nil, own
	}
	return rows, own
}

// mostAsked bounds the requests of one step: each traverses everything before it.
const mostAsked = 64

// step returns what was followed as a sequence of calls, requests and updates, or why it is not
// known.
func (r *recorder) step() (s *Step, why *value.Cause) {
	if r.why != nil {
		return nil, r.why
	}
	s = &Step{Name: r.name, Node: r.unit, Compiled: r.compiled, Inputs: r.inputs, Repeats: r.returned || !r.unit.Is(syntax.FunctionDefinition), watched: map[*Symbolic]bool{}}
	s.rows, s.own = r.rows()
	var applied []*Symbolic
	for _, n := range r.applied {
		applied = append(applied, n.in...)
	}
	s.nodes = append(trace(nil, applied), r.applied...)
	for _, n := range r.applied {
		if n.applies.Optimizer == nil {
			continue
		}
		if why := n.applies.Optimizer.Unknown; why != nil {
			return nil, why
		}
		s.Updates = append(s.Updates, n.applies)
	}
	if len(s.Updates) == 0 {
		return nil, value.Because(value.UnmodelledTraining, "no optimizer of Keras applies its gradients: what the program does with them itself is not followed")
	}
	if asked := len(slices.DeleteFunc(slices.Clone(s.nodes), func(n *node) bool { return n.asks == nil })); asked > mostAsked {
		return nil, value.Because(value.TooLong, "it asks for gradients more than %d times", mostAsked)
	}
	slices.SortStableFunc(s.nodes, func(a, b *node) int { return a.at - b.at })
	for _, n := range s.nodes {
		if n.asks != nil {
			for _, x := range n.asks.watched {
				s.watched[x] = true
			}
		}
	}
	return s, nil
}
