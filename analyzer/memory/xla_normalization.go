package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// differences tells whether the differences of a batch to its mean are in memory, of which
// batch normalization makes the variance, and its gradient what comes back: that is so where
// the variance is one sum. Where it is taken in two steps
// (xla/service/gpu/transforms/tree_reduction_rewriter.cc), the differences are computed in
// the first, and again for the gradient. Inputs in which the channels lie side by side are
// summed column by column, in one step up to a number of rows
// (xla/service/gpu/reduction_utils.cc, ReductionIsRaceFree).
func differences(op *keras.Op) bool {
	if op.Name != "BatchNorm" || op.Normalization == nil || !op.Normalization.Moments {
		return false
	}
	x := op.In[0]
	if len(x.Shape) > 2 && !half(x) {
		return crowded(x.Shape)
	}
	rows, ok := x.Shape[:len(x.Shape)-1].Elements()
	return ok && rows <= rowsAtOnce
}

// rowsAtOnce are those of a warp's threads, each of which takes a tile of 128.
const rowsAtOnce = 32 * 128

// half tells whether a tensor was computed in a type of two bytes, in which convolutions
// have the channels side by side.
func half(t *keras.Tensor) bool {
	return t.From != nil && t.From.Name == "Cast" && t.From.In[0].DType.Size() == 2
}

// crowded tells of pictures whose channels lie apart that each channel is summed up in one
// step, by one block of threads, and that there are so few of them that the differences cost
// the blocks more time than to write and read them costs the GPU, by XLA's model of that
// (xla/service/gpu/model/gpu_performance_model_base.cc, ComputeTime and WriteTime): about 20
// ticks a difference, 1.41 a nanosecond, two for each of the 64 units of a block, against
// a microsecond for a kernel and 1,555 bytes a nanosecond, as of an A100.
func crowded(shape keras.Shape) bool {
	last := len(shape) - 1
	places, ok := shape[1:last].Elements()
	if !ok || shape[0] < 1 || shape[0] > picturesAtOnce || places > placesAtOnce {
		return false
	}
	n := float64(shape[0] * places)
	return n*20/(64*2*1.41) > 1000+2*4*n*float64(shape[last])/1555
}

// picturesAtOnce and placesAtOnce are what one step sums up: those places that 1,024 threads
// take, a tile of 16 each.
const (
	picturesAtOnce = 8
	placesAtOnce   = 1024 * 16
)
