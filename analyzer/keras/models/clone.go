package models

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A copy of a model has layers of its own, made with the same arguments
// (keras/src/models/cloning.py). So has a model that is loaded from the file where the program
// saved one.

// A description is the configuration of a model, from get_config or as JSON. A model made from it
// is a copy.
type description struct {
	state.Opaque
	of *ModelValue
}

func (v *ModelValue) describe(*value.Interp, *value.Args) value.Value {
	return value.Value{X: &description{state.Opaque{Base: "what a model says of itself"}, v}}
}

// TrackedTable are attributes of lists that a layer or a model of Keras 2 holds
// (tensorflow/python/trackable/data_structures.py, List.layers).
var TrackedTable = state.Table{
	"tensorflow.python.trackable.data_structures.List.layers": func(c *state.Call) value.Value {
		v, _ := c.Args.Get(0, "self")
		items, ok := objects.Sequence(v)
		if !ok || c.H.Keras() != 2 || slices.ContainsFunc(items, func(item value.Value) bool { return state.LayerOf(item) == nil }) {
			return value.Value{}
		}
		return v
	},
}

// CopyTable are the functions that copy, save and load models, or make one from its description.
var CopyTable = state.Table{
	"tensorflow.keras.models.clone_model":     cloneModel,
	"tensorflow.keras.models.model_from_json": fromDescription, "tensorflow.keras.Model.from_config": fromDescription, "tensorflow.keras.Sequential.from_config": fromDescription,
	"tensorflow.keras.models.load_model": loadModel, "tensorflow.keras.saving.load_model": loadModel,
	"tensorflow.keras.models.save_model": saveModel, "tensorflow.keras.saving.save_model": saveModel,
	"tensorflow.keras.saving.get_registered_object": registered,
}

// registered answers a search among the classes that programs register.
func registered(c *state.Call) value.Value {
	name, _ := c.Args.Get(0, "name")
	if text, ok := name.X.(string); ok {
		return c.H.Unknown(value.UnmodelledLayer, "the code of %s is in another program", text)
	}
	return c.H.Unknown(value.UnmodelledLayer, "which registered class is meant is not known: %s", objects.Because(name))
}

func cloneModel(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "model")
	if _, given := c.Args.Keywords.Get("clone_function"); given || len(c.Args.Positional) > 2 {
		return c.H.Unknown(value.UnmodelledLayer, "what a copy's clone_function makes is not followed")
	}
	m := ModelOf(v)
	if m == nil {
		return c.H.Unknown(value.UnmodelledUse, "the model that is copied is not known: %s", objects.Because(v))
	}
	return copyOf(c.H, c.In, m, c.Args)
}

func fromDescription(c *state.Call) value.Value {
	for _, keyword := range []string{"json_string", "config"} {
		v, _ := c.Args.Get(0, keyword)
		if d, ok := v.X.(*description); ok {
			return copyOf(c.H, c.In, d.of, c.Args)
		}
	}
	return c.H.Unknown(value.FileContents, "the description that a model is made of is not in this program")
}

func loadModel(c *state.Call) value.Value {
	path, _ := c.Args.Get(0, "filepath")
	text, ok := path.X.(string)
	m, _ := c.H.Program.Saved(text).X.(*ModelValue)
	if m == nil && ok {
		v := inProject(c, text)
		if m = ModelOf(v); m == nil && v.X != nil {
			return c.H.Unknown(value.FileContents, "the model in %s is not followed: %s", text, objects.Because(v))
		}
	}
	if m == nil {
		return c.H.Unknown(value.FileContents, "the model in the file that load_model reads is not known")
	}
	loaded := copyOf(c.H, c.In, m, c.Args)
	if of := ModelOf(loaded); of != nil {
		if compiles, given := c.Args.Keywords.Get("compile"); !given || compiles.X != false { // as it was
			of.Model.Optimizer, of.Model.Compiled = m.Model.Optimizer, m.Model.Compiled
		}
		of.Model.GiveWeights()
	}
	return loaded
}

// inProject returns the model in a file of the project; the zero value if there is no such file.
func inProject(c *state.Call, path string) value.Value {
	if !strings.HasSuffix(strings.ToLower(path), "."+saved.Archive) {
		return value.Value{} // no other file is read as a model's
	}
	python, ok := c.In.Head(path)
	if !ok {
		return value.Value{}
	}
	info, err := c.H.Libraries.Source(path, c.In.Info(), func(library names.Library) (*names.Info, error) {
		info := names.Resolve(syntax.Parse(python), library, nil)
		info.Charge(c.In.Info().Account())
		return info, nil
	})
	if err != nil {
		return value.From(err).Unknown()
	}
	model, _ := interp.RunModule(c.In, info, path).GetAttr(c.In, "model")
	return model
}

func saveModel(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "model")
	path, _ := c.Args.Get(1, "filepath")
	if m := ModelOf(v); m != nil {
		m.save(path)
	}
	return value.Value{X: value.None{}}
}

// save records which model a file holds.
func (v *ModelValue) save(path value.Value) {
	if text, ok := path.X.(string); ok {
		v.H.Program.Save(text, value.Value{X: v})
	}
}

func copyOf(h *state.Host, in *value.Interp, v *ModelValue, args *value.Args) value.Value {
	c := &copier{h: h, in: in, layers: map[*graph.Layer]value.Value{}}
	out, why := c.model(v)
	if why != nil {
		return h.Unknown(value.UnmodelledLayer, "a copy of %s is not followed: %s", v.Model.Name, why)
	}
	if m := ModelOf(out); m != nil {
		m.Model.Node = args.Node
	}
	return out
}

