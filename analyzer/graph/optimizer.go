package graph

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Optimizer is an instance of one of Keras's optimizers.
type Optimizer struct {
	Class string      // "Adam"
	Node  syntax.Node // the call that creates it; none if compile creates it from a name
	// Slots is how many variables of the weight's size the optimizer keeps for each trained
	// weight. Other variables are counted in SlotBytes only.
	Slots float64
	// Momentum and Centered say which slots an RMSprop has. Momentum says whether an SGD has its
	// one.
	Momentum, Centered bool
	// Nesterov is set if the momentum is applied ahead, and ClipsEach if each gradient is clipped by
	// its own norm.
	Nesterov, ClipsEach bool
	// Iterations is how often Muon multiplies a matrix with its own products (ns_steps).
	Iterations int64
	// OneRate is set if the learning rate is one number, whose value the program knows, and no schedule.
	OneRate bool
	// Averages is set if one slot is the moving average of the weight.
	Averages bool
	// Decays is set if weight decay shrinks each weight as soon as it was read, before its
	// gradient's step is over.
	Decays bool
	// Branches is set if the update is in a branch that runs only if all gradients are finite
	// (loss scaling). Nothing of it runs before they are there.
	Branches bool
	// Barrier is set if all gradients must be there before the first is applied: clipping by the
	// global norm, loss scaling.
	Barrier bool
	// Accumulates is set if the gradients of several steps are summed before they are applied
	// (gradient_accumulation_steps). The update is in a branch that depends only on the number of the
	// step, so it starts with the step; each gradient is added to its sum as soon as it is there. XLA
	// runs a branch as a whole, once all that it reads is there.
	Accumulates bool
	// Squares is set if the global norm is computed from the squares of all gradients, each of
	// the gradient's full size (keras/src/optimizers/base_optimizer.py, global_norm).
	Squares bool
	Keras   int // the major version of Keras that it belongs to; 0 before 2.11
	// Fused is set if each update is one kernel without temporary tensors. Either XLA compiles
	// it, as Keras 2 does if there is a GPU (tf_keras/src/optimizers/optimizer.py,
	// _update_step_xla), or TensorFlow has a kernel for it, as for the optimizers before 2.11.
	Fused bool
	// Composed is set if each update consists of operations on whole weights, as in Keras before 2.4
	// (keras/optimizers.py of Keras 2.3) and in TensorFlow Addons.
	Composed bool
	// Waiting is how many tensors of a weight's size wait then for its gradient. Loose is set if some
	// of them may be made only once it is there, and if other temporaries are not modelled.
	Waiting int
	Loose   bool
	Unknown *value.Cause // why its memory is not known; nil otherwise

	Extra func(w *Weight) int64 // elements kept for a weight beyond Slots
}

// SlotBytes returns what the optimizer keeps for a weight.
func (o *Optimizer) SlotBytes(w *Weight) int64 {
	n := int64(o.Slots * float64(w.Bytes()))
	if o.Extra != nil {
		n += tensor.Round256(o.Extra(w) * w.DType.Size())
	}
	return n
}

// Accumulating returns the optimizer with gradient_accumulation_steps: it also keeps the sum of
// the gradients.
func (o *Optimizer) Accumulating() *Optimizer {
	a := *o
	a.Slots++
	a.Accumulates = true
	return &a
}
