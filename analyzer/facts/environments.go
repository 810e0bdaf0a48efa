package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Steps reports whether each iteration takes a step in an environment, and gets its state, a reward
// and whether the episode is over, at least.
func (i *Iteration) Steps() bool {
	found := false
	i.Loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Assignment {
			targets := n.Child(syntax.FieldLeft)
			found = found || names.Method(n.Child(syntax.FieldRight)) == "step" && targets.Is(syntax.PatternList, syntax.TuplePattern) && len(slices.Collect(targets.Children())) >= 4
		}
		return !found
	})
	return found
}

// Observed reports whether an expression is the state that an environment returns, perhaps in another
// form.
func (i *Iteration) Observed(n syntax.Node) bool {
	return i.All(n, i.in, func(p origins.Place, same func(origins.Place) bool) bool {
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: p.In}) }
		switch n := p.Node; n.Kind() {
		case syntax.NoneLiteral:
			return true // of an attribute that is set before
		case syntax.BinaryOperator, syntax.AugmentedAssignment:
			return of(n.Child(syntax.FieldLeft)) && i.Scalar(n.Child(syntax.FieldRight), p.In)
		case syntax.Call:
			first := names.Element(n.Child(syntax.FieldArguments), 0)
			switch m := names.Method(n); {
			case len(p.Path) > 0:
				return len(p.Path) == 1 && p.Path[0] == 0 && (m == "step" || m == "reset")
			case reforms[i.info.Callee(n)]:
				return of(first)
			case m == "reset":
				return true
			case i.info.Callee(n) == "" && (m == "reshape" || m == "astype" || m == "copy"):
				return of(n.Child(syntax.FieldFunction).Child(syntax.FieldObject))
			}
			return first.Valid() && prepares(n) && of(first)
		}
		return false
	})
}

// reforms are the functions that return one object in another form.
var reforms = map[string]bool{
	"numpy.array": true, "numpy.asarray": true, "numpy.atleast_2d": true, "numpy.reshape": true, "numpy.expand_dims": true, "numpy.float32": true,
	"tensorflow.constant": true, "tensorflow.convert_to_tensor": true, "tensorflow.cast": true, "tensorflow.expand_dims": true, "tensorflow.reshape": true,
}

// Remembered reports whether an expression is part of what the loop takes from a random sample of a
// replay memory.
func (i *Iteration) Remembered(n syntax.Node) bool {
	for seen := map[syntax.Node]bool{}; !seen[n]; { // state = sample[0]
		seen[n] = true
		switch n.Kind() {
		case syntax.Subscript:
			index := n.Child(syntax.FieldSubscript)
			if i.isSample(n.Child(syntax.FieldValue)) && i.Binds(index) || i.goesThrough(index) {
				return true
			}
			n = n.Child(syntax.FieldValue)
			continue
		case syntax.Identifier:
		default:
			return false
		}
		bindings := i.info.ReachingDefs(n)
		if len(bindings) != 1 {
			return false
		}
		b := bindings[0]
		switch {
		case b.Node.Within(i.Loop.Child(syntax.FieldLeft)):
			return i.isSample(i.Loop.Child(syntax.FieldRight))
		case b.Kind != names.AssignBinding && b.Kind != names.UnpackBinding:
			return false
		}
		n = b.Value
	}
	return false
}

// goesThrough reports whether an index is one of those that the loop goes through, drawn at random.
func (i *Iteration) goesThrough(index syntax.Node) bool {
	b := i.info.ReachingDefs(index)
	return index.Kind() == syntax.Identifier && len(b) == 1 && b[0].Node == i.Loop.Child(syntax.FieldLeft) && i.Sampled(i.Loop.Child(syntax.FieldRight), false)
}

// isSample reports whether an expression is a random sample of a list.
func (i *Iteration) isSample(n syntax.Node) bool {
	return n.Valid() && i.All(n, i.in, func(p origins.Place, same func(origins.Place) bool) bool {
		if i.info.Builtin(p.Node) == "enumerate" {
			return same(origins.Place{Node: names.Element(p.Node.Child(syntax.FieldArguments), 0), In: p.In})
		}
		return i.info.Callee(p.Node) == "random.sample"
	})
}

// ReadsOne reports whether only the first item of a call's result is read or, as a vector, the result as
// if it were one item. It may be read at once, through a name or, if it is returned, where the function
// is called on the path to the event.
func (i *Iteration) ReadsOne(vector bool) bool {
	return i.readsOne(i.Event.Node, i.Event.Path, vector)
}

func (i *Iteration) readsOne(call syntax.Node, path []syntax.Node, vector bool) bool {
	defer i.info.Enter(call).Leave()
	here := func(n syntax.Node) bool {
		return ofFirst(n) || vector && i.asVector(n) || n.Parent().Kind() == syntax.ReturnStatement && len(path) > 0 && i.readsOne(path[len(path)-1], path[:len(path)-1], vector)
	}
	name := call.Parent().Child(syntax.FieldLeft)
	if here(call) || call.Parent().Kind() != syntax.Assignment || name.Kind() != syntax.Identifier {
		return here(call)
	}
	b := i.info.BindingAt(name)
	if b == nil {
		return false
	}
	read := false
	for _, use := range i.info.Uses(b) {
		switch parent := use.Parent(); {
		case here(use):
			read = true
		case parent.Kind() == syntax.ArgumentList && names.Method(parent.Parent()) == "fit": // a model is fitted to it
		default:
			return false
		}
	}
	return read
}

// ofFirst reports whether only the first item of an expression is read where it stands.
func ofFirst(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() != syntax.Subscript || n.Field() != syntax.FieldValue {
		return false
	}
	index := parent.Child(syntax.FieldSubscript)
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	return index.Text() == "0" || index.Text() == "-1"
}

// asVector reports whether a result is read as if it had no axis of examples.
func (i *Iteration) asVector(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() == syntax.Attribute && n.Field() == syntax.FieldObject && parent.Field() == syntax.FieldFunction {
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "flatten", "ravel", "squeeze", "argmax", "item":
			return !parent.Parent().Child(syntax.FieldArguments).FirstChild().Valid()
		}
		return false
	}
	if parent.Kind() != syntax.ArgumentList || parent.FirstChild() != n || n.Next().Valid() {
		return false
	}
	switch i.info.Callee(parent.Parent()) {
	case "numpy.argmax", "numpy.squeeze", "numpy.ravel":
		return true
	}
	return false
}
