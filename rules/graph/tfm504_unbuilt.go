package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// neverBuilt reports whether the model surely stays without variables: a Sequential whose layers do
// not know their input, and that nothing builds or runs. Keras makes them when it first sees a shape.
func (m *built) neverBuilt() bool {
	call := m.event.Node
	layers := names.Argument(call, 0, "layers")
	return m.info.Callee(call) == "tensorflow.keras.Sequential" && !names.HasSplat(call) && (!layers.Valid() || m.shapeless(layers)) &&
		m.idle(call, len(m.event.Path), map[*names.Binding]bool{})
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

// idle reports whether code only compiles, extends or shows the model that an expression yields.
func (m *built) idle(value syntax.Node, level int, seen map[*names.Binding]bool) bool {
	defer m.info.Enter(value).Leave()
	switch parent := value.Parent(); parent.Kind() {
	case syntax.ExpressionStatement:
		return true
	case syntax.ParenthesizedExpression:
		return m.idle(parent, level, seen)
	case syntax.Attribute:
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "compile", "summary":
			return parent.Field() == syntax.FieldFunction
		case "add":
			return parent.Field() == syntax.FieldFunction && m.shapeless(names.Argument(parent.Parent(), 0, "layer"))
		}
	case syntax.ArgumentList:
		return rule.Builtin(m.info, parent.Parent(), "print")
	case syntax.ReturnStatement:
		return level > m.inLoop() && m.step(level-1).Kind() == syntax.Call && m.idle(m.step(level-1), level-1, seen)
	case syntax.Assignment:
		b := m.info.BindingAt(parent.Child(syntax.FieldLeft))
		if value.Field() != syntax.FieldRight || b == nil || seen[b] {
			return false
		}
		seen[b] = true
		return !slices.ContainsFunc(m.info.Uses(b), func(use syntax.Node) bool { return !m.idle(use, level, seen) })
	}
	return false
}
