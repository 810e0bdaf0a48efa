package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Importer finds the modules of the program that one module is part of, as
// that module names them: "package.module", or with leading dots where the
// import is relative.
type Importer interface {
	// Has tells whether a name stands for a module of the program, or for a
	// folder of them; it reads none.
	Has(module string) bool
	// Import returns the names of the module that a name stands for, or nil where
	// it is not part of the program or cannot be read. A folder of modules that
	// is no package yields an empty module.
	Import(module string) *Info
	// Home is the module that a tree of the program is of, or nil.
	Home(tree *syntax.Tree) *Info
}

// home is the module that n stands in: a question about code of another module
// of the program is answered by that module.
func (in *Info) home(n syntax.Node) *Info {
	if tree := n.Tree(); tree != nil && tree != in.Tree && in.importer != nil {
		if other := in.importer.Home(tree); other != nil {
			return other
		}
	}
	return in
}

// Connected tells whether what the names stand for depends on other modules of
// the program.
func (in *Info) Connected() bool { return in.connected() }

// Mentions tells whether the program may name one of some words: what is not named in it does
// not happen, and need not be looked for call by call. Modules that it imports may name
// anything.
func (in *Info) Mentions(words ...string) bool {
	return in.connected() || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(in.Tree.Text(), w) })
}

// connected tells whether the module imports any other of the program.
func (in *Info) connected() bool {
	if in.links == 0 {
		in.links = 1
		if in.importer != nil && slices.ContainsFunc(in.imports, in.ours) {
			in.links = 2
		}
	}
	return in.links == 2
}

// ours tells whether a module, which may not be there, belongs to the program:
// the import is relative, or what it begins with is found.
func (in *Info) ours(module string) bool {
	if in.importer == nil {
		return false
	}
	if strings.HasPrefix(module, ".") {
		return true
	}
	first, _, _ := strings.Cut(module, ".")
	return in.importer.Has(first)
}

// load is the module of the program that a name stands for, or nil.
func (in *Info) load(module string) *Info {
	if !in.connected() || !in.ours(module) {
		return nil
	}
	return in.importer.Import(module)
}

// Program are the module and those of the program that it imports, by themselves or others, in
// order.
func (in *Info) Program() []*Info {
	all, seen := []*Info{in}, map[*Info]bool{in: true}
	for i := 0; i < len(all); i++ {
		m := all[i]
		add := func(module string) {
			if other := m.load(module); other != nil && !seen[other] {
				all, seen[other] = append(all, other), true
			}
		}
		for _, module := range m.imports {
			add(module)
		}
		for _, name := range m.Module.Names() {
			for _, b := range m.Module.Bindings(name) {
				if b.Kind == FromBinding {
					add(b.Module)
				}
			}
		}
	}
	return all
}

// An export is what a module gives those who import a name from it: bindings of
// a module, or a name of a library. The zero export is nothing.
type export struct {
	in       *Info
	bindings []*Binding
	library  string
}

func (e export) found() bool { return len(e.bindings) > 0 || e.library != "" }

// export finds a name of the module when all of it has run.
func (in *Info) export(name string) export {
	if all := withValue(in.atEnd(in.Module.Bindings(name), syntax.Node{})); len(all) > 0 {
		return export{in: in, bindings: all}
	}
	return in.starred(name)
}

// starred finds a name that "from module import *" binds; the last such import
// wins.
func (in *Info) starred(name string) export {
	if in.starring {
		return export{} // modules that import all of each other
	}
	in.starring = true
	defer func() { in.starring = false }()
	for _, s := range slices.Backward(in.stars) {
		if m := in.load(s.Module); m != nil {
			if m.exports(name) {
				if e := m.export(name); e.found() {
					return e
				}
			}
		} else if module := in.library.Canonical(s.Module); in.library.Exports(module, name) {
			return export{library: module + "." + name}
		}
	}
	return export{}
}

// exports tells whether "import *" takes a name: what __all__ lists, and where
// there is none, what does not begin with an underscore.
func (in *Info) exports(name string) bool {
	bindings := in.Module.Bindings("__all__")
	if len(bindings) == 0 {
		return !strings.HasPrefix(name, "_")
	}
	listed, literal := false, true
	for _, b := range bindings {
		if !b.Value.Is(syntax.List, syntax.Tuple, syntax.ExpressionList) {
			literal = false
			continue
		}
		for c := range b.Value.Children() {
			s, _ := StringValue(c)
			listed = listed || s == name
		}
	}
	return listed || !literal && !strings.HasPrefix(name, "_")
}

