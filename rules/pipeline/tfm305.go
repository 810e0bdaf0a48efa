package pipeline

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MissingPrefetch is TFM305.
var MissingPrefetch = &rule.Rule{
	Code: "TFM305", Name: "missing-prefetch", Severity: rule.Hint, OffByDefault: true,
	Summary: "A tf.data pipeline that a model trains on does not prefetch.",
	What: `
Checks for pipelines that reach Model.fit, evaluate, predict or a training loop
without a prefetch step.`,
	Why: `
Without prefetch the next batch is read and transformed only when the GPU asks
for it, and the GPU waits. This costs speed only: prefetch saves no GPU memory,
and takes host memory for the waiting batches. The rule is off by default
because recent versions of TensorFlow (2.13 and later, at least) add the step
themselves after a synchronous last step, unless the dataset's options say
otherwise (inject_prefetch in tf.data.experimental.OptimizationOptions).`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32).prefetch(tf.data.AUTOTUNE)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Safe: the elements and their order stay the same.`,
	Limitations: `
Only pipelines whose steps are all known are reported. Tests are not checked.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#prefetch"),
		rule.Guide("data_performance#prefetching", "Better performance with the tf.data API: Prefetching"),
	},
	Triggers: []string{".fit(", ".evaluate(", ".predict(", "GradientTape"},
	Check:    checkPrefetch,
}

// prefetched are the sources that prefetch themselves, before or after they batch
// (keras/src/utils, image_dataset_utils.py and its like;
// tensorflow/python/data/experimental/ops/readers.py).
var prefetched = map[string]bool{
	"tensorflow.keras.utils.image_dataset_from_directory":        true,
	"tensorflow.keras.utils.text_dataset_from_directory":         true,
	"tensorflow.keras.utils.audio_dataset_from_directory":        true,
	"tensorflow.keras.utils.timeseries_dataset_from_array":       true,
	"tensorflow.data.experimental.make_csv_dataset":              true,
	"tensorflow.data.experimental.make_batched_features_dataset": true,
}

func checkPrefetch(p *rule.Pass) {
	if rule.IsTest(p) {
		return
	}
	tracer := dataset.NewTracer(p.File.Names())
	reported := map[syntax.Node]bool{}
	for _, c := range append(consumed(p.File.Names()), trainedWith(p)...) {
		d := tracer.Of(c.data)
		if d.Kind != dataset.Pipeline || !d.Source.Valid() || prefetches(p.File.Names(), d) {
			continue
		}
		end := d.Source
		if len(d.Steps) > 0 {
			end = d.Steps[len(d.Steps)-1].Call
		}
		if reported[end] {
			continue
		}
		reported[end] = true
		p.Report(rule.Finding{
			Span:    rule.Span(c.data),
			Message: fmt.Sprintf("The pipeline that reaches %s does not prefetch. Unless TensorFlow adds the step, a batch is prepared only when the one before is used up.", c.where()),
			Related: []rule.Related{p.Related(d.Source, rule.Callee(d.Source), "the pipeline starts here")},
			Fixes:   addPrefetch(p, c.data, d.Kind),
		})
	}
}

// trainedWith is what the loops iterate over that train by a tape of their own, or hand their
// elements to a function of the program which trains on them.
func trainedWith(p *rule.Pass) []consumer {
	var out []consumer
	done := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for _, tape := range t.Having(effects.StartsTape) {
			loop := tape.Loop
			if loop.Kind() != syntax.ForStatement || done[loop] || !p.Here(loop) {
				continue
			}
			if tape.Node.Within(loop) {
				if done[loop] = usedUntil(tape.Node, loop); done[loop] {
					out = append(out, consumer{data: iterable(loop.Child(syntax.FieldRight))})
				}
				continue
			}
			for _, call := range tape.Path {
				if done[loop] = call.Within(loop.Child(syntax.FieldBody)) && takesElement(call, loop); done[loop] {
					out = append(out, consumer{data: iterable(loop.Child(syntax.FieldRight))})
					break
				}
			}
		}
	}
	return out
}

// usedUntil reports whether the statements of a loop, up to the one that holds the tape,
// use the loop variable.
func usedUntil(tape, loop syntax.Node) bool {
	for s := range loop.Child(syntax.FieldBody).Children() {
		if uses(s, loop) {
			return true
		}
		if tape.Within(s) {
			break
		}
	}
	return false
}

// takesElement reports whether a call passes on what a loop binds.
func takesElement(call, loop syntax.Node) bool {
	return uses(call.Child(syntax.FieldArguments), loop) // an import has none
}

// uses reports whether code uses what a loop binds.
func uses(code, loop syntax.Node) bool {
	target := loop.Child(syntax.FieldLeft)
	bound := map[string]bool{}
	target.Walk(func(n syntax.Node) bool {
		bound[n.Text()] = n.Kind() == syntax.Identifier
		return true
	})
	found := false
	code.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && bound[n.Text()]
		return !found
	})
	return found
}

