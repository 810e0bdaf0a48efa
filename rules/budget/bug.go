package budget

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Bug is a use of a model that a bug of tfmem keeps from being priced.
type Bug struct {
	At  syntax.Node
	Why *value.Cause
}

// Bugs are those that the rules which ran have met in a file.
func Bugs(file *analyzer.File) []Bug { return *bugs(file) }

func bugs(file *analyzer.File) *[]Bug {
	type key struct{}
	return file.Fact(key{}, func() any { return new([]Bug) }).(*[]Bug)
}

// unpriced says why a use has no price.
func unpriced(file *analyzer.File, u *graph.ModelCall, err error) string {
	if why := value.From(err); why.Code == value.Bug {
		all := bugs(file)
		*all = append(*all, Bug{u.Node, why})
	}
	return err.Error()
}

// guarded is weighAnew, whatever panics.
func guarded(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
	err := memory.Guard(func() error {
		w, why = weighAnew(file, u)
		return nil
	})
	if err != nil {
		return w, unpriced(file, u, err)
	}
	return w, why
}
