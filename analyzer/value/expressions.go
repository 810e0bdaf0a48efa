package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Eval evaluates an expression at the current point of the program.
func (in *Interp) Eval(n syntax.Node) Value {
	for n.Kind() == syntax.ParenthesizedExpression {
		n = operand(n)
	}
	if !n.Valid() {
		return in.Unknown(UnmodelledPython, "an expression that is not there")
	}
	var v Value
	if in.enter() {
		v = in.expression(n)
	} else {
		v.X = Unknown{Because(TooLong, "it is nested too deeply to follow")}
	}
	in.leave()
	switch {
	case in.bounds.exhausted:
		return tooLong.Unknown()
	case v.X == nil:
		v = in.Unknown(UnmodelledPython, "%s, which is not modelled", n.Text())
	}
	place(v, n)
	return v
}

func (in *Interp) expression(n syntax.Node) Value {
	if n.HasError() {
		return in.Unknown(SyntaxError, "line %d does not parse", in.line(n))
	}
	switch n.Kind() {
	case syntax.Identifier:
		return in.name(n)
	case syntax.Integer:
		return in.integer(n)
	case syntax.Float:
		f, ok := parseFloat(n.Text())
		if !ok {
			return in.Unknown(NumberRange, "the complex number %s", n.Text())
		}
		return Value{X: f, Lit: n}
	case syntax.String, syntax.ConcatenatedString:
		return in.text(n)
	case syntax.True:
		return Value{X: true}
	case syntax.False:
		return Value{X: false}
	case syntax.NoneLiteral:
		return Value{X: None{}}
	case syntax.Ellipsis:
		return Value{X: Ellipsis{}}
	case syntax.Attribute:
		return in.Attr(in.Eval(n.Child(syntax.FieldObject)), n.Child(syntax.FieldAttribute).Text())
	case syntax.Subscript:
		v := in.Eval(n.Child(syntax.FieldValue))
		return in.Index(v, in.index(n))
	case syntax.Call:
		return in.call(n)
	case syntax.BinaryOperator:
		left := in.Eval(n.Child(syntax.FieldLeft))
		return in.Binary(n.Child(syntax.FieldOperator).Text(), left, in.Eval(n.Child(syntax.FieldRight)))
	case syntax.UnaryOperator:
		return in.unary(n.Child(syntax.FieldOperator).Text(), in.Eval(n.Child(syntax.FieldArgument)))
	case syntax.NotOperator:
		v := in.Eval(n.Child(syntax.FieldArgument))
		truth, known := in.Truth(v)
		if !known {
			return in.unknownTruth(v)
		}
		return Value{X: !truth, Overridable: v.Overridable}
	case syntax.BooleanOperator:
		return in.boolean(n)
	case syntax.ComparisonOperator:
		return in.comparison(n)
	case syntax.ConditionalExpression:
		return in.conditional(n)
	case syntax.NamedExpression:
		v := in.Eval(n.Child(syntax.FieldValue))
		in.bind(n.Child(syntax.FieldName).Text(), v)
		return v
	case syntax.List:
		return in.listDisplay(n)
	case syntax.Tuple, syntax.ExpressionList, syntax.PatternList:
		items, open := in.items(n)
		if open != nil {
			return Value{X: Unknown{open}}
		}
		return Value{X: Tuple(items)}
	case syntax.Set:
		items, open := in.items(n)
		return in.makeSet(items, open)
	case syntax.Dictionary:
		return in.dictDisplay(n)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		return in.comprehension(n)
	case syntax.Lambda:
		return in.function(n)
	case syntax.Yield:
		return in.yield(n)
	case syntax.Await, syntax.ListSplat, syntax.ListSplatPattern:
		return in.Eval(operand(n))
	}
	return Value{}
}

func (in *Interp) boolean(n syntax.Node) Value {
	left := in.Eval(n.Child(syntax.FieldLeft))
	right := n.Child(syntax.FieldRight)
	and := n.Child(syntax.FieldOperator).Text() == "and"
	truth, known := in.Truth(left)
	if known {
		if truth != and {
			return left
		}
		v := in.Eval(right)
		v.Overridable = v.Overridable || left.Overridable
		return v
	}
	test := n.Child(syntax.FieldLeft)
	return in.oneOf(test, left, func() Value { return in.Eval(right) }, func() Value { return left })
}

// unknownTruth returns the Unknown for bool(v).
func (in *Interp) unknownTruth(v Value) Value {
	if why := v.Cause(); why != nil {
		return v
	}
	return in.Unknown(WrongType, "the truth of %s", in.describe(v))
}

func (in *Interp) conditional(n syntax.Node) Value {
	var parts []syntax.Node
	for c := range n.Children() {
		if c.Kind() != syntax.Comment {
			parts = append(parts, c)
		}
	}
	if len(parts) != 3 {
		return Value{}
	}
	v := in.Eval(parts[1])
	return in.oneOf(parts[1], v, func() Value { return in.Eval(parts[0]) }, func() Value { return in.Eval(parts[2]) })
}

