package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// The [value.State]s of layers and models: what a program may change in a branch that does not
// run, or runs only for some of its users.

// A Freeze says whether something is trained.
type Freeze struct {
	On  bool
	why *value.Cause // why it is not known
}

// A freezing is whether a layer or a model is trained.
type freezing struct {
	on   *bool
	why  **value.Cause
	born int
}

func (s freezing) Content() any { return Freeze{*s.on, *s.why} }

func (s freezing) Restore(x any) { f := x.(Freeze); *s.on, *s.why = f.On, f.why }

func (freezing) Either(a, b any, why *value.Cause) any {
	if a == b {
		return b
	}
	return Freeze{true, why}
}

func (s freezing) Born() int { return s.born }

func (s freezing) set(in *value.Interp, to Freeze) {
	in.Touch(s)
	s.Restore(to)
}

// Freezing returns the value of an assignment to trainable: the truth of a value
// (keras/src/layers/layer.py, trainable).
func Freezing(in *value.Interp, to value.Value) Freeze {
	if on, ok := interp.Truth(in, to); ok {
		return Freeze{On: on}
	}
	return Freeze{true, objects.Because(to)}
}

// SetTrainable freezes or thaws the model and all its layers, as Keras does.
func (m *Model) SetTrainable(in *value.Interp, to Freeze) {
	freezing{&m.Trainable, &m.WhyUnsure, m.Born}.set(in, to)
	for _, l := range m.Layers() {
		l.SetTrainable(in, to)
	}
}

func (l *Layer) SetTrainable(in *value.Interp, to Freeze) {
	freezing{&l.Trainable, &l.Unsure, l.Born}.set(in, to)
	if l.Inner != nil {
		l.Inner.SetTrainable(in, to)
	}
	for _, c := range l.Parts() {
		c.SetTrainable(in, to)
	}
}

// A LoraState is the LoRA state of a layer: its weights, some of which enable_lora added.
type LoraState struct {
	weights []*Weight
	trained []bool       // of each weight
	Why     *value.Cause // why the weights are not known
}

type LayerWeights struct{ Of *Layer }

func (s LayerWeights) Content() any {
	a := LoraState{weights: slices.Clone(s.Of.Weights), Why: s.Of.Unsure}
	for _, w := range a.weights {
		a.trained = append(a.trained, w.Trainable)
	}
	return a
}

func (s LayerWeights) Restore(x any) {
	a := x.(LoraState)
	s.Of.Weights, s.Of.Unsure = slices.Clone(a.weights), a.Why
	for i, w := range a.weights {
		w.Trainable = a.trained[i]
	}
}

func (LayerWeights) Either(a, b any, why *value.Cause) any {
	x, y := a.(LoraState), b.(LoraState)
	if y.Why == nil && !slices.Equal(x.weights, y.weights) {
		y.Why = why
	}
	return y
}

func (s LayerWeights) Born() int { return s.Of.Born }

// Bear records when a model was created, and its layers with it.
func (m *Model) Bear(now int) {
	m.Born = now
	for _, l := range m.Layers() {
		l.Born = now
	}
}

// Unsure says why it is not known which weights of the model are trained; nil if it is known.
func (m *Model) Unsure() *value.Cause {
	if m.snapshot != nil {
		return m.snapshot.unsure
	}
	if m.WhyUnsure != nil {
		return value.Because(value.UnmodelledTraining, "whether the model is trained is not known: %s", m.WhyUnsure)
	}
	for _, l := range m.Layers() {
		if l.Unsure != nil {
			return value.Because(value.UnmodelledTraining, "whether layer %q is trained is not known: %s", l.Name, l.Unsure)
		}
		if l.Inner != nil {
			if why := l.Inner.Unsure(); why != nil {
				return why
			}
		}
	}
	return nil
}

// A chain is the layers of a Sequential, and their results for its input.
type chain struct {
	stack      []*Layer
	in, out    []*Symbolic
	nodes      []*Node
	unresolved []*value.Cause
	adds       *added
	parts      Nesting
}

type ModelChain struct{ Of *Model }

func (s ModelChain) Content() any {
	m := s.Of
	return chain{slices.Clone(m.Stack), m.Inputs, m.Outputs, slices.Clone(m.Nodes), slices.Clone(m.Unresolved), m.Adds, m.parts}
}

func (s ModelChain) Restore(x any) {
	m, c := s.Of, x.(chain)
	m.Stack, m.Inputs, m.Outputs, m.Nodes, m.Unresolved, m.Adds = slices.Clone(c.stack), c.in, c.out, slices.Clone(c.nodes), slices.Clone(c.unresolved), c.adds
	m.Grow(c.parts)
}

func (ModelChain) Either(a, b any, why *value.Cause) any {
	x, y := a.(chain), b.(chain)
	y.unresolved = united(x.unresolved, y.unresolved)
	if !slices.Equal(x.stack, y.stack) && len(y.unresolved) < mostReasons {
		y.unresolved = append(y.unresolved, value.Because(value.UnmodelledTraining, "the layers of the model are not known: %s", why))
	}
	return y
}

