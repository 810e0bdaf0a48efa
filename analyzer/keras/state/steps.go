package state

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Steps are the training steps of the program's own, as far as they were followed, and what runs of
// them at the moment.
type Steps struct {
	now      int // counts events, so that they can be ordered
	running  *Recorder
	all      []*Recorder
	compiled int                  // the functions compiled by tf.function in progress
	loops    int                  // the nested TensorFlow loops in progress
	opens    map[syntax.Node]bool // whether code opens a tape
	waits    []*graph.Symbolic    // for which the operations of a graph wait that are made now
}

// A Recorder follows one step while the program runs it.
type Recorder struct {
	Unit     syntax.Node
	Tape     syntax.Node // the call that created the first tape
	Led      syntax.Node // the call of the program's own file that leads there, if it stands in another module
	Name     string
	Compiled bool
	Xla      bool  // tf.function is asked for it
	Replicas int64 // that share its batch; 0 if apart says why that is not known
	Apart    *value.Cause
	Inputs   []*graph.Symbolic
	Batches  []value.Value // of inputs; missing ones are batch
	Batch    value.Value
	Source   syntax.Node  // the call that makes the dataset of the first input; none if that is not known
	Model    *graph.Model // whose train_step it is, or nil
	Applied  []*graph.Node
	Born     int // by value.Interp.Now
	Began    int // by [Steps.Next]
	// Variables are what it assigns or trains.
	Variables []*graph.Weight
	Data      []graph.DataTerm // what lies on the device when it begins
	Returned  bool             // its caller applies the gradients, and names of the caller hold them
	Calls     int              // of functions of the program, which are running within it
	Why       *value.Cause     // why it is not known, or nil
	Traced    *observed.Step   // as a run traced it; nil for none
}

// Next returns the time of the next event.
func (s *Steps) Next() int {
	s.now++
	return s.now
}

// Running returns the step in progress, or nil.
func (s *Steps) Running() *Recorder { return s.running }

// All returns the steps that were begun, in order.
func (s *Steps) All() []*Recorder { return s.all }

// Begin begins a step, until the function that it returns is called.
func (s *Steps) Begin(r *Recorder) (end func()) {
	outer := s.running
	r.Began = s.now
	s.all = append(s.all, r)
	s.running = r
	return func() { s.running = outer }
}

// Within runs something as a part of a step that may have ended.
func (s *Steps) Within(r *Recorder, run func()) {
	outer := s.running
	s.running = r
	run()
	s.running = outer
}

// Compile begins a function that tf.function compiles, until the function that it returns is called.
func (s *Steps) Compile() (end func()) {
	s.compiled++
	return func() { s.compiled-- }
}

// Compiles reports whether a function that tf.function compiles is in progress.
func (s *Steps) Compiles() bool { return s.compiled > 0 }

// Loop begins a loop of TensorFlow, until the function that it returns is called.
func (s *Steps) Loop() (end func()) {
	s.loops++
	return func() { s.loops-- }
}

// Wait makes all operations wait for some tensors, in a graph, until the function that it returns is
// called.
func (s *Steps) Wait(tensors []*graph.Symbolic) (end func()) {
	outer := s.waits
	if s.Compiles() {
		s.waits = append(slices.Clip(outer), tensors...)
	}
	return func() { s.waits = outer }
}

// Waits returns the tensors for which operations that are made now wait.
func (s *Steps) Waits() []*graph.Symbolic { return s.waits }

// Opens reports whether code opens a tape. find is called once for each code.
func (s *Steps) Opens(unit syntax.Node, find func() bool) bool {
	opens, known := s.opens[unit]
	if !known {
		opens = find()
		if s.opens == nil {
			s.opens = map[syntax.Node]bool{}
		}
		s.opens[unit] = opens
	}
	return opens
}

// Lose records why the current step cannot be followed, and returns an unknown value.
func (s *Steps) Lose(why *value.Cause) value.Value {
	if s.running != nil && s.running.Why == nil {
		s.running.Why = why
	}
	return why.Unknown()
}
