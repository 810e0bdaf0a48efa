package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Tensor is a value that flows through a step: the output of an Op, or an input.
type Tensor struct {
	Shape tensor.Shape
	DType tensor.DType
	// Grad is set if a gradient flows back through it.
	Grad bool
	// From is the op that computes it, nil for an input.
	From *Op
	// Number identifies a tensor in its graph, after Count.
	Number int
	// Activated is the last activation function added of this tensor. Before is the function of
	// the same tensor that was added before this one.
	Activated, Before *Tensor
	// Logits is the tensor that this one holds as an attribute, as long as it lives.
	Logits *Tensor
}

// Bytes returns what the allocator takes for the tensor.
func (t *Tensor) Bytes() int64 {
	n, ok := t.Shape.Elements()
	if !ok {
		return 0
	}
	return tensor.Round256(n * t.DType.Size())
}

// A Penalty is a sum over a weight that a regularizer adds to the loss, times a factor.
type Penalty struct {
	Squares bool // of its squares, else of its absolute values
	// Tensor is set if Keras 3 makes the factor a tensor when it makes the regularizer, which is no
	// constant of a graph.
	Tensor bool
}

// A Weight is a variable of a layer.
type Weight struct {
	Name      string
	Shape     tensor.Shape
	DType     tensor.DType
	Trainable bool
	// Initializer is Keras's class of what makes its first value, in lower case: "glorotuniform"; ""
	// if that is not known.
	Initializer string
	// Penalties are the sums over the weight that regularizers add to the loss.
	Penalties []Penalty
	// Given is set if a value that is read or passed replaces the first one.
	Given bool
	// Sums is set if the program accumulates gradients in it. It is not a parameter then.
	Sums bool
}

// Elements returns how many numbers the weight holds.
func (w *Weight) Elements() int64 {
	n, _ := w.Shape.Elements()
	return n
}

// Bytes returns the size of the weight as the allocator rounds it.
func (w *Weight) Bytes() int64 { return tensor.Round256(w.Elements() * w.DType.Size()) }

// Alike reports whether another weight has the same shape and type.
func (w *Weight) Alike(other *Weight) bool {
	return other.DType == w.DType && slices.Equal(other.Shape, w.Shape)
}

