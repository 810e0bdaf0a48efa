package budget

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// Share returns how much of its GPU a program's process may have, for estimates.
func Share(file *analyzer.File) (process memory.Process) {
	process.Limit = limit(file)
	process.Growth = file.Names().Mentions("memory_growth") && file.Flow().Has(effects.SetsGrowth)
	return process
}
