package memory

import (
	"sync"

	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// Anew runs price without reusing memory of earlier prices.
func Anew(price func() (Need, error)) (Need, error) {
	executor.Unused = sync.Pool{New: executor.NewLowered}
	return price()
}
