package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Eval evaluates an expression at the current point of the program.
func Eval(in *value.Interp, n syntax.Node) value.Value {
	for n.Kind() == syntax.ParenthesizedExpression {
		n = operand(n)
	}
	if !n.Valid() {
		return in.Unknown(value.UnmodelledPython, "an expression that is not there")
	}
	var v value.Value
	if in.Enter() {
		v = expression(in, n)
	} else {
		v.X = value.Unknown{Cause: value.Because(value.TooLong, "it is nested too deeply to follow")}
	}
	in.Leave()
	switch {
	case in.Bounds.Exhausted:
		return value.OutOfSteps.Unknown()
	case v.X == nil:
		v = in.Unknown(value.UnmodelledPython, "%s is not modelled", n.Text())
	}
	if (value.Unsaid(v) || v.Overridable) && n.Is(syntax.Identifier, syntax.Attribute, syntax.Subscript, syntax.Call) {
		v = in.Said(in.Hints.OfExpression(in.Info(), n), n, v)
	}
	value.Place(v, n)
	return v
}

func expression(in *value.Interp, n syntax.Node) value.Value {
	if n.HasError() {
		return in.Unknown(value.SyntaxError, "line %d does not parse", in.Line(n))
	}
	switch n.Kind() {
	case syntax.Identifier:
		return name(in, n)
	case syntax.Integer:
		return value.Integer(n)
	case syntax.Float:
		f, ok := value.ParseFloat(n.Text())
		if !ok {
			return in.Unknown(value.NumberRange, "the complex number %s", n.Text())
		}
		return value.Value{X: f, Lit: n}
	case syntax.String, syntax.ConcatenatedString:
		return text(in, n)
	case syntax.True:
		return value.Value{X: true}
	case syntax.False:
		return value.Value{X: false}
	case syntax.NoneLiteral:
		return value.Value{X: value.None{}}
	case syntax.Ellipsis:
		return value.Value{X: value.Ellipsis{}}
	case syntax.Attribute:
		return Attr(in, Eval(in, n.Child(syntax.FieldObject)), n.Child(syntax.FieldAttribute).Text())
	case syntax.Subscript:
		v := Eval(in, n.Child(syntax.FieldValue))
		return Index(in, v, index(in, n))
	case syntax.Call:
		return call(in, n)
	case syntax.BinaryOperator:
		left := Eval(in, n.Child(syntax.FieldLeft))
		return Binary(in, n.Child(syntax.FieldOperator).Text(), left, Eval(in, n.Child(syntax.FieldRight)))
	case syntax.UnaryOperator:
		return unary(in, n.Child(syntax.FieldOperator).Text(), Eval(in, n.Child(syntax.FieldArgument)))
	case syntax.NotOperator:
		v := Eval(in, n.Child(syntax.FieldArgument))
		truth, known := Truth(in, v)
		if !known {
			return UnknownTruth(in, v)
		}
		return value.Value{X: !truth, Overridable: v.Overridable}
	case syntax.BooleanOperator:
		return boolean(in, n)
	case syntax.ComparisonOperator:
		return comparison(in, n)
	case syntax.ConditionalExpression:
		return conditional(in, n)
	case syntax.NamedExpression:
		v := Eval(in, n.Child(syntax.FieldValue))
		in.Bind(n.Child(syntax.FieldName).Text(), v)
		return v
	case syntax.List:
		return listDisplay(in, n)
	case syntax.Tuple, syntax.ExpressionList, syntax.PatternList:
		items, open := displayItems(in, n)
		if open != nil {
			return value.Value{X: value.Unknown{Cause: open}}
		}
		return value.Value{X: value.Tuple(items)}
	case syntax.Set:
		items, open := displayItems(in, n)
		return MakeSet(in, items, open)
	case syntax.Dictionary:
		return dictDisplay(in, n)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		return evalComprehension(in, n)
	case syntax.Lambda:
		return function(in, n)
	case syntax.Yield:
		return yield(in, n)
	case syntax.Await, syntax.ListSplat, syntax.ListSplatPattern:
		return Eval(in, operand(n))
	}
	return value.Value{}
}

func boolean(in *value.Interp, n syntax.Node) value.Value {
	left := Eval(in, n.Child(syntax.FieldLeft))
	right := n.Child(syntax.FieldRight)
	and := n.Child(syntax.FieldOperator).Text() == "and"
	truth, known := Truth(in, left)
	if known {
		if truth != and {
			return left
		}
		v := Eval(in, right)
		v.Overridable = v.Overridable || left.Overridable
		return v
	}
	if left.Known() && (right.Is(syntax.Identifier) || right.Is(syntax.Attribute)) {
		// Of a number that only a run tells and a setting, the truth is that of one of them.
		switch v := Eval(in, right); v.X {
		case and:
			return left
		case !and:
			return v
		}
	}
	test := n.Child(syntax.FieldLeft)
	return oneOf(in, test, left, func() value.Value { return Eval(in, right) }, func() value.Value { return left })
}

// UnknownTruth returns the Unknown for bool(v).
func UnknownTruth(in *value.Interp, v value.Value) value.Value {
	if why := v.Cause(); why != nil {
		return v
	}
	return in.Unknown(value.WrongType, "the truth of %s", Describe(in, v))
}

