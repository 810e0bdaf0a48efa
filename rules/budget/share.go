package budget

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// Share is how a program divides batches and memory, for estimates: over how
// many replicas, 0 where that is not known and why says so, and what the process
// may have of its GPU.
func Share(file *analyzer.File) (n int64, process memory.Process, why string) {
	process.Limit = limit(file)
	for _, t := range file.Flow().Traces() {
		for i := range t.Events {
			if t.Events[i].Effects.Has(effects.SetsGrowth) {
				process.Growth = true
			}
		}
	}
	n, why = replicas(file, len(file.Devices()))
	return n, process, why
}
