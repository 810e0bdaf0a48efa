package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Importer finds the modules of a program by the names that one of its modules uses:
// "package.module", or with leading dots for a relative import.
type Importer interface {
	// Has reports whether a name stands for a module of the program, or for a folder of modules.
	// It reads no file.
	Has(module string) bool
	// Import returns the names of a module, or nil if it is not part of the program or cannot be
	// read. A namespace package yields an empty module.
	Import(module string) *Info
	// Home returns the module that a tree of the program belongs to, or nil.
	Home(tree *syntax.Tree) *Info
	// Account returns what queries are charged to at the moment.
	Account() *account.Account
}

// home returns the module that n stands in. Queries about code of another module are answered by
// that module.
func (in *Info) home(n syntax.Node) *Info {
	if tree := n.Tree(); tree != nil && tree != in.Tree && in.importer != nil {
		if other := in.importer.Home(tree); other != nil {
			return other
		}
	}
	return in
}

// Mentions reports whether the program may contain one of the words. If it does not, nothing of
// that name happens, and no call needs to be examined. Imported modules may contain anything.
func (in *Info) Mentions(words ...string) bool {
	return in.Connected() || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(in.Tree.Text(), w) })
}

// Connected reports whether the module imports another module of the program, so that names depend
// on it.
func (in *Info) Connected() bool {
	if in.links == 0 {
		in.links = 1
		if in.importer != nil && slices.ContainsFunc(in.imports, in.ours) {
			in.links = 2
		}
	}
	return in.links == 2
}

// ours reports whether a module, which may be missing, belongs to the program: the import is
// relative, or the first part of its name is found. A repository that is a package itself has no
// folder of that name: the module is found in it, or that of which it is a name.
func (in *Info) ours(module string) bool {
	if in.importer == nil {
		return false
	}
	if strings.HasPrefix(module, ".") {
		return true
	}
	first, below, nested := strings.Cut(module, ".")
	if !nested || in.importer.Has(first) {
		return in.importer.Has(first)
	}
	return in.importer.Has(module) || strings.Contains(below, ".") && in.importer.Has(module[:strings.LastIndexByte(module, '.')])
}

// Load returns the module of the program that an import in this module names, as it is written:
// "nets.resnet", ".blocks". It returns nil if the program has no such module.
func (in *Info) Load(module string) *Info {
	if !in.Connected() || !in.ours(module) {
		return nil
	}
	return in.importer.Import(module)
}

// mostProgram bounds the bytes of a program's modules: those of a whole library that import each
// other would be read for each of its files.
const mostProgram = 4 << 20

// Program returns the module and the modules of the program that it imports, directly or
// indirectly, in order: the nearest ones, if there are too many.
func (in *Info) Program() []*Info {
	if in.program != nil {
		return in.program
	}
	all, seen := []*Info{in}, map[*Info]bool{in: true}
	bytes := 0
	for i := 0; i < len(all) && bytes < mostProgram; i++ {
		for _, m := range all[i].ImportedModules() {
			if !seen[m] {
				all, seen[m] = append(all, m), true
				bytes += len(m.Tree.Text())
			}
		}
	}
	in.program = slices.Clip(all) // callers may append
	return in.program
}

// ImportedModules returns the modules of the program that the module itself imports, in order.
// Some ten rules ask for them: to look for them each time was a fifth of a check of many files.
func (in *Info) ImportedModules() []*Info {
	if in.modules != nil || !in.Connected() {
		return in.modules
	}
	all, seen := []*Info{}, map[*Info]bool{}
	add := func(module string) {
		if m := in.Load(module); m != nil && !seen[m] {
			all, seen[m] = append(all, m), true
		}
	}
	for _, module := range in.imports {
		add(module)
	}
	for _, name := range in.Module.Names() {
		for _, b := range in.Module.Bindings(name) {
			if b.Kind == FromBinding {
				add(b.Module)
			}
		}
	}
	in.modules = all
	return all
}

// An export is the result of importing a name from a module: bindings in a module, or a name of a
// library, as it is imported. The zero export is nothing.
type export struct {
	in       *Info
	bindings []*Binding
	library  string
}

