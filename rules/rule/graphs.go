package rule

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// BuildsGraphs reports whether what a module does runs in graphs, as in TensorFlow
// 1.x, so that operations do not run as they are written: it uses a name that is of
// 1.x alone, or one that refuses to run eagerly, or runs in a session what it makes outside
// of any graph of its own.
func BuildsGraphs(info *names.Info) bool {
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		function := call.Child(syntax.FieldFunction)
		return effects.OnlyInTF1(BelowTensorFlow(info, function)) || info.Qualified(function) == "tensorflow.compat.v1.placeholder"
	}) || runsTensors(info)
}

// runsTensors reports whether a session runs a tensor that an operation makes where no graph is
// the default one, as far as the module shows: it would be an eager tensor, which no session
// runs.
func runsTensors(info *names.Info) bool {
	if info.Mentions("as_default") {
		return false
	}
	return slices.ContainsFunc(info.MethodCalls(func(name string) bool { return name == "run" }), func(run syntax.Node) bool {
		if !info.InstanceOf(run.Child(syntax.FieldFunction).Child(syntax.FieldObject), "tensorflow.compat.v1.Session") {
			return false
		}
		fetches := []syntax.Node{names.Argument(run, 0, "fetches")}
		if fetches[0].Is(syntax.List, syntax.Tuple) {
			fetches = slices.Collect(fetches[0].Children())
		}
		return slices.ContainsFunc(fetches, func(fetch syntax.Node) bool {
			made := info.DefiningExpr(fetch)
			return made.Kind() == syntax.Call && strings.HasPrefix(info.Callee(made), "tensorflow.") && !made.Ancestor(syntax.WithStatement).Valid()
		})
	})
}

// BelowTensorFlow is how an attribute is written below tensorflow, "train.Scaffold", where
// it is one of the package itself and not of tf.compat, or empty.
func BelowTensorFlow(info *names.Info, n syntax.Node) string {
	root := Root(n)
	if root.Kind() != syntax.Identifier || root == n {
		return ""
	}
	module := ""
	for i, b := range info.ReachingDefs(root) {
		if b.Kind != names.ImportBinding && b.Kind != names.FromBinding || i > 0 && b.Module != module {
			return ""
		}
		module = b.Module
	}
	rest, ok := strings.CutPrefix(module, "tensorflow")
	if !ok || rest != "" && rest[0] != '.' {
		return ""
	}
	var parts []string
	for ; n != root; n = n.Child(syntax.FieldObject) {
		parts = append(parts, n.Child(syntax.FieldAttribute).Text())
	}
	slices.Reverse(parts)
	name := strings.TrimPrefix(rest+"."+strings.Join(parts, "."), ".")
	if strings.HasPrefix(name, "compat.") || strings.HasPrefix(name, "python.") || strings.HasPrefix(name, "core.") {
		return ""
	}
	return name
}

// Root is the expression at the start of a chain of attributes.
func Root(n syntax.Node) syntax.Node {
	for n.Kind() == syntax.Attribute {
		n = n.Child(syntax.FieldObject)
	}
	return n
}
