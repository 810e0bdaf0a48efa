package tape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TapeConsumedTwice is TFM406.
var TapeConsumedTwice = &rule.Rule{
	Code: "TFM406", Name: "tape-consumed-twice", Severity: rule.Error,
	Summary: "A second gradient is requested from a non-persistent tape.",
	What: `
Checks for calls of gradient, jacobian or batch_jacobian on a non-persistent
tape after one of them has surely been called before, or in a loop that the
tape is created outside of.`,
	Why: `
A non-persistent tape frees itself with the first gradient. The second call
raises RuntimeError ("A non-persistent GradientTape can only be used to compute
one set of gradients (or jacobians)").`,
	Bad: `
import tensorflow as tf

for x in batches:
    with tf.GradientTape() as tape:
        a = model(x)
        b = critic(a)
    da = tape.gradient(a, model.trainable_variables)
    db = tape.gradient(b, critic.trainable_variables)
    optimizer.apply_gradients(zip(da + db, model.trainable_variables + critic.trainable_variables))`,
	Good: `
import tensorflow as tf

for x in batches:
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
    da = tape.gradient(a, model.trainable_variables)
    db = tape.gradient(b, critic.trainable_variables)
    del tape
    optimizer.apply_gradients(zip(da + db, model.trainable_variables + critic.trainable_variables))`,
	FixSafety: `
Unsafe: code that raised an error now runs, with a tape that keeps everything
it recorded until it is deleted. One call that computes all gradients at once,
for example of a sum of losses, needs less memory.`,
	Limitations: `
A tape that records again in between, and a call whose error the program
expects, are not reported.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape"),
		rule.Guide("autodiff", "Introduction to gradients and automatic differentiation"),
	},
	Triggers: []string{"GradientTape"},
	Check:    checkConsumedTwice,
}

func checkConsumedTwice(p *rule.Pass) {
	program := p.File.Flow()
	if len(program.Tapes()) == 0 {
		return
	}
	starts := map[*flow.Event]*flow.Tape{}
	for _, t := range program.Tapes() {
		for _, e := range t.Started {
			starts[e] = t
		}
	}
	for _, trace := range program.Traces() {
		started := map[*flow.Tape]*flow.Event{}
		asked := map[*flow.Tape][]*flow.Event{}
		for i := range trace.Events {
			e := &trace.Events[i]
			switch {
			case !p.Here(e.Node):
			case e.Effects.Has(effects.StartsTape) && starts[e] != nil:
				started[starts[e]], asked[starts[e]] = e, nil
			case e.Effects.Has(effects.TakesGradient):
				t := program.TapeOf(e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject))
				if t == nil || !t.Single || started[t] == nil || recordsAgain(t) || expected(e.Node) {
					continue
				}
				if i := slices.IndexFunc(asked[t], func(before *flow.Event) bool { return before.SurelyBefore(e) }); i >= 0 {
					reportTwice(p, t, e, asked[t][i])
				} else if repeatsGradient(p, e, started[t]) {
					reportTwice(p, t, e, e)
				}
				asked[t] = append(asked[t], e)
			}
		}
	}
}

// recordsAgain reports whether the tape may record a second time, after which another gradient may
// be taken.
func recordsAgain(t *flow.Tape) bool {
	return !recording(t).Valid() || slices.ContainsFunc(t.Of(flow.CallsMethod), func(u flow.TapeUse) bool { return u.Method() == "reset" })
}

// expected reports whether the error of a call is caught, or expected by a test.
func expected(n syntax.Node) bool {
	for a := n.Parent(); a.Valid() && a.Kind() != syntax.FunctionDefinition; a = a.Parent() {
		switch a.Kind() {
		case syntax.TryStatement:
			if n.Within(a.Child(syntax.FieldBody)) {
				return true
			}
		case syntax.WithStatement:
			if head := strings.ToLower(a.FirstChild().Text()); strings.Contains(head, "raises") || strings.Contains(head, "suppress") {
				return true
			}
		}
	}
	return false
}

// repeatsGradient reports whether a loop surely takes a gradient in every iteration from a tape
// that was created before the loop, and has more than one iteration.
func repeatsGradient(p *rule.Pass, asked, started *flow.Event) bool {
	loop := asked.Loop
	if !loop.Valid() || !asked.EveryIteration || loop == started.Loop || p.File.Facts().Iterations(loop, nil) == 1 {
		return false
	}
	if started.Node.Within(loop) || slices.ContainsFunc(started.Path, func(n syntax.Node) bool { return n.Within(loop) }) {
		return false
	}
	return !contains(loop.Child(syntax.FieldBody), func(n syntax.Node) bool {
		return n.Is(syntax.BreakStatement, syntax.ReturnStatement, syntax.RaiseStatement) || names.Exits(n)
	})
}

func reportTwice(p *rule.Pass, t *flow.Tape, second, first *flow.Event) {
	span := rule.Callee(second.Node)
	// batch_jacobian's message lacks a space where its source breaks the line (backprop.py).
	raises := "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
	if second.Node.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() == "batch_jacobian" {
		raises = strings.Replace(raises, "to compute", "tocompute", 1)
	}
	when := fmt.Sprintf("was consumed on %s", p.Line(first.Node, span))
	if first == second {
		when = fmt.Sprintf("is created outside the loop on %s and consumed in its first iteration", p.Line(second.Loop, span))
	} else if first.Node == second.Node {
		when = "was consumed here before"
	}
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("A second gradient request to %s fails. It is not persistent and %s, so this call raises RuntimeError: %s.", of("the tape", name(t)), when, raises),
		Related: []rule.Related{p.Related(t.Call, rule.Span(t.Call), "the tape")},
	}
	if first != second {
		f.Related = append(f.Related, p.Related(first.Node, rule.Callee(first.Node), "consumed here"))
	}
	if rule.Fixable(t.Call) {
		fix := rule.Fix{Message: "Make " + name(t) + " persistent", Applicability: rule.Unsafe, Edits: persist(t.Call)}
		if h := heldTape(p.File.Names(), t); h != nil {
			if edit, ok := deletion(p, h); ok {
				fix.Message += " and delete it after its last use"
				fix.Edits = append(fix.Edits, edit)
			}
		}
		f.Fixes = []rule.Fix{fix}
	}
	p.Report(f)
}
