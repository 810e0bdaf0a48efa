package state

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Recorder follows one step while the program runs it.
type Recorder struct {
	Unit     syntax.Node
	Tape     syntax.Node // the call that created the first tape
	Name     string
	Compiled bool
	Xla      bool  // tf.function is asked for it
	Replicas int64 // that share its batch; 0 if apart says why that is not known
	Apart    *value.Cause
	Inputs   []*graph.Symbolic
	Batches  []value.Value // of inputs; missing ones are batch
	Batch    value.Value
	Model    *graph.Model // whose train_step it is, or nil
	Applied  []*graph.Node
	Born     int // by value.Interp.Now
	Began    int // by Host.Tick
	// Variables are what it assigns or trains.
	Variables []*graph.Weight
	Data      []graph.DataTerm // what lies on the device when it begins
	Returned  bool             // its caller applies the gradients, and names of the caller hold them
	Calls     int              // of functions of the program, which are running within it
	Why       *value.Cause     // why it is not known, or nil
}

// Next returns the time of the next event.
func (h *Host) Next() int {
	h.Tick++
	return h.Tick
}

// Happens records when a call was made.
func (h *Host) Happens(out []*graph.Symbolic) {
	if len(out) > 0 && out[0].From != nil && out[0].From.At == 0 {
		n := out[0].From
		n.At, n.InLoop, n.Within = h.Next(), h.LoopDepth > 0, h.Tracing > 0
		if h.mode != graph.UnsaidMode {
			n.Mode = h.mode
		}
	}
}

// Lose records why the current step cannot be followed, and returns an unknown value.
func (h *Host) Lose(why *value.Cause) value.Value {
	if h.Recorder != nil && h.Recorder.Why == nil {
		h.Recorder.Why = why
	}
	return why.Unknown()
}

// LoseTraining records why a training is not known, of the current step or of none.
func (h *Host) LoseTraining(why *value.Cause, at syntax.Node) value.Value {
	if h.Recorder == nil && h.Program.Beside == nil {
		h.Program.Beside = value.Because(value.UnmodelledTraining, "a training of the program is not followed: %s", why).On(at)
	}
	return h.Lose(why)
}

// Phased records what a training trains. Keras 3 creates the training function when it is first
// needed after compile. Later changes of trainable have no effect until the next compile
// (keras/src/backend/tensorflow/trainer.py, make_train_function). Keras 2 trains what was
// trainable when the model was compiled (tf_keras/src/engine/training_utils.py,
// RespectCompiledTrainableState).
func (h *Host) Phased(u *graph.ModelCall) {
	if !u.Trains() || u.Model.Optimizer == nil || u.Model.Compiled == nil {
		return
	}
	if p := u.Model.Compiled.Snapshot; p != nil {
		p.Optimizer, p.Compiled = u.Model.Optimizer, u.Model.Compiled
		u.Snapshot = p
		return
	}
	for _, before := range slices.Backward(h.Program.Uses) {
		if p := before.Snapshot; before.Model == u.Model && p != nil && p.Compiled == u.Model.Compiled && !p.Compiled.Eager {
			u.Snapshot = p
			return
		}
	}
	u.Snapshot = u.Model.TrainableNow()
	h.Interp.Spend(len(u.Snapshot.Flags))
}
