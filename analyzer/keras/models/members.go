package models

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// listed returns model.layers, with the inputs of a functional model.
func (v *ModelValue) listed() []value.Value {
	var out []value.Value
	calls := v.Model.Calls()
	if v.Model.Class != "Functional" {
		for _, l := range v.Model.Layers() {
			out = append(out, member(v.H, l, calls[l]))
		}
		return out
	}
	var within *graph.Model
	for _, p := range v.Model.Members() {
		group := v.Model.Groups[p.Layer]
		switch {
		case p.Input != nil:
			out = append(out, LayerObjects{v.H}.InputLayer(p.Input))
		case group == nil:
			out = append(out, member(v.H, p.Layer, calls[p.Layer]))
		case group != within:
			out = append(out, value.Value{X: &ModelValue{H: v.H, Model: group}})
		}
		within = group
	}
	return out
}

// LayerObjects makes the objects that stand for the layers of a tensor's history.
type LayerObjects struct{ *state.Host }

// InputLayer returns the layer of an input.
func (h LayerObjects) InputLayer(s *graph.Symbolic) value.Value {
	name := cmp.Or(s.Name, "input_layer")
	l := &graph.Layer{Class: "InputLayer", Name: name, Impl: layers.Plain(layers.Identity), Built: true, Output: s.Shape}
	return value.Value{X: &calledLayer{LayerValue{H: h.Host, Layer: l}, &graph.Node{Layer: l, In: []*graph.Symbolic{s}, Out: []*graph.Symbolic{s}}}}
}

// member returns a layer as the program finds it in a model or in another layer. call is its call
// in that model, and may be nil.
func member(h *state.Host, l *graph.Layer, call *graph.Node) value.Value {
	switch {
	case l.Inner != nil && l.Inner.Class == "Subclass":
		if w, ok := l.Impl.(*customImpl); ok && w.v.object != nil {
			return value.Value{X: w.v.object}
		} else if ok {
			return value.Value{X: w.v}
		}
	case l.Inner != nil:
		return value.Value{X: &ModelValue{H: h, Model: l.Inner, layer: l}}
	case call != nil:
		return value.Value{X: &calledLayer{LayerValue{H: h, Layer: l}, call}}
	}
	return value.Value{X: &LayerValue{H: h, Layer: l}}
}

// within returns the layers that a layer or model holds directly.
func within(l *graph.Layer) []*graph.Layer {
	if s, ok := l.Impl.(*customImpl); ok {
		s.v.track()
	}
	if l.Inner != nil {
		return l.Inner.Layers()
	}
	return l.Parts()
}

// flattened is _flatten_layers of a layer: itself, and all that it holds
// (keras/src/layers/layer.py).
func flattened(h *state.Host, l *graph.Layer) (value.Value, bool) {
	return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
		flag := func(position int, keyword string) bool {
			given, ok := args.Get(position, keyword)
			return !ok || given.X != false
		}
		var out []value.Value
		seen := map[*graph.Layer]bool{}
		var add func(l *graph.Layer, deep bool)
		add = func(l *graph.Layer, deep bool) {
			for _, part := range within(l) {
				if !seen[part] && in.Spend(1) {
					seen[part] = true
					out = append(out, member(h, part, nil))
					if deep {
						add(part, true)
					}
				}
			}
		}
		if seen[l] = true; flag(0, "include_self") {
			out = append(out, member(h, l, nil))
		}
		add(l, flag(1, "recursive"))
		return value.Value{X: &value.List{Items: out}}
	})
}

// LayerOf returns the layer of a call, with that call.
func (h LayerObjects) LayerOf(n *graph.Node) value.Value { return member(h.Host, n.Layer, n) }

func (v *ModelValue) symbolic(list []*graph.Symbolic, single bool) (value.Value, bool) {
	if len(list) == 0 || len(v.Model.Unresolved) > 0 {
		why := value.Because(value.NotBuilt, "the model is not built")
		if len(v.Model.Unresolved) > 0 {
			why = v.Model.Unresolved[0]
		}
		return why.Unknown(), true
	}
	if single && len(list) == 1 {
		return ops.Tensor(v.H, list[0]), true
	}
	var out value.List
	for _, s := range list {
		out.Items = append(out.Items, ops.Tensor(v.H, s))
	}
	return value.Value{X: &out}, true
}

func (v *ModelValue) getLayer(_ *value.Interp, args *value.Args) value.Value {
	if i, ok := args.Get(1, "index"); ok {
		if n, ok := i.Int(); ok {
			all := v.listed()
			if n < 0 {
				n += int64(len(all))
			}
			if n >= 0 && n < int64(len(all)) {
				return all[n]
			}
		}
	}
	name, _ := args.Get(0, "name")
	want, known := name.X.(string)
	if !known {
		return v.H.Unknown(value.UnmodelledUse, "the layer that is asked for is not known: %s", objects.Because(name))
	}
	for _, l := range v.Model.Layers() {
		if l.Name == want {
			return member(v.H, l, v.Model.Calls()[l])
		}
	}
	for _, s := range v.Model.Inputs {
		if s.Name == want && want != "" {
			return LayerObjects{v.H}.InputLayer(s)
		}
	}
	return v.H.Unknown(value.UndefinedName, "the layer %q of %s is not known", want, v.Model.Name)
}

// calledLayer is a layer of a model, with its call in the model.
type calledLayer struct {
	LayerValue
	node *graph.Node
}

func (v *calledLayer) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if out, ok := v.ends(v.node, name); ok {
		return out, true
	}
	return v.LayerValue.GetAttr(in, name)
}
