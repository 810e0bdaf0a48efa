// Package tape holds the rules about gradient tapes: what they keep, and for
// how long.
package tape

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PersistentTapeHeld is TFM401.
var PersistentTapeHeld = &rule.Rule{
	Code: "TFM401", Name: "persistent-tape-held", Severity: rule.Warning,
	Summary: "A persistent gradient tape stays alive after its last use, at module level or in a loop.",
	What: `
Looks for tf.GradientTape(persistent=True) whose name is neither deleted nor
bound again after the last gradient is taken, where code goes on running: at the
level of a module, and in the body of a loop. A tape that is local to a function
is freed when the function returns and is left alone, and so is a tape that is
not persistent: it frees itself when its gradient is taken.`,
	Why: `
A persistent tape keeps every tensor that the forward pass recorded, the
activations of all layers, for as long as the tape itself lives. In a loop that
is until the next turn binds the name again, through the optimizer's update and
everything after it; at module level it is until the process ends.`,
	Bad: `
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
print(train(dz_dx, dy_dx))`,
	Good: `
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
del tape
print(train(dz_dx, dy_dx))`,
	FixSafety: `
Safe: the tape is deleted after the last place that uses it.`,
	Triggers: []string{"persistent"},
	Check:    checkHeld,
}

func checkHeld(p *rule.Pass) {
	info := p.File.Names()
	compiled := compiledTapes(p)
	for _, call := range info.Calls {
		if info.Callee(call) != "tensorflow.GradientTape" || names.Argument(call, 0, "persistent").Kind() != syntax.True || compiled[call] {
			continue
		}
		if t := heldTape(info, call); t != nil {
			report(p, t)
		}
	}
}

// compiledTapes are the tapes that tf.function only traces: there a tape lives
// while the function is traced, not while it runs.
func compiledTapes(p *rule.Pass) map[syntax.Node]bool {
	out := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			if e := &t.Events[i]; e.Effects.Has(effects.StartsTape) && e.Context&(flow.Compiled|flow.Uncertain) != 0 {
				out[e.Node] = true
			}
		}
	}
	return out
}

// A held tape, and why.
type held struct {
	call  syntax.Node
	with  syntax.Node
	name  string
	loop  syntax.Node // around the with, in the same function, or none
	after syntax.Node // the statement with its last use, in the block of with
}

// heldTape tells whether the tape that a call makes outlives its last use.
func heldTape(info *names.Info, call syntax.Node) *held {
	with := call.Ancestor(syntax.WithStatement, syntax.FunctionDefinition, syntax.Block)
	if with.Kind() != syntax.WithStatement {
		return nil
	}
	b := boundBy(info, with, call)
	if b == nil {
		return nil
	}
	t := &held{call: call, with: with, name: b.Name, loop: with.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda)}
	if t.loop.Is(syntax.FunctionDefinition, syntax.Lambda) {
		return nil // freed when the function returns
	}
	uses := info.Uses(b)
	if len(uses) == 0 || released(b, t.loop) {
		return nil
	}
	block := with.Parent()
	for _, use := range uses {
		if escapes(use) || info.ScopeOf(use) != b.Scope && !sameFunction(info, use, b) {
			return nil
		}
		statement := rule.StatementIn(use, block)
		if !statement.Valid() {
			return nil // used outside the block, where it may not be bound
		}
		if !t.after.Valid() || statement.Start() > t.after.Start() {
			t.after = statement
		}
	}
	if !goesOn(t) {
		return nil
	}
	return t
}

func sameFunction(info *names.Info, use syntax.Node, b *names.Binding) bool {
	return info.ScopeOf(use).Function() == b.Scope.Function()
}

// boundBy is the binding that "with call as name" makes.
func boundBy(info *names.Info, with, call syntax.Node) *names.Binding {
	pattern := call.Parent()
	if pattern.Kind() != syntax.AsPattern {
		return nil
	}
	target := pattern.FirstChild().Next()
	name := target.FirstChild()
	if name.Kind() != syntax.Identifier {
		return nil
	}
	for s := info.ScopeOf(with); s != nil; s = s.Parent {
		for _, b := range s.Bindings(name.Text()) {
			if b.Node == name {
				return b
			}
		}
	}
	return nil
}

// released tells whether the name is deleted or bound again after the tape, in
// the same turn of the loop where there is one.
func released(b *names.Binding, loop syntax.Node) bool {
	for _, other := range b.Scope.Bindings(b.Name) {
		if other.Node.Start() > b.Node.Start() && (!loop.Valid() || other.Node.Within(loop)) {
			return true
		}
	}
	return false
}

// escapes tells whether a use hands the tape on to where it may be kept: only
// its own methods, and an argument named tape, do not.
func escapes(use syntax.Node) bool {
	parent := use.Parent()
	switch parent.Kind() {
	case syntax.Attribute:
		return parent.Child(syntax.FieldAttribute).Text() == "reset" || parent.Parent().Kind() != syntax.Call
	case syntax.KeywordArgument:
		return parent.Child(syntax.FieldName).Text() != "tape"
	}
	return true
}

// goesOn tells whether anything is called after the last use while the tape is
// still held.
func goesOn(t *held) bool {
	if t.loop.Valid() && following(t.after) {
		return true
	}
	for n := t.after; n.Valid(); n = n.Parent() {
		if n.Is(syntax.FunctionDefinition, syntax.Lambda) {
			return false
		}
		if following(n) {
			return true
		}
	}
	return false
}

// following tells whether a statement after n in its block calls anything.
func following(n syntax.Node) bool {
	if n.Parent().Valid() {
		for s := n.Next(); s.Valid(); s = s.Next() {
			if calls(s) {
				return true
			}
		}
		return false
	}
	for s := range n.Tree().Statements() {
		if s.Start() > n.Start() && calls(s) {
			return true
		}
	}
	return false
}

// calls tells whether a statement calls anything that may need memory: to print
// what is there already does not.
func calls(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Call {
			switch m.Child(syntax.FieldFunction).Text() {
			case "print", "len", "str", "repr", "type", "display", "format", "round", "float", "int":
			default:
				found = true
			}
		}
		return !found && !m.Is(syntax.FunctionDefinition, syntax.ClassDefinition)
	})
	return found
}

func report(p *rule.Pass, t *held) {
	until := "until the process ends, or the name is bound again"
	if t.loop.Valid() {
		until = "until the next turn of the loop binds the name again"
	}
	line := p.LineOf(t.after.End(), rule.Span(t.call))
	f := rule.Finding{
		Span: rule.Span(t.call),
		Message: fmt.Sprintf("The persistent tape %s keeps every tensor it recorded after its last use on %s, %s.",
			t.name, line, until),
	}
	if rule.Mendable(t.after) && p.StartsLine(t.after) && p.EndsLine(t.after) {
		end := p.LineEnd(t.after)
		f.Fixes = []rule.Fix{{
			Message:       fmt.Sprintf("Delete %s after its last use", t.name),
			Applicability: rule.Safe,
			Edits:         []source.Edit{{Span: source.Span{Start: end, End: end}, New: p.Newline() + p.IndentOf(t.after) + "del " + t.name}},
		}}
	}
	p.Report(f)
}
