package budget

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// Share returns how much of its GPU a program's process may have, for estimates.
func Share(file *analyzer.File) (process memory.Process) {
	process.Limit = limit(file)
	if !file.Names().Mentions("memory_growth") {
		return process
	}
	for _, t := range file.Flow().Traces() {
		for i := range t.Events {
			if t.Events[i].Effects.Has(effects.SetsGrowth) {
				process.Growth = true
			}
		}
	}
	return process
}
