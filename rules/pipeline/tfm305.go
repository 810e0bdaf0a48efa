package pipeline

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/rules/rule"
)

// MissingPrefetch is TFM305.
var MissingPrefetch = &rule.Rule{
	Code: "TFM305", Name: "missing-prefetch", Severity: rule.Hint, OffByDefault: true,
	Summary: "A tf.data pipeline that a model reads does not prefetch.",
	What: `
Checks for pipelines that reach Model.fit, evaluate, predict or a training loop
without a prefetch step. A loop that only calls a model, as an evaluation does,
is reported where its pipeline reads, shuffles, transforms or batches.`,
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
Only pipelines whose steps are all known are reported. Tests are not checked,
nor loops that only call a model and stop early.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#prefetch"),
		rule.Guide("data_performance#prefetching", "Better performance with the tf.data API: Prefetching"),
	},
	Triggers: []string{".fit(", ".evaluate(", ".predict(", "GradientTape", "Dataset", "dataset"},
	Check:    checkPrefetch,
}

func checkPrefetch(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	tracer := dataset.NewTracer(p.File.Names())
	reported := map[syntax.Node]bool{}
	trained := trainedWith(p)
	for _, c := range slices.Concat(consumed(p.File.Names()), trained, ranOn(p, trained)) {
		d := tracer.Of(c.data)
		if d.Kind != dataset.Pipeline || !d.Source.Valid() || prefetches(p.File.Names(), d) || c.runs.Valid() && !(worksOnHost(p.File.Names(), d) && !cutShort(d, c.runs)) {
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

// trainedWith returns the iterables of the loops that train with their own tape, or pass their
// elements to a function of the program that trains on them.
func trainedWith(p *rule.Pass) []consumer {
	var out []consumer
	done := map[syntax.Node]bool{}
	last := map[syntax.Node]syntax.Node{} // the last tape in a loop: what comes before another comes before it
	for _, tape := range p.File.Flow().Having(effects.StartsTape) {
		if at, ok := last[tape.Loop]; tape.Node.Within(tape.Loop) && (!ok || at.Start() < tape.Node.Start()) {
			last[tape.Loop] = tape.Node
		}
	}
	for _, t := range p.File.Flow().Traces() {
		for _, tape := range t.Having(effects.StartsTape) {
			loop := tape.Loop
			if loop.Kind() != syntax.ForStatement || done[loop] || !p.Here(loop) {
				continue
			}
			data, _ := iterable(p.File.Names(), loop.Child(syntax.FieldRight))
			if tape.Node.Within(loop) {
				if tape.Node == last[loop] && usedUntil(tape.Node, loop) {
					done[loop] = true
					out = append(out, consumer{data: data})
				}
				continue
			}
			for _, call := range tape.Path {
				if done[loop] = call.Within(loop.Child(syntax.FieldBody)) && takesElement(call, loop); done[loop] {
					out = append(out, consumer{data: data})
					break
				}
			}
		}
	}
	return out
}

// ranOn returns the iterables of the other loops whose iterations run a model on values computed
// from their elements: evaluation or inference.
func ranOn(p *rule.Pass, trained []consumer) []consumer {
	var out []consumer
	done := map[syntax.Node]bool{}
	for _, c := range trained {
		done[c.data] = true
	}
	made := map[syntax.Node]map[string]bool{} // of the elements, by loop
	for _, e := range p.File.Flow().Events() {
		loop := e.Loop
		if !e.Effects.Has(effects.Trains|effects.Infers|effects.CallsModel) || loop.Kind() != syntax.ForStatement || !p.Here(loop) {
			continue
		}
		data, numbered := iterable(p.File.Names(), loop.Child(syntax.FieldRight))
		steps := append(slices.Clone(e.Path), e.Node)
		in := slices.IndexFunc(steps, func(n syntax.Node) bool { return n.Within(loop.Child(syntax.FieldBody)) })
		if done[data] || in < 0 {
			continue
		}
		if made[loop] == nil {
			made[loop] = madeOfElement(loop, numbered)
		}
		if mentions(steps[in].Child(syntax.FieldArguments), made[loop]) {
			done[data] = true
			out = append(out, consumer{data: data, runs: loop})
		}
	}
	return out
}

// cutShort reports whether a loop may read only a few elements. Preparing the next one then gains
// nothing.
func cutShort(d dataset.Dataset, loop syntax.Node) bool {
	short := len(d.Steps) > 0 && d.Steps[len(d.Steps)-1].Name == "take"
	loop.Child(syntax.FieldBody).Walk(func(n syntax.Node) bool {
		short = short || n.Is(syntax.BreakStatement, syntax.ReturnStatement)
		return !short && !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	return short
}

// handingOn are the steps that pass on elements without work on them.
var handingOn = []string{"take", "skip", "repeat", "shard", "enumerate", "with_options", "assert_cardinality", "ignore_errors", "take_while", "concatenate"}

// worksOnHost reports whether a pipeline reads, shuffles, transforms or batches its elements on
// demand.
func worksOnHost(info *names.Info, d dataset.Dataset) bool {
	for _, step := range slices.Backward(d.Steps) {
		if !slices.Contains(handingOn, step.Name) {
			return step.Name != "cache" // what comes before a cache works in the first epoch only
		}
	}
	if len(d.Parts) > 0 {
		return slices.ContainsFunc(d.Parts, func(part dataset.Dataset) bool { return worksOnHost(info, part) })
	}
	return !tfdata.Sources[info.Callee(d.Source)].InMemory
}

// usedUntil reports whether the statements of a loop use the loop variable, up to the one that
// contains the tape.
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
	return uses(call.Child(syntax.FieldArguments), loop) // an import has no arguments
}

// uses reports whether code uses what a loop binds.
func uses(code, loop syntax.Node) bool {
	bound := map[string]bool{}
	addNames(bound, loop.Child(syntax.FieldLeft))
	return mentions(code, bound)
}

// madeOfElement are the names that a loop over a dataset binds to an element, and those that its
// body binds to what is made of one.
func madeOfElement(loop syntax.Node, numbered bool) map[string]bool {
	element := loop.Child(syntax.FieldLeft)
	if numbered {
		element = names.Last(element) // the other one counts
	}
	made := map[string]bool{}
	addNames(made, element)
	loop.Child(syntax.FieldBody).Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Assignment && mentions(n.Child(syntax.FieldRight), made) {
			addNames(made, n.Child(syntax.FieldLeft))
		}
		return true
	})
	return made
}

// addNames adds the names in a target.
func addNames(to map[string]bool, target syntax.Node) {
	target.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			to[n.Text()] = true
		}
		return n.Is(syntax.Identifier, syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.ListSplatPattern)
	})
}

