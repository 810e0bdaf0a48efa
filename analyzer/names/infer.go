package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Type is the class of an expression's value: a class of a library or of the program. The zero
// Type is unknown.
type Type struct {
	Class string // qualified
	Local *Class
}

// Known reports whether t is not the zero Type.
func (t Type) Known() bool { return t != Type{} }

// TypeOf returns the class of an expression's value, or the zero Type.
func (in *Info) TypeOf(n syntax.Node) Type {
	in = in.home(n)
	switch n.Kind() {
	case syntax.Identifier, syntax.Attribute, syntax.Call, syntax.ParenthesizedExpression,
		syntax.ConditionalExpression, syntax.NamedExpression, syntax.Await:
	default:
		return Type{}
	}
	p, f := in.part(n), in.fact(n)
	switch f.typed {
	case 0:
	case unknownType:
		return Type{}
	default:
		return p.kinds[f.typed-2]
	}
	f.typed = unknownType // the answer for a circular definition
	complete := false
	defer func() {
		if !complete {
			f.typed = 0
		}
	}()
	defer in.Enter(n).Leave()
	t := in.typeNew(n)
	if complete = true; t.Known() {
		p.kinds = append(p.kinds, t)
		f.typed = int32(len(p.kinds)) + 1
	}
	return t
}

func (in *Info) typeNew(n syntax.Node) Type {
	switch n.Kind() {
	case syntax.ParenthesizedExpression, syntax.Await:
		return in.TypeOf(n.FirstChild())
	case syntax.NamedExpression:
		return in.TypeOf(n.Child(syntax.FieldValue))
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		other := value.Next().Next()
		if t := in.TypeOf(value); t == in.TypeOf(other) {
			return t
		}
	case syntax.Call:
		return in.typeOfCall(n)
	case syntax.Identifier:
		bindings := in.ReachingDefs(n)
		if len(bindings) == 0 && len(in.stars) > 0 {
			return in.starred(n.Text()).typeOf()
		}
		return in.agreed(bindings)
	case syntax.Attribute:
		return in.typeOfAttribute(n)
	}
	return Type{}
}

func (in *Info) typeOfAttribute(n syntax.Node) Type {
	t, name := in.TypeOf(n.Child(syntax.FieldObject)), n.Child(syntax.FieldAttribute).Text()
	if in.rebound[name] {
		return Type{}
	}
	if t.Local == nil {
		if m := in.ModuleOf(n.Child(syntax.FieldObject)); m != nil && !m.rebound[name] {
			return m.export(name).typeOf()
		}
		return Type{}
	}
	for _, c := range t.Local.ancestry() {
		if bindings := c.attribute(name); len(bindings) > 0 {
			return c.Info.agreed(bindings)
		}
		if f := c.Methods[name]; f != nil {
			if f.isProperty() {
				return c.Info.typeOfReturns(f)
			}
			return Type{}
		}
	}
	return Type{}
}

// InstanceOf reports whether an expression's value is an instance of a library class, or of a
// class of the program that inherits from it.
func (in *Info) InstanceOf(n syntax.Node, class string) bool {
	t := in.TypeOf(n)
	return in.IsA(t.Class, class) || t.Local != nil && in.Inherits(t.Local, class)
}

// MayBeMethodOf reports whether an attribute that is called may be a method of a library class. It
// is not if its object is known to be of another class, or to have its own method of that name.
func (in *Info) MayBeMethodOf(class string, function syntax.Node) bool {
	if in.Target(function).Function != nil {
		return false
	}
	return in.MayBe(function.Child(syntax.FieldObject), class)
}

// MayBe reports whether an expression's value may be an instance of a library class: it is not known
// to be one of another.
func (in *Info) MayBe(n syntax.Node, class string) bool {
	return !in.TypeOf(n).Known() || in.InstanceOf(n, class)
}

func (in *Info) typeOfCall(call syntax.Node) Type {
	function := call.Child(syntax.FieldFunction)
	if q := in.Qualified(function); q != "" {
		return Type{Class: in.library.Returns(q)}
	}
	target := in.resolve(function)
	if target.Class != nil {
		return Type{Local: target.Class}
	}
	if target.Library != "" {
		return Type{Class: in.library.Returns(target.Library)}
	}
	if target.Function != nil && !target.Function.Yields {
		return target.Function.Info.typeOfReturns(target.Function)
	}
	return Type{}
}

// typeOfReturns returns the type that all return statements of f agree on, or else the declared
// type.
func (in *Info) typeOfReturns(f *Function) Type {
	if t := all(in, f.Returns, in.TypeOf); t.Known() {
		return t
	}
	if declared := f.Node.Child(syntax.FieldReturnType); declared.Valid() {
		return in.annotated(declared)
	}
	return Type{}
}

// agreed returns the type that all bindings agree on, or the zero Type.
func (in *Info) agreed(bindings []*Binding) Type {
	return remembered(&in.typed, bindings, in.agreedNew)
}

