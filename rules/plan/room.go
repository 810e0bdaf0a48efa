package plan

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// Smallest returns the GPU with the least memory, of some, on which a version of the program fits as it
// is, beside data of unknown size; nil if it fits none. Of equal ones it is the first.
func (s *State) Smallest(of []memory.Device) *memory.Device {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
	for _, d := range of {
		need := s.Need
		need.Open = false
		if memory.Judge(need, memory.BudgetOf(d, memory.Process{})) == memory.Fits {
			return &d
		}
	}
	return nil
}

// Batch returns the batch of the run that needs the most, 0 if the program names none.
func (s *State) Batch() int64 {
	if s.Worst.Assumed {
		return 0
	}
	return s.Worst.Batch
}
