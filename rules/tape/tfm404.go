package tape

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TapeEscapes is TFM404.
var TapeEscapes = &rule.Rule{
	Code: "TFM404", Name: "tape-escapes", Severity: rule.Warning,
	Summary: "A gradient tape escapes to a place where it outlives the step that it records.",
	What: `
Checks for tapes that are stored on self, in a list or dictionary that lives
on, or in a global variable, and for tapes that are returned to a caller that
keeps them after their last use. Two kinds are reported: persistent tapes, and
tapes from which no gradient is ever computed.`,
	Why: `
A tape keeps every tensor that the forward pass recorded, the activations of
all layers, as long as anything refers to it. On an object that is as long as
the object lives or until the next tape replaces it; in a list it is one more
forward pass with every step.`,
	Bad: `
import tensorflow as tf

class Trainer:
    def step(self, x):
        with tf.GradientTape(persistent=True) as self.tape:
            a = self.model(x)
            b = self.critic(a)
        self.update(self.tape.gradient(a, self.model.weights), self.tape.gradient(b, self.critic.weights))`,
	Good: `
import tensorflow as tf

class Trainer:
    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            a = self.model(x)
            b = self.critic(a)
        self.update(tape.gradient(a, self.model.weights), tape.gradient(b, self.critic.weights))`,
	Limitations: `
A place that is cleared, deleted or overwritten is not reported. Tapes that are
passed to code outside the project are not followed.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape"),
		rule.Guide("autodiff", "Introduction to gradients and automatic differentiation"),
	},
	Triggers: []string{"GradientTape"},
	Check:    checkEscapes,
}

func checkEscapes(p *rule.Pass) {
	for _, t := range p.File.Flow().Tapes() {
		if t.Traced() || !t.Persistent && !t.Single || t.Call.Top().HasError() {
			continue
		}
		k := keeper{p: p, info: p.File.Names(), tape: t}
		if k.look(); k.message != "" {
			p.Report(rule.Finding{Span: k.span, Message: k.message, Related: []rule.Related{p.Related(t.Call, rule.Span(t.Call), "the tape")}})
		}
	}
}

// A keeper finds the places where a tape is kept.
type keeper struct {
	p    *rule.Pass
	info *names.Info
	tape *flow.Tape

	span    source.Span
	message string
}

func (k *keeper) look() {
	t := k.tape
	if t.Target.Kind() == syntax.Attribute {
		k.attribute(t.Target, t.Target)
		return
	}
	if t.Binding == nil {
		return
	}
	given := t.Of(flow.GivesAway)
	if t.Single && (len(given) != 1 || len(t.Of(flow.TakesGradient, flow.Lends)) > 0) {
		return
	}
	if len(given) == 0 && t.Persistent && t.Binding.Scope.Kind == names.ModuleScope && k.info.ScopeOf(t.Call).Function() != nil {
		k.global()
	}
	for _, u := range given {
		if k.message != "" {
			return
		}
		k.given(u.Node)
	}
}

func (k *keeper) subject() string {
	called := name(k.tape)
	if k.tape.Target.Kind() == syntax.Attribute {
		called = "tape" // it escapes to the name that it has
	}
	if k.tape.Persistent {
		return of("persistent tape", called)
	}
	return of("tape", called)
}

// readElsewhere reports whether a method other than the one that keeps a tape in an attribute of its
// class reads it.
func (k *keeper) readElsewhere(place syntax.Node) bool {
	keeps := k.info.ScopeOf(place).Function()
	return slices.ContainsFunc(k.info.Identifiers(place.Child(syntax.FieldAttribute).Text()), func(n syntax.Node) bool {
		f := k.info.ScopeOf(n).Function()
		return n.Field() == syntax.FieldAttribute && f != nil && keeps != nil && f != keeps && f.Class == keeps.Class && !isNone(n.Parent().Parent())
	})
}

// isNone reports whether a statement assigns None.
func isNone(n syntax.Node) bool {
	return n.Kind() == syntax.Assignment && n.Child(syntax.FieldRight).Kind() == syntax.NoneLiteral
}

// given checks a use that gives the tape away: what has the tape then, also by a function of the file, and
// what a caller does with it.
func (k *keeper) given(use syntax.Node) {
	value := use
	for value.Parent().Is(syntax.Tuple, syntax.ExpressionList, syntax.ParenthesizedExpression) {
		value = value.Parent()
	}
	if value.Parent().Kind() == syntax.ReturnStatement {
		k.returned(use, value)
		return
	}
	_, holders := k.p.File.Facts().Uses(use, nil, syntax.Node{})
	for _, h := range holders {
		at := use
		if !use.Within(h.Value) {
			at = h.Value // in a function that is given the tape
		}
		switch {
		case k.message != "" || !k.p.Here(h.Node):
		case h.Kind == facts.InAttribute && h.Value.Kind() == syntax.Identifier:
			k.attribute(h.Node, at)
		case h.Kind == facts.InContainer:
			k.container(h.Node, at)
		case h.Kind == facts.InGlobal && k.tape.Persistent:
			asks := func(u flow.TapeUse) bool { return u.Kind == flow.TakesGradient }
			if b := k.info.BindingAt(h.Node); b != nil && slices.ContainsFunc(k.p.File.Flow().TapeUses(b), asks) {
				k.boundTo(b, at)
			}
		}
	}
}

// attribute checks a tape on an instance of a class of the file.
func (k *keeper) attribute(place, at syntax.Node) {
	c := k.owner(place)
	if c == nil {
		return
	}
	f := k.fateOfAttribute(place.Child(syntax.FieldAttribute).Text(), place)
	switch {
	case k.tape.Persistent && !f.released:
		instead := "Use a local name, which frees the tape when the method returns."
		if k.readElsewhere(place) {
			instead = fmt.Sprintf("Set %s to None after the last gradient.", place.Text())
		}
		k.report(at, fmt.Sprintf("The %s escapes to %s and keeps every tensor it recorded. They stay until the next tape takes its place or the %s object is gone. %s",
			k.subject(), place.Text(), c.Name, instead))
	case k.tape.Single && !f.read && !f.released:
		k.report(at, fmt.Sprintf("The %s escapes to %s, and no gradient is computed from it. A gradient would free it; every tensor it recorded stays until the next tape takes its place.",
			k.subject(), place.Text()))
	}
}

// container checks a tape in a list, dictionary or set that is created empty.
func (k *keeper) container(c, at syntax.Node) {
	var f fate
	lives := false // beyond the function that fills it
	switch c.Kind() {
	case syntax.Attribute:
		owner := k.owner(c)
		if owner == nil || !emptyAttribute(owner, c.Child(syntax.FieldAttribute).Text()) {
			return
		}
		f, lives = k.fateOfAttribute(c.Child(syntax.FieldAttribute).Text(), syntax.Node{}), true
	case syntax.Identifier:
		reaching := k.info.ReachingDefs(c)
		if len(reaching) != 1 || !empty(reaching[0].Value) || reaching[0].Kind != names.AssignBinding {
			return
		}
		b := reaching[0]
		f, lives = k.fate(b, k.info.Uses(b), syntax.Node{}), b.Scope.Kind == names.ModuleScope
		f.released = f.released || released(k.info, b, syntax.Node{}) || !repeats(at, b.Node)
	default:
		return
	}
	switch {
	case f.released:
	case k.tape.Persistent && (lives || !f.read):
		k.report(at, fmt.Sprintf("The %s escapes to %s, which is never emptied. Every step adds the tensors of one more forward pass.", k.subject(), c.Text()))
	case k.tape.Single && !f.read:
		k.report(at, fmt.Sprintf("The %s escapes to %s, and no gradient is computed from it. A gradient would free it; every step adds the tensors of one more forward pass.", k.subject(), c.Text()))
	}
}

// global checks a tape that a function binds to a global name.
func (k *keeper) global() {
	if single(k.p, k.tape) || len(k.tape.Of(flow.TakesGradient, flow.Lends)) == 0 {
		return // reported by TFM402 or TFM407
	}
	k.boundTo(k.tape.Binding, k.tape.Call)
}

// boundTo reports that a function assigns the tape to a global name that nothing else binds later.
func (k *keeper) boundTo(b *names.Binding, at syntax.Node) {
	for _, other := range b.Scope.Bindings(b.Name) {
		if other != b && (other.Node.Start() > b.Node.Start() || k.info.ScopeOf(other.Node).Function() != nil) {
			return
		}
	}
	k.report(at, fmt.Sprintf("The %s escapes to a global name and keeps every tensor it recorded. They stay after its last use, until the function runs again or the process ends.", k.subject()))
}

// returned checks what the callers do with a persistent tape.
func (k *keeper) returned(use, value syntax.Node) {
	fn := k.info.ScopeOf(use).Function()
	if fn == nil || !k.tape.Persistent || len(fn.Returns) != 1 || fn.Returns[0] != value {
		return
	}
	for _, call := range k.info.CallsOf(fn) {
		statement := call.Ancestor(syntax.ExpressionStatement)
		if call.Parent().Kind() != syntax.Assignment || call.Parent().Parent() != statement {
			continue
		}
		b := k.bound(call.Parent().Child(syntax.FieldLeft), use, value)
		if b == nil {
			continue
		}
		h := heldTape(k.info, &flow.Tape{Call: call, Binding: b, Recordings: []syntax.Node{statement}, Uses: k.p.File.Flow().TapeUses(b)})
		if h == nil {
			continue
		}
		span := rule.Span(use)
		until := "until the process ends or the name is rebound"
		if h.loop.Valid() {
			until = "until the next iteration rebinds the name"
		}
		k.report(use, fmt.Sprintf("The %s escapes to the caller, which keeps every tensor it recorded. It is returned to %s, where %s keeps them after its last use on %s, %s. Delete it there, or compute the gradients here.",
			k.subject(), k.p.Line(call, span), b.Name, k.p.LineOf(h.after.Start(), span), until))
		return
	}
}

// bound returns the binding that receives the tape if a call's result is assigned, or nil.
func (k *keeper) bound(left, use, value syntax.Node) *names.Binding {
	if value != use {
		i := 0
		for c := value.FirstChild(); c.Valid() && c != use; c = c.Next() {
			i++
		}
		if !left.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) {
			return nil
		}
		left = names.Element(left, i)
	}
	if left.Kind() != syntax.Identifier {
		return nil
	}
	if b := k.info.BindingAt(left); b != nil && b.Scope == k.info.ScopeOf(left) {
		return b
	}
	return nil
}

func (k *keeper) report(at syntax.Node, message string) {
	k.span, k.message = rule.Span(at), message
}

// owner returns the class on whose instance an attribute is stored, unless the class is a context
// manager that releases what it enters.
func (k *keeper) owner(place syntax.Node) *names.Class {
	object := place.Child(syntax.FieldObject)
	local := k.info.TypeOf(object).Local
	if object.Kind() != syntax.Identifier || local == nil {
		return nil
	}
	for _, method := range []string{"__enter__", "__exit__", "__del__"} {
		if k.info.Method(local, method) != nil {
			return nil
		}
	}
	return local
}

// allAttributes is the key of the fact that lists the places of every attribute name.
type allAttributes struct{}

// attributes returns the places that name an attribute, on any object.
func (k *keeper) attributes(name string) []syntax.Node {
	return k.p.File.Fact(allAttributes{}, func() any {
		out := map[string][]syntax.Node{}
		for s := range k.info.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Attribute {
					name := n.Child(syntax.FieldAttribute).Text()
					out[name] = append(out[name], n)
				}
				return true
			})
		}
		return out
	}).(map[string][]syntax.Node)[name]
}

// A fate says what happens to what is kept in a place.
type fate struct {
	read     bool // something may read it
	released bool // it is released somewhere
}

// fate examines the expressions that stand for a place, one of which stores the tape. Facts that do
// not depend on that store are computed once per place.
func (k *keeper) fate(place any, places []syntax.Node, store syntax.Node) fate {
	all := k.p.File.Fact(fateOf{place}, func() any { return k.fates(places) }).(fates)
	return fate{read: all.read.beside(store), released: all.released.beside(store)}
}

func (k *keeper) fateOfAttribute(name string, store syntax.Node) fate {
	return k.fate(name, k.attributes(name), store)
}

// fateOf is the key of the fate of what is kept in a place: an attribute's name, or what binds a
// name.
type fateOf struct{ place any }

// fates say where the content of a place is read, and where it is released.
type fates struct{ read, released first }

// A first holds the first two of some nodes.
type first []syntax.Node

func (f *first) add(n syntax.Node) {
	if len(*f) < 2 {
		*f = append(*f, n)
	}
}

// beside reports whether there is a node other than n.
func (f first) beside(n syntax.Node) bool {
	return slices.ContainsFunc(f, func(m syntax.Node) bool { return m != n })
}

func (k *keeper) fates(places []syntax.Node) fates {
	var f fates
	for _, n := range places {
		parent := n.Parent()
		switch {
		case parent.Kind() == syntax.DeleteStatement, parent.Parent().Kind() == syntax.DeleteStatement:
			f.released.add(n)
		case parent.Kind() == syntax.Assignment && n.Field() == syntax.FieldLeft:
			if fn := k.info.ScopeOf(n).Function(); fn != nil && fn.Name != "__init__" && !k.storesTape(parent.Child(syntax.FieldRight)) {
				f.released.add(n)
			}
		case parent.Kind() == syntax.Subscript && parent.Parent().Kind() == syntax.Assignment && parent.Field() == syntax.FieldLeft:
		case parent.Kind() == syntax.Attribute && parent.Field() == syntax.FieldFunction:
			switch parent.Child(syntax.FieldAttribute).Text() {
			case "append", "add":
			case "clear", "pop", "popleft", "popitem", "remove", "discard":
				f.released.add(n)
			default:
				f.read.add(n)
			}
		case parent.Kind() == syntax.ArgumentList && parent.Parent().Child(syntax.FieldFunction).Text() == "len":
		default:
			f.read.add(n)
		}
	}
	return f
}

// storesTape reports whether the assigned value is another tape.
func (k *keeper) storesTape(value syntax.Node) bool {
	return k.info.TypeOf(value).Class == "tensorflow.GradientTape"
}

// emptyAttribute reports whether a class only ever sets an attribute to an empty container.
func emptyAttribute(c *names.Class, name string) bool {
	for _, b := range c.Attributes[name] {
		if !empty(b.Value) {
			return false
		}
	}
	return len(c.Attributes[name]) > 0
}
