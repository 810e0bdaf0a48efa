// Package keras models Keras: layers with their weights, shapes and operations, models,
// optimizers, and the datasets that they are fed with.
//
// It is the Host of package value, which evaluates the program that builds a model. This package
// creates the program's layers, without TensorFlow. It lowers what a layer's gradient keeps to
// operations, which package memory simulates. Package arrays models NumPy and its like. It knows
// arrays, objects, tensor, value and names and no rule. What is not modelled is unknown and says
// why.
package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Input is data of a known shape: one input of a step.
type Input struct {
	Shape Shape
	DType DType
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
	// Doubles are the parameters of functions that some call passes a NumPy array of float64.
	Doubles map[*names.Function][]string
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
}

// Evaluate evaluates a module and collects its models.
func Evaluate(info *names.Info) *Program {
	return Environment{}.Evaluate(info)
}

// Environment is the environment of an evaluated program. Every field may be left out.
type Environment struct {
	// Policy is a dtype policy that is set before the module runs.
	Policy string
	// Library returns the library that the names of a module of the program belong to.
	Library func(*names.Info) names.Library
	// GPUs returns how many GPUs TensorFlow finds. It is called only if the program asks. An
	// estimate assumes at least one.
	GPUs func() int
	// Text is as in [value.Host].
	Text func(program, path string) (text string, ok bool)
	// While is as in [value.Interp]. Once it returns false, the result is incomplete.
	While func(steps int) bool
}

// Evaluate evaluates a module and collects its models.
//
// A program that uses numbers that are only known at run time is evaluated at both bounds. If the
// models differ in more than numbers, it is evaluated without bounds.
func (a Environment) Evaluate(info *names.Info) *Program {
	at := func(end bound) (*Program, []string) {
		h := newHost(a, end)
		return h.follow(info, a.While), h.assumptions
	}
	p, taken := at(lower)
	if len(taken) == 0 {
		return p
	}
	other, also := at(upper)
	if p.widen(other, union(taken, also)) {
		if p.Cut == nil {
			p.Cut = other.Cut
		}
		return p
	}
	p, _ = at(unbounded)
	return p
}

// union returns what is in either list, each once.
func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(b, func(s string) bool { return slices.Contains(a, s) })...)
}

// follow evaluates a module.
func (h *host) follow(info *names.Info, while func(steps int) bool) *Program {
	h.strategic = callsStrategy(info)
	in := value.New(info, evaluator{h})
	h.interp = in
	in.While = while
	if why := in.Run(); why != nil {
		h.cutOff(why)
	}
	again := h.runUncalled()
	variables := in.Module()
	for _, name := range variables.Names() {
		v, _ := variables.Get(name)
		if m := modelOf(v); m != nil && m.model.Variable == "" {
			m.model.Variable = name
		}
	}
	h.conclude()
	h.divide(info)
	for _, v := range h.own {
		v.settle()
	}
	h.program.settle()
	used := h.program.used()
	h.program.Models = slices.DeleteFunc(h.program.Models, func(m *Model) bool {
		return h.idle(m, used) || again[m] && m.Compiled == nil && !used[m]
	})
	if cut := in.Cut(); cut.Node.Valid() {
		h.program.Cut = &cut
	}
	h.program.limit(info)
	return h.program
}

// A program's models may have mostPriced layers in total. A model's layers count for each use,
// and each model adds perModel. Pricing them takes a second or two.
const (
	mostPriced = 25_000
	perModel   = 4
)

// limit drops the models beyond the limit for one program.
func (p *Program) limit(info *names.Info) {
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

// runUncalled runs the functions that nothing calls. It returns the models that the program
// itself builds in them; the self of a method is not one of them.
func (h *host) runUncalled() (again map[*Model]bool) {
	made, again := map[syntax.Node]bool{}, map[*Model]bool{}
	for _, m := range h.program.Models {
		made[m.Node] = true
	}
	first := len(h.program.Models)
	h.uncalled = true
	h.interp.RunUncalled()
	for _, m := range h.program.Models[first:] {
		again[m] = made[m.Node]
	}
	return again
}

// cutOff records that a part of the program was not run. A model that is neither compiled nor
// used so far may be unfinished.
func (h *host) cutOff(why *value.Cause) {
	used := h.program.used()
	for _, m := range h.program.Models {
		if m.Compiled == nil && !used[m] {
			m.unresolved(why)
		}
	}
}

// used returns the models that the program trains or runs.
func (p *Program) used() map[*Model]bool {
	used := make(map[*Model]bool, len(p.Uses))
	for _, u := range p.Uses {
		used[u.Model] = true
	}
	return used
}

// idle reports whether an object of a class of the program is never called, compiled or stored.
func (h *host) idle(m *Model, used map[*Model]bool) bool {
	return m.Class == "Subclass" && !m.Built() && !m.weightsKnown && m.Compiled == nil && m.Variable == "" && !used[m]
}
