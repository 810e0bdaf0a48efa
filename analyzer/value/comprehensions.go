package value

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// comprehension evaluates the clauses from left to right, each iteration in full.
func (in *Interp) comprehension(n syntax.Node) Value {
	var clauses []syntax.Node
	for c := range n.Children() {
		if c.Is(syntax.ForInClause, syntax.IfClause) {
			clauses = append(clauses, c)
		}
	}
	if len(clauses) == 0 || clauses[0].Kind() != syntax.ForInClause {
		return Value{}
	}
	c := comprehension{in: in, body: n.Child(syntax.FieldBody), clauses: clauses, first: in.Eval(clauses[0].Child(syntax.FieldRight))}
	if n.Kind() == syntax.DictionaryComprehension {
		c.dict = &Dict{}
	}
	old := in.frame
	in.frame = &frame{info: old.info, module: old.module, outer: old, vars: in.namespace(), self: old.self, call: old.call, comprehension: true}
	finished := in.within(maxLoopSteps, func() { c.run(0) })
	in.frame = old
	if !finished {
		c.open = Because(TooLong, "the comprehension on line %d is too long to follow", in.line(n)).On(n)
	}
	switch {
	case in.bounds.exhausted:
		return tooLong.Unknown()
	case c.dict != nil:
		c.dict.Open = c.open
		return Value{X: c.dict}
	case n.Kind() == syntax.SetComprehension:
		return in.makeSet(c.items, c.open)
	case c.open != nil:
		l := unknownList(c.open, n.Kind() == syntax.GeneratorExpression)
		l.sample, _ = (&List{Items: c.items}).widened()
		return Value{X: &l}
	}
	return Value{X: &List{Items: c.items, consumed: n.Kind() == syntax.GeneratorExpression}}
}

// A comprehension is a comprehension that is being evaluated.
type comprehension struct {
	in      *Interp
	body    syntax.Node
	clauses []syntax.Node
	first   Value // the iterable of the first clause
	items   []Value
	dict    *Dict
	open    *Cause // why there may be more items
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
		v := in.Eval(test)
		truth, known := in.Truth(v)
		if !known {
			why := in.whyTest(test, v)
			in.guess(why, func() { c.run(i + 1) })
			c.open = why
		} else if truth {
			c.run(i + 1)
		}
		return
	}
	over := c.first
	if i > 0 {
		over = in.Eval(clause.Child(syntax.FieldRight))
	}
	left := clause.Child(syntax.FieldLeft)
	seq := in.sequence(over)
	for {
		v, more, known := seq()
		if !known {
			why := in.whyNotIterable(over)
			in.guess(why, func() {
				in.assign(left, in.sample(over))
				c.run(i + 1)
			})
			c.open = why
			return
		}
		if !more || !in.Spend(1) || len(c.items) > maxItems {
			if len(c.items) > maxItems {
				c.items, c.open = nil, Because(TooLong, "a list of too many items to follow")
			}
			return
		}
		in.assign(left, v)
		c.run(i + 1)
	}
}

func (c *comprehension) iteration() {
	in := c.in
	if c.dict != nil {
		key := in.Eval(c.body.Child(syntax.FieldKey))
		in.setItem(Value{X: c.dict}, key, in.Eval(c.body.Child(syntax.FieldValue)))
		return
	}
	c.items = append(c.items, in.Eval(c.body))
}

// guess evaluates an expression that may run any number of times, or never.
func (in *Interp) guess(why *Cause, run func()) {
	in.speculateOptional(why, func() control { run(); return next })
}
