package graph

import (
	"cmp"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/lifetimes"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ModelInLoop is TFM504.
var ModelInLoop = &rule.Rule{
	Code: "TFM504", Name: "model-in-loop", Severity: rule.Warning,
	Summary: "Another Keras model is built or loaded again and again, and nothing frees the earlier ones.",
	What: `
Checks for models that are built or loaded again and again, and compiled, trained
or used to predict each time, where nothing frees the earlier ones or keeps them on
purpose: in a loop or comprehension, in a function that it calls, or in one that a
library calls for each trial (Optuna, Hyperopt, scikit-optimize, GPyOpt), fold or
candidate (scikit-learn, also through the wrappers of SciKeras), request (Flask,
FastAPI), epoch (a callback) or item (map). del frees none; gc.collect() does, and
clear_session() in Keras 3 only; in the graph of TensorFlow 1, only clear_session(). Also checks for a History that is kept,
because it holds its model, for models that trials return to Hyperopt or set on a
trial of Optuna, which keep them until the search ends, and for a model that each iteration builds from the
same layers. The finding is information where the models are ten at most, of
unknown size, and nothing else keeps them, or where they are not trained. It is a
hint where all of them take 16 MiB at most. Where everything frees them, models
that Keras or tf.function trains compiled are reported for their variables, which
TensorFlow 2.15 to 2.21 keep: as a hint, as information where all of them take more
than half of the GPU, and as a warning where they take more than it has.`,
	Why: `
A model is part of reference cycles. Rebinding its name, leaving its
function or deleting it does not free it; only Python's garbage collector does,
and that does not know how much GPU memory the model holds. Eight iterations of
such a loop leave up to eight models alive, each with its weights and optimizer
state, also with del. Keras's global state grows as well. In Keras 3 clear_session()
at the start of an iteration clears that state and collects garbage; in Keras 2 it
leaves seven of eight alive, and gc.collect() must follow it. Up to TensorFlow 2.3
gc.collect() alone leaves the layers of Sequential and functional models in Keras's
graph, and clear_session() must come before it. Neither frees a model
that a name still has. The memory goes to the next model, never back to the
driver. TensorFlow 2.15 to 2.21, unlike 2.13, also keep the weights and optimizer
state of each model that a compiled step trained, as fit does, though the model is
gone. Only a separate process per model returns them: see the rewrite own-process.
One model that is built and compiled once, and whose weights and optimizer variables
are set back each time, leaves nothing behind; compiling it again does.`,
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
together for weights and optimizer states, nor variables that stay of less than 16 MiB
or of ten models of unknown size at most, nor models that are built in a tf.Graph of their own, or in a program for TensorFlow 1
that opens sessions, resets the graph or collects garbage, nor those
that never get variables, as they neither know their input nor run. Of models over
the layers of another, such as those that show activations, at least eleven are
needed. Models that code outside the project builds are not seen. Keras Tuner and
Talos free their models themselves, and a trial of Ray Tune is a process.`,
	References: []rule.Reference{
		rule.Keras("utils/config_utils", "Keras configuration utilities: clear_session"),
		rule.API("tf.keras.backend.clear_session"),
		{Title: "tfmem: how TensorFlow takes and frees GPU memory", URL: "https://github.com/tfmem/tfmem/blob/main/rules/MEMORY.md"},
	},
	Triggers: []string{"fit", "compile", "train_on_batch", "predict", "evaluate", "Model(", "GradientTape", "minimize", "load", "from_pretrained", "KerasLayer"},
	Imported: true,
	Priced:   true,
	Check:    checkModelInLoop,
}

// fewModels is the number of models below which the rule stays silent.
const fewModels = 2

// fewOfUnknownSize is the largest number of models of unknown size for which a finding is
// information: so few are seldom what fills a GPU.
const fewOfUnknownSize = 10

// littleBytes is the size of all models together below which nothing is at stake.
const littleBytes = 1 << 20

func checkModelInLoop(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	reported := map[syntax.Node]bool{}
	// A loop that builds models and loads others, such as teachers, is reported for those that it builds.
	for _, what := range []effects.Effect{effects.BuildsModel, effects.LoadsModel} {
		for _, t := range p.File.Flow().Traces() {
			for i := range t.Events {
				e := &t.Events[i]
				if !e.Effects.Has(what) || e.Context&(flow.Compiled|flow.Uncertain|flow.OwnGraph|flow.InWorker) != 0 {
					continue
				}
				if m := lifetimes.Of(p.File.Facts(), p.File.Names(), t, i); m != nil && !reported[m.Loop] && (p.Here(m.Loop) || m.By() != nil && p.Here(m.By().By)) {
					reported[m.Loop] = (&again{m, p, t}).check()
				}
			}
		}
	}
}

// A model is built or loaded again and again.
type again struct {
	*lifetimes.Model
	p  *rule.Pass
	of *flow.Trace
}

func (m *again) models() callModels { return callModels{m.p.File, m.Event.Node} }

// check reports the model if it stays.
func (m *again) check() (reported bool) {
	n := m.Times()
	if !m.Learns && !m.Ran || m.Kept || n > 0 && n <= fewModels || !m.Replaced() || m.Learns && m.Same(m.Layers()) {
		return false
	}
	frees := m.Frees(m.p.File.Flow(), m.of)
	r := m.p.File.Releases()
	// clear_session() alone frees nothing in Keras 2, unless that runs in graphs.
	only2 := frees.Clears.Valid() && !frees.Collects && m.isKeras2(frees.Clears) && !r.KerasMayRunInGraphs().Found()
	if !m.Learns && m.IsView() {
		// Few such models have little more than the weights that they share.
		if n > 0 && n <= fewOfUnknownSize || !m.Same(m.Event.Node.Child(syntax.FieldArguments)) || frees.Collects || frees.Clears.Valid() {
			return false
		}
		m.p.ReportAs(rule.Information, m.finding("builds the same model again. It is built from layers that exist before "+m.before()+", "+
			"and only Python's garbage collector frees the earlier ones. Build it once, before "+m.before()+"."))
		return true
	}
	if !m.Learns && !(m.Predicts && m.OwnWeights() || m.Ran && m.IsSaved()) || !m.Used && m.models().unbuilt() || m.models().refused() {
		return false
	}
	if m.Event.Context&flow.InGraph != 0 && (frees.Collects || frees.Clears.Valid() || m.LeavesGraph()) {
		return false
	}
	history := m.History()
	if m.Given.Valid() {
		return m.report(nil, frees)
	}
	if history == nil && m.inKerasGraph(frees) {
		return m.report(history, frees)
	}
	if history == nil && (frees.Collects || frees.Clears.Valid() && !only2) {
		return m.reportVariables(frees)
	}
	return m.report(history, frees)
}

// inKerasGraph reports whether garbage is collected, and Keras's own graph keeps the layers all the same.
func (m *again) inKerasGraph(frees lifetimes.Frees) bool {
	return frees.Collects && !frees.Unknown && !frees.Clears.Valid() && m.IsSymbolic() && m.p.File.Releases().KeepsLayers().Found()
}

// isKeras2 reports whether a call of clear_session() is surely that of a Keras 2. That of Keras 3 collects
// garbage, also models of tf_keras (keras/src/backend/common/global_state.py).
func (m *again) isKeras2(clears syntax.Node) bool {
	r, info := m.p.File.Releases(), m.p.File.Names()
	switch r.PackageOf(info.Written(clears.Child(syntax.FieldFunction))) {
	case effects.Beside, effects.Internal:
		return true
	case effects.Standalone:
		return false
	case effects.TheKeras:
		if info.Imported()["tf_keras"] {
			return r.Keras() == 2 || r.PackageOf("tf_keras") == effects.TheKeras
		}
	}
	return r.RunningKeras() == 2
}

// lasting says how a keeper has its model, with a place for the line.
var lasting = map[lifetimes.Part]string{
	lifetimes.AnOptimizer: "The optimizers on %s exist before the iteration. They keep the state of their model, and in Keras 3 its weights, even then: create each one in its iteration.",
	lifetimes.ACallback:   "The callbacks on %s outlive the iteration. A callback keeps the model that it was last used with, even then: create each one, and the list of them, in the iteration.",
	lifetimes.ALayer:      "The layers on %s exist before the iteration. They keep the layers that each model connects to them, even then: create or clone them in the iteration.",
	lifetimes.AName:       " on %s still has the earlier model when an iteration begins: set it to None before the session is cleared.",
}

// report reports the model unless all of them are small. history is the training whose History is kept, or
// nil. A model that is not trained leaks less: it has no optimizer state.
func (m *again) report(history *flow.Event, frees lifetimes.Frees) bool {
	bytes, known := m.models().together(m.Times(), m.Learns)
	if known && bytes < littleBytes {
		return false
	}
	p, n := m.p, m.Times()
	verb := "builds"
	if !m.Event.Effects.Has(effects.BuildsModel) {
		verb = "loads"
	}
	f := m.finding(verb + " another model, and none is freed. ")
	keeper, usesEarlier := m.Keeper()
	served := m.By() != nil && m.By().Each == "request"
	switch {
	case m.Given.Valid():
		f.Message += fmt.Sprintf("The search keeps what it is given on %s, and the model with it, until it ends. Give it numbers, and save the best model to a file.", p.Line(m.Given, f.Span))
		f.Related = append(f.Related, p.Related(m.Given, rule.Span(m.Given), "the search keeps this"))
	case history != nil:
		f.Message += fmt.Sprintf("The History that %s() returns on %s is kept, and keeps its model alive. "+
			"Keep history.history, a dict of numbers, and clear the session in each iteration.", names.Method(history.Node), p.Line(history.Node, f.Span))
	case frees.Clears.Valid():
		f.Message += fmt.Sprintf("clear_session() on %s alone leaves them alive in Keras 2: call gc.collect() after it.", p.Line(frees.Clears, f.Span))
	case m.inKerasGraph(frees):
		f.Message += m.p.File.Releases().KeepsLayers().Why + " keep the layers of Sequential and functional models in Keras's graph: " +
			"gc.collect() alone frees none of them. Call clear_session() before it."
	case m.Event.Context&flow.InGraph != 0:
		f.Message += "They stay in TensorFlow's graph until clear_session() resets it: neither del nor gc.collect() frees them."
	default:
		f.Message += "Earlier models stay in memory until Python's garbage collector finds them: "
		if m.Deleted.Valid() {
			f.Message += fmt.Sprintf("del on %s only takes the name, and ", p.Line(m.Deleted, f.Span))
		}
		f.Message += "nothing here calls clear_session() or gc.collect()."
	}
	switch reload := verb == "loads" && !m.Learns && m.Same(m.Event.Node.Child(syntax.FieldArguments)); {
	case reload || served && !m.Learns:
		f.Message += fmt.Sprintf(" %s it once, before %s.", map[string]string{"builds": "Build", "loads": "Load"}[verb], m.before())
	case history == nil && !m.Given.Valid():
		drop, named := m.Names()
		if keeper = cmp.Or(keeper, named, m.Stored); keeper == nil {
			f.Fixes = m.freeing(drop, usesEarlier, frees)
		}
	}
	if keeper != nil {
		says := fmt.Sprintf(lasting[keeper.Part], p.Line(keeper.At, f.Span))
		if keeper.Part == lifetimes.AName {
			says = keeper.At.Text() + says
		}
		f.Message += " " + says
		f.Related = append(f.Related, p.Related(keeper.At, rule.Span(keeper.At), "keeps the earlier model"))
	}
	few := !known && n > 0 && n <= fewOfUnknownSize && history == nil && keeper == nil
	severity := rule.Warning
	switch {
	case known:
		f.Message += fmt.Sprintf(" All %d of them together take %s at most.", n, memory.Bytes(bytes))
	case few:
		f.Message += fmt.Sprintf(" There are %d models, and how much memory each takes is not known here.", n)
	}
	switch {
	case known && bytes <= rule.FewBytes:
		severity = rule.Hint
	case !m.Learns && !served || few || m.Given.Valid():
		severity = rule.Information
	}
	p.ReportAs(severity, f)
	return true
}

// before names what runs again and again, for "before the loop".
func (m *again) before() string {
	if by := m.By(); by != nil {
		return "the first " + by.Each
	}
	return "the loop"
}

// finding returns one that says what each iteration does.
func (m *again) finding(does string) rule.Finding {
	p, at := m.p, m.Steps()[0]
	if !p.Here(at) {
		at = m.By().By
	}
	f := rule.Finding{Span: rule.Callee(at)}
	if by := m.By(); by == nil {
		f.Message = fmt.Sprintf("Every iteration of the loop on %s %s", p.LineOf(m.Loop.Start(), f.Span), does)
		f.Related = append(f.Related, rule.Related{Span: rule.LoopHead(m.Loop), Message: "in this loop"})
	} else {
		f.Message = fmt.Sprintf("Every %s %s", by.Each, does)
		called := rule.Callee(by.By)
		if by.By == m.Loop {
			called = rule.Span(m.Loop.Child(syntax.FieldName))
		}
		f.Related = append(f.Related, p.Related(by.By, called, "this is called "+by.When()))
	}
	if at != m.Event.Node {
		f.Related = append(f.Related, p.Related(m.Event.Node, rule.Callee(m.Event.Node), "the model is made here"))
	}
	return f
}
