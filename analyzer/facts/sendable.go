package facts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Sendable reports whether a value surely can be sent to another process and back: numbers, strings, arrays
// and containers of these, and what holds nothing else.
func (f *Facts) Sendable(n syntax.Node, in *origins.Call) bool { return f.All(n, in, f.sendable) }

// SendableTo is Sendable where some names are known to hold what can be sent.
func (f *Facts) SendableTo(n syntax.Node, known func(*names.Binding) bool) bool {
	return f.All(n, nil, func(origin origins.Place, same func(origins.Place) bool) bool {
		b := f.info.ReachingDefs(origin.Node)
		return len(b) > 0 && !slices.ContainsFunc(b, func(b *names.Binding) bool { return !known(b) }) || f.sendable(origin, same)
	})
}

func (f *Facts) sendable(origin origins.Place, same func(origins.Place) bool) bool {
	n := origin.Node
	of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
	all := func(n syntax.Node) bool {
		for c := range n.Children() {
			switch {
			case c.Kind() == syntax.Pair && (!of(c.Child(syntax.FieldKey)) || !of(c.Child(syntax.FieldValue))):
				return false
			case c.Kind() == syntax.KeywordArgument && !of(c.Child(syntax.FieldValue)):
				return false
			case !c.Is(syntax.Pair, syntax.KeywordArgument, syntax.Comment) && !of(c):
				return false
			}
		}
		return true
	}
	if e := effects.Lookup(f.info.Qualified(n)); f.KindsAt(origin).Surely(Number|Text|Array|NoValue) || e != nil && e.Returns == "builtins.str" {
		return true
	}
	switch n.Kind() {
	case syntax.Tuple, syntax.List, syntax.Set, syntax.ExpressionList, syntax.Dictionary:
		return all(n)
	case syntax.ListComprehension, syntax.SetComprehension:
		return of(n.Child(syntax.FieldBody))
	case syntax.UnaryOperator:
		return of(n.Child(syntax.FieldArgument))
	case syntax.BinaryOperator:
		return of(n.Child(syntax.FieldLeft)) && of(n.Child(syntax.FieldRight))
	case syntax.Subscript:
		return of(n.Child(syntax.FieldValue))
	case syntax.Attribute:
		// The history of a training is a dict of lists of numbers (keras/src/callbacks/history.py).
		object := n.Child(syntax.FieldObject)
		return n.Child(syntax.FieldAttribute).Text() == "history" && f.calledOn(object, origin.In, "fit", "fit_generator") || f.parsed(object)
	case syntax.Identifier:
		bindings := f.info.ReachingDefs(n)
		return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
			return b.Kind != names.ForBinding || !of(b.Value)
		})
	case syntax.Call:
		return f.sendableCall(origin, all)
	}
	return false
}

// sendableCall reports whether a call returns what can be sent.
func (f *Facts) sendableCall(origin origins.Place, all func(syntax.Node) bool) bool {
	call := origin.Node
	if f.Suggests(call) || f.parsed(call) {
		return true
	}
	// What evaluate returns is a number, a list of numbers or a dict of them; predict returns arrays.
	if f.calledOn(call, origin.In, "evaluate", "predict") {
		return true
	}
	name := f.info.Callee(call)
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case f.info.Builtin(call) != "":
		// Of these, what is made of numbers and strings holds nothing else.
		return slices.Contains([]string{"min", "max", "sum", "abs", "range", "enumerate", "list", "tuple", "set", "dict", "sorted", "zip", "pow", "divmod"}, f.info.Builtin(call)) &&
			all(call.Child(syntax.FieldArguments))
	case strings.HasPrefix(name, "sklearn.metrics."), strings.HasPrefix(name, "time."), strings.HasPrefix(name, "math."):
		return last != "" && unicode.IsLower(rune(last[0]))
	}
	return false
}

// calledOn reports whether an expression surely calls one of these methods of a model.
func (f *Facts) calledOn(n syntax.Node, in *origins.Call, methods ...string) bool {
	return f.All(n, in, func(origin origins.Place, _ func(origins.Place) bool) bool {
		return slices.Contains(methods, names.Method(origin.Node)) && f.Kinds(origin.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject), origin.In).Surely(Model)
	})
}

// parsed reports whether an expression is what an ArgumentParser returned.
func (f *Facts) parsed(n syntax.Node) bool {
	return f.All(n, nil, func(origin origins.Place, _ func(origins.Place) bool) bool {
		return names.Method(origin.Node) == "parse_args"
	})
}

// Suggests reports whether a call asks a trial of Optuna for a parameter: a number, a string, None or a bool.
func (f *Facts) Suggests(call syntax.Node) bool {
	if !strings.HasPrefix(names.Method(call), "suggest_") {
		return false
	}
	b := f.info.ReachingDefs(call.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	return len(b) == 1 && f.IsTrial(b[0])
}

// IsTrial reports whether a binding is the parameter by which Optuna passes a trial to a function.
func (f *Facts) IsTrial(b *names.Binding) bool {
	if b.Kind != names.ParameterBinding {
		return false
	}
	r := f.RepeatOf(b.Scope.Func)
	return r != nil && r.Each == "trial" && strings.HasPrefix(f.info.Callee(r.By), "optuna.")
}
