package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Sampled reports whether each iteration makes an expression of what it draws at random, or of what
// lies at random positions. What is an element of the loop counts as drawn with elements.
func (i *Iteration) Sampled(n syntax.Node, elements bool) bool {
	return i.MadeOf(n, func(p origins.Place) bool {
		return i.draws(p.Node) || elements && p.Node.Kind() == syntax.Identifier && i.Element(p.Node)
	})
}

// MadeOf reports whether each iteration makes an expression of something: of what a test holds for, in
// another form or together with other things.
func (i *Iteration) MadeOf(n syntax.Node, is func(origins.Place) bool) bool {
	return i.All(n, i.in, func(p origins.Place, same func(origins.Place) bool) bool {
		if !p.Node.Valid() || is(p) {
			return p.Node.Valid()
		}
		of := func(n syntax.Node) bool { return n.Valid() && same(origins.Place{Node: n, In: p.In}) }
		some := func(n syntax.Node) bool { return slices.ContainsFunc(slices.Collect(n.Children()), of) }
		switch n := p.Node; n.Kind() {
		case syntax.List, syntax.Tuple, syntax.ExpressionList:
			return some(n) || i.filled(n, of)
		case syntax.BinaryOperator, syntax.AugmentedAssignment, syntax.ListSplat:
			return some(n)
		case syntax.KeywordArgument, syntax.Subscript:
			return of(n.Child(syntax.FieldValue)) || of(n.Child(syntax.FieldSubscript))
		case syntax.ListComprehension, syntax.GeneratorExpression:
			for clause := range n.Children() {
				if clause.Kind() == syntax.ForInClause {
					return of(clause.Child(syntax.FieldRight)) || of(n.FirstChild())
				}
			}
		case syntax.Attribute:
			return n.Child(syntax.FieldAttribute).Text() == "T" && of(n.Child(syntax.FieldObject))
		case syntax.Call:
			function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
			name := i.info.Callee(n)
			if strings.HasPrefix(name, "numpy.") || strings.HasPrefix(name, "tensorflow.") || name == "" && function.Kind() == syntax.Identifier && i.info.Lookup(function) == nil {
				return some(arguments) || i.filled(n, of) // np.array, zip, map
			}
			switch names.Method(n) {
			case "reshape", "astype", "copy", "numpy":
				return of(function.Child(syntax.FieldObject))
			}
		}
		return false
	})
}

// draws reports whether each iteration draws what a call returns at random.
func (i *Iteration) draws(call syntax.Node) bool {
	if call.Kind() != syntax.Call || !i.renews(call) {
		return false
	}
	switch name := i.info.Callee(call); {
	case name == "random.sample", name == "random.choices", strings.HasPrefix(name, "numpy.random."), strings.HasPrefix(name, "tensorflow.random."):
		return true
	case name == "" && names.Method(call) == "sample":
		// Of a replay buffer, or of a table, but not a part of it, which may be the whole.
		return !names.Argument(call, -1, "frac").Valid()
	}
	return false
}

// filled reports whether the list or array that an expression makes is filled with items of something.
func (i *Iteration) filled(made syntax.Node, is func(syntax.Node) bool) bool {
	name := made.Parent().Child(syntax.FieldLeft)
	if made.Parent().Kind() != syntax.Assignment || name.Kind() != syntax.Identifier || !i.renews(made) {
		return false
	}
	b := i.info.BindingAt(name)
	if b == nil {
		return false
	}
	item := func(n syntax.Node) bool {
		part := n
		for part.Kind() == syntax.Subscript {
			part = part.Child(syntax.FieldValue)
		}
		if of := i.info.ReachingDefs(part); part.Kind() == syntax.Identifier && len(of) == 1 && of[0].Kind == names.ForBinding {
			return is(of[0].Value)
		}
		return is(n)
	}
	return slices.ContainsFunc(i.info.Uses(b), func(use syntax.Node) bool {
		parent := use.Parent()
		switch {
		case parent.Kind() == syntax.Subscript && parent.Parent().Kind() == syntax.Assignment && parent.Field() == syntax.FieldLeft:
			return item(parent.Parent().Child(syntax.FieldRight)) // states[i] = step[0]
		case parent.Kind() == syntax.Attribute && names.Method(parent.Parent()) == "append":
			return item(names.Element(parent.Parent().Child(syntax.FieldArguments), 0))
		}
		return false
	})
}
