package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// block walks statements in order. It reports false if what follows the block is never reached.
func (f *frame) block(n syntax.Node) bool {
	if !n.Valid() {
		return true
	}
	for s := range n.Children() {
		if !f.statement(s) {
			return false
		}
	}
	return true
}

// statement walks one statement. It reports false if the next is never reached.
func (f *frame) statement(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ImportStatement, syntax.ImportFromStatement:
		for _, m := range f.info.Runs(n) {
			e := f.event(n, imported)
			e.module = m
			f.emit(e)
		}
	case syntax.Comment, syntax.FutureImportStatement, syntax.PassStatement, syntax.GlobalStatement, syntax.NonlocalStatement:
	case syntax.FunctionDefinition:
		f.defaults(n)
	case syntax.ClassDefinition:
		if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
			f.expression(bases)
		}
		f.block(n.Child(syntax.FieldBody))
	case syntax.DecoratedDefinition:
		for c := range n.Children() {
			if c.Kind() == syntax.Decorator {
				f.decorator(c)
			} else {
				f.statement(c)
			}
		}
	case syntax.IfStatement:
		return f.ifStatement(n)
	case syntax.ForStatement:
		over := n.Child(syntax.FieldRight)
		f.expression(over)
		f.onIterable(over, "__iter__")
		f.iterate(n, runsAtLeastOnce(over))
	case syntax.WhileStatement:
		test := n.Child(syntax.FieldCondition)
		f.expression(test)
		f.iterate(n, test.Kind() == syntax.True || test.Text() == "1")
	case syntax.TryStatement:
		return f.tryStatement(n)
	case syntax.WithStatement:
		return f.withStatement(n)
	case syntax.MatchStatement:
		return f.matchStatement(n)
	case syntax.Block:
		return f.block(n)
	case syntax.RaiseStatement:
		f.expression(n)
		return false
	case syntax.ReturnStatement:
		f.expression(n)
		f.left |= byReturn
		return false
	case syntax.BreakStatement:
		f.left |= byBreak
		return false
	case syntax.ContinueStatement:
		f.left |= byContinue
		return false
	default:
		f.expression(n)
		return !names.Exits(n)
	}
	return true
}

// matchStatement walks each case as a branch of its own. What follows is reached unless all of
// them leave, and the last matches everything.
func (f *frame) matchStatement(n syntax.Node) bool {
	f.expression(n.Child(syntax.FieldSubject))
	reached, covered := false, false
	for c := range n.Child(syntax.FieldBody).Children() {
		if c.Kind() != syntax.CaseClause {
			continue
		}
		guard := c.Child(syntax.FieldGuard)
		covered = !guard.Valid() && c.FirstChild().Kind() == syntax.CasePattern && c.FirstChild().Text() == "_"
		f.branch(func() {
			if guard.Valid() {
				f.expression(guard)
			}
			reached = f.block(c.Child(syntax.FieldConsequence)) || reached
		})
	}
	return reached || !covered
}

// decorator walks a decorator. It is called with the function that it decorates; a bare one is
// known by its name.
func (f *frame) decorator(n syntax.Node) {
	f.expression(n)
	if d := n.FirstChild(); d.Is(syntax.Identifier, syntax.Attribute) {
		if e := effects.Lookup(f.info.Qualified(d)); e != nil && e.Effects != 0 {
			f.emit(f.event(d, e))
		}
	}
}

func (f *frame) defaults(n syntax.Node) {
	for p := range n.Child(syntax.FieldParameters).Children() {
		if v := p.Child(syntax.FieldValue); v.Valid() {
			f.expression(v)
		}
	}
}

