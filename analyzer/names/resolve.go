package names

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Target is the function of the program that a call runs.
type Target struct {
	Function *Function
	// Class is set if the call makes an instance. Function is then its __init__, if it has one;
	// within this package it is nil.
	Class *Class
	// Compiled is set if the call goes through tf.function. By is the call of tf.function, or
	// none if there may be several.
	Compiled bool
	By       syntax.Node
	// Wrapped is set if the call goes through an unknown wrapper.
	Wrapped bool
	// Library is the qualified name outside the program that the call runs through
	// functools.partial. The call passes only some of its arguments.
	Library string
}

// Target finds the function of the program that runs when an expression is called. The zero
// Target means that it is unknown, or outside of the program.
func (in *Info) Target(function syntax.Node) Target {
	in = in.home(function)
	return in.withInit(in.resolve(function))
}

// Member returns what a call of an attribute runs, on an instance of a class of the program.
func (in *Info) Member(c *Class, name string) Target {
	return in.withInit(in.resolveMember(c.ancestry(), name))
}

func (in *Info) withInit(t Target) Target {
	if t.Class != nil {
		t.Function = in.Method(t.Class, "__init__")
	}
	return t
}

func (in *Info) localClass(n syntax.Node) *Class { return in.resolve(n).Class }

// resolve finds what an expression stands for in the program. It caches only outermost answers:
// an inner one may be part of a circle.
func (in *Info) resolve(n syntax.Node) Target {
	switch n.Kind() {
	case syntax.ParenthesizedExpression, syntax.Lambda, syntax.Identifier, syntax.Attribute, syntax.Call:
	default:
		return Target{}
	}
	keep := len(in.circles.nodes) == 0 && n.Tree() == in.Tree
	if keep {
		switch known := in.fact(n).target; known {
		case 0:
		case noTarget:
			return Target{}
		default:
			return in.part(n).targets[known-2]
		}
	}
	if in.circles.has(n) || len(in.circles.nodes) > mostFollowed {
		return Target{}
	}
	t := in.resolveOnce(n)
	if keep {
		p, f := in.part(n), in.fact(n)
		f.target = noTarget
		if t != (Target{}) {
			p.targets = append(p.targets, t)
			f.target = int32(len(p.targets)) + 1
		}
	}
	return t
}

func (in *Info) resolveOnce(n syntax.Node) Target {
	in.circles.push(n)
	defer in.circles.pop()
	defer in.Enter(n).Leave()
	return in.resolveNew(n)
}

func (in *Info) resolveNew(n syntax.Node) Target {
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.resolve(n.FirstChild())
	case syntax.Lambda:
		return Target{Function: in.FunctionAt(n)}
	case syntax.Identifier:
		if c := in.classParameter(n); c != nil {
			return Target{Class: c}
		}
		bindings := in.ReachingDefs(n)
		if len(bindings) == 0 && len(in.stars) > 0 {
			return in.starred(n.Text()).resolve()
		}
		return in.resolveBindings(bindings)
	case syntax.Attribute:
		return in.resolveAttribute(n)
	case syntax.Call:
		return in.resolveWrapper(n)
	}
	return Target{}
}

// resolveBindings finds what all bindings stand for. It caches outermost answers for long lists:
// an attribute may be assigned and used any number of times.
func (in *Info) resolveBindings(bindings []*Binding) Target {
	if len(in.circles.nodes) > 1 {
		return in.agreedTarget(bindings)
	}
	return remembered(&in.stand, bindings, in.agreedTarget)
}

func (in *Info) agreedTarget(bindings []*Binding) Target {
	var found Target
	for i, b := range bindings {
		var t Target
		switch b.Kind {
		case FunctionBinding:
			t.Function = b.Func
		case ClassBinding:
			t.Class = b.Class
		case AssignBinding, UnpackBinding:
			t = in.resolve(valueOf(b))
		case ImportBinding, FromBinding:
			t = in.imported(b)
		}
		switch {
		case i == 0:
			found = t
		case t.Function != found.Function || t.Class != found.Class || t.Library != found.Library:
			return Target{}
		case t.Compiled != found.Compiled:
			found.Wrapped = true // compiled on some paths
		case t.By != found.By:
			found.By = syntax.Node{}
		}
	}
	return found
}

// imported finds what a from-import takes from another module of the program.
func (in *Info) imported(b *Binding) Target {
	defer in.Enter(b.Node).Leave()
	if _, e, _ := in.foreign(b); e.found() && in.circles.enter(b) {
		defer in.circles.leave(b)
		return e.resolve()
	}
	return Target{}
}

func split(qualified string) (module, name string) {
	for i := len(qualified) - 1; i >= 0; i-- {
		if qualified[i] == '.' {
			if i > 0 && qualified[i-1] != '.' {
				return qualified[:i], qualified[i+1:]
			}
			return qualified[:i+1], qualified[i+1:]
		}
	}
	return "", qualified
}

func (in *Info) resolveAttribute(n syntax.Node) Target {
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
	if t := in.TypeOf(object); t.Local != nil {
		return in.resolveMember(t.Local.ancestry(), name)
	}
	if c := in.super(object); c != nil {
		return in.resolveMember(c.ancestry()[1:], name)
	}
	if c := in.localClass(object); c != nil {
		return Target{Function: in.Method(c, name)}
	}
	// A function of an imported module of the program: helper.function.
	if m := in.ModuleOf(object); m != nil {
		t := m.export(name).resolve()
		t.Wrapped = t.Wrapped || in.rebound[name]
		return t
	}
	return Target{}
}

// resolveMember finds an attribute of an instance in the first of the classes that has it.
func (in *Info) resolveMember(classes []*Class, name string) Target {
	for _, c := range classes {
		if bindings := c.attribute(name); len(bindings) > 0 {
			t := c.Info.resolveBindings(bindings)
			t.Wrapped = t.Wrapped || in.rebound[name]
			return t
		}
		if f := c.Methods[name]; f != nil {
			return Target{Function: f, Wrapped: in.rebound[name]}
		}
	}
	return Target{}
}

// classParameter returns the class that the first parameter of a class method stands for, or nil.
func (in *Info) classParameter(n syntax.Node) *Class {
	found := in.lookup(n)
	if len(found.bindings) != 1 {
		return nil
	}
	if f := found.scope.Func; f != nil && f.Class != nil && f.instance() == found.name && f.isClassMethod() {
		return f.Class
	}
	return nil
}

// resolveWrapper looks through calls that return a function which runs another: tf.function,
// functools.partial.
func (in *Info) resolveWrapper(call syntax.Node) Target {
	switch in.Callee(call) {
	case "tensorflow.function":
		t := in.resolve(Argument(call, 0, "func"))
		t.Compiled, t.By = true, call
		return t
	case "functools.partial":
		argument := Argument(call, 0, "func")
		if q := in.Qualified(argument); q != "" {
			return Target{Library: q}
		}
		return in.resolve(argument)
	case "":
		// tf.function(jit_compile=True)(step)
		if maker := call.Child(syntax.FieldFunction); maker.Kind() == syntax.Call && in.Callee(maker) == "tensorflow.function" {
			t := in.resolve(Argument(call, 0, "func"))
			t.Compiled, t.By = true, maker
			return t
		}
		// A factory of the program: what its returns stand for.
		t := in.resolve(call.Child(syntax.FieldFunction))
		if t.Function == nil || len(t.Function.Returns) != 1 {
			return Target{}
		}
		return t.Function.Info.resolve(t.Function.Returns[0])
	}
	return Target{}
}
