package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// VariablesOutsideStrategyScope is TFM703.
var VariablesOutsideStrategyScope = &rule.Rule{
	Code: "TFM703", Name: "variables-outside-strategy-scope", Severity: rule.Warning,
	Summary: "A model, or its optimizer, is built outside the scope of the strategy that trains it.",
	What: `
Follows a model from its construction to the compile, fit or strategy.run that
trains it, and reports it if it is built under no strategy and trained under
one that mirrors variables. Also reports an optimizer other than plain SGD: as
information where the Keras version is unknown, and not at all under Keras 2,
which accepts it.`,
	Why: `
A strategy mirrors the variables that are created under its scope, and no
others. Keras 2 raises "ValueError: Variable (...) was not created in the
distribution strategy scope of (...)", Keras 3 an AssertionError without a
message, or for an optimizer "RuntimeError: Mixing different
tf.distribute.Strategy objects". A model that creates its variables late may
escape these checks; it then trains without the strategy.`,
	Bad: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.applications.ResNet50(weights=None)
with strategy.scope():
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(dataset, epochs=10)`,
	Good: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(dataset, epochs=10)`,
	FixSafety: `
Unsafe: the variables become the strategy's. A program that failed then trains.
One that trained without the strategy then trains each GPU on its part of every
batch.`,
	Limitations: `
Tests are not checked. A model from outside the project, or a strategy of
unknown kind, is not judged.`,
	References: []rule.Reference{
		rule.API("tf.distribute.Strategy#scope"),
		rule.Guide("distributed_training", "Distributed training with TensorFlow"),
	},
	Triggers: []string{"scope()", ".run("},
	Imported: true,
	Check:    checkScope,
}

func checkScope(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return // it may record, or build, what is expected to fail
	}
	program, info := p.File.Flow(), p.File.Names()
	if !program.Any(func(e *flow.Event) bool {
		return e.Effects.Has(effects.EntersStrategy) || e.Effects.Has(effects.AppliesGradients) && runBy(info, e) >= 0
	}) || entersOtherwise(info) {
		return
	}
	c := &scopeChecker{strategiesOf(p), p.File.Releases().RunningKeras()}
	for t, e := range program.Events() {
		switch {
		case e.Effects.Has(effects.CompilesModel | effects.Trains):
			c.trained(t, e)
		case e.Effects.Has(effects.AppliesGradients):
			c.applied(t, e)
		}
	}
}

const strategyRun = "tensorflow.distribute.Strategy.run"

// runBy returns the index of the call on the path to an event by which a strategy runs it, or -1.
func runBy(info *names.Info, e *flow.Event) int {
	return slices.IndexFunc(e.Path, func(call syntax.Node) bool { return info.Callee(call) == strategyRun })
}

// A scopeChecker compares where a model is built with the strategy under which it trains.
type scopeChecker struct {
	*strategies
	version int // of Keras, or 0
}

// trained checks a model that is compiled or fitted.
func (c *scopeChecker) trained(t *flow.Trace, e *flow.Event) {
	with := e.Strategy
	model := e.DefiningExpr(c.info, receiver(e.Node))
	if with.Valid() && c.mirrors(with) {
		if c.outside(t, e, model, effects.BuildsModel|effects.LoadsModel) {
			verb := "trained"
			if e.Effects.Has(effects.CompilesModel) {
				verb = "compiled"
			}
			c.reportModel(model, with, verb+" inside it", "Variable (...) was not created in the distribution strategy scope", "an AssertionError")
		}
	} else if with = c.scopeOf(t, e, model); !with.Valid() {
		return
	}
	if e.Effects.Has(effects.CompilesModel) {
		c.optimizer(t, e, names.Argument(e.Node, 0, "optimizer"), with)
	}
}

// applied checks the model and the optimizer of a training step that a strategy runs.
func (c *scopeChecker) applied(t *flow.Trace, e *flow.Event) {
	i := runBy(c.info, e)
	if i < 0 || !c.concrete(receiver(e.Path[i])) {
		return
	}
	c.optimizer(t, e, receiver(e.Node), e.Path[i])
	e.Node.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Attribute && strings.HasPrefix(n.Child(syntax.FieldAttribute).Text(), "trainable_") {
			object := n.Child(syntax.FieldObject)
			if model := e.DefiningExpr(c.info, object); c.info.InstanceOf(object, "tensorflow.keras.Model") && c.outside(t, e, model, effects.BuildsModel|effects.LoadsModel) {
				const raises = "`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope()"
				c.reportModel(model, e.Path[i], "trained by it", raises, "that or an AssertionError")
			}
		}
		return true
	})
}

func (c *scopeChecker) optimizer(t *flow.Trace, e *flow.Event, n, under syntax.Node) {
	made := e.DefiningExpr(c.info, n)
	if c.version == 2 || made == n || !c.outside(t, e, made, effects.BuildsOptimizer) || c.info.Callee(made) == "tensorflow.keras.optimizers.SGD" && !names.Argument(made, 1, "momentum").Valid() {
		return
	}
	severity := rule.Warning
	if c.version != 3 {
		severity = rule.Information // Keras 2 accepts it
	}
	c.report(severity, made, under, fmt.Sprintf("This optimizer is built outside the scope of its model's strategy. The model trains under the strategy on %s: "+
		"Keras 3 raises RuntimeError: Mixing different tf.distribute.Strategy objects. Build it inside the scope.",
		c.p.Line(under, rule.Callee(made))))
}

