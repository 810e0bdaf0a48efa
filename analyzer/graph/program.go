package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Widen adds to the models of a program what they are at the other bound of the numbers that why
// describes. A model that the program makes at one bound only, makes otherwise or uses otherwise, is
// not known.
func (p *Program) Widen(other *Program, why []string) {
	assumed := strings.TrimSuffix(why[0], ".")
	undecided := value.Because(value.UndecidedBranch, "%s; that decides how it is made and used", strings.ToLower(assumed[:1])+assumed[1:])
	at, uses, otherUses := other.modelsAt(), p.usesOf(), other.usesOf()
	alike := func(u, w *ModelCall) bool { return u.Node == w.Node && u.Method == w.Method }
	paired := map[*Model]bool{}
	for node, models := range p.modelsAt() {
		for i, m := range models {
			var w *Model
			if len(at[node]) == len(models) {
				w = at[node][i]
				paired[w] = true
			}
			if w == nil || m.Class != w.Class || !slices.EqualFunc(m.Unresolved, w.Unresolved, (*value.Cause).Same) || !slices.EqualFunc(uses[m], otherUses[w], alike) {
				m.AddUnresolved(undecided)
				continue
			}
			m.widen(w, why)
			for i, u := range uses[m] {
				u.widen(otherUses[w][i], why)
			}
		}
	}
	for _, w := range other.Models {
		if !paired[w] {
			w.AddUnresolved(undecided)
			p.Models, p.Uses = append(p.Models, w), append(p.Uses, otherUses[w]...)
		}
	}
	for _, u := range other.Unresolved {
		if !slices.ContainsFunc(p.Unresolved, func(own UnresolvedCall) bool { return own.Node == u.Node }) {
			p.Unresolved = append(p.Unresolved, u)
		}
	}
}

// widen adds to a use of a model what it is at the other bound.
func (u *ModelCall) widen(w *ModelCall, why []string) {
	u.ModelAt().widen(w.ModelAt(), why)
	batch, known := u.Batch.Int()
	if n, ok := w.Batch.Int(); known && ok && n != batch {
		u.Batch = value.Because(value.BatchSize, "only a run decides it, between %d and %d", min(batch, n), max(batch, n)).Unknown()
	}
}

// modelsAt returns the models by where they are made, each list in order.
func (p *Program) modelsAt() map[syntax.Node][]*Model {
	at := map[syntax.Node][]*Model{}
	for _, m := range p.Models {
		at[m.Node] = append(at[m.Node], m)
	}
	return at
}

// usesOf returns the uses of each model in order.
func (p *Program) usesOf() map[*Model][]*ModelCall {
	uses := map[*Model][]*ModelCall{}
	for _, u := range p.Uses {
		uses[u.Model] = append(uses[u.Model], u)
	}
	return uses
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
	// Why is why neither is known, of a target or a weight among the elements of a dataset; nil if they
	// are. What a step needs hardly depends on it.
	Why *value.Cause
}

// A Program holds the models of a module, and the data that they are fed with.
type Program struct {
	Models   []*Model
	Uses     []*ModelCall
	Datasets []*Dataset
	// Forwards are the direct calls of a model, "__call__", on arrays of known shapes.
	Forwards []*ModelCall
	// Jacobians are the calls of tape.jacobian and batch_jacobian on tensors of known shapes.
	Jacobians []Jacobian
	// Unresolved are the calls of fit and its like on unknown values.
	Unresolved []UnresolvedCall
	// Host is what the machine's own memory holds at moments of the program, in its order.
	Host []*HostMoment
	// Beside says why a training outside of the steps that are followed, as of a graph that a session
	// runs, is not known; nil if there is none.
	Beside *value.Cause
	// OnlyKeras2 is why the program is taken for one of Keras 2, which nothing else says; else nil.
	OnlyKeras2 *value.Cause
	// Hints are what people say of its values, as far as it came to them.
	Hints []value.HintUse
	// Observed is what runs told of its values, as far as it came to them, and Outdated what they told
	// of texts that are others now.
	Observed []value.ObservationUse
	Outdated []value.Outdated
	// Commands are the options that the commands of its project set.
	Commands []value.CommandUse
	// Measured are the files of data whose beginning says a size.
	Measured []string
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
	// Traced is its step as a run traced it; nil for none.
	Traced *observed.Step
}

// A program's models may have mostPriced layers in total. A model's layers count for each use,
// and each model adds perModel; one that cannot be priced takes no time. Pricing them takes a second
// or two.
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
		if len(m.Unresolved) > 0 || m.Unbuilt() != nil {
			continue
		}
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
