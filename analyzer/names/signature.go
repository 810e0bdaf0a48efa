package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Calls knows which functions of a program its calls surely run, and whether they take the arguments.
type Calls struct {
	program []*Info
	rebound map[string]bool     // the attributes that a module assigns on anything but self
	defined map[string][]*Class // the classes that define an attribute, by its name
	none    map[*Binding]bool   // whether a parameter is never passed, where that was asked
}

// CallsIn returns the calls of a module's program.
func CallsIn(in *Info) *Calls {
	c := &Calls{program: in.Program(), rebound: map[string]bool{}, defined: map[string][]*Class{}, none: map[*Binding]bool{}}
	for _, m := range c.program {
		for name := range m.rebound {
			c.rebound[name] = true
		}
		for _, k := range m.Classes {
			for _, name := range k.Scope.Names() {
				c.defined[name] = append(c.defined[name], k)
			}
			for name := range k.Attributes {
				c.defined[name] = append(c.defined[name], k)
			}
		}
	}
	return c
}

// Refuses reports whether a call in a module of the program surely raises TypeError because a function or class of the program
// does not take the arguments: one is missing, there is one too many, or a keyword is unknown. So
// does the call of an abstract class.
func (all *Calls) Refuses(in *Info, call syntax.Node) bool {
	f, c, bound := all.callee(in, call.Child(syntax.FieldFunction))
	switch {
	case c != nil:
		made, init := in.makes(c)
		if !made {
			return false
		}
		if in.abstract(c) {
			return true
		}
		if init == nil {
			return in.plain(c) && takesAny(call)
		}
		return init.refuses(call, true)
	case f != nil:
		return f.refuses(call, bound)
	}
	return false
}

// callee returns the function or the class of the program that a call surely runs as it was
// written, and whether the function is passed an instance or a class first.
func (all *Calls) callee(in *Info, function syntax.Node) (f *Function, c *Class, bound bool) {
	switch function.Kind() {
	case syntax.Identifier:
		return in.defined(in.ReachingDefs(function))
	case syntax.Attribute:
		object, name := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
		if m := in.ModuleOf(object); m != nil {
			if all.rebound[name] {
				return nil, nil, false
			}
			return m.defined(m.export(name).bindings)
		}
		t := in.TypeOf(object)
		if t.Local == nil || all.rebound[name] {
			return nil, nil, false
		}
		f := in.onlyMethod(t.Local, name)
		if f == nil || f.isProperty() || all.overrides(t.Local, f) {
			return nil, nil, false
		}
		return f, nil, !f.IsStatic()
	}
	return nil, nil, false
}

// defined returns what a single definition, also of another module, binds.
func (in *Info) defined(bindings []*Binding) (*Function, *Class, bool) {
	if len(bindings) == 1 && bindings[0].Kind == FromBinding {
		bindings = in.Origin(bindings[0])
	}
	if len(bindings) != 1 {
		return nil, nil, false
	}
	switch b := bindings[0]; b.Kind {
	case FunctionBinding:
		if b.Func.Class == nil {
			return b.Func, nil, false
		}
	case ClassBinding:
		return nil, b.Class, false
	}
	return nil, nil, false
}

// onlyMethod returns the method that an instance of a class surely has under a name, or nil.
func (in *Info) onlyMethod(c *Class, name string) *Function {
	for _, k := range in.line(c) {
		if len(k.Attributes[name]) > 0 {
			return nil
		}
		if all := k.Scope.Bindings(name); len(all) > 0 {
			if len(all) == 1 && all[0].Kind == FunctionBinding {
				return all[0].Func
			}
			return nil
		}
	}
	return nil
}

// line returns a class and those of the program that it inherits from, as far as each has one base.
func (in *Info) line(c *Class) []*Class {
	out := []*Class{c}
	for len(out) < 32 && len(c.Bases) == 1 {
		next := c.Info.localClass(c.Bases[0])
		if next == nil || slices.Contains(out, next) {
			break
		}
		out, c = append(out, next), next
	}
	return out
}

// overrides reports whether an instance of a class of the program may have another method than the
// class, because a class that inherits from it defines one.
func (all *Calls) overrides(c *Class, f *Function) bool {
	return slices.ContainsFunc(all.defined[f.Name], func(k *Class) bool {
		return k != c && slices.Contains(k.Info.ancestry(k), c)
	})
}

// makes reports whether calling a class surely passes the arguments to its __init__, which is
// returned if the program has it.
func (in *Info) makes(c *Class) (surely bool, init *Function) {
	line := in.line(c)
	for _, k := range line {
		if k.Node.Parent().Kind() == syntax.DecoratedDefinition || k.Node.HasError() || len(k.Scope.Bindings("__new__")) > 0 {
			return false, nil
		}
		for a := range k.Node.Child(syntax.FieldSuperclasses).Children() {
			if a.Kind() == syntax.KeywordArgument && !abc(k, a.Child(syntax.FieldValue)) {
				return false, nil
			}
		}
	}
	for _, k := range line {
		if all := k.Scope.Bindings("__init__"); len(all) > 0 {
			return len(all) == 1 && all[0].Kind == FunctionBinding && in.usual(line), k.Methods["__init__"]
		}
	}
	return in.usual(line), nil
}

// usual reports whether the last of a line of classes inherits from nothing, or from classes that
// are made as usual: those of TensorFlow, of gym and of abc.
func (in *Info) usual(line []*Class) bool {
	last := line[len(line)-1]
	return !slices.ContainsFunc(last.Bases, func(base syntax.Node) bool {
		q := last.Info.Qualified(base)
		return base.Text() != "object" && !abc(last, base) && !strings.HasPrefix(q, "tensorflow.") && !strings.HasPrefix(q, "gym.") && !strings.HasPrefix(q, "gymnasium.")
	})
}

