package rule

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
func (p *Pass) MayBeOlder(than effects.Version) bool {
	stated := p.File.Versions().TensorFlow
	return stated.Source != "" && stated.Low.Before(than) || stated.Source == "" && p.RanOlder(than) || p.programOfTensorFlow1() || p.forPython2() || p.AsksForVersion()
}

// MayStartInGraph reports whether operations may build a graph though nothing in the program turns
// eager execution off, because the file may be one for TensorFlow 1.
func (p *Pass) MayStartInGraph() bool {
	return (p.ofTensorFlow1() || p.forPython2() || p.ranTensorFlow1()) && !flow.EnablesEager(p.File.Names().Program())
}

// ranTensorFlow1 reports whether the notebook ran with TensorFlow 1, and calls nothing that only
// TensorFlow 2 has. A README that names a version may be about another program.
func (p *Pass) ranTensorFlow1() bool {
	type ranTensorFlow1 struct{}
	return p.File.Fact(ranTensorFlow1{}, func() any {
		return p.notebookRanOlder(effects.Version{Major: 2}) && !slices.ContainsFunc(p.File.Names().Program(), func(info *names.Info) bool {
			return len(info.CallsTo(func(name string) bool {
				below, ok := strings.CutPrefix(name, "tensorflow.")
				return ok && effects.OnlyInTF2(below)
			})) > 0
		})
	}).(bool)
}

// forPython2 reports whether the file has statements that only Python 2 has. The last TensorFlow
// for it is 2.1, and most that was written for it uses 1.x.
func (p *Pass) forPython2() bool {
	type forPython2 struct{}
	return p.File.Fact(forPython2{}, func() any {
		found := false
		for s := range p.File.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				found = found || n.Is(syntax.PrintStatement, syntax.ExecStatement)
				// Only an expression that does not parse holds statements.
				return !found && (n.Kind() != syntax.ExpressionStatement || n.HasError())
			})
		}
		return found
	}).(bool)
}

// ofTensorFlow1 reports whether the file uses names that only TensorFlow 1 has.
func (p *Pass) ofTensorFlow1() bool {
	type ofTensorFlow1 struct{}
	return p.File.Fact(ofTensorFlow1{}, func() any { return namesTensorFlow1(p.File.Names()) }).(bool)
}

// ForTensorFlow1 reports whether the program, or the versions that its project allows, are for
// TensorFlow 1 alone.
func (p *Pass) ForTensorFlow1() bool {
	return p.File.Library().OnlyTensorFlow1() || p.programOfTensorFlow1()
}

// programOfTensorFlow1 is ofTensorFlow1 for any module of the program.
func (p *Pass) programOfTensorFlow1() bool {
	type key struct{}
	return p.File.Fact(key{}, func() any { return slices.ContainsFunc(p.File.Names().Program(), namesTensorFlow1) }).(bool)
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

// ListGPUs returns the call that lists all GPUs, with the name that tensorflow has in the file.
func (p *Pass) ListGPUs(tensorflow string) string {
	list := ".config.list_physical_devices("
	if p.MayBeOlder(effects.Version{Major: 2, Minor: 1}) {
		list = ".config.experimental.list_physical_devices(" // available since TensorFlow 1.14, and still today
	}
	return tensorflow + list + p.Quote() + "GPU" + p.Quote() + ")"
}
