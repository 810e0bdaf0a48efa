package rule

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// ArgumentFor returns what a call of a function of the program passes for one of its parameters, or
// none.
func ArgumentFor(info *names.Info, call syntax.Node, fn *names.Function, parameter string) syntax.Node {
	function := call.Child(syntax.FieldFunction)
	t := info.Target(function)
	if t.Function != fn || names.HasSplat(call) {
		return syntax.Node{}
	}
	if function.Kind() == syntax.Identifier {
		for _, b := range info.ReachingDefs(function) {
			switch b.Kind {
			case names.FunctionBinding, names.ClassBinding, names.FromBinding:
			default:
				return syntax.Node{} // a partial may have bound some already
			}
		}
	}
	isMethod := fn.Class != nil && !fn.IsStatic()
	if isMethod && t.Class == nil && (function.Kind() != syntax.Attribute || info.Target(function.Child(syntax.FieldObject)).Class != nil) {
		return syntax.Node{} // Net.method(net, x)
	}
	return fn.Passed(call, parameter)
}
