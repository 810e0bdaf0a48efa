package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

func assignment(in *value.Interp, n syntax.Node) value.Control {
	left, right, annotation := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight), n.Child(syntax.FieldType)
	var targets []syntax.Node
	for ; right.Kind() == syntax.Assignment; right = right.Child(syntax.FieldRight) { // a = b = value
		targets = append(targets, right.Child(syntax.FieldLeft))
	}
	var v value.Value
	if right.Valid() {
		v = Eval(in, right)
	}
	if in.Bounds.Exhausted {
		return value.GoesOn
	}
	if in.Fails(v) {
		return value.Throws
	}
	if right.Valid() && !in.Hints.Silent(in.Info()) {
		v = in.Said(in.Hints.On(in.Info(), in.Line(n), n, left), right, v)
	}
	if annotation.Valid() && in.Frame.Class && left.Kind() == syntax.Identifier && !strings.Contains(annotation.Text(), "ClassVar") {
		in.Frame.Fields = append(in.Frame.Fields, value.Field{Name: left.Text(), Value: v})
	}
	if !right.Valid() {
		return value.GoesOn // an annotation without a value binds nothing
	}
	assign(in, left, v)
	for _, t := range targets {
		assign(in, t, v)
	}
	return value.GoesOn
}

// assign assigns a value to the target of an assignment, a for loop or a with
// statement.
func assign(in *value.Interp, target syntax.Node, v value.Value) {
	if in.Bounds.Exhausted {
		return
	}
	switch target.Kind() {
	case syntax.Identifier:
		if f := in.Frame; f.Comprehension {
			in.Set(f.Vars, target.Text(), v)
			return
		}
		in.Bind(target.Text(), in.ObservedName(target, v))
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List, syntax.ExpressionList:
		unpack(in, target, v)
	case syntax.ListSplatPattern, syntax.ListSplat, syntax.ParenthesizedExpression, syntax.AsPatternTarget:
		assign(in, operand(target), v)
	case syntax.Attribute:
		object := Eval(in, target.Child(syntax.FieldObject))
		SetAttr(in, object, target.Child(syntax.FieldAttribute).Text(), in.ObservedAttribute(target, v))
	case syntax.Subscript:
		object := Eval(in, target.Child(syntax.FieldValue))
		SetItem(in, object, index(in, target), v)
	}
}

// unpack assigns the items of a value to several targets.
func unpack(in *value.Interp, target syntax.Node, v value.Value) {
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
	items, ok := Iterate(in, v)
	switch {
	case !ok:
		item := value.Value{X: value.Unknown{Cause: WhyNotIterable(in, v)}}
		if l, ok := v.X.(*value.List); ok && star < 0 {
			if like, ok := l.Sample(); ok { // it has so many items
				item = like
			}
		}
		for _, t := range targets {
			assign(in, t, item)
		}
		return
	case star < 0 && len(items) != len(targets), star >= 0 && len(items) < len(targets)-1:
		why := in.Unknown(value.WillRaise, "line %d raises ValueError: %d values for %d names", in.Line(target), len(items), len(targets))
		for _, t := range targets {
			assign(in, t, why)
		}
		return
	}
	rest := len(items) - len(targets) + 1
	for i, t := range targets {
		switch {
		case i == star:
			assign(in, t, value.Value{X: &value.List{Items: append([]value.Value(nil), items[i:i+rest]...)}})
		case star >= 0 && i > star:
			assign(in, t, items[i+rest-1])
		default:
			assign(in, t, items[i])
		}
	}
}

func augmented(in *value.Interp, n syntax.Node) {
	left, op := n.Child(syntax.FieldLeft), strings.TrimSuffix(n.Child(syntax.FieldOperator).Text(), "=")
	switch left.Kind() {
	case syntax.Attribute:
		object, name := Eval(in, left.Child(syntax.FieldObject)), left.Child(syntax.FieldAttribute).Text()
		old := Attr(in, object, name)
		SetAttr(in, object, name, inPlace(in, op, old, Eval(in, n.Child(syntax.FieldRight))))
	case syntax.Subscript:
		object := Eval(in, left.Child(syntax.FieldValue))
		index := index(in, left)
		old := Index(in, object, index)
		SetItem(in, object, index, inPlace(in, op, old, Eval(in, n.Child(syntax.FieldRight))))
	case syntax.Identifier:
		old := Eval(in, left)
		v := inPlace(in, op, old, Eval(in, n.Child(syntax.FieldRight)))
		if !in.Bounds.Exhausted {
			in.Bind(left.Text(), in.ObservedName(left, v))
		}
	}
}

// inPlace returns what an augmented assignment assigns. It changes lists, sets and
// dicts in place.
func inPlace(in *value.Interp, op string, old, v value.Value) value.Value {
	switch x := old.X.(type) {
	case *value.List:
		if op == "+" {
			Extend(in, x, v)
			return old
		}
	case *value.Dict:
		if op == "|" {
			Update(in, x, v)
			return old
		}
	case *value.Set:
		if op == "|" {
			AddAll(in, x, v)
			return old
		}
	}
	return Binary(in, op, old, v)
}

// deleteStatement deletes one target of a del statement.
func deleteStatement(in *value.Interp, n syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		in.Set(in.Home(n.Text()), n.Text(), value.Value{})
	case syntax.ExpressionList, syntax.Tuple, syntax.List, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			deleteStatement(in, c)
		}
	case syntax.Attribute:
		if o, ok := Eval(in, n.Child(syntax.FieldObject)).X.(*value.Instance); ok {
			in.Set(o.Attrs, n.Child(syntax.FieldAttribute).Text(), value.Value{})
		}
	case syntax.Subscript:
		DeleteItem(in, Eval(in, n.Child(syntax.FieldValue)), index(in, n))
	}
}
