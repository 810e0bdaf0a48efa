package arrays_test

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// follow runs a whole program, whose models tell what is known of the arrays that size them.
func follow(program string) *graph.Program {
	return keras.Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
}