// An Op is one operation of a forward pass, with what its gradient needs.
type Op struct {
	// Number is the op's place in the graph, after Count.
	Number int
	Kind   *Kind
	Layer  *Layer
	In     []*Tensor
	Out    []*Tensor
	// Keep are the tensors, among In and Out, that the gradient reads. They live from the forward
	// pass to the op's gradient.
	Keep []*Tensor
	// Extra are the sizes of tensors that the op computes only for its gradient: a mask, a
	// reserve.
	Extra []int64
	// Independent is the place behind that of one of Extra that is computed from variables alone, when
	// the step starts; 0 if there is none.
	Independent int
	// Switched is set if the op is a branch that training alone takes, chosen by a switch of TensorFlow 1.
	// The gradient of the branch not taken is zeros of the input's size. They wait for no other gradient.
	Switched bool
	// HoistedGrad are tensors, among In and Out, from which the gradient computes others without
	// an incoming gradient. TensorFlow computes those as soon as it can, and the last of them
	// waits. HoistedSizes are their sizes; each is computed from the one before.
	HoistedGrad  []*Tensor
	HoistedSizes []int64
	// SpillBytes are further bytes that the op computes for its gradient. They are freed as soon
	// as the gradient has computed SpillUntil bytes from them, which needs no incoming gradient.
	SpillBytes, SpillUntil int64
	// Loops is set for a TensorFlow loop. The gradients of its weights are summed iteration by
	// iteration, from zeros that are created when the step starts.
	Loops bool
	// Loop is what a loop runs in inference, if that is known.
	Loop *Loop
	// WeightTemp is the size of what lives while the gradients of the weights are computed. In a loop
	// these are the gradients of an iteration before they are added to the sums, less what the
	// iteration frees.
	WeightTemp int64
	// Linear is set if only the gradients of the weights read what is kept. The gradient of the
	// input is computed from the weights and the incoming gradient (a convolution, a product with
	// a matrix).
	Linear bool
	// ScalarScale is set if the output is the input times a constant.
	ScalarScale bool
	// InPlace is set if the output may overwrite the first input when nothing else needs that (an
	// elementwise kernel with forward_input_or_allocate_output).
	InPlace bool
	// UnrolledSteps is the number of calls that the op stands for, of a layer that runs on one
	// time step after the other. The gradient of each weight is the sum of as many gradients,
	// which wait for each other. 0 means one.
	UnrolledSteps int64
	// CallGradients is how many gradients of each of Weights a call computes: one for each part that it
	// reads, of the size of the whole. It is nil if that is one of each.
	CallGradients []int64
	// View is set if the output is the input in another shape, or a part of it.
	View bool
	// Read is set if the output is a variable, which is resident. If it is trained, it is the one
	// in Weights.
	Read bool
	// ExtraOver is set if the first of Extra overwrites the input if nothing else needs that.
	ExtraOver bool
	// ForwardTemp and BackwardTemp are the sizes of what lives only while the op, or its
	// gradient, runs.
	ForwardTemp, BackwardTemp int64
	// InferenceTemp is the size of what lives while the op runs in inference, instead of Extra. It is
	// 0 if Extra is computed all the same, unless the kind is Overwrites.
	InferenceTemp int64
	// Random is set if ForwardTemp is random numbers. They depend on nothing; in a graph they are
	// drawn when the step starts.
	Random bool
	// GradInPlace is set if the gradient of the first input may overwrite the output's gradient.
	GradInPlace bool
	// GradSame is set if the gradient of each input of the output's size is the output's gradient
	// itself: an addition.
	GradSame bool
	// Inner is set for a product of tensors if one factor has all dimensions of the other: each
	// number of the result is a sum of products of numbers.
	Inner bool
	// Product is set if the op is the elementwise product of its two inputs. The gradient of each
	// is the other times the incoming gradient, summed if that is larger than the input.
	Product bool
	// Contraction is set if the op is a summed product of its two inputs. The gradient of each is
	// computed from the other and the incoming gradient.
	Contraction bool
	// Spread are the sizes of the gradients of inputs that the op broadcasts along the batch,
	// before they are summed; 0 for other inputs.
	Spread [2]int64
	// Normalization is set if the op is a batch normalization of small operations.
	Normalization *Normalization
	// Loss is the name of the loss that the op computes from its first input and, if there is a
	// second, from that as the target; "" for other ops.
	Loss string
	// Gradient is set if the op asks for gradients, and Update if it applies them.
	Gradient *Gradient
	Update   *Update
	// HoldsPrevious is set for a Hold up to which names refer to the inputs of the previous
	// iteration. From here on they refer to those of this one.
	HoldsPrevious bool
	// NoGradOf are indexes of inputs without a gradient (indices, masks).
	NoGradOf []int
	// ZeroGradOf are indexes of inputs with a gradient of zeros. Those zeros flow on to what the
	// inputs were computed from.
	ZeroGradOf []int
	// Remat is the innermost rematerialised region that contains the op, or nil.
	Remat *Region
	// Weights are the variables with gradients that the op's gradient computes. A sparse gradient
	// has SparseRows elements instead of the whole.
	Weights    []*Weight
	SparseRows int64
	// Cast is the size of the copy of the weight in the type in which the op computes, 0 if there is
	// none. The gradient of the input reads it.
	Cast int64
	// ByExample is the size of the gradients of the weight by each example of the batch, 0 if they are
	// summed as they are computed.
	ByExample int64
	// After are tensors that the op does not read, but that are computed before it.
	After []*Tensor
	// Summed is set if the op is in an iteration of a loop, and the loop's gradient sums those of
	// the weights iteration by iteration.
	Summed bool
}

// A Normalization is a batch normalization that is not a kernel of its own but consists of means,
// products and sums (tensorflow/python/ops/nn_impl.py, moments and batch_normalization).
type Normalization struct {
	Channel int64 // bytes of one number for each channel
	// Moments is set if the mean and the variance are those of the batch, not the moving ones.
	Moments bool
	Scaled  bool // there is a gamma
}

// A Gradient asks for the gradients of its op's inputs. The outputs are the gradients of Weights,
// then those of Sources.
type Gradient struct {
	Weights []*Weight
	Sources []*Tensor
	// Ops are the operations that it flows back through, in order of the forward pass. nil means
	// all before it; then it flows through every tensor with Grad set.
	Ops []*Op
	// Flows are the tensors that it flows through, if Ops are given.
	Flows map[*Tensor]bool
}

// An Update applies the gradients that are its op's inputs to weights. The optimizer is nil if
// they are added to a variable as they are.
type Update struct {
	Optimizer *Optimizer
	Weights   []*Weight
}