// foreign is what an import binds where it is of another module of the program:
// that module, or what it exports under the name. ok tells whether the import is
// the program's own at all, though nothing may be found.
func (in *Info) foreign(b *Binding) (m *Info, e export, ok bool) {
	if b.Kind != ImportBinding && b.Kind != FromBinding || !in.connected() || !in.ours(b.Module) {
		return nil, export{}, false
	}
	if b.Kind == ImportBinding {
		m = in.load(b.Module)
		return m, export{}, m == nil || !m.Namespace
	}
	module, name := split(b.Module)
	from := in.load(module)
	if from != nil && !from.Namespace {
		if e = from.export(name); e.found() && !(from == in && slices.Contains(e.bindings, b)) {
			return nil, e, true
		}
	}
	if m = in.load(b.Module); m != nil {
		return m, export{}, !m.Namespace
	}
	return nil, export{}, from == nil || !from.Namespace
}

// ModuleOf is the module of the program that an expression stands for, or nil.
func (in *Info) ModuleOf(n syntax.Node) *Info {
	if in = in.home(n); !in.connected() {
		return nil
	}
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.ModuleOf(n.FirstChild())
	case syntax.Identifier:
		bindings := in.ReachingDefs(n)
		if len(bindings) == 0 {
			return in.starred(n.Text()).module()
		}
		return export{in: in, bindings: bindings}.module()
	case syntax.Attribute:
		if m := in.ModuleOf(n.Child(syntax.FieldObject)); m != nil {
			return m.submodule(n.Child(syntax.FieldAttribute).Text())
		}
	}
	return nil
}

// module is the module that all bindings stand for, or nil.
func (e export) module() *Info {
	var found *Info
	for i, b := range e.bindings {
		m := e.in.moduleOfBinding(b)
		if m == nil || i > 0 && m != found {
			return nil
		}
		found = m
	}
	return found
}

func (in *Info) moduleOfBinding(b *Binding) *Info {
	if !in.enter(b) {
		return nil
	}
	defer in.leave(b)
	if b.Kind == AssignBinding && b.Value.Is(syntax.Identifier, syntax.Attribute) {
		return in.ModuleOf(b.Value)
	}
	m, e, _ := in.foreign(b)
	if m == nil && e.found() {
		return e.module()
	}
	return m
}

// submodule is a module that is an attribute of this one: because it imports
// it, or because it lies in its package.
func (in *Info) submodule(name string) *Info {
	if e := in.export(name); e.found() {
		return e.module()
	}
	if in.importer == nil || !in.Package {
		return nil
	}
	return in.importer.Import("." + name)
}

// enter keeps definitions that go in a circle through several modules from being
// followed for ever; it is false for a binding that is being followed.
func (in *Info) enter(b *Binding) bool {
	if in.following[b] || len(in.following) > 64 {
		return false
	}
	if in.following == nil {
		in.following = map[*Binding]bool{}
	}
	in.following[b] = true
	return true
}

func (in *Info) leave(b *Binding) { delete(in.following, b) }

// qualifyImport is the qualified name that an import gives its name.
func (in *Info) qualifyImport(b *Binding) int32 {
	m, e, ok := in.foreign(b)
	switch {
	case !ok:
		return in.intern(b.Module)
	case m != nil:
		return unknownName
	case !e.found():
		// A name of the program that is not found: it begins with a dot.
		return in.intern("." + strings.TrimPrefix(b.Module, "."))
	case !in.enter(b):
		return unknownName
	}
	defer in.leave(b)
	return in.qualifyExport(e)
}

func (in *Info) qualifyExport(e export) int32 {
	if e.library != "" {
		return in.intern(e.library)
	}
	found := ""
	for i, b := range e.bindings {
		q := e.in.table[e.in.qualifyBinding(b)]
		if q == "" || i > 0 && q != found {
			return unknownName
		}
		found = q
	}
	return in.intern(found)
}

// attributeOf is the qualified name of an attribute of a module of the program.
func (in *Info) attributeOf(m *Info, name string) int32 {
	if e := m.export(name); e.found() {
		return in.qualifyExport(e)
	}
	if m.submodule(name) != nil {
		return unknownName
	}
	return in.intern("." + name)
}

// resolve is what of the program a module exports.
func (e export) resolve() target {
	if len(e.bindings) == 0 {
		return target{}
	}
	return e.in.resolveBindings(e.bindings)
}

// typeOf is the type of what a module exports.
func (e export) typeOf() Type {
	if len(e.bindings) == 0 {
		return Type{}
	}
	return e.in.agreed(e.bindings)
}

