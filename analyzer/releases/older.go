package releases

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MayBeOlder reports whether the program may run with a TensorFlow older than a version. The
// evidence is a version that its project allows or that the program checks for, one that a notebook
// has printed, a name that only TensorFlow 1 has, in any of its modules, or Python 2.
func (r *Releases) MayBeOlder(than effects.Version) bool {
	stated := r.versions.TensorFlow
	return stated.Source != "" && stated.Low.Before(than) || stated.Source == "" && r.RanOlder(than) || r.programOfTensorFlow1() || r.forPython2() || r.AsksForVersion()
}

// MayStartInGraph reports whether operations may build a graph though nothing in the program turns
// eager execution off, because the file may be one for TensorFlow 1.
func (r *Releases) MayStartInGraph() bool {
	return (r.ofTensorFlow1() || r.forPython2() || r.ranTensorFlow1()) && !flow.EnablesEager(r.program.Names.Program())
}

// ranTensorFlow1 reports whether the notebook ran with TensorFlow 1, and calls nothing that only
// TensorFlow 2 has. A README that names a version may be about another program.
func (r *Releases) ranTensorFlow1() bool {
	type ranTensorFlow1 struct{}
	return once(r, ranTensorFlow1{}, func() bool {
		return r.notebookRanOlder(effects.Version{Major: 2}) && !r.callsTensorFlow2()
	})
}

// callsTensorFlow2 reports whether the program calls what only TensorFlow 2 has.
func (r *Releases) callsTensorFlow2() bool {
	return slices.ContainsFunc(r.program.Names.Program(), func(info *names.Info) bool {
		return len(info.CallsTo(func(name string) bool {
			below, ok := strings.CutPrefix(name, "tensorflow.")
			return ok && effects.OnlyInTF2(below)
		})) > 0
	})
}

// forPython2 reports whether the file has statements that only Python 2 has. The last TensorFlow
// for it is 2.1, and most that was written for it uses 1.x.
func (r *Releases) forPython2() bool {
	type forPython2 struct{}
	return once(r, forPython2{}, func() bool {
		found := false
		for s := range r.program.Names.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				found = found || n.Is(syntax.PrintStatement, syntax.ExecStatement)
				// Only an expression that does not parse holds statements.
				return !found && (n.Kind() != syntax.ExpressionStatement || n.HasError())
			})
		}
		return found
	})
}

// ofTensorFlow1 reports whether the file uses names that only TensorFlow 1 has.
func (r *Releases) ofTensorFlow1() bool {
	type ofTensorFlow1 struct{}
	return once(r, ofTensorFlow1{}, func() bool { return namesTensorFlow1(r.program.Names) })
}

// ForTensorFlow1 reports whether the program, or the versions that its project allows, are for
// TensorFlow 1 alone.
func (r *Releases) ForTensorFlow1() bool {
	return r.Library().OnlyTensorFlow1() || r.programOfTensorFlow1()
}

// programOfTensorFlow1 is ofTensorFlow1 for any module of the program.
func (r *Releases) programOfTensorFlow1() bool {
	type key struct{}
	return once(r, key{}, func() bool { return slices.ContainsFunc(r.program.Names.Program(), namesTensorFlow1) })
}

func namesTensorFlow1(info *names.Info) bool {
	for module := range info.Modules() {
		if onlyInTF1(module) {
			return true
		}
	}
	return len(info.CallsTo(onlyInTF1)) > 0
}

func onlyInTF1(name string) bool {
	below, ok := strings.CutPrefix(name, "tensorflow.")
	return ok && effects.OnlyInTF1(below)
}