// plain reports whether a class inherits from nothing outside the program, so that without an
// __init__ it takes no arguments.
func (in *Info) plain(c *Class) bool {
	line := in.line(c)
	last := line[len(line)-1]
	return !slices.ContainsFunc(last.Bases, func(base syntax.Node) bool { return base.Text() != "object" && !abc(last, base) })
}

// abc reports whether an expression is abc.ABC or abc.ABCMeta.
func abc(c *Class, n syntax.Node) bool {
	q := c.Info.Qualified(n)
	return q == "abc.ABC" || q == "abc.ABCMeta"
}

// abstract reports whether a class leaves a method abstract, of those that a class derived from
// abc.ABC declares.
func (in *Info) abstract(c *Class) bool {
	line := in.line(c)
	last := line[len(line)-1]
	if !slices.ContainsFunc(slices.Collect(last.Node.Child(syntax.FieldSuperclasses).Children()), func(base syntax.Node) bool {
		return abc(last, base) || base.Kind() == syntax.KeywordArgument && abc(last, base.Child(syntax.FieldValue))
	}) {
		return false
	}
	for i, k := range line {
		for name, f := range k.Methods {
			if slices.ContainsFunc(f.Decorators, func(d syntax.Node) bool { return k.Info.Qualified(d) == "abc.abstractmethod" }) &&
				!slices.ContainsFunc(line[:i], func(over *Class) bool { return len(over.Scope.Bindings(name)) > 0 }) && len(k.Scope.Bindings(name)) == 1 {
				return true
			}
		}
	}
	return false
}

// refuses reports whether a function surely does not take the arguments of a call.
func (f *Function) refuses(call syntax.Node, bound bool) bool {
	arguments := call.Child(syntax.FieldArguments)
	parameters := f.Node.Child(syntax.FieldParameters)
	if f.Altered() || f.isProperty() || HasSplat(call) || call.HasError() || parameters.HasError() || !arguments.Is(syntax.ArgumentList) {
		return false
	}
	positional, keywords := 0, map[string]bool{}
	if bound {
		positional++
	}
	for a := range arguments.Children() {
		switch a.Kind() {
		case syntax.Comment:
		case syntax.KeywordArgument:
			keywords[a.Child(syntax.FieldName).Text()] = true
		default:
			positional++
		}
	}
	for p := range parameters.Children() {
		if p.Is(syntax.PositionalSeparator, syntax.TuplePattern) {
			return false // which Params does not tell
		}
	}
	taken, more, any := 0, false, false // more are *args, and any is **kwargs
	for _, p := range f.Params {
		switch {
		case p.Star == 1:
			more = true
		case p.Star == 2:
			any = true
		case !p.KeywordOnly && taken < positional:
			taken++
			if keywords[p.Name] {
				return true
			}
		case keywords[p.Name]:
			delete(keywords, p.Name)
		case !p.Default.Valid():
			return true
		}
	}
	return taken < positional && !more || len(keywords) > 0 && !any
}

// takesAny reports whether a call surely passes an argument.
func takesAny(call syntax.Node) bool {
	if HasSplat(call) || call.HasError() {
		return false
	}
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.Comment {
			return true
		}
	}
	return false
}

// SurelyRuns returns the function of the program that a call in one of its modules surely runs, if it takes the arguments:
// the __init__ of a class if it makes an instance. It is nil if that is not known.
func (all *Calls) SurelyRuns(in *Info, call syntax.Node) *Function {
	f, c, _ := all.callee(in, call.Child(syntax.FieldFunction))
	if c != nil {
		if made, init := in.makes(c); made {
			f = init
		}
	}
	if f == nil {
		return nil
	}
	if f.Altered() || f.isProperty() {
		return nil
	}
	return f
}

// ImportFails reports whether an import surely raises ImportError: a module of the program does not
// have a name that is imported from it.
func (in *Info) ImportFails(stmt syntax.Node) bool {
	if in = in.home(stmt); stmt.Kind() != syntax.ImportFromStatement || !in.Connected() || stmt.HasError() {
		return false
	}
	name := stmt.Child(syntax.FieldModuleName)
	from := dotted(name)
	if !in.ours(from) {
		return false
	}
	m := in.Load(from)
	if m == nil || m == in || m.Namespace || !m.closed() {
		return false
	}
	for c := range stmt.Children() {
		if c == name {
			continue
		}
		if c.Kind() == syntax.AliasedImport {
			c = c.Child(syntax.FieldName)
		}
		if c.Kind() != syntax.DottedName {
			continue
		}
		// A module of a package may be compiled, or generated.
		if imported := dotted(c); len(m.Module.Bindings(imported)) == 0 && !m.Package && !strings.HasPrefix(imported, "__") {
			return true
		}
	}
	return false
}

// closed reports whether a module binds all of its names in the text.
func (in *Info) closed() bool {
	if len(in.stars) > 0 || len(in.Module.Bindings("__getattr__")) > 0 {
		return false
	}
	for s := range in.Tree.Statements() {
		if s.HasError() {
			return false
		}
	}
	for _, word := range []string{"globals", "exec", "locals", "vars", "setattr", "__dict__"} {
		if strings.Contains(in.Tree.Text(), word) && len(in.Identifiers(word)) > 0 {
			return false
		}
	}
	return true
}
