package budget

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// The other uses of a number that is a batch size decide which fixes may change it.

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

// readOnce reports whether a number is only a batch size of one kind: it is read in one place.
func readOnce(info *names.Info, number syntax.Node) bool {
	all, named := readers(info, number)
	if named {
		return len(all) == 1
	}
	argument := number
	if argument.Parent().Kind() == syntax.KeywordArgument {
		argument = argument.Parent()
		if argument.Child(syntax.FieldName).Text() != "batch_size" {
			return false // the default of an option, which is read elsewhere
		}
	}
	return argument.Parent().Kind() == syntax.ArgumentList
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
