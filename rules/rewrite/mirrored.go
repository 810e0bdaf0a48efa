package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MirroredStrategy builds a model on every GPU.
var MirroredStrategy = &Rewrite{
	Name:  "mirrored-strategy",
	Title: "Train on all GPUs under MirroredStrategy",
	What: `
Creates a tf.distribute.MirroredStrategy and builds the model, its layers, metrics
and optimizer, up to the call of compile, under its scope. Each GPU then holds the
whole model and processes an equal share of every batch.

It is offered at a call of fit, where several GPUs are detected (--gpu can name
the file that "tfmem gpu --output-format json" printed on the machine that
trains), and where the model is built and compiled in the lines before.`,
	Changes: `
The global batch size stays the same, and so does what is computed, except for
rounding, the order of the examples, and BatchNormalization, which sees the share
of each GPU. A share needs less memory than the batch. Weights and optimizer state
are on every GPU in full, so a model that is too large for one GPU does not fit
several.`,
	Before: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=64)` + Here,
	After: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=64)`,
	Triggers: []string{"fit"},
	Check:    checkMirrored,
}

func checkMirrored(p *Place) (Change, error) {
	fit := p.method("fit")
	if !fit.Valid() {
		return Change{}, errors.New("there is no call of a Keras model's fit here; rewrite a custom training loop with strategy.run")
	}
	switch n := len(p.File.Devices()); n {
	case 0:
		return Change{}, errors.New("no GPU is detected; name the GPUs of the training machine by --gpu")
	case 1:
		return Change{}, errors.New("only one GPU is detected, where a strategy gains nothing")
	}
	if strategy := p.strategy(); strategy.Valid() {
		return Change{}, fmt.Errorf("the program has a strategy already, on %s", p.line(strategy))
	}
	compile, err := compileOf(p, fit)
	if err != nil {
		return Change{}, err
	}
	last := statement(compile)
	first, err := p.firstBuilt(fit, last)
	if err != nil {
		return Change{}, err
	}
	for _, s := range []syntax.Node{first, last} {
		if err := p.whole(s); err != nil {
			return Change{}, err
		}
	}
	if with := last.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); with.Kind() == syntax.WithStatement {
		return Change{}, fmt.Errorf("the model is built in the with statement of %s", p.line(with))
	}
	for s := first; s.Valid() && s.Start() < last.End(); s = rule.Next(s) {
		if s.HasError() {
			return Change{}, errors.New("the code here does not parse")
		}
		for e := range p.events(s) {
			if e.Effects.Has(uses) {
				return Change{}, fmt.Errorf("a model is used on %s, before this one is compiled", p.line(s))
			}
		}
		if left := exits(s); left.Valid() {
			return Change{}, fmt.Errorf("the code that builds the model ends early on %s", p.line(left))
		}
	}
	if fit.Start() < last.End() {
		return Change{}, errors.New("the model is trained before it is compiled")
	}
	if setter := p.setterAfter(first, last); setter.Valid() {
		return Change{}, fmt.Errorf("the devices are configured on %s, which must come before the strategy", p.line(setter))
	}
	tf, edits, err := p.tensorflow(first)
	if err != nil {
		return Change{}, err
	}
	free, err := p.free([]string{"strategy", "mirrored_strategy"})
	if err != nil {
		return Change{}, err
	}
	moved, err := p.indented(first, last)
	if err != nil {
		return Change{}, err
	}
	edits = append(edits, p.insertBefore(first,
		free[0]+" = "+tf+".distribute.MirroredStrategy()",
		"with "+free[0]+".scope():"))
	return Change{Edits: append(edits, moved...)}, nil
}

// strategy returns a call that creates or enters a distribution strategy, or none.
func (p *Place) strategy() syntax.Node {
	info := p.File.Names()
	for _, call := range info.Calls {
		e := effects.Lookup(info.Callee(call))
		if e != nil && (e.Effects.Has(effects.EntersStrategy|effects.UsesTPU) || info.IsA(e.Name, "tensorflow.distribute.Strategy")) {
			return call
		}
	}
	return syntax.Node{}
}

// firstBuilt returns the first statement, in the block of the call of compile, that builds a part
// of the model or the optimizer.
func (p *Place) firstBuilt(fit, last syntax.Node) (syntax.Node, error) {
	info := p.File.Names()
	model := info.ReachingDefs(fit.Child(syntax.FieldFunction).Child(syntax.FieldObject))[0]
	built := model.Node
	if model.Kind != names.AssignBinding || sibling(built, last) == (syntax.Node{}) || sibling(fit, last) == (syntax.Node{}) {
		return syntax.Node{}, errors.New("the model is not built, compiled and trained in one block of code")
	}
	first := sibling(built, last)
	seen := map[syntax.Node]bool{}
	queue := []syntax.Node{first, last}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		if s.Start() < first.Start() && p.builds(s) {
			first = s
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && n.Field() != syntax.FieldAttribute {
				for _, b := range info.ReachingDefs(n) {
					if from := sibling(b.Node, last); from.Valid() && from.Start() < s.Start() && !from.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.ImportStatement, syntax.ImportFromStatement) {
						queue = append(queue, from)
					}
				}
			}
			return true
		})
	}
	return first, nil
}

// sibling returns the statement in the block of another that contains n, or none.
func sibling(n, of syntax.Node) syntax.Node {
	if n.Tree() != of.Tree() {
		return syntax.Node{}
	}
	if !of.Parent().Valid() {
		return n.Top()
	}
	for n.Valid() && n.Parent() != of.Parent() {
		n = n.Parent()
	}
	return n
}

// builds reports whether a statement creates variables, or may.
func (p *Place) builds(s syntax.Node) bool {
	for e := range p.events(s) {
		if e.Effects.Has(effects.BuildsModel | effects.BuildsLayer | effects.LoadsModel) {
			return true
		}
	}
	info, made := p.File.Names(), false
	s.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			t := info.TypeOf(n)
			made = made || info.IsA(t.Class, "tensorflow.keras.layers.Layer") || t.Local != nil && info.Inherits(t.Local, "tensorflow.keras.layers.Layer") ||
				strings.HasPrefix(t.Class, "tensorflow.keras.metrics.") || isOptimizer(info.Callee(n)) || info.Target(n.Child(syntax.FieldFunction)).Function != nil
		}
		return !made
	})
	return made
}

// isOptimizer reports whether a name is the class of an optimizer, rather than of a learning rate
// schedule.
func isOptimizer(name string) bool {
	return effects.Of(name).Has(effects.Initialises) && strings.HasPrefix(name, "tensorflow.keras.optimizers.")
}

// setterAfter returns a call that configures devices in the statements between two given ones, or
// after them in the order of execution, or none.
func (p *Place) setterAfter(first, last syntax.Node) syntax.Node {
	within := func(n syntax.Node) bool { return p.Here(n) && first.Start() <= n.Start() && n.End() <= last.End() }
	for _, t := range p.File.Flow().Traces() {
		reached := false
		for i := range t.Events {
			e := &t.Events[i]
			reached = reached || within(e.Node) || slices.ContainsFunc(e.Path, within)
			if reached && e.Effects.Has(effects.SetsGrowth|effects.SetsVisible|effects.SetsLogical) {
				return e.Node
			}
		}
	}
	return syntax.Node{}
}
