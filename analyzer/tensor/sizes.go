package tensor

// Round256 returns the bytes that TensorFlow's allocator takes for a tensor of n bytes
// (tensorflow/core/common_runtime/bfc_allocator.h, kMinAllocationSize).
func Round256(n int64) int64 { return (n + 255) &^ 255 }

// Foldable is the size in bytes up to which TensorFlow folds constants
// (tensorflow/core/grappler/optimizers/constant_folding.cc, kMaxConstantSize;
// tensorflow/core/common_runtime/constant_folding.h, max_constant_size_in_bytes).
const Foldable = 10 << 20
