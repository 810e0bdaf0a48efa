package tape

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
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
		k.look()
	}
}

// A keeper finds the first place where a tape is kept.
type keeper struct {
	p     *rule.Pass
	info  *names.Info
	tape  *flow.Tape
	found bool
}

func (k *keeper) look() {
	t := k.tape
	if t.Target.Kind() == syntax.Attribute {
		k.attribute(t.Target, t.Target)
		return
	}
	given := t.Of(flow.GivesAway)
	if t.Binding == nil || t.Single && (len(given) != 1 || len(t.Of(flow.TakesGradient, flow.Lends)) > 0) {
		return
	}
	// A tape with one gradient is reported by TFM402, and one without by TFM407.
	if len(given) == 0 && t.Persistent && t.Binding.Scope.Kind == names.ModuleScope && k.info.ScopeOf(t.Call).Function() != nil &&
		!single(k.p, t) && len(t.Of(flow.TakesGradient, flow.Lends)) > 0 {
		k.global(t.Binding, t.Call)
	}
	for _, u := range given {
		k.given(u.Node)
	}
}

// given checks a use that gives the tape away: what has the tape then, also by a function of the file, and
// what a caller does with it.
func (k *keeper) given(use syntax.Node) {
	if use.Ancestor(syntax.ReturnStatement, syntax.Call).Kind() == syntax.ReturnStatement {
		k.returned(use)
		return
	}
	_, holders := k.p.File.Facts().Uses(use, nil, syntax.Node{})
	for _, h := range holders {
		at := use
		if !use.Within(h.Value) {
			at = h.Value // in a function that is given the tape
		}
		switch {
		case k.found || !k.p.Here(h.Node):
		case h.Kind == facts.InAttribute && h.Value.Kind() == syntax.Identifier:
			k.attribute(h.Node, at)
		case h.Kind == facts.InContainer:
			k.container(h.Node, at)
		case h.Kind == facts.InGlobal && k.tape.Persistent:
			asks := func(u flow.TapeUse) bool { return u.Kind == flow.TakesGradient }
			if b := k.info.BindingAt(h.Node); b != nil && slices.ContainsFunc(k.p.File.Flow().TapeUses(b), asks) {
				k.global(b, at)
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
	switch read, released := k.p.File.Facts().Stays(place, place, k.isTape); {
	case released:
	case k.tape.Persistent:
		k.report(at, fmt.Sprintf("escapes to %s and keeps every tensor it recorded. They stay until the next tape takes its place or the %s object is gone. "+
			"Use a local name, or set %s to None after the last gradient.", place.Text(), c.Name, place.Text()))
	case k.tape.Single && !read:
		k.report(at, fmt.Sprintf("escapes to %s, and no gradient is computed from it. A gradient would free it; every tensor it recorded stays until the next tape takes its place.", place.Text()))
	}
}

// container checks a tape in a list, dictionary or set that is created empty.
func (k *keeper) container(c, at syntax.Node) {
	if !k.p.File.Facts().All(c, nil, func(o origins.Place, _ func(origins.Place) bool) bool { return len(o.Path) == 0 && empty(o.Node) }) {
		return
	}
	read, released := k.p.File.Facts().Stays(c, syntax.Node{}, k.isTape)
	lives := true // beyond the function that fills it
	if reaching := k.info.ReachingDefs(c); c.Kind() == syntax.Identifier && len(reaching) == 1 {
		released = released || !repeats(at, reaching[0].Node)
		lives = reaching[0].Scope.Kind == names.ModuleScope
	} else if c.Kind() != syntax.Attribute || k.owner(c) == nil {
		return
	}
	switch {
	case released:
	case k.tape.Persistent && (lives || !read):
		k.report(at, fmt.Sprintf("escapes to %s, which is never emptied. Every step adds the tensors of one more forward pass.", c.Text()))
	case k.tape.Single && !read:
		k.report(at, fmt.Sprintf("escapes to %s, and no gradient is computed from it. A gradient would free it; every step adds the tensors of one more forward pass.", c.Text()))
	}
}

// global checks a tape that a function assigns to a global name: nothing else may bind it later.
func (k *keeper) global(b *names.Binding, at syntax.Node) {
	if !slices.ContainsFunc(b.Scope.Bindings(b.Name), func(other *names.Binding) bool {
		return other != b && (other.Node.Start() > b.Node.Start() || k.info.ScopeOf(other.Node).Function() != nil)
	}) {
		k.report(at, "escapes to a global name and keeps every tensor it recorded. They stay after its last use, until the function runs again or the process ends.")
	}
}

// returned checks what the callers do with a persistent tape.
func (k *keeper) returned(use syntax.Node) {
	uses, _ := k.p.File.Facts().Uses(use, nil, syntax.Node{})
	for _, u := range uses {
		reaching := k.info.ReachingDefs(u.Node)
		if !k.tape.Persistent || u.Part != facts.Whole || len(reaching) != 1 || reaching[0].Value.Kind() != syntax.Call {
			continue
		}
		b := reaching[0]
		statement := b.Value.Ancestor(syntax.ExpressionStatement)
		h := heldTape(k.info, &flow.Tape{Call: b.Value, Binding: b, Recordings: []syntax.Node{statement}, Uses: k.p.File.Flow().TapeUses(b)})
		if h == nil || b.Value.Parent().Parent() != statement {
			continue
		}
		until, span := "until the process ends or the name is rebound", rule.Span(use)
		if h.loop.Valid() {
			until = "until the next iteration rebinds the name"
		}
		k.report(use, fmt.Sprintf("escapes to the caller, which keeps every tensor it recorded. It is returned to %s, where %s keeps them after its last use on %s, %s. Delete it there, or compute the gradients here.",
			k.p.Line(b.Value, span), b.Name, k.p.LineOf(h.after.Start(), span), until))
		return
	}
}

// report reports what the tape does, at the place from which something keeps it.
func (k *keeper) report(at syntax.Node, does string) {
	word, called := "tape", "tape" // an attribute is named as the place
	if k.tape.Persistent {
		word = "persistent tape"
	}
	if k.tape.Target.Kind() != syntax.Attribute {
		called = name(k.tape)
	}
	k.found = true
	k.p.Report(rule.Finding{Span: rule.Span(at), Message: fmt.Sprintf("The %s %s", of(word, called), does), Related: []rule.Related{k.p.Related(k.tape.Call, rule.Span(k.tape.Call), "the tape")}})
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

func (k *keeper) isTape(n syntax.Node) bool {
	return k.info.TypeOf(n).Class == "tensorflow.GradientTape"
}
