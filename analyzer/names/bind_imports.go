package names

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

func (b *binder) imports(n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			first := c.FirstChild()
			b.part.imports = append(b.part.imports, dotted(c))
			b.bind(Binding{Kind: ImportBinding, Node: first, Module: first.Text(), Value: c, stmt: n})
		case syntax.AliasedImport:
			alias, module := c.Child(syntax.FieldAlias), dotted(c.Child(syntax.FieldName))
			b.part.imports = append(b.part.imports, module)
			if syntax.Reserved(alias.Text()) {
				continue
			}
			b.bind(Binding{Kind: ImportBinding, Node: alias, Module: module, Value: c, stmt: n})
		}
	}
}

func (b *binder) importsFrom(n syntax.Node) {
	module := n.Child(syntax.FieldModuleName)
	from := dotted(module)
	b.part.imports = append(b.part.imports, from)
	for c := range n.Children() {
		if c == module {
			continue
		}
		b.importedName(c, from, n)
	}
}

// importedName binds a name of "from module import name".
func (b *binder) importedName(c syntax.Node, from string, stmt syntax.Node) {
	x := Binding{Kind: FromBinding, Node: c, Value: stmt, stmt: stmt}
	switch c.Kind() {
	case syntax.DottedName:
		x.Module = join(from, c.Text())
		b.bind(x)
	case syntax.AliasedImport:
		x.Node, x.Module = c.Child(syntax.FieldAlias), join(from, dotted(c.Child(syntax.FieldName)))
		if !syntax.Reserved(x.Node.Text()) {
			b.bind(x)
		}
	case syntax.WildcardImport:
		x.Module, x.Scope = from, b.cur
		b.part.stars = append(b.part.stars, b.bindings.keep(x))
	}
}

// dotted returns the text of a dotted name without white space.
func dotted(n syntax.Node) string {
	text := n.Text()
	if strings.ContainsAny(text, " \t\\\r\n") {
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\\\r\n", r) {
				return -1
			}
			return r
		}, text)
	}
	return text
}

func join(module, name string) string {
	if strings.HasSuffix(module, ".") { // from . import name
		return module + name
	}
	return module + "." + name
}
