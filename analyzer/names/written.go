package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Written returns the qualified name of an expression as its imports spell it, before
// [Library.Canonical]: "keras.layers.Dense" for what [Info.Qualified] calls
// "tensorflow.keras.layers.Dense". It tells packages apart that share a canonical name. It returns ""
// if the expression has no such name, or if imports disagree on it.
func (in *Info) Written(n syntax.Node) string {
	if in = in.home(n); n.Tree() != in.Tree {
		return ""
	}
	defer in.Enter(n).Leave()
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.Written(n.FirstChild())
	case syntax.Attribute:
		object, attribute := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
		if in.Connected() {
			if m := in.ModuleOf(object); m != nil {
				return m.export(attribute).written()
			}
		}
		if of := in.Written(object); of != "" {
			return of + "." + attribute
		}
	case syntax.Identifier:
		bindings := in.ReachingDefs(n)
		if len(bindings) == 0 && len(in.stars) > 0 {
			return in.starred(n.Text()).written()
		}
		return export{in: in, bindings: bindings}.written()
	}
	return ""
}

// WrittenBase returns the first class outside the program that a class inherits from, as imports
// spell it, or "".
func (in *Info) WrittenBase(class syntax.Node) string {
	if in = in.home(class); class.Tree() != in.Tree {
		return ""
	}
	c := in.ClassAt(class)
	if c == nil {
		return ""
	}
	for _, k := range c.ancestry() {
		for _, base := range k.Bases {
			if k.Info.Qualified(base) != "" {
				return k.Info.Written(base)
			}
		}
	}
	return ""
}

// Imports returns the modules of all imports, and of all names that are imported from one, as they
// are written.
func (in *Info) Imports() []string {
	all := slices.Clone(in.imports)
	for _, b := range in.stars {
		all = append(all, b.Module)
	}
	return all
}

// written returns the name of a library that all bindings agree on, as it is imported.
func (e export) written() (found string) {
	if e.library != "" {
		return e.library
	}
	for i, b := range e.bindings {
		name := e.in.writtenBinding(b)
		if name == "" || i > 0 && name != found {
			return ""
		}
		found = name
	}
	return found
}

func (in *Info) writtenBinding(b *Binding) string {
	defer in.Enter(b.Node).Leave()
	if !in.circles.enter(b) {
		return ""
	}
	defer in.circles.leave(b)
	switch b.Kind {
	case ImportBinding, FromBinding:
		m, e, ours := in.foreign(b)
		switch {
		case !ours:
			return b.Module
		case m == nil:
			return e.written()
		}
	case AssignBinding, UnpackBinding:
		return in.Written(valueOf(b))
	}
	return ""
}
