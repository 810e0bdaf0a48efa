package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

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
	f.typed = unknownType // what a definition that goes in a circle gets
	t := in.typeNew(n)
	if t.Known() {
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
		bindings := in.Reaching(n)
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
	for _, c := range in.ancestry(t.Local) {
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

// InstanceOf tells whether an expression's value is an instance of a library
// class, or of one of the program that inherits from it.
func (in *Info) InstanceOf(n syntax.Node, class string) bool {
	t := in.TypeOf(n)
	return in.IsA(t.Class, class) || t.Local != nil && in.Inherits(t.Local, class)
}

// Maker is the expression that gives another its value, through the names and
// attributes that it is assigned to, each of which has no other value where it
// is read: most often a call. It is n itself where n is neither, the name where it
// is one of a parameter, and none where what gives the value is not the only one, or
// not known.
func (in *Info) Maker(n syntax.Node) syntax.Node {
	for range 16 {
		var bindings []*Binding
		switch n.Kind() {
		case syntax.ParenthesizedExpression:
			n = n.FirstChild()
			continue
		case syntax.NamedExpression:
			n = n.Child(syntax.FieldValue)
			continue
		case syntax.Identifier:
			bindings = in.Reaching(n)
		case syntax.Attribute:
			if t := in.TypeOf(n.Child(syntax.FieldObject)); t.Local != nil {
				bindings = in.Attribute(t.Local, n.Child(syntax.FieldAttribute).Text())
			} else if m := in.ModuleOf(n.Child(syntax.FieldObject)); m != nil {
				bindings = m.Exports(n.Child(syntax.FieldAttribute).Text())
			}
		default:
			return n
		}
		if len(bindings) == 1 && bindings[0].Kind == FromBinding {
			bindings = in.Origin(bindings[0])
		}
		if len(bindings) != 1 {
			return syntax.Node{}
		}
		switch b := bindings[0]; b.Kind {
		case AssignBinding, WithBinding: // the context managers of interest yield themselves
			n = b.Value
		case UnpackBinding:
			n = item(b.Value, b.Path)
		case ParameterBinding:
			return n
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// Passed is what a call of the function passes for a parameter, or none.
func (f *Function) Passed(call syntax.Node, parameter string) syntax.Node {
	for i, p := range f.Params {
		switch {
		case p.Name != parameter || p.Star > 0:
			continue
		case p.KeywordOnly:
			i = -1
		case f.Class != nil && !f.IsStatic():
			i-- // the instance
		}
		return Argument(call, i, parameter)
	}
	return syntax.Node{}
}

// Attribute is what gives an attribute of an instance of c its value, in c or the
// classes of the program it inherits from; none where it may be assigned from
// outside.
func (in *Info) Attribute(c *Class, name string) []*Binding {
	if in.rebound[name] {
		return nil
	}
	for _, k := range in.ancestry(c) {
		if bindings := k.attribute(name); len(bindings) > 0 || k.Methods[name] != nil {
			return bindings
		}
	}
	return nil
}

// attribute is what gives an attribute of c's instances its value: what the
// methods store on self, else what stands in the body of the class.
func (c *Class) attribute(name string) []*Binding {
	if own := c.Attributes[name]; len(own) > 0 {
		return own
	}
	if c.Methods[name] != nil {
		return nil
	}
	return c.Scope.Bindings(name)
}

// super is the class in whose method super() stands, where an expression is
// that, or nil.
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

func (in *Info) typeOfCall(call syntax.Node) Type {
	function := call.Child(syntax.FieldFunction)
	if q := in.Qualified(function); q != "" {
		return Type{Class: in.library.Returns(q)}
	}
	target := in.resolve(function)
	if target.class != nil {
		return Type{Local: target.class}
	}
	if target.library != "" {
		return Type{Class: in.library.Returns(target.library)}
	}
	if target.function != nil && !target.function.Yields {
		return target.function.Info.typeOfReturns(target.function)
	}
	return Type{}
}

// typeOfReturns is the type that all return statements of f give, or else the
// one that f declares.
func (in *Info) typeOfReturns(f *Function) Type {
	if t := all(in, f.Returns, in.TypeOf); t.Known() {
		return t
	}
	if declared := f.Node.Child(syntax.FieldReturnType); declared.Valid() {
		return in.annotated(declared)
	}
	return Type{}
}

// agreed is the type that all bindings give, or unknown.
func (in *Info) agreed(bindings []*Binding) Type {
	return all(in, bindings, in.typeOfBinding)
}

// all is the type of all items, or unknown. Where they are of several classes
// of a library, it is the nearest base of all.
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

// typeOfItem is the type at a path of indexes into a tuple, which may be what a
// function of the program returns.
func (in *Info) typeOfItem(n syntax.Node, path []int) Type {
	switch {
	case len(path) == 0:
		return Type{}
	case n.Kind() == syntax.ParenthesizedExpression:
		return in.typeOfItem(n.FirstChild(), path)
	case n.Kind() != syntax.Call:
		return in.TypeOf(item(n, path))
	}
	f := in.resolve(n.Child(syntax.FieldFunction)).function
	if f == nil || f.Yields || slices.Contains(in.busy, n) {
		return Type{}
	}
	in.busy = append(in.busy, n)
	defer in.idle()
	return all(in, f.Returns, func(r syntax.Node) Type { return f.Info.typeOfItem(r, path) })
}

func (in *Info) typeOfBinding(b *Binding) Type {
	switch b.Kind {
	case FromBinding:
		if _, e, _ := in.foreign(b); e.found() && in.enter(b) {
			defer in.leave(b)
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
		// The context managers that matter here (sessions, tapes, writers) yield
		// themselves.
		return in.TypeOf(b.Value)
	case ParameterBinding:
		f := b.Scope.Func
		switch {
		case f == nil:
		case f.instance() == b.Name:
			if !f.isClassMethod() {
				return Type{Local: f.Class}
			}
		case b.Annotation.Valid() && !f.starred(b.Name):
			return in.annotated(b.Annotation)
		}
	case UnpackBinding:
		return in.typeOfItem(b.Value, b.Path)
	}
	return Type{}
}

func (f *Function) starred(name string) bool {
	return slices.ContainsFunc(f.Params, func(p Parameter) bool { return p.Name == name && p.Star > 0 })
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
	library  string // a name outside the program, through functools.partial
	compiled bool
	by       syntax.Node // the call of tf.function
	wrapped  bool
}

// A Target is the function of the program that a call runs.
type Target struct {
	Function *Function
	// Class is set where the call makes an instance; Function is then its
	// __init__, if it has one.
	Class *Class
	// Compiled is set where the call goes through tf.function, of which By is then
	// the call; none where it may be one of several.
	Compiled bool
	By       syntax.Node
	// Wrapped is set where the call goes through a wrapper that is not known.
	Wrapped bool
	// Library is the qualified name outside the program that the call runs
	// through functools.partial; its arguments are not all those of the call.
	Library string
}

// Target finds the function of the program that an expression stands for when
// it is called. The zero Target means that it is not known, or outside.
func (in *Info) Target(function syntax.Node) Target {
	in = in.home(function)
	t := in.resolve(function)
	out := Target{Function: t.function, Class: t.class, Compiled: t.compiled, By: t.by, Wrapped: t.wrapped, Library: t.library}
	if t.class != nil {
		out.Function = in.Method(t.class, "__init__")
	}
	return out
}

func (in *Info) localClass(n syntax.Node) *Class { return in.resolve(n).class }

// idle ends what began last of what is being followed.
func (in *Info) idle() { in.busy = in.busy[:len(in.busy)-1] }

// resolve finds what of the program an expression stands for. An answer is kept
// unless it is part of another: that may go in a circle.
func (in *Info) resolve(n syntax.Node) target {
	switch n.Kind() {
	case syntax.ParenthesizedExpression, syntax.Lambda, syntax.Identifier, syntax.Attribute, syntax.Call:
	default:
		return target{}
	}
	keep := len(in.busy) == 0 && n.Tree() == in.Tree
	if keep {
		switch known := in.fact(n).target; known {
		case 0:
		case noTarget:
			return target{}
		default:
			return in.part(n).targets[known-2]
		}
	}
	if slices.Contains(in.busy, n) || len(in.busy) > 64 {
		return target{}
	}
	in.busy = append(in.busy, n)
	t := in.resolveNew(n)
	in.idle()
	if keep {
		p, f := in.part(n), in.fact(n)
		f.target = noTarget
		if t != (target{}) {
			p.targets = append(p.targets, t)
			f.target = int32(len(p.targets)) + 1
		}
	}
	return t
}

func (in *Info) resolveNew(n syntax.Node) target {
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.resolve(n.FirstChild())
	case syntax.Lambda:
		return target{function: in.FunctionAt(n)}
	case syntax.Identifier:
		if c := in.classParameter(n); c != nil {
			return target{class: c}
		}
		bindings := in.Reaching(n)
		if len(bindings) == 0 && len(in.stars) > 0 {
			return in.starred(n.Text()).resolve()
		}
		return in.resolveBindings(bindings)
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
		case AssignBinding, UnpackBinding:
			t = in.resolve(valueOf(b))
		case ImportBinding, FromBinding:
			t = in.imported(b)
		}
		switch {
		case i == 0:
			found = t
		case t.function != found.function || t.class != found.class || t.library != found.library:
			return target{}
		case t.compiled != found.compiled:
			found.wrapped = true // compiled on some paths
		case t.by != found.by:
			found.by = syntax.Node{}
		}
	}
	return found
}

// imported finds what a from-import takes out of another module of the program.
func (in *Info) imported(b *Binding) target {
	if _, e, _ := in.foreign(b); e.found() && in.enter(b) {
		defer in.leave(b)
		return e.resolve()
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
		return in.resolveMember(in.ancestry(t.Local), name)
	}
	if c := in.super(object); c != nil {
		return in.resolveMember(in.ancestry(c)[1:], name)
	}
	if c := in.localClass(object); c != nil {
		return target{function: in.Method(c, name)}
	}
	// A function of an imported module of the program: helper.function.
	if m := in.ModuleOf(object); m != nil {
		t := m.export(name).resolve()
		t.wrapped = t.wrapped || in.rebound[name]
		return t
	}
	return target{}
}

// resolveMember finds an attribute of an instance in the first of the classes
// that has it.
func (in *Info) resolveMember(classes []*Class, name string) target {
	for _, c := range classes {
		if bindings := c.attribute(name); len(bindings) > 0 {
			t := c.Info.resolveBindings(bindings)
			t.wrapped = t.wrapped || in.rebound[name]
			return t
		}
		if f := c.Methods[name]; f != nil {
			return target{function: f, wrapped: in.rebound[name]}
		}
	}
	return target{}
}

// classParameter is the class that the first parameter of a class method stands
// for, or nil.
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

// resolveWrapper sees through calls that return a function which runs another:
// tf.function, functools.partial.
func (in *Info) resolveWrapper(call syntax.Node) target {
	switch in.Callee(call) {
	case "tensorflow.function":
		t := in.resolve(Argument(call, 0, "func"))
		t.compiled, t.by = true, call
		return t
	case "functools.partial":
		argument := Argument(call, 0, "func")
		if q := in.Qualified(argument); q != "" {
			return target{library: q}
		}
		return in.resolve(argument)
	case "":
		// tf.function(jit_compile=True)(step)
		if maker := call.Child(syntax.FieldFunction); maker.Kind() == syntax.Call && in.Callee(maker) == "tensorflow.function" {
			t := in.resolve(Argument(call, 0, "func"))
			t.compiled, t.by = true, maker
			return t
		}
		// A factory of the program: what its returns stand for.
		t := in.resolve(call.Child(syntax.FieldFunction))
		if t.function == nil || len(t.function.Returns) != 1 {
			return target{}
		}
		return t.function.Info.resolve(t.function.Returns[0])
	}
	return target{}
}

// Compiler is the decorator, a call or a bare name, through which tf.function
// compiles a function, or none.
func (f *Function) Compiler() syntax.Node {
	for _, d := range f.Decorators {
		callee := d
		if d.Kind() == syntax.Call {
			callee = d.Child(syntax.FieldFunction)
		}
		q := f.Info.Qualified(callee)
		if q == "functools.partial" {
			q = f.Info.Qualified(Argument(d, 0, "func"))
		}
		if q == "tensorflow.function" {
			return d
		}
	}
	return syntax.Node{}
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
			"typing.override", "typing.overload", "typeguard.typechecked",
			"tensorflow.keras.utils.register_keras_serializable", "tensorflow.keras.saving.register_keras_serializable", "tensorflow.autograph.experimental.do_not_convert", "tensorflow.Module.with_name_scope":
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