// mentions reports whether code has one of the names.
func mentions(code syntax.Node, wanted map[string]bool) bool {
	if !code.Valid() {
		return false
	}
	found := false
	code.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && wanted[n.Text()]
		return !found
	})
	return found
}

// prefetches reports whether a pipeline, or one of its inputs, prefetches or may do so.
func prefetches(info *names.Info, d dataset.Dataset) bool {
	return tfdata.Sources[info.Callee(d.Source)].Prefetched || d.Has("prefetch", "prefetch_to_device", "copy_to_device", "apply") ||
		slices.ContainsFunc(d.Parts, func(part dataset.Dataset) bool { return !part.Source.Valid() || prefetches(info, part) })
}

func addPrefetch(p *rule.Pass, argument syntax.Node, kind dataset.Kind) []rule.Fix {
	info := p.File.Names()
	chain := writtenAt(p, argument, kind)
	if chain == argument && argument.Kind() == syntax.Identifier && inLoop(info, argument) {
		chain = madeBy(p, argument) // whatever else uses it
	}
	if !chain.Valid() || inLoop(info, chain) {
		return nil // each epoch would make another one
	}
	autotune := autotuneAt(p, chain)
	if autotune == "" {
		return nil
	}
	step := ".prefetch(" + autotune + ")"
	at := chain.End()
	return rule.OneFix("Prefetch with "+step, rule.Safe, source.Insert(at, gap(p, chain)+step))
}

// inLoop reports whether an expression is evaluated in every iteration of a loop around it, or
// around the call of its function.
func inLoop(info *names.Info, n syntax.Node) bool {
	return inLoopOf(info, n, map[*names.Function]bool{})
}

func inLoopOf(info *names.Info, n syntax.Node, seen map[*names.Function]bool) bool {
	defer info.Enter(n).Leave()
	loop := n.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
	if loop.Kind() == syntax.ForStatement && !n.Within(loop.Child(syntax.FieldBody)) {
		loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition) // it iterates over n itself
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

// madeBy returns the one call, outside of loops, that gives a name its value, or none.
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

// autotune is the key of the fact which names the file binds to AUTOTUNE.
type autotune struct{}

// namesOfAutotune returns the names that an assignment of the file binds to an attribute AUTOTUNE,
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

// autotuneAt returns how code at a node can write tf.data.AUTOTUNE: the file's own name for it,
// else the full name, or "" if there is none.
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
	case p.Says("data.experimental.AUTOTUNE") || p.File.Releases().MayBeOlder(effects.Version{Major: 2, Minor: 4}).Found():
		return tf + ".data.experimental.AUTOTUNE" // available since TensorFlow 1.13, and still today
	}
	return tf + ".data.AUTOTUNE"
}
