package lifetimes

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Frees is what a program may do to free the models of earlier iterations.
type Frees struct {
	// Clears is a call of clear_session() in each iteration, or none.
	Clears syntax.Node
	// Collects is set if garbage is collected, or may be, or unknown code may free the models.
	Collects bool
	// Unknown is set if that is only what code whose meaning or order is not known may do.
	Unknown bool
}

// Frees returns what frees models around a model of a trace, or in a function that nothing in the program
// calls, or in an unknown function of its project whose name suggests it. What happens in other loops frees
// no model of this loop's other iterations.
func (m *Model) Frees(program *flow.Program, of *flow.Trace) (f Frees) {
	inLoop := func(n syntax.Node) bool {
		for _, r := range m.Around {
			if n.Within(r.Node) || r.By.Valid() && n.Within(r.By) {
				return true
			}
		}
		return false
	}
	for t, e := range program.Having(effects.FreesModels) {
		if t != of {
			f.Unknown = f.Unknown || t.Function != nil
		} else if inLoop(e.Node) || slices.ContainsFunc(e.Path, inLoop) {
			f.add(e.Name, e.Node)
		}
	}
	for _, r := range m.Around {
		f.Collects = f.Collects || r.Collects
		if r.By.Kind() == syntax.Call { // a callback of the library
			for _, call := range m.info.CallsTo(freesModels) {
				if call.Within(r.By) {
					f.add(m.info.Callee(call), call)
				}
			}
		}
	}
	f.Unknown = f.Unknown || slices.ContainsFunc(program.Unknown, func(e flow.Event) bool {
		name := strings.ToLower(e.Name[strings.LastIndexByte(e.Name, '.')+1:])
		return slices.ContainsFunc([]string{"clear", "reset", "clean", "free", "collect"}, func(word string) bool { return strings.Contains(name, word) })
	})
	f.Collects = f.Collects || f.Unknown
	return f
}

func freesModels(name string) bool {
	return effects.Of(name).Has(effects.FreesModels)
}

func (f *Frees) add(name string, call syntax.Node) {
	if strings.HasPrefix(name, "tensorflow.keras.") {
		f.Clears = call
	} else {
		f.Collects = true
	}
}

// LeavesGraph reports whether the program may take the model out of TensorFlow 1's default graph, where
// nothing of Python frees it (testdata/freed, graphs), without Keras: it resets the graph, or opens sessions,
// which it may close.
func (m *Model) LeavesGraph() bool {
	return slices.ContainsFunc(m.info.Program(), func(info *names.Info) bool {
		return len(info.CallsTo(func(name string) bool {
			return effects.Of(name).Has(effects.OpensSession | effects.ResetsGraph)
		})) > 0
	})
}

// TrainsCompiled reports whether each iteration trains the model in code that Keras or tf.function
// surely compiles: nothing in the program may have it run eagerly.
func (m *Model) TrainsCompiled() bool {
	return m.Fitted && !slices.ContainsFunc(m.info.Program(), func(info *names.Info) bool {
		return slices.ContainsFunc(info.Identifiers("run_eagerly"), func(n syntax.Node) bool {
			return n.Field() != syntax.FieldName || n.Parent().Child(syntax.FieldValue).Kind() != syntax.False
		}) || len(info.CallsTo(effects.Does(effects.SetsEager))) > 0
	})
}

// Dense reports whether no gradient of the model is sparse: the program builds it, and has no Embedding.
// Of a model that is loaded, or of another library, that is not known.
func (m *Model) Dense() bool {
	return m.Event.Effects.Has(effects.BuildsModel) && !Embeds(m.info)
}

// Embeds reports whether the program has an Embedding.
func Embeds(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(info *names.Info) bool {
		return len(info.CallsTo(func(name string) bool { return strings.HasSuffix(name, ".layers.Embedding") })) > 0
	})
}

// OwnWeights reports whether the model surely creates its own weights: it is loaded, one of
// keras.applications, of a class of the program, or a Sequential of layers that are created for it.
func (m *Model) OwnWeights() bool {
	call := m.Event.Node
	if m.Event.Effects.Has(effects.LoadsModel) || strings.HasPrefix(m.info.Callee(call), "tensorflow.keras.applications.") || m.info.Target(call.Child(syntax.FieldFunction)).Class != nil {
		return true
	}
	layers := m.Layers()
	return layers.Kind() == syntax.List && !slices.ContainsFunc(slices.Collect(layers.Children()), func(layer syntax.Node) bool { return !layer.Is(syntax.Call, syntax.Comment) })
}

// IsSymbolic reports whether the model is a Sequential, a functional one or one of keras.applications, which
// are made of Keras's symbolic tensors.
func (m *Model) IsSymbolic() bool {
	callee := m.info.Callee(m.Event.Node)
	return m.info.Target(m.Event.Node.Child(syntax.FieldFunction)).Class == nil &&
		(callee == "tensorflow.keras.Sequential" || callee == "tensorflow.keras.Model" || strings.HasPrefix(callee, "tensorflow.keras.applications."))
}

// staying are what reads models from files that stay also if they are only called (testdata/freed, saved.json).
// Of a model of transformers, whose class is its own, that is not known.
var staying = []string{"tensorflow_hub.load", "tensorflow_hub.KerasLayer", "tensorflow.saved_model.load", "tensorflow.keras.models.load_model"}

// IsSaved reports whether the model is read from a file, and stays if it is only called.
func (m *Model) IsSaved() bool { return slices.Contains(staying, m.info.Callee(m.Event.Node)) }

// Layers returns the layers that a Sequential is given, or none.
func (m *Model) Layers() syntax.Node {
	if m.info.Callee(m.Event.Node) != "tensorflow.keras.Sequential" {
		return syntax.Node{}
	}
	return names.Argument(m.Event.Node, 0, "layers")
}

// IsView reports whether the model is built from the inputs and outputs of layers.
func (m *Model) IsView() bool {
	return m.info.Callee(m.Event.Node) == "tensorflow.keras.Model" && m.info.Target(m.Event.Node.Child(syntax.FieldFunction)).Class == nil
}

// ofAnother reports whether the model begins at the inputs of another one, whose weights it shares: until it
// is trained, it has no state of its own, also if it is compiled.
func (m *Model) ofAnother() bool {
	if !m.IsView() {
		return false
	}
	inputs := names.Argument(m.Event.Node, 0, "inputs")
	if inputs.Is(syntax.List, syntax.Tuple) {
		inputs = names.Element(inputs, 0)
	}
	part := inputs.Child(syntax.FieldAttribute).Text()
	return inputs.Kind() == syntax.Attribute && (part == "input" || part == "inputs")
}
