package models

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Sequential is keras.Sequential.
func Sequential(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	m := steps.NewModel(h, "Sequential")
	m.Node, m.Born = args.Node, in.Now()
	r := &layers.ArgParser{Args: args}
	m.Name = r.Text(1, "name", "")
	if m.Name == "" {
		m.Name = h.Names.Layer(in, "Sequential")
	}
	v := &ModelValue{H: h, Model: m}
	h.Program.Models = append(h.Program.Models, m)
	v.addAll(in, args)
	return value.Value{X: v}
}

// addAll adds the layers that a Sequential is made with.
func (v *ModelValue) addAll(in *value.Interp, args *value.Args) {
	layers, ok := args.Get(0, "layers")
	if _, none := layers.X.(value.None); !ok || none {
		return
	}
	items, ok := objects.Sequence(layers)
	if !ok {
		v.Model.AddUnresolved(value.Because(value.UnmodelledUse, "the list of its layers is not known: %s", objects.Because(layers)))
	}
	for _, item := range items {
		v.add(in, item)
	}
}

// Model is keras.Model(inputs, outputs).
func Model(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	m := steps.NewModel(h, "Functional")
	m.Node, m.Born = args.Node, in.Now()
	h.Program.Models = append(h.Program.Models, m)
	r := &layers.ArgParser{Args: args}
	m.Name = r.Text(-1, "name", "")
	if m.Name == "" {
		class := "Functional"
		if m.Keras == 2 {
			class = "Model"
		}
		m.Name = h.Names.Layer(in, class)
	}
	inputs, _ := args.Get(0, "inputs")
	outputs, _ := args.Get(1, "outputs")
	_, input := args.Keywords.Get("input")
	if _, output := args.Keywords.Get("output"); input || output {
		m.AddUnresolved(value.Refused("a Model is made of inputs= and outputs=; input= and output= are Keras 1's"))
	} else {
		connect(m, inputs, outputs)
	}
	return value.Value{X: &ModelValue{H: h, Model: m}}
}

// connect sets the inputs and outputs of a functional model.
func connect(m *graph.Model, inputs, outputs value.Value) {
	var why *value.Cause
	if m.Inputs, why = ops.Symbols(inputs); why != nil {
		m.AddUnresolved(why)
	}
	if m.Outputs, why = ops.Symbols(outputs); why != nil {
		m.AddUnresolved(why)
	}
	m.Returns = outputs
	m.Trace()
}

// NotFollowed returns a model of a library that is not followed, and says why.
func NotFollowed(h *state.Host, in *value.Interp, class string, node syntax.Node, why *value.Cause) value.Value {
	m := steps.NewModel(h, "Functional")
	m.Node, m.Born, m.Name = node, in.Now(), h.Names.Layer(in, class)
	why.On(node)
	m.AddUnresolved(why)
	h.Program.Models = append(h.Program.Models, m)
	return value.Value{X: &ModelValue{H: h, Model: m}}
}
