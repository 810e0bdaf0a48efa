package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// maxPath limits how many nested tuples are followed to find the value of an unpacked name.
const maxPath = 16

// target binds the names on an assignment's left side. how holds what their bindings have in
// common.
func (b *binder) target(n syntax.Node, how Binding) {
	switch n.Kind() {
	case syntax.Identifier:
		how.Node = n
		b.note(n)
		b.bind(how)
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List, syntax.ExpressionList:
		if inner := parenthesized(n); inner.Valid() {
			b.target(inner, how)
			return
		}
		i := 0
		for c := range n.Children() {
			if c.Kind() == syntax.Comment {
				continue
			}
			x := how
			switch {
			case c.Kind() == syntax.ListSplatPattern:
				x.Kind, x.Path = UnpackBinding, nil
				how = x // the index of what follows a star is unknown
			case x.Kind == AssignBinding:
				x.Kind, x.Path = UnpackBinding, []int{i}
			case x.Kind == UnpackBinding && len(x.Path) == maxPath:
				x.Path = nil
			case x.Kind == UnpackBinding && len(x.Path) > 0:
				x.Path = append(slices.Clone(x.Path), i)
			}
			b.target(c, x)
			i++
		}
	case syntax.ListSplatPattern, syntax.ListSplat, syntax.ParenthesizedExpression, syntax.AsPatternTarget:
		for c := range n.Children() {
			b.target(c, how)
		}
	case syntax.Attribute:
		b.attribute(n, how)
	case syntax.Comment:
	default:
		b.visit(n)
	}
}

// parenthesized returns the target in "(target) = value", which the grammar takes for a tuple, or
// none.
func parenthesized(n syntax.Node) syntax.Node {
	only := n.FirstChild()
	if n.Kind() != syntax.TuplePattern || !only.Valid() || only.Next().Valid() || strings.HasSuffix(n.Text(), ",)") ||
		strings.Contains(n.Text()[only.End()-n.Start():], ",") {
		return syntax.Node{}
	}
	return only
}

// attribute records the binding of "self.name = value" with the class. It records any other
// assigned attribute as rebound from outside.
func (b *binder) attribute(n syntax.Node, how Binding) {
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute)
	b.visit(object)
	if c := b.instanceOf(object); c != nil {
		how.Node, how.Name, how.Scope = name, name.Text(), b.cur
		c.Attributes[how.Name] = append(c.Attributes[how.Name], b.bindings.keep(how))
		return
	}
	b.part.rebound = append(b.part.rebound, name.Text())
}

// instanceOf returns the class if object is the first parameter of one of its methods, in the
// method itself or in a function within it, or nil.
func (b *binder) instanceOf(object syntax.Node) *Class {
	if object.Kind() != syntax.Identifier {
		return nil
	}
	name := object.Text()
	for s := b.cur; s != nil; s = s.Parent {
		switch {
		case s.Func == nil:
		case s.Func.instance() == name:
			return s.Func.Class
		case len(s.Bindings(name)) > 0:
			return nil
		}
	}
	return nil
}

func (b *binder) assignment(n syntax.Node) {
	value := n.Child(syntax.FieldRight)
	chain := []syntax.Node{n}
	for value.Kind() == syntax.Assignment { // a = b = value
		chain = append(chain, value)
		value = value.Child(syntax.FieldRight)
	}
	if value.Valid() {
		b.visit(value)
	}
	kind := AssignBinding
	if !value.Valid() {
		kind = DeclaredBinding
	}
	for _, n := range slices.Backward(chain) {
		left, annotation := n.Child(syntax.FieldLeft), n.Child(syntax.FieldType)
		if annotation.Valid() {
			b.visit(annotation)
		} else if !value.Valid() {
			b.visit(left)
			continue
		}
		b.target(left, Binding{Kind: kind, Value: value, Annotation: annotation, stmt: n})
	}
}

func (b *binder) asPattern(n syntax.Node) {
	kind := WithBinding
	stmt := n.Parent()
	switch {
	case stmt.Kind() == syntax.ExceptClause:
		kind = ExceptBinding
	case stmt.Kind() == syntax.CasePattern:
		kind = PatternBinding
	}
	value := n.FirstChild()
	b.visit(value)
	if with := n.Ancestor(syntax.WithStatement, syntax.Block); with.Kind() == syntax.WithStatement {
		stmt = with
	}
	if !stmt.Valid() {
		stmt = n // the statement does not parse
	}
	for c := value.Next(); c.Valid(); c = c.Next() {
		b.target(c, Binding{Kind: kind, Value: value, stmt: stmt})
	}
}

func (b *binder) deletes(n, stmt syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		b.note(n)
		b.bind(Binding{Kind: DeleteBinding, Node: n, stmt: stmt})
	case syntax.ExpressionList, syntax.Tuple, syntax.List, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			b.deletes(c, stmt)
		}
	default:
		b.visit(n)
	}
}

func (b *binder) declares(n syntax.Node) {
	for c := range n.Children() {
		switch {
		case c.Kind() != syntax.Identifier:
		case n.Kind() == syntax.GlobalStatement:
			if b.cur != b.in.Module {
				b.declare(b.cur, c.Text(), b.in.Module)
			}
		case b.cur.Parent != nil:
			b.nonlocal = append(b.nonlocal, nonlocal{b.cur, c.Text()})
		}
	}
}

// caseClause binds the bare names of a pattern.
func (b *binder) caseClause(n syntax.Node) {
	for c := range n.Children() {
		if c.Kind() != syntax.CasePattern {
			b.visit(c)
			continue
		}
		b.pattern(c, n)
	}
}

// pattern binds the names that a pattern captures: names that stand alone, after a star or after
// "as". It does not bind the class of a class pattern, the keyword of a keyword pattern, or a
// dotted name, which is compared.
func (b *binder) pattern(n, clause syntax.Node) {
	capture := func(name syntax.Node) {
		if name.Text() != "_" {
			b.note(name)
			b.bind(Binding{Kind: PatternBinding, Node: name, stmt: clause})
		}
	}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			first := c.FirstChild()
			switch {
			case first.Valid() && !first.Next().Valid() && n.Kind() != syntax.ClassPattern:
				capture(first)
			case first.Valid():
				b.note(first)
			}
		case syntax.Identifier:
			if n.Kind() != syntax.KeywordPattern {
				capture(c)
			}
		default:
			b.pattern(c, clause)
		}
	}
}
