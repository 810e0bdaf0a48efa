package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Calls knows which functions of a program its calls surely run.
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

// callee returns the function or the class of the program that a call surely runs as it was
// written.
func (all *Calls) callee(in *Info, function syntax.Node) (*Function, *Class) {
	switch function.Kind() {
	case syntax.Identifier:
		return defined(in, in.ReachingDefs(function))
	case syntax.Attribute:
		object, name := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
		if m := in.ModuleOf(object); m != nil {
			if all.rebound[name] {
				return nil, nil
			}
			return defined(m, m.export(name).bindings)
		}
		t := in.TypeOf(object)
		if t.Local == nil || all.rebound[name] {
			return nil, nil
		}
		f := t.Local.onlyMethod(name)
		if f == nil || f.isProperty() || all.overrides(t.Local, f) {
			return nil, nil
		}
		return f, nil
	}
	return nil, nil
}

// defined returns what a single definition, also of another module, binds.
func defined(in *Info, bindings []*Binding) (*Function, *Class) {
	if len(bindings) == 1 && bindings[0].Kind == FromBinding {
		bindings = in.Origin(bindings[0])
	}
	if len(bindings) != 1 {
		return nil, nil
	}
	switch b := bindings[0]; b.Kind {
	case FunctionBinding:
		if b.Func.Class == nil {
			return b.Func, nil
		}
	case ClassBinding:
		return nil, b.Class
	}
	return nil, nil
}

// onlyMethod returns the method that an instance of a class surely has under a name, or nil.
func (c *Class) onlyMethod(name string) *Function {
	for _, k := range c.line() {
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
func (c *Class) line() []*Class {
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
		return k != c && slices.Contains(k.ancestry(), c)
	})
}

// makes reports whether calling a class surely passes the arguments to its __init__, which is
// returned if the program has it.
func (c *Class) makes() (surely bool, init *Function) {
	line := c.line()
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
			return len(all) == 1 && all[0].Kind == FunctionBinding && usualBases(line), k.Methods["__init__"]
		}
	}
	return usualBases(line), nil
}

// usualBases reports whether the last of a line of classes inherits from nothing, or from classes that
// are made as usual: those of TensorFlow, of gym and of abc.
func usualBases(line []*Class) bool {
	last := line[len(line)-1]
	return !slices.ContainsFunc(last.Bases, func(base syntax.Node) bool {
		q := last.Info.Qualified(base)
		return base.Text() != "object" && !abc(last, base) && !strings.HasPrefix(q, "tensorflow.") && !strings.HasPrefix(q, "gym.") && !strings.HasPrefix(q, "gymnasium.")
	})
}

// abc reports whether an expression is abc.ABC or abc.ABCMeta.
func abc(c *Class, n syntax.Node) bool {
	q := c.Info.Qualified(n)
	return q == "abc.ABC" || q == "abc.ABCMeta"
}

// SurelyRuns returns the function of the program that a call in one of its modules surely runs, if it takes the arguments:
// the __init__ of a class if it makes an instance. It is nil if that is not known.
func (all *Calls) SurelyRuns(in *Info, call syntax.Node) *Function {
	f, c := all.callee(in, call.Child(syntax.FieldFunction))
	if c != nil {
		if made, init := c.makes(); made {
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