// Runs are the modules of the program that an import statement runs, unless they
// have run before, in their order: packages come before what lies in them.
func (in *Info) Runs(stmt syntax.Node) []*Info {
	if in = in.home(stmt); !in.connected() {
		return nil
	}
	var out []*Info
	add := func(module string) *Info {
		m := in.load(module)
		if m != nil && m != in && !m.Namespace && !slices.Contains(out, m) {
			out = append(out, m)
		}
		return m
	}
	chain := func(module string) (last *Info) {
		dots := len(module) - len(strings.TrimLeft(module, "."))
		for i := dots; i < len(module); i++ {
			if module[i] == '.' {
				add(module[:i])
			}
		}
		return add(module)
	}
	if stmt.Kind() == syntax.ImportStatement {
		for c := range stmt.Children() {
			if c.Kind() == syntax.AliasedImport {
				c = c.Child(syntax.FieldName)
			}
			if c.Kind() == syntax.DottedName {
				if module := dotted(c); in.ours(module) {
					chain(module)
				}
			}
		}
		return out
	}
	name := stmt.Child(syntax.FieldModuleName)
	from := dotted(name)
	if !in.ours(from) {
		return nil
	}
	m := chain(from)
	if m == nil || !m.Package {
		return out
	}
	for c := range stmt.Children() {
		if c == name {
			continue
		}
		if c.Kind() == syntax.AliasedImport {
			c = c.Child(syntax.FieldName)
		}
		if c.Kind() == syntax.DottedName && !m.export(dotted(c)).found() {
			if module := join(from, dotted(c)); in.importer.Has(module) {
				add(module)
			}
		}
	}
	return out
}

// Packages are the packages that the module lies in and that have run before it,
// outermost first, where it shows by a relative import that it is run as one of
// a package.
func (in *Info) Packages() []*Info {
	if !in.connected() || !slices.ContainsFunc(in.imports, func(m string) bool { return strings.HasPrefix(m, ".") }) {
		return nil
	}
	var out []*Info
	for dots := "."; len(dots) < 16; dots += "." {
		m := in.importer.Import(dots)
		if m == nil || m.Namespace {
			break
		}
		if m != in {
			out = append([]*Info{m}, out...)
		}
	}
	return out
}

// Ours is a name for what of the program an expression stands for where it is
// imported from another module and nothing is known of what it does there; it
// begins with a dot. It is empty for everything else.
func (in *Info) Ours(n syntax.Node) string {
	if in = in.home(n); !in.connected() {
		return ""
	}
	switch n.Kind() {
	case syntax.Identifier:
		for _, b := range in.ReachingDefs(n) {
			if _, _, ok := in.foreign(b); ok {
				return "." + strings.TrimPrefix(b.Module, ".")
			}
		}
	case syntax.Attribute:
		if m := in.ModuleOf(n.Child(syntax.FieldObject)); m != nil && !m.Namespace {
			return "." + n.Child(syntax.FieldAttribute).Text()
		}
	}
	return ""
}

// Exports are the bindings of a name, of this module or of one that it takes
// them from, that others see who import it; none where it exports none.
func (in *Info) Exports(name string) []*Binding { return in.export(name).origin() }

// Origin is what gives its value to a name that is imported from another module
// of the program, where that is known.
func (in *Info) Origin(b *Binding) []*Binding {
	in = in.home(b.Node)
	_, e, _ := in.foreign(b)
	return e.origin()
}

// origin follows imports to where the name is bound otherwise.
func (e export) origin() []*Binding {
	if len(e.bindings) == 1 && e.bindings[0].Kind == FromBinding {
		b := e.bindings[0]
		if !e.in.enter(b) {
			return nil
		}
		defer e.in.leave(b)
		return e.in.Origin(b)
	}
	return e.bindings
}

// Starred are the bindings, in another module of the program, of a name that
// nothing binds but "from module import *".
func (in *Info) Starred(n syntax.Node) []*Binding {
	if in = in.home(n); len(in.stars) == 0 {
		return nil
	}
	return in.starred(n.Text()).origin()
}

// StarredLibrary is the name in a library of what the module has only by "from
// library import *"; empty where it has no such.
func (in *Info) StarredLibrary(name string) string { return in.starred(name).library }

// ImportsAll tells whether the module has "from module import *" anywhere.
func (in *Info) ImportsAll() bool { return len(in.stars) > 0 }

// InheritsElsewhere tells whether c inherits from a class of another module of
// the program.
func (in *Info) InheritsElsewhere(c *Class) bool {
	return slices.ContainsFunc(in.ancestry(c), func(k *Class) bool { return k.Info != c.Info })
}

// Load is the module of the program that an import in this one names, as it is
// written: "nets.resnet", ".blocks"; nil where it is none of the program's.
func (in *Info) Load(module string) *Info { return in.load(module) }

// Takes tells whether "from this import *" binds a name of the module.
func (in *Info) Takes(name string) bool { return in.exports(name) }
