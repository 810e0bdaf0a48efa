package pipeline

import (
	"strconv"
	"strings"

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

// constant returns the number that an expression is, or that a name is given once or by default. It
// returns 0 for anything else.
func constant(info *names.Info, n syntax.Node) float64 {
	if n.Kind() == syntax.Identifier {
		bindings := info.ReachingDefs(n)
		if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding && bindings[0].Kind != names.ParameterBinding {
			return 0
		}
		n = bindings[0].Value
	}
	if n.Kind() != syntax.Integer {
		return 0
	}
	x, _ := strconv.ParseFloat(strings.ReplaceAll(n.Text(), "_", ""), 64)
	return x
}
