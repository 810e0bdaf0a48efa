// Package keras evaluates a program that uses Keras, TensorFlow and NumPy, without running it, and
// returns its models, steps and datasets.
//
// It assembles the rooms below it: layers, ops, pipelines, steps and models each list the names that
// they own, and this package finds the owner of a name (owners.go) and answers for the host that
// the interpreter asks (evaluator.go). Its own are keras.applications, Keras Tuner and what belongs
// nowhere else. It knows no rule. What is not modelled is unknown and says why.
package keras

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Evaluate evaluates a module and collects its models.
func Evaluate(info *names.Info) *graph.Program {
	return EvaluateIn(state.Environment{}, info)
}

// EvaluateIn evaluates a module and collects its models.
//
// A program that uses numbers that are only known at run time is evaluated at both bounds. If the
// models differ in more than numbers, it is evaluated without bounds.
func EvaluateIn(a state.Environment, info *names.Info) *graph.Program {
	return inEitherKeras(a, info)
}

func evaluate(a state.Environment, info *names.Info) *graph.Program {
	at := func(end state.Bound) (*graph.Program, []string) {
		h := newHost(a, end)
		return follow(h, info, a.While), h.Assumptions
	}
	p, taken := at(state.Lower)
	if len(taken) == 0 {
		return p
	}
	other, also := at(state.Upper)
	if p.Widen(other, union(taken, also)) {
		p.Cut = cmp.Or(p.Cut, other.Cut)
		return p
	}
	p, _ = at(state.Unbounded)
	return p
}

// union returns what is in either list, each once.
func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(b, func(s string) bool { return slices.Contains(a, s) })...)
}

// follow evaluates a module.
func follow(h *state.Host, info *names.Info, while func(steps int) bool) *graph.Program {
	h.Strategic = steps.CallsStrategy(info)
	in := value.New(info, evaluator{h}, python.Library())
	h.Interp = in
	in.While, in.Told = while, h.Env.Assume
	if why := interp.Run(in); why != nil {
		cutOff(h, why)
	}
	again := runUncalled(h)
	variables := in.Module()
	for _, name := range variables.Names() {
		v, _ := variables.Get(name)
		if m := models.ModelOf(v); m != nil && m.Model.Variable == "" {
			m.Model.Variable = name
		}
	}
	steps.Conclude(h)
	steps.Divide(h, info)
	for _, v := range h.Own {
		v.Settle()
	}
	h.Program.Settle()
	used := h.Program.Used()
	h.Program.Models = slices.DeleteFunc(h.Program.Models, func(m *graph.Model) bool {
		return idle(m, used) || again[m] && m.Compiled == nil && !used[m]
	})
	if cut := in.Cut(); cut.Node.Valid() {
		h.Program.Cut = &cut
	}
	h.Program.Limit(info)
	h.Program.Hints = in.HintUses()
	return h.Program
}

// runUncalled runs the functions that nothing calls. It returns the models that the program
// itself builds in them; the self of a method is not one of them.
func runUncalled(h *state.Host) (again map[*graph.Model]bool) {
	made, again := map[syntax.Node]bool{}, map[*graph.Model]bool{}
	for _, m := range h.Program.Models {
		made[m.Node] = true
	}
	first := len(h.Program.Models)
	h.Uncalled = true
	interp.RunUncalled(h.Interp)
	for _, m := range h.Program.Models[first:] {
		again[m] = made[m.Node]
	}
	return again
}

// cutOff records that a part of the program was not run. A model that is neither compiled nor
// used so far may be unfinished.
func cutOff(h *state.Host, why *value.Cause) {
	used := h.Program.Used()
	for _, m := range h.Program.Models {
		if m.Compiled == nil && !used[m] {
			m.AddUnresolved(why)
		}
	}
}

// idle reports whether an object of a class of the program is never called, compiled or stored.
func idle(m *graph.Model, used map[*graph.Model]bool) bool {
	return m.Class == "Subclass" && !m.Built() && !m.WeightsKnown && m.Compiled == nil && m.Variable == "" && !used[m]
}
