package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A fate is what the code that has a model does with it.
type fate struct {
	trained  bool // it is surely compiled or trained
	ran      bool // it is surely called, or used to predict
	predicts bool // by a method, on data
}

// fate returns what an iteration does with the model.
func (m *built) fate() (found fate) {
	uses, _ := m.facts.Uses(m.event.Node, m.facts.At(m.event), m.event.Loop)
	for _, use := range uses {
		if use.Part == facts.Whole {
			found.add(use.Node)
		}
	}
	return found
}

func (f *fate) add(model syntax.Node) {
	switch parent := model.Parent(); parent.Kind() {
	case syntax.Attribute:
		switch name := parent.Child(syntax.FieldAttribute).Text(); {
		case name == "trainable_variables" || name == "trainable_weights":
			f.trained = f.trained || differentiated(parent)
		case parent.Field() == syntax.FieldFunction:
			switch name {
			case "compile", "fit", "fit_generator", "train_on_batch":
				f.trained = true
			case "predict", "predict_on_batch", "evaluate":
				f.ran, f.predicts = true, true
			}
		}
	case syntax.Call:
		f.ran = f.ran || model.Field() == syntax.FieldFunction
	}
}

// differentiated reports whether the weights of a model are passed to what trains them.
func differentiated(weights syntax.Node) bool {
	call := weights.Ancestor(syntax.Call)
	if call.Child(syntax.FieldFunction).Text() == "zip" {
		call = call.Ancestor(syntax.Call)
	}
	switch names.Method(call) {
	case "gradient", "apply_gradients", "minimize":
		return true
	}
	return false
}
