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
		return false
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