// withCopies returns the arguments of a layer with copies of the layers among them, because Keras
// builds a wrapper's layer again. Bidirectional copies its layer itself.
func withCopies(h *state.Host, in *value.Interp, class string, args *value.Args) *value.Args {
	if class == "Bidirectional" {
		return args
	}
	c := &copier{h: h, in: in, layers: map[*graph.Layer]value.Value{}}
	return ops.EachArgument(args, func(v value.Value) value.Value {
		l := state.LayerOf(v)
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
	h      *state.Host
	in     *value.Interp
	layers map[*graph.Layer]value.Value
}

func (c *copier) model(v *ModelValue) (value.Value, *value.Cause) {
	m := v.Model
	switch {
	case len(m.Unresolved) > 0:
		return value.Value{}, m.Unresolved[0]
	case v.custom != nil && v.custom.object != nil:
		out, why := c.object(v.custom.object)
		if copy := ModelOf(out); copy != nil && len(m.Inputs) == 1 && !copy.Model.Built() {
			why = copy.custom.feed(c.in, ops.Tensor(c.h, &graph.Symbolic{Shape: m.Inputs[0].Shape, DType: m.Inputs[0].DType}))
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
		return value.Value{}, value.Because(value.UnmodelledLayer, "its configuration is not known")
	}
	v := interp.Call(c.in, value.Value{X: o.Class}, o.Args)
	return v, v.Cause()
}

// like returns a model of the same kind and name, without layers.
func (c *copier) like(m *graph.Model) *graph.Model {
	out := steps.NewModel(c.h, m.Class)
	out.Keras, out.Name, out.Trainable = m.Keras, m.Name, m.Trainable
	return out
}

func (c *copier) sequential(m *graph.Model) (value.Value, *value.Cause) {
	v := &ModelValue{H: c.h, Model: c.like(m)}
	if len(m.Inputs) > 0 {
		v.Model.Input(m.Inputs[0].Shape, m.Inputs[0].DType)
	}
	for _, l := range m.Stack {
		copy, why := c.layer(l)
		if why != nil {
			return copy, why
		}
		v.Model.Add(state.LayerOf(copy))
	}
	if len(v.Model.Unresolved) > 0 {
		return value.Value{}, v.Model.Unresolved[0]
	}
	c.h.Program.Models = append(c.h.Program.Models, v.Model)
	return value.Value{X: v}, nil
}

func (c *copier) functional(m *graph.Model) (value.Value, *value.Cause) {
	at := map[*graph.Symbolic]*graph.Symbolic{}
	out := c.like(m)
	for _, s := range m.Inputs {
		at[s] = &graph.Symbolic{Shape: s.Shape, DType: s.DType, Name: s.Name}
		out.Inputs = append(out.Inputs, at[s])
	}
	for _, n := range m.Nodes {
		in := make([]*graph.Symbolic, len(n.In))
		for i, s := range n.In {
			in[i] = at[s]
		}
		made, why := c.node(n, in)
		if why != nil || len(made) != len(n.Out) {
			return value.Value{}, why
		}
		for i, s := range n.Out {
			at[s] = made[i]
		}
	}
	for _, s := range m.Outputs {
		out.Outputs = append(out.Outputs, at[s])
	}
	out.Returns = ops.Each(m.Returns, func(v value.Value) value.Value {
		if s, ok := v.X.(*ops.SymbolicValue); ok && at[s.S] != nil {
			return ops.Tensor(c.h, at[s.S])
		}
		return v
	})
	out.Trace()
	c.h.Program.Models = append(c.h.Program.Models, out)
	return value.Value{X: &ModelValue{H: c.h, Model: out}}, nil
}

// node repeats a call with the copy of its layer.
func (c *copier) node(n *graph.Node, in []*graph.Symbolic) ([]*graph.Symbolic, *value.Cause) {
	if n.Layer.Function {
		out, err := graph.CallAs(c.in, n.Layer, n.Impl, in)
		if err != nil {
			return nil, value.From(err)
		}
		return out, nil
	}
	v, why := c.layer(n.Layer)
	if why != nil {
		return nil, why
	}
	l := state.LayerOf(v)
	if n.Impl != nil && n.Impl != n.Layer.Impl {
		return nil, value.Because(value.UnmodelledLayer, "a call of %s is not like the others", n.Layer.Name)
	}
	out, err := graph.Call(c.in, l, in)
	if err != nil {
		return nil, value.From(err)
	}
	return out, nil
}

// layer returns the copy of a layer.
func (c *copier) layer(l *graph.Layer) (value.Value, *value.Cause) {
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
	copy := state.LayerOf(v)
	if copy == nil {
		return v, value.Because(value.UnmodelledLayer, "a copy of %s is not followed", l.Name)
	}
	copy.Name, copy.Penalties, copy.Activity = l.Name, l.Penalties, l.Activity
	if !l.Trainable {
		copy.SetTrainable(c.in, graph.Freeze{On: false})
	}
	c.layers[l] = v
	return v, nil
}

func (c *copier) fresh(l *graph.Layer) (value.Value, *value.Cause) {
	switch s := l.Impl.(type) {
	case *customImpl:
		if s.v.object != nil {
			return c.object(s.v.object)
		}
		return l.Again(c.in), nil
	case *graph.Nested:
		return c.model(&ModelValue{H: c.h, Model: s.Model})
	default:
		if l.Again != nil {
			v := l.Again(c.in)
			return v, v.Cause()
		}
	}
	return value.Value{}, value.Because(value.UnmodelledLayer, "a copy of %s is not followed", l.Name)
}
