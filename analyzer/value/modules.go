package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// maxModule limits the steps of one imported module, and maxModules those of all
// together: a script of a large library imports much that does not matter to it.
// Whatever has not run by then is unknown.
const (
	maxModule  = 500_000
	maxModules = 600_000
)

// A module is another module of the program, as far as it has run.
type module struct {
	opaque
	name  string
	frame *frame
	// below are its imported submodules.
	below map[string]*module
	// whole is set once all of the module has run: a name that is still unbound then is
	// absent.
	whole bool
}

// GetAttr returns a variable of the module, a submodule, or a name that "from library
// import *" gives it; ok is false if the module surely has none of that name.
func (m *module) GetAttr(in *Interp, name string) (Value, bool) {
	if v, ok := m.frame.vars.Get(name); ok {
		return v, true
	}
	if sub := m.below[name]; sub != nil {
		return Value{X: sub}, true
	}
	if m.frame.info.Package {
		if info := m.frame.info.Load("." + name); info != nil {
			return Value{X: in.module(info, name)}, true
		}
	}
	for _, from := range slices.Backward(m.frame.stars) {
		if library := in.canonical(member{name: from}); m.frame.info.Library().Exports(library, name) {
			return in.externalAttr(External{library}, name), true
		}
	}
	if q := m.frame.info.StarredLibrary(name); q != "" {
		return in.external(q), true
	}
	if _, computes := m.frame.vars.Get("__getattr__"); m.whole && !computes && !m.frame.info.ImportsAll() {
		return Value{}, false
	}
	return in.Unknown(UndefinedAttribute, "%s.%s, which that module does not define", m.name, name), true
}

// module returns a module of the program, and runs it when it is first imported. A
// module that is still running is returned as it is at that point, as in Python.
func (in *Interp) module(info *names.Info, name string) *module {
	if m, ok := in.modules[info].(*module); ok {
		return m
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	f := &frame{info: info, scope: info.Module, vars: &Namespace{}}
	f.module = f
	m := &module{opaque: opaque{"a module"}, name: name, frame: f, below: map[string]*module{}}
	in.modules[info] = m
	f.vars.put("__name__", Value{X: name})
	f.vars.put("__file__", in.fileOf(info))
	f.vars.put("__doc__", Value{X: None{}})
	// Even if the import is in a branch, the module runs once and stays imported.
	journal, nesting := in.journal, in.bounds.nesting
	in.journal = nil
	tree := info.Tree
	at := 0
	most, before := maxModule, in.bounds.steps
	if !in.importing {
		most = min(most, maxModules-in.importSteps)
	}
	outer := in.importing
	in.importing = true
	finished := in.within(most, func() {
		in.inFrame(f, func() {
			for ; at < tree.Len() && !in.bounds.exhausted; at++ {
				if in.exec(tree.Statement(at)) == raises {
					break
				}
			}
			in.closeExits(f, 0, next)
		})
	})
	if in.importing = outer; !outer {
		in.importSteps += in.bounds.steps - before
	}
	if !finished {
		in.bounds.giveUp(Because(TooLong, "module %s is too long to follow", name))
		in.inFrame(f, func() {
			f.open = nil
			if tree.Len() > 0 {
				in.unbindFrom(f, tree.Statement(max(at-1, 0)))
			}
		})
	}
	m.whole = finished && at == tree.Len()
	in.journal, in.bounds.nesting = journal, nesting
	return m
}

// ours returns the module of the program that an import names, or nil if it names none.
func (in *Interp) ours(name string) *module {
	info := in.frame.info.Load(name)
	if info == nil {
		return nil
	}
	return in.module(info, name)
}

// chain imports the modules of a dotted name, outermost first, and returns the first
// and the last; nil if one is not part of the program.
func (in *Interp) chain(name string) (first, last *module) {
	dots := len(name) - len(strings.TrimLeft(name, "."))
	for i := dots; i <= len(name); i++ {
		if i < len(name) && name[i] != '.' || i == dots && i < len(name) {
			continue
		}
		m := in.ours(name[:i])
		if m == nil {
			return nil, nil
		}
		if first == nil {
			first = m
		} else if last.below != nil {
			last.below[name[strings.LastIndexByte(name[:i], '.')+1:i]] = m
		}
		last = m
	}
	return first, last
}

// importModule evaluates importlib.import_module(name, package) for a module of the
// program or a library.
func (in *Interp) importModule(args *Args) Value {
	given, _ := args.Get(0, "name")
	name, ok := given.X.(string)
	up := len(name) - len(strings.TrimLeft(name, "."))
	if up > 0 { // relative to the package, one level up for each further dot
		of, _ := args.Get(1, "package")
		pack, _ := of.X.(string)
		parts := strings.Split(pack, ".")
		if pack == "" || up > len(parts) {
			ok = false
		} else {
			name = strings.Join(append(parts[:len(parts)-up+1:len(parts)], name[up:]), ".")
		}
	}
	if !ok || name == "" {
		return in.Unknown(UnmodelledPython, "which module importlib.import_module imports")
	}
	if _, last := in.chain(name); last != nil {
		return Value{X: last}
	}
	return in.external(name)
}

func (in *Interp) imports(n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			name := operand(c)
			if !name.Valid() {
				continue
			}
			if first, _ := in.chain(dotted(c)); first != nil {
				in.bind(name.Text(), Value{X: first})
			} else if outer := in.ours(name.Text()); outer != nil {
				in.bind(name.Text(), Value{X: outer})
			} else {
				in.bind(name.Text(), in.external(name.Text()))
			}
		case syntax.AliasedImport:
			name := dotted(c.Child(syntax.FieldName))
			v := in.external(name)
			if _, last := in.chain(name); last != nil {
				v = Value{X: last}
			}
			in.bind(c.Child(syntax.FieldAlias).Text(), v)
		}
	}
}

func (in *Interp) importsFrom(n syntax.Node) {
	name := n.Child(syntax.FieldModuleName)
	from := dotted(name)
	_, m := in.chain(from)
	if !strings.HasSuffix(from, ".") { // from . import name
		from += "."
	}
	for c := range n.Children() {
		switch {
		case c == name:
		case c.Kind() == syntax.DottedName:
			in.bind(c.Text(), in.imported(m, from, dotted(c)))
		case c.Kind() == syntax.AliasedImport:
			in.bind(c.Child(syntax.FieldAlias).Text(), in.imported(m, from, dotted(c.Child(syntax.FieldName))))
		case c.Kind() == syntax.WildcardImport && m == nil:
			in.frame.module.stars = append(in.frame.module.stars, strings.TrimSuffix(from, "."))
		case c.Kind() == syntax.WildcardImport:
			for _, name := range m.frame.vars.Names() {
				if m.frame.info.Takes(name) {
					v, _ := m.frame.vars.Get(name)
					in.bind(name, v)
				}
			}
		}
	}
}

// imported returns the value that an import takes from a module: of the program, or of
// a library if m is nil.
func (in *Interp) imported(m *module, from, name string) Value {
	if m == nil {
		return in.constant(from + name)
	}
	if v, ok := m.frame.vars.Get(name); ok {
		return v
	}
	if info := in.frame.info.Load(from + name); info != nil {
		sub := in.module(info, name)
		if m.below != nil {
			m.below[name] = sub
		}
		return Value{X: sub}
	}
	v, ok := m.GetAttr(in, name)
	if !ok {
		return in.Unknown(UndefinedAttribute, "%s.%s, which that module does not define", m.name, name)
	}
	return v
}
