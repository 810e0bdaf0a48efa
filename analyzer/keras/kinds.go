package keras

// A Kind is a row of the table of operations: the facts that hold for every Op of that kind. Facts
// of a single operation are fields of its Op.
type Kind struct {
	Name   string
	XLA    Role
	Second Second
	facts  Facts
}

// kind adds a row. Rows stand below, and in the tables of functions with kinds of their own.
func kind(name string, xla Role, second Second, facts ...Facts) *Kind {
	k := &Kind{Name: name, XLA: xla, Second: second}
	for _, f := range facts {
		k.facts |= f
	}
	allKinds = append(allKinds, k)
	return k
}

// straight, curved and ungraded add rows whose role depends on the size.
func straight(name string, facts ...Facts) *Kind { return kind(name, BySize, Straight, facts...) }
func curved(name string, facts ...Facts) *Kind   { return kind(name, BySize, Curved, facts...) }
func ungraded(name string, facts ...Facts) *Kind { return kind(name, BySize, NoGradient, facts...) }

// family adds rows that differ only in their names.
func family(xla Role, second Second, facts Facts, names ...string) (of []*Kind) {
	for _, name := range names {
		of = append(of, kind(name, xla, second, facts))
	}
	return of
}

// allKinds are the rows.
var allKinds []*Kind

// Is reports whether a fact holds for a kind.
func (k *Kind) Is(f Facts) bool { return k.facts&f != 0 }

// straight reports whether a kind is Straight or Zeroed.
func (k *Kind) straight() bool { return k.Second >= Straight }

// A Role is what XLA makes of an operation.
type Role uint8

const (
	_         Role = iota
	Fused          // computed where it is read, at any size (xla/service/gpu/transforms/priority_fusion.cc, IsFusible)
	Reduction      // a kernel of its own; what it reads is fused into it
	Library        // a kernel of its own that reads and writes memory: cuDNN's, cuBLAS's, a loop
	Window         // a kernel that computes what it reads, some of it several times
	BySize         // a Reduction if the output is at most half of the input, otherwise Fused
)

// Second tells what is known of the gradient of the gradient.
type Second uint8

const (
	_           Second = iota
	NoGradient         // there is no first gradient either
	NotFollowed        // unknown
	Curved             // it depends on what the gradient keeps; unknown if that includes Extra
	// Straight is for a gradient that is linear in the incoming gradient, and depends on what it
	// keeps by its sign at most: it has no gradient by the input
	// (tensorflow/python/ops/nn_grad.py, array_grad.py).
	Straight
	// Zeroed is Straight, but the gradient by what is kept is zeros instead of none. The zeros
	// flow on to the weights before (tensorflow/python/ops/nn_grad.py, _ReluGradGrad and its like,
	// _MaxPoolGradGrad; tensorflow/python/ops/math_grad.py, _SignGrad, of abs).
	Zeroed
)

// Facts are bits, each a fact that holds for every operation of a kind.
type Facts uint32

const (
	Convolves  Facts = 1 << iota // a convolution
	Multiplies                   // a matrix product
	Adds                         // a sum; an average adds before it divides
	// ComparesZeros is set if the operation or its gradient compares with zeros
	// (tensorflow/compiler/tf2xla/kernels/relu_op.cc, elu_op.cc). PReLU consists of two maxima with
	// zero.
	ComparesZeros
	// Trains is set if the operation does nothing except in training
	// (keras/src/layers/regularization/dropout.py, call, and its like;
	// keras/src/layers/preprocessing/image_preprocessing/random_*.py).
	Trains
	// Overwrites is set if the operation may overwrite its input in inference: batch normalization
	// with known statistics is a product and a sum (tensorflow/python/ops/nn_impl.py,
	// batch_normalization).
	Overwrites

	inPlace      // see Op
	gradInPlace  // see Op
	gradSame     // see Op
	reshapes     // it is a View
	readsInputs  // the gradient does
	readsOutputs // the gradient does
	boolean      // the output is of bools
	keepsOne     // the gradient keeps one tensor of the input's size as Extra
	kernel       // the gradient of the weight is a product of the input and the incoming gradient
	// unheld is set if a tape does not hold the inputs. It holds those of all other operations,
	// because their gradient functions look at them, if only for their shapes
	// (tensorflow/python/eager/pywrap_gradient_exclusions.cc, OpGradientUnusedInputIndices).
	unheld
	// tiled is set if the gradient needs what it keeps in the shape of the incoming gradient: pfor
	// repeats it for each iteration (tensorflow/python/ops/parallel_for/pfor.py, _convert_grads).
	tiled

	over = inPlace | gradInPlace
)

