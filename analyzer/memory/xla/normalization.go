package xla

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// differences reports whether the differences of a batch to its mean are in memory. Batch
// normalization computes the variance from them, and its gradient reads them. They are in memory
// if the variance is one sum. If it is computed in two steps
// (xla/service/gpu/transforms/tree_reduction_rewriter.cc), the first step computes the
// differences, and the gradient computes them again. Inputs with adjacent channels are summed
// column by column, in one step up to a number of rows (xla/service/gpu/reduction_utils.cc,
// ReductionIsRaceFree).
func differences(op *graph.Op) bool {
	if op.Kind != graph.OpBatchNorm || op.Normalization == nil || !op.Normalization.Moments {
		return false
	}
	x := op.In[0]
	if len(x.Shape) > 2 && !half(x) {
		return crowded(x.Shape)
	}
	rows, ok := x.Shape[:len(x.Shape)-1].Elements()
	return ok && rows <= rowsAtOnce
}

// rowsAtOnce is the number of rows of a warp: each of its threads takes a tile of 128.
const rowsAtOnce = 32 * 128

// half reports whether a tensor was computed in a type of two bytes. Convolutions in such a type
// have adjacent channels.
func half(t *graph.Tensor) bool {
	return t.From != nil && t.From.Kind == graph.OpCast && t.From.In[0].DType.Size() == 2
}

// crowded reports whether XLA keeps the differences of images with separate channels in memory.
// One block of threads sums up each channel in one step. With few channels, computing the
// differences takes the blocks longer than writing and reading them takes the GPU. XLA's model
// (xla/service/gpu/model/gpu_performance_model_base.cc, ComputeTime and WriteTime) counts about 20
// ticks per difference at 1.41 ticks per nanosecond, two at once on each of the 64 units of a
// block. Against that stand a microsecond per kernel and 1,555 bytes per nanosecond, as of an
// A100.
func crowded(shape tensor.Shape) bool {
	last := len(shape) - 1
	places, ok := shape[1:last].Elements()
	if !ok || shape[0] < 1 || shape[0] > picturesAtOnce || places > placesAtOnce {
		return false
	}
	n := float64(shape[0] * places)
	return n*20/(64*2*1.41) > 1000+2*4*n*float64(shape[last])/1555
}

// One step sums up at most picturesAtOnce images with placesAtOnce places each: 1,024 threads
// take a tile of 16 places each.
const (
	picturesAtOnce = 8
	placesAtOnce   = 1024 * 16
)
