package graph

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
	AllKinds = append(AllKinds, k)
	return k
}

// straight, curved and ungraded add rows whose role depends on the size.
func straight(name string, facts ...Facts) *Kind { return kind(name, BySize, Straight, facts...) }

func NewCurved(name string, facts ...Facts) *Kind { return kind(name, BySize, Curved, facts...) }

func Ungraded(name string, facts ...Facts) *Kind { return kind(name, BySize, NoGradient, facts...) }

// Family adds rows that differ only in their names.
func Family(xla Role, second Second, facts Facts, names ...string) (of []*Kind) {
	for _, name := range names {
		of = append(of, kind(name, xla, second, facts))
	}
	return of
}

// AllKinds are the rows.
var AllKinds []*Kind

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
	// Overwrites is set if the operation consists of elementwise kernels of which the last may
	// overwrite the input in inference: batch normalization with known statistics is a product and
	// a sum (tensorflow/python/ops/nn_impl.py, batch_normalization).
	Overwrites
	// Fills is set if the output is one number, as often as the input has numbers. Of a variable, whose
	// shape is known, TensorFlow's graph optimizer makes it a constant
	// (tensorflow/core/grappler/optimizers/constant_folding.cc, MaterializeConstantValuedNode).
	Fills

	inPlace      // see Op
	gradInPlace  // see Op
	gradSame     // see Op
	reshapes     // it is a View
	ReadsInputs  // the gradient does
	ReadsOutputs // the gradient does
	boolean      // the output is of bools
	KeepsOne     // the gradient keeps one tensor of the input's size as Extra
	kernel       // the gradient of the weight is a product of the input and the incoming gradient
	// unheld is set if a tape does not hold the inputs. It holds those of all other operations,
	// because their gradient functions look at them, if only for their shapes
	// (tensorflow/python/eager/pywrap_gradient_exclusions.cc, OpGradientUnusedInputIndices).
	unheld
	// tiled is set if the gradient needs what it keeps in the shape of the incoming gradient: pfor
	// repeats it for each iteration (tensorflow/python/ops/parallel_for/pfor.py, _convert_grads).
	tiled

	Over = inPlace | gradInPlace
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
	OpCell           = kind("Cell", Library, Curved, ReadsInputs)
	OpConvTranspose  = NewCurved("ConvTranspose")
	OpSparseMatMul   = NewCurved("SparseMatMul")
	OpState          = NewCurved("State")
	OpLoss           = NewCurved("Loss")
	OpCustomGradient = NewCurved("custom_gradient")
	OpBiasAdd        = straight("BiasAdd", inPlace|gradSame|unheld)
	OpReadVariable   = straight("ReadVariable")

	// What stands between the operations of a step.
	OpHold       = kind("Hold", BySize, NotFollowed)
	OpGradient   = kind("Gradient", BySize, NotFollowed)
	OpUpdate     = kind("Update", BySize, NotFollowed)
	OpMetrics    = kind("Metrics", BySize, NotFollowed)
	OpAssign     = Ungraded("Assign")
	OpGlobalNorm = NewCurved("GlobalNorm")

	OpMaxPool            = kind("MaxPool", Window, Zeroed, ReadsInputs|ReadsOutputs)
	OpAvgPool            = kind("AvgPool", Window, Straight)
	OpFusedBatchNorm     = NewCurved("FusedBatchNorm", ReadsInputs)
	OpLayerNorm          = NewCurved("LayerNorm", ReadsInputs)
	OpGroupNorm          = NewCurved("GroupNorm", ReadsInputs)
	OpUnitNorm           = NewCurved("UnitNorm", ReadsInputs)
	OpL2Normalize        = NewCurved("l2_normalize", ReadsInputs)
	OpLayerNormalization = NewCurved("layer_normalization", ReadsInputs)
	OpRMSNormalization   = NewCurved("rms_normalization", ReadsInputs)
	OpBatchNorm          = NewCurved("BatchNorm", Overwrites)
	OpNoise              = NewCurved("Noise", Trains|gradInPlace)
	OpRandomImage        = NewCurved("RandomImage", Trains)
	OpImage              = NewCurved("Image")
	OpSpectrogram        = NewCurved("Spectrogram")
	OpMelSpectrogram     = NewCurved("MelSpectrogram")
	OpTextVectorization  = NewCurved("TextVectorization")
	OpEncode             = NewCurved("Encode")
	OpMask               = NewCurved("Mask", gradInPlace)
	OpRescaling          = NewCurved("Rescaling", Over)
	OpArithmetic         = NewCurved("Arithmetic", Over)
	OpDropout            = straight("Dropout", Trains)
	OpScale              = straight("Scale", gradInPlace)
	OpLoaded             = straight("Loaded", Trains) // the end of a function that is loaded

	OpRelu       = kind("relu", BySize, Zeroed, Over|ReadsOutputs|ComparesZeros|unheld|tiled)
	OpRelu6      = kind("relu6", BySize, Zeroed, Over|ReadsOutputs|ComparesZeros|unheld|tiled)
	OpLeakyRelu  = kind("leaky_relu", BySize, Zeroed, Over|ReadsInputs|ComparesZeros|tiled)
	OpElu        = NewCurved("elu", Over|ReadsOutputs|ComparesZeros|unheld|tiled)
	OpSelu       = NewCurved("selu", Over|ReadsOutputs|ComparesZeros|unheld|tiled)
	OpSigmoid    = NewCurved("sigmoid", Over|ReadsOutputs|unheld|tiled)
	OpTanh       = NewCurved("tanh", Over|ReadsOutputs|unheld|tiled)
	OpSoftmax    = NewCurved("softmax", Over|ReadsOutputs|unheld)
	OpLogSoftmax = NewCurved("log_softmax", Over|ReadsOutputs|unheld)
	OpSoftplus   = NewCurved("softplus", Over|tiled)
	OpSoftsign   = NewCurved("softsign", Over|ReadsInputs|tiled)
	OpGelu       = NewCurved("gelu", gradInPlace|ComparesZeros|Overwrites)
	OpSilu       = NewCurved("silu", gradInPlace|ReadsInputs|Overwrites)
	OpHardSilu   = NewCurved("hard_silu", gradInPlace|ReadsInputs|Overwrites)
	OpPReLU      = NewCurved("PReLU", gradInPlace|ComparesZeros|Overwrites)

	OpExp             = NewCurved("exp", Over|ReadsOutputs|unheld)
	OpSqrt            = NewCurved("sqrt", Over|ReadsOutputs|tiled)
	OpRsqrt           = NewCurved("rsqrt", Over|ReadsOutputs|tiled)
	OpReciprocal      = NewCurved("reciprocal", Over|ReadsOutputs|tiled)
	OpLog             = NewCurved("log", Over|ReadsInputs)
	OpLog1p           = NewCurved("log1p", Over|ReadsInputs)
	OpSquare          = NewCurved("square", Over|ReadsInputs)
	OpComplexAbs      = NewCurved("ComplexAbs", ReadsInputs|ReadsOutputs)
	OpCumprod         = NewCurved("cumprod", ReadsInputs|ReadsOutputs)
	OpPreprocessInput = NewCurved("preprocess_input", Over)
	OpAbs             = kind("abs", BySize, Zeroed, Over)
	OpNegative        = straight("negative", Over)

	OpAdd               = straight("Add", Adds)
	OpSubtract          = straight("Subtract")
	OpMaximum           = straight("Maximum")
	OpMinimum           = straight("Minimum")
	OpSelect            = straight("Select")
	OpAverage           = NewCurved("Average", inPlace|gradSame|Adds)
	OpAddN              = NewCurved("AddN", inPlace|gradSame)
	OpMultiply          = NewCurved("Multiply")
	OpDivide            = NewCurved("Divide")
	OpPow               = NewCurved("Pow")
	OpSquaredDifference = NewCurved("SquaredDifference")
	OpXlogy             = NewCurved("Xlogy")
	OpCross             = NewCurved("Cross")
	OpFloorDiv          = Ungraded("FloorDiv")
	OpFloorMod          = Ungraded("FloorMod")
	OpEqual             = Ungraded("Equal", boolean)
	OpNotEqual          = Ungraded("NotEqual", boolean)
	OpGreater           = Ungraded("Greater", boolean)
	OpGreaterEqual      = Ungraded("GreaterEqual", boolean)
	OpLess              = Ungraded("Less", boolean)
	OpLessEqual         = Ungraded("LessEqual", boolean)
	OpLogicalAnd        = Ungraded("LogicalAnd", boolean)
	OpLogicalOr         = Ungraded("LogicalOr", boolean)
	OpLogicalXor        = Ungraded("LogicalXor", boolean)

	OpMean    = straight("Mean")
	OpSum     = straight("Sum")
	OpMax     = straight("Max")
	OpAny     = Ungraded("any", boolean)
	OpMoments = NewCurved("moments", ReadsInputs)
	OpL2Loss  = NewCurved("L2Loss", ReadsInputs)

	OpReshape         = straight("Reshape", reshapes|Over)
	OpCast            = straight("Cast")
	OpTile            = straight("Tile")
	OpBroadcastTo     = straight("BroadcastTo")
	OpPad             = straight("Pad")
	OpConcat          = straight("Concat")
	OpPack            = straight("Pack")
	OpGather          = straight("Gather")
	OpConst           = straight("Const", unheld)
	OpTranspose       = straight("Transpose", unheld)
	OpEnsureShape     = NewCurved("ensure_shape", reshapes)
	OpReverseSteps    = NewCurved("ReverseSteps", unheld)
	OpReverseSequence = NewCurved("reverse_sequence")
	OpScatter         = NewCurved("scatter")
	OpSegments        = NewCurved("segments")
	OpSort            = NewCurved("sort")
	OpMeshgrid        = NewCurved("meshgrid")
	OpMatrixDiag      = NewCurved("MatrixDiag")
	OpMatrixDiagPart  = NewCurved("MatrixDiagPart")
	OpSolve           = NewCurved("solve")
	OpFFT             = NewCurved("FFT")
	OpRFFT            = NewCurved("RFFT")
	OpComplex         = NewCurved("complex")
	OpComplexPart     = NewCurved("complex_part")
	OpTakeAlongAxis   = NewCurved("take_along_axis", ReadsInputs)
	OpMatrixSetDiag   = NewCurved("MatrixSetDiag", inPlace)
	OpDecompose       = NewCurved("decompose", ReadsOutputs)
	OpUnpack          = kind("Unpack", Fused, Curved)
	OpSplit           = kind("Split", Fused, Curved)
	OpSlice           = kind("Slice", Fused, Straight)
	OpStridedSlice    = kind("StridedSlice", Fused, Straight)
	OpTopK            = kind("TopK", Library, Curved)
	OpOneHot          = Ungraded("OneHot", unheld)
	OpIndices         = Ungraded("indices")
	OpShuffle         = Ungraded("shuffle")

	OpResize         = kind("Resize", Library, Straight)
	OpRandomCrop     = kind("RandomCrop", Library, Straight, Trains)
	OpExtractPatches = kind("ExtractPatches", Library, Curved)
	OpSpaceToBatch   = kind("SpaceToBatch", Reduction, Curved, unheld)
	OpBatchToSpace   = kind("BatchToSpace", Reduction, Curved, unheld)
	OpUpSampling     = straight("UpSampling")
	OpCropAndResize  = NewCurved("CropAndResize")
	OpSpaceToDepth   = NewCurved("space_to_depth")
	OpBoundingBox    = NewCurved("bounding_box")
	OpRGBToGrayscale = NewCurved("rgb_to_grayscale")
	OpRecolor        = Ungraded("recolor")
)
