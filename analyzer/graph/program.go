package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Widen adds to the models of a program what they are at the other bound. It reports false if the
// program creates other models there, or uses them differently.
func (p *Program) Widen(other *Program, why []string) bool {
	if len(p.Models) != len(other.Models) || len(p.Uses) != len(other.Uses) || len(p.Unresolved) != len(other.Unresolved) {
		return false
	}
	wider := make(map[*Model]*Model, len(p.Models))
	for i, m := range p.Models {
		w := other.Models[i]
		if m.Node != w.Node || m.Class != w.Class || !slices.EqualFunc(m.Unresolved, w.Unresolved, (*value.Cause).Same) {
			return false
		}
		wider[m] = w
	}
	for i, u := range p.Uses {
		if w := other.Uses[i]; u.Node != w.Node || u.Method != w.Method || wider[u.Model] != w.Model {
			return false
		}
	}
	for m, w := range wider {
		m.widen(w, why)
	}
	for i, u := range p.Uses {
		w := other.Uses[i]
		u.ModelAt().widen(w.ModelAt(), why)
		batch, known := u.Batch.Int()
		if n, ok := w.Batch.Int(); known && ok && n != batch {
			u.Batch = value.Because(value.BatchSize, "only a run decides it, between %d and %d", min(batch, n), max(batch, n)).Unknown()
		}
	}
	return true
}

func (m *Model) widen(w *Model, why []string) { m.Wider, m.Assumptions = w, why }

// WiderInputs returns the inputs of a batch as the widest model gets them: they differ where what the
// models take does.
func (m *Model) WiderInputs(in []Input) []Input {
	takes := func(m *Model) []*Symbolic {
		if m.Own != nil {
			return m.Own.Inputs
		}
		return m.Inputs
	}
	own, wide := takes(m), takes(m.Wider)
	if len(own) != len(in) || len(wide) != len(in) {
		return in
	}
	out := slices.Clone(in)
	for i := range out {
		a, b := own[i].Shape, wide[i].Shape
		if len(a) != len(b) || slices.Equal(a, b) {
			continue
		}
		out[i].Shape = slices.Clone(in[i].Shape)
		for last := 1; last < len(a) && last <= len(in[i].Shape); last++ {
			if n := b[len(b)-last]; n != a[len(a)-last] && n >= 0 {
				out[i].Shape[len(in[i].Shape)-last] = n
			}
		}
	}
	return out
}

// An Input is data of a known shape: one input of a step.
type Input struct {
	Shape tensor.Shape
	DType tensor.DType
}

// A Program holds the models of a module, and the data that they are fed with.
type Program struct {
	Models   []*Model
	Uses     []*ModelCall
	Datasets []*Dataset
	// Forwards are the direct calls of a model, "__call__", on arrays of known shapes.
	Forwards []*ModelCall
	// Unresolved are the calls of fit and its like on unknown values.
	Unresolved []UnresolvedCall
	// Beside says why a training outside of the steps that are followed, as of a graph that a session
	// runs, is not known; nil if there is none.
	Beside *value.Cause
	// Doubles are the parameters of functions that some call passes a NumPy array of float64.
	Doubles map[*names.Function][]string
	// OfKeras1 is set if the program uses names that only Keras 1 and the first releases of Keras 2 know.
	OfKeras1 bool
	// OnlyKeras2 is why the program is taken for one of Keras 2, which nothing else says; else nil.
	OnlyKeras2 *value.Cause
	// Hints are what people say of its values, as far as it came to them.
	Hints []value.HintUse
	// Cut says where the evaluation, or the pricing of its models, was given up; nil if it is
	// complete.
	Cut *value.Cut
}

// An UnresolvedCall is a call that trains, compiles or runs an unknown value, and the reason why
// that is unknown.
type UnresolvedCall struct {
	Node   syntax.Node
	Method string
	Why    *value.Cause
	// Assumed is set in a function that the program does not call.
	Assumed bool
	// Copied are the arrays that it puts on the device, if the value is a model.
	Copied []DataTerm
}

// A program's models may have mostPriced layers in total. A model's layers count for each use,
// and each model adds perModel. Pricing them takes a second or two.
const (
	mostPriced = 25_000
	perModel   = 4
)

// Limit drops the models beyond the limit for one program.
func (p *Program) Limit(info *names.Info) {
	uses := make(map[*Model]int, len(p.Models))
	for _, u := range p.Uses {
		uses[u.Model]++
	}
	work := 0
	for _, m := range p.Models {
		if work += max(uses[m], 1) * (m.parts.layers + perModel); work <= mostPriced {
			continue
		}
		why := value.Because(value.TooLong, "the program makes more models than are priced of one")
		m.Unresolved = []*value.Cause{why}
		if p.Cut == nil && m.Node.Tree() == info.Tree {
			p.Cut = &value.Cut{Node: m.Node, Why: why}
		}
	}
}

// Used returns the models that the program trains or runs.
func (p *Program) Used() map[*Model]bool {
	used := make(map[*Model]bool, len(p.Uses))
	for _, u := range p.Uses {
		used[u.Model] = true
	}
	return used
}
