package device

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MemoryGrowthAfterInit is TFM102.
var MemoryGrowthAfterInit = &rule.Rule{
	Code: "TFM102", Name: "memory-growth-after-init", Severity: rule.Error,
	Summary: "Memory growth, visible devices or logical devices are set after TensorFlow has initialised its devices.",
	What: `
Checks for calls that set memory growth, visible devices or logical devices
after a call that has surely initialised TensorFlow's devices: an eager
operation, a tensor or variable, tf.device, list_logical_devices, a dataset, a
strategy, a model. The program is followed in the order of execution, through
imports and calls of modules of the same project. In a notebook, a call in one
cell and a caught error in a later one are reported as information: the two may
belong to different sessions.`,
	Why: `
Devices are configured once, when they are initialised. After that TensorFlow
raises RuntimeError ("Physical devices cannot be modified after being
initialized", and the same for visible and virtual devices). Where the program
catches the error, the configuration has no effect, and TensorFlow keeps nearly
all memory of every visible GPU.`,
	Bad: `
import tensorflow as tf

weights = tf.Variable(tf.zeros([10, 10]))

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)`,
	Good: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

weights = tf.Variable(tf.zeros([10, 10]))`,
	FixSafety: `
Safe: the statement is moved only where everything it uses exists before the
call that initialises, nothing in between depends on it, and the program does
not set both growth and logical devices, which exclude each other. Unsafe from
one cell of a notebook to another: only the user knows which cells run, and
when.`,
	Limitations: `
A call is reported only if the initialising call surely runs before it.
Branches, callbacks and calls of unknown functions are not assumed to run, nor is
what a parameter switches on that no call of the project sets. Code
outside the project is not followed. Code for TensorFlow 1, or for Python 2, is
not checked unless it enables eager execution: its operations build a graph.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.API("tf.config.set_visible_devices"),
		rule.API("tf.config.set_logical_device_configuration"),
	},
	Triggers: []string{"set_memory_growth", "set_visible_devices", "set_logical_device_configuration", "set_virtual_device_configuration"},
	Imported: true,
	Check:    checkAfterInit,
}

// raises returns TensorFlow's message (tensorflow/python/eager/context.py).
func raises(e effects.Effect) string {
	switch {
	case e.Has(effects.SetsGrowth):
		return "Physical devices cannot be modified after being initialized"
	case e.Has(effects.SetsVisible):
		return "Visible devices cannot be modified after being initialized"
	}
	return "Virtual devices cannot be modified after being initialized"
}

func checkAfterInit(p *rule.Pass) {
	if p.File.Releases().MayStartInGraph().Found() {
		return // nothing may be initialised where it is written
	}
	reported := map[syntax.Node]bool{}
	for t, e := range p.File.Flow().Having(setters) {
		if reported[e.Node] || p.File.Facts().SwitchedOff(e) {
			continue
		}
		init := settle(p, t, e).init
		if init == nil {
			continue
		}
		// If a module that the file imports runs the two in this order, that module has the
		// finding too.
		if from, at := flow.Part(e, init); p.Here(from) && p.Here(at) {
			reported[e.Node] = true
			report(p, e, init, from, at, opposed(t, e))
		}
	}
}

// opposed reports whether a trace also makes the opposite setting, growth against logical devices
// (TFM106). One would undo the other if the setter were in time.
func opposed(t *flow.Trace, setter *flow.Event) bool {
	const both = effects.SetsGrowth | effects.SetsLogical
	return setter.Effects.Has(both) && len(t.Having(both&^setter.Effects)) > 0
}

// report reports a setter that runs after init. from and at are where their paths diverge. The
// setter is not moved if that would undo another setting.
func report(p *rule.Pass, setter, init *flow.Event, from, at syntax.Node, opposed bool) {
	consequence := "raises RuntimeError: " + raises(setter.Effects) + "."
	if caught(setter.Node) {
		consequence += " The error is caught here, and the setting is lost."
	}
	marked, call := setter.Node, "this call"
	if !p.Here(marked) {
		marked = p.Nearest(setter)
		call = fmt.Sprintf("%s on %s, which runs from here,", text(setter), p.Line(setter.Node, rule.Span(marked)))
	}
	span := rule.Callee(marked)
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("The devices are configured too late. %s on %s has already initialised the devices%s, so %s %s", text(init), p.Line(init.Node, span), inKeras(p, init), call, consequence),
		Related: []rule.Related{p.Related(init.Node, rule.Callee(init.Node), "initialises the devices here")},
	}
	if !opposed {
		f.Fixes = move(p, from, at, "Configure the devices before they are initialised")
	}
	switch {
	case at == init.Node:
	case at.Is(syntax.ImportStatement, syntax.ImportFromStatement):
		f.Related = append(f.Related, p.Related(at, rule.Span(at), "imported here, before the setting"))
	default:
		f.Related = append(f.Related, p.Related(at, rule.Callee(at), "called from here, before the setting"))
	}
	if marked != setter.Node {
		f.Related = append(f.Related, p.Related(setter.Node, rule.Callee(setter.Node), "the setting"))
	}
	if caught(setter.Node) && p.Cell(marked.Start()) != p.Cell(p.Nearest(init).Start()) {
		// The reader decides which cells run in one session, and this one handles being too late.
		p.ReportAs(rule.Information, f)
		return
	}
	p.Report(f)
}

// inKeras says in which Keras version a call initialises if it does not in the other, and what says
// that it is that version.
func inKeras(p *rule.Pass, init *flow.Event) string {
	if init.Keras == 0 {
		return ""
	}
	out := fmt.Sprintf(", as it does in Keras %d", init.Keras)
	keras := p.File.Releases().Versions().Keras
	if major, ok := keras.Major(); !ok || major != init.Keras {
		return out // the program itself says so
	}
	if keras.Source == "" {
		return out + " (the newest: nothing in the project names a version)"
	}
	return out + " (" + keras.Source + ")"
}
