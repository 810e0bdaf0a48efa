package graph

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/rule"
)

// callModels are the models that one call makes, as far as the file knows them.
type callModels struct {
	file *analyzer.File
	call syntax.Node
}

// together returns the most that the weights and optimizer states take of all the models, if the code
// shows it.
func (m callModels) together(times int, learns bool) (bytes int64, known bool) {
	known = m.all(func(model *graph.Model) bool {
		all, trained := model.Parameters()
		if learns {
			slots := 2.0 // such as Adam's
			if o := model.Optimizer; o != nil && o.Unknown == nil && o.Extra == nil {
				slots = o.Slots
			}
			all += int64(slots * float64(trained))
		}
		bytes = max(bytes, int64(times)*4*all)
		return model.Known() && model.Wider == nil
	})
	return bytes, known && bytes > 0
}

// refused reports whether TensorFlow or Keras surely raises where the model is built or trained.
func (m callModels) refused() bool {
	return m.all(func(model *graph.Model) bool {
		return slices.ContainsFunc(model.Unresolved, func(why *value.Cause) bool { return why.Root().Code == value.KerasRaises })
	})
}

// unbuilt reports whether the model is a Sequential whose input is not known. It has no variables before it
// first sees one.
func (m callModels) unbuilt() bool {
	return m.all(func(model *graph.Model) bool { return model.Class == "Sequential" && len(model.Inputs) == 0 })
}

// all reports whether a test holds for all models that the call makes, or for all of its class if that is one
// of the program.
func (m callModels) all(is func(*graph.Model) bool) bool {
	found, node := false, m.call
	if class := m.file.Names().Target(node.Child(syntax.FieldFunction)).Class; class != nil {
		node = class.Node
	}
	for _, model := range m.file.Models().Models {
		if model.Node == node && !is(model) {
			return false
		}
		found = found || model.Node == node
	}
	return found
}

// smallestGPU returns what a process has of the smallest GPU, or 0 if none is known.
func smallestGPU(p *rule.Pass) int64 {
	devices := p.File.Devices()
	if len(devices) == 0 {
		return 0
	}
	smallest := slices.MinFunc(devices, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
	return memory.BudgetOf(smallest, memory.Process{}).Low
}

// states returns the most that the states of so many optimizers take, each for one of the models, if the code
// shows it. Of a model with an Embedding nothing stays.
func (m callModels) states(times int) (bytes int64, known bool) {
	known = m.all(func(model *graph.Model) bool {
		_, trained := model.Parameters()
		if o := model.Optimizer; o != nil && o.Unknown == nil && o.Extra == nil {
			bytes = max(bytes, int64(float64(times)*4*o.Slots*float64(trained)))
			return model.Known() && model.Wider == nil
		}
		return false
	})
	return bytes, known && times > 0
}