// agreedNew is agreed. None is no instance: where it stands until an instance is made, what is read
// of it would raise AttributeError. A model that is restored where another binding makes one of a
// class of the program is taken for one of that class: the program saved it.
func (in *Info) agreedNew(bindings []*Binding) Type {
	isNone := func(b *Binding) bool { return b.Kind == AssignBinding && b.Value.Kind() == syntax.NoneLiteral }
	if len(bindings) > 1 && slices.ContainsFunc(bindings, isNone) {
		bindings = slices.DeleteFunc(slices.Clone(bindings), isNone)
	}
	if t := all(in, bindings, in.typeOfBinding); t.Known() || len(bindings) < 2 {
		return t
	}
	made := slices.DeleteFunc(slices.Clone(bindings), func(b *Binding) bool {
		return b.Kind == AssignBinding && b.Value.Kind() == syntax.Call && in.Qualified(b.Value.Child(syntax.FieldFunction)) == "tensorflow.keras.models.load_model"
	})
	if len(made) == len(bindings) || len(made) == 0 {
		return Type{}
	}
	if t := all(in, made, in.typeOfBinding); t.Local != nil && in.Inherits(t.Local, "tensorflow.keras.Model") {
		return t
	}
	return Type{}
}

// all returns the type that all items have, or the zero Type. If they have several classes of a
// library, it returns the nearest common base class.
func all[T any](in *Info, items []T, typeOf func(T) Type) Type {
	var t Type
	for i, item := range items {
		u := typeOf(item)
		if i == 0 {
			t = u
		} else if u != t {
			t = Type{Class: in.commonBase(t.Class, u.Class)}
		}
		if !t.Known() {
			return Type{}
		}
	}
	return t
}

func (in *Info) commonBase(a, b string) string {
	for a != "" && !in.IsA(b, a) {
		a = in.library.Base(a)
	}
	return a
}

// typeOfItem returns the type at a path of indexes into a tuple, which may be the result of a
// function of the program.
func (in *Info) typeOfItem(n syntax.Node, path []int) Type {
	defer in.Enter(n).Leave()
	switch {
	case len(path) == 0:
		return Type{}
	case n.Kind() == syntax.ParenthesizedExpression:
		return in.typeOfItem(n.FirstChild(), path)
	case n.Kind() != syntax.Call:
		return in.TypeOf(item(n, path))
	}
	f := in.resolve(n.Child(syntax.FieldFunction)).Function
	if f == nil || f.Yields || in.circles.has(n) {
		return Type{}
	}
	in.circles.push(n)
	defer in.circles.pop()
	return all(in, f.Returns, func(r syntax.Node) Type { return f.Info.typeOfItem(r, path) })
}

func (in *Info) typeOfBinding(b *Binding) Type {
	defer in.Enter(b.Node).Leave()
	switch b.Kind {
	case FromBinding:
		if _, e, _ := in.foreign(b); e.found() && in.circles.enter(b) {
			defer in.circles.leave(b)
			return e.typeOf()
		}
	case AssignBinding:
		if t := in.TypeOf(b.Value); t.Known() || !b.Annotation.Valid() {
			return t
		}
		return in.annotated(b.Annotation)
	case DeclaredBinding:
		return in.annotated(b.Annotation)
	case WithBinding:
		// The context managers that matter here (sessions, tapes, writers) yield themselves.
		return in.TypeOf(b.Value)
	case ParameterBinding:
		f := b.Scope.Func
		switch {
		case f == nil:
		case f.instance() == b.Name:
			if !f.isClassMethod() {
				return Type{Local: f.Class}
			}
		case b.Annotation.Valid() && !f.Starred(b.Name):
			return in.annotated(b.Annotation)
		}
	case UnpackBinding:
		return in.typeOfItem(b.Value, b.Path)
	}
	return Type{}
}

// Starred reports whether a parameter is *args or **kwargs.
func (f *Function) Starred(name string) bool {
	return slices.ContainsFunc(f.Params, func(p Parameter) bool { return p.Name == name && p.Star > 0 })
}

// Attribute returns the bindings of an attribute of c's instances, in c or in the classes of the
// program that it inherits from. It returns nil if the attribute may be assigned from outside.
func (in *Info) Attribute(c *Class, name string) []*Binding {
	if in.rebound[name] {
		return nil
	}
	for _, k := range c.ancestry() {
		if bindings := k.attribute(name); len(bindings) > 0 || k.Methods[name] != nil {
			return bindings
		}
	}
	return nil
}

// attribute returns the bindings of an attribute of c's instances: what the methods store on
// self, else what the body of the class binds.
func (c *Class) attribute(name string) []*Binding {
	if own := c.Attributes[name]; len(own) > 0 {
		return own
	}
	if c.Methods[name] != nil {
		return nil
	}
	return c.Scope.Bindings(name)
}

// super returns the class in whose method a super() call stands, or nil if n is no such call.
func (in *Info) super(n syntax.Node) *Class {
	function := n.Child(syntax.FieldFunction)
	if n.Kind() != syntax.Call || function.Kind() != syntax.Identifier || function.Text() != "super" || in.Lookup(function) != nil {
		return nil
	}
	for s := in.ScopeOf(n); s != nil; s = s.Parent {
		if s.Func != nil && s.Func.Class != nil {
			return s.Func.Class
		}
	}
	return nil
}
