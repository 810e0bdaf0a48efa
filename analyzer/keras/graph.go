package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Tensor is a value that flows through a step: the output of an Op, or an
// input.
type Tensor struct {
	Shape Shape
	DType DType
	// Grad tells whether a gradient flows back through it.
	Grad bool
	// From is the op that makes it, nil for an input.
	From *Op
	// Number tells the tensors of a graph apart, once they are counted.
	Number int
	// activated is the function of this tensor that was added last, of those that are
	// computed once, and before the one of the same tensor that was added before this one.
	activated, before *Tensor
}

// Bytes is the size of the tensor, rounded up to the allocator's 256
// (tensorflow/core/common_runtime/bfc_allocator.h, kMinAllocationSize).
func (t *Tensor) Bytes() int64 {
	n, ok := t.Shape.Elements()
	if !ok {
		return 0
	}
	return round256(n * t.DType.Size())
}

func round256(n int64) int64 { return (n + 255) &^ 255 }

// A Weight is a variable of a layer.
type Weight struct {
	Name      string
	Shape     Shape
	DType     DType
	Trainable bool
	// Penalties is how many sums over the weight are added to the loss: by L1, by L2.
	Penalties int
	// Sums tells that the program gathers gradients in it, which makes it no parameter.
	Sums bool
}

// Elements is how many numbers the weight holds.
func (w *Weight) Elements() int64 {
	n, _ := w.Shape.Elements()
	return n
}

// Bytes is the size of the weight as the allocator rounds it.
func (w *Weight) Bytes() int64 { return round256(w.Elements() * w.DType.Size()) }

// An Op is one operation of a forward pass, with what its gradient needs.
type Op struct {
	// Number is the op's place in the graph, once that is counted.
	Number int
	Name   string
	Layer  *Layer
	In     []*Tensor
	Out    []*Tensor
	// Keep are the tensors, among In and Out, that the gradient reads; they live
	// from the forward pass to the op's gradient.
	Keep []*Tensor
	// Extra are the sizes of tensors that the op makes for its gradient alone: a
	// mask, a reserve.
	Extra []int64
	// HoistedGrad are tensors, among In and Out, of which the gradient makes others without
	// any gradient that comes: TensorFlow makes those as soon as it can, and the last
	// of them waits. HoistedSizes are their sizes, each made of the one before.
	HoistedGrad  []*Tensor
	HoistedSizes []int64
	// SpillBytes are the bytes that the op makes for its gradient beside Extra, which are gone
	// as soon as the gradient has made SpillUntil of them, and without any that comes.
	SpillBytes, SpillUntil int64
	// Loops tells that the op is a loop of TensorFlow's: the gradients of its weights are
	// summed turn by turn, from zeros that are made when the step starts.
	Loops bool
	// Linear tells that what is kept is for the gradients of the weights alone: that of
	// the input is made of the weights and of what comes back (a convolution, a product
	// with a matrix).
	Linear bool
	// ScalarScale tells that the output is the input times a constant.
	ScalarScale bool
	// InPlace tells whether the output may take the buffer of the first input,
	// where nothing else needs that (an elementwise kernel with
	// forward_input_or_allocate_output).
	InPlace bool
	// UnrolledSteps is how many calls it stands for of a layer that runs on one step of time after
	// the other: the gradient of each of its weights is the sum of as many, which wait for
	// each other. 0 is one.
	UnrolledSteps int64
	// View tells whether the output is the input in another shape, or a part of it.
	View bool
	// Read tells whether the output is a variable, which is resident: the one
	// among Weights where it is trained.
	Read bool
	// ForwardTemp and BackwardTemp are the sizes of what lives only while the op,
	// or its gradient, runs.
	ForwardTemp, BackwardTemp int64
	// Random tells that ForwardTemp is random numbers, which are drawn of nothing: where
	// TensorFlow has the step as a graph, when that starts.
	Random bool
	// GradInPlace tells whether the gradient of the first input may take the
	// buffer of the output's gradient.
	GradInPlace bool
	// GradSame tells whether the gradient of each input of the output's size is
	// the output's gradient itself: an addition.
	GradSame bool
	// Inner tells of a product of tensors that all dimensions of one factor are also the
	// other's: each number of the result is a sum of products of numbers.
	Inner bool
	// Product tells that it is the product of its two inputs, elementwise: the
	// gradient of each is the other times what comes back, summed where that is
	// more than the input.
	Product bool
	// Contraction tells that it is a product of its two inputs that is summed: the gradient
	// of each is made of the other and of what comes back.
	Contraction bool
	// Spread are the sizes of the gradients of inputs that the op repeats along the batch,
	// before they are summed; 0 for inputs that it takes as they are.
	Spread [2]int64
	// Normalization is set where the op is a batch normalization of small operations.
	Normalization *Normalization
	// Loss is the name of the loss that the op is, of its first input and, where there
	// is a second, of what that is compared with; empty for all others.
	Loss string
	// Gradient is set where the op asks for gradients, and Update where it applies
	// them.
	Gradient *Gradient
	Update   *Update
	// Renews tells that names stand for the inputs from here on, which have stood for those of the
	// turn before.
	Renews bool
	// NoGradOf are indexes of inputs that get no gradient (indices, masks).
	NoGradOf []int
	// ZerosOf are indexes of inputs whose gradient is zeros, which go on to what they were made of.
	ZerosOf []int
	// Remat is the innermost region that the op is a part of, or nil.
	Remat *Region
	// Weights are the variables whose gradient the op's gradient makes. Sparse
	// ones come as rows: SparseRows elements instead of the whole.
	Weights    []*Weight
	SparseRows int64
	// Summed tells that the op is in a turn of a loop, whose gradient sums those of the
	// weights turn by turn.
	Summed bool
}

