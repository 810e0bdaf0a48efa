package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// evalComprehension evaluates the clauses from left to right, each iteration in full.
func evalComprehension(in *value.Interp, n syntax.Node) value.Value {
	var clauses []syntax.Node
	for c := range n.Children() {
		if c.Is(syntax.ForInClause, syntax.IfClause) {
			clauses = append(clauses, c)
		}
	}
	if len(clauses) == 0 || clauses[0].Kind() != syntax.ForInClause {
		return value.Value{}
	}
	c := &comprehension{in: in, body: n.Child(syntax.FieldBody), clauses: clauses, first: Eval(in, clauses[0].Child(syntax.FieldRight))}
	if n.Kind() == syntax.DictionaryComprehension {
		c.dict = &value.Dict{}
	}
	if len(clauses) == 1 {
		c.many = Total(c.first)
	}
	old := in.Frame
	in.Frame = &value.Frame{Info: old.Info, Module: old.Module, Outer: old, Vars: in.Namespace(), Self: old.Self, Call: old.Call, Comprehension: true}
	finished := in.Within(value.MaxLoopSteps, func() { c.run(0) })
	in.Frame = old
	if !finished {
		c.items = c.items[:max(0, len(c.items)-1)] // the last was not evaluated whole
		c.open = value.Because(value.TooLong, "the comprehension on line %d is too long to follow", in.Line(n)).On(n)
	}
	switch {
	case in.Bounds.Exhausted:
		return value.OutOfSteps.Unknown()
	case c.dict != nil:
		c.dict.Open = c.open
		return value.Value{X: c.dict}
	case n.Kind() == syntax.SetComprehension:
		return MakeSet(in, c.items, c.open)
	case c.open != nil:
		l := value.UnknownList(c.open, n.Kind() == syntax.GeneratorExpression)
		l.Typical, _ = (&value.List{Items: c.items}).Widened()
		if c.many > 0 {
			l.Count, l.Made = c.many, n
			if n := len(c.items); n > 1 {
				l.Last = slices.Clone(c.items[n-2:])
			}
		}
		return value.Value{X: &l}
	}
	return value.Value{X: &value.List{Items: c.items, Consumed: n.Kind() == syntax.GeneratorExpression}}
}

// A Counted value tells how many items it has, though they are too many to list.
type Counted interface{ Counted() (n int64, ok bool) }

// A comprehension is a comprehension that is being evaluated.
type comprehension struct {
	in      *value.Interp
	body    syntax.Node
	clauses []syntax.Node
	first   value.Value // the iterable of the first clause
	many    int64       // how many items the list has, 0 if that is not known
	items   []value.Value
	dict    *value.Dict
	open    *value.Cause // why there may be more items
}

func (c *comprehension) run(i int) {
	in := c.in
	if i == len(c.clauses) {
		c.iteration()
		return
	}
	clause := c.clauses[i]
	if clause.Kind() == syntax.IfClause {
		test := operand(clause)
		v := Eval(in, test)
		truth, known := Truth(in, v)
		if !known {
			why := whyTest(in, test, v)
			guess(in, why, func() { c.run(i + 1) })
			c.open = why
		} else if truth {
			c.run(i + 1)
		}
		return
	}
	over := c.first
	if i > 0 {
		over = Eval(in, clause.Child(syntax.FieldRight))
	}
	left := clause.Child(syntax.FieldLeft)
	seq := sequence(in, over)
	for {
		v, more, known := seq()
		if !known {
			why := WhyNotIterable(in, over)
			guess(in, why, func() {
				assign(in, left, Sample(in, over))
				c.run(i + 1)
			})
			c.open = why
			return
		}
		if !more || !in.Spend(1) || len(c.items) > value.MaxItems {
			if len(c.items) > value.MaxItems {
				c.items, c.open = nil, value.Because(value.TooLong, "a list of too many items to follow")
			}
			return
		}
		assign(in, left, v)
		c.run(i + 1)
	}
}

func (c *comprehension) iteration() {
	in := c.in
	if c.dict != nil {
		key := Eval(in, c.body.Child(syntax.FieldKey))
		SetItem(in, value.Value{X: c.dict}, key, Eval(in, c.body.Child(syntax.FieldValue)))
		return
	}
	c.items = append(c.items, Eval(in, c.body))
}

// guess evaluates an expression that may run any number of times, or never.
func guess(in *value.Interp, why *value.Cause, run func()) {
	in.SpeculateOptional(why, func() value.Control { run(); return value.GoesOn })
}
