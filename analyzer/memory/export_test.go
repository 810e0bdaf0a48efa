package memory

import (
	"sync"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// Anew runs price without reusing memory of earlier prices.
func Anew(price func() (Need, error)) (Need, error) {
	executor.Unused = sync.Pool{New: executor.NewLowered}
	return price()
}

// Traced prices the step that a model has as a run traced it.
func Traced(m *graph.Model) (Need, error) { return traced(m, max(m.Traced.Traced().Batch(), 1), nil) }
