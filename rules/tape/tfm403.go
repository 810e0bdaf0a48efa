package tape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// GradientInsidePersistentTape is TFM403.
var GradientInsidePersistentTape = &rule.Rule{
	Code: "TFM403", Name: "gradient-inside-persistent-tape", Severity: rule.Warning,
	Summary: "A gradient is computed from a persistent tape while that tape still records.",
	What: `
Checks for calls of gradient, jacobian and batch_jacobian on a persistent tape
inside its own with statement, also by an optimizer's minimize or a function of
the program that is given the tape and returns nothing.`,
	Why: `
The tape records the backward pass too, and keeps its tensors as well as those
of the forward pass until the tape is gone. TensorFlow warns: "Calling
GradientTape.gradient on a persistent tape inside its context is significantly
less efficient than calling it outside the context (it causes the gradient ops
to be recorded on the tape, leading to increased CPU and memory usage)".`,
	Bad: `
import tensorflow as tf

def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
        da = tape.gradient(a, model.trainable_variables)
        db = tape.gradient(b, critic.trainable_variables)
    return da, db`,
	Good: `
import tensorflow as tf

def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
    da = tape.gradient(a, model.trainable_variables)
    db = tape.gradient(b, critic.trainable_variables)
    return da, db`,
	FixSafety: `
Safe: the statements from the first gradient on move out of the with statement,
if none of them computes something that is differentiated.`,
	Limitations: `
A non-persistent tape stops recording first and is not reported. Neither is a
tape that an outer tape records, a tape whose gradients are differentiated
again, nor a call under stop_recording. A tape with one gradient need not be
persistent: TFM402 reports it, and its fix ends the recording, too.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape#gradient"),
		rule.Guide("advanced_autodiff", "Advanced automatic differentiation"),
	},
	Triggers: []string{"persistent", "GradientTape(True"},
	Check:    checkInside,
}

func checkInside(p *rule.Pass) {
	for _, t := range p.File.Flow().Tapes() {
		with := recording(t)
		// If there is only one gradient, persistent is not needed, and TFM402 reports it.
		if !t.Persistent || !with.Valid() || t.Binding == nil || t.Watched() || single(p, t) {
			continue
		}
		inside := recorded(p, t, with)
		if len(inside) == 0 || differentiated(t) {
			continue
		}
		first := inside[0]
		span := rule.Callee(first.Call)
		f := rule.Finding{
			Span: span,
			Message: fmt.Sprintf("%s() is recorded by its own persistent tape. The tape records until the end of the with statement on %s, "+
				"so it keeps the tensors of the backward pass as well as those of the forward pass. Compute the gradient after the with statement.",
				first.Call.Child(syntax.FieldFunction).Text(), p.Line(with, span)),
			Related: []rule.Related{p.Related(t.Call, rule.Span(t.Call), "the tape")},
			Fixes:   takeOut(p, t, with, first),
		}
		for _, u := range inside[1:] {
			f.Related = append(f.Related, p.Related(u.Node, rule.Callee(u.Call), "recorded too"))
		}
		if t.Traced() {
			p.ReportAs(rule.Information, f)
		} else {
			p.Report(f)
		}
	}
}

// recorded returns the calls that take a gradient from a tape while it records.
func recorded(p *rule.Pass, t *flow.Tape, with syntax.Node) []flow.TapeUse {
	info := p.File.Names()
	var out []flow.TapeUse
next:
	for _, u := range t.Of(flow.TakesGradient, flow.Lends, flow.GivesAway) {
		if u.Kind != flow.TakesGradient {
			if u.Call = takenBy(info, u.Node); !u.Call.Valid() {
				continue
			}
		}
		if !u.Node.Within(with.Child(syntax.FieldBody)) || info.ScopeOf(u.Node).Function() != info.ScopeOf(t.Call).Function() || u.Kind == flow.TakesGradient && computed(u.Call) {
			continue
		}
		for n := u.Node.Ancestor(syntax.WithStatement); n != with; n = n.Ancestor(syntax.WithStatement) {
			if strings.Contains(n.FirstChild().Text(), "stop_recording") || starts(info, n) {
				continue next
			}
		}
		target := names.Argument(u.Call, 0, "target")
		if u.Kind != flow.TakesGradient {
			target = names.Argument(u.Call, 0, "loss")
		}
		if !madeBefore(info, t, with, target) {
			out = append(out, u)
		}
	}
	return out
}

// madeBefore reports whether a name holds what was computed before a with statement, in which it is
// only differentiated: the tape has recorded nothing of it, so that its gradient is None.
func madeBefore(info *names.Info, t *flow.Tape, with, target syntax.Node) bool {
	if target.Kind() != syntax.Identifier || slices.ContainsFunc(info.ReachingDefs(target), func(b *names.Binding) bool { return b.Node.Within(with) }) {
		return false
	}
	body := with.Child(syntax.FieldBody)
	return !slices.ContainsFunc(info.Identifiers(target.Text()), func(n syntax.Node) bool {
		return n.Within(body) && n.Next().Text() != "numpy" && !slices.ContainsFunc(t.Uses, func(u flow.TapeUse) bool {
			return n.Within(u.Node.Ancestor(syntax.Call))
		})
	})
}

// takenBy returns the call that is given a tape, surely takes a gradient of another argument from it,
// and returns none: an optimizer's minimize, or a function of the program that returns nothing. There
// may be no such call.
func takenBy(info *names.Info, tape syntax.Node) syntax.Node {
	call := tape.Ancestor(syntax.Call)
	if e := effects.Lookup(info.Callee(call)); tape.Parent().Kind() == syntax.KeywordArgument && names.Method(call) == "minimize" {
		if (e == nil || e.Effects.Has(effects.AppliesGradients)) && names.Argument(call, -1, "tape") == tape && names.Argument(call, 0, "loss").Kind() == syntax.Identifier {
			return call
		}
		return syntax.Node{}
	}
	f := info.Target(call.Child(syntax.FieldFunction)).Function
	if tape.Parent().Kind() != syntax.ArgumentList || f == nil || f.Yields || len(f.Returns) > 0 {
		return syntax.Node{}
	}
	for _, inner := range f.Info.Calls {
		function, target := inner.Child(syntax.FieldFunction), names.Argument(inner, 0, "target")
		if !inner.Within(f.Body) || names.Method(inner) != "gradient" || !target.Is(syntax.Identifier) {
			continue
		}
		of, by := parameter(info, f, target), parameter(info, f, function.Child(syntax.FieldObject))
		if by != nil && of != nil && f.Passed(call, by.Name) == tape && f.Passed(call, of.Name).Kind() == syntax.Identifier {
			return call
		}
	}
	return syntax.Node{}
}

// parameter returns the parameter of a function that a name surely is, or nil.
func parameter(info *names.Info, f *names.Function, n syntax.Node) *names.Binding {
	b := info.ReachingDefs(n)
	if n.Kind() != syntax.Identifier || len(b) != 1 || b[0].Kind != names.ParameterBinding || b[0].Scope.Func != f {
		return nil
	}
	return b[0]
}

// starts reports whether a with statement creates a tape.
func starts(info *names.Info, with syntax.Node) bool {
	return contains(with.FirstChild(), func(n syntax.Node) bool {
		e := effects.Lookup(info.Callee(n))
		return n.Kind() == syntax.Call && e != nil && e.Effects.Has(effects.StartsTape)
	})
}

// computed reports whether the target of a gradient is computed in the call itself, so that the
// tape must record it.
func computed(call syntax.Node) bool {
	target := names.Argument(call, 0, "target")
	return !target.Valid() || contains(target, func(n syntax.Node) bool {
		return n.Is(syntax.Call, syntax.BinaryOperator, syntax.UnaryOperator)
	})
}

// differentiated reports whether the same tape may compute a second-order gradient: of a name that
// holds the result of a gradient taken inside, or that may be changed by it.
func differentiated(t *flow.Tape) bool {
	holds := map[string]bool{}
	taken := map[syntax.Node]bool{}
	for _, u := range t.Of(flow.TakesGradient) {
		taken[u.Call] = true
	}
	for range 2 { // a loop may carry a name back to a line above
		t.Recordings[0].Walk(func(n syntax.Node) bool {
			if n.Is(syntax.ExpressionStatement, syntax.ReturnStatement, syntax.ForStatement, syntax.WithItem) {
				spread(n, taken, t, holds)
			}
			return true
		})
	}
	return slices.ContainsFunc(t.Of(flow.TakesGradient), func(u flow.TapeUse) bool {
		return mentions(names.Argument(u.Call, 0, "target"), holds)
	})
}

// spread records the names to which a statement may assign a gradient. Changing a variable does not
// count: the tape does not record it.
func spread(statement syntax.Node, taken map[syntax.Node]bool, t *flow.Tape, holds map[string]bool) {
	switch statement.FirstChild().Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
	case "apply_gradients", "assign", "assign_add", "assign_sub", "update_state":
		return
	}
	head := statement
	if statement.Kind() == syntax.ForStatement {
		head = statement.Child(syntax.FieldRight)
	}
	if !mentions(head, holds) && !contains(head, func(n syntax.Node) bool { return taken[n] }) {
		return
	}
	for name := range changed(statement, t.Binding.Name) {
		holds[name] = true
	}
}

// changed returns the names that a statement binds, or whose objects it may change: it assigns to
// them or to a part of them, or calls a method on them.
func changed(statement syntax.Node, tape string) map[string]bool {
	out := map[string]bool{}
	add := func(n syntax.Node) {
		for n.Is(syntax.Attribute, syntax.Subscript, syntax.Call) {
			n = n.FirstChild()
		}
		contains(n, func(m syntax.Node) bool {
			if m.Kind() == syntax.Identifier && m.Text() != tape {
				out[m.Text()] = true
			}
			return false
		})
	}
	statement.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Assignment, syntax.AugmentedAssignment, syntax.ForStatement:
			left := n.Child(syntax.FieldLeft)
			if left.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List) {
				for c := range left.Children() {
					add(c)
				}
			} else {
				add(left)
			}
		case syntax.NamedExpression:
			add(n.Child(syntax.FieldName))
		case syntax.AsPatternTarget:
			add(n.FirstChild())
		case syntax.Call:
			if f := n.Child(syntax.FieldFunction); f.Kind() == syntax.Attribute && f.Child(syntax.FieldAttribute).Text() != "numpy" {
				add(f.Child(syntax.FieldObject))
			}
		}
		return true
	})
	return out
}

// takeOut offers to move the end of the with statement's body out of it, from the statement with
// the first gradient on.
func takeOut(p *rule.Pass, t *flow.Tape, with syntax.Node, first flow.TapeUse) []rule.Fix {
	body := with.Child(syntax.FieldBody)
	start := rule.StatementIn(first.Node, body)
	if first.Kind != flow.TakesGradient || items(with) != 1 || start == body.FirstChild() || !rule.Fixable(with) || !p.StartsLine(with) {
		return nil
	}
	bound := map[string]bool{}
	for s := start; s.Valid(); s = s.Next() {
		if s.Kind() == syntax.Comment {
			continue
		}
		if !p.StartsLine(s) || p.IndentOf(s) != p.IndentOf(start) {
			return nil
		}
		for name := range changed(s, t.Binding.Name) {
			bound[name] = true
		}
	}
	for _, u := range t.Uses {
		switch {
		case u.Kind != flow.TakesGradient && u.Kind != flow.Deletes && u.Node.Start() > start.Start() && u.Node.Within(with):
			return nil // watch, reset: the tape is still in use
		case u.Kind == flow.TakesGradient && mentions(names.Argument(u.Call, 0, "target"), bound):
			return nil
		}
	}
	edits := dedent(p, with, underComments(p, start))
	if edits == nil {
		return nil
	}
	return rule.OneFix(fmt.Sprintf("Compute the gradient after the with statement of %s", name(t)), rule.Safe, edits...)
}

// underComments returns the first of the comments on the lines right above a statement, which are
// about it, or the statement itself if there are none.
func underComments(p *rule.Pass, statement syntax.Node) syntax.Node {
	text := p.File.Source.Text()
	first := syntax.Node{}
	for n := statement.Parent().FirstChild(); n.Start() < statement.Start(); n = n.Next() {
		next := source.LineStart(text, n.Next().Start())
		switch {
		case n.Kind() != syntax.Comment || !p.StartsLine(n) || p.IndentOf(n) != p.IndentOf(statement), source.NextLine(text, source.LineEnd(text, n.End())) != next:
			first = syntax.Node{}
		case !first.Valid():
			first = n
		}
	}
	if first.Valid() {
		return first
	}
	return statement
}
