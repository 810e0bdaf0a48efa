package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A copy of a model has layers of its own, made with the same arguments
// (keras/src/models/cloning.py). So has a model that is loaded from the file where the program
// saved one.

// A description is the configuration of a model, from get_config or as JSON. A model made from it
// is a copy.
type description struct {
	opaque
	of *modelValue
}

func (v *modelValue) describe(*value.Interp, *value.Args) value.Value {
	return value.Value{X: &description{opaque{"what a model says of itself"}, v}}
}

// copyTable are the functions that copy, save and load models, or make one from its description.
var copyTable = table{
	"tensorflow.keras.models.clone_model":     (*hostCall).cloneModel,
	"tensorflow.keras.models.model_from_json": fromDescription, "tensorflow.keras.Model.from_config": fromDescription, "tensorflow.keras.Sequential.from_config": fromDescription,
	"tensorflow.keras.models.load_model": (*hostCall).loadModel, "tensorflow.keras.saving.load_model": (*hostCall).loadModel,
	"tensorflow.keras.models.save_model": (*hostCall).saveModel, "tensorflow.keras.saving.save_model": (*hostCall).saveModel,
}

func (c *hostCall) cloneModel() value.Value {
	v, _ := c.args.Get(0, "model")
	if _, given := c.args.Keywords.Get("clone_function"); given || len(c.args.Positional) > 2 {
		return c.h.unknown(value.UnmodelledLayer, "what a copy's clone_function makes is not followed")
	}
	m := modelOf(v)
	if m == nil {
		return c.h.unknown(value.UnmodelledUse, "the model that is copied is not known: %s", objects.Because(v))
	}
	return c.h.copyOf(c.in, m, c.args)
}

func fromDescription(c *hostCall) value.Value {
	for _, keyword := range []string{"json_string", "config"} {
		v, _ := c.args.Get(0, keyword)
		if d, ok := v.X.(*description); ok {
			return c.h.copyOf(c.in, d.of, c.args)
		}
	}
	return c.h.unknown(value.FileContents, "the description that a model is made of is not in this program")
}

func (c *hostCall) loadModel() value.Value {
	path, _ := c.args.Get(0, "filepath")
	text, ok := path.X.(string)
	m, _ := c.h.saved[text].X.(*modelValue)
	if !ok || m == nil {
		return c.h.unknown(value.FileContents, "what is in the file that load_model reads is not known")
	}
	loaded := c.h.copyOf(c.in, m, c.args)
	if of := modelOf(loaded); of != nil { // load_model compiles it as it was
		of.model.Optimizer, of.model.Compiled = m.model.Optimizer, m.model.Compiled
	}
	return loaded
}

func (c *hostCall) saveModel() value.Value {
	v, _ := c.args.Get(0, "model")
	path, _ := c.args.Get(1, "filepath")
	if m := modelOf(v); m != nil {
		m.save(path)
	}
	return value.Value{X: value.None{}}
}

// save records which model a file holds.
func (v *modelValue) save(path value.Value) {
	if text, ok := path.X.(string); ok && v.h.saved == nil {
		v.h.saved = map[string]value.Value{text: {X: v}}
	} else if ok {
		v.h.saved[text] = value.Value{X: v}
	}
}

func (h *host) copyOf(in *value.Interp, v *modelValue, args *value.Args) value.Value {
	c := &copier{h: h, in: in, layers: map[*Layer]value.Value{}}
	out, why := c.model(v)
	if why != nil {
		return h.unknown(value.UnmodelledLayer, "a copy of %s is not followed: %s", v.model.Name, why)
	}
	if m := modelOf(out); m != nil {
		m.model.Node = args.Node
	}
	return out
}

// withCopies returns the arguments of a layer with copies of the layers among them, because Keras
// builds a wrapper's layer again. Bidirectional copies its layer itself.
func (h *host) withCopies(in *value.Interp, class string, args *value.Args) *value.Args {
	if class == "Bidirectional" {
		return args
	}
	c := &copier{h: h, in: in, layers: map[*Layer]value.Value{}}
	return eachArgument(args, func(v value.Value) value.Value {
		l := layerOf(v)
		if l == nil {
			return v
		}
		copy, why := c.layer(l)
		if why != nil {
			return why.Unknown()
		}
		return copy
	})
}

// mostCopied bounds the layers of one copy, and copyCost is the steps that each costs: copies of
// copies double.
const (
	mostCopied = 2000
	copyCost   = 50
)

// A copier copies models, each layer once.
type copier struct {
	h      *host
	in     *value.Interp
	layers map[*Layer]value.Value
}

