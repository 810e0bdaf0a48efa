package steps

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Conclude makes models of the steps that were followed.
func Conclude(h *state.Host) {
	done := map[syntax.Node][]*graph.ModelCall{}
	for _, r := range h.Steps.All() {
		if r.Model == nil && !updates(r) && !learns(r.Unit) && !r.Returned || !r.Tape.Valid() {
			continue // it computes a gradient only to look at it
		}
		s, why := step(r)
		if r.Model != nil {
			if why == nil {
				r.Model.Own, r.Model.Step = s, nil
				r.Model.Optimizer = s.Updates[0].Optimizer
			} else if r.Model.Own == nil {
				r.Model.Step = value.Because(value.UnmodelledTraining, "its train_step is not followed: %s", why)
			}
			continue
		}
		concluded(h, r, s, why, done)
	}
}

// learns reports whether a step that could not be followed seems to apply gradients.
func learns(unit syntax.Node) (found bool) {
	unit.Child(syntax.FieldBody).Walk(func(n syntax.Node) bool {
		if n.Is(syntax.Call) {
			switch n.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
			case "apply", "apply_gradients", "minimize":
				found = true
			}
		}
		return !found
	})
	return found
}

// updates reports whether an optimizer applies something in a step.
func updates(r *state.Recorder) bool {
	return slices.ContainsFunc(r.Applied, func(n *graph.Node) bool { return n.Applies.Optimizer != nil })
}

// concluded adds a step that belongs to no model: it trains a model made of those that it calls. The
// same code is another step where it trains other layers, or a larger batch, as in a loop over
// configurations.
func concluded(h *state.Host, r *state.Recorder, s *graph.Step, why *value.Cause, done map[syntax.Node][]*graph.ModelCall) {
	before := done[r.Unit]
	if why != nil && len(before) > 0 {
		return // it is known from another call, or unknown for another reason
	}
	u := &graph.ModelCall{Method: "step", Node: r.Tape, Batch: r.Batch, Source: r.Source, Replicas: r.Replicas, Apart: r.Apart}
	if len(before) == 1 && before[0].Model.Own == nil {
		u.Model, before = before[0].Model, nil
	} else if slices.ContainsFunc(before, func(b *graph.ModelCall) bool { return shares(b.Model.Stack, s.Layers()) && !larger(u.Batch, b.Batch) }) {
		return
	} else {
		u.Model = NewModel(h, "Step")
		h.Program.Models = append(h.Program.Models, u.Model)
	}
	m := u.Model
	m.Name, m.Variable, m.Node = r.Name, r.Name, r.Tape
	done[r.Unit] = append(before, u)
	if why != nil {
		m.Unresolved = []*value.Cause{why}
		if u.Traced = r.Traced; u.Traced != nil && r.Compiled {
			m.Compiled = compile(r)
			h.Program.Uses = append(h.Program.Uses, u)
		}
		return
	}
	m.Unresolved, m.Own = nil, s
	m.Stack, m.OwnWeights = s.Layers(), s.Loose
	m.Optimizer = s.Updates[0].Optimizer
	m.Compiled = compile(r)
	u.Within = within(m.Stack)
	u.Leads(r.Led, partsOf(h, m)...)
	for _, term := range r.Data {
		if term.Weight == nil || !slices.Contains(r.Variables, term.Weight) {
			u.Data = append(u.Data, term)
		}
	}
	m.Data = u.Data
	for _, x := range r.Inputs {
		u.Inputs = append(u.Inputs, graph.Input{Shape: x.Shape[1:], DType: x.DType})
	}
	if u.Batch.X == nil {
		u.Batch = value.Value{X: int64(1)}
	}
	h.Program.Uses = append(h.Program.Uses, u)
}