func conditional(in *value.Interp, n syntax.Node) value.Value {
	var parts []syntax.Node
	for c := range n.Children() {
		if c.Kind() != syntax.Comment {
			parts = append(parts, c)
		}
	}
	if len(parts) != 3 {
		return value.Value{}
	}
	v := Eval(in, parts[1])
	return oneOf(in, parts[1], v, func() value.Value { return Eval(in, parts[0]) }, func() value.Value { return Eval(in, parts[2]) })
}

// oneOf evaluates one of two expressions, according to a test; see decide.
func oneOf(in *value.Interp, test syntax.Node, v value.Value, yes, no func() value.Value) value.Value {
	truth, known := Truth(in, v)
	if known && !v.Overridable {
		if truth {
			return yes()
		}
		return no()
	}
	var values []value.Value
	note := func(side func() value.Value) func() value.Control {
		return func() value.Control {
			values = append(values, side())
			return value.GoesOn
		}
	}
	decide(in, test, v, note(yes), note(no))
	switch {
	case len(values) != 2:
		return value.OutOfSteps.Unknown()
	case !known:
		defer in.SelectBy(v)()
		return in.Join(values[0], values[1], whyTest(in, test, v))
	}
	// The side that the test does not take was evaluated first.
	meant := values[1]
	meant.Overridable = meant.Overridable || !value.Same(values[0], meant, 4)
	return meant
}

// displayItems evaluates the items between brackets. open says why there may be more.
func displayItems(in *value.Interp, n syntax.Node) (items []value.Value, open *value.Cause) {
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
		case strings.HasPrefix(c.Text(), "*"): // tree-sitter parses [*f(x)] as a call of *f
			v := Eval(in, c)
			more, ok := Iterate(in, v)
			if !ok && open == nil {
				open = WhyNotIterable(in, v)
			}
			items = append(items, more...)
		default:
			items = append(items, Eval(in, c))
		}
		if len(items) > value.MaxItems {
			return nil, value.Because(value.TooLong, "a list of too many items to follow")
		}
	}
	return items, open
}

func listDisplay(in *value.Interp, n syntax.Node) value.Value {
	items, open := displayItems(in, n)
	if open != nil {
		l := value.UnknownList(open, false)
		return value.Value{X: &l}
	}
	return value.Value{X: &value.List{Items: items}}
}

func dictDisplay(in *value.Interp, n syntax.Node) value.Value {
	d := &value.Dict{}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Pair:
			key := Eval(in, c.Child(syntax.FieldKey))
			SetItem(in, value.Value{X: d}, key, Eval(in, c.Child(syntax.FieldValue)))
		case syntax.DictionarySplat:
			Update(in, d, Eval(in, operand(c)))
		}
	}
	return value.Value{X: d}
}

// yield adds a value to those that a generator yields.
func yield(in *value.Interp, n syntax.Node) value.Value {
	v := value.Value{X: value.None{}}
	if o := operand(n); o.Valid() {
		v = Eval(in, o)
	}
	f := in.Frame
	for f.Comprehension {
		f = f.Outer
	}
	switch {
	case f.Yields == nil:
	case strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(n.Text(), "yield"), " \t"), "from "):
		Extend(in, f.Yields, v)
	default:
		if f.Yielded.X == nil {
			f.Yielded = v
		}
		in.Append(f.Yields, v)
		if len(f.Yields.Items) > value.MaxYields {
			in.Bounds.Exhausted = true
		}
	}
	return in.Unknown(value.NotReached, "what is sent to a generator")
}

// index evaluates the subscript between brackets.
func index(in *value.Interp, n syntax.Node) value.Value {
	var parts []value.Value
	tuple := false
	end := n.Start()
	for c := range n.Children() {
		if c.Field() == syntax.FieldSubscript {
			if c.Kind() == syntax.Slice {
				parts = append(parts, slice(in, c))
			} else {
				parts = append(parts, Eval(in, c))
			}
			end = c.End()
		}
	}
	tuple = strings.Contains(n.Text()[end-n.Start():], ",")
	switch {
	case len(parts) == 0:
		return in.Unknown(value.UnmodelledPython, "an index that is not there")
	case len(parts) == 1 && !tuple:
		return parts[0]
	}
	return value.Value{X: value.Tuple(parts)}
}

// slice evaluates start:stop:step.
func slice(in *value.Interp, n syntax.Node) value.Value {
	parts := [3]value.Value{{X: value.None{}}, {X: value.None{}}, {X: value.None{}}}
	var nodes [3]syntax.Node
	overridable := false
	at, i := n.Start(), 0
	for c := range n.Children() {
		i += strings.Count(n.Text()[at-n.Start():c.Start()-n.Start()], ":")
		at = c.End()
		if c.Kind() != syntax.Comment && i < 3 {
			parts[i], nodes[i] = Eval(in, c), c
			overridable = overridable || parts[i].Overridable
		}
	}
	return value.Value{X: value.Slice{Start: parts[0], Stop: parts[1], Step: parts[2], Width: width(in, nodes[0], nodes[1])}, Overridable: overridable}
}

// name evaluates an identifier.
func name(in *value.Interp, n syntax.Node) value.Value {
	name := n.Text()
	if v, ok := in.Lookup(name); ok {
		return v
	}
	if n.Tree() == in.Frame.Info.Tree {
		if q := in.Frame.Info.Qualified(n); q != "" {
			return External(in, q)
		}
	}
	return in.Undefined(name)
}