// A Graph is the operations of a forward pass, or of a step, in order of execution.
type Graph struct {
	Inputs []*Tensor
	Ops    []*Op
	// Losses are the numbers that layers add to the loss of their model.
	Losses []*Tensor
	// Trains is set if the pass is part of training, with a loss.
	Trains bool

	Layer    *Layer             // whose ops are being added
	Own      bool               // it is a custom training step
	Eagerly  bool               // operations run one by one, in Python's order
	Mode     Mode               // in which layers are being called
	Snapshot *TrainableSnapshot // of what is trained; nil for the current state of the layers
	Calls    int                // of layers
	// Apart is set if losses consist of the operations that TensorFlow runs. XLA compiles its own
	// kernels for them.
	Apart bool
	// By evaluates the program that calls these layers; nil after that. Then its layers do not
	// change any more: others read them while a step is priced.
	By *value.Interp
	// once are the means and the differences that the pass computes. TensorFlow's graph optimizer
	// runs the same operation on the same tensors only once (arithmetic_optimizer.cc,
	// DedupComputations).
	once  map[sameOp]*Tensor
	deep  int      // the nesting depth of layer calls
	room  [][]made // for ops, piece by piece
	piece int      // index of the piece in use
	used  int      // ops in use of it
}

// A sameOp is what two operations with the same result have in common.
type sameOp struct {
	kind  *Kind
	a, b  *Tensor
	shape string
}

// shared returns the output of an op that the graph already has, or adds it by make. Operations
// that run eagerly are not compared.
func (g *Graph) shared(kind *Kind, a, b *Tensor, shape tensor.Shape, make func() *Tensor) *Tensor {
	if g.Eagerly {
		return make()
	}
	key := sameOp{kind, a, b, shape.String()}
	out := g.once[key]
	if out == nil {
		out = make()
		if g.once == nil {
			g.once = map[sameOp]*Tensor{}
		}
		g.once[key] = out
	}
	return out
}

// made is an op with the storage that most ops need: one output, and at most two of everything
// else.
type made struct {
	op       Op
	out      Tensor
	outs     [1]*Tensor
	in, keep [2]*Tensor
	weights  [2]*Weight
}

// Clear removes all operations. The next ones reuse their memory, so neither they nor their
// tensors may be used any more. That saves 15 of 140 ms when an estimate of 1,000 layers prices
// its batches one after the other.
func (g *Graph) Clear() {
	clear(g.Inputs)
	clear(g.Ops)
	clear(g.Losses)
	*g = Graph{Inputs: g.Inputs[:0], Ops: g.Ops[:0], Losses: g.Losses[:0], room: g.room}
}

// make allocates an op.
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

// Count numbers the ops and the tensors of the graph, and returns how many numbers the tensors
// have. Tensors that no op computes share number 0.
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

// holds adds a Hold of what the layers of a functional model return. It is in a dictionary until
// the model returns (keras/src/ops/function.py, _run_through_graph). What layers inside of those
// compute is not in it.
func (g *Graph) holds(b *Body, at map[*Symbolic]*Tensor) {
	op := &Op{Kind: OpHold}
	for _, n := range b.Nodes {
		op.holds(n, at)
	}
	g.Ops = append(g.Ops, op)
}

// Add appends an op with one output of the given shape, and returns both.
func (g *Graph) Add(kind *Kind, in []*Tensor, shape tensor.Shape, d tensor.DType) (*Tensor, *Op) {
	m := g.make()
	op, out := &m.op, &m.out
	*op = Op{Kind: kind, Layer: g.Layer, In: append(m.in[:0], in...), Out: m.outs[:], Keep: m.keep[:0], Weights: m.weights[:0],
		View: kind.Is(reshapes), InPlace: kind.Is(inPlace), GradInPlace: kind.Is(gradInPlace), GradSame: kind.Is(gradSame)}
	*out = Tensor{Shape: shape, DType: d, From: op}
	for _, t := range in {
		out.Grad = out.Grad || t.Grad && kind.Second != NoGradient
	}
	m.outs[0] = out
	if g.Eagerly && !kind.Is(unheld) {
		op.KeepsInputs()
	}
	if kind.Is(ReadsInputs) {
		op.KeepsInputs()
	}
	if kind.Is(ReadsOutputs) {
		op.KeepsOutputs()
	}
	g.Ops = append(g.Ops, op)
	return out, op
}

// Tensor adds an op that needs no facts besides its kind, and returns its output.
func (g *Graph) Tensor(kind *Kind, in []*Tensor, shape tensor.Shape, d tensor.DType) *Tensor {
	out, _ := g.Add(kind, in, shape, d)
	return out
}