// partsOf returns the models whose layers a step trains; all where it calls none of their layers
// itself, as those of a class.
func partsOf(h *state.Host, step *graph.Model) []*graph.Model {
	others := slices.DeleteFunc(slices.Clone(h.Program.Models), func(m *graph.Model) bool { return m.Class == "Step" })
	parts := slices.DeleteFunc(slices.Clone(others), func(m *graph.Model) bool {
		return !slices.ContainsFunc(m.Stack, func(l *graph.Layer) bool { return slices.Contains(step.Stack, l) })
	})
	if len(parts) == 0 {
		return others
	}
	return parts
}

// compile says how a step of the program's own is compiled.
func compile(r *state.Recorder) *graph.Compile {
	return &graph.Compile{XLA: map[bool]string{true: "True", false: "False"}[r.Xla], Eager: !r.Compiled, Against: "tf.function compiles with XLA only where jit_compile is True"}
}

// shares reports whether two steps train a layer in common, or none at all.
func shares(one, other []*graph.Layer) bool {
	return len(one) == 0 || len(other) == 0 || slices.ContainsFunc(one, func(l *graph.Layer) bool { return slices.Contains(other, l) })
}

// larger reports whether a batch is surely larger than another.
func larger(batch, other value.Value) bool {
	n, ok := batch.Int()
	m, known := other.Int()
	return ok && known && n > m
}

// within returns what the loops around the models that a step calls gave to their names when these
// were made.
func within(called []*graph.Layer) (all []value.Setting) {
	for _, l := range called {
		if l.Inner != nil {
			all = append(all, l.Inner.Within...)
		}
	}
	return all
}

// rows returns the numbers of rows of the inputs in the program's own batch, and the batch size;
// nil if all are the same. An input with an unknown number counts as part of the batch.
func rows(r *state.Recorder) (rows []int64, own int64) {
	own, known := r.Batch.Int()
	if !known || own < 1 {
		return nil, 0
	}
	differ := false
	for i := range r.Inputs {
		n := own
		if i < len(r.Batches) {
			if m, ok := r.Batches[i].Int(); ok && m > 0 {
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
func step(r *state.Recorder) (s *graph.Step, why *value.Cause) {
	if r.Why != nil {
		return nil, r.Why
	}
	s = &graph.Step{Name: r.Name, Node: r.Unit, Compiled: r.Compiled, Inputs: r.Inputs, Repeats: r.Returned || !r.Unit.Is(syntax.FunctionDefinition), Watched: map[*graph.Symbolic]bool{}}
	s.RowCounts, s.Own = rows(r)
	var applied []*graph.Symbolic
	for _, n := range r.Applied {
		applied = append(applied, n.In...)
	}
	s.Nodes = append(graph.Trace(nil, applied), r.Applied...)
	for _, n := range r.Applied {
		if n.Applies.Optimizer == nil {
			continue
		}
		if why := n.Applies.Optimizer.Unknown; why != nil {
			return nil, why
		}
		s.Updates = append(s.Updates, n.Applies)
	}
	s.Loose = loose(r.Variables, s.Layers())
	if len(s.Updates) == 0 {
		return nil, value.Because(value.UnmodelledTraining, "no optimizer of Keras applies its gradients: what the program does with them itself is not followed")
	}
	if asked := len(slices.DeleteFunc(slices.Clone(s.Nodes), func(n *graph.Node) bool { return n.Asks == nil })); asked > mostAsked {
		return nil, value.Because(value.TooLong, "it asks for gradients more than %d times", mostAsked)
	}
	slices.SortStableFunc(s.Nodes, func(a, b *graph.Node) int { return a.At - b.At })
	for _, n := range s.Nodes {
		if n.Asks != nil {
			for _, x := range n.Asks.Watched {
				s.Watched[x] = true
			}
		}
	}
	return s, nil
}

// loose returns the variables that are of none of the layers.
func loose(variables []*graph.Weight, layers []*graph.Layer) (out []*graph.Weight) {
	owned := map[*graph.Weight]bool{}
	for _, l := range layers {
		l.EachWeight(func(w *graph.Weight) { owned[w] = true })
	}
	for _, w := range variables {
		if !owned[w] {
			out = append(out, w)
		}
	}
	return out
}
