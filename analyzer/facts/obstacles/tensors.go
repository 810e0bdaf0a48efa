package obstacles

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// iterates reports whether Python itself iterates over a tensor at a node. AutoGraph compiles a for
// loop over a tensor. A comprehension, an unpacking or a Python function that is given a tensor
// raises OperatorNotAllowedInGraphError (tensorflow/python/framework/tensor.py, Tensor.__iter__).
func (w *walk) iterates(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ForInClause:
		return w.isTensor(n.Child(syntax.FieldRight))
	case syntax.Assignment:
		return n.Child(syntax.FieldLeft).Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) && w.isTensor(n.Child(syntax.FieldRight))
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		if !iterators[function.Text()] || w.info.Lookup(function) != nil {
			return false
		}
		for a := range n.Child(syntax.FieldArguments).Children() {
			if w.isTensor(a) {
				return true
			}
		}
	}
	return false
}

// iterators are the Python functions that iterate over their argument.
var iterators = map[string]bool{
	"zip": true, "enumerate": true, "map": true, "filter": true, "reversed": true, "iter": true,
	"list": true, "tuple": true, "set": true, "sum": true, "max": true, "min": true, "any": true, "all": true,
}

// isTensor reports whether an expression surely is one tensor, or a variable.
func (w *walk) isTensor(n syntax.Node) bool { return w.facts.Kinds(n, nil).Surely(facts.Tensor) }

// Computed reports whether an expression is a tensor that a trace of a function has: an unchanged
// parameter, or what TensorFlow code in the function computes. A constant or a shape is none.
func Computed(info *names.Info, n syntax.Node, fn *names.Function) bool {
	w := newWalk(info)
	return w.computed(n, fn)
}

func (w *walk) computed(n syntax.Node, fn *names.Function) bool {
	inside := func(b *names.Binding) bool { return b.Scope.Func != nil && b.Scope.Sees(fn.Scope) }
	return w.facts.AnyUntil(origins.Place{Node: n}, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		if len(origin.Path) > 0 {
			return false
		}
		switch n.Kind() {
		case syntax.Identifier:
			return slices.ContainsFunc(w.info.ReachingDefs(n), func(b *names.Binding) bool {
				switch b.Kind {
				case names.AugmentedBinding:
					return of(b.Value)
				case names.ForBinding:
					return b.Scope.Sees(fn.Scope) && Symbolic(w.info, b.Value)
				case names.ParameterBinding:
					return b.Scope.Sees(fn.Scope) && !b.Value.Valid() && !b.Annotation.Valid() && !w.info.TypeOf(n).Known() && !w.givenPython(b)
				}
				return false
			})
		case syntax.BinaryOperator:
			return of(n.Child(syntax.FieldLeft)) || of(n.Child(syntax.FieldRight))
		case syntax.List, syntax.Tuple: // the argument of extend
			return slices.ContainsFunc(slices.Collect(n.Children()), of)
		case syntax.Call:
			if e := effects.Lookup(w.info.Callee(n)); e != nil {
				return e.Effects.Has(effects.AddsOperation|effects.TakesGradient) && e.Returns == ""
			}
			// A layer, a model, a loss: calling a Keras object returns tensors.
			t := w.info.TypeOf(n.Child(syntax.FieldFunction))
			return strings.HasPrefix(t.Class, "tensorflow.keras.") || t.Local != nil && w.info.Inherits(t.Local, "tensorflow.keras.layers.Layer")
		}
		return false
	}, func(p origins.Place) bool {
		return p.Node.Is(syntax.Call, syntax.Attribute, syntax.Subscript) || p.Node.Kind() == syntax.Identifier &&
			slices.ContainsFunc(w.info.ReachingDefs(p.Node), func(b *names.Binding) bool { return b.Kind != names.AssignBinding || !inside(b) })
	})
}

// Symbolic reports whether a loop over an expression becomes part of the graph.
func Symbolic(info *names.Info, n syntax.Node) bool {
	if n.Kind() != syntax.Call {
		return false
	}
	q := info.Callee(n)
	return info.IsA(info.TypeOf(n).Class, "tensorflow.data.Dataset") || facts.OneTensor(q)
}

// givenPython reports whether every visible call of a parameter's function passes a Python number,
// string or flag for it, which is not a tensor of the trace.
func (w *walk) givenPython(parameter *names.Binding) bool {
	calls := w.info.CallsOf(parameter.Scope.Func)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(call syntax.Node) bool {
		return !w.facts.Kinds(parameter.Scope.Func.Passed(call, parameter.Name), nil).Surely(facts.Number | facts.Text)
	})
}