func (f *frame) ifStatement(n syntax.Node) bool {
	test := n.Child(syntax.FieldCondition)
	f.expression(test)
	reached := false
	body := n.Child(syntax.FieldConsequence)
	verdict := f.verdict(test)
	switch verdict {
	case names.Always:
		return f.block(body)
	case names.Maybe:
		switch f.withoutTPU(test) {
		case names.Always:
			f.onTPU(func() {
				for c := range n.Children() {
					if c.Field() == syntax.FieldAlternative {
						f.block(c.Child(syntax.FieldBody))
						f.block(c.Child(syntax.FieldConsequence))
					}
				}
			})
			return f.block(body)
		case names.Never:
			f.onTPU(func() { f.block(body) })
			verdict = names.Never
		case names.Maybe:
			if f.perhapsOnTPU(func() { f.branchOf(body, func() { reached = f.block(body) }) }) {
				verdict = names.Never
			}
		}
	}
	if verdict == names.Never {
		reached = true
	}
	covered := false
	for c := range n.Children() {
		if c.Field() != syntax.FieldAlternative {
			continue
		}
		if verdict == names.Never && c.Kind() == syntax.ElseClause {
			return f.block(c.Child(syntax.FieldBody))
		}
		if c.Kind() == syntax.ElifClause {
			verdict = names.Maybe
		}
		if c.Kind() == syntax.ElifClause {
			block := c.Child(syntax.FieldConsequence)
			f.perhapsOnTPU(func() {
				f.branchOf(block, func() {
					f.expression(c.Child(syntax.FieldCondition))
					reached = f.block(block) || reached
				})
			})
			continue
		}
		covered = true
		block := c.Child(syntax.FieldBody)
		f.perhapsOnTPU(func() { f.branchOf(block, func() { reached = f.block(block) || reached }) })
	}
	return reached || !covered
}

// verdict evaluates tests with a known outcome: constants, the guard of a script, and
// TYPE_CHECKING.
func (f *frame) verdict(test syntax.Node) names.Verdict {
	return names.Decide(test, func(n syntax.Node) names.Verdict {
		switch {
		case n.Is(syntax.Identifier, syntax.Attribute):
			if f.info.Qualified(n) == "typing.TYPE_CHECKING" {
				return names.Never
			}
		case n.Kind() == syntax.ComparisonOperator && IsMainGuard(n):
			f.own.main = true
			if f.info != f.root {
				return names.Never
			}
			f.program.Script = true
			return names.Always
		}
		return names.Maybe
	})
}

// IsMainGuard reports whether a test is __name__ == "__main__", in one of the ways to write it.
func IsMainGuard(test syntax.Node) bool {
	test = unwrapped(test)
	if test.Kind() != syntax.ComparisonOperator {
		return false
	}
	operator, name, main, several := "", false, false, false
	for c := range test.Children() {
		switch c = unwrapped(c); c.Kind() {
		case syntax.Operator:
			operator += c.Text()
		case syntax.Identifier:
			name = c.Text() == "__name__"
		case syntax.String:
			text, _ := names.StringValue(c)
			main = text == "__main__"
		case syntax.Tuple, syntax.List, syntax.Set:
			for item := range c.Children() {
				text, _ := names.StringValue(item)
				main = main || text == "__main__"
			}
			several = true
		default:
			return false
		}
	}
	return name && main && (operator == "==" && !several || operator == "in" && several)
}

// IsOfMain reports whether a test is false where the module is imported: a main guard, and whatever
// else it asks for.
func IsOfMain(test syntax.Node) bool {
	test = unwrapped(test)
	if test.Kind() == syntax.BooleanOperator && test.Child(syntax.FieldOperator).Text() == "and" {
		return IsOfMain(test.Child(syntax.FieldLeft)) || IsOfMain(test.Child(syntax.FieldRight))
	}
	return IsMainGuard(test)
}

// unwrapped returns what is within parentheses.
func unwrapped(n syntax.Node) syntax.Node {
	for n.Kind() == syntax.ParenthesizedExpression {
		n = n.FirstChild()
	}
	return n
}

// runsAtLeastOnce reports whether a loop over the expression surely has an iteration.
func runsAtLeastOnce(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.List, syntax.Tuple, syntax.ExpressionList:
		return n.FirstChild().Valid() && n.FirstChild().Kind() != syntax.ListSplat
	case syntax.Call:
		function, first := n.Child(syntax.FieldFunction).Text(), names.Element(n.Child(syntax.FieldArguments), 0)
		switch function {
		case "range":
			return first.Kind() == syntax.Integer && first.Text() != "0" || first.Is(syntax.Identifier, syntax.Attribute)
		case "enumerate", "tqdm", "reversed", "list", "trange":
			return runsAtLeastOnce(first)
		}
	}
	return false
}

