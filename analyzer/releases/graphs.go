package releases

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// BuildsGraphs reports whether the file's own module runs in graphs, as in TensorFlow 1.x, so that
// operations do not run as they are written. Its evidence is a name that only 1.x has, a name that
// refuses to run eagerly, or a session that runs operations made outside of any explicit graph. What
// stands in a with statement that makes a graph the default one proves nothing about the rest.
func (r *Releases) BuildsGraphs() bool {
	type key struct{}
	return once(r, key{}, func() bool { return buildsGraphs(r.program.Names) })
}

// ProgramBuildsGraphs is BuildsGraphs for any module of the program.
func (r *Releases) ProgramBuildsGraphs() bool {
	type key struct{}
	return once(r, key{}, func() bool { return slices.ContainsFunc(r.program.Names.Program(), buildsGraphs) })
}

func buildsGraphs(info *names.Info) bool {
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		function := call.Child(syntax.FieldFunction)
		return effects.OnlyInTF1(BelowTensorFlow(info, function)) || info.Qualified(function) == "tensorflow.compat.v1.placeholder" && !inOwnGraph(info, call)
	}) || runsTensors(info)
}

// inOwnGraph reports whether a with statement around a node enters a graph: as_default(), or a
// session (tensorflow/python/client/session.py, Session.__enter__).
func inOwnGraph(info *names.Info, n syntax.Node) bool {
	for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
		enters := false
		with.Walk(func(c syntax.Node) bool {
			if c.Kind() == syntax.Call {
				f := c.Child(syntax.FieldFunction)
				enters = enters || f.Child(syntax.FieldAttribute).Text() == "as_default" || strings.HasSuffix(info.Qualified(f), ".Session")
			}
			return !enters && c.Kind() != syntax.Block
		})
		if enters {
			return true
		}
	}
	return false
}

// runsTensors reports whether a session runs a tensor that an operation makes while no graph is the
// default one, as far as the module shows. In eager execution that would be an eager tensor, which
// no session runs.
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

// BelowTensorFlow returns how an attribute is written below tensorflow, such as "train.Scaffold".
// It is empty if the attribute is not of the package itself, or is of tf.compat.
func BelowTensorFlow(info *names.Info, n syntax.Node) string {
	root := names.Root(n)
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
