package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// leakedBy returns the attributes that the code in a step sets, or the functions of the program that
// it calls, and that the program reads outside of the step. Compiled code would leave symbolic
// tensors there.
func leakedBy(info *names.Info, code syntax.Node, step *names.Function) (set []string) {
	ran := []syntax.Node{}
	if step != nil {
		ran = append(ran, step.Node)
	}
	for n, in := range obstacles.Nodes(info, code) {
		if n == in.Code {
			ran = append(ran, n)
		}
		left := n.Child(syntax.FieldLeft)
		if name := left.Child(syntax.FieldAttribute).Text(); n.Is(syntax.Assignment, syntax.AugmentedAssignment) && left.Kind() == syntax.Attribute && !slices.Contains(set, name) {
			set = append(set, name)
		}
	}
	return slices.DeleteFunc(set, func(attribute string) bool { return !readElsewhere(info, attribute, ran) })
}

// readElsewhere reports whether other code of the program than that which ran reads an attribute of that
// name.
func readElsewhere(info *names.Info, attribute string, ran []syntax.Node) bool {
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.Identifiers(attribute), func(n syntax.Node) bool {
			read := n.Parent()
			return read.Kind() == syntax.Attribute && n.Field() == syntax.FieldAttribute && !facts.IsTarget(read) &&
				!slices.ContainsFunc(ran, n.Within)
		})
	})
}