func (f *frame) iterate(n syntax.Node, sure bool) {
	broken := f.runIteration(n, sure, func() {
		f.onIterable(n.Child(syntax.FieldRight), "__next__", "__getitem__")
		f.block(n.Child(syntax.FieldBody))
	})
	other := n.Child(syntax.FieldAlternative).Child(syntax.FieldBody)
	switch {
	case !other.Valid():
	case broken:
		f.branch(func() { f.block(other) })
	default:
		f.block(other)
	}
}

// onIterable adds the effects of the first of some methods that the program's own objects have over
// which a loop iterates, also through enumerate, zip or a progress bar.
func (f *frame) onIterable(over syntax.Node, methods ...string) {
	if over.Kind() == syntax.Call {
		switch over.Child(syntax.FieldFunction).Text() {
		case "enumerate", "zip", "tqdm", "tqdm.tqdm":
			for argument := range over.Child(syntax.FieldArguments).Children() {
				f.onIterable(argument, methods...)
			}
			return
		}
	}
	if !over.Is(syntax.Identifier, syntax.Attribute, syntax.Call) {
		return
	}
	class := f.typeOf(over).Local
	if class == nil {
		return
	}
	for _, name := range methods {
		if method := f.info.Method(class, name); method != nil {
			f.inline(over, f.onClass(method, class), 0)
			return
		}
	}
}

// tryStatement walks the body as if nothing in it raises, except for the search for a TPU, and a
// handler as if something may.
func (f *frame) tryStatement(n syntax.Node) bool {
	body, reached, handled := n.Child(syntax.FieldBody), false, false
	var sure syntax.Node // the handler that runs on a machine with GPUs
	if handler := fallback(n); handler.Valid() {
		if f.perhapsOnTPU(func() {
			if reached = f.block(body); f.tpu {
				for c := range n.Children() {
					if c.Kind() == syntax.ElseClause {
						f.block(c.Child(syntax.FieldBody))
					}
				}
			}
		}) {
			sure, reached = handler, false
		}
	} else {
		reached = f.block(body)
	}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.ExceptClause:
			if c == sure {
				reached = f.block(names.Last(c))
				continue
			}
			f.branch(func() {
				f.with(InHandler, func() {
					for s := range c.Children() {
						if s.Kind() == syntax.Block {
							handled = f.block(s) || handled
						}
					}
				})
			})
		case syntax.ElseClause:
			reached = reached && (sure.Valid() || f.block(c.Child(syntax.FieldBody)))
		case syntax.FinallyClause:
			for s := range c.Children() {
				if s.Kind() == syntax.Block && !f.block(s) {
					return false
				}
			}
		}
	}
	if !reached && handled {
		f.when = f.when.inner() // what follows runs only if a handler has
	}
	return reached || handled
}

func (f *frame) withStatement(n syntax.Node) bool {
	oldContext, oldTape, oldStrategy := f.context, f.tape, f.strategy
	for item := range n.FirstChild().Children() {
		f.expression(item)
		value := item.Child(syntax.FieldValue)
		if value.Kind() == syntax.AsPattern {
			value = value.FirstChild()
		}
		made := f.info.DefiningExpr(value) // it may be bound to a name before it is entered
		if made.Kind() != syntax.Call {
			continue
		}
		e := f.library.Lookup(f.info.Callee(made))
		if e == nil {
			continue
		}
		switch {
		case e.Effects.Has(effects.StartsTape):
			f.context |= InTape
			f.tape = n
		case e.Effects.Has(effects.EntersStrategy):
			f.context |= InStrategy
			f.strategy = n
		case e.Effects.Has(effects.EntersGraph), e.Effects.Has(effects.OpensSession) && f.hasGraph(made):
			f.context |= InGraph | OwnGraph
		}
	}
	reached := f.block(n.Child(syntax.FieldBody))
	f.context, f.tape, f.strategy = oldContext, oldTape, oldStrategy
	return reached
}

// hasGraph reports whether a session is given a graph, which entering the session makes the
// default one.
func (f *frame) hasGraph(session syntax.Node) bool {
	graph := names.Argument(session, 1, "graph")
	return f.info.InstanceOf(graph, "tensorflow.Graph") || f.info.InstanceOf(graph, "tensorflow.compat.v1.Graph")
}
