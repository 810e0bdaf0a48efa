package flow

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// block walks statements in order; it is false where what follows the block is
// never reached.
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

// statement walks one statement; it is false where the next is never reached.
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

// matchStatement walks each case as a branch of its own. What follows is reached
// unless all of them leave, and the last takes whatever comes.
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

// decorator walks a decorator, which is called with the function it decorates: a bare one
// is known by its name.
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

// verdict judges tests whose outcome is known: the guard of a script, and
// TYPE_CHECKING.
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
	broken := f.turn(n, sure, func() { f.block(n.Child(syntax.FieldBody)) })
	other := n.Child(syntax.FieldAlternative).Child(syntax.FieldBody)
	switch {
	case !other.Valid():
	case broken:
		f.branch(func() { f.block(other) })
	default:
		f.block(other)
	}
}

// tryStatement reads the body as if nothing in it raises, but for the search for a TPU, and
// a handler as if something may.
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
		f.when = f.when.inner() // what follows runs only where a handler has
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
		e := f.entered(value)
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
		case e.Effects.Has(effects.EntersGraph):
			f.context |= InGraph
		}
	}
	reached := f.block(n.Child(syntax.FieldBody))
	f.context, f.tape, f.strategy = oldContext, oldTape, oldStrategy
	return reached
}

// entered is what is known of a context manager, which may be bound to a name
// before it is entered, or nil.
func (f *frame) entered(value syntax.Node) *effects.Entry {
	made := f.info.DefiningExpr(value)
	if made.Kind() != syntax.Call {
		return nil
	}
	return f.library.Lookup(f.info.Callee(made))
}

// expression walks an expression, or a simple statement, in order of evaluation: the
// arguments of a call come before the call.
func (f *frame) expression(n syntax.Node) {
	switch n.Kind() {
	case syntax.Call:
		f.call(n)
	case syntax.Identifier, syntax.Integer, syntax.Float, syntax.Comment, syntax.Operator, syntax.Lambda,
		syntax.True, syntax.False, syntax.NoneLiteral:
		// A lambda runs where it is called.
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
	f.turn(n, runsAtLeastOnce(iterable), func() {
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
	var handed *names.Class
	if t == (names.Target{}) {
		t, handed = f.handed(function)
	}
	if t.Library != "" {
		f.external(n, t.Library)
		return
	}
	if t.Class != nil {
		if base := f.info.LibraryBase(t.Class); base != "" {
			f.external(n, base)
		}
	}
	switch {
	case t.Function != nil:
		var context Context
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
	case t.Class == nil:
		if name := f.info.Ours(function); name != "" && !f.info.TypeOf(function).Known() {
			f.unknown(n, name)
			return
		}
		if ty := f.info.TypeOf(function); ty.Known() {
			f.instance(n, ty)
		} else if handed != nil {
			f.instance(n, names.Type{Local: handed})
		} else if function.Kind() == syntax.Attribute && !f.info.TypeOf(function.Child(syntax.FieldObject)).Known() {
			method := function.Child(syntax.FieldAttribute).Text()
			if class := f.typeOf(function.Child(syntax.FieldObject)).Class; class != "" {
				f.external(n, effects.Library{}.Canonical(class+"."+method))
			} else {
				// Of an object that is not known some names say enough.
				f.external(n, anyObject+method)
			}
		}
	}
}

// anyObject stands before the name of a method of an unknown object.
const anyObject = "*."

// foreignMethod reports whether a method is of an instance whose class has a name,
// by an annotation for example, but is of no library that is known.
func (f *frame) foreignMethod(function syntax.Node) bool {
	if function.Kind() != syntax.Attribute {
		return false
	}
	object := function.Child(syntax.FieldObject)
	class := f.info.TypeOf(object).Class
	return class != "" && !strings.HasPrefix(class, "tensorflow.") && f.info.Qualified(object) == "" && effects.Lookup(f.info.Qualified(function)) == nil
}

// instance notes a call of an instance, as of a layer or a model.
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

// external notes a call of a name outside the program, and runs the function
// that it is given where the name is known to.
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

// imported is what an event says that stands for the import of a module.
var imported = &effects.Entry{Name: "import"}

// unknown notes a call of an unknown name of the program.
func (f *frame) unknown(n syntax.Node, name string) {
	e := Event{Entry: &effects.Entry{Name: name}, Node: n, order: len(f.events), when: f.when}
	f.own.unknown = append(f.own.unknown, e)
}

// event is one in the frame's present surroundings.
func (f *frame) event(n syntax.Node, e *effects.Entry) Event {
	return Event{Entry: e, Node: n, Context: f.context, Loop: f.loop, EveryTurn: f.loop.Valid() && f.when == f.turns, Tape: f.tape, Strategy: f.strategy, when: f.when}
}

// main is the module's own main, which app.run() without arguments calls.
func (f *frame) main() names.Target {
	for _, b := range f.info.Module.Bindings("main") {
		if b.Kind == names.FunctionBinding {
			return names.Target{Function: b.Func}
		}
	}
	return names.Target{}
}

// local reports whether a name that nothing is known of may be of the program's
// own project: an import with leading dots is.
func local(name string) bool { return strings.HasPrefix(name, ".") }
