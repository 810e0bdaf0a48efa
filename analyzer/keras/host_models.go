package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// sequential is keras.Sequential.
func (h *host) sequential(in *value.Interp, args *value.Args) value.Value {
	m := h.newModel("Sequential")
	m.Node, m.born = args.Node, in.Now()
	r := &argParser{args: args}
	m.Name = r.text(1, "name", "")
	if m.Name == "" {
		m.Name = h.uniqueName(in, "Sequential")
	}
	v := &modelValue{h: h, model: m}
	h.program.Models = append(h.program.Models, m)
	layers, ok := args.Get(0, "layers")
	if !ok {
		return value.Value{X: v}
	}
	items, ok := objects.Sequence(layers)
	if _, none := layers.X.(value.None); !ok && !none {
		m.unresolved(value.Because(value.UnmodelledUse, "the list of its layers is not known: %s", objects.Because(layers)))
	}
	for _, item := range items {
		v.add(in, item)
	}
	return value.Value{X: v}
}

// model is keras.Model(inputs, outputs).
func (h *host) model(in *value.Interp, args *value.Args) value.Value {
	m := h.newModel("Functional")
	m.Node, m.born = args.Node, in.Now()
	h.program.Models = append(h.program.Models, m)
	r := &argParser{args: args}
	m.Name = r.text(-1, "name", "")
	if m.Name == "" {
		class := "Functional"
		if m.Keras == 2 {
			class = "Model"
		}
		m.Name = h.uniqueName(in, class)
	}
	inputs, _ := args.Get(0, "inputs")
	outputs, _ := args.Get(1, "outputs")
	if _, old := args.Keywords.Get("input"); old {
		m.unresolved(value.Because(value.KerasRaises, "TensorFlow will raise: a Model is made of inputs= and outputs=; input= and output= are Keras 1's"))
	} else {
		h.connect(m, inputs, outputs)
	}
	return value.Value{X: &modelValue{h: h, model: m}}
}

// connect sets the inputs and outputs of a functional model.
func (h *host) connect(m *Model, inputs, outputs value.Value) {
	var why *value.Cause
	if m.Inputs, why = symbols(inputs); why != nil {
		m.unresolved(why)
	}
	if m.Outputs, why = symbols(outputs); why != nil {
		m.unresolved(why)
	}
	m.returns = outputs
	m.trace()
}
