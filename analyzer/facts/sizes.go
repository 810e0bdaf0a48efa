package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Sides returns the numbers of a program that are the height or the width of its pictures. A number is a side
// where it is one of the two and stands beside the other one in a tuple, a list or a call, and so is one
// whose name is read only there.
func (f *Facts) Sides(height, width int64) (all []syntax.Node) {
	sides := []int64{height, width}
	for _, module := range f.info.Program() {
		for s := range module.Tree.Statements() {
			if module != f.info && UnderMainGuard(s) { // what only runs where the module is the program
				continue
			}
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Integer && f.isOf(n, sides) && (f.beside(n, sides) || f.namesSide(n, sides)) {
					all = append(all, n)
				}
				return true
			})
		}
	}
	return all
}

func (f *Facts) isOf(n syntax.Node, numbers []int64) bool {
	is, ok := f.Number(n, nil).Whole()
	return ok && slices.Contains(numbers, is)
}

// namesSide reports whether a number is bound to a name that is read, and only as a side.
func (f *Facts) namesSide(n syntax.Node, sides []int64) bool {
	name := n.Parent().Child(syntax.FieldLeft)
	if list := n.Parent(); list.Kind() == syntax.ExpressionList && list.Parent().Kind() == syntax.Assignment {
		name = syntax.Node{} // a, b = 1, 2
		if left := list.Parent().Child(syntax.FieldLeft); left.Kind() == syntax.PatternList {
			name = names.Element(left, slices.Index(slices.Collect(list.Children()), n))
		}
	}
	if name.Kind() != syntax.Identifier {
		return false
	}
	bindings := f.info.ScopeOf(name).Bindings(name.Text())
	if len(bindings) != 1 {
		return false
	}
	uses := f.info.Uses(bindings[0])
	if bindings[0].Scope.Kind == names.ModuleScope {
		for _, module := range f.info.Program() { // which may import it
			if module.Tree != name.Tree() {
				uses = append(uses, readAs(module, name.Text())...)
			}
		}
	}
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(use syntax.Node) bool { return !f.beside(use, sides) })
}

// readAs returns the expressions of a module that read a global name of another one: as a name that is imported, or
// as an attribute.
func readAs(module *names.Info, name string) (uses []syntax.Node) {
	for _, n := range module.Identifiers(name) {
		switch defs := module.ReachingDefs(n); {
		case n.Field() == syntax.FieldAttribute:
			uses = append(uses, n.Parent())
		case len(defs) > 0 && defs[0].Kind == names.FromBinding && defs[0].Node != n:
			uses = append(uses, n)
		}
	}
	return uses
}

// beside reports whether the value before or after one in a tuple, a list or a call is a side.
func (f *Facts) beside(n syntax.Node, sides []int64) bool {
	item := n
	if item.Parent().Kind() == syntax.KeywordArgument {
		item = item.Parent()
	}
	if !item.Parent().Is(syntax.Tuple, syntax.List, syntax.ArgumentList) {
		return false
	}
	var values []syntax.Node
	for c := range item.Parent().Children() {
		switch c.Kind() {
		case syntax.Comment:
		case syntax.KeywordArgument:
			values = append(values, c.Child(syntax.FieldValue))
		default:
			values = append(values, c)
		}
	}
	i := slices.Index(values, n)
	return i > 0 && f.isOf(values[i-1], sides) || i >= 0 && i+1 < len(values) && f.isOf(values[i+1], sides)
}
