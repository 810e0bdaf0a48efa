package keras

import (
	"cmp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// layer creates a layer. A lower-case name is a function that creates a layer and calls it at
// once: layers.concatenate([a, b]).
func (h *host) layer(in *value.Interp, class string, args *value.Args) value.Value {
	switch class {
	case "InputLayer":
		return h.input(args)
	case "InputSpec":
		return h.inputSpec(args)
	case "Lambda":
		return h.lambdaLayer(in, args)
	}
	if factory, ok := functions[class]; ok {
		return h.callFunction(in, factory, args)
	}
	r := h.layerArguments(in, args)
	l, why := makeLayer(class, r)
	if l == nil {
		return why.Unknown()
	}
	for name := range args.Keywords.Names() {
		if why := h.refusedArgument(class, name); why != nil {
			return why.Unknown()
		}
	}
	h.builds(in)
	l.Node = args.Node
	l.Name = r.text(-1, "name", "")
	if l.Name == "" {
		l.Name = h.uniqueName(in, class)
	}
	l.DType, l.Store = types(r.text(-1, "dtype", h.dtypePolicy()))
	l.penalties = regularized(args)
	l.activity = h.activityOf(in, class, args)
	l.Trainable, l.born, l.remat = r.bool(-1, "trainable", true), in.Now(), h.remat()
	if r.why != nil {
		return h.unknown(value.UnmodelledLayer, "%s: %s", class, r.why)
	}
	l.again = func(in *value.Interp) value.Value { return h.layer(in, class, h.withCopies(in, class, args)) }
	l.args = args
	if class != "Embedding" || args.Keywords.Value("input_dim").X == nil {
		l.input = inputOf(args)
	} else if shape, ok := args.Keywords.Get("input_shape"); ok {
		l.input = &shape
	}
	switch class {
	case "SimpleRNN", "LSTM", "GRU", "RNN":
		if args.Keywords.Value("input_shape").X == nil && h.keras() == 2 {
			l.input = cmp.Or(stepsOf(args), l.input)
		}
	}
	if class == "Embedding" && h.keras() == 2 && l.input == nil {
		l.input = lengthOf(args)
	}
	return value.Value{X: &layerValue{h: h, layer: l}}
}

// A loop that creates or calls more than manyLayers layers, and meanwhile no model, builds a
// large model. Each further layer adds the steps that it costs.
const (
	manyLayers = 1000
	layerSteps = 100
)

// builds records that a layer is created, or called on a symbolic tensor.
func (h *host) builds(in *value.Interp) {
	if n := len(h.program.Models); n != h.models {
		h.made, h.models = 0, n
	}
	if h.made++; h.made > manyLayers {
		in.Prolong(layerSteps)
	}
}

// functions maps the lower-case names of keras.layers to the layer classes that they create.
var functions = map[string]string{
	"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "average": "Average", "maximum": "Maximum",
	"minimum": "Minimum", "concatenate": "Concatenate", "dot": "Dot",
}

func (h *host) callFunction(in *value.Interp, class string, args *value.Args) value.Value {
	inputs, ok := args.Get(0, "inputs")
	if !ok {
		return h.unknown(value.MissingArgument, "%s is called without inputs", class)
	}
	rest := &value.Args{Node: args.Node, Open: args.Open}
	if len(args.Positional) > 1 {
		rest.Positional = args.Positional[1:] // axis of concatenate, axes of dot
	}
	for name, v := range args.Keywords.All() {
		if name != "inputs" {
			rest.Keywords.Put(name, v)
		}
	}
	made := h.layer(in, class, rest)
	l := layerOf(made)
	if l == nil {
		return made
	}
	return h.apply(l, inputs)
}

// applyAs calls a layer on symbolic tensors, with the layerImpl s.
func (h *host) applyAs(l *Layer, s layerImpl, inputs value.Value) value.Value {
	in, why := symbols(inputs)
	if why != nil { // some inputs may be eager tensors: the initial states of a cell
		if in, why = symbols(each(inputs, func(x value.Value) value.Value { return h.captured(x) })); why != nil {
			return why.Unknown()
		}
	}
	h.called(l)
	out, err := callAs(h.interp, l, s, in)
	if err != nil {
		return value.From(err).Unknown()
	}
	h.happens(out)
	if len(out) == 1 {
		return h.tensor(out[0])
	}
	var tuple value.Tuple
	for _, s := range out {
		tuple = append(tuple, h.tensor(s))
	}
	return value.Value{X: tuple}
}

// captured returns an eager tensor as a constant of a graph, and any other value as it is.
func (h *host) captured(v value.Value) value.Value {
	if a, ok := v.X.(*array); ok {
		return h.constant(a.Shape, a.Computed())
	}
	return v
}

// apply calls a layer on symbolic tensors.
func (h *host) apply(l *Layer, inputs value.Value) value.Value { return h.applyAs(l, nil, inputs) }

// symbols returns one symbolic tensor, or a list of them.
func symbols(v value.Value) ([]*Symbolic, *value.Cause) {
	switch x := v.X.(type) {
	case *symbolicValue:
		return []*Symbolic{x.s}, nil
	case *variable:
		s, why := symbolOf(x.read())
		return []*Symbolic{s}, why
	case *lostVariable:
		return nil, x.why
	}
	if d, ok := v.X.(*value.Dict); ok {
		if d.Open != nil {
			return nil, d.Open
		}
		return symbols(value.Value{X: value.Tuple(d.Values)})
	}
	items, ok := objects.Sequence(v)
	if !ok {
		if l, isList := v.X.(*value.List); v.Cause() != nil || isList && l.Open != nil {
			return nil, objects.Because(v)
		}
		if v.X == nil {
			return nil, value.Because(value.NotBuilt, "a layer or a model is made of no tensors")
		}
		return nil, value.Because(value.UnmodelledUse, "a layer is called on something that is not a tensor of a model: %s", objects.Because(v))
	}
	var out []*Symbolic
	for _, i := range items {
		more, why := symbols(i)
		if why != nil {
			return nil, why
		}
		out = append(out, more...)
	}
	return out, nil
}
