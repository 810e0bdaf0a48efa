package pipeline

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// size returns the size of arrays in bytes. ok is false if a shape or type is unknown.
func size(of []graph.Input) (bytes int64, ok bool) {
	for _, a := range of {
		n, known := a.Shape.Elements()
		if !known || a.DType == "string" || a.DType == "" {
			return 0, false
		}
		bytes += n * a.DType.Size()
	}
	return bytes, len(of) > 0
}

// constant returns the number that an expression is, or that it has by default, or 0.
func constant(info *names.Info, n syntax.Node) float64 {
	number, _ := facts.Of(info).Number(n, nil).Likely()
	return number
}
