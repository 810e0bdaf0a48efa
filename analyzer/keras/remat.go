package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Region is a part of a forward pass that is rematerialised: gradients keep only its inputs,
// and it runs again when its gradient is computed (tensorflow/python/ops/custom_gradient.py,
// recompute_grad).
type Region struct {
	Outer *Region // the region that contains it, or nil
}

// Within returns the outermost region inside outer that contains r, with which an op of r runs
// again; nil if there is none. outer is nil for the whole pass.
func (r *Region) Within(outer *Region) *Region {
	for ; r != nil && r != outer; r = r.Outer {
		if r.Outer == outer {
			return r
		}
	}
	return nil
}

// recompute makes a region of the operations from index from on.
func (g *Graph) recompute(from int) {
	r := &Region{}
	for _, op := range g.Ops[from:] {
		if op.Remat == nil {
			op.Remat = r
			continue
		}
		top := op.Remat
		for top.Outer != nil {
			top = top.Outer
		}
		if top != r {
			top.Outer = r
		}
	}
}

// recomputed is a function passed to tf.recompute_grad or keras.remat.
type recomputed struct {
	base
	h *host
	f value.Value
}

func (h *host) recomputed(args *value.Args) value.Value {
	f, ok := args.Get(0, "f")
	if !ok {
		return h.unknown(value.UnmodelledTraining, "what is to be computed again is not known")
	}
	return value.Value{X: &recomputed{"a function that is computed again", h, f}}
}

func (r *recomputed) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return r.f, name == "__wrapped__"
}

func (r *recomputed) Call(in *value.Interp, args *value.Args) value.Value {
	if symbolic, _ := kinds(args); !symbolic {
		return in.Call(r.f, args)
	}
	inner, from, fresh := r.h.inside(args)
	result, b := r.h.bodyOf(in.Call(r.f, inner), fresh)
	if !result.Known() {
		return result
	}
	l := &Layer{Class: "recompute_grad", Name: "recompute_grad", Trainable: true, function: true, impl: &region{b}}
	out, err := call(r.h.interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return r.h.outside(b, result, func(i int) *Symbolic { return out[i] })
}

// region is a call of such a function.
type region struct{ body *body }

func (*region) build(*Layer, []Shape) error { return nil }

func (s *region) call(_ *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	from := len(g.Ops)
	out, err := s.body.lower(g, in)
	g.recompute(from)
	return out, err
}

// rematScope is keras.RematScope: layers created in it are rematerialised as it says
// (keras/src/layers/layer.py, rematerialized_call; keras/src/ops/operation.py).
type rematScope struct {
	opaque
	h *host
	rematMode
}

// A rematMode says what of a layer is rematerialised.
type rematMode struct {
	mode      string
	why       *value.Cause // why the mode is not known
	threshold int64
	names     []string
}

func (h *host) rematScope(args *value.Args) value.Value {
	r := &argParser{args: args}
	s := &rematScope{opaque{"a RematScope"}, h, rematMode{mode: r.text(0, "mode", "full"), threshold: r.number(1, "output_size_threshold", 1024)}}
	if v, ok := args.Get(0, "mode"); ok && v.X == (value.None{}) {
		s.mode = ""
	}
	if v, ok := args.Get(2, "layer_names"); ok {
		items, ok := objects.Sequence(v)
		for _, item := range items {
			name, text := item.X.(string)
			ok = ok && text
			s.names = append(s.names, name)
		}
		if !ok {
			r.fail("layer_names", objects.Because(v))
		}
	}
	s.why = r.why
	return value.Value{X: s}
}

// Enter and Exit set the scope of layers that are created in between.
func (s *rematScope) Enter(*value.Interp) value.Value {
	s.h.remats = append(s.h.remats, &s.rematMode)
	return value.Value{X: s}
}

func (s *rematScope) Exit(*value.Interp) { s.h.remats = s.h.remats[:max(len(s.h.remats)-1, 0)] }

// remat returns the mode of the scope in which a layer is created, or nil.
func (h *host) remat() *rematMode {
	if len(h.remats) == 0 {
		return nil
	}
	return h.remats[len(h.remats)-1]
}

// rematerialized makes a region of the operations that a layer added, from index from on, if the
// scope in which it was created says so.
func (l *Layer) rematerialized(g *Graph, from int, out []*Tensor) error {
	s := l.remat
	if s == nil || s.mode == "" || s.mode == "activations" {
		return nil
	}
	if s.why != nil {
		return value.Because(value.UnmodelledTraining, "which layers are computed again is not known: %s", s.why)
	}
	switch s.mode {
	case "larger_than":
		var size int64
		for _, t := range out {
			n := int64(1)
			for i, d := range t.Shape {
				if i > 0 && d > 0 { // the batch size is not known in a graph
					n *= d
				}
			}
			size += n
		}
		if size <= s.threshold {
			return nil
		}
	case "list_of_layers":
		if !slices.Contains(s.names, l.Name) {
			return nil
		}
	}
	// custom_gradient does not accept a layer that takes training= in a graph
	// (tensorflow/python/ops/custom_gradient.py, _graph_mode_decorator).
	if facts, _ := factsOf(l.Class, 3); facts.training {
		return value.Because(value.KerasRaises, "TensorFlow will raise: a RematScope has it computed again as a function, and in a graph that takes no training=")
	}
	if l.Inner != nil {
		return value.Because(value.UnmodelledTraining, "a RematScope around a model or a layer of the program's own is not followed")
	}
	g.recompute(from)
	return nil
}
