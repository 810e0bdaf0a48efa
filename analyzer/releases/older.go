package releases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MayBeOlder returns why the program may run with a TensorFlow older than a version: its project
// allows one, the program checks for one, a notebook has printed one, a module has a name that only
// TensorFlow 1 has, or it is written in Python 2.
func (r *Releases) MayBeOlder(than effects.Version) Evidence {
	stated := r.versions.TensorFlow
	if stated.Source == "" {
		if e := r.RanOlder(than); e.Found() {
			return e
		}
	}
	return when(stated.Source != "" && stated.Low.Before(than), stated.Source+" allows it", syntax.Node{}).or(r.programOfTensorFlow1, r.forPython2, r.AsksForVersion)
}

// MayStartInGraph returns why operations may build a graph though nothing in the program turns
// eager execution off: the file may be one for TensorFlow 1.
func (r *Releases) MayStartInGraph() Evidence {
	return r.unlessEager(r.ofTensorFlow1().or(r.forPython2, r.ranTensorFlow1))
}

// ranTensorFlow1 returns what shows that the notebook ran with TensorFlow 1, and calls nothing that
// only TensorFlow 2 has. A README that names a version may be about another program.
func (r *Releases) ranTensorFlow1() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence {
		ran := r.notebookRanOlder(effects.Version{Major: 2})
		if ran.Found() && r.callsTensorFlow2().Found() {
			return Evidence{}
		}
		return ran
	})
}

// callsTensorFlow2 returns a call of what only TensorFlow 2 has.
func (r *Releases) callsTensorFlow2() Evidence {
	return first(r.program.Names.Program(), func(info *names.Info) Evidence {
		return firstCall("only TensorFlow 2 has it", info.CallsTo(func(name string) bool {
			below, ok := strings.CutPrefix(name, "tensorflow.")
			return ok && effects.OnlyInTF2(below)
		}))
	})
}

// forPython2 returns a statement of the file that only Python 2 has. The last TensorFlow for it is
// 2.1, and most that was written for it uses 1.x.
func (r *Releases) forPython2() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence {
		var found Evidence
		for s := range r.program.Names.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Is(syntax.PrintStatement, syntax.ExecStatement) {
					found = Evidence{"only Python 2 has the statement", n}
				}
				// Only an expression that does not parse holds statements.
				return !found.Found() && (n.Kind() != syntax.ExpressionStatement || n.HasError())
			})
		}
		return found
	})
}

// ofTensorFlow1 returns a name of the file that only TensorFlow 1 has.
func (r *Releases) ofTensorFlow1() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence { return namesTensorFlow1(r.program.Names) })
}

// ForTensorFlow1 returns what shows that the program, or the versions that its project allows, are
// for TensorFlow 1 alone.
func (r *Releases) ForTensorFlow1() Evidence {
	return r.AllowsOnlyTensorFlow1().or(r.programOfTensorFlow1)
}

// AllowsOnlyTensorFlow1 returns what says that the program runs with TensorFlow 1, if anything does.
func (r *Releases) AllowsOnlyTensorFlow1() Evidence {
	return when(r.Library().OnlyTensorFlow1(), fmt.Sprintf("%s says TensorFlow %s", r.versions.TensorFlow.Source, r.versions.TensorFlow.Range), syntax.Node{})
}

// programOfTensorFlow1 is ofTensorFlow1 for any module of the program.
func (r *Releases) programOfTensorFlow1() Evidence {
	type key struct{}
	return once(r, key{}, func() Evidence { return first(r.program.Names.Program(), namesTensorFlow1) })
}

func namesTensorFlow1(info *names.Info) Evidence {
	for _, module := range modules(info) {
		if onlyInTF1(module) {
			return Evidence{Why: "only TensorFlow 1 has " + module}
		}
	}
	return firstCall("only TensorFlow 1 has it", info.CallsTo(onlyInTF1))
}

// modules returns the modules that a module imports, sorted: the first that shows something is told.
func modules(info *names.Info) []string { return slices.Sorted(maps.Keys(info.Modules())) }

func onlyInTF1(name string) bool {
	below, ok := strings.CutPrefix(name, "tensorflow.")
	return ok && effects.OnlyInTF1(below)
}