// Taped records the bytes that a tape holds of op in eager execution: the inputs of all but the
// first of the operations that it consists of (see unheld). A graph keeps what its gradients
// read.
func (g *Graph) Taped(op *Op, sizes ...int64) {
	if g.Eagerly {
		op.Extra = append(op.Extra, sizes...)
	}
}

// Reshapes reports whether the output is all of the input. Then their gradients are the same,
// too.
func (op *Op) Reshapes() bool { return op.View && op.Out[0].Bytes() == op.In[0].Bytes() }

// RowBytes returns the size of a sparse gradient of a weight.
func (op *Op) RowBytes(w *Weight) int64 { return tensor.Round256(op.SparseRows * w.DType.Size()) }

// Forget stops gradients at the op.
func (op *Op) Forget() {
	if !op.Random { // the output is computed from a mask, too
		op.Extra = nil
	}
	op.Keep, op.HoistedGrad, op.HoistedSizes, op.Weights = nil, nil, nil, nil
	op.SpillBytes, op.SpillUntil, op.BackwardTemp = 0, 0, 0
	for _, t := range op.Out {
		t.Grad = false
	}
}

// Trains adds weights of an op. A gradient flows back to the trained ones.
func (op *Op) Trains(weights ...*Weight) {
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

// Ahead records that the gradient computes tensors of the given sizes from others before a
// gradient comes.
func (op *Op) Ahead(of []*Tensor, sizes ...int64) { op.HoistedGrad, op.HoistedSizes = of, sizes }

// Contracts makes op a summed product of its inputs. The gradient of one factor reads the others.
func (op *Op) Contracts() {
	op.Contraction = len(op.In) == 2
	for i, t := range op.In {
		for j, other := range op.In {
			if i != j && other.Grad && !slices.Contains(op.Keep, t) {
				op.Keep = append(op.Keep, t)
			}
		}
	}
}

// Selects makes op the choice of the greatest or least of its input's elements. Its gradient
// finds out which they are, a byte each, and gives each its share
// (tensorflow/python/ops/math_grad.py, _MinOrMaxGrad).
func (op *Op) Selects() {
	x := op.In[0]
	if n, ok := x.Shape.Elements(); ok {
		op.Ahead([]*Tensor{x, op.Out[0]}, tensor.Round256(n), x.Bytes())
	}
}

// Decides makes op the elementwise choice of one of its inputs. Its gradient gives each its share
// by a mask, a byte per element, which needs no gradient (tensorflow/python/ops/math_grad.py,
// _MaximumMinimumGrad).
func (op *Op) Decides() {
	if n, ok := op.Out[0].Shape.Elements(); ok {
		op.Ahead(op.In, tensor.Round256(n))
	}
	op.GradInPlace = true
}

// divides makes op a quotient. The gradient of the divisor is the incoming one times -x/y/y,
// which waits for no gradient (tensorflow/python/ops/math_grad.py, _RealDivGrad).
func (op *Op) divides() {
	x, y := op.In[0], op.In[1]
	if x.Grad {
		op.Keep = append(op.Keep, y)
	}
	if op.GradInPlace = !y.Grad; y.Grad {
		n := op.Out[0].Bytes()
		op.Ahead(op.In, x.Bytes(), n, n)
		op.Spreads(1, y, op.Out[0].Shape)
	}
}

// Spreads records that the gradient of an input first has another shape, that of the input
// repeated (tensorflow/python/ops/math_grad.py, _BatchMatMulV2).
func (op *Op) Spreads(i int, t *Tensor, shape tensor.Shape) {
	whole, ok := shape.Elements()
	if own, known := t.Shape.Elements(); ok && known && whole > own {
		op.Spread[i] = tensor.Round256(whole * t.DType.Size())
	}
}

// Kept returns the tensors, among In and Out, that the gradient reads, early or late.
func (op *Op) Kept() []*Tensor {
	if len(op.HoistedGrad) == 0 {
		return op.Keep
	}
	return slices.Concat(op.Keep, op.HoistedGrad)
}

// KeptCast returns the bytes of the weight's copy, if the gradient reads it.
func (op *Op) KeptCast() int64 {
	if op.Cast == 0 || !op.In[0].Grad {
		return 0
	}
	return op.Cast
}

func (op *Op) KeepsInputs() { op.Keep = append(op.Keep, op.In...) }

func (op *Op) KeepsOutputs() { op.Keep = append(op.Keep, op.Out...) }