// A Normalization is a batch normalization that is no kernel of its own but made of
// means, products and sums (tensorflow/python/ops/nn_impl.py, moments and
// batch_normalization).
type Normalization struct {
	Channel int64 // bytes of one number for each channel
	// Moments tells that it is by the mean and the variance of the batch, not by those
	// that are known.
	Moments bool
	Scaled  bool // there is a gamma
}

// A Gradient is what the inputs of its op are differentiated by. What comes out are
// the gradients of Weights, then those of Sources.
type Gradient struct {
	Weights []*Weight
	Sources []*Tensor
	// Ops are those that it flows back through, in order of the forward pass; nil for
	// all before it, where it flows through every tensor of which Grad is set.
	Ops []*Op
	// Flows tells the tensors that it flows through, where Ops are given.
	Flows map[*Tensor]bool
}

// An Update applies the gradients that go into its op to weights. The optimizer is
// nil where they are added to a variable as they are.
type Update struct {
	Optimizer *Optimizer
	Weights   []*Weight
}

// A Graph is the operations of a forward pass, or of a step, in order of execution.
type Graph struct {
	Inputs []*Tensor
	Ops    []*Op
	// Losses are the numbers that layers add to the loss of the model that they are in.
	Losses []*Tensor
	// Trains tells that the pass is one of a training, in which there is a loss.
	Trains bool

	layer *Layer             // whose ops are being added
	own   bool               // it is that of a step that the program writes itself
	eager bool               // operations run one by one, as Python has them
	mode  mode               // in which layers are being called
	phase *trainableSnapshot // of what is trained; nil for what the layers say themselves
	calls int                // of layers
	// apart tells that losses are made of the operations that TensorFlow runs: XLA makes
	// kernels of its own of them.
	apart bool
	// by follows the program, whose calls of layers these are; nil once that is done. Nothing
	// writes to its layers then any more: others read them while a step is priced.
	by    *value.Interp
	deep  int      // how many calls of layers are within each other
	room  [][]made // for ops, piece by piece
	piece int      // that is handed out
	used  int      // of it
}

// made is an op with what most have: one output, and at most two of all else.
type made struct {
	op       Op
	out      Tensor
	outs     [1]*Tensor
	in, keep [2]*Tensor
	weights  [2]*Weight
}

// Clear takes all operations out of the graph, whose memory the next take over: neither
// they nor their tensors may be used any more. That saves 15 of 140 ms where an estimate of 1,000
// layers prices its batches one after the other.
func (g *Graph) Clear() {
	clear(g.Inputs)
	clear(g.Ops)
	clear(g.Losses)
	*g = Graph{Inputs: g.Inputs[:0], Ops: g.Ops[:0], Losses: g.Losses[:0], room: g.room}
}

// make makes room for an op.
func (g *Graph) make() *made {
	if g.piece < len(g.room) && g.used == len(g.room[g.piece]) {
		g.piece, g.used = g.piece+1, 0
	}
	if g.piece == len(g.room) {
		g.room = append(g.room, make([]made, 4<<min(g.piece, 6)))
	}
	g.used++
	return &g.room[g.piece][g.used-1]
}

// Count numbers the ops and the tensors of the graph, and returns how many numbers the
// tensors have. Those that nobody makes share number 0.
func (g *Graph) Count() int {
	n := 1
	for _, op := range g.Ops {
		for _, t := range op.In {
			t.Number = 0
		}
		for _, t := range op.Keep {
			t.Number = 0
		}
	}
	number := func(tensors []*Tensor) {
		for _, t := range tensors {
			t.Number = n
			n++
		}
	}
	number(g.Inputs)
	for i, op := range g.Ops {
		op.Number = i
		number(op.Out)
	}
	return n
}

// holds adds that Python holds what the layers of a functional model return, which is in
// a dictionary until the model returns (keras/src/ops/function.py, _run_through_graph).
// What the layers inside of those made is not in it.
func (g *Graph) holds(b *body, at map[*Symbolic]*Tensor) {
	op := &Op{Name: "Hold"}
	for _, n := range b.nodes {
		for _, s := range n.out {
			op.In = append(op.In, at[s])
		}
	}
	g.Ops = append(g.Ops, op)
}