// united returns the reasons of b, and those of a that are not among them.
func united(a, b []*value.Cause) []*value.Cause {
	reasons := slices.Clone(b)
	for _, r := range a {
		if !slices.ContainsFunc(reasons, r.Same) && len(reasons) < mostReasons {
			reasons = append(reasons, r)
		}
	}
	return reasons
}

func (s ModelChain) Born() int { return s.Of.Born }

// A compilation is what compile sets in a model.
type compilation struct {
	optimizer *Optimizer
	compiled  *Compile
	step      *value.Cause
}

type ModelCompilation struct{ Of *Model }

func (s ModelCompilation) Content() any {
	return compilation{s.Of.Optimizer, s.Of.Compiled, s.Of.Step}
}

// Restore leaves a model compiled if it was compiled once: training in a branch follows the
// compile of that branch.
func (s ModelCompilation) Restore(x any) {
	if c := x.(compilation); c.optimizer != nil || c.compiled != nil {
		s.Of.Optimizer, s.Of.Compiled, s.Of.Step = c.optimizer, c.compiled, c.step
	}
}

func (ModelCompilation) Either(a, b any, why *value.Cause) any {
	x, y := a.(compilation), b.(compilation)
	switch {
	case y.compiled == nil && y.optimizer == nil:
		return x
	case x.compiled == nil && x.optimizer == nil:
		return y
	}
	if x.optimizer != nil && y.optimizer != nil && !x.optimizer.like(y.optimizer) {
		y.optimizer = &Optimizer{Class: "?", Unknown: value.Because(value.UnmodelledTraining, "the optimizer is not known: %s", why)}
	}
	if x.compiled != nil && y.compiled != nil && x.compiled.XLA != y.compiled.XLA {
		either := *y.compiled
		either.XLA = "auto"
		y.compiled = &either
	}
	return y
}

func (s ModelCompilation) Born() int { return s.Of.Born }

// like reports whether two optimizers take the same memory.
func (o *Optimizer) like(other *Optimizer) bool {
	return o == other || o.Class == other.Class && o.Slots == other.Slots && o.Momentum == other.Momentum &&
		o.Centered == other.Centered && o.Nesterov == other.Nesterov && o.ClipsEach == other.ClipsEach && o.Iterations == other.Iterations && o.Barrier == other.Barrier && o.Accumulates == other.Accumulates && o.Squares == other.Squares && o.Branches == other.Branches && o.Decays == other.Decays && o.Fused == other.Fused && o.Unknown.Same(other.Unknown) && (o.Extra == nil) == (other.Extra == nil)
}

// A reach says whether a layer is called, and what the call built.
type reach struct {
	called  bool
	doubt   *value.Cause // why it may not be
	built   bool
	made    bool // the build of a custom layer has run
	weights []*Weight
}

// A Maker is a layer whose build is the program's own. It remembers whether that has run.
type Maker interface{ Made() *bool }

type LayerReach struct{ Of *Layer }

func (s LayerReach) Content() any {
	l := s.Of
	c := reach{called: l.Called, doubt: l.Doubt, built: l.Built, weights: slices.Clone(l.Weights)}
	if own, ok := l.Impl.(Maker); ok {
		c.made = *own.Made()
	}
	return c
}

// Restore leaves layers built that run others, because those stay built.
func (s LayerReach) Restore(x any) {
	l, c := s.Of, x.(reach)
	l.Called, l.Doubt = c.called, c.doubt
	switch impl := l.Impl.(type) {
	case *Nested:
	case Maker:
		l.Built, *impl.Made() = c.built, c.made
	default:
		if len(l.Parts()) == 0 {
			l.Built, l.Weights = c.built, slices.Clone(c.weights)
		}
	}
}

func (LayerReach) Either(a, b any, why *value.Cause) any {
	x, y := a.(reach), b.(reach)
	if !y.called {
		x, y = y, x
	}
	if y.called && !x.called && y.doubt == nil {
		y.doubt = why
	}
	return y
}

func (s LayerReach) Born() int { return s.Of.Born }

// owned are the weights that a custom layer or model adds.
type owned struct {
	weights    []*Weight
	unresolved []*value.Cause
}

type ModelOwn struct{ Of *Model }

func (s ModelOwn) Content() any {
	return owned{slices.Clone(s.Of.OwnWeights), slices.Clone(s.Of.Unresolved)}
}

func (s ModelOwn) Restore(x any) {
	c := x.(owned)
	s.Of.OwnWeights, s.Of.Unresolved = slices.Clone(c.weights), slices.Clone(c.unresolved)
}

func (ModelOwn) Either(a, b any, why *value.Cause) any {
	x, y := a.(owned), b.(owned)
	same := slices.EqualFunc(x.weights, y.weights, func(v, w *Weight) bool {
		return v == w || v.DType == w.DType && v.Trainable == w.Trainable && slices.Equal(v.Shape, w.Shape)
	})
	if y.unresolved = united(x.unresolved, y.unresolved); !same {
		y.unresolved = append(y.unresolved, value.Because(value.UnmodelledTraining, "the weights of the model are not known: %s", why))
	}
	return y
}

func (s ModelOwn) Born() int { return s.Of.Born }
