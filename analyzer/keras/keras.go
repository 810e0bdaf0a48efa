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
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
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

// EvaluateIn evaluates a module and collects its models. It does so twice at most.
//
// A program that Keras refuses from Keras 3 on is evaluated once more with the older library, if there
// is one, which counts unless that refuses as much; numbers that are only known at run time are
// unknown there. Any other program that uses such numbers is evaluated at their lower bounds, then at
// the upper ones.
func EvaluateIn(env state.Environment, info *names.Info) *graph.Program {
	p, assumed := evaluate(env, info, state.Lower)
	if why, raises := refused(p); why != nil && env.Older != nil {
		env.Library = env.Older
		older, _ := evaluate(env, info, state.Unbounded)
		_, still := refused(older)
		if still < raises {
			older.OnlyKeras2 = why
		} else if len(assumed) == 0 {
			return p
		}
		return older
	}
	if len(assumed) > 0 {
		upper, also := evaluate(env, info, state.Upper)
		p.Widen(upper, union(assumed, also))
		p.Cut = cmp.Or(p.Cut, upper.Cut)
	}
	return p
}

// evaluate evaluates a module at one bound. assumed are the numbers for which it stands, in sentences.
func evaluate(env state.Environment, info *names.Info, at state.Bound) (p *graph.Program, assumed []string) {
	if env.Evaluated != nil {
		env.Evaluated()
	}
	h := newHost(env, at)
	return follow(h, info, env.While), h.Bounds.Assumed
}

// refused returns the first reason for which only Keras 3 refuses a program, or nil, and for how
// many reasons Keras refuses it at all.
func refused(p *graph.Program) (first *value.Cause, raises int) {
	note := func(why *value.Cause) {
		if why = why.Root(); why.Code != value.KerasRaises {
			return
		}
		raises++
		if first == nil && layers.OfKeras3(why) {
			first = why
		}
	}
	for _, m := range p.Models {
		for _, why := range m.Unresolved {
			note(why.On(m.Node))
		}
	}
	for _, u := range p.Unresolved {
		if u.Why != nil {
			note(u.Why.On(u.Node))
		}
	}
	return first, raises
}

// union returns what is in either list, each once.
func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(b, func(s string) bool { return slices.Contains(a, s) })...)
}

// follow evaluates a module.
func follow(h *state.Host, info *names.Info, while func(steps int) bool) *graph.Program {
	if steps.CallsStrategy(info) {
		h.Strategies.Expect()
	}
	in := value.New(info, evaluator{h}, python.Library())
	h.Interp = in
	in.AskWhile(while)
	in.Hints.Set(h.Env.Assume)
	in.Observed.Set(h.Env.Observed)
	in.Commands.Ask(h.Env.Commands)
	if why := interp.Run(in); why != nil {
		cutOff(h, why)
	}
	h.Program.End(pipelines.OnHost(in, nil))
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
	h.Program.Settle()
	takeTraced(h)
	used := h.Program.Used()
	h.Program.Models = slices.DeleteFunc(h.Program.Models, func(m *graph.Model) bool {
		return m.Replaced || idle(m, used) || again[m] && m.Compiled == nil && !used[m]
	})
	if cut := in.Cut(); cut.Node.Valid() {
		h.Program.Cut = &cut
	}
	h.Program.Limit(info)
	h.Program.Hints, h.Program.Commands, h.Program.Measured = in.Hints.Uses(), in.Commands.Uses(), in.Measured
	h.Program.Observed, h.Program.Outdated = in.Observed.Uses(), in.Observed.Outdated()
	return h.Program.Program
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
