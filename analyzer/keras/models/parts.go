package models

import (
	"regexp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Settle finds out whether the parts of a model that was never called are known.
func (v *custom) Settle() {
	m := v.model.Model
	if v.functional {
		v.track()
	}
	if v.functional || len(m.Unresolved) > 0 {
		return
	}
	if m.Built() {
		for _, l := range m.Stack {
			m.AddUnresolved(doubted(l, map[*graph.Layer]bool{}))
		}
		return
	}
	m.Missing = v.unbuilt(map[*graph.Layer]bool{})
	m.WeightsKnown = m.Missing == nil && (len(m.Stack) > 0 || len(m.OwnWeights) > 0)
	switch {
	case v.failed == nil:
	case m.WeightsKnown && m.Step == nil:
		m.Step = v.failed
	case !m.WeightsKnown:
		m.AddUnresolved(v.failed)
	}
}

// unbuilt says why a part may get weights that are not known yet, or returns nil.
func (v *custom) unbuilt(seen map[*graph.Layer]bool) *value.Cause {
	v.track()
	if v.object == nil {
		return nil
	}
	for _, name := range v.object.Attrs.Names() {
		if x, _ := v.object.Attrs.Get(name); mayHold(x, 0) != nil {
			return value.Because(value.UnmodelledLayer, "its attribute %s is not known, and may hold layers: %s", name, mayHold(x, 0))
		}
	}
	if v.defines(v.interp, "build") && !v.isMade {
		return value.Because(value.NotBuilt, "%s has no weights before it is called", v.layer.Name)
	}
	for _, name := range []string{"call", "train_step"} {
		if v.sets(name) {
			return value.Because(value.NotBuilt, "its %s sets attributes, which may be layers", name)
		}
	}
	for _, l := range v.model.Model.Stack {
		if why := unbuilt(l, seen); why != nil {
			return why
		}
	}
	return nil
}

// assignment matches an assignment to an attribute of self. harmless matches those that cannot
// create a layer: numbers, and results of TensorFlow's operations.
var (
	assignment = regexp.MustCompile(`\bself\.\w+\s*=[^=].*`)
	harmless   = regexp.MustCompile(`=\s*(\d|None\b|True\b|False\b|(tf|ops|keras\.ops)\.(\w+\.)?[a-z_]+\()`)
)

// sets reports whether a method of the program assigns attributes that may be layers.
func (v *custom) sets(name string) bool {
	if !v.defines(v.interp, name) {
		return false
	}
	f := v.method(v.interp, name)
	return f == nil || slices.ContainsFunc(assignment.FindAllString(f.Def.Node.Text(), -1), func(line string) bool { return !harmless.MatchString(line) })
}

// mayHold says why what an attribute holds is not known, or returns nil.
func mayHold(x value.Value, depth int) *value.Cause {
	if why := x.Cause(); why != nil || depth > 4 {
		return why
	}
	var open *value.Cause
	var items []value.Value
	switch x := x.X.(type) {
	case *value.List:
		open, items = x.Open, x.Items
	case value.Tuple:
		items = x
	case *value.Dict:
		open, items = x.Open, x.Values
	}
	for i := 0; i < len(items) && open == nil; i++ {
		open = mayHold(items[i], depth+1)
	}
	return open
}

// unbuilt says why the weights of a layer are not known yet, or returns nil.
func unbuilt(l *graph.Layer, seen map[*graph.Layer]bool) *value.Cause {
	if seen[l] {
		return nil
	}
	seen[l] = true
	if why := doubted(l, map[*graph.Layer]bool{}); why != nil {
		return why
	}
	if s, ok := l.Impl.(*customImpl); ok {
		m := s.v.model.Model
		switch {
		case len(m.Unresolved) > 0:
			return m.Unresolved[0]
		case s.v.functional && m.Built(), l.Built:
			return nil
		}
		return s.v.unbuilt(seen)
	}
	if m := l.Inner; m != nil {
		switch {
		case len(m.Unresolved) > 0:
			return m.Unresolved[0]
		case m.Built():
			return nil
		}
		for _, part := range m.Stack {
			if why := unbuilt(part, seen); why != nil {
				return why
			}
		}
		return nil
	}
	if l.Built || l.Weightless {
		return nil
	}
	return value.Because(value.NotBuilt, "its layer %s has no weights before it is called", l.Name)
}

// doubted says why a layer, or a part of a custom layer, may not be built although it was called,
// or returns nil.
func doubted(l *graph.Layer, seen map[*graph.Layer]bool) *value.Cause {
	if l.Doubt != nil {
		return value.Because(value.NotBuilt, "whether its layer %s is built depends on what is not known: %s", l.Name, l.Doubt)
	}
	if s, ok := l.Impl.(*customImpl); ok && !seen[l] && !s.v.functional {
		seen[l] = true
		if len(s.v.bodies) == 0 && s.v.lost != nil {
			return s.v.lost
		}
		for _, part := range s.v.model.Model.Stack {
			if why := doubted(part, seen); why != nil {
				return why
			}
		}
	}
	return nil
}

// rehearse runs a custom train_step on tensors with the shapes of a batch, as fit does
// (keras/src/backend/tensorflow/trainer.py, make_train_function).
func (v *custom) rehearse(in *value.Interp, u *graph.ModelCall, data, targets value.Value) {
	method := "train_step"
	if !v.defines(in, method) {
		method = "compute_loss"
	}
	if v.rehearsed || !v.defines(in, method) || v.h.OnTensors() {
		return
	}
	m := v.model.Model
	batch, ok := wholeBatch(v.h, data, targets)
	if !ok {
		notGiven := "the data that its " + method + " is given is not known"
		m.Step = value.Because(value.ArrayShape, "%s", notGiven)
		if d, ok := data.X.(*pipelines.Dataset); ok && d.Why != nil {
			m.Step = value.Because(value.ArrayShape, "%s: %s", notGiven, d.Why)
		} else if why := data.Cause(); why != nil {
			m.Step = value.Because(value.ArrayShape, "%s: %s", notGiven, why)
		}
		return
	}
	v.rehearsed = true
	r := &state.Recorder{Name: method, Model: m, Batch: u.Batch, Born: in.Now(), Compiled: m.Compiled == nil || !m.Compiled.Eager}
	if f := v.method(in, method); f != nil {
		r.Unit = f.Def.Node
	}
	r.Inputs = tensorsIn(batch)
	if d, ok := data.X.(*pipelines.Dataset); ok && len(d.Batches) == len(r.Inputs) {
		r.Batches = d.Batches
	}
	end := v.h.Steps.Begin(r)
	if method == "train_step" {
		interp.CallMethod(in, v.object, method, &value.Args{Positional: []value.Value{batch}})
	} else {
		v.standardStep(in, batch)
	}
	end()
}

// standardStep runs Keras's train_step with the methods that the program overrides
// (keras/src/backend/tensorflow/trainer.py, train_step).
func (v *custom) standardStep(in *value.Interp, batch value.Value) {
	parts, ok := batch.X.(value.Tuple)
	if !ok {
		parts = value.Tuple{batch}
	}
	self := value.Value{X: v.object}
	t := steps.NewTape(v.h, &value.Args{Node: v.h.Steps.Running().Unit}).X.(*steps.Tape)
	t.Start()
	out := interp.Call(in, self, v.training(in, &value.Args{Positional: parts[:1], Keywords: value.Named("training", value.Value{X: true})}))
	given := value.Named("x", parts[0])
	given.Put("y", value.Value{X: value.None{}})
	if len(parts) > 1 {
		given.Put("y", parts[1])
	}
	given.Put("y_pred", out)
	given.Put("sample_weight", value.Value{X: value.None{}})
	loss := interp.CallMethod(in, v.object, "compute_loss", &value.Args{Keywords: given})
	t.Stop()
	weights := interp.Attr(in, self, "trainable_variables")
	gradients := t.Gradient(in, &value.Args{Positional: []value.Value{loss, weights}}, graph.Together)
	interp.Call(in, interp.Attr(in, interp.Attr(in, self, "optimizer"), "apply"), &value.Args{Positional: []value.Value{gradients, weights}})
}

// wholeBatch returns the argument of train_step: features, with targets if there are any
// (keras/src/trainers/data_adapters/data_adapter_utils.py, pack_x_y_sample_weight).
func wholeBatch(h *state.Host, data, targets value.Value) (value.Value, bool) {
	if d, ok := data.X.(*pipelines.Dataset); ok {
		return wholeElement(h, d)
	}
	x, ok := batchOf(h, data)
	if y, both := batchOf(h, targets); ok && both {
		return value.Value{X: value.Tuple{x, y}}, true
	}
	return x, ok
}
