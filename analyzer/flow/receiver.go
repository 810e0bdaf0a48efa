package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// receiver returns the class of the instance that a method's code runs on: the one that it is
// called on, or its own; nil in other code.
func (f *frame) receiver() *names.Class {
	if f.callee.receiver != nil {
		return f.callee.receiver
	}
	if fn := f.callee.fn; fn != nil && self(fn) != "" {
		return fn.Class
	}
	return nil
}

// self returns the name of a method's instance, or "".
func self(fn *names.Function) string {
	if fn.Class == nil || fn.IsStatic() || len(fn.Params) == 0 || fn.Params[0].Star != 0 {
		return ""
	}
	return fn.Params[0].Name
}

// ofSelf reports whether an expression is the instance that the method's code runs on.
func (f *frame) ofSelf(n syntax.Node) bool {
	fn := f.callee.fn
	return fn != nil && n.Kind() == syntax.Identifier && n.Text() == self(fn) && f.info.Lookup(n) == fn.Scope
}

// overridden returns what a method calls on its own instance, if that is of a subclass: the
// subclass may override it.
func (f *frame) overridden(function syntax.Node) names.Target {
	if f.callee.receiver == nil || function.Kind() != syntax.Attribute || !f.ofSelf(function.Child(syntax.FieldObject)) {
		return names.Target{}
	}
	return f.info.Member(f.callee.receiver, function.Child(syntax.FieldAttribute).Text())
}

// on returns the function of a target as it is called, on an instance of a subclass perhaps.
func (f *frame) on(call syntax.Node, t names.Target) callee {
	if t.Class != nil {
		return f.onClass(t.Function, t.Class) // its constructor
	}
	object := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	switch {
	case t.Function.Class == nil || !object.Valid():
		return callee{fn: t.Function}
	case f.ofSelf(object), object.Kind() == syntax.Call && object.Child(syntax.FieldFunction).Text() == "super":
		return f.onClass(t.Function, f.receiver())
	}
	return f.onClass(t.Function, f.typeOf(object).Local)
}

// onClass returns a method as it is called on an instance of a class.
func (f *frame) onClass(fn *names.Function, class *names.Class) callee {
	if fn == nil || class == nil || fn.Class == nil || class == fn.Class || !f.overrides(callee{fn, class}) {
		return callee{fn: fn}
	}
	return callee{fn, class}
}

// maxMethods bounds the methods among which an overridden one is looked for.
const maxMethods = 64

// overrides reports whether a method, called on an instance of a subclass, calls a method that the
// subclass overrides: itself, or through others that it calls on the instance.
func (f *frame) overrides(c callee) bool {
	if known, asked := f.overriding[c]; asked {
		return known
	}
	found, called := false, []*names.Function{c.fn} // and the methods that it calls, breadth first
	for i := 0; i < len(called) && i < maxMethods && !found; i++ {
		fn, instance := called[i], self(called[i])
		if instance == "" || !fn.Body.Valid() {
			continue
		}
		fn.Body.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Attribute && n.Child(syntax.FieldObject).Text() == instance {
				name := n.Child(syntax.FieldAttribute).Text()
				method := c.receiver.Info.Method(c.receiver, name)
				found = found || method != nil && method != fn.Info.Method(fn.Class, name)
				if method != nil && !slices.Contains(called, method) {
					called = append(called, method)
				}
			}
			return !found
		})
	}
	f.overriding[c] = found
	return found
}