var (
	OpMatMul         = kind("MatMul", Library, Straight, Multiplies|kernel)
	OpConv           = kind("Conv", Library, Straight, Convolves|kernel)
	OpDepthwiseConv  = kind("DepthwiseConv", Library, Straight, Convolves|kernel)
	OpBatchMatMul    = kind("BatchMatMul", Library, Curved, Multiplies)
	OpEinsum         = kind("Einsum", Library, Curved, Multiplies)
	OpEmbedding      = kind("Embedding", Library, Curved)
	OpRNN            = kind("RNN", Library, Curved)
	OpMap            = kind("Map", Library, Curved)
	OpCell           = kind("Cell", Library, Curved, readsInputs)
	OpConvTranspose  = curved("ConvTranspose")
	OpSparseMatMul   = curved("SparseMatMul")
	OpState          = curved("State")
	OpLoss           = curved("Loss")
	OpCustomGradient = curved("custom_gradient")
	OpBiasAdd        = straight("BiasAdd", inPlace|gradSame|unheld)
	OpReadVariable   = straight("ReadVariable")

	// What stands between the operations of a step.
	OpHold       = kind("Hold", BySize, NotFollowed)
	OpGradient   = kind("Gradient", BySize, NotFollowed)
	OpUpdate     = kind("Update", BySize, NotFollowed)
	OpMetrics    = kind("Metrics", BySize, NotFollowed)
	OpAssign     = ungraded("Assign")
	OpGlobalNorm = curved("GlobalNorm")

	OpMaxPool            = kind("MaxPool", Window, Zeroed, readsInputs|readsOutputs)
	OpAvgPool            = kind("AvgPool", Window, Straight)
	OpFusedBatchNorm     = curved("FusedBatchNorm", readsInputs)
	OpLayerNorm          = curved("LayerNorm", readsInputs)
	OpGroupNorm          = curved("GroupNorm", readsInputs)
	OpUnitNorm           = curved("UnitNorm", readsInputs)
	OpL2Normalize        = curved("l2_normalize", readsInputs)
	OpLayerNormalization = curved("layer_normalization", readsInputs)
	OpRMSNormalization   = curved("rms_normalization", readsInputs)
	OpBatchNorm          = curved("BatchNorm", Overwrites)
	OpNoise              = curved("Noise", Trains|gradInPlace)
	OpRandomImage        = curved("RandomImage", Trains)
	OpImage              = curved("Image")
	OpSpectrogram        = curved("Spectrogram")
	OpMelSpectrogram     = curved("MelSpectrogram")
	OpTextVectorization  = curved("TextVectorization")
	OpEncode             = curved("Encode")
	OpMask               = curved("Mask", gradInPlace)
	OpRescaling          = curved("Rescaling", over)
	OpArithmetic         = curved("Arithmetic", over)
	OpDropout            = straight("Dropout", Trains)
	OpScale              = straight("Scale", gradInPlace)

	OpRelu       = kind("relu", BySize, Zeroed, over|readsOutputs|ComparesZeros|unheld|tiled)
	OpRelu6      = kind("relu6", BySize, Zeroed, over|readsOutputs|ComparesZeros|unheld|tiled)
	OpLeakyRelu  = kind("leaky_relu", BySize, Zeroed, over|readsInputs|ComparesZeros|tiled)
	OpElu        = curved("elu", over|readsOutputs|ComparesZeros|unheld|tiled)
	OpSelu       = curved("selu", over|readsOutputs|ComparesZeros|unheld|tiled)
	OpSigmoid    = curved("sigmoid", over|readsOutputs|unheld|tiled)
	OpTanh       = curved("tanh", over|readsOutputs|unheld|tiled)
	OpSoftmax    = curved("softmax", over|readsOutputs|unheld)
	OpLogSoftmax = curved("log_softmax", over|readsOutputs|unheld)
	OpSoftplus   = curved("softplus", over|tiled)
	OpSoftsign   = curved("softsign", over|readsInputs|tiled)
	OpGelu       = curved("gelu", gradInPlace|ComparesZeros)
	OpSilu       = curved("silu", gradInPlace|readsInputs)
	OpHardSilu   = curved("hard_silu", gradInPlace|readsInputs)
	OpPReLU      = curved("PReLU", ComparesZeros)
	OpGlu        = curved("glu")

	OpExp             = curved("exp", over|readsOutputs|unheld)
	OpSqrt            = curved("sqrt", over|readsOutputs|tiled)
	OpRsqrt           = curved("rsqrt", over|readsOutputs|tiled)
	OpReciprocal      = curved("reciprocal", over|readsOutputs|tiled)
	OpLog             = curved("log", over|readsInputs)
	OpLog1p           = curved("log1p", over|readsInputs)
	OpSquare          = curved("square", over|readsInputs)
	OpComplexAbs      = curved("ComplexAbs", readsInputs|readsOutputs)
	OpCumprod         = curved("cumprod", readsInputs|readsOutputs)
	OpPreprocessInput = curved("preprocess_input", over)
	OpAbs             = kind("abs", BySize, Zeroed, over)
	OpNegative        = straight("negative", over)

	OpAdd               = straight("Add", Adds)
	OpSubtract          = straight("Subtract")
	OpMaximum           = straight("Maximum")
	OpMinimum           = straight("Minimum")
	OpSelect            = straight("Select")
	OpAverage           = curved("Average", inPlace|gradSame|Adds)
	OpAddN              = curved("AddN", inPlace|gradSame)
	OpMultiply          = curved("Multiply")
	OpDivide            = curved("Divide")
	OpPow               = curved("Pow")
	OpSquaredDifference = curved("SquaredDifference")
	OpXlogy             = curved("Xlogy")
	OpCross             = curved("Cross")
	OpFloorDiv          = ungraded("FloorDiv")
	OpFloorMod          = ungraded("FloorMod")
	OpEqual             = ungraded("Equal", boolean)
	OpNotEqual          = ungraded("NotEqual", boolean)
	OpGreater           = ungraded("Greater", boolean)
	OpGreaterEqual      = ungraded("GreaterEqual", boolean)
	OpLess              = ungraded("Less", boolean)
	OpLessEqual         = ungraded("LessEqual", boolean)
	OpLogicalAnd        = ungraded("LogicalAnd", boolean)
	OpLogicalOr         = ungraded("LogicalOr", boolean)
	OpLogicalXor        = ungraded("LogicalXor", boolean)

	OpMean    = straight("Mean")
	OpSum     = straight("Sum")
	OpMax     = straight("Max")
	OpAny     = ungraded("any", boolean)
	OpMoments = curved("moments", readsInputs)
	OpL2Loss  = curved("L2Loss", readsInputs)

	OpReshape         = straight("Reshape", reshapes|over)
	OpCast            = straight("Cast")
	OpTile            = straight("Tile")
	OpBroadcastTo     = straight("BroadcastTo")
	OpPad             = straight("Pad")
	OpConcat          = straight("Concat")
	OpPack            = straight("Pack")
	OpGather          = straight("Gather")
	OpConst           = straight("Const", unheld)
	OpTranspose       = straight("Transpose", unheld)
	OpEnsureShape     = curved("ensure_shape", reshapes)
	OpReverseSteps    = curved("ReverseSteps", unheld)
	OpReverseSequence = curved("reverse_sequence")
	OpScatter         = curved("scatter")
	OpSegments        = curved("segments")
	OpSort            = curved("sort")
	OpMeshgrid        = curved("meshgrid")
	OpMatrixDiag      = curved("MatrixDiag")
	OpMatrixDiagPart  = curved("MatrixDiagPart")
	OpSolve           = curved("solve")
	OpFFT             = curved("FFT")
	OpRFFT            = curved("RFFT")
	OpComplex         = curved("complex")
	OpComplexPart     = curved("complex_part")
	OpTakeAlongAxis   = curved("take_along_axis", readsInputs)
	OpMatrixSetDiag   = curved("MatrixSetDiag", inPlace)
	OpDecompose       = curved("decompose", readsOutputs)
	OpUnpack          = kind("Unpack", Fused, Curved)
	OpSplit           = kind("Split", Fused, Curved)
	OpSlice           = kind("Slice", Fused, Straight)
	OpStridedSlice    = kind("StridedSlice", Fused, Straight)
	OpTopK            = kind("TopK", Library, Curved)
	OpOneHot          = ungraded("OneHot", unheld)
	OpIndices         = ungraded("indices")
	OpShuffle         = ungraded("shuffle")

	OpResize         = kind("Resize", Library, Straight)
	OpRandomCrop     = kind("RandomCrop", Library, Straight, Trains)
	OpExtractPatches = kind("ExtractPatches", Library, Curved)
	OpSpaceToBatch   = kind("SpaceToBatch", Reduction, Curved, unheld)
	OpBatchToSpace   = kind("BatchToSpace", Reduction, Curved, unheld)
	OpUpSampling     = straight("UpSampling")
	OpCropAndResize  = curved("CropAndResize")
	OpSpaceToDepth   = curved("space_to_depth")
	OpBoundingBox    = curved("bounding_box")
	OpRGBToGrayscale = curved("rgb_to_grayscale")
	OpRecolor        = ungraded("recolor")
)
