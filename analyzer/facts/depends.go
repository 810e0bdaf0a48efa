package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// DependsOn reports whether a value may be computed from that of another expression, or be it.
func (f *Facts) DependsOn(n, of syntax.Node) bool {
	return n.Valid() && f.AnyUntil(origins.Place{Node: n}, func(origin origins.Place, same func(origins.Place) bool) bool {
		if origin.Node == of {
			return true
		}
		part := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		if origin.Node.Kind() == syntax.Identifier {
			return slices.ContainsFunc(f.info.ReachingDefs(origin.Node), func(b *names.Binding) bool {
				return (b.Kind == names.ForBinding || b.Kind == names.WithBinding) && part(b.Value)
			})
		}
		return slices.ContainsFunc(slices.Collect(origin.Node.Children()), part)
	}, func(p origins.Place) bool { return p.Node == of })
}
