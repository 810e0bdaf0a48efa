package releases

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// BuildsGraphs returns what shows that the file's own module runs in graphs, as in TensorFlow 1.x, so
// that operations do not run as they are written: a name that only 1.x has, a name that refuses to
// run eagerly, or a session that runs operations made outside of any explicit graph. What stands in
// a with statement that makes a graph the default one proves nothing about the rest.
func (r *Releases) BuildsGraphs() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence { return buildsGraphs(r.program.Names) })
}

// ProgramBuildsGraphs is BuildsGraphs for any module of the program.
func (r *Releases) ProgramBuildsGraphs() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence { return first(r.program.Names.Program(), buildsGraphs) })
}

// IsTensorFlow1 is BuildsGraphs, or that the project allows only TensorFlow 1.
func (r *Releases) IsTensorFlow1() Evidence { return r.AllowsOnlyTensorFlow1().or(r.BuildsGraphs) }

// RunsInGraphs returns what shows that the program's operations are added to a graph unless something
// enters eager execution: it builds graphs, or its project allows only TensorFlow 1.
func (r *Releases) RunsInGraphs() Evidence {
	return r.unlessEager(r.AllowsOnlyTensorFlow1().or(r.ProgramBuildsGraphs))
}

// MayRunInGraph returns why graph-only code of Keras does not surely raise: the program turns eager
// execution off, may be for TensorFlow 1, or nothing states a version.
func (r *Releases) MayRunInGraph() Evidence {
	return when(!r.stated(), "nothing states a version", syntax.Node{}).or(r.ForTensorFlow1, r.ProgramBuildsGraphs, r.MayStartInGraph, r.disablesEager)
}

// DisablesEager is RunsInGraphs, or that the program's own statements turn eager execution off.
func (r *Releases) DisablesEager() Evidence {
	return r.RunsInGraphs().or(func() Evidence {
		return r.unlessEager(first(r.program.Flow().Module.Having(effects.GraphMode), func(e *flow.Event) Evidence {
			return Evidence{"it turns eager execution off", e.Node}
		}))
	})
}

// Switches returns what shows that graphs choose branches by the switches of TensorFlow 1: the program
// is one for TensorFlow 1, its Keras is older than 2.4 and nothing says that it has a TensorFlow 2 below
// it, or the program calls disable_v2_behavior. disable_eager_execution keeps the branches of
// TensorFlow 2.
func (r *Releases) Switches() Evidence {
	return r.unlessEager(r.ForTensorFlow1().or(
		func() Evidence {
			if second := (effects.Version{Major: 2}); r.versions.TensorFlow.Source != "" && !r.versions.TensorFlow.Low.Before(second) {
				return Evidence{}
			}
			return before(r.versions.Keras, effects.Version{Major: 2, Minor: 4})
		},
		func() Evidence {
			return first(r.program.Flow().Module.Having(effects.GraphMode), func(e *flow.Event) Evidence {
				return when(strings.HasSuffix(e.Name, ".disable_v2_behavior"), "it turns the behaviour of TensorFlow 2 off", e.Node)
			})
		}))
}

// disablesEager returns where the program turns eager execution off.
func (r *Releases) disablesEager() Evidence {
	return first(r.program.Flow().Traces(), func(t *flow.Trace) Evidence {
		return first(t.Having(effects.GraphMode), func(e *flow.Event) Evidence {
			return Evidence{"it turns eager execution off", e.Node}
		})
	})
}

// unlessEager returns evidence of graphs if the program does not turn eager execution on.
func (r *Releases) unlessEager(e Evidence) Evidence {
	if e.Found() && flow.EnablesEager(r.program.Names.Program()) {
		return Evidence{}
	}
	return e
}

func buildsGraphs(info *names.Info) Evidence {
	return first(info.Calls, func(call syntax.Node) Evidence {
		function := call.Child(syntax.FieldFunction)
		if name := BelowTensorFlow(info, function); effects.OnlyInTF1(name) {
			return Evidence{"only TensorFlow 1 has tf." + name, call}
		}
		return when(info.Qualified(function) == "tensorflow.compat.v1.placeholder" && !inOwnGraph(info, call), "a placeholder exists in graphs only", call)
	}).or(func() Evidence { return runsTensors(info) })
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

// runsTensors returns a session's call that runs a tensor which an operation makes while no graph is
// the default one, as far as the module shows. In eager execution that would be an eager tensor,
// which no session runs.
func runsTensors(info *names.Info) Evidence {
	if info.Mentions("as_default") {
		return Evidence{}
	}
	return first(info.MethodCalls(func(name string) bool { return name == "run" }), func(run syntax.Node) Evidence {
		if !info.InstanceOf(run.Child(syntax.FieldFunction).Child(syntax.FieldObject), "tensorflow.compat.v1.Session") {
			return Evidence{}
		}
		fetches := []syntax.Node{names.Argument(run, 0, "fetches")}
		if fetches[0].Is(syntax.List, syntax.Tuple) {
			fetches = slices.Collect(fetches[0].Children())
		}
		return when(slices.ContainsFunc(fetches, func(fetch syntax.Node) bool {
			made := info.DefiningExpr(fetch)
			return made.Kind() == syntax.Call && strings.HasPrefix(info.Callee(made), "tensorflow.") && !made.Ancestor(syntax.WithStatement).Valid()
		}), "a session runs what is made outside of an explicit graph", run)
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
