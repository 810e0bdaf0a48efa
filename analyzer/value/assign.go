package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

func (in *Interp) assignment(n syntax.Node) control {
	left, right, annotation := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight), n.Child(syntax.FieldType)
	var targets []syntax.Node
	for ; right.Kind() == syntax.Assignment; right = right.Child(syntax.FieldRight) { // a = b = value
		targets = append(targets, right.Child(syntax.FieldLeft))
	}
	var v Value
	if right.Valid() {
		v = in.Eval(right)
	}
	if in.bounds.exhausted {
		return next
	}
	if in.fails(v) {
		return raises
	}
	if annotation.Valid() && in.frame.class && left.Kind() == syntax.Identifier && !strings.Contains(annotation.Text(), "ClassVar") {
		in.frame.fields = append(in.frame.fields, field{left.Text(), v})
	}
	if !right.Valid() {
		return next // an annotation without a value binds nothing
	}
	in.assign(left, v)
	for _, t := range targets {
		in.assign(t, v)
	}
	return next
}

// assign assigns a value to the target of an assignment, a for loop or a with
// statement.
func (in *Interp) assign(target syntax.Node, v Value) {
	if in.bounds.exhausted {
		return
	}
	switch target.Kind() {
	case syntax.Identifier:
		if f := in.frame; f.comprehension {
			in.set(f.vars, target.Text(), v)
			return
		}
		in.bind(target.Text(), v)
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List, syntax.ExpressionList:
		in.unpack(target, v)
	case syntax.ListSplatPattern, syntax.ListSplat, syntax.ParenthesizedExpression, syntax.AsPatternTarget:
		in.assign(operand(target), v)
	case syntax.Attribute:
		object := in.Eval(target.Child(syntax.FieldObject))
		in.SetAttr(object, target.Child(syntax.FieldAttribute).Text(), v)
	case syntax.Subscript:
		object := in.Eval(target.Child(syntax.FieldValue))
		in.setItem(object, in.index(target), v)
	}
}

// unpack assigns the items of a value to several targets.
func (in *Interp) unpack(target syntax.Node, v Value) {
	var targets []syntax.Node
	star := -1
	for c := range target.Children() {
		switch c.Kind() {
		case syntax.Comment:
			continue
		case syntax.ListSplatPattern, syntax.ListSplat:
			star = len(targets)
		}
		targets = append(targets, c)
	}
	items, ok := in.Iterate(v)
	switch {
	case !ok:
		why := Value{X: Unknown{in.whyNotIterable(v)}}
		for _, t := range targets {
			in.assign(t, why)
		}
		return
	case star < 0 && len(items) != len(targets), star >= 0 && len(items) < len(targets)-1:
		why := in.Unknown(WillRaise, "line %d raises ValueError: %d values for %d names", in.line(target), len(items), len(targets))
		for _, t := range targets {
			in.assign(t, why)
		}
		return
	}
	rest := len(items) - len(targets) + 1
	for i, t := range targets {
		switch {
		case i == star:
			in.assign(t, Value{X: &List{Items: append([]Value(nil), items[i:i+rest]...)}})
		case star >= 0 && i > star:
			in.assign(t, items[i+rest-1])
		default:
			in.assign(t, items[i])
		}
	}
}

func (in *Interp) augmented(n syntax.Node) {
	left, op := n.Child(syntax.FieldLeft), strings.TrimSuffix(n.Child(syntax.FieldOperator).Text(), "=")
	switch left.Kind() {
	case syntax.Attribute:
		object, name := in.Eval(left.Child(syntax.FieldObject)), left.Child(syntax.FieldAttribute).Text()
		old := in.Attr(object, name)
		in.SetAttr(object, name, in.inPlace(op, old, in.Eval(n.Child(syntax.FieldRight))))
	case syntax.Subscript:
		object := in.Eval(left.Child(syntax.FieldValue))
		index := in.index(left)
		old := in.Index(object, index)
		in.setItem(object, index, in.inPlace(op, old, in.Eval(n.Child(syntax.FieldRight))))
	case syntax.Identifier:
		old := in.Eval(left)
		v := in.inPlace(op, old, in.Eval(n.Child(syntax.FieldRight)))
		if !in.bounds.exhausted {
			in.bind(left.Text(), v)
		}
	}
}

// inPlace returns what an augmented assignment assigns. It changes lists, sets and
// dicts in place.
func (in *Interp) inPlace(op string, old, v Value) Value {
	switch x := old.X.(type) {
	case *List:
		if op == "+" {
			in.extend(x, v)
			return old
		}
	case *Dict:
		if op == "|" {
			in.update(x, v)
			return old
		}
	case *Set:
		if op == "|" {
			in.addAll(x, v)
			return old
		}
	}
	return in.Binary(op, old, v)
}

// delete deletes one target of a del statement.
func (in *Interp) delete(n syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		in.set(in.home(n.Text()), n.Text(), Value{})
	case syntax.ExpressionList, syntax.Tuple, syntax.List, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			in.delete(c)
		}
	case syntax.Attribute:
		if o, ok := in.Eval(n.Child(syntax.FieldObject)).X.(*Instance); ok {
			in.set(o.Attrs, n.Child(syntax.FieldAttribute).Text(), Value{})
		}
	case syntax.Subscript:
		in.deleteItem(in.Eval(n.Child(syntax.FieldValue)), in.index(n))
	}
}
