package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// neverBuilt reports whether the model surely stays without variables: a Sequential whose layers do
// not know their input, and that nothing builds or runs. Keras makes them when it first sees a shape.
func (m *built) neverBuilt() bool {
	call := m.event.Node
	layers := names.Argument(call, 0, "layers")
	return m.info.Callee(call) == "tensorflow.keras.Sequential" && !names.HasSplat(call) && (!layers.Valid() || m.shapeless(layers)) &&
		m.idle()
}

// shapeless reports whether a layer, or each of a list of layers, surely leaves the shape of its input
// open.
func (m *built) shapeless(n syntax.Node) bool {
	defer m.info.Enter(n).Leave()
	if n.Is(syntax.List, syntax.Tuple) {
		return !slices.ContainsFunc(slices.Collect(n.Children()), func(c syntax.Node) bool { return c.Kind() != syntax.Comment && !m.shapeless(c) })
	}
	layer, ok := strings.CutPrefix(m.info.Callee(n), "tensorflow.keras.layers.")
	if !ok || layer == "Input" || layer == "InputLayer" || layer == "Embedding" || names.HasSplat(n) {
		return false
	}
	return !slices.ContainsFunc([]string{"input_shape", "batch_input_shape", "batch_shape", "input_dim"}, func(keyword string) bool {
		return names.Argument(n, -1, keyword).Valid()
	})
}

// idle reports whether code only compiles, extends or shows the model.
func (m *built) idle() bool {
	uses, holders := m.facts.Uses(m.event.Node, m.facts.At(m.event), m.event.Loop)
	return len(holders) == 0 && !slices.ContainsFunc(uses, func(use facts.Use) bool { return use.Part != facts.Whole || !m.idleAt(use.Node) })
}

func (m *built) idleAt(model syntax.Node) bool {
	switch parent := model.Parent(); parent.Kind() {
	case syntax.ExpressionStatement, syntax.ParenthesizedExpression:
		return true
	case syntax.Attribute:
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "compile", "summary":
			return parent.Field() == syntax.FieldFunction
		case "add":
			return parent.Field() == syntax.FieldFunction && m.shapeless(names.Argument(parent.Parent(), 0, "layer"))
		}
	case syntax.ArgumentList:
		return m.info.Builtin(parent.Parent()) == "print"
	case syntax.ReturnStatement:
		return !m.event.Loop.Within(m.info.ScopeOf(model).Node) // to the code that calls the function
	case syntax.Assignment:
		return model.Field() == syntax.FieldRight && parent.Child(syntax.FieldLeft).Kind() == syntax.Identifier
	}
	return false
}
