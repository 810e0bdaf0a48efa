package models

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Layer creates a layer. A lower-case name is a function that creates a layer and calls it at
// once: layers.concatenate([a, b]).
func Layer(h *state.Host, in *value.Interp, class string, args *value.Args) value.Value {
	switch class {
	case "InputLayer":
		return Input(h, args)
	case "InputSpec":
		return layers.InputSpec(h, args)
	case "Lambda":
		return lambdaLayer(h, in, args)
	}
	if factory, ok := functions[class]; ok {
		return callFunction(h, in, factory, args)
	}
	r := LayerArguments(h, in, args)
	l, why := layers.MakeLayer(class, r)
	if l == nil {
		return why.Unknown()
	}
	for name, v := range args.Keywords.All() {
		why := layers.RefusedArgument(h, class, name)
		if text, ok := v.X.(string); ok && why == nil && strings.HasSuffix(name, "initializer") {
			why = layers.RefusedInitializer(h, text)
		}
		if why != nil {
			return why.Unknown()
		}
	}
	h.Program.Layer(in)
	l.Node = args.Node
	l.Name = r.Text(-1, "name", "")
	if l.Name == "" {
		l.Name = h.Names.Layer(in, class)
	}
	policy := h.Instead(r.Text(-1, "dtype", h.DTypePolicy(args.Node)))
	l.DType, l.Store = state.TypesOf(policy)
	quantizedFrom(l, policy)
	l.Penalties, l.Initializers = layers.Regularized(args), layers.Initialized(args)
	l.Activity = ops.ActivityOf(h, in, class, args)
	l.Trainable, l.Born, l.Remat = r.Bool(-1, "trainable", true), in.Now(), h.Remats.Inner()
	if r.Why != nil {
		return h.Unknown(value.UnmodelledLayer, "%s: %s", class, r.Why)
	}
	l.Again = func(in *value.Interp) value.Value { return Layer(h, in, class, withCopies(h, in, class, args)) }
	l.Args = args
	if class != "Embedding" || args.Keywords.Value("input_dim").X == nil {
		l.Input = inputOf(args)
	} else if shape, ok := args.Keywords.Get("input_shape"); ok {
		l.Input = &shape
	}
	switch class {
	case "SimpleRNN", "LSTM", "GRU", "RNN":
		if args.Keywords.Value("input_shape").X == nil && h.Keras() == 2 {
			l.Input = cmp.Or(stepsOf(args), l.Input)
		}
	}
	if class == "Embedding" && h.Keras() == 2 && l.Input == nil {
		l.Input = lengthOf(args)
	}
	return value.Value{X: &LayerValue{H: h, Layer: l}}
}

// functions maps the lower-case names of keras.layers to the layer classes that they create.
var functions = map[string]string{
	"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "average": "Average", "maximum": "Maximum",
	"minimum": "Minimum", "concatenate": "Concatenate", "dot": "Dot",
}

func callFunction(h *state.Host, in *value.Interp, class string, args *value.Args) value.Value {
	inputs, ok := args.Get(0, "inputs")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called without inputs", class)
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
	made := Layer(h, in, class, rest)
	l := state.LayerOf(made)
	if l == nil {
		return made
	}
	return apply(h, l, inputs)
}

// applyAs calls a layer on symbolic tensors, with the Impl s.
func applyAs(h *state.Host, l *graph.Layer, s graph.Impl, inputs value.Value) value.Value {
	in, why := ops.Symbols(inputs)
	if why != nil { // some inputs may be eager tensors: the initial states of a cell
		if in, why = ops.Symbols(ops.Each(inputs, func(x value.Value) value.Value { return ops.Captured(h, x) })); why != nil {
			return why.Unknown()
		}
	}
	h.Called(l)
	out, err := graph.CallAs(h.Interp, l, s, in)
	if err != nil {
		return value.From(err).Unknown()
	}
	h.Happens(out)
	if len(out) == 1 {
		return ops.Tensor(h, out[0])
	}
	var tuple value.Tuple
	for _, s := range out {
		tuple = append(tuple, ops.Tensor(h, s))
	}
	return value.Value{X: tuple}
}

// apply calls a layer on symbolic tensors.
func apply(h *state.Host, l *graph.Layer, inputs value.Value) value.Value {
	return applyAs(h, l, nil, inputs)
}
