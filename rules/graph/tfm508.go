package graph

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/lifetimes"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// CompiledAgain is TFM508.
var CompiledAgain = &rule.Rule{
	Code: "TFM508", Name: "compiled-again", Severity: rule.Information,
	Summary: "One model is compiled and trained again and again, and the state of each optimizer stays.",
	What: `
Checks for loops that compile and train a model that exists before them, with a new
optimizer each time. The finding is information where the states of all optimizers
take more than half of the GPU, and a hint where they take less or their size is not
known.`,
	Why: `
An optimizer such as Adam has two variables for each of the model's. Once fit() has
run, TensorFlow keeps them when the model is compiled again: of a model of 64 MiB,
each round leaves 123 MiB with TensorFlow 2.13, 140 MiB with Keras 3 in 2.21, and
neither clear_session() nor gc.collect() returns them. One optimizer, whose learning
rate or variables are set each time, leaves nothing.`,
	Bad: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(4096), tf.keras.layers.Dense(10)])
for rate in rates:
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(x, y)`,
	Good: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(4096), tf.keras.layers.Dense(10)])
model.compile(tf.keras.optimizers.Adam(), "mse")
for rate in rates:
    model.optimizer.learning_rate.assign(rate)
    model.fit(x, y)`,
	Limitations: `
Loops of ten iterations at most are reported only where the states are known to take
more than 16 MiB, and nothing is reported of optimizers without a state, such as SGD
without momentum, of models with an Embedding, of calls under a condition, and of
functions that a library calls again and again.`,
	References: []rule.Reference{
		rule.API("tf.keras.Model#compile"),
		{Title: "tfmem: how TensorFlow takes and frees GPU memory", URL: "https://github.com/tfmem/tfmem/blob/main/rules/MEMORY.md"},
	},
	Triggers: []string{"compile("},
	Priced:   true,
	Check:    checkCompiledAgain,
}

func checkCompiledAgain(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || p.File.Releases().KerasMayRunInGraphs().Found() {
		return
	}
	reported := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			if e := &t.Events[i]; e.Effects.Has(effects.CompilesModel) && p.Here(e.Node) && !reported[e.Node] && e.Context&(flow.Compiled|flow.Uncertain|flow.OwnGraph|flow.InWorker) == 0 {
				reported[e.Node] = reportCompiledAgain(p, e, t.Events[i+1:])
			}
		}
	}
}

// reportCompiledAgain reports a call of compile() of which each round of a loop leaves an optimizer.
func reportCompiledAgain(p *rule.Pass, e *flow.Event, later []flow.Event) bool {
	f := p.File.Facts()
	around := f.Around(e)
	if len(around) == 0 || around[0].Function != nil {
		return false
	}
	loop, in, model := around[0].Node, f.At(e), e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	trains := false
	for i := range later {
		trains = trains || later[i].Effects.Has(effects.Trains) && later[i].Loop == e.Loop
	}
	made, one := f.Only(model, in)
	if !trains || !one || !f.Invariant(model, in, loop) || f.Repeats(made, loop) || conditional(e, loop) || !newOptimizer(p, e, in, loop) || lifetimes.Embeds(p.File.Names()) {
		return false
	}
	n := facts.Times(around)
	bytes, known := callModels{p.File, made.Node}.states(n)
	if !known && n > 0 && n <= fewOfUnknownSize || known && bytes <= rule.FewBytes {
		return false
	}
	severity := rule.Hint
	finding := rule.Finding{
		Span: rule.Callee(e.Node),
		Message: fmt.Sprintf("Each compile() in the loop on %s leaves the earlier optimizer's state behind. ", p.Line(loop, rule.Callee(e.Node))) +
			"TensorFlow keeps an optimizer's variables once fit() has run, and neither clear_session() nor gc.collect() frees them.",
		Related: []rule.Related{p.Related(loop, rule.LoopHead(loop), "in this loop")},
	}
	if known {
		finding.Message += fmt.Sprintf(" Those of all %d rounds take %s.", n, memory.Bytes(bytes))
		if has := smallestGPU(p); has > 0 && bytes > has/2 {
			severity = rule.Information
		}
	}
	finding.Message += " Compile once, before the loop, and assign the learning rate or the optimizer's variables in it."
	p.ReportAs(severity, finding)
	return true
}

// conditional reports whether an iteration may not come to an event.
func conditional(e *flow.Event, loop syntax.Node) bool {
	for _, n := range append(append([]syntax.Node{}, e.Path...), e.Node) {
		if n.Within(loop) && n.Ancestor(syntax.IfStatement, syntax.TryStatement, syntax.MatchStatement, syntax.ConditionalExpression).Within(loop) {
			return true
		}
	}
	return false
}

// newOptimizer reports whether a call of compile() surely makes an optimizer that has a state each time.
func newOptimizer(p *rule.Pass, e *flow.Event, in *origins.Call, loop syntax.Node) bool {
	given := names.Argument(e.Node, 0, "optimizer")
	if !given.Valid() {
		return !names.HasSplat(e.Node)
	}
	f, info := p.File.Facts(), p.File.Names()
	return f.All(given, in, func(origin origins.Place, _ func(origins.Place) bool) bool {
		if text, ok := names.StringValue(origin.Node); ok {
			return text != "sgd" && text != "SGD"
		}
		callee := info.Callee(origin.Node)
		return effects.Of(callee).Has(effects.BuildsOptimizer) && f.Repeats(origin, loop) && callee != "tensorflow.keras.optimizers.SGD"
	})
}