// add appends an op whose one output has the given shape, and returns that.
func (g *Graph) add(name string, in []*Tensor, shape Shape, d DType) (*Tensor, *Op) {
	m := g.make()
	op, out := &m.op, &m.out
	*op = Op{Name: name, Layer: g.layer, In: append(m.in[:0], in...), Out: m.outs[:], Keep: m.keep[:0], Weights: m.weights[:0]}
	*out = Tensor{Shape: shape, DType: d, From: op}
	for _, t := range in {
		out.Grad = out.Grad || t.Grad
	}
	m.outs[0] = out
	if g.eager && !forgotten[name] {
		op.Keep = append(op.Keep, in...)
	}
	g.Ops = append(g.Ops, op)
	return out, op
}

// forgotten are the operations of which a tape does not hold the inputs: it does of all whose
// functions of gradients look at them, if only for their shapes
// (tensorflow/python/eager/pywrap_gradient_exclusions.cc, OpGradientUnusedInputIndices).
var forgotten = map[string]bool{
	"BiasAdd": true, "Transpose": true, "Reverse": true, "Const": true, "OneHot": true, "SpaceToBatch": true, "BatchToSpace": true,
	"relu": true, "relu6": true, "elu": true, "selu": true, "sigmoid": true, "tanh": true, "softmax": true, "log_softmax": true, "exp": true, "exponential": true,
}

// taped notes the bytes of tensors that a tape holds of op where operations run one by one:
// of those that it is made of, the inputs of all but the first (see forgotten). A graph
// keeps what its gradients read.
func (g *Graph) taped(op *Op, sizes ...int64) {
	if g.eager {
		op.Extra = append(op.Extra, sizes...)
	}
}

// Reshapes tells whether the output is all of the input, and so the gradient of the one that
// of the other.
func (op *Op) Reshapes() bool { return op.View && op.Out[0].Bytes() == op.In[0].Bytes() }

// RowBytes is the size of a gradient by rows of a weight.
func (op *Op) RowBytes(w *Weight) int64 { return round256(op.SparseRows * w.DType.Size()) }

// forget has no gradient flow back to the op.
func (op *Op) forget() {
	op.Keep, op.Extra, op.HoistedGrad, op.HoistedSizes, op.Weights = nil, nil, nil, nil, nil
	op.SpillBytes, op.SpillUntil, op.BackwardTemp = 0, 0, 0
	for _, t := range op.Out {
		t.Grad = false
	}
}

// trains notes weights of an op: through those that are trained, a gradient
// flows back to it.
func (op *Op) trains(weights ...*Weight) {
	for _, w := range weights {
		if w == nil {
			continue
		}
		op.Weights = append(op.Weights, w)
		if w.Trainable {
			for _, t := range op.Out {
				t.Grad = true
			}
		}
	}
}

// ahead notes that the gradient makes tensors of the given sizes of some others before
// a gradient comes.
func (op *Op) ahead(of []*Tensor, sizes ...int64) { op.HoistedGrad, op.HoistedSizes = of, sizes }

// selects makes op the choice of some of its input's elements, of the greatest or
// the least: its gradient finds out which they are, a byte each, and gives each its
// share (tensorflow/python/ops/math_grad.py, _MinOrMaxGrad).
func (op *Op) selects() {
	x := op.In[0]
	if n, ok := x.Shape.Elements(); ok {
		op.ahead([]*Tensor{x, op.Out[0]}, round256(n), x.Bytes())
	}
}

// decides makes op the choice of one of its inputs, element by element: its gradient gives
// each its share by which it was, a byte an element, which is found out without a gradient
// (tensorflow/python/ops/math_grad.py, _MaximumMinimumGrad).
func (op *Op) decides() {
	if n, ok := op.Out[0].Shape.Elements(); ok {
		op.ahead(op.In, round256(n))
	}
	op.GradInPlace = true
}

// divides makes op a quotient. What comes back to the divisor is times -x/y/y, which waits for
// no gradient (tensorflow/python/ops/math_grad.py, _RealDivGrad).
func (op *Op) divides() {
	x, y := op.In[0], op.In[1]
	if x.Grad {
		op.Keep = append(op.Keep, y)
	}
	if op.GradInPlace = !y.Grad; y.Grad {
		n := op.Out[0].Bytes()
		op.ahead(op.In, x.Bytes(), n, n)
		op.spreads(1, y, op.Out[0].Shape)
	}
}

// spreads notes that the gradient of an input first has another shape, that of the
// input repeated (tensorflow/python/ops/math_grad.py, _BatchMatMulV2).
func (op *Op) spreads(i int, t *Tensor, shape Shape) {
	whole, ok := shape.Elements()
	if own, known := t.Shape.Elements(); ok && known && whole > own {
		op.Spread[i] = round256(whole * t.DType.Size())
	}
}

// Kept are the tensors, among In and Out, that the gradient reads, soon or late.
func (op *Op) Kept() []*Tensor {
	if len(op.HoistedGrad) == 0 {
		return op.Keep
	}
	return slices.Concat(op.Keep, op.HoistedGrad)
}

func (op *Op) keepsInputs()  { op.Keep = append(op.Keep, op.In...) }
func (op *Op) keepsOutputs() { op.Keep = append(op.Keep, op.Out...) }
