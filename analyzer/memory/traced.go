package memory

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/value"
)

// traced returns what a step takes that a run traced, on the batch of that run. Its moment goes into p,
// unless p is nil.
func traced(m *graph.Model, batch int64, p *Profile) (n Need, err error) {
	own := max(m.Traced.Traced().Batch(), 1)
	if batch != own {
		return n, value.Because(value.BatchSize, "the step is traced on batches of %d: a probe of the program with another batch would tell", own)
	}
	n, peak, err := tracedNeed(m.Traced)
	if err != nil {
		return n, err
	}
	if xla, _ := m.XLA(); xla {
		n.tracedWithXLA(peak)
	}
	if p != nil {
		use := n.resident()
		use[executor.Temporaries] += peak
		p.Moments, p.Top = []Moment{{Phase: executor.Backward, Use: use}}, 0
	}
	return n, nil
}

// tracedNeed returns what a traced step takes without XLA, and its peak beside what is there before it.
func tracedNeed(s *observed.Step) (n Need, peak int64, err error) {
	use := s.Traced().Play()
	switch {
	case len(use.Unknown) > 0:
		return n, 0, value.Because(value.DataDependent, "the trace does not say what %s returns", strings.Join(use.Unknown, ", "))
	case use.Cut:
		return n, 0, value.Because(value.TooLong, "the step runs more operations than are followed")
	case use.Loops:
		return n, 0, value.Because(value.UndecidedLoop, "the trace does not say how often a loop runs")
	}
	variables := use.Variables + s.Unread
	n.Weights = min(s.Weights, variables)
	n.Optimizer = variables - n.Weights
	if s.Weights == 0 {
		n.Weights, n.Optimizer = variables, 0
	}
	n.Gradients, n.Batch = min(n.Weights, 4*s.Trainable), use.Inputs
	n.close(use.Peak)
	// Which of the kernels that become ready together runs first is in the trace only as far as the graph
	// decides it; the executor's sets of edges are ordered by hashes (tensorflow/core/graph/edgeset.h).
	n.Low -= use.Peak / 20
	// The gradient of a loop takes what the loop put into lists. It stays in use where something else has
	// the list as well, which is copied then (tensorflow/core/kernels/list_kernels.h, TensorListPopBack);
	// whether something has is not in the trace.
	n.High += use.Kept - use.Peak
	return n, use.Peak, nil
}

// tracedWithXLA widens the range of a traced step that XLA compiles: what it fuses is not simulated.
func (n *Need) tracedWithXLA(peak int64) {
	n.Low = min(n.Low, n.Peak-peak/2)
	n.High += peak / 4
}