func (e export) found() bool { return len(e.bindings) > 0 || e.library != "" }

// export finds a name of the module after all of it has run.
func (in *Info) export(name string) export {
	if all := withValue(in.atEnd(in.Module.Bindings(name), syntax.Node{})); len(all) > 0 {
		return export{in: in, bindings: all}
	}
	return in.starred(name)
}

// starred finds a name that "from module import *" binds; the last such import wins.
func (in *Info) starred(name string) export {
	defer in.Enter(syntax.Node{}).Leave()
	end := in.circles.star()
	if end == nil {
		return export{}
	}
	defer end()
	for _, s := range slices.Backward(in.stars) {
		if m := in.Load(s.Module); m != nil {
			if m.Takes(name) {
				if e := m.export(name); e.found() {
					return e
				}
			}
		} else if module := in.library.Canonical(s.Module); in.library.Exports(module, name) {
			return export{library: s.Module + "." + name}
		}
	}
	if library := usual[name]; library != "" && in.starsElsewhere() {
		return export{library: library}
	}
	return export{}
}

// starsElsewhere reports whether the module imports * from one that is not here.
func (in *Info) starsElsewhere() bool {
	return slices.ContainsFunc(in.stars, func(s *Binding) bool {
		root, _, _ := strings.Cut(in.library.Canonical(s.Module), ".")
		return root != "tensorflow" && in.Load(s.Module) == nil
	})
}

// FromElsewhere reports whether only an import * of a module that is not here can bind a name.
func (in *Info) FromElsewhere(n syntax.Node) bool {
	in = in.home(n)
	return in.Lookup(n) == nil && len(in.stars) > 0 && in.starsElsewhere()
}

// usual are the names by which nearly all programs import libraries. They mean those where only an
// import * of a module that is not here, such as a utility script of a notebook, can bind them.
var usual = map[string]string{"tf": "tensorflow", "keras": "keras", "np": "numpy", "pd": "pandas"}