// oneOf evaluates one of two expressions, according to a test; see decide.
func (in *Interp) oneOf(test syntax.Node, v Value, yes, no func() Value) Value {
	truth, known := in.Truth(v)
	if known && !v.Overridable {
		if truth {
			return yes()
		}
		return no()
	}
	var values []Value
	note := func(side func() Value) func() control {
		return func() control {
			values = append(values, side())
			return next
		}
	}
	in.decide(test, v, note(yes), note(no))
	switch {
	case len(values) != 2:
		return tooLong.Unknown()
	case !known:
		defer in.selectBy(v)()
		return in.join(values[0], values[1], in.whyTest(test, v))
	}
	// The side that the test does not take was evaluated first.
	meant := values[1]
	meant.Overridable = meant.Overridable || !same(values[0], meant, 4)
	return meant
}

// items evaluates the items between brackets. open says why there may be more.
func (in *Interp) items(n syntax.Node) (items []Value, open *Cause) {
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
		case strings.HasPrefix(c.Text(), "*"): // tree-sitter parses [*f(x)] as a call of *f
			v := in.Eval(c)
			more, ok := in.Iterate(v)
			if !ok && open == nil {
				open = in.whyNotIterable(v)
			}
			items = append(items, more...)
		default:
			items = append(items, in.Eval(c))
		}
		if len(items) > maxItems {
			return nil, Because(TooLong, "a list of too many items to follow")
		}
	}
	return items, open
}

func (in *Interp) listDisplay(n syntax.Node) Value {
	items, open := in.items(n)
	if open != nil {
		l := unknownList(open, false)
		return Value{X: &l}
	}
	return Value{X: &List{Items: items}}
}

func (in *Interp) dictDisplay(n syntax.Node) Value {
	d := &Dict{}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Pair:
			key := in.Eval(c.Child(syntax.FieldKey))
			in.setItem(Value{X: d}, key, in.Eval(c.Child(syntax.FieldValue)))
		case syntax.DictionarySplat:
			in.update(d, in.Eval(operand(c)))
		}
	}
	return Value{X: d}
}

// yield adds a value to those that a generator yields.
func (in *Interp) yield(n syntax.Node) Value {
	v := Value{X: None{}}
	if o := operand(n); o.Valid() {
		v = in.Eval(o)
	}
	f := in.frame
	for f.comprehension {
		f = f.outer
	}
	switch {
	case f.yields == nil:
	case strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(n.Text(), "yield"), " \t"), "from "):
		in.extend(f.yields, v)
	default:
		in.Append(f.yields, v)
		if len(f.yields.Items) > maxYields {
			in.bounds.exhausted = true
		}
	}
	return in.Unknown(NotReached, "what is sent to a generator")
}

// index evaluates the subscript between brackets.
func (in *Interp) index(n syntax.Node) Value {
	var parts []Value
	tuple := false
	end := n.Start()
	for c := range n.Children() {
		if c.Field() == syntax.FieldSubscript {
			if c.Kind() == syntax.Slice {
				parts = append(parts, in.slice(c))
			} else {
				parts = append(parts, in.Eval(c))
			}
			end = c.End()
		}
	}
	tuple = strings.Contains(n.Text()[end-n.Start():], ",")
	switch {
	case len(parts) == 0:
		return in.Unknown(UnmodelledPython, "an index that is not there")
	case len(parts) == 1 && !tuple:
		return parts[0]
	}
	return Value{X: Tuple(parts)}
}

// slice evaluates start:stop:step.
func (in *Interp) slice(n syntax.Node) Value {
	parts := [3]Value{{X: None{}}, {X: None{}}, {X: None{}}}
	var nodes [3]syntax.Node
	overridable := false
	at, i := n.Start(), 0
	for c := range n.Children() {
		i += strings.Count(n.Text()[at-n.Start():c.Start()-n.Start()], ":")
		at = c.End()
		if c.Kind() != syntax.Comment && i < 3 {
			parts[i], nodes[i] = in.Eval(c), c
			overridable = overridable || parts[i].Overridable
		}
	}
	return Value{X: Slice{parts[0], parts[1], parts[2], in.width(nodes[0], nodes[1])}, Overridable: overridable}
}

// width returns the length of a slice if its text shows it, as in top:top + height, end
// - height:end or i:i + length + 1. Otherwise it is empty.
func (in *Interp) width(start, end syntax.Node) Value {
	if start.Kind() == syntax.None || end.Kind() == syntax.None {
		return Value{}
	}
	terms := apart(end, start, "+")
	if terms == nil {
		terms = apart(start, end, "-")
	}
	var sum Value
	for i, term := range terms {
		if v := in.Eval(term); i == 0 {
			sum = v
		} else {
			sum = in.Binary("+", sum, v)
		}
	}
	return sum
}

// apart returns the terms that sum adds to, or subtracts from, another expression, in
// order; nil if the text does not show that.
func apart(sum, from syntax.Node, operator string) []syntax.Node {
	for sum.Is(syntax.ParenthesizedExpression) {
		sum = operand(sum)
	}
	by := sum.Child(syntax.FieldRight)
	if !sum.Is(syntax.BinaryOperator) || sum.Child(syntax.FieldOperator).Text() != operator ||
		!by.Is(syntax.Identifier, syntax.Integer, syntax.Attribute) {
		return nil
	}
	left := sum.Child(syntax.FieldLeft)
	if left.Text() == from.Text() {
		return []syntax.Node{by}
	}
	if terms := apart(left, from, operator); terms != nil {
		return append(terms, by)
	}
	return nil
}
