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
	case syntax.Comment, syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement,
		syntax.PassStatement, syntax.GlobalStatement, syntax.NonlocalStatement:
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
				f.expression(c)
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
		f.expression(n.Child(syntax.FieldSubject))
		for c := range n.Children() {
			f.cases(c)
		}
	case syntax.Block:
		return f.block(n)
	case syntax.ReturnStatement, syntax.RaiseStatement:
		f.expression(n)
		return false
	case syntax.BreakStatement, syntax.ContinueStatement:
		return false
	default:
		f.expression(n)
		return !exits(n)
	}
	return true
}

// exits tells whether a statement ends the process.
func exits(n syntax.Node) bool {
	call := n.FirstChild()
	if n.Kind() != syntax.ExpressionStatement || call.Kind() != syntax.Call {
		return false
	}
	switch call.Child(syntax.FieldFunction).Text() {
	case "sys.exit", "exit", "quit", "os._exit":
		return true
	}
	return false
}

func (f *frame) cases(n syntax.Node) {
	if n.Kind() == syntax.Block {
		f.block(n)
		return
	}
	if n.Kind() == syntax.CaseClause {
		f.branch(func() {
			if body := n.Child(syntax.FieldConsequence); body.Valid() {
				f.block(body)
			}
		})
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
	switch verdict := f.verdict(test); verdict {
	case always:
		return f.block(body)
	case unless:
		f.branch(func() { reached = f.block(body) })
	case never:
		reached = true
	}
	covered := false
	for c := range n.Children() {
		if c.Field() != syntax.FieldAlternative {
			continue
		}
		f.branch(func() {
			if c.Kind() == syntax.ElifClause {
				f.expression(c.Child(syntax.FieldCondition))
				reached = f.block(c.Child(syntax.FieldConsequence)) || reached
				return
			}
			covered = true
			reached = f.block(c.Child(syntax.FieldBody)) || reached
		})
	}
	return reached || !covered
}

type verdict uint8

const (
	unless verdict = iota
	always
	never
)

// verdict judges tests whose outcome is known: the guard of a script, and
// TYPE_CHECKING.
func (f *frame) verdict(test syntax.Node) verdict {
	switch test.Kind() {
	case syntax.True:
		return always
	case syntax.False:
		return never
	case syntax.ParenthesizedExpression:
		return f.verdict(test.FirstChild())
	case syntax.Identifier, syntax.Attribute:
		if q := f.info.Qualified(test); q == "typing.TYPE_CHECKING" {
			return never
		}
	case syntax.ComparisonOperator:
		if IsMainGuard(test) {
			f.program.Script = true
			return always
		}
	}
	return unless
}

// IsMainGuard tells whether a test is __name__ == "__main__".
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

// runsAtLeastOnce tells whether a loop over the expression surely has a turn.
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
	oldLoop := f.loop
	f.loop = n
	body := func() {
		f.with(InLoop, func() { f.block(n.Child(syntax.FieldBody)) })
	}
	if sure {
		body()
	} else {
		f.branch(body)
	}
	f.loop = oldLoop
	if other := n.Child(syntax.FieldAlternative); other.Valid() {
		f.block(other.Child(syntax.FieldBody))
	}
}

func (f *frame) tryStatement(n syntax.Node) bool {
	reached := f.block(n.Child(syntax.FieldBody))
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.ExceptClause:
			f.branch(func() {
				f.with(InHandler, func() {
					for s := range c.Children() {
						if s.Kind() == syntax.Block {
							reached = f.block(s) || reached
						}
					}
				})
			})
		case syntax.ElseClause:
			f.block(c.Child(syntax.FieldBody))
		case syntax.FinallyClause:
			for s := range c.Children() {
				if s.Kind() == syntax.Block {
					f.block(s)
				}
			}
		}
	}
	return reached
}