// outside reports whether the result of a call is surely built under no strategy.
func (c *scopeChecker) outside(t *flow.Trace, e *flow.Event, made syntax.Node, what effects.Effect) bool {
	builds := c.builds(t, e, made, what)
	return len(builds) > 0 && c.p.Here(made) && !slices.ContainsFunc(builds, func(b *flow.Event) bool {
		return b.Strategy.Valid() || b.Context&flow.Uncertain != 0 || slices.ContainsFunc(append(slices.Clone(b.Path), b.Node), c.maybeInScope)
	})
}

// maybeInScope reports whether code is inside a with statement, of its own function, that
// may enter a strategy scope.
func (c *scopeChecker) maybeInScope(n syntax.Node) bool {
	for w := n.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); w.Kind() == syntax.WithStatement; w = w.Ancestor(syntax.WithStatement, syntax.FunctionDefinition) {
		for item := range w.FirstChild().Children() {
			q := c.info.Callee(manager(c.info, item))
			if !strings.HasPrefix(q, "tensorflow.") || effects.Of(q).Has(effects.EntersStrategy) {
				return true
			}
		}
	}
	return false
}

// reportModel reports a model that is built outside a strategy's scope, with the ValueError that
// Keras 2 raises, and what Keras 3 does.
func (c *scopeChecker) reportModel(made, under syntax.Node, how, keras2, keras3 string) {
	raises := "Keras 2 raises ValueError: " + keras2 + ", Keras 3 " + keras3
	switch c.version {
	case 2:
		raises = "Keras 2 raises ValueError: " + keras2
	case 3:
		raises = "Keras 3 raises " + strings.Replace(keras3, "that", "ValueError: "+keras2, 1)
	}
	c.report(rule.Warning, made, under, fmt.Sprintf("This model is built outside the scope of its strategy. The strategy is on %s, and the model is %s: its variables are not on the strategy's devices, and %s, "+
		"or it trains without the strategy. Build it inside the scope.", c.p.Line(under, rule.Callee(made)), how, raises))
}

func (c *scopeChecker) report(severity rule.Severity, made, under syntax.Node, message string) {
	span, where := rule.Callee(made), "runs under the strategy here"
	place := rule.Callee(under)
	if under.Kind() == syntax.WithStatement {
		where = "the strategy's scope"
		place = rule.Span(under.FirstChild())
	}
	c.p.ReportAs(severity, rule.Finding{
		Span:    span,
		Message: message,
		Related: []rule.Related{c.p.Related(under, place, where)},
		Fixes:   moveInto(c.p, made, under),
	})
}

// moveInto offers to move the statement that binds the result of a call, and those that continue
// it, to the beginning of a with statement that follows in its block.
func moveInto(p *rule.Pass, made, with syntax.Node) []rule.Fix {
	info := p.File.Names()
	statement := made.Parent().Parent()
	name := made.Parent().Child(syntax.FieldLeft)
	if with.Kind() != syntax.WithStatement || !p.Here(with) || made.Parent().Kind() != syntax.Assignment || statement.Kind() != syntax.ExpressionStatement ||
		name.Kind() != syntax.Identifier || statement.Parent() != with.Parent() || statement.Start() > with.Start() || !rule.Fixable(made) || !rule.Fixable(with) {
		return nil
	}
	group := []syntax.Node{statement}
	between, ok := rule.Between(statement, with)
	if !ok {
		return nil
	}
	for _, s := range between {
		call := s.FirstChild()
		switch {
		case s.Kind() == syntax.Comment:
		case s.Kind() == syntax.ExpressionStatement && call.Kind() == syntax.Call && receiver(call).Text() == name.Text():
			group = append(group, s)
		case mentions(s, name.Text()):
			return nil
		}
	}
	for _, s := range between {
		if slices.Contains(group, s) || s.Kind() == syntax.Comment {
			continue
		}
		for _, g := range group {
			if feeds(info, s, g) {
				return nil
			}
		}
	}
	first := with.Child(syntax.FieldBody).FirstChild()
	if !first.Valid() || !p.StartsLine(first) {
		return nil
	}
	old, now := p.IndentOf(statement), p.IndentOf(first)
	var edits []source.Edit
	text := ""
	for _, g := range group {
		lines := p.Lines(g)
		if g == statement {
			lines.Start = p.CommentsAbove(g)
		}
		moved := p.File.Source.Slice(lines)
		if !p.StartsLine(g) || !p.EndsLine(g) || p.Cell(g.Start()) != p.Cell(first.Start()) || severalLines(g) || !strings.HasPrefix(now, old) {
			return nil
		}
		for line := range strings.Lines(moved) {
			if strings.TrimSpace(line) != "" {
				line = now + strings.TrimPrefix(line, old)
			}
			text += line
		}
		edits = append(edits, source.Edit{Span: lines})
	}
	at := source.LineStart(p.File.Source.Text(), first.Start())
	edits = append(edits, source.Insert(at, text))
	return rule.OneFix("Build it inside the strategy's scope", rule.Unsafe, edits...)
}

// mentions reports whether a name occurs anywhere in a statement.
func mentions(s syntax.Node, name string) bool {
	found := false
	s.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && n.Text() == name
		return !found
	})
	return found
}

// feeds reports whether a statement may give a value to a name that another reads.
func feeds(info *names.Info, s, reader syntax.Node) bool {
	found := false
	reader.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			if scope := info.Lookup(n); scope != nil {
				found = found || slices.ContainsFunc(scope.Bindings(n.Text()), func(b *names.Binding) bool { return b.Node.Within(s) })
			}
		}
		return !found
	})
	return found
}

// severalLines reports whether a string in a statement spans several lines. Another indentation
// would change it.
func severalLines(s syntax.Node) bool {
	found := false
	s.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.String && strings.ContainsAny(n.Text(), "\r\n")
		return !found
	})
	return found
}
