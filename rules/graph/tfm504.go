package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/rule"
)

// ModelInLoop is TFM504.
var ModelInLoop = &rule.Rule{
	Code: "TFM504", Name: "model-in-loop", Severity: rule.Warning,
	Summary: "Every loop iteration builds and compiles another Keras model, and nothing frees the earlier ones.",
	What: `
Checks for models that are built or loaded in a loop, in its body or in a
function that it calls, and compiled, trained or used to predict in the same
iteration, where nothing in the loop calls clear_session or gc.collect, deletes
the model, or keeps it on purpose. Also checks for a History that is kept,
because it holds its model, and for a model that each iteration builds from the
same layers. The finding is information where the models are ten at most, of
unknown size, and nothing else keeps them, and a hint where all of them take
16 MiB at most.`,
	Why: `
A model is part of reference cycles. Rebinding its name, leaving its
function or deleting it does not free it; only Python's garbage collector does,
and that does not know how much GPU memory the model holds. Eight iterations of
such a loop leave up to eight models alive, each with its weights and optimizer
state. Keras's global state grows as well. In Keras 3 clear_session() at the
start of an iteration clears that state and collects garbage; in Keras 2
gc.collect() must follow it. Neither frees a model that a name still has. The memory goes to the next model, never back to
the driver: only a separate process per model returns it.`,
	Bad: `
import tensorflow as tf

for units in [32, 64, 128]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)`,
	Good: `
import tensorflow as tf
import gc

for units in [32, 64, 128]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)`,
	FixSafety: `
Unsafe: names that still have the earlier model are set to None first, and
clear_session() also resets Keras's global state, such as the numbers in layer
names; in TensorFlow 1, nothing that was built before it can be used after it.
If the project may run Keras 2, the fix adds gc.collect(). It only collects
garbage if the file sets the dtype policy or opens a scope of custom objects, or
the loop uses models or variables from before it. The fix is not offered where
something else keeps the model, or where its name may still be read.`,
	Limitations: `
Tests, models in a separate process, and loops of one or two iterations in all
are not reported, nor loops whose models, as the code shows, take less than 1 MiB
together for weights and optimizer states, nor models that are built in a tf.Graph of their own, nor those
that never get variables, as they neither know their input nor run. Of models over
the layers of another, such as those that show activations, at least eleven are
needed. Models that code outside the project builds are not seen.`,
	References: []rule.Reference{
		rule.Keras("utils/config_utils", "Keras configuration utilities: clear_session"),
		rule.API("tf.keras.backend.clear_session"),
	},
	Triggers: []string{"fit", "compile", "train_on_batch", "predict", "evaluate", "Model(", "GradientTape", "minimize"},
	Imported: true,
	Priced:   true,
	Check:    checkModelInLoop,
}

// fewModels is the number of iterations below which the rule stays silent.
const fewModels = 2

func checkModelInLoop(p *rule.Pass) {
	program := p.File.Flow()
	if p.File.Role().Kind == facts.Test {
		return
	}
	reported := map[syntax.Node]bool{}
	check := func(t *flow.Trace, what effects.Effect) {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(what) || !eagerInLoop(e) || e.Context&flow.InWorker != 0 || !p.Here(e.Loop) || reported[e.Loop] {
				continue
			}
			m, after := built{p, p.File.Names(), p.File.Facts(), e}, t.Events[i+1:]
			done := m.fate()
			learns := done.trained || what == effects.BuildsModel && slices.ContainsFunc(after, func(later flow.Event) bool {
				return later.Effects.Has(effects.CompilesModel|effects.Trains) && later.Loop == e.Loop
			})
			switch {
			case !learns && !done.ran, done.kept, !m.dropped(), learns && m.same(m.layers()):
			case !learns && m.info.Callee(e.Node) == "tensorflow.keras.Model" && m.info.Target(e.Node.Child(syntax.FieldFunction)).Class == nil:
				// It is built from the inputs and outputs of layers. Few such models have little more than the weights that they share.
				if n := m.times(); (n == 0 || n > fewOfUnknownSize) && m.same(e.Node.Child(syntax.FieldArguments)) && !maybeFrees(program, t, e) {
					reported[e.Loop] = true
					p.ReportAs(rule.Information, m.finding("builds the same model again. It is built from layers that exist before the loop, "+
						"and only Python's garbage collector frees the earlier ones. Build it once, before the loop."))
				}
			case !learns && !(done.predicts && m.ownWeights()), !done.used && m.unbuilt(), m.refused():
			default:
				if history := m.history(after); history != nil || !maybeFrees(program, t, e) {
					reported[e.Loop] = true
					m.report(history, m.codes(after), learns, done.stored)
				}
			}
		}
	}
	// A loop that builds models and loads others, such as teachers, is reported for those that it builds.
	for _, what := range []effects.Effect{effects.BuildsModel, effects.LoadsModel} {
		for _, t := range program.Traces() {
			check(t, what)
		}
	}
}

