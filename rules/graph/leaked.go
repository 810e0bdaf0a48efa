package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// leakedBy returns the attributes that the code in a step sets, or the functions of the program that
// it calls, and that the program reads outside of the step. Compiled code would leave symbolic
// tensors there.
func leakedBy(info *names.Info, code syntax.Node, step *names.Function) []string {
	l := leaked{seen: map[*names.Function]bool{}}
	if step != nil {
		info, l.code = step.Info, []syntax.Node{step.Node} // it may be in another module
	}
	l.collect(info, code)
	return slices.DeleteFunc(l.set, func(attribute string) bool { return !l.readElsewhere(info, attribute) })
}

// A leaked collects the attributes that code sets.
type leaked struct {
	code []syntax.Node // the code and the functions that it calls
	seen map[*names.Function]bool
	set  []string
}

func (l *leaked) collect(info *names.Info, code syntax.Node) {
	defer info.Enter(code).Leave()
	l.code = append(l.code, code)
	code.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.ClassDefinition:
			return false
		case syntax.Assignment, syntax.AugmentedAssignment:
			left := n.Child(syntax.FieldLeft)
			if name := left.Child(syntax.FieldAttribute).Text(); left.Kind() == syntax.Attribute && !slices.Contains(l.set, name) {
				l.set = append(l.set, name)
			}
		case syntax.Call:
			for _, f := range append(obstacles.RanBy(info, n), obstacles.MethodsOf(info, n)...) {
				if compiled, _ := f.CompiledBy(); !compiled && !l.seen[f] {
					l.seen[f] = true
					l.collect(f.Info, f.Node)
				}
			}
		}
		return true
	})
}

// readElsewhere reports whether other code of the program reads an attribute of that name.
func (l *leaked) readElsewhere(info *names.Info, attribute string) bool {
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.Identifiers(attribute), func(n syntax.Node) bool {
			read := n.Parent()
			return read.Kind() == syntax.Attribute && n.Field() == syntax.FieldAttribute && !isTarget(read) &&
				!slices.ContainsFunc(l.code, func(code syntax.Node) bool { return n.Within(code) })
		})
	})
}