func (c *copier) model(v *modelValue) (value.Value, *value.Cause) {
	m := v.model
	switch {
	case len(m.Unresolved) > 0:
		return value.Value{}, m.Unresolved[0]
	case v.custom != nil && v.custom.object != nil:
		out, why := c.object(v.custom.object)
		if copy := modelOf(out); copy != nil && len(m.Inputs) == 1 && !copy.model.Built() {
			why = copy.custom.feed(c.in, c.h.tensor(&Symbolic{Shape: m.Inputs[0].Shape, DType: m.Inputs[0].DType}))
		}
		return out, why
	case m.Class == "Sequential":
		return c.sequential(m)
	case m.Class == "Functional":
		return c.functional(m)
	}
	return value.Value{}, value.Because(value.WrongType, "it is none that Keras describes")
}

// object constructs an object of the program again.
func (c *copier) object(o *value.Instance) (value.Value, *value.Cause) {
	if o.Args == nil {
		return value.Value{}, value.Because(value.UnmodelledLayer, "what it is made with is not known")
	}
	v := c.in.Call(value.Value{X: o.Class}, o.Args)
	return v, v.Cause()
}

// like returns a model of the same kind and name, without layers.
func (c *copier) like(m *Model) *Model {
	out := c.h.newModel(m.Class)
	out.Keras, out.Name, out.Trainable = m.Keras, m.Name, m.Trainable
	return out
}

func (c *copier) sequential(m *Model) (value.Value, *value.Cause) {
	v := &modelValue{h: c.h, model: c.like(m)}
	if len(m.Inputs) > 0 {
		v.model.input(m.Inputs[0].Shape, m.Inputs[0].DType)
	}
	for _, l := range m.stack {
		copy, why := c.layer(l)
		if why != nil {
			return copy, why
		}
		v.model.add(layerOf(copy))
	}
	if len(v.model.Unresolved) > 0 {
		return value.Value{}, v.model.Unresolved[0]
	}
	c.h.program.Models = append(c.h.program.Models, v.model)
	return value.Value{X: v}, nil
}

func (c *copier) functional(m *Model) (value.Value, *value.Cause) {
	at := map[*Symbolic]*Symbolic{}
	out := c.like(m)
	for _, s := range m.Inputs {
		at[s] = &Symbolic{Shape: s.Shape, DType: s.DType, name: s.name}
		out.Inputs = append(out.Inputs, at[s])
	}
	for _, n := range m.nodes {
		in := make([]*Symbolic, len(n.in))
		for i, s := range n.in {
			in[i] = at[s]
		}
		made, why := c.node(n, in)
		if why != nil || len(made) != len(n.out) {
			return value.Value{}, why
		}
		for i, s := range n.out {
			at[s] = made[i]
		}
	}
	for _, s := range m.Outputs {
		out.Outputs = append(out.Outputs, at[s])
	}
	out.returns = each(m.returns, func(v value.Value) value.Value {
		if s, ok := v.X.(*symbolicValue); ok && at[s.s] != nil {
			return c.h.tensor(at[s.s])
		}
		return v
	})
	out.trace()
	c.h.program.Models = append(c.h.program.Models, out)
	return value.Value{X: &modelValue{h: c.h, model: out}}, nil
}

// node repeats a call with the copy of its layer.
func (c *copier) node(n *node, in []*Symbolic) ([]*Symbolic, *value.Cause) {
	if n.layer.function {
		out, err := callAs(c.in, n.layer, n.impl, in)
		if err != nil {
			return nil, value.From(err)
		}
		return out, nil
	}
	v, why := c.layer(n.layer)
	if why != nil {
		return nil, why
	}
	l := layerOf(v)
	if n.impl != nil && n.impl != n.layer.impl {
		return nil, value.Because(value.UnmodelledLayer, "a call of %s is not like the others", n.layer.Name)
	}
	out, err := call(c.in, l, in)
	if err != nil {
		return nil, value.From(err)
	}
	return out, nil
}

// layer returns the copy of a layer.
func (c *copier) layer(l *Layer) (value.Value, *value.Cause) {
	if v, ok := c.layers[l]; ok {
		return v, nil
	}
	if len(c.layers) >= mostCopied || !c.in.Spend(copyCost) {
		return value.Value{}, value.Because(value.TooLong, "it holds more than %d layers, or is copied too often", mostCopied)
	}
	v, why := c.fresh(l)
	if why != nil {
		return v, why
	}
	copy := layerOf(v)
	if copy == nil {
		return v, value.Because(value.UnmodelledLayer, "a copy of %s is not followed", l.Name)
	}
	copy.Name, copy.penalties, copy.activity = l.Name, l.penalties, l.activity
	if !l.Trainable {
		copy.setTrainable(c.in, freeze{on: false})
	}
	c.layers[l] = v
	return v, nil
}

func (c *copier) fresh(l *Layer) (value.Value, *value.Cause) {
	switch s := l.impl.(type) {
	case *customImpl:
		if s.v.object != nil {
			return c.object(s.v.object)
		}
		return l.again(c.in), nil
	case *nested:
		return c.model(&modelValue{h: c.h, model: s.model})
	default:
		if l.again != nil {
			v := l.again(c.in)
			return v, v.Cause()
		}
	}
	return value.Value{}, value.Because(value.UnmodelledLayer, "a copy of %s is not followed", l.Name)
}
