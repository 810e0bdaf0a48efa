package keras

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A tape is a tf.GradientTape. It stores when it recorded, and what the program asked it to
// watch.
type tape struct {
	base
	h       *host
	began   int
	spans   [][2]int // by host.tick; the end of an open one is 0
	watched []*Symbolic
}

func (h *host) newTape(args *value.Args) value.Value {
	t := &tape{base: "a tape", h: h, began: h.next()}
	if r := h.recorder; r != nil && !r.tape.Valid() {
		r.tape = args.Node
	}
	return value.Value{X: t}
}

// Enter is the beginning of with tape.
func (t *tape) Enter(*value.Interp) value.Value {
	t.start()
	return value.Value{X: t}
}

// Exit is the end of it.
func (t *tape) Exit(*value.Interp) { t.stop() }

func (t *tape) start() { t.spans = append(t.spans, [2]int{t.h.next(), 0}) }

func (t *tape) stop() {
	if n := len(t.spans); n > 0 && t.spans[n-1][1] == 0 {
		t.spans[n-1][1] = t.h.next()
	}
}

// A pause is what tape.stop_recording returns: within it the tape records nothing.
type pause struct {
	opaque
	of *tape
}

// Enter is the beginning of with tape.stop_recording().
func (p *pause) Enter(*value.Interp) value.Value {
	p.of.stop()
	return value.Value{X: value.None{}}
}

// Exit is the end of it.
func (p *pause) Exit(*value.Interp) { p.of.start() }

// recorded reports whether the tape of a request recorded an event.
func (r *request) recorded(at int) bool {
	for _, s := range r.spans {
		if s[0] < at && (at < s[1] || s[1] == 0) {
			return true
		}
	}
	return false
}

func (t *tape) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "gradient":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return t.gradient(in, args, together) })
	case "watch":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v, _ := args.Get(0, "tensor")
			each(v, func(x value.Value) value.Value {
				if s, ok := x.X.(*symbolicValue); ok {
					t.watched = append(t.watched, s.s)
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
			return value.Value{X: &pause{opaque{"a pause of a tape"}, t}}
		})
	case "jacobian":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return t.gradient(in, args, elements) })
	case "batch_jacobian":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return t.gradient(in, args, columns) })
	case "reset", "watched_variables":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return t.h.lose(value.Because(value.UnmodelledTraining, "what tape.%s does is not followed", name))
		})
	}
	return t.base.GetAttr(in, name)
}

// A request is one call of tape.gradient, or of tape.jacobian.
type request struct {
	of      extent
	loops   bool     // a jacobian is computed iteration by iteration, and not by pfor
	spans   [][2]int // in which its tape had recorded
	watched []*Symbolic
	targets []*Symbolic
	weights []*Weight
	sources []*Symbolic
}

// gradient is tape.gradient(target, sources), and tape.jacobian and tape.batch_jacobian, which
// compute a gradient of each element.
func (t *tape) gradient(_ *value.Interp, args *value.Args, of extent) value.Value {
	h := t.h
	switch {
	case h.recorder == nil:
		return h.unknown(value.UnmodelledTraining, "a gradient that is taken outside of a step that is followed")
	case h.tracing > 0:
		return h.lose(value.Because(value.UnmodelledTraining, "a gradient that is taken within a layer is not followed"))
	}
	target, _ := args.Get(0, "target")
	sources, named := args.Get(1, "sources")
	if !named {
		sources, _ = args.Keywords.Get("source") // of batch_jacobian
	}
	r := &request{spans: append([][2]int(nil), t.spans...), watched: t.watched, of: of}
	if of != together {
		r.loops = args.Keywords.Value("experimental_use_pfor").X == false
	}
	var why *value.Cause
	each(target, func(x value.Value) value.Value {
		if s, isTensor := x.X.(*symbolicValue); isTensor {
			r.targets = append(r.targets, s.s)
			return x
		}
		why = value.Because(value.UnmodelledTraining, "what a gradient is taken of is not known: %s", noTensor(x))
		return x
	})
	if of != together && len(r.targets) != 1 {
		why = cmp.Or(why, value.Because(value.UnmodelledTraining, "a jacobian is of one tensor"))
	}
	shaped := func(source Shape) Shape {
		if of == together || why != nil {
			return source
		}
		return jacobianShape(of, r.targets[0].Shape, source)
	}
	if open := openIn(sources); open != nil {
		why = value.Because(value.UnmodelledTraining, "what a gradient is taken by is not known: %s", open)
	}
	// The gradients of weights come first among the outputs of the node.
	var byWeight, byTensor []*Symbolic
	out := each(sources, func(x value.Value) value.Value {
		switch x := x.X.(type) {
		case *variable:
			w := x.weight
			g := &Symbolic{Shape: shaped(w.Shape), DType: w.DType}
			r.weights, byWeight = append(r.weights, w), append(byWeight, g)
			h.recorder.variable(x)
			return h.tensor(g)
		case *symbolicValue:
			g := &Symbolic{Shape: shaped(x.s.Shape), DType: x.s.DType}
			r.sources, byTensor = append(r.sources, x.s), append(byTensor, g)
			return h.tensor(g)
		}
		why = value.Because(value.UnmodelledTraining, "what a gradient is taken by is not known: %s", noTensor(x))
		return x
	})
	if why != nil {
		return h.lose(why)
	}
	n := &node{layer: &Layer{Class: "Gradient", Name: "gradient", function: true}, asks: r}
	n.in = append(append(n.in, r.targets...), r.sources...)
	n.out = append(byWeight, byTensor...)
	for _, s := range n.out {
		s.from = n
	}
	n.at = h.next()
	return out
}

// graphGradients is tf.gradients. It goes back through the whole graph so far, like a tape that
// recorded since the step began (tensorflow/python/ops/gradients_impl.py).
func (h *host) graphGradients(in *value.Interp, args *value.Args) value.Value {
	if h.recorder == nil || h.compiled == 0 {
		return value.Value{}
	}
	t := h.newTape(args).X.(*tape)
	t.spans = [][2]int{{1, 0}}
	target, _ := args.Get(0, "ys")
	sources, _ := args.Get(1, "xs")
	if items, ok := objects.Sequence(target); ok && len(items) == 1 {
		target = items[0]
	}
	if _, several := objects.Sequence(sources); !several {
		sources = value.Value{X: &value.List{Items: []value.Value{sources}}}
	}
	return t.gradient(in, &value.Args{Positional: []value.Value{target, sources}, Node: args.Node}, together)
}

// noTensor says why something is neither a tensor of the step nor a variable.
func noTensor(x value.Value) *value.Cause {
	if lost, ok := x.X.(*lostVariable); ok {
		return lost.why
	}
	return cmp.Or(x.Cause(), value.Because(value.WrongType, "it is neither a tensor that the step computes nor a variable"))
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

// lose records why the current step cannot be followed, and returns an unknown value.
func (h *host) lose(why *value.Cause) value.Value {
	if h.recorder != nil && h.recorder.why == nil {
		h.recorder.why = why
	}
	return why.Unknown()
}
