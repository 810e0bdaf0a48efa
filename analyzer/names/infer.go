package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// A Type is the class an expression's value is an instance of: a library's or
// one of the program's own. The zero Type is unknown.
type Type struct {
	Class string // qualified
	Local *Class
}

// Known tells whether t is not the zero Type.
func (t Type) Known() bool { return t != Type{} }

// TypeOf is the class of an expression's value, or unknown.
func (in *Info) TypeOf(n syntax.Node) Type {
	switch n.Kind() {
	case syntax.Identifier, syntax.Attribute, syntax.Call, syntax.ParenthesizedExpression,
		syntax.ConditionalExpression, syntax.NamedExpression, syntax.Await:
	default:
		return Type{}
	}
	if t, ok := in.types[n]; ok {
		return t
	}
	in.types[n] = Type{} // what a definition that goes in a circle gets
	t := in.typeNew(n)
	in.types[n] = t
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
		return in.agreed(in.Reaching(n))
	case syntax.Attribute:
		if t := in.TypeOf(n.Child(syntax.FieldObject)); t.Local != nil {
			name := n.Child(syntax.FieldAttribute).Text()
			for _, c := range in.ancestry(t.Local) {
				if bindings := c.Attributes[name]; len(bindings) > 0 {
					return c.Info.agreed(bindings)
				}
			}
		}
	}
	return Type{}
}

func (in *Info) typeOfCall(call syntax.Node) Type {
	function := call.Child(syntax.FieldFunction)
	if q := in.Qualified(function); q != "" {
		return Type{Class: in.library.Returns(q)}
	}
	target := in.resolve(function)
	if target.class != nil {
		return Type{Local: target.class}
	}
	if target.function != nil && !target.function.Yields {
		return target.function.Info.typeOfReturns(target.function)
	}
	return Type{}
}

func (in *Info) typeOfReturns(f *Function) Type {
	var t Type
	for i, r := range f.Returns {
		if !r.Valid() {
			return Type{}
		}
		u := in.TypeOf(r)
		if i > 0 && u != t {
			return Type{}
		}
		t = u
	}
	return t
}

// agreed is the type that all bindings give, or unknown.
func (in *Info) agreed(bindings []*Binding) Type {
	var t Type
	for i, b := range bindings {
		u := in.typeOfBinding(b)
		if !u.Known() || i > 0 && u != t {
			return Type{}
		}
		t = u
	}
	return t
}

func (in *Info) typeOfBinding(b *Binding) Type {
	switch b.Kind {
	case AssignBinding:
		return in.TypeOf(b.Value)
	case WithBinding:
		// The context managers that matter here (sessions, tapes, writers) yield
		// themselves.
		return in.TypeOf(b.Value)
	case ParameterBinding:
		if f := b.Scope.Func; f != nil && f.Class != nil && len(f.Params) > 0 && f.Params[0].Name == b.Name && !f.IsStatic() {
			return Type{Local: f.Class}
		}
		if b.Annotation.Valid() {
			return in.annotated(b.Annotation.FirstChild())
		}
	case UnpackBinding:
		if value := item(b.Value, b.Path); value.Valid() {
			return in.TypeOf(value)
		}
	}
	return Type{}
}

func (in *Info) annotated(n syntax.Node) Type {
	if q := in.Qualified(n); q != "" {
		return Type{Class: in.library.Returns(q)}
	}
	if c := in.localClass(n); c != nil {
		return Type{Local: c}
	}
	return Type{}
}

// item is the expression at a path of indexes in nested displays, or none.
func item(n syntax.Node, path []int) syntax.Node {
	if len(path) == 0 {
		return syntax.Node{}
	}
	for _, i := range path {
		if !n.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
			return syntax.Node{}
		}
		n = Element(n, i)
	}
	return n
}

// Element is the i-th item of a tuple, list or argument list, or none where a
// splat stands before it.
func Element(n syntax.Node, i int) syntax.Node {
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
		case c.Kind() == syntax.ListSplat:
			return syntax.Node{}
		case i == 0:
			return c
		default:
			i--
		}
	}
	return syntax.Node{}
}

// target is what of the program an expression stands for.
type target struct {
	function *Function
	class    *Class
	compiled bool
	wrapped  bool
}

// A Target is the function of the program that a call runs.
type Target struct {
	Function *Function
	// Class is set where the call makes an instance; Function is then its
	// __init__, if it has one.
	Class *Class
	// Compiled is set where the call goes through tf.function.
	Compiled bool
	// Wrapped is set where the call goes through a wrapper that is not known.
	Wrapped bool
}

