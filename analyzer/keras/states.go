package keras

import (
	"maps"
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// The [value.State]s of layers and models: what a program may change in a branch that does not
// run, or runs only for some of its users.

// A freeze says whether something is trained.
type freeze struct {
	on  bool
	why *value.Cause // why it is not known
}

func either(a, b any, why *value.Cause) any {
	if a == b {
		return b
	}
	return freeze{true, why}
}

type layerFreeze struct{ of *Layer }

func (s layerFreeze) Content() any                        { return freeze{s.of.Trainable, s.of.unsure} }
func (s layerFreeze) Restore(x any)                       { f := x.(freeze); s.of.Trainable, s.of.unsure = f.on, f.why }
func (layerFreeze) Either(a, b any, why *value.Cause) any { return either(a, b, why) }
func (s layerFreeze) Born() int                           { return s.of.born }

type modelFreeze struct{ of *Model }

func (s modelFreeze) Content() any                        { return freeze{s.of.Trainable, s.of.unsure} }
func (s modelFreeze) Restore(x any)                       { f := x.(freeze); s.of.Trainable, s.of.unsure = f.on, f.why }
func (modelFreeze) Either(a, b any, why *value.Cause) any { return either(a, b, why) }
func (s modelFreeze) Born() int                           { return s.of.born }

// freezing returns the value of an assignment to trainable: the truth of a value
// (keras/src/layers/layer.py, trainable).
func freezing(in *value.Interp, to value.Value) freeze {
	if on, ok := in.Truth(to); ok {
		return freeze{on: on}
	}
	return freeze{true, objects.Because(to)}
}

// setTrainable freezes or thaws the model and all its layers, as Keras does.
func (m *Model) setTrainable(in *value.Interp, to freeze) {
	s := modelFreeze{m}
	in.Touch(s)
	s.Restore(to)
	for _, l := range m.Layers() {
		l.setTrainable(in, to)
	}
}

func (l *Layer) setTrainable(in *value.Interp, to freeze) {
	s := layerFreeze{l}
	in.Touch(s)
	s.Restore(to)
	if l.Inner != nil {
		l.Inner.setTrainable(in, to)
	}
	if p, ok := l.impl.(parent); ok {
		for _, c := range p.children() {
			c.setTrainable(in, to)
		}
	}
}

// A loraState is the LoRA state of a layer: its weights, some of which enable_lora added.
type loraState struct {
	weights []*Weight
	trained []bool       // of each weight
	why     *value.Cause // why the weights are not known
}

type layerWeights struct{ of *Layer }

func (s layerWeights) Content() any {
	a := loraState{weights: slices.Clone(s.of.Weights), why: s.of.unsure}
	for _, w := range a.weights {
		a.trained = append(a.trained, w.Trainable)
	}
	return a
}

func (s layerWeights) Restore(x any) {
	a := x.(loraState)
	s.of.Weights, s.of.unsure = slices.Clone(a.weights), a.why
	for i, w := range a.weights {
		w.Trainable = a.trained[i]
	}
}

func (layerWeights) Either(a, b any, why *value.Cause) any {
	x, y := a.(loraState), b.(loraState)
	if y.why == nil && !slices.Equal(x.weights, y.weights) {
		y.why = why
	}
	return y
}

func (s layerWeights) Born() int { return s.of.born }

// bear records when a model was created, and its layers with it.
func (m *Model) bear(now int) {
	m.born = now
	for _, l := range m.Layers() {
		l.born = now
	}
}

// Unsure says why it is not known which weights of the model are trained; nil if it is known.
func (m *Model) Unsure() *value.Cause {
	if m.snapshot != nil {
		return m.snapshot.unsure
	}
	if m.unsure != nil {
		return value.Because(value.UnmodelledTraining, "whether the model is trained is not known: %s", m.unsure)
	}
	for _, l := range m.Layers() {
		if l.unsure != nil {
			return value.Because(value.UnmodelledTraining, "whether layer %q is trained is not known: %s", l.Name, l.unsure)
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
	nodes      []*node
	unresolved []*value.Cause
	adds       *added
	parts      nesting
}

type modelChain struct{ of *Model }

func (s modelChain) Content() any {
	m := s.of
	return chain{slices.Clone(m.stack), m.Inputs, m.Outputs, slices.Clone(m.nodes), slices.Clone(m.Unresolved), m.adds, m.parts}
}

func (s modelChain) Restore(x any) {
	m, c := s.of, x.(chain)
	m.stack, m.Inputs, m.Outputs, m.nodes, m.Unresolved, m.adds = slices.Clone(c.stack), c.in, c.out, slices.Clone(c.nodes), slices.Clone(c.unresolved), c.adds
	m.grow(c.parts)
}

func (modelChain) Either(a, b any, why *value.Cause) any {
	x, y := a.(chain), b.(chain)
	reasons := slices.Clone(y.unresolved)
	for _, r := range x.unresolved {
		if !slices.ContainsFunc(reasons, r.Same) && len(reasons) < mostReasons {
			reasons = append(reasons, r)
		}
	}
	if !slices.Equal(x.stack, y.stack) && len(reasons) < mostReasons {
		reasons = append(reasons, value.Because(value.UnmodelledTraining, "which layers it has is not known: %s", why))
	}
	y.unresolved = reasons
	return y
}

func (s modelChain) Born() int { return s.of.born }

// A compilation is what compile sets in a model.
type compilation struct {
	optimizer *Optimizer
	compiled  *Compile
	step      *value.Cause
}

type modelCompilation struct{ of *Model }

func (s modelCompilation) Content() any {
	return compilation{s.of.Optimizer, s.of.Compiled, s.of.Step}
}

// Restore leaves a model compiled if it was compiled once: training in a branch follows the
// compile of that branch.
func (s modelCompilation) Restore(x any) {
	if c := x.(compilation); c.optimizer != nil || c.compiled != nil {
		s.of.Optimizer, s.of.Compiled, s.of.Step = c.optimizer, c.compiled, c.step
	}
}

func (modelCompilation) Either(a, b any, why *value.Cause) any {
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

func (s modelCompilation) Born() int { return s.of.born }

// like reports whether two optimizers take the same memory.
func (o *Optimizer) like(other *Optimizer) bool {
	return o == other || o.Class == other.Class && o.Slots == other.Slots && o.Momentum == other.Momentum &&
		o.Centered == other.Centered && o.Barrier == other.Barrier && o.Squares == other.Squares && o.Branches == other.Branches && o.Decays == other.Decays && o.Fused == other.Fused && o.Unknown.Same(other.Unknown) && (o.extra == nil) == (other.extra == nil)
}

// counts records how many layers were named after a class.
type counts struct{ of *host }

func (s counts) Content() any {
	return maps.Clone(s.of.names)
}

func (s counts) Restore(x any)                     { s.of.names = x.(map[string]int) }
func (counts) Either(_, b any, _ *value.Cause) any { return b }
func (counts) Born() int                           { return 0 }

// A reach says whether a layer is called, and what the call built.
type reach struct {
	called  bool
	doubt   *value.Cause // why it may not be
	built   bool
	made    bool // the build of a custom layer has run
	weights []*Weight
}

// A maker is a layer whose build is the program's own. It remembers whether that has run.
type maker interface{ made() *bool }

type layerReach struct{ of *Layer }

func (s layerReach) Content() any {
	l := s.of
	c := reach{called: l.called, doubt: l.doubt, built: l.built, weights: slices.Clone(l.Weights)}
	if own, ok := l.impl.(maker); ok {
		c.made = *own.made()
	}
	return c
}

// Restore leaves layers built that run others, because those stay built.
func (s layerReach) Restore(x any) {
	l, c := s.of, x.(reach)
	l.called, l.doubt = c.called, c.doubt
	switch impl := l.impl.(type) {
	case parent, *nested:
	case maker:
		l.built, *impl.made() = c.built, c.made
	default:
		l.built, l.Weights = c.built, slices.Clone(c.weights)
	}
}

func (layerReach) Either(a, b any, why *value.Cause) any {
	x, y := a.(reach), b.(reach)
	if !y.called {
		x, y = y, x
	}
	if y.called && !x.called && y.doubt == nil {
		y.doubt = why
	}
	return y
}

func (s layerReach) Born() int { return s.of.born }

// called records that a layer is called.
func (h *host) called(l *Layer) {
	if l.called && l.doubt == nil || l.function {
		return
	}
	if h.interp != nil {
		h.interp.Touch(layerReach{l})
	}
	l.called, l.doubt = true, nil
}

// owned are the weights that a custom layer or model adds.
type owned struct {
	weights    []*Weight
	unresolved []*value.Cause
}

type modelOwn struct{ of *Model }

func (s modelOwn) Content() any {
	return owned{slices.Clone(s.of.own), slices.Clone(s.of.Unresolved)}
}

func (s modelOwn) Restore(x any) {
	c := x.(owned)
	s.of.own, s.of.Unresolved = slices.Clone(c.weights), slices.Clone(c.unresolved)
}

func (modelOwn) Either(a, b any, why *value.Cause) any {
	x, y := a.(owned), b.(owned)
	same := slices.EqualFunc(x.weights, y.weights, func(v, w *Weight) bool {
		return v == w || v.DType == w.DType && v.Trainable == w.Trainable && slices.Equal(v.Shape, w.Shape)
	})
	reasons := slices.Clone(y.unresolved)
	for _, r := range x.unresolved {
		if !slices.ContainsFunc(reasons, r.Same) && len(reasons) < mostReasons {
			reasons = append(reasons, r)
		}
	}
	if !same {
		reasons = append(reasons, value.Because(value.UnmodelledTraining, "which weights it has is not known: %s", why))
	}
	y.unresolved = reasons
	return y
}

func (s modelOwn) Born() int { return s.of.born }