// Takes reports whether "from this import *" binds a name of the module: what __all__ lists or, without __all__, names
// without a leading underscore.
func (in *Info) Takes(name string) bool {
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

// foreign returns what an import of another module of the program binds: that module, or what it
// exports under the name. ok reports whether the import is one of the program, even if nothing is
// found.
func (in *Info) foreign(b *Binding) (m *Info, e export, ok bool) {
	if b.Kind != ImportBinding && b.Kind != FromBinding || !in.Connected() || !in.ours(b.Module) {
		return nil, export{}, false
	}
	if b.Kind == ImportBinding {
		m = in.Load(b.Module)
		return m, export{}, m == nil || !m.Namespace
	}
	module, name := split(b.Module)
	from := in.Load(module)
	if from != nil && !from.Namespace {
		if e = from.export(name); e.found() && !(from == in && slices.Contains(e.bindings, b)) {
			return nil, e, true
		}
	}
	if m = in.Load(b.Module); m != nil {
		return m, export{}, !m.Namespace
	}
	return nil, export{}, from == nil || !from.Namespace
}

// ModuleOf returns the module of the program that an expression stands for, or nil.
func (in *Info) ModuleOf(n syntax.Node) *Info {
	if in = in.home(n); !in.Connected() {
		return nil
	}
	defer in.Enter(n).Leave()
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

// module returns the module that all bindings stand for, or nil.
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
	defer in.Enter(b.Node).Leave()
	if !in.circles.enter(b) {
		return nil
	}
	defer in.circles.leave(b)
	if b.Kind == AssignBinding && b.Value.Is(syntax.Identifier, syntax.Attribute) {
		return in.ModuleOf(b.Value)
	}
	m, e, _ := in.foreign(b)
	if m == nil && e.found() {
		return e.module()
	}
	return m
}

// submodule returns a module that is an attribute of this one: because it imports it, or because
// it lies in its package.
func (in *Info) submodule(name string) *Info {
	if e := in.export(name); e.found() {
		return e.module()
	}
	if in.importer == nil || !in.Package {
		return nil
	}
	return in.importer.Import("." + name)
}

// qualifyImport returns the qualified name that an import gives its name.
func (in *Info) qualifyImport(b *Binding) int32 {
	m, e, ok := in.foreign(b)
	switch {
	case !ok:
		return in.qualified.intern(b.Module)
	case m != nil:
		return unknownName
	case !e.found():
		// A name of the program that is not found: it begins with a dot.
		return in.qualified.intern("." + strings.TrimPrefix(b.Module, "."))
	case !in.circles.enter(b):
		return unknownName
	}
	defer in.circles.leave(b)
	return in.qualifyExport(e)
}

func (in *Info) qualifyExport(e export) int32 {
	if e.library != "" {
		return in.qualified.intern(e.library)
	}
	found := ""
	for i, b := range e.bindings {
		q := e.in.qualified.texts[e.in.qualifyBinding(b)]
		if q == "" || i > 0 && q != found {
			return unknownName
		}
		found = q
	}
	return in.qualified.intern(found)
}

// attributeOf returns the qualified name of an attribute of a module of the program.
func (in *Info) attributeOf(m *Info, name string) int32 {
	if e := m.export(name); e.found() {
		return in.qualifyExport(e)
	}
	if m.submodule(name) != nil {
		return unknownName
	}
	return in.qualified.intern("." + name)
}

// resolve returns the part of the program that a module exports.
func (e export) resolve() Target {
	if len(e.bindings) == 0 {
		return Target{}
	}
	return e.in.resolveBindings(e.bindings)
}

// typeOf returns the type of what a module exports.
func (e export) typeOf() Type {
	if len(e.bindings) == 0 {
		return Type{}
	}
	return e.in.agreed(e.bindings)
}

// Runs returns the modules of the program that an import statement runs, unless they have run
// before, in order: a package comes before its modules.
func (in *Info) Runs(stmt syntax.Node) []*Info {
	if in = in.home(stmt); !in.Connected() {
		return nil
	}
	var out []*Info
	add := func(module string) *Info {
		m := in.Load(module)
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

// Packages returns the packages that contain the module and have run before it, outermost first.
// A relative import shows that the module is run as part of a package.
func (in *Info) Packages() []*Info {
	if !in.Connected() || !slices.ContainsFunc(in.imports, func(m string) bool { return strings.HasPrefix(m, ".") }) {
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

// Ours returns a name for an expression that is imported from another module of the program and
// unknown there. The name begins with a dot. It is empty for every other expression.
func (in *Info) Ours(n syntax.Node) string {
	if in = in.home(n); !in.Connected() {
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

// Exports returns the bindings of a name that importers of the module see, in this module or in
// one that it imports them from; nil if there are none.
func (in *Info) Exports(name string) []*Binding { return in.export(name).origin() }

// Origin returns the bindings behind a name that is imported from another module of the program,
// if they are known.
func (in *Info) Origin(b *Binding) []*Binding {
	defer in.Enter(b.Node).Leave()
	in = in.home(b.Node)
	_, e, _ := in.foreign(b)
	return e.origin()
}

// origin follows imports to the bindings that are not imports.
func (e export) origin() []*Binding {
	if len(e.bindings) == 1 && e.bindings[0].Kind == FromBinding {
		b := e.bindings[0]
		if !e.in.circles.enter(b) {
			return nil
		}
		defer e.in.circles.leave(b)
		return e.in.Origin(b)
	}
	return e.bindings
}

// Starred returns the bindings, in another module of the program, of a name that only "from
// module import *" binds.
func (in *Info) Starred(n syntax.Node) []*Binding {
	if in = in.home(n); len(in.stars) == 0 {
		return nil
	}
	return in.starred(n.Text()).origin()
}

// StarredLibrary returns the library's name for a name that the module has only through "from
// library import *", or "".
func (in *Info) StarredLibrary(name string) string {
	return in.library.Canonical(in.starred(name).library)
}

// ImportsAll reports whether the module has "from module import *" anywhere.
func (in *Info) ImportsAll() bool { return len(in.stars) > 0 }

// InheritsElsewhere reports whether c inherits from a class of another module of the program.
func (in *Info) InheritsElsewhere(c *Class) bool {
	return slices.ContainsFunc(c.ancestry(), func(k *Class) bool { return k.Info != c.Info })
}