// Target finds the function of the program that an expression stands for when
// it is called. The zero Target means that it is not known, or outside.
func (in *Info) Target(function syntax.Node) Target {
	t := in.resolve(function)
	out := Target{Function: t.function, Class: t.class, Compiled: t.compiled, Wrapped: t.wrapped}
	if t.class != nil {
		out.Function = in.Method(t.class, "__init__")
	}
	return out
}

func (in *Info) localClass(n syntax.Node) *Class { return in.resolve(n).class }

func (in *Info) resolve(n syntax.Node) target {
	if !n.Valid() || in.busy[n] || len(in.busy) > 64 {
		return target{}
	}
	in.busy[n] = true
	defer delete(in.busy, n)
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.resolve(n.FirstChild())
	case syntax.Lambda:
		return target{function: in.functions[n]}
	case syntax.Identifier:
		return in.resolveBindings(in.Reaching(n))
	case syntax.Attribute:
		return in.resolveAttribute(n)
	case syntax.Call:
		return in.resolveWrapper(n)
	}
	return target{}
}

func (in *Info) resolveBindings(bindings []*Binding) target {
	var found target
	for i, b := range bindings {
		var t target
		switch b.Kind {
		case FunctionBinding:
			t.function = b.Func
		case ClassBinding:
			t.class = b.Class
		case AssignBinding:
			t = in.resolve(b.Value)
		case ImportBinding, FromBinding:
			t = in.imported(b)
		}
		switch {
		case i == 0:
			found = t
		case t.function != found.function || t.class != found.class:
			return target{}
		case t.compiled != found.compiled:
			found.wrapped = true // compiled on some paths
		}
	}
	return found
}

// imported finds what a from-import takes out of another module of the program.
func (in *Info) imported(b *Binding) target {
	if in.importer == nil || b.Kind != FromBinding {
		return target{}
	}
	module, name := split(b.Module)
	if other := in.importer.Import(module); other != nil {
		return other.resolveBindings(other.Module.Bindings(name))
	}
	return target{}
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

func (in *Info) resolveAttribute(n syntax.Node) target {
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
	if t := in.TypeOf(object); t.Local != nil {
		for _, c := range in.ancestry(t.Local) {
			if bindings := c.Attributes[name]; len(bindings) > 0 {
				return c.Info.resolveBindings(bindings)
			}
			if f := c.Methods[name]; f != nil {
				return target{function: f, wrapped: in.rebound[name]}
			}
		}
		return target{}
	}
	if c := in.localClass(object); c != nil {
		return target{function: in.Method(c, name)}
	}
	// A function of an imported module of the program: helper.function.
	if in.importer != nil && object.Is(syntax.Identifier, syntax.Attribute) {
		if q := in.Qualified(object); q != "" {
			if other := in.importer.Import(q); other != nil {
				return other.resolveBindings(other.Module.Bindings(name))
			}
		}
	}
	return target{}
}

// resolveWrapper sees through calls that return a function which runs another:
// tf.function, functools.partial.
func (in *Info) resolveWrapper(call syntax.Node) target {
	switch in.Callee(call) {
	case "tensorflow.function":
		t := in.resolve(Argument(call, 0, "func"))
		t.compiled = true
		return t
	case "functools.partial":
		return in.resolve(Argument(call, 0, "func"))
	case "":
		// A factory of the program: what its returns stand for.
		t := in.resolve(call.Child(syntax.FieldFunction))
		if t.function == nil || len(t.function.Returns) != 1 {
			return target{}
		}
		return t.function.Info.resolve(t.function.Returns[0])
	}
	return target{}
}

// CompiledBy tells how a function's decorators change the way it runs: through
// tf.function, or through something that is not known.
func (f *Function) CompiledBy() (compiled, unknown bool) {
	for _, d := range f.Decorators {
		callee := d
		if d.Kind() == syntax.Call {
			callee = d.Child(syntax.FieldFunction)
		}
		switch q := f.Info.Qualified(callee); q {
		case "tensorflow.function":
			compiled = true
		case "functools.partial":
			if f.Info.Qualified(Argument(d, 0, "func")) == "tensorflow.function" {
				compiled = true
			} else {
				unknown = true
			}
		case "functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "contextlib.contextmanager",
			"typing.override", "typing.overload", "tensorflow.autograph.experimental.do_not_convert", "tensorflow.Module.with_name_scope":
		default:
			switch callee.Text() {
			case "staticmethod", "classmethod", "property":
			default:
				unknown = true
			}
		}
	}
	return compiled, unknown
}
