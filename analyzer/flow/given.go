package flow

import (
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// given returns the effects of a call of a name that initialises only for some arguments.
func (f *frame) given(call syntax.Node, e *effects.Entry) *effects.Entry {
	if !e.Effects.Has(effects.Initialises) {
		return e
	}
	own := *e
	own.Effects &^= effects.Initialises
	if e.Built != "" {
		if f.builds(call, e) {
			return e
		}
		own.Effects |= effects.MayInitialise
		return &own
	}
	argument := names.Argument(call, e.Position, e.Nonzero)
	switch number, err := strconv.ParseFloat(argument.Text(), 64); {
	case argument.Is(syntax.Integer, syntax.Float) && err == nil && number != 0:
		return e
	case argument.Is(syntax.Integer, syntax.Float) && err == nil, !argument.Valid() && !names.HasSplat(call):
	default:
		own.Effects |= effects.MayInitialise
	}
	return &own
}

// builds reports whether a call that creates a Sequential, or adds a layer to one, surely builds
// a layer that creates weights (keras/src/models/sequential.py, _maybe_rebuild).
func (f *frame) builds(call syntax.Node, e *effects.Entry) bool {
	given := names.Argument(call, e.Position, e.Built)
	if f.info.Callee(call) == sequential {
		layers := f.info.DefiningExpr(given)
		return layers.Is(syntax.List, syntax.Tuple) && f.shaped(names.Element(layers, 0)) &&
			slices.ContainsFunc(slices.Collect(layers.Children()), f.makesWeights)
	}
	return f.makesWeights(given) && f.shaped(f.firstLayer(call))
}

const sequential = "tensorflow.keras.Sequential"

// firstLayer returns the expression that creates the first layer of the Sequential that a call of
// add surely adds to; none if it is not known.
func (f *frame) firstLayer(add syntax.Node) syntax.Node {
	model := add.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	made := f.info.DefiningExpr(model)
	if made.Kind() != syntax.Call || f.info.Callee(made) != sequential || names.HasSplat(made) {
		return syntax.Node{}
	}
	if given := names.Argument(made, 0, "layers"); given.Valid() && given.Kind() != syntax.NoneLiteral {
		layers := f.info.DefiningExpr(given)
		if !layers.Is(syntax.List, syntax.Tuple) {
			return syntax.Node{}
		}
		if first := layers.FirstChild(); first.Valid() {
			return names.Element(layers, 0)
		}
	}
	bindings := f.info.ReachingDefs(model)
	if len(bindings) != 1 {
		return syntax.Node{}
	}
	for _, use := range f.info.Uses(bindings[0]) { // in order of text
		method := use.Parent()
		if method.Kind() != syntax.Attribute || method.Parent().Kind() != syntax.Call || method.Child(syntax.FieldAttribute).Text() != "add" {
			if use.End() < add.Start() {
				return syntax.Node{} // it may get another layer there
			}
			continue
		}
		first := method.Parent()
		statement := first.Parent()
		if statement.Kind() != syntax.ExpressionStatement || statement != statement.Top() && !add.Within(statement.Parent()) {
			return syntax.Node{}
		}
		return names.Argument(first, 0, "layer")
	}
	return syntax.Node{}
}

// shaped reports whether a Sequential surely knows its input shape, given the expression that
// creates its first layer.
func (f *frame) shaped(layer syntax.Node) bool {
	made := f.info.DefiningExpr(layer)
	for range maxPath { // a Sequential in a Sequential
		if made.Kind() != syntax.Call || f.info.Callee(made) != sequential {
			break
		}
		layers := f.info.DefiningExpr(names.Argument(made, 0, "layers"))
		if !layers.Is(syntax.List, syntax.Tuple) {
			return false
		}
		made = f.info.DefiningExpr(names.Element(layers, 0))
	}
	if made.Kind() != syntax.Call {
		return false
	}
	switch f.info.Callee(made) {
	case "tensorflow.keras.Input", "tensorflow.keras.layers.InputLayer":
		return true
	}
	if !f.makesLayer(made) {
		return false
	}
	for _, keyword := range []string{"input_shape", "input_dim"} {
		if shape := names.Argument(made, -1, keyword); shape.Valid() && shape.Kind() != syntax.NoneLiteral {
			return true
		}
	}
	return false
}

// makesLayer reports whether a call creates one of Keras's layers.
func (f *frame) makesLayer(call syntax.Node) bool {
	e := f.library.Lookup(f.info.Callee(call))
	return e != nil && e.Effects.Has(effects.BuildsLayer)
}

// makesWeights reports whether an expression creates a layer that creates weights when it is
// first called.
func (f *frame) makesWeights(layer syntax.Node) bool {
	made := f.info.DefiningExpr(layer)
	if made.Kind() != syntax.Call || !f.makesLayer(made) {
		return false
	}
	e := f.library.Lookup(effects.Library{}.Canonical(f.info.Callee(made) + ".__call__"))
	return e != nil && e.Effects.Has(effects.Initialises)
}
