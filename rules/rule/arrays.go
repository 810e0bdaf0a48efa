package rule

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// AsArray returns the edits by which what reads the result of a call takes an array, which has no
// numpy(), for a tensor. ok is false if something may need a tensor.
func AsArray(info *names.Info, result syntax.Node) (edits []source.Edit, ok bool) {
	return asArray(info, result, 8)
}

func asArray(info *names.Info, result syntax.Node, depth int) (edits []source.Edit, ok bool) {
	defer info.Enter(result).Leave()
	if depth == 0 {
		return nil, false
	}
	read := result.Parent()
	for read.Is(syntax.ParenthesizedExpression) {
		result, read = read, read.Parent()
	}
	switch read.Kind() {
	case syntax.Attribute:
		method := read.Parent()
		switch read.Child(syntax.FieldAttribute).Text() {
		case "shape", "dtype", "ndim":
			for method.Kind() == syntax.Subscript {
				method = method.Parent()
			}
			return nil, method.Kind() != syntax.Attribute // shape.as_list()
		case "numpy":
			if method.Kind() == syntax.Call && !names.Element(method.Child(syntax.FieldArguments), 0).Valid() {
				object := read.Child(syntax.FieldObject)
				return []source.Edit{{Span: source.Span{Start: object.End(), End: method.End()}}}, true
			}
		}
		return nil, false
	case syntax.ReturnStatement:
		fn := info.ScopeOf(result).Function()
		if fn == nil {
			return nil, false
		}
		return nil, !slices.ContainsFunc(info.CallsOf(fn), func(call syntax.Node) bool {
			also, ok := asArray(info, call, depth-1)
			return !ok || len(also) > 0 // other calls may be in other modules
		})
	case syntax.Subscript:
		if result.Field() == syntax.FieldValue {
			return asArray(info, read, depth-1)
		}
	case syntax.List, syntax.Tuple, syntax.Pair, syntax.Set:
		return nil, false // its items may be read in any way
	case syntax.ForStatement, syntax.ForInClause:
		b := info.BindingAt(read.Child(syntax.FieldLeft))
		if result.Field() == syntax.FieldRight && (b == nil || !allOf(info, b, func(use syntax.Node) bool {
			also, ok := asArray(info, use, depth-1)
			edits = append(edits, also...)
			return ok
		})) {
			return nil, false
		}
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := read.Ancestor(syntax.Call)
		if read.Kind() == syntax.ArgumentList {
			call = read.Parent()
		}
		if call.Parent().Is(syntax.ForStatement, syntax.ForInClause) {
			return nil, false // zip(result, others), for example
		}
		if fn := info.Target(call.Child(syntax.FieldFunction)).Function; fn != nil {
			return nil, takesArray(fn, call, result, depth)
		}
	case syntax.Assignment:
		left := read.Child(syntax.FieldLeft)
		if read.Parent().Kind() == syntax.Assignment {
			return nil, false // a = b = result
		}
		if left.Kind() != syntax.Identifier {
			return nil, left.Is(syntax.PatternList, syntax.TuplePattern) && unread(info, left)
		}
		b := info.BindingAt(left)
		if b == nil {
			return nil, false
		}
		for _, use := range info.Uses(b) {
			also, ok := asArray(info, use, depth-1)
			if !ok || len(also) > 0 && len(info.ReachingDefs(use)) > 1 {
				return nil, false
			}
			edits = append(edits, also...)
		}
	}
	return edits, true
}

// takesArray reports whether a function of the program reads what a call passes as one reads an array
// or a tensor.
func takesArray(fn *names.Function, call, argument syntax.Node, depth int) bool {
	defer fn.Info.Enter(call).Leave()
	parameter, ok := fn.ParameterFor(call, argument)
	return ok && !slices.ContainsFunc(fn.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
		return !allOf(fn.Info, b, func(use syntax.Node) bool {
			edits, ok := asArray(fn.Info, use, depth-1)
			return ok && len(edits) == 0 // others may pass a tensor
		})
	})
}

// unread reports whether no attribute of what a pattern binds is read.
func unread(info *names.Info, pattern syntax.Node) bool {
	for name := range pattern.Children() {
		b := info.BindingAt(name)
		if b == nil || slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool { return use.Parent().Kind() == syntax.Attribute }) {
			return false
		}
	}
	return true
}

// AsArrays is AsArray for what reads the items of a list by its name.
func AsArrays(info *names.Info, list *names.Binding) (edits []source.Edit, ok bool) {
	of := func(item syntax.Node) bool {
		also, ok := AsArray(info, item)
		edits = append(edits, also...)
		return ok
	}
	for _, use := range info.Uses(list) {
		switch read := use.Parent(); read.Kind() {
		case syntax.Subscript:
			if use.Field() == syntax.FieldValue && !of(read) {
				return nil, false
			}
		case syntax.ForStatement, syntax.ForInClause:
			item := read.Child(syntax.FieldLeft)
			b := info.BindingAt(item)
			if item.Kind() != syntax.Identifier || b == nil || !allOf(info, b, of) {
				return nil, false
			}
		case syntax.ArgumentList:
			switch call := read.Parent(); {
			case info.Target(call.Child(syntax.FieldFunction)).Function != nil:
				return nil, false // it may read them in any way
			case call.Parent().Is(syntax.ForStatement, syntax.ForInClause), call.Child(syntax.FieldFunction).Text() == "map":
				return nil, false // zip(list, others), for example
			}
		case syntax.Assignment:
			if use.Field() == syntax.FieldRight {
				return nil, false // another name
			}
		}
	}
	return edits, true
}

// allOf reports whether a test holds for all uses of a binding.
func allOf(info *names.Info, b *names.Binding, test func(syntax.Node) bool) bool {
	return !slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool { return !test(use) })
}
