package names

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// annotated returns the class that an annotation declares. It looks through Optional, a union
// with None and quotes.
func (in *Info) annotated(n syntax.Node) Type {
	defer in.Enter(n).Leave()
	switch n.Kind() {
	case syntax.Type, syntax.ParenthesizedExpression:
		return in.annotated(n.FirstChild())
	case syntax.String:
		text, ok := StringValue(n)
		if !ok {
			return Type{}
		}
		return in.quoted(strings.TrimSpace(text), n)
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		if n.Child(syntax.FieldOperator).Text() == "|" {
			return in.optional([]syntax.Node{left, right})
		}
	case syntax.Subscript, syntax.Other: // Optional[X], as an expression or in a type
		return in.optional(alternatives(n))
	case syntax.Identifier, syntax.Attribute:
		if q := in.Qualified(n); q != "" {
			return Type{Class: in.library.Returns(q)}
		}
		return Type{Local: in.localClass(n)}
	}
	return Type{}
}

// optional returns the only type in parts that is not None.
func (in *Info) optional(parts []syntax.Node) Type {
	var found Type
	for _, p := range parts {
		if p.Kind() == syntax.Type {
			p = p.FirstChild()
		}
		if p.Kind() == syntax.NoneLiteral {
			continue
		}
		if found.Known() {
			return Type{}
		}
		if found = in.annotated(p); !found.Known() {
			return Type{}
		}
	}
	return found
}

// alternatives returns the arguments of an Optional or Union. It returns nil for any other
// generic type.
func alternatives(n syntax.Node) []syntax.Node {
	generic := n.FirstChild()
	if generic.Kind() == syntax.Attribute {
		generic = generic.Child(syntax.FieldAttribute)
	}
	if text := generic.Text(); text != "Optional" && text != "Union" {
		return nil
	}
	var parts []syntax.Node
	for c := n.FirstChild().Next(); c.Valid(); c = c.Next() {
		if c.Kind() != syntax.TypeParameter {
			parts = append(parts, c)
			continue
		}
		for t := range c.Children() {
			parts = append(parts, t)
		}
	}
	return parts
}

// quoted returns the class that a dotted name in quotes stands for. Quotes allow a class that is
// defined further below.
func (in *Info) quoted(name string, at syntax.Node) Type {
	first, rest, dotted := strings.Cut(name, ".")
	found := in.find(first, in.ScopeOf(at))
	if found.scope == in.Module {
		in.part(at).use(found)
	}
	bindings := withValue(found.bindings)
	if len(bindings) != 1 {
		return Type{}
	}
	if q := in.qualifyBinding(bindings[0]); q != unknownName {
		full := in.qualified.texts[q]
		if dotted {
			full = in.qualified.texts[in.qualified.intern(full+"."+rest)]
		}
		return Type{Class: in.library.Returns(full)}
	}
	if dotted {
		return Type{}
	}
	return Type{Local: in.resolveBindings(bindings).Class}
}
