package keras

import (
	"regexp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A custom model may have no call, and train its parts in its own train_step: the two networks of
// a GAN, the encoder and the decoder of an autoencoder. Its weights are those of the parts. They
// are known once all parts are built, even if nothing is known of its data.

// Known reports whether all weights of the model are known. What runs the model may still be
// unknown; see Built.
func (m *Model) Known() bool {
	return len(m.Unresolved) == 0 && (m.Built() || m.weightsKnown || m.weightless())
}

// weightless reports whether no layer of a Sequential has weights.
func (m *Model) weightless() bool { return m.hasNone(map[*Model]bool{}) }

// hasNone is weightless that visits each nested model once.
func (m *Model) hasNone(seen map[*Model]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	return m.Class == "Sequential" && len(m.stack) > 0 && !slices.ContainsFunc(m.stack, func(l *Layer) bool {
		return !l.weightless && !(l.Inner != nil && l.Inner.hasNone(seen))
	})
}

// Unbuilt says why a model is not built; nil if it is.
func (m *Model) Unbuilt() *value.Cause {
	switch {
	case m.Built():
		return nil
	case m.weightsKnown && m.Step != nil:
		return m.Step
	case m.weightsKnown:
		return value.Because(value.NotBuilt, "the shape of what it is called with is not known")
	case m.missing != nil:
		return m.missing
	}
	if m.starved != nil {
		return value.Because(value.NotBuilt, "the shape of the model's input is not known: %s", m.starved)
	}
	return value.Because(value.NotBuilt, "the shape of the model's input is not known: it has none of its own, and no data of a known shape reaches it")
}

// Unsettled says why the dtypes or the compilation of the model's steps are not known although
// its layers are; nil if they are known.
func (m *Model) Unsettled() *value.Cause {
	if m.unsettled == nil && m.Compiled != nil {
		return m.Compiled.undecided
	}
	return m.unsettled
}

// A settler is a model of the program's own. It settles when the program has ended.
type settler interface{ settle() }

// settle finds out whether the parts of a model that was never called are known.
func (v *custom) settle() {
	m := v.model.model
	if v.functional {
		v.track()
	}
	if v.functional || len(m.Unresolved) > 0 {
		return
	}
	if m.Built() {
		for _, l := range m.stack {
			m.unresolved(l.doubted(map[*Layer]bool{}))
		}
		return
	}
	m.missing = v.unbuilt(map[*Layer]bool{})
	m.weightsKnown = m.missing == nil && (len(m.stack) > 0 || len(m.own) > 0)
	switch {
	case v.failed == nil:
	case m.weightsKnown && m.Step == nil:
		m.Step = v.failed
	case !m.weightsKnown:
		m.unresolved(v.failed)
	}
}

// unbuilt says why a part may get weights that are not known yet, or returns nil.
func (v *custom) unbuilt(seen map[*Layer]bool) *value.Cause {
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
		return value.Because(value.NotBuilt, "%s is built when data reaches it", v.layer.Name)
	}
	for _, name := range []string{"call", "train_step"} {
		if v.sets(name) {
			return value.Because(value.NotBuilt, "its %s sets attributes, which may be layers", name)
		}
	}
	for _, l := range v.model.model.stack {
		if why := l.unbuilt(seen); why != nil {
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
	bound, ok := v.interp.Attr(value.Value{X: v.object}, name).X.(*value.Bound)
	if !ok {
		return true
	}
	f, ok := bound.Func.X.(*value.Func)
	return !ok || slices.ContainsFunc(assignment.FindAllString(f.Def.Node.Text(), -1), func(line string) bool { return !harmless.MatchString(line) })
}

// mayHold says why what an attribute holds is not known, or returns nil.
func mayHold(x value.Value, depth int) *value.Cause {
	if why := x.Cause(); why != nil || depth > 4 {
		return why
	}
	switch x := x.X.(type) {
	case *value.List:
		if x.Open != nil {
			return x.Open
		}
		return mayHoldAny(x.Items, depth)
	case value.Tuple:
		return mayHoldAny(x, depth)
	case *value.Dict:
		if x.Open != nil {
			return x.Open
		}
		return mayHoldAny(x.Values, depth)
	}
	return nil
}

func mayHoldAny(items []value.Value, depth int) *value.Cause {
	for _, item := range items {
		if why := mayHold(item, depth+1); why != nil {
			return why
		}
	}
	return nil
}

// unbuilt says why the weights of a layer are not known yet, or returns nil.
func (l *Layer) unbuilt(seen map[*Layer]bool) *value.Cause {
	if seen[l] {
		return nil
	}
	seen[l] = true
	if why := l.doubted(map[*Layer]bool{}); why != nil {
		return why
	}
	if s, ok := l.impl.(*customImpl); ok {
		m := s.v.model.model
		switch {
		case len(m.Unresolved) > 0:
			return m.Unresolved[0]
		case s.v.functional && m.Built(), l.built:
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
		for _, part := range m.stack {
			if why := part.unbuilt(seen); why != nil {
				return why
			}
		}
		return nil
	}
	if l.built || l.weightless {
		return nil
	}
	return value.Because(value.NotBuilt, "its layer %s is built when data reaches it", l.Name)
}

// doubted says why a layer, or a part of a custom layer, may not be built although it was called,
// or returns nil.
func (l *Layer) doubted(seen map[*Layer]bool) *value.Cause {
	if l.doubt != nil {
		return value.Because(value.NotBuilt, "whether its layer %s is built depends on what is not known: %s", l.Name, l.doubt)
	}
	if s, ok := l.impl.(*customImpl); ok && !seen[l] && !s.v.functional {
		seen[l] = true
		if len(s.v.bodies) == 0 && s.v.lost != nil {
			return s.v.lost
		}
		for _, part := range s.v.model.model.stack {
			if why := part.doubted(seen); why != nil {
				return why
			}
		}
	}
	return nil
}

// rehearse runs a custom train_step on tensors with the shapes of a batch, as fit does
// (keras/src/backend/tensorflow/trainer.py, make_train_function).
func (v *custom) rehearse(in *value.Interp, u *ModelCall, data, targets value.Value) {
	method := "train_step"
	if !v.defines(in, method) {
		method = "compute_loss"
	}
	if v.rehearsed || !v.defines(in, method) || v.h.recorder != nil || v.h.tracing > 0 {
		return
	}
	m := v.model.model
	batch, ok := v.h.wholeBatch(data, targets)
	if !ok {
		notGiven := "the data that its " + method + " is given is not known"
		m.Step = value.Because(value.ArrayShape, "%s", notGiven)
		if d, ok := data.X.(*dataset); ok && d.why != nil {
			m.Step = value.Because(value.ArrayShape, "%s: %s", notGiven, d.why)
		} else if why := data.Cause(); why != nil {
			m.Step = value.Because(value.ArrayShape, "%s: %s", notGiven, why)
		}
		return
	}
	v.rehearsed = true
	r := &recorder{unit: v.method(in, method), name: method, model: m, batch: u.Batch, born: in.Now(), began: v.h.tick, compiled: m.Compiled == nil || !m.Compiled.Eager}
	each(batch, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok {
			r.inputs = append(r.inputs, s.s)
		}
		return x
	})
	if d, ok := data.X.(*dataset); ok && len(d.Batches) == len(r.inputs) {
		r.batches = d.Batches
	}
	v.h.steps = append(v.h.steps, r)
	v.h.recorder = r
	if method == "train_step" {
		in.CallMethod(v.object, method, &value.Args{Positional: []value.Value{batch}})
	} else {
		v.standardStep(in, batch)
	}
	v.h.recorder = nil
}

// method returns the definition of a method of the program.
func (v *custom) method(in *value.Interp, name string) syntax.Node {
	if bound, ok := in.Attr(value.Value{X: v.object}, name).X.(*value.Bound); ok {
		if f, ok := bound.Func.X.(*value.Func); ok {
			return f.Def.Node
		}
	}
	return syntax.Node{}
}

// standardStep runs Keras's train_step with the methods that the program overrides
// (keras/src/backend/tensorflow/trainer.py, train_step).
func (v *custom) standardStep(in *value.Interp, batch value.Value) {
	parts, ok := batch.X.(value.Tuple)
	if !ok {
		parts = value.Tuple{batch}
	}
	self := value.Value{X: v.object}
	t := v.h.newTape(&value.Args{Node: v.h.recorder.unit}).X.(*tape)
	t.start()
	out := in.Call(self, v.training(in, &value.Args{Positional: parts[:1], Keywords: value.Named("training", value.Value{X: true})}))
	given := value.Named("x", parts[0])
	given.Put("y", value.Value{X: value.None{}})
	if len(parts) > 1 {
		given.Put("y", parts[1])
	}
	given.Put("y_pred", out)
	given.Put("sample_weight", value.Value{X: value.None{}})
	loss := in.CallMethod(v.object, "compute_loss", &value.Args{Keywords: given})
	t.stop()
	weights := in.Attr(self, "trainable_variables")
	gradients := t.gradient(in, &value.Args{Positional: []value.Value{loss, weights}}, together)
	in.Call(in.Attr(in.Attr(self, "optimizer"), "apply"), &value.Args{Positional: []value.Value{gradients, weights}})
}

// wholeBatch returns the argument of train_step: features, with targets if there are any
// (keras/src/trainers/data_adapters/data_adapter_utils.py, pack_x_y_sample_weight).
func (h *host) wholeBatch(data, targets value.Value) (value.Value, bool) {
	if d, ok := data.X.(*dataset); ok {
		return h.wholeElement(d)
	}
	x, ok := h.batchOf(data)
	if y, both := h.batchOf(targets); ok && both {
		return value.Value{X: value.Tuple{x, y}}, true
	}
	return x, ok
}
