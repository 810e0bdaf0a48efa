package steps

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Tape is a tf.GradientTape. It stores when it recorded, and what the program asked it to
// watch.
type Tape struct {
	value.Base
	h       *state.Host
	began   int
	before  int      // of the program's forward passes
	spans   [][2]int // by state.Steps; the end of an open one is 0
	watched []*graph.Symbolic
}

func NewTape(h *state.Host, args *value.Args) value.Value {
	t := &Tape{Base: "a tape", h: h, began: h.Steps.Next(), before: len(h.Program.Forwards)}
	if r := h.Steps.Running(); r != nil && !r.Tape.Valid() {
		r.Tape = args.Node
	}
	return value.Value{X: t}
}

// Enter is the beginning of with tape.
func (t *Tape) Enter(*value.Interp) value.Value {
	t.Start()
	return value.Value{X: t}
}

// Exit is the end of it.
func (t *Tape) Exit(*value.Interp) { t.Stop() }

func (t *Tape) Start() { t.spans = append(t.spans, [2]int{t.h.Steps.Next(), 0}) }

func (t *Tape) Stop() {
	if n := len(t.spans); n > 0 && t.spans[n-1][1] == 0 {
		t.spans[n-1][1] = t.h.Steps.Next()
	}
}

// A pause is what tape.stop_recording returns: within it the tape records nothing.
type pause struct {
	state.Opaque
	of *Tape
}

// Enter is the beginning of with tape.stop_recording().
func (p *pause) Enter(*value.Interp) value.Value {
	p.of.Stop()
	return value.Value{X: value.None{}}
}

// Exit is the end of it.
func (p *pause) Exit(*value.Interp) { p.of.Start() }

func (t *Tape) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "gradient":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if r, told := t.h.Steps.Running(), in.ObservedStep(args.Node); r != nil && told != nil {
				r.Traced = told
			}
			return t.Gradient(in, args, graph.Together)
		})
	case "watch":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v, _ := args.Get(0, "tensor")
			ops.Each(v, func(x value.Value) value.Value {
				if s, ok := x.X.(*ops.SymbolicValue); ok {
					t.watched = append(t.watched, s.S)
				}
				return x
			})
			return value.Value{X: value.None{}}
		})
	case "__enter__":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value { return t.Enter(in) })
	case "__exit__":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			t.Exit(in)
			return value.Value{X: value.None{}}
		})
	case "stop_recording":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &pause{state.Opaque{Base: "a pause of a tape"}, t}}
		})
	case "jacobian":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return t.Gradient(in, args, graph.Elements) })
	case "batch_jacobian":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return t.Gradient(in, args, graph.Columns) })
	case "reset", "watched_variables":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return t.h.Steps.Lose(value.Because(value.UnmodelledTraining, "the effect of tape.%s is not followed", name))
		})
	}
	return t.Base.GetAttr(in, name)
}

// Gradient is tape.gradient(target, sources), and tape.jacobian and tape.batch_jacobian, which
// compute a gradient of each element.
func (t *Tape) Gradient(_ *value.Interp, args *value.Args, of graph.Extent) value.Value {
	h := t.h
	if of != graph.Together {
		t.notes(args, of)
	}
	switch {
	case h.Steps.Running() == nil:
		return h.Unknown(value.UnmodelledTraining, "a gradient that is taken outside of a step that is followed")
	case h.Calls.Tracing():
		return h.Steps.Lose(value.Because(value.UnmodelledTraining, "a gradient that is taken within a layer is not followed"))
	}
	target, sources := asked(args)
	r := &graph.Request{Spans: append([][2]int(nil), t.spans...), Watched: t.watched, Of: of, Loops: of != graph.Together && loops(args)}
	var why *value.Cause
	ops.Each(target, func(x value.Value) value.Value {
		if s, isTensor := x.X.(*ops.SymbolicValue); isTensor {
			r.Targets = append(r.Targets, s.S)
			return x
		}
		why = value.Because(value.UnmodelledTraining, "the target of a gradient is not known: %s", noTensor(x))
		return x
	})
	if of != graph.Together && len(r.Targets) != 1 {
		why = cmp.Or(why, value.Because(value.UnmodelledTraining, "a jacobian has one target, a tensor"))
	}
	shaped := func(source tensor.Shape) tensor.Shape {
		if of == graph.Together || why != nil {
			return source
		}
		return graph.JacobianShape(of, r.Targets[0].Shape, source)
	}
	if open := openIn(sources); open != nil {
		why = value.Because(value.UnmodelledTraining, "the sources of a gradient are not known: %s", open)
	}
	// The gradients of weights come first among the outputs of the node.
	var byWeight, byTensor []*graph.Symbolic
	out := ops.Each(sources, func(x value.Value) value.Value {
		switch x := x.X.(type) {
		case *ops.Variable:
			w := x.Weight
			g := &graph.Symbolic{Shape: shaped(w.Shape), DType: w.DType}
			r.Weights, byWeight = append(r.Weights, w), append(byWeight, g)
			ops.Records(h.Steps.Running(), x)
			return ops.Tensor(h, g)
		case *ops.SymbolicValue:
			g := &graph.Symbolic{Shape: shaped(x.S.Shape), DType: x.S.DType}
			r.Sources, byTensor = append(r.Sources, x.S), append(byTensor, g)
			return ops.Tensor(h, g)
		}
		why = value.Because(value.UnmodelledTraining, "the sources of a gradient are not known: %s", noTensor(x))
		return x
	})
	if why != nil {
		return h.Steps.Lose(why)
	}
	n := &graph.Node{Layer: &graph.Layer{Class: "Gradient", Name: "gradient", Function: true}, Asks: r}
	n.In = append(append(n.In, r.Targets...), r.Sources...)
	n.Out = append(byWeight, byTensor...)
	for _, s := range n.Out {
		s.From = n
	}
	n.At = h.Steps.Next()
	return out
}

// GraphGradients is tf.gradients. It goes back through the whole graph so far, like a tape that
// recorded since the step began (tensorflow/python/ops/gradients_impl.py).
func GraphGradients(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	if h.Steps.Running() == nil || !h.Steps.Compiles() {
		return value.Value{}
	}
	t := NewTape(h, args).X.(*Tape)
	t.spans = [][2]int{{1, 0}}
	target, _ := args.Get(0, "ys")
	sources, _ := args.Get(1, "xs")
	if items, ok := objects.Sequence(target); ok && len(items) == 1 {
		target = items[0]
	}
	if _, several := objects.Sequence(sources); !several {
		sources = value.Value{X: &value.List{Items: []value.Value{sources}}}
	}
	return t.Gradient(in, &value.Args{Positional: []value.Value{target, sources}, Node: args.Node}, graph.Together)
}

// noTensor says why something is neither a tensor of the step nor a variable.
func noTensor(x value.Value) *value.Cause {
	if lost, ok := x.X.(*ops.LostVariable); ok {
		return lost.Why
	}
	return cmp.Or(x.Cause(), value.Because(value.WrongType, "the value is neither a tensor of the step nor a variable"))
}

// openIn says why a list, or a nested list, may have more items than are known.
func openIn(v value.Value) *value.Cause {
	switch x := v.X.(type) {
	case *value.List:
		if x.Open != nil {
			return x.Open
		}
		for _, item := range x.Items {
			if why := openIn(item); why != nil {
				return why
			}
		}
	case *value.Dict:
		return x.Open
	}
	return v.Cause()
}
