package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// mostNamed is how many names in a row are replaced by the sums that they stand for.
const mostNamed = 3

// terms are the parts that a text adds, and those that it subtracts.
type terms struct{ plus, minus []syntax.Node }

// width returns the length of a slice if the text shows it, wherever the slice starts: as in
// top:top + height, end - height:end, i:i + length + 1 or i * size:(i + 1) * size, also if end or
// start are names that are given such sums on the way to the slice. Otherwise it is empty.
func width(in *value.Interp, start, end syntax.Node) value.Value {
	if start.Kind() == syntax.None || end.Kind() == syntax.None || start.Is(syntax.Integer) {
		return value.Value{}
	}
	end = within(end)
	to, from := sum(end), sum(start)
	if n, ok := difference(to, from); ok {
		return total(in, n)
	}
	if n, size, ok := times(end, start); ok {
		return Binary(in, "*", total(in, n), Eval(in, size))
	}
	earlier, named := defined(in, from, start)
	for range mostNamed {
		if n, ok := difference(to, earlier); ok && named {
			return total(in, n)
		}
		var more bool
		if to, more = defined(in, to, start); !more {
			break
		}
		if n, ok := difference(to, from); ok {
			return total(in, n)
		}
	}
	return value.Value{}
}

// within returns the end of a slice that min keeps within a sequence: top + height of
// min(top + height, rows). Only the last slice may be shorter. Other texts stay as they are.
func within(end syntax.Node) syntax.Node {
	if !end.Is(syntax.Call) || end.Child(syntax.FieldFunction).Text() != "min" {
		return end
	}
	for n := range end.Child(syntax.FieldArguments).Children() {
		if n.Is(syntax.BinaryOperator) {
			return n
		}
	}
	return end
}

// sum returns the terms of an expression.
func sum(n syntax.Node) (t terms) {
	for n.Is(syntax.ParenthesizedExpression) {
		n = operand(n)
	}
	if !n.Is(syntax.BinaryOperator) {
		return terms{plus: []syntax.Node{n}}
	}
	right := n.Child(syntax.FieldRight)
	switch n.Child(syntax.FieldOperator).Text() {
	case "+":
		t = sum(n.Child(syntax.FieldLeft))
		t.plus = append(t.plus, right)
	case "-":
		t = sum(n.Child(syntax.FieldLeft))
		t.minus = append(t.minus, right)
	default:
		t.plus = []syntax.Node{n}
	}
	return t
}

// difference returns what remains of to - from without the terms that both have; ok is false if
// they share none, or if what remains is more than names, numbers, and items and products of them.
func difference(to, from terms) (left terms, ok bool) {
	left = terms{slices.Concat(to.plus, from.minus), slices.Concat(to.minus, from.plus)}
	for i := 0; i < len(left.plus); i++ {
		text := left.plus[i].Text()
		at := slices.IndexFunc(left.minus, func(n syntax.Node) bool { return n.Text() == text })
		if at >= 0 {
			left.plus, left.minus = slices.Delete(left.plus, i, i+1), slices.Delete(left.minus, at, at+1)
			i, ok = i-1, true
		}
	}
	for _, n := range slices.Concat(left.plus, left.minus) {
		if !plain(n) {
			return terms{}, false
		}
	}
	return left, ok && len(left.plus) > 0
}

// times returns how often the size of a window is between two multiples of it, and the size: once
// for (i + 1) * size and i * size.
func times(to, from syntax.Node) (n terms, size syntax.Node, ok bool) {
	if !product(to) || !product(from) {
		return n, size, false
	}
	sides := [2]syntax.Field{syntax.FieldLeft, syntax.FieldRight}
	for i, side := range sides {
		for j, other := range sides {
			size = to.Child(side)
			if size.Text() != from.Child(other).Text() || !plain(size) {
				continue
			}
			if n, ok = difference(sum(to.Child(sides[1-i])), sum(from.Child(sides[1-j]))); ok {
				return n, size, true
			}
		}
	}
	return n, size, false
}

func product(n syntax.Node) bool {
	return n.Is(syntax.BinaryOperator) && n.Child(syntax.FieldOperator).Text() == "*"
}

// plain reports whether an expression calls nothing: evaluating it again changes nothing.
func plain(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Identifier, syntax.Integer, syntax.Attribute:
		return true
	case syntax.Subscript:
		return plain(n.Child(syntax.FieldValue)) && plain(n.Child(syntax.FieldSubscript))
	case syntax.BinaryOperator:
		return plain(n.Child(syntax.FieldLeft)) && plain(n.Child(syntax.FieldRight))
	case syntax.ParenthesizedExpression:
		return plain(operand(n))
	}
	return false
}

// total evaluates what remains.
func total(in *value.Interp, t terms) (all value.Value) {
	for i, n := range t.plus {
		if v := Eval(in, n); i == 0 {
			all = v
		} else {
			all = Binary(in, "+", all, v)
		}
	}
	for _, n := range t.minus {
		all = Binary(in, "-", all, Eval(in, n))
	}
	return all
}

// defined replaces the names among the added terms by the sums that they are given, where these
// still mean the same at the slice; more is false if there is none.
func defined(in *value.Interp, t terms, slice syntax.Node) (out terms, more bool) {
	out.minus = slices.Clone(t.minus)
	for _, n := range t.plus {
		by := given(in, n, slice)
		if !by.Is(syntax.BinaryOperator, syntax.Identifier) {
			out.plus = append(out.plus, n)
			continue
		}
		terms := sum(by)
		out.plus, out.minus, more = append(out.plus, terms.plus...), append(out.minus, terms.minus...), true
	}
	return out, more
}

// given returns the sum, or the other name, that a name is given before a slice, or none. Both must stand in the same
// run of the same loop, and what the sum is made of must not change between them.
func given(in *value.Interp, n, slice syntax.Node) (none syntax.Node) {
	info := in.Frame.Info
	if !n.Is(syntax.Identifier) || n.Tree() != info.Tree {
		return none
	}
	bindings := info.ReachingDefs(n)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding {
		return none
	}
	by := within(bindings[0].Value)
	if !by.Is(syntax.BinaryOperator, syntax.Identifier) || by.Tree() != n.Tree() || by.End() > slice.Start() || round(by) != round(slice) {
		return none
	}
	terms := sum(by)
	for _, part := range slices.Concat(terms.plus, terms.minus) {
		if rebound(info, part, by.End(), slice.Start()) {
			return none
		}
	}
	return by
}

// rebound reports whether a name in an expression gets another meaning between two places of the
// text.
func rebound(info *names.Info, n syntax.Node, from, to int) bool {
	if n.Is(syntax.Identifier) {
		return slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			return b.Scope != nil && changes(b.Scope, n.Text(), from, to)
		})
	}
	for c := range n.Children() {
		if rebound(info, c, from, to) {
			return true
		}
	}
	return false
}

// changes reports whether a scope binds a name between two places of the text.
func changes(scope *names.Scope, name string, from, to int) bool {
	return slices.ContainsFunc(scope.Bindings(name), func(b *names.Binding) bool {
		at := b.Node.Start()
		return from <= at && at < to
	})
}

// round returns the innermost loop, comprehension or function around a node.
func round(n syntax.Node) syntax.Node {
	for n = n.Parent(); n.Valid(); n = n.Parent() {
		switch n.Kind() {
		case syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda,
			syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return n
		}
	}
	return n
}
