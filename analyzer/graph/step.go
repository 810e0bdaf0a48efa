package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
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
	// RowCounts are the numbers of rows of Inputs in a batch of the program, if they differ: zipped
	// datasets may differ in it. own is the number that counts as the batch size.
	RowCounts []int64
	Own       int64
	// Updates are what it applies, in order.
	Updates []*Update

	// Repeats is set if it is one iteration of a loop, or returns its gradients to one. Names in
	// the loop then hold the values of the previous iteration.
	Repeats bool

	Nodes   []*Node
	Watched map[*Symbolic]bool
	// Loose are the variables that it assigns or trains and that are of no layer that it calls: sums
	// of gradients, averages of weights, a network that only follows another.
	Loose []*Weight
}

// OfGradient reports whether a tensor is a gradient, or is computed from one element by element.
func (s *Symbolic) OfGradient(shape tensor.Shape) bool {
	seen := map[*Symbolic]bool{}
	for stack := []*Symbolic{s}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.From == nil || seen[top] || !slices.Equal(top.Shape, shape) {
			continue
		}
		if top.From.Asks != nil {
			return true
		}
		seen[top] = true
		stack = append(stack, top.From.In...)
	}
	return false
}

// Layers returns the layers that the step calls, including models, each once.
func (s *Step) Layers() []*Layer {
	var out []*Layer
	seen := map[*Layer]bool{}
	for _, n := range s.Nodes {
		if !n.Layer.Function && !seen[n.Layer] {
			seen[n.Layer] = true
			out = append(out, n.Layer)
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
	if s.RowCounts == nil || s.RowCounts[input] == s.Own {
		return batch
	}
	if s.RowCounts[input] == 1 {
		return 1
	}
	return (batch*s.RowCounts[input] + s.Own - 1) / s.Own
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

// recorded reports whether the tape of a request recorded an event.
func (r *Request) recorded(at int) bool {
	return slices.ContainsFunc(r.Spans, func(s [2]int) bool { return s[0] < at && (at < s[1] || s[1] == 0) })
}

// A Request is one call of tape.gradient, or of tape.jacobian.
type Request struct {
	Of      Extent
	Loops   bool     // a jacobian is computed iteration by iteration, and not by pfor
	Spans   [][2]int // in which its tape had recorded
	Watched []*Symbolic
	Targets []*Symbolic
	Weights []*Weight
	Sources []*Symbolic
}

// LooksUp reports whether what is differentiated takes rows of a table, whose gradient has those rows
// alone.
func (r *Request) LooksUp() bool { return looksUp(Trace(nil, r.Targets)) }

func looksUp(nodes []*Node) (found bool) {
	for _, n := range nodes {
		n.Layer.each(func(l *Layer) {
			found = found || l.Class == "Embedding" || l.Class == "GatherV2"
		})
		if found || n.Body != nil && looksUp(n.Body.Nodes) {
			return true
		}
	}
	return false
}
