package interp

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Module is another module of the program, as far as it has run.
type Module struct {
	value.Opaque
	name  string
	frame *value.Frame
	// below are its imported submodules.
	below map[string]*Module
	// whole is set once all of the module has run: a name that is still unbound then is
	// absent.
	whole bool
}

// GetAttr returns a variable of the module, a submodule, or a name that "from library
// import *" gives it; ok is false if the module surely has none of that name.
func (m *Module) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if v, ok := m.frame.Vars.Get(name); ok {
		return v, true
	}
	if sub := m.below[name]; sub != nil {
		return value.Value{X: sub}, true
	}
	if m.frame.Info.Package {
		if info := m.frame.Info.Load("." + name); info != nil {
			return value.Value{X: RunModule(in, info, name)}, true
		}
	}
	for _, from := range slices.Backward(m.frame.Stars) {
		if library := canonical(in, value.Member{Name: from}); m.frame.Info.Library().Exports(library, name) {
			return externalAttr(in, value.External{Name: library}, name), true
		}
	}
	if q := m.frame.Info.StarredLibrary(name); q != "" {
		return External(in, q), true
	}
	if _, computes := m.frame.Vars.Get("__getattr__"); m.whole && !computes && !m.frame.Info.ImportsAll() {
		return value.Value{}, false
	}
	return in.Unknown(value.UndefinedAttribute, "%s.%s is not defined in that module", m.name, name), true
}

// RunModule returns a module, and runs it when it is first imported. A
// module that is still running is returned as it is at that point, as in Python.
func RunModule(in *value.Interp, info *names.Info, name string) *Module {
	if m, ok := in.Modules.Of(info).(*Module); ok {
		return m
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	f := &value.Frame{Info: info, Scope: info.Module, Vars: &value.Namespace{}}
	f.Module = f
	m := &Module{Opaque: value.Opaque{Base: "a module"}, name: name, frame: f, below: map[string]*Module{}}
	f.Vars.Put("__name__", value.Value{X: name})
	f.Vars.Put("__file__", value.FileOf(info))
	f.Vars.Put("__doc__", value.Value{X: value.None{}})
	// Even if the import is in a branch, the module runs once and stays imported.
	journal, nesting := in.Journal, in.Bounds.Nesting
	in.Journal = nil
	tree := info.Tree
	at := 0
	finished := in.Modules.Import(&in.Bounds, m, f, func() {
		in.InFrame(f, func() {
			for ; at < tree.Len() && !in.Bounds.Exhausted; at++ {
				if exec(in, tree.Statement(at)) == value.Throws {
					break
				}
			}
			in.CloseExits(f, 0, value.GoesOn)
		})
	})
	if !finished {
		in.Bounds.GiveUp(value.Because(value.TooLong, "module %s is too long to follow", name))
		in.InFrame(f, func() {
			f.Open = nil
			if tree.Len() > 0 {
				unbindFrom(in, f, tree.Statement(max(at-1, 0)))
			}
		})
	}
	m.whole = finished && at == tree.Len()
	in.Journal, in.Bounds.Nesting = journal, nesting
	return m
}

// ours returns the module of the program that an import names, or nil if it names none.
func ours(in *value.Interp, name string) *Module {
	info := in.Frame.Info.Load(name)
	if info == nil {
		return nil
	}
	return RunModule(in, info, name)
}

// Chain imports the modules of a dotted name, outermost first, and returns the first
// and the last; nil if one is not part of the program.
func Chain(in *value.Interp, name string) (first, last *Module) {
	dots := len(name) - len(strings.TrimLeft(name, "."))
	for i := dots; i <= len(name); i++ {
		if i < len(name) && name[i] != '.' || i == dots && i < len(name) {
			continue
		}
		m := ours(in, name[:i])
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

func imports(in *value.Interp, n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			name := operand(c)
			if !name.Valid() {
				continue
			}
			if first, _ := Chain(in, dotted(c)); first != nil {
				in.Bind(name.Text(), value.Value{X: first})
			} else if outer := ours(in, name.Text()); outer != nil {
				in.Bind(name.Text(), value.Value{X: outer})
			} else {
				in.Bind(name.Text(), External(in, name.Text()))
			}
		case syntax.AliasedImport:
			name := dotted(c.Child(syntax.FieldName))
			v := External(in, name)
			if _, last := Chain(in, name); last != nil {
				v = value.Value{X: last}
			}
			in.Bind(c.Child(syntax.FieldAlias).Text(), v)
		}
	}
}

func importsFrom(in *value.Interp, n syntax.Node) {
	name := n.Child(syntax.FieldModuleName)
	from := dotted(name)
	_, m := Chain(in, from)
	if !strings.HasSuffix(from, ".") { // from . import name
		from += "."
	}
	for c := range n.Children() {
		switch {
		case c == name:
		case c.Kind() == syntax.DottedName:
			in.Bind(c.Text(), imported(in, m, from, dotted(c)))
		case c.Kind() == syntax.AliasedImport:
			in.Bind(c.Child(syntax.FieldAlias).Text(), imported(in, m, from, dotted(c.Child(syntax.FieldName))))
		case c.Kind() == syntax.WildcardImport && m == nil:
			in.Frame.Module.Stars = append(in.Frame.Module.Stars, strings.TrimSuffix(from, "."))
		case c.Kind() == syntax.WildcardImport:
			for _, name := range m.frame.Vars.Names() {
				if m.frame.Info.Takes(name) {
					v, _ := m.frame.Vars.Get(name)
					in.Bind(name, v)
				}
			}
		}
	}
}

// imported returns the value that an import takes from a module: of the program, or of
// a library if m is nil.
func imported(in *value.Interp, m *Module, from, name string) value.Value {
	if m == nil {
		return constant(in, from+name)
	}
	if v, ok := m.frame.Vars.Get(name); ok {
		return v
	}
	if info := in.Frame.Info.Load(from + name); info != nil {
		sub := RunModule(in, info, name)
		if m.below != nil {
			m.below[name] = sub
		}
		return value.Value{X: sub}
	}
	v, ok := m.GetAttr(in, name)
	if !ok {
		return in.Unknown(value.UndefinedAttribute, "%s.%s is not defined in that module", m.name, name)
	}
	return v
}