// prefetches reports whether a pipeline, or one that it takes its elements from, prefetches,
// or may.
func prefetches(info *names.Info, d dataset.Dataset) bool {
	return prefetched[info.Callee(d.Source)] || d.Has("prefetch", "prefetch_to_device", "copy_to_device", "apply") ||
		slices.ContainsFunc(d.Parts, func(part dataset.Dataset) bool { return !part.Source.Valid() || prefetches(info, part) })
}

func addPrefetch(p *rule.Pass, argument syntax.Node, kind dataset.Kind) []rule.Fix {
	info := p.File.Names()
	chain := writtenAt(p, argument, kind)
	if chain == argument && argument.Kind() == syntax.Identifier && inLoop(info, argument) {
		chain = madeBy(p, argument) // whatever else it is used for
	}
	if !chain.Valid() || inLoop(info, chain) {
		return nil // each epoch would make another
	}
	autotune := autotuneAt(p, chain)
	if autotune == "" {
		return nil
	}
	step := ".prefetch(" + autotune + ")"
	at := chain.End()
	return []rule.Fix{{
		Message:       "Prefetch with " + step,
		Applicability: rule.Safe,
		Edits:         []source.Edit{{Span: source.Span{Start: at, End: at}, New: gap(p, chain) + step}},
	}}
}

// inLoop reports whether an expression is evaluated in every iteration of a loop, around it
// or around the call of its function.
func inLoop(info *names.Info, n syntax.Node) bool {
	return inLoopOf(info, n, map[*names.Function]bool{})
}

func inLoopOf(info *names.Info, n syntax.Node, seen map[*names.Function]bool) bool {
	loop := n.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
	if loop.Kind() == syntax.ForStatement && !n.Within(loop.Child(syntax.FieldBody)) {
		loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition) // it goes over n itself
	}
	if loop.Is(syntax.ForStatement, syntax.WhileStatement) {
		return true
	}
	fn := info.ScopeOf(n).Function()
	if fn == nil || seen[fn] {
		return false
	}
	seen[fn] = true
	return slices.ContainsFunc(info.CallsOf(fn), func(call syntax.Node) bool { return inLoopOf(info, call, seen) })
}

// madeBy is the one call, outside of loops, that gives a name its value, or none.
func madeBy(p *rule.Pass, argument syntax.Node) syntax.Node {
	info := p.File.Names()
	bindings := info.ReachingDefs(argument)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !info.ScopeOf(argument).Sees(bindings[0].Scope) {
		return syntax.Node{}
	}
	made := bindings[0].Value
	if made.Kind() != syntax.Call || !rule.Fixable(made) || inLoop(info, made) {
		return syntax.Node{}
	}
	return made
}

// autotune is the question which names the file binds to AUTOTUNE.
type autotune struct{}

// namesOfAutotune are the names that some assignment of the file binds to an attribute AUTOTUNE,
// in order.
func namesOfAutotune(p *rule.Pass) []string {
	return p.File.Fact(autotune{}, func() any {
		var found []string
		if !p.Says("AUTOTUNE") {
			return found
		}
		for s := range p.File.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Assignment {
					to, value := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
					if to.Kind() == syntax.Identifier && value.Kind() == syntax.Attribute && value.Child(syntax.FieldAttribute).Text() == "AUTOTUNE" {
						found = append(found, to.Text())
					}
				}
				return true
			})
		}
		slices.Sort(found)
		return slices.Compact(found)
	}).([]string)
}

// autotuneAt is how code at a node says tf.data.AUTOTUNE: by the file's own name for it, where
// there is one, else in full; empty where it cannot.
func autotuneAt(p *rule.Pass, at syntax.Node) string {
	info := p.File.Names()
	scope := info.ScopeOf(at)
	for _, known := range []string{"tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"} {
		if name := p.Bound(known, scope, at); name != "" {
			return name
		}
		for s := scope; s != nil; s = s.Parent {
			for _, name := range namesOfAutotune(p) {
				reaching := info.ReachingBefore(s, name, at)
				if len(reaching) == 1 && reaching[0].Kind == names.AssignBinding && reaching[0].Value.Kind() == syntax.Attribute && info.Qualified(reaching[0].Value) == known {
					return name
				}
			}
		}
	}
	tf := p.Bound("tensorflow", scope, at)
	switch {
	case tf == "":
		return ""
	case p.Says("data.experimental.AUTOTUNE") || p.MayBeOlder(effects.Version{Major: 2, Minor: 4}):
		return tf + ".data.experimental.AUTOTUNE" // since TensorFlow 1.13, and to this day
	}
	return tf + ".data.AUTOTUNE"
}
