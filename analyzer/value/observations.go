package value

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Observations are what a run told of values. They count where the text says nothing, and nobody
// else does.
type Observations struct {
	of      func(module *names.Info) *observed.Current // nil for nothing
	modules map[*names.Info]*observed.Current
	order   []*names.Info
	uses    []ObservationUse
	used    map[string]int
}

// An ObservationUse is an observation that the evaluation came to.
type ObservationUse struct {
	What string // "x_train", "args.batch_size"
	Said string // "(60000, 28, 28) uint8"
	At   syntax.Node
	// Wrong is why it cannot be so, a sentence; empty if it was taken.
	Wrong string
}

// Set sets what is known of a module.
func (o *Observations) Set(of func(module *names.Info) *observed.Current) { o.of = of }

// Silent reports whether no run told anything.
func (o *Observations) Silent() bool { return o.of == nil }

// Uses are the observations that the evaluation came to, in order.
func (o *Observations) Uses() []ObservationUse { return o.uses }

// An Outdated is what a run told of a module and its text does not bear out any more.
type Outdated struct {
	Module      *names.Info
	Lost, Total int
	First       observed.Lost // of which the name is still there, if one is
}

// Outdated returns the modules that ran of which not all holds any more.
func (o *Observations) Outdated() (out []Outdated) {
	for _, module := range o.order {
		c := o.modules[module]
		if c == nil || len(c.Lost) == 0 {
			continue
		}
		first := max(slices.IndexFunc(c.Lost, func(l observed.Lost) bool { return l.At.Valid() }), 0)
		out = append(out, Outdated{module, len(c.Lost), c.Total, c.Lost[first]})
	}
	return out
}

// current returns the observations of a module, or nil.
func (o *Observations) current(module *names.Info) *observed.Current {
	if o.of == nil {
		return nil
	}
	c, known := o.modules[module]
	if !known {
		if o.modules == nil {
			o.modules = map[*names.Info]*observed.Current{}
		}
		c = o.of(module)
		o.modules[module], o.order = c, append(o.order, module)
	}
	return c
}

// Use records the first use of an observation, or the first in which it is wrong.
func (o *Observations) Use(use ObservationUse) {
	key := fmt.Sprint(use.What, "\x00", use.Said)
	if i, noted := o.used[key]; noted {
		if o.uses[i].Wrong == "" && use.Wrong != "" {
			o.uses[i] = use
		}
		return
	}
	if o.used == nil {
		o.used = map[string]int{}
	}
	o.used[key] = len(o.uses)
	o.uses = append(o.uses, use)
}

// ObservedName returns what a target is bound to: the value, or what a run told of it.
func (in *Interp) ObservedName(target syntax.Node, v Value) Value {
	c := in.observations(target)
	if c == nil {
		return v
	}
	b := in.Info().BindingAt(target)
	if b == nil || b.Scope == nil {
		return v
	}
	function, name := observed.PathOf(b.Scope), target.Text()
	if !c.Has(function, name) {
		return v
	}
	statement := observed.Binder(target)
	found, called := in.ofRun(c.Names(function, name, observed.TextOf(statement)), b.Scope)
	return in.observe(found, called, name, target, v)
}

// ObservedAttribute is [Interp.ObservedName] for an attribute that a method sets on its own instance.
func (in *Interp) ObservedAttribute(target syntax.Node, v Value) Value {
	c := in.observations(target)
	if c == nil {
		return v
	}
	scope := in.Info().ScopeOf(target)
	for scope != nil && (scope.Func == nil || scope.Func.Class == nil) {
		scope = scope.Parent
	}
	if scope == nil || len(scope.Func.Params) == 0 || target.Child(syntax.FieldObject).Text() != scope.Func.Params[0].Name {
		return v
	}
	class, name := observed.PathOf(scope.Func.Class.Scope), "self."+target.Child(syntax.FieldAttribute).Text()
	if !c.Has(class, name) {
		return v
	}
	found := c.Names(class, name, observed.TextOf(observed.Binder(target)))
	return in.observe(found, false, name, target, v)
}

// ObservedParameter returns what a parameter of a call is: what is passed, or what a run told of it.
func (in *Interp) ObservedParameter(fr *Frame, f *Func, parameter string, v Value) Value {
	c := in.Observed.current(fr.Info)
	if c == nil || in.HostMuted > 0 {
		return v
	}
	function := observed.PathOf(f.Def.Scope)
	if !c.Has(function, parameter) {
		return v
	}
	outer := in.Frame
	in.Frame = fr
	defer func() { in.Frame = outer }()
	found, called := in.ofRun(c.Names(function, parameter, observed.TextOf(f.Def.Node)), f.Def.Scope)
	return in.observe(found, called, parameter, f.Def.Node, v)
}

// observations returns those of the running module, or nil if none may be taken.
func (in *Interp) observations(target syntax.Node) *observed.Current {
	if in.HostMuted > 0 || in.Observed.Silent() || target.Tree() != in.Info().Tree {
		return nil
	}
	return in.Observed.current(in.Info())
}

// ofRun returns the observations that are of the running call of a function, which another statement
// than that of the run may have called, and whether a statement is known to have called it.
func (in *Interp) ofRun(found []*observed.Name, scope *names.Scope) (of []*observed.Name, called bool) {
	site := ""
	for f := in.Frame; f != nil; f = f.Outer {
		if f.Scope == scope && f.Call != nil && f.Site.Kind() == syntax.Call {
			site = observed.TextOf(observed.StatementOf(f.Site))
		}
	}
	for _, n := range found {
		if n.Called == "" || site == "" || observed.Same(n.Called, site) {
			of = append(of, n)
		}
	}
	return of, site != ""
}

// observe returns a value with what a run told of it. Where several calls had several values,
// nothing is known of this one.
func (in *Interp) observe(found []*observed.Name, called bool, name string, at syntax.Node, v Value) Value {
	if len(found) == 0 {
		return v
	}
	for _, other := range found[1:] {
		if !other.Value.Equal(found[0].Value) {
			return v
		}
	}
	loop := at.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
	sure := len(found[0].Bound) == 1 && (!loop.Valid() || loop.Kind() == syntax.FunctionDefinition && found[0].Called != "" && called)
	return in.Host.Observed(in, name, at, found[0].Value, v, sure)
}

// ObservedStep returns a training step as a run traced it, or nil. It must not depend on a module that
// says something else now.
func (in *Interp) ObservedStep(call syntax.Node) *observed.Step {
	o := in.ObservedCall(call)
	if o == nil || o.Step == nil || o.Step.Graph == "" {
		return nil
	}
	for _, module := range in.Observed.order {
		if c := in.Observed.modules[module]; c != nil && c.Changed {
			return nil
		}
	}
	return o.Step
}

// ObservedCall returns what a run told of a call, or nil.
func (in *Interp) ObservedCall(call syntax.Node) *observed.Call {
	if !call.Valid() || in.Observed.Silent() {
		return nil
	}
	for f := in.Frame; f != nil; f = f.Caller {
		if f.Info.Tree == call.Tree() {
			if c := in.Observed.current(f.Info); c != nil {
				return c.Call(f.Info, call)
			}
			return nil
		}
	}
	return nil
}