func (f *frame) withStatement(n syntax.Node) bool {
	oldContext, oldTape := f.context, f.tape
	for item := range n.FirstChild().Children() {
		f.expression(item)
		value := item.Child(syntax.FieldValue)
		if value.Kind() == syntax.AsPattern {
			value = value.FirstChild()
		}
		if value.Kind() != syntax.Call {
			continue
		}
		e := effects.Lookup(f.info.Callee(value))
		if e == nil {
			continue
		}
		switch {
		case e.Effects.Has(effects.StartsTape):
			f.context |= InTape
			f.tape = n
		case e.Effects.Has(effects.EntersStrategy):
			f.context |= InStrategy
		case e.Effects.Has(effects.EntersGraph):
			f.context |= InGraph
		}
	}
	reached := f.block(n.Child(syntax.FieldBody))
	f.context, f.tape = oldContext, oldTape
	return reached
}

// expression walks an expression, or a simple statement, in order of
// evaluation: what a call is given comes before the call.
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
		f.branch(func() { f.expression(value) })
		f.branch(func() { f.expression(test.Next()) })
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		f.comprehension(n)
	default:
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			f.expression(c)
		}
	}
}

func (f *frame) comprehension(n syntax.Node) {
	first := true
	sure := false
	for c := range n.Children() {
		if c.Kind() == syntax.ForInClause && first {
			f.expression(c.Child(syntax.FieldRight))
			sure, first = runsAtLeastOnce(c.Child(syntax.FieldRight)), false
		}
	}
	body := func() {
		f.with(InLoop, func() {
			for c := range n.Children() {
				f.expression(c)
			}
		})
	}
	if sure {
		body()
	} else {
		f.branch(body)
	}
}

func (f *frame) call(n syntax.Node) {
	function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
	f.expression(function)
	f.expression(arguments)
	if q := f.info.Qualified(function); q != "" {
		f.external(n, q)
		return
	}
	t := f.info.Target(function)
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
		if ty := f.info.TypeOf(function); ty.Known() {
			f.instance(n, ty)
		} else if function.Kind() == syntax.Attribute && !f.info.TypeOf(function.Child(syntax.FieldObject)).Known() {
			// A method of an object that is not known: some names say enough.
			f.external(n, "*."+function.Child(syntax.FieldAttribute).Text())
		}
	}
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
	e := effects.Lookup(name)
	if e == nil {
		if local(name) {
			f.program.Unknown = append(f.program.Unknown, Event{Entry: &effects.Entry{Name: name}, Node: n, order: len(f.events), when: f.when})
		}
		return
	}
	if e.Runs != "" {
		argument := names.Argument(n, e.Position, e.Runs)
		var t names.Target
		if argument.Valid() {
			t = f.info.Target(argument)
		} else if e.Runs == "main" {
			t = f.main(n)
		}
		if t.Function != nil {
			context := Context(0)
			if e.Traced || t.Compiled {
				context |= Compiled
			}
			f.inline(n, t.Function, context)
		}
		if e.Runs == "main" {
			f.program.Script = true
		}
	}
	switch {
	case e.Effects.Has(effects.SetsEnvironment):
		f.setsEnvironment(n, e)
	case e.Effects != 0:
		f.emit(f.event(n, e))
	}
}

// event is one in the frame's present surroundings.
func (f *frame) event(n syntax.Node, e *effects.Entry) Event {
	return Event{Entry: e, Node: n, Context: f.context, Loop: f.loop, Tape: f.tape, when: f.when}
}

// main is the module's own main, which app.run() without arguments calls.
func (f *frame) main(call syntax.Node) names.Target {
	for _, b := range f.info.Module.Bindings("main") {
		if b.Kind == names.FunctionBinding {
			return names.Target{Function: b.Func}
		}
	}
	return names.Target{}
}

// local tells whether a name that nothing is known of may be of the program's
// own project: an import with leading dots is.
func local(name string) bool { return strings.HasPrefix(name, ".") }
