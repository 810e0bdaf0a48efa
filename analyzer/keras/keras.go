// Package keras models Keras: layers with their weights, shapes and operations,
// models, optimizers, and the datasets that are fed to them.
//
// It is the Host of package value: the program that builds a model is evaluated
// there, and here the layers it makes come to life, without TensorFlow. What a
// layer's gradient keeps is lowered to operations, for package memory to play.
// What programs make of NumPy and its like before Keras sees it is package arrays'.
// It knows arrays, objects, tensor, value and names and no rule; what is not
// modelled is unknown and says why.
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

// A Program is what the models of a module are, and what they are fed.
type Program struct {
	Models   []*Model
	Uses     []*ModelCall
	Datasets []*Dataset
	// Forwards are the calls of a model itself, "__call__", on arrays whose shapes are
	// known.
	Forwards []*ModelCall
	// Unresolved are the calls of fit and its like on what is not known.
	Unresolved []UnresolvedCall
	// Doubles are the parameters of functions that a call gives an array of NumPy's of float64.
	Doubles map[*names.Function][]string
	// Cut tells where following the program, or pricing what it makes, was given up; nil where
	// all was followed.
	Cut *value.Cut
}

// An UnresolvedCall is a call that trains, compiles or runs something that is not known,
// and why it is not.
type UnresolvedCall struct {
	Node   syntax.Node
	Method string
	Why    string
	// Assumed is set in a function that the program does not call.
	Assumed bool
}

// Evaluate evaluates a module and collects its models.
func Evaluate(info *names.Info) *Program {
	return Environment{}.Evaluate(info)
}

// Environment is what a program that is followed finds around it. All of it may be left out.
type Environment struct {
	// Policy is a dtype policy that is set before the module runs.
	Policy string
	// Library is the one that the names of each module of the program are of.
	Library func(*names.Info) names.Library
	// GPUs is how many TensorFlow finds, asked only where the program asks: an estimate is
	// of a run on one at least.
	GPUs func() int
	// Text is as [value.Reader] has it.
	Text func(program, path string) (text string, ok bool)
	// While is as [value.Interp] has it; where it has said no, the program is a part of what
	// it would be.
	While func(steps int) bool
}

// Evaluate evaluates a module and collects its models.
//
// A program that asks for what only a run decides is followed at both ends of that. Where it
// makes other models at one than at the other, it is followed without.
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

// union is what is in one list or in the other, each once.
func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(b, func(s string) bool { return slices.Contains(a, s) })...)
}

// follow evaluates a module.
func (h *host) follow(info *names.Info, while func(steps int) bool) *Program {
	h.strategic = callsStrategy(info)
	in := value.New(info, h)
	h.interp = in
	in.While = while
	if why := in.Run(); why != "" {
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

// A program's models may have mostPriced layers in total, counting a model's layers for
// each use; each model counts as perModel more. Pricing them takes a second or two.
const (
	mostPriced = 25_000
	perModel   = 4
)

// limit gives up the models that are beyond what is priced of one program.
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
		const why = "the program makes more models than are priced of one"
		m.Unresolved = []string{why}
		if p.Cut == nil && m.Node.Tree() == info.Tree {
			p.Cut = &value.Cut{Node: m.Node, Why: why}
		}
	}
}

// runUncalled runs the functions that nothing calls, and returns the models that the
// program builds itself in them; the self of a method is not one of them.
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

// cutOff notes that a part of the program was not run: what is neither compiled nor used
// so far may have been in the making.
func (h *host) cutOff(why string) {
	used := h.program.used()
	for _, m := range h.program.Models {
		if m.Compiled == nil && !used[m] {
			m.unresolved(why)
		}
	}
}

// used are the models that the program trains or runs.
func (p *Program) used() map[*Model]bool {
	used := make(map[*Model]bool, len(p.Uses))
	for _, u := range p.Uses {
		used[u.Model] = true
	}
	return used
}

// idle tells whether an object of a class of the program is no more than that: it
// is neither called, compiled nor kept.
func (h *host) idle(m *Model, used map[*Model]bool) bool {
	return m.Class == "Subclass" && !m.Built() && !m.weightsKnown && m.Compiled == nil && m.Variable == "" && !used[m]
}
