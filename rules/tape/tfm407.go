package tape

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TapeWithoutGradient is TFM407.
var TapeWithoutGradient = &rule.Rule{
	Code: "TFM407", Name: "tape-without-gradient", Severity: rule.Information,
	Summary: "A gradient tape records a forward pass, and no gradient is computed from it.",
	What: `
Checks for with statements of tf.GradientTape whose tape has no name, or on
which gradient, jacobian and batch_jacobian are never called.`,
	Why: `
While a tape records, it keeps the activations of every layer of the forward
pass for a backward pass. For evaluation and prediction that is most of the
memory of a training step, for nothing. If a gradient was meant to be computed,
it is missing, and nothing is trained. In code that is traced into a graph, the
tape records symbols once and the graph keeps nothing for it: the finding is a
hint there.`,
	Bad: `
import tensorflow as tf

for x, y in validation:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=False))
    mean.update_state(loss)`,
	Good: `
import tensorflow as tf

for x, y in validation:
    loss = loss_fn(y, model(x, training=False))
    mean.update_state(loss)`,
	FixSafety: `
Unsafe: the program computes the same, but the gradient may be yet to be written.`,
	Limitations: `
A tape that is passed on, or whose watched variables are read, is not reported.
Nor is one that records only numbers and tensors of few elements, as in a demo.
Tests are not checked.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape"),
		rule.Guide("autodiff", "Introduction to gradients and automatic differentiation"),
	},
	Triggers: []string{"GradientTape"},
	Check:    checkUnasked,
}

func checkUnasked(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return // it may record, or build, what is expected to fail
	}
	for _, t := range p.File.Flow().Tapes() {
		with := recording(t)
		if !with.Valid() || !neverQueried(p, t) || !computes(with, t) || tiny(p, t) {
			continue
		}
		span := rule.Span(t.Call)
		kept := "It keeps every tensor of the forward pass for a backward pass that never comes"
		severity := rule.Information
		if t.Traced() {
			severity = rule.Hint
			kept = "It records the forward pass for a backward pass that never comes"
		}
		subject := "This tape has no name, so no gradient can be computed from it"
		if t.Binding != nil {
			subject = "No gradient is computed from " + of("the tape", name(t))
		}
		p.ReportAs(severity, rule.Finding{
			Span: span,
			Message: fmt.Sprintf("%s. %s. Compute the gradient, or run the code without the tape.",
				subject, kept),
			Fixes: withoutTape(p, t, with),
		})
	}
}

// withoutTape offers to run the body of the with statement without the tape.
func withoutTape(p *rule.Pass, t *flow.Tape, with syntax.Node) []rule.Fix {
	body := with.Child(syntax.FieldBody)
	first := body.FirstChild()
	if len(t.Uses) > 0 || items(with) != 1 || !rule.Fixable(with) || !p.StartsLine(with) || !first.Valid() || !p.StartsLine(first) {
		return nil
	}
	edits := dedent(p, with, first)
	if edits == nil {
		return nil
	}
	text := p.File.Source.Text()
	header := source.Span{Start: source.LineStart(text, with.Start()), End: source.LineStart(text, first.Start())}
	kept := ""
	for c := range with.Children() {
		if c.Kind() == syntax.Comment && c.End() < header.End {
			kept += p.IndentOf(with) + c.Text() + p.Newline()
		}
	}
	if strings.Count(kept, "#") != strings.Count(text[header.Start:header.End], "#") {
		return nil // a comment would be lost
	}
	return rule.OneFix("Run the code without the tape", rule.Unsafe, append([]source.Edit{{Span: header, New: kept}}, edits...)...)
}

// neverQueried reports whether no gradient can have been taken from the tape.
func neverQueried(p *rule.Pass, t *flow.Tape) bool {
	if t.Binding == nil {
		return !t.Target.Valid() && !t.Call.Top().HasError()
	}
	if !known(p, t) || len(t.Of(flow.TakesGradient, flow.Lends)) > 0 {
		return false
	}
	for _, u := range t.Of(flow.CallsMethod) {
		if u.Method() == "watched_variables" {
			return false
		}
	}
	return true
}

// computes reports whether the with statement calls anything but the tape itself.
func computes(with syntax.Node, t *flow.Tape) bool {
	own := map[syntax.Node]bool{}
	for _, u := range t.Uses {
		own[u.Call] = true
	}
	return contains(with.Child(syntax.FieldBody), func(n syntax.Node) bool {
		return n.Kind() == syntax.Call && !own[n] || n.Kind() == syntax.BinaryOperator
	})
}
