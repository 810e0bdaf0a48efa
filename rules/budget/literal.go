package budget

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/rule"
)

// The other uses of a number that is a batch size decide which fixes may change it.

// A setting is where a number stands that is written in another file: settings of the program, or a module of it.
type setting struct {
	in   *source.Source // nil if it stands here, or its place is not known
	span source.Span
	name string // such as "batch_size in config.yaml:12"
	free bool   // a fix may change it
}

// as returns what writes another number there; nothing if it stands in the file itself.
func (s setting) as(n int64) rule.Elsewhere {
	if s.in == nil {
		return rule.Elsewhere{}
	}
	return rule.Elsewhere{Source: s.in, Span: s.span, Number: n}
}

// elsewhere returns where a number is written that does not stand in the file.
func elsewhere(p *rule.Pass, n value.Value) (at setting) {
	key, path := "", ""
	switch lit := n.Lit; {
	case n.Scalar != nil:
		if at.in, at.span, at.free = p.File.Written(n.Scalar); !at.free {
			return at
		}
		key, path, at.free = n.Scalar.Key, n.Scalar.Path, !n.Scalar.Shared
	case !lit.Valid() || p.Here(lit):
		return at
	default:
		at.in, at.span = p.File.SourceOf(lit), rule.Span(lit)
		if at.in == nil || at.in.Segments()[0].Cell > 0 {
			return setting{}
		}
		path = at.in.Path
		key = cmp.Or(lit.Parent().Child(syntax.FieldLeft), lit.Parent().Child(syntax.FieldName)).Text()
		at.free = lit.Kind() == syntax.Integer && rule.Fixable(lit) && !shapesLayers(p.File.Names(), lit)
	}
	if filepath.IsAbs(path) {
		path = filepath.Base(path)
	}
	at.name = fmt.Sprintf("%s in %s:%d", cmp.Or(key, "the number"), path, at.in.Segments()[0].Lines().Line(at.span.Start)+1)
	return at
}

// readers returns where a number is read through the name that it is bound to. ok is false if it is
// bound to none.
func readers(info *names.Info, number syntax.Node) (all []syntax.Node, ok bool) {
	parent := number.Parent()
	var name syntax.Node
	switch parent.Kind() {
	case syntax.Assignment:
		name = parent.Child(syntax.FieldLeft)
	case syntax.DefaultParameter, syntax.TypedDefaultParameter:
		name = parent.Child(syntax.FieldName)
	}
	if name.Kind() != syntax.Identifier {
		return nil, false
	}
	scope := info.ScopeOf(name)
	if parent.Kind() != syntax.Assignment {
		scope = info.ScopeOf(parent.Ancestor(syntax.FunctionDefinition, syntax.Lambda).Child(syntax.FieldBody))
	}
	i := slices.IndexFunc(scope.Bindings(name.Text()), func(b *names.Binding) bool { return b.Node == name })
	if i < 0 {
		return nil, false
	}
	return info.Uses(scope.Bindings(name.Text())[i]), true
}

// mentionedOnce reports whether a file reads a setting at one place: in other words, whether its text has
// the key once, between quotes or as an attribute.
func mentionedOnce(p *rule.Pass, key string) bool {
	text, n := p.File.Source.Text(), 0
	for _, form := range []string{`"` + key + `"`, "'" + key + "'", "." + key} {
		n += strings.Count(text, form)
	}
	return key != "" && n == 1
}

// shapesLayers reports whether layers are created with a number, through the name that it is bound
// to.
func shapesLayers(info *names.Info, number syntax.Node) bool {
	all, _ := readers(info, number)
	return slices.ContainsFunc(all, func(n syntax.Node) bool {
		for call := n.Ancestor(syntax.Call); call.Valid(); call = call.Ancestor(syntax.Call) {
			e := effects.Lookup(info.Callee(call))
			if e != nil && e.Effects.Has(effects.BuildsLayer) && !names.Argument(call, -1, "batch_size").Valid() {
				return true
			}
		}
		return false
	})
}
