package flow

import (
	"strings"

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
		f.expression(n.Child(syntax.FieldRight))
		f.iterate(n, runsAtLeastOnce(n.Child(syntax.FieldRight)))
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
		switch f.asksForTPU(test) {
		case names.Never: // as on a machine with GPUs
			f.onTPU(func() {
				for c := range n.Children() {
					if c.Field() == syntax.FieldAlternative {
						f.block(c.Child(syntax.FieldBody))
						f.block(c.Child(syntax.FieldConsequence))
					}
				}
			})
			return f.block(body)
		case names.Always:
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

// verdict evaluates tests with a known outcome: the guard of a script, and TYPE_CHECKING.
func (f *frame) verdict(test syntax.Node) names.Verdict {
	switch test.Kind() {
	case syntax.True:
		return names.Always
	case syntax.False:
		return names.Never
	case syntax.ParenthesizedExpression:
		return f.verdict(test.FirstChild())
	case syntax.Identifier, syntax.Attribute:
		if q := f.info.Qualified(test); q == "typing.TYPE_CHECKING" {
			return names.Never
		}
	case syntax.BooleanOperator:
		if test.Child(syntax.FieldOperator).Text() != "and" {
			return names.Maybe
		}
		return f.verdict(test.Child(syntax.FieldLeft)).And(f.verdict(test.Child(syntax.FieldRight)))
	case syntax.ComparisonOperator:
		if IsMainGuard(test) {
			f.own.main = true
			if f.info != f.root {
				return names.Never
			}
			f.program.Script = true
			return names.Always
		}
	}
	return names.Maybe
}

// IsMainGuard reports whether a test is __name__ == "__main__".
func IsMainGuard(test syntax.Node) bool {
	var parts []string
	for c := range test.Children() {
		switch c.Kind() {
		case syntax.Identifier, syntax.Operator:
			parts = append(parts, c.Text())
		case syntax.String:
			s, _ := names.StringValue(c)
			parts = append(parts, s)
		}
	}
	switch strings.Join(parts, " ") {
	case "__name__ == __main__", "__main__ == __name__":
		return true
	}
	return false
}

// runsAtLeastOnce reports whether a loop over the expression surely has an iteration.
func runsAtLeastOnce(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.List, syntax.Tuple, syntax.ExpressionList:
		return n.FirstChild().Valid()
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
	broken := f.runIteration(n, sure, func() { f.block(n.Child(syntax.FieldBody)) })
	other := n.Child(syntax.FieldAlternative).Child(syntax.FieldBody)
	switch {
	case !other.Valid():
	case broken:
		f.branch(func() { f.block(other) })
	default:
		f.block(other)
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
			f.context |= InGraph
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

// expression walks an expression, or a simple statement, in order of evaluation: the arguments of
// a call come before the call.
func (f *frame) expression(n syntax.Node) {
	switch n.Kind() {
	case syntax.Call:
		f.call(n)
	case syntax.Identifier, syntax.Integer, syntax.Float, syntax.Comment, syntax.Operator, syntax.Lambda,
		syntax.True, syntax.False, syntax.NoneLiteral:
		// A lambda runs when it is called.
	case syntax.String:
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			f.expression(c)
		}
	case syntax.Assignment, syntax.AugmentedAssignment:
		if right := n.Child(syntax.FieldRight); right.Valid() {
			f.expression(right)
		}
		f.expression(n.Child(syntax.FieldLeft))
		f.assigned(n)
	case syntax.BooleanOperator:
		f.expression(n.Child(syntax.FieldLeft))
		f.branch(func() { f.expression(n.Child(syntax.FieldRight)) })
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		test := value.Next()
		f.expression(test)
		if f.perhapsOnTPU(func() { f.branch(func() { f.expression(value) }) }) {
			f.expression(test.Next())
		} else {
			f.perhapsOnTPU(func() { f.branch(func() { f.expression(test.Next()) }) })
		}
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		f.comprehension(n)
	default:
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			f.expression(c)
		}
	}
}

// comprehension walks the first iterable once, and the rest as the body of a
// loop.
func (f *frame) comprehension(n syntax.Node) {
	body := n.Child(syntax.FieldBody)
	first := body.Next()
	for first.Valid() && first.Kind() != syntax.ForInClause {
		first = first.Next()
	}
	if !first.Valid() {
		return
	}
	iterable := first.Child(syntax.FieldRight)
	f.expression(iterable)
	f.runIteration(n, runsAtLeastOnce(iterable), func() {
		for c := first.Next(); c.Valid(); c = c.Next() {
			sure := false
			if c.Kind() == syntax.ForInClause {
				f.expression(c.Child(syntax.FieldRight))
				sure = runsAtLeastOnce(c.Child(syntax.FieldRight))
			} else {
				f.expression(c)
			}
			if !sure {
				f.when = f.when.inner()
			}
		}
		f.expression(body)
	})
}

func (f *frame) call(n syntax.Node) {
	function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
	f.expression(function)
	f.expression(arguments)
	if q := f.info.Qualified(function); q != "" {
		if f.foreignMethod(function) {
			q = anyObject + function.Child(syntax.FieldAttribute).Text()
		}
		f.external(n, q)
		return
	}
	t := f.info.Target(function)
	if t == (names.Target{}) {
		t = f.handed(function)
	}
	if known(t) {
		f.run(n, t, 0)
		return
	}
	object := f.typeOf(function)
	if !object.Known() {
		if targets := f.choices(function); len(targets) > 0 {
			f.runOne(n, targets)
			return
		}
	}
	switch name := f.info.Ours(function); {
	case name != "" && !f.info.TypeOf(function).Known():
		f.unknown(n, name)
	case object.Known():
		f.instance(n, object)
	case function.Kind() == syntax.Attribute && !f.info.TypeOf(function.Child(syntax.FieldObject)).Known():
		method := function.Child(syntax.FieldAttribute).Text()
		if class := f.typeOf(function.Child(syntax.FieldObject)).Class; class != "" {
			f.external(n, effects.Library{}.Canonical(class+"."+method))
		} else {
			// For an unknown object, some method names are enough.
			f.external(n, anyObject+method)
		}
	}
}

// known reports whether a target says what runs, and not only how.
func known(t names.Target) bool { return t.Function != nil || t.Class != nil || t.Library != "" }

// run adds the effects of calling a target.
func (f *frame) run(n syntax.Node, t names.Target, context Context) {
	if t.Library != "" {
		f.external(n, t.Library)
		return
	}
	if t.Class != nil {
		if base := f.info.LibraryBase(t.Class); base != "" {
			f.external(n, base)
		}
	}
	if t.Function == nil {
		return
	}
	if t.Compiled {
		context |= Compiled
	}
	if t.Wrapped {
		context |= Uncertain
	}
	compiled, _ := t.Function.CompiledBy()
	f.inline(n, t.Function, context)
	if t.Compiled || compiled {
		f.external(n, "tensorflow.function.__call__")
	}
}

// anyObject precedes the method name of an unknown object.
const anyObject = "*."

// foreignMethod reports whether a method belongs to an instance of a named class, by an
// annotation for example, of no known library. It also does so for an attribute of an instance of
// the program's own classes that gets its value elsewhere.
func (f *frame) foreignMethod(function syntax.Node) bool {
	if function.Kind() != syntax.Attribute || effects.Lookup(f.info.Qualified(function)) != nil {
		return false
	}
	object := function.Child(syntax.FieldObject)
	if class := f.info.TypeOf(object).Class; class != "" {
		return !strings.HasPrefix(class, "tensorflow.") && f.info.Qualified(object) == ""
	}
	return object.Kind() == syntax.Attribute && f.info.TypeOf(object.Child(syntax.FieldObject)).Local != nil
}

// instance records a call of an instance, such as a layer or a model.
func (f *frame) instance(n syntax.Node, t names.Type) {
	switch {
	case t.Class != "":
		f.external(n, effects.Library{}.Canonical(t.Class+".__call__"))
	case t.Local != nil:
		for _, name := range []string{"__call__", "call"} {
			if m := f.info.Method(t.Local, name); m != nil {
				f.inline(n, m, 0)
				break
			}
		}
		if base := f.info.LibraryBase(t.Local); base != "" {
			f.external(n, effects.Library{}.Canonical(base+".__call__"))
		}
	}
}

// external records a call of a name outside the program, and runs the function passed to it if
// the name is known to call it.
func (f *frame) external(n syntax.Node, name string) {
	e := f.library.Lookup(name)
	if e == nil {
		if local(name) {
			f.unknown(n, name)
		}
		return
	}
	var worker *names.Function
	if e.Runs != "" {
		argument := names.Argument(n, e.Position, e.Runs)
		var t names.Target
		if argument.Valid() && argument.Kind() != syntax.NoneLiteral {
			t = f.info.Target(argument)
		} else if e.Runs == "main" {
			t = f.main()
		}
		if t.Function != nil && e.Spawned {
			worker = t.Function
		} else if t.Function != nil {
			context := Context(0)
			if e.Traced || t.Compiled {
				context |= Compiled
			}
			f.inline(n, t.Function, context)
		}
		if e.Runs == "main" {
			f.own.main = true
			if f.info == f.root {
				f.program.Script = true
			}
		}
	}
	switch {
	case e.Effects.Has(effects.SetsEnvironment):
		f.setsEnvironment(n, e)
	case e.Nonzero != "", e.Built != "":
		f.emit(f.event(n, f.given(n, e)))
	case e.Effects.Has(effects.StartsWorkers | effects.GivesWork | effects.SetsStartMethod):
		f.workers(n, e, worker)
	case e.Effects != 0:
		f.emit(f.event(n, e))
	}
}

// imported is the entry of an event for the import of a module.
var imported = &effects.Entry{Name: "import"}

// unknown records a call of an unknown name of the program.
func (f *frame) unknown(n syntax.Node, name string) {
	e := Event{Entry: &effects.Entry{Name: name}, Node: n, order: len(f.events), when: f.when}
	f.own.unknown = append(f.own.unknown, e)
}

// event returns an event with the frame's current conditions and context.
func (f *frame) event(n syntax.Node, e *effects.Entry) Event {
	return Event{Entry: e, Node: n, Context: f.context, Loop: f.loop, EveryIteration: f.loop.Valid() && f.when == f.iteration, Tape: f.tape, Strategy: f.strategy, when: f.when}
}

// main returns the module's own main, which app.run() without arguments calls.
func (f *frame) main() names.Target {
	for _, b := range f.info.Module.Bindings("main") {
		if b.Kind == names.FunctionBinding {
			return names.Target{Function: b.Func}
		}
	}
	return names.Target{}
}

// local reports whether an unknown name may belong to the program's own project: an import with
// leading dots does.
func local(name string) bool { return strings.HasPrefix(name, ".") }
