package graph

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/facts/lifetimes"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// reportVariables reports a model that each iteration trains and frees, of which TensorFlow keeps the
// variables all the same; those of a model with an Embedding go (testdata/freed). It is a hint unless all of
// them take a large part of the GPU.
func (m *again) reportVariables(frees lifetimes.Frees) bool {
	p, n := m.p, m.Times()
	keeps := p.File.Releases().KeepsVariables()
	bytes, known := m.models().together(m.Times(), m.Learns)
	if !keeps.Found() || !m.TrainsCompiled() || !m.Dense() || known && bytes <= rule.FewBytes || !known && n > 0 && n <= fewOfUnknownSize {
		return false
	}
	f := m.finding("trains another model whose variables stay. ")
	f.Message += keeps.Why + " keep the weights and optimizer state of a model that compiled code trained, as fit() does. " +
		"clear_session() and gc.collect() free its Python objects, not these variables."
	if frees.Clears.Valid() && !frees.Collects && p.File.Releases().RunningKeras() == 0 {
		f.Message += " In Keras 2, clear_session() alone frees not even the objects: there, gc.collect() must follow it."
	}
	severity := rule.Hint
	if known {
		f.Message += fmt.Sprintf(" All %d of them together take %s at most.", n, memory.Bytes(bytes))
		switch has := smallestGPU(p); {
		case has > 0 && bytes > has:
			severity = rule.Warning
		case has > 0 && bytes > has/2:
			severity = rule.Information
		}
	}
	f.Message += " Train each in a process of its own (the rewrite own-process)"
	if m.Same(m.Event.Node.Child(syntax.FieldArguments)) && m.By() == nil {
		f.Message += ", or build and compile one model before " + m.before() + ", and set its weights and optimizer variables back each time"
	}
	f.Message += "."
	p.ReportAs(severity, f)
	return true
}
