package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// listed returns model.layers, with the inputs of a functional model.
func (v *modelValue) listed() []value.Value {
	var out []value.Value
	calls := v.model.calls()
	if v.model.Class != "Functional" {
		for _, l := range v.model.Layers() {
			out = append(out, v.h.member(l, calls[l]))
		}
		return out
	}
	var within *Model
	for _, p := range v.model.members() {
		group := v.model.groups[p.layer]
		switch {
		case p.input != nil:
			out = append(out, layerObjects{v.h}.inputLayer(p.input))
		case group == nil:
			out = append(out, v.h.member(p.layer, calls[p.layer]))
		case group != within:
			out = append(out, value.Value{X: &modelValue{h: v.h, model: group}})
		}
		within = group
	}
	return out
}

// layerObjects makes the objects that stand for the layers of a tensor's history.
type layerObjects struct{ *host }

// inputLayer returns the layer of an input.
func (h layerObjects) inputLayer(s *Symbolic) value.Value {
	name := s.name
	if name == "" {
		name = "input_layer"
	}
	l := &Layer{Class: "InputLayer", Name: name, impl: plain(identity), built: true, Output: s.Shape}
	return value.Value{X: &calledLayer{layerValue{h: h.host, layer: l}, &node{layer: l, in: []*Symbolic{s}, out: []*Symbolic{s}}}}
}

// calls returns the first call of each layer in the model.
func (m *Model) calls() map[*Layer]*node {
	out := make(map[*Layer]*node, len(m.nodes))
	for _, n := range m.nodes {
		if out[n.layer] == nil {
			out[n.layer] = n
		}
	}
	return out
}

// member returns a layer as the program finds it in a model or in another layer. call is its call
// in that model, and may be nil.
func (h *host) member(l *Layer, call *node) value.Value {
	switch {
	case l.Inner != nil && l.Inner.Class == "Subclass":
		if w, ok := l.impl.(*customImpl); ok && w.v.object != nil {
			return value.Value{X: w.v.object}
		} else if ok {
			return value.Value{X: w.v}
		}
	case l.Inner != nil:
		return value.Value{X: &modelValue{h: h, model: l.Inner, layer: l}}
	case call != nil:
		return value.Value{X: &calledLayer{layerValue{h: h, layer: l}, call}}
	}
	return value.Value{X: &layerValue{h: h, layer: l}}
}

// within returns the layers that a layer or model holds directly.
func (l *Layer) within() []*Layer {
	if s, ok := l.impl.(*customImpl); ok {
		s.v.track()
	}
	if l.Inner != nil {
		return l.Inner.Layers()
	}
	return l.Parts()
}

// flattened is _flatten_layers of a layer: itself, and all that it holds
// (keras/src/layers/layer.py).
func (h *host) flattened(l *Layer) (value.Value, bool) {
	return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
		flag := func(position int, keyword string) bool {
			given, ok := args.Get(position, keyword)
			return !ok || given.X != false
		}
		var out []value.Value
		seen := map[*Layer]bool{}
		var add func(l *Layer, deep bool)
		add = func(l *Layer, deep bool) {
			for _, part := range l.within() {
				if !seen[part] && in.Spend(1) {
					seen[part] = true
					out = append(out, h.member(part, nil))
					if deep {
						add(part, true)
					}
				}
			}
		}
		if seen[l] = true; flag(0, "include_self") {
			out = append(out, h.member(l, nil))
		}
		add(l, flag(1, "recursive"))
		return value.Value{X: &value.List{Items: out}}
	})
}

// layerOf returns the layer of a call, with that call.
func (h layerObjects) layerOf(n *node) value.Value { return h.member(n.layer, n) }

func (v *modelValue) symbolic(list []*Symbolic, single bool) (value.Value, bool) {
	if len(list) == 0 || len(v.model.Unresolved) > 0 {
		why := value.Because(value.NotBuilt, "the model is not built")
		if len(v.model.Unresolved) > 0 {
			why = v.model.Unresolved[0]
		}
		return why.Unknown(), true
	}
	if single && len(list) == 1 {
		return v.h.tensor(list[0]), true
	}
	var out value.List
	for _, s := range list {
		out.Items = append(out.Items, v.h.tensor(s))
	}
	return value.Value{X: &out}, true
}

func (v *modelValue) getLayer(_ *value.Interp, args *value.Args) value.Value {
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
		return v.h.unknown(value.UnmodelledUse, "the layer that is asked for is not known: %s", objects.Because(name))
	}
	for _, l := range v.model.Layers() {
		if l.Name == want {
			return v.h.member(l, v.model.calls()[l])
		}
	}
	for _, s := range v.model.Inputs {
		if s.name == want && want != "" {
			return layerObjects{v.h}.inputLayer(s)
		}
	}
	return v.h.unknown(value.UndefinedName, "the layer %q of %s is not known", want, v.model.Name)
}

// calledLayer is a layer of a model, with its call in the model.
type calledLayer struct {
	layerValue
	node *node
}

func (v *calledLayer) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if out, ok := v.ends(v.node, name); ok {
		return out, true
	}
	return v.layerValue.GetAttr(in, name)
}