// maybeFrees reports whether a loop around a model of a trace, or a function that nothing in the
// program calls, frees models, or the program calls an unknown function of its project whose name
// suggests it. What happens in other loops frees no model of this loop's other iterations.
func maybeFrees(program *flow.Program, of *flow.Trace, model *flow.Event) bool {
	around := facts.LoopsAround(model)
	inLoop := func(n syntax.Node) bool { return slices.ContainsFunc(around, n.Within) }
	for _, t := range program.Traces() {
		for _, e := range t.Having(effects.FreesModels) {
			if t != of && t.Function != nil || t == of && (inLoop(e.Node) || slices.ContainsFunc(e.Path, inLoop)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(program.Unknown, func(e flow.Event) bool {
		name := strings.ToLower(e.Name[strings.LastIndexByte(e.Name, '.')+1:])
		return slices.ContainsFunc([]string{"clear", "reset", "clean", "free", "collect"}, func(word string) bool { return strings.Contains(name, word) })
	})
}

// ownWeights reports whether the model surely creates its own weights: it is loaded, one of
// keras.applications, of a class of the program, or a Sequential of layers that are created for it.
func (m *built) ownWeights() bool {
	call := m.event.Node
	if m.event.Effects.Has(effects.LoadsModel) || strings.HasPrefix(m.info.Callee(call), "tensorflow.keras.applications.") || m.info.Target(call.Child(syntax.FieldFunction)).Class != nil {
		return true
	}
	layers := m.layers()
	return layers.Kind() == syntax.List && !slices.ContainsFunc(slices.Collect(layers.Children()), func(layer syntax.Node) bool { return !layer.Is(syntax.Call, syntax.Comment) })
}

// layers returns the layers that a Sequential is given, or none.
func (m *built) layers() syntax.Node {
	if m.info.Callee(m.event.Node) != "tensorflow.keras.Sequential" {
		return syntax.Node{}
	}
	return names.Argument(m.event.Node, 0, "layers")
}

// same reports whether code of the iteration refers to what existed before the loop, and makes nothing
// new.
func (m *built) same(n syntax.Node) bool {
	return m.facts.Invariant(n, m.facts.At(m.event), m.event.Loop)
}

// A built model is one that every loop iteration creates.
type built struct {
	p     *rule.Pass
	info  *names.Info
	facts *facts.Facts
	event *flow.Event
}

// steps returns the calls by which the loop's body comes to the model and, last, the call that makes it.
func (m *built) steps() []syntax.Node {
	steps := append(slices.Clone(m.event.Path), m.event.Node)
	for len(steps) > 1 && !steps[0].Within(m.event.Loop) {
		steps = steps[1:]
	}
	return steps
}

// times returns how many models the loop builds in all, if the code shows it, else 0.
func (m *built) times() int { return m.facts.Times(facts.LoopsAround(m.event)) }

// fewOfUnknownSize is the largest number of models of unknown size for which a finding is
// information: so few are seldom what fills a GPU.
const fewOfUnknownSize = 10

// littleBytes is the size of all models together below which nothing is at stake.
const littleBytes = 1 << 20

// together returns the most that the weights and optimizer states of all the models take that the loop
// builds, if the code shows it.
func (m *built) together() (bytes int64, known bool) {
	known = m.all(func(model *graph.Model) bool {
		all, trained := model.Parameters()
		bytes = max(bytes, int64(m.times())*4*(all+2*trained)) // such as Adam's
		return len(model.Unresolved) == 0 && model.Built() && model.Wider == nil
	})
	return bytes, known && bytes > 0
}

// refused reports whether TensorFlow or Keras surely raises where the model is built or trained.
func (m *built) refused() bool {
	return m.all(func(model *graph.Model) bool {
		return slices.ContainsFunc(model.Unresolved, func(why *value.Cause) bool { return why.Root().Code == value.KerasRaises })
	})
}

// unbuilt reports whether the model is a Sequential whose input is not known. It has no variables before it
// first sees one.
func (m *built) unbuilt() bool {
	return m.all(func(model *graph.Model) bool { return model.Class == "Sequential" && len(model.Inputs) == 0 })
}

// all reports whether a test holds for all models that the call makes.
func (m *built) all(is func(*graph.Model) bool) bool {
	found := false
	for _, model := range m.p.File.Models().Models {
		if model.Node == m.event.Node && !is(model) {
			return false
		}
		found = found || model.Node == m.event.Node
	}
	return found
}

// report reports the model. history is the training whose History is kept, or nil. A model that is
// not trained leaks less: it has no optimizer state.
func (m *built) report(history *flow.Event, codes []code, learns bool, stored *holder) {
	bytes, known := m.together()
	if known && bytes < littleBytes {
		return
	}
	p := m.p
	verb := "builds"
	if !m.event.Effects.Has(effects.BuildsModel) {
		verb = "loads"
	}
	f := m.finding(verb + " another model, and none is freed. ")
	keeper, usesEarlier := m.kept(codes)
	if history == nil {
		f.Message += "Earlier models stay in memory until Python's garbage collector finds them: nothing here calls clear_session() or gc.collect()."
		drop, named := m.holding(codes[0])
		keeper = cmp.Or(keeper, named, stored)
		if keeper == nil {
			f.Fixes = m.freeing(drop, usesEarlier)
		}
	} else {
		f.Message += fmt.Sprintf("The History that %s() returns on %s is kept, and keeps its model alive. "+
			"Keep history.history, a dict of numbers, and clear the session in each iteration.", names.Method(history.Node), p.Line(history.Node, f.Span))
	}
	if keeper != nil {
		f.Message += " " + fmt.Sprintf(keeper.says, p.Line(keeper.at, f.Span))
		f.Related = append(f.Related, p.Related(keeper.at, rule.Span(keeper.at), "keeps the earlier model"))
	}
	n := m.times()
	few := !known && n > 0 && n <= fewOfUnknownSize && history == nil && keeper == nil
	if few {
		f.Message += fmt.Sprintf(" There are %d models, and how much memory each takes is not known here.", n)
	}
	severity := rule.Warning
	switch {
	case known && bytes <= rule.FewBytes:
		severity = rule.Hint
		f.Message += " All of them together take " + memory.Bytes(bytes) + " at most."
	case !learns || few:
		severity = rule.Information
	}
	p.ReportAs(severity, f)
}

// finding returns one that says what each iteration does.
func (m *built) finding(does string) rule.Finding {
	p, loop, at := m.p, m.event.Loop, m.steps()[0]
	f := rule.Finding{Span: rule.Callee(at), Related: []rule.Related{{Span: rule.LoopHead(loop), Message: "in this loop"}}}
	f.Message = fmt.Sprintf("Every iteration of the loop on %s %s", p.LineOf(loop.Start(), f.Span), does)
	if at != m.event.Node {
		f.Related = append(f.Related, p.Related(m.event.Node, rule.Callee(m.event.Node), "the model is made here"))
	}
	return f
}
