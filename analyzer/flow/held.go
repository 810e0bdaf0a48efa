package flow

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// taken returns the class of what is taken out of a list or dict, by a subscript, a loop or a
// name for it. It is unknown unless everything that is put there is of one class.
func (f *frame) taken(n syntax.Node) names.Type {
	defer f.info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.Subscript:
		if index := n.Child(syntax.FieldSubscript); index.Kind() != syntax.Slice {
			return f.held(n.Child(syntax.FieldValue))
		}
	case syntax.Identifier:
		bindings := f.info.ReachingDefs(n)
		if len(bindings) != 1 {
			return names.Type{}
		}
		switch b := bindings[0]; {
		case b.Kind == names.AssignBinding && b.Value.Kind() == syntax.Subscript:
			return f.taken(b.Value)
		case b.Kind == names.ForBinding:
			return f.iterated(b)
		case b.Kind == names.UnpackBinding:
			return f.unpacked(b)
		}
	}
	return names.Type{}
}

// unpacked returns the class of what a name gets of a tuple or list that has a name itself, or that
// all calls of the module pass.
func (f *frame) unpacked(b *names.Binding) names.Type {
	if t, asked := f.types[b]; asked {
		return t
	}
	f.types[b] = names.Type{} // the answer for a circular definition
	whole := []syntax.Node{b.Value}
	if parameter := f.parameter(b.Value); parameter != nil {
		if f.info == f.root {
			f.own.main = true // an edited call may be anywhere in the module
		}
		whole = f.passed(parameter)
	}
	var found names.Type
	for i, w := range whole {
		item := w
		for _, at := range b.Path {
			display := f.info.DefiningExpr(item)
			if !display.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
				return names.Type{}
			}
			item = names.Element(display, at)
		}
		t := f.typeOf(item)
		if !t.Known() || i > 0 && t != found {
			return names.Type{}
		}
		found = t
	}
	f.types[b] = found
	return found
}

// iterated returns the class of what a loop takes out of a list, or out of the values of a dict.
func (f *frame) iterated(b *names.Binding) names.Type {
	over, alone := b.Value, b.Node.Field() == syntax.FieldLeft
	if over.Kind() != syntax.Call {
		if display := f.info.DefiningExpr(over); alone && display.Is(syntax.List, syntax.Tuple, syntax.ListComprehension) {
			return f.held(over)
		}
		return names.Type{} // the key of a dict
	}
	function := over.Child(syntax.FieldFunction)
	last := b.Node.Parent().Kind() == syntax.PatternList && b.Node == names.Last(b.Node.Parent())
	switch method := function.Child(syntax.FieldAttribute).Text(); {
	case method == "values" && alone, method == "items" && last:
		return f.held(function.Child(syntax.FieldObject))
	case function.Text() == "enumerate" && last:
		return f.held(names.Argument(over, 0, "iterable"))
	}
	return names.Type{}
}

// held returns the class of everything in a list or dict: what its display contains, what is
// appended, or assigned to an item.
func (f *frame) held(container syntax.Node) names.Type {
	var bindings []*names.Binding
	var class *names.Class
	switch container.Kind() {
	case syntax.Identifier:
		bindings = f.info.ReachingDefs(container)
	case syntax.Attribute:
		if class = f.info.TypeOf(container.Child(syntax.FieldObject)).Local; class == nil || class.Info != f.info {
			return names.Type{}
		}
		bindings = f.info.Attribute(class, container.Child(syntax.FieldAttribute).Text())
	default:
		return f.ofOneClass(written(container))
	}
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding {
		return names.Type{}
	}
	b := bindings[0]
	f.dependsOn(b)
	if t, asked := f.contents[b]; asked {
		return t
	}
	items := written(b.Value)
	if class == nil {
		for _, use := range f.info.Uses(b) {
			items = append(items, putBy(use)...)
		}
	} else {
		for _, call := range f.info.MethodCalls(func(name string) bool { return name == "append" }) {
			object := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			if object.Kind() == syntax.Attribute && object.Child(syntax.FieldAttribute).Text() == b.Name && f.info.TypeOf(object.Child(syntax.FieldObject)).Local == class {
				items = append(items, putBy(object)...)
			}
		}
	}
	t := f.ofOneClass(items)
	f.contents[b] = t
	return t
}

// dependsOn records that an edit of other functions may change the content of a container.
func (f *frame) dependsOn(container *names.Binding) {
	if f.info == f.root && container.Scope.Func == nil {
		f.own.main = true
	}
}

// ofOneClass returns the common class of some expressions.
func (f *frame) ofOneClass(items []syntax.Node) (found names.Type) {
	for i, item := range items {
		t := f.info.TypeOf(item)
		if i > 0 && t != found {
			return names.Type{}
		}
		found = t
	}
	return found
}

// written returns the values in a display or a comprehension.
func written(n syntax.Node) (items []syntax.Node) {
	for item := range n.Children() {
		switch {
		case item.Kind() == syntax.Comment:
		case n.Is(syntax.List, syntax.Tuple):
			items = append(items, item)
		case n.Kind() == syntax.Dictionary && item.Kind() == syntax.Pair, n.Kind() == syntax.DictionaryComprehension && item.Field() == syntax.FieldBody:
			items = append(items, item.Child(syntax.FieldValue))
		case n.Kind() == syntax.ListComprehension && item.Field() == syntax.FieldBody:
			items = append(items, item)
		}
	}
	return items
}

// putBy returns the values that a use of a container puts into it. One of them is none if a value
// is not known.
func putBy(use syntax.Node) []syntax.Node {
	parent := use.Parent()
	switch parent.Kind() {
	case syntax.Subscript:
		if to := parent.Parent(); use.Field() == syntax.FieldValue && to.Kind() == syntax.Assignment && parent.Field() == syntax.FieldLeft {
			return []syntax.Node{to.Child(syntax.FieldRight)}
		}
	case syntax.Attribute:
		switch call := parent.Parent(); parent.Child(syntax.FieldAttribute).Text() {
		case "append":
			return []syntax.Node{names.Argument(call, 0, "object")}
		case "extend", "insert", "update", "setdefault":
			return []syntax.Node{{}}
		}
	case syntax.AugmentedAssignment:
		return []syntax.Node{{}}
	}
	return nil
}
