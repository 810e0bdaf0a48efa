package value

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// block runs the statements of a block.
func (in *Interp) block(b syntax.Node) control {
	if !b.Valid() {
		return next
	}
	for s := b.FirstChild(); s.Valid(); s = s.Next() {
		if how := in.exec(s); how != next {
			return how
		}
	}
	return next
}

// exec runs a statement.
func (in *Interp) exec(n syntax.Node) control {
	if n.Kind() == syntax.Comment {
		return next
	}
	if n.Tree() == in.main.info.Tree {
		in.bounds.at = n
	}
	how := next
	if in.enter() {
		how = in.statement(n)
	} else if !in.bounds.exhausted {
		in.unbind(n, Because(TooLong, "it is nested too deeply to follow"))
	}
	in.leave()
	if in.bounds.exhausted {
		return outOfBudget
	}
	return how
}

func (in *Interp) statement(n syntax.Node) control {
	switch n.Kind() {
	case syntax.IfStatement:
		return in.ifStatement(n, n.FirstChild())
	case syntax.ForStatement:
		return in.forStatement(n)
	case syntax.WhileStatement:
		return in.whileStatement(n)
	case syntax.TryStatement:
		return in.tryStatement(n)
	case syntax.WithStatement:
		return in.withStatement(n)
	case syntax.MatchStatement:
		return in.matchStatement(n)
	case syntax.FunctionDefinition:
		in.bind(n.Child(syntax.FieldName).Text(), in.function(n))
		return next
	case syntax.ClassDefinition:
		in.bind(n.Child(syntax.FieldName).Text(), in.class(n))
		return next
	case syntax.DecoratedDefinition:
		in.decorated(n)
		return next
	case syntax.Block:
		return in.block(n)
	}
	if n.HasError() {
		in.unbind(n, Because(SyntaxError, "line %d does not parse", in.line(n)).On(n))
		return next
	}
	return in.simpleStatement(n)
}

func (in *Interp) simpleStatement(n syntax.Node) control {
	switch n.Kind() {
	case syntax.ExpressionStatement:
		return in.expressionStatement(n)
	case syntax.ReturnStatement:
		in.frame.result = Value{X: None{}}
		if v := operand(n); v.Valid() {
			in.frame.result = in.Eval(v)
		}
		if in.fails(in.frame.result) {
			return raises
		}
		return returns
	case syntax.RaiseStatement:
		return raises
	case syntax.BreakStatement:
		return breaks
	case syntax.ContinueStatement:
		return continues
	case syntax.AssertStatement:
		return in.assert(n)
	case syntax.DeleteStatement:
		for c := range n.Children() {
			in.delete(c)
		}
	case syntax.GlobalStatement, syntax.NonlocalStatement:
		in.declare(n)
	case syntax.ImportStatement:
		in.imports(n)
	case syntax.ImportFromStatement:
		in.importsFrom(n)
	case syntax.TypeAliasStatement:
		name := operand(n)
		in.bind(name.Text(), in.Unknown(UnmodelledPython, "the type %s", name.Text()))
	}
	return next
}

// operand returns the first child of n that is not a comment.
func operand(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); c.Valid(); c = c.Next() {
		if c.Kind() != syntax.Comment {
			return c
		}
	}
	return syntax.Node{}
}

// exits are the calls that end the program.
var exits = map[string]bool{"sys.exit": true, "os._exit": true, "os.abort": true, "builtins.exit": true, "builtins.quit": true}

func (in *Interp) expressionStatement(n syntax.Node) control {
	e := operand(n)
	switch e.Kind() {
	case syntax.Assignment:
		return in.assignment(e)
	case syntax.AugmentedAssignment:
		in.augmented(e)
	case syntax.Call:
		if in.fails(in.Eval(e)) || in.exits(e.Child(syntax.FieldFunction)) {
			return raises
		}
	default:
		in.Eval(e)
	}
	return next
}

func (in *Interp) exits(callee syntax.Node) bool {
	text := callee.Text()
	if strings.HasSuffix(text, "exit") || strings.HasSuffix(text, "quit") || strings.HasSuffix(text, "abort") {
		if callee.Kind() == syntax.Identifier || callee.Child(syntax.FieldObject).Kind() == syntax.Identifier {
			x, ok := in.Eval(callee).X.(External)
			return ok && exits[x.Name]
		}
	}
	return false
}

// assert assumes that the asserted condition holds.
func (in *Interp) assert(n syntax.Node) control {
	if truth, known := in.Truth(in.Eval(operand(n))); known && !truth {
		return raises
	}
	return next
}

// ifStatement runs an if statement from one of its clauses on; the test is a child of
// that clause.
func (in *Interp) ifStatement(n, from syntax.Node) control {
	test, body := n.Child(syntax.FieldCondition), n.Child(syntax.FieldConsequence)
	if from.Kind() == syntax.ElifClause {
		test, body = from.Child(syntax.FieldCondition), from.Child(syntax.FieldConsequence)
	}
	v := in.Eval(test)
	if in.bounds.exhausted {
		return outOfBudget
	}
	return in.decide(test, v, func() control { return in.block(body) }, func() control {
		for c := from.Next(); c.Valid(); c = c.Next() {
			switch c.Kind() {
			case syntax.ElifClause:
				return in.ifStatement(n, c)
			case syntax.ElseClause:
				return in.block(c.Child(syntax.FieldBody))
			}
		}
		return next
	})
}

// tryStatement runs the body, the else clause and the finally clause. Handlers run only
// if the body surely raises: then one of them does.
func (in *Interp) tryStatement(n syntax.Node) control {
	outer := in.trying
	for c := range n.Children() {
		in.trying = in.trying || c.Kind() == syntax.ExceptClause
	}
	how := in.block(n.Child(syntax.FieldBody))
	in.trying = outer
	switch how {
	case next:
		for c := range n.Children() {
			if c.Kind() == syntax.ElseClause {
				how = in.block(c.Child(syntax.FieldBody))
			}
		}
	case raises:
		how = in.handle(n)
	}
	for c := n.FirstChild(); c.Valid() && how != outOfBudget; c = c.Next() {
		if c.Kind() != syntax.FinallyClause {
			continue
		}
		for b := range c.Children() {
			if b.Kind() == syntax.Block {
				result := in.frame.result
				if last := in.block(b); last != next {
					how = last
				} else {
					in.frame.result = result
				}
			}
		}
	}
	return how
}

// handle runs the handlers of a try statement after an exception; which one catches it
// is unknown.
func (in *Interp) handle(n syntax.Node) control {
	why := Because(UndecidedBranch, "it is not known which handler runs on line %d", in.line(n)).On(n)
	var ways []outcome
	for c := range n.Children() {
		if c.Kind() != syntax.ExceptClause {
			continue
		}
		more := in.speculate(func() control {
			how := next
			for part := range c.Children() {
				switch part.Kind() {
				case syntax.AsPattern:
					in.assign(operand(part.Child(syntax.FieldAlias)), in.Unknown(UnmodelledPython, "the error that is handled on line %d", in.line(c)))
				case syntax.Block:
					how = in.block(part)
				}
			}
			return how
		})
		if more[0].how == outOfBudget {
			return outOfBudget
		}
		ways = append(ways, more...)
	}
	if len(ways) == 0 {
		return raises
	}
	return in.continueWith(ways, why)
}

func (in *Interp) withStatement(n syntax.Node) control {
	var left []Object
	for clause := range n.Children() {
		if clause.Kind() != syntax.WithClause {
			continue
		}
		for item := range clause.Children() {
			if item.Kind() != syntax.WithItem {
				continue
			}
			manager, target := operand(item), syntax.Node{}
			if manager.Kind() == syntax.AsPattern {
				target = manager.Child(syntax.FieldAlias)
				manager = operand(manager)
			}
			v := in.Eval(manager)
			if x, ok := v.X.(Object); ok && in.hostMuted == 0 {
				left = append(left, x)
			}
			v = in.entered(v)
			if target.Valid() {
				in.assign(operand(target), v)
			}
		}
	}
	how := in.block(n.Child(syntax.FieldBody))
	for i := len(left) - 1; i >= 0; i-- {
		left[i].Exit(in)
	}
	return how
}

// entered returns the value that "as" binds for a context manager.
func (in *Interp) entered(v Value) Value {
	switch x := v.X.(type) {
	case *Instance:
		if _, ok := x.Class.lookup("__enter__"); ok {
			return in.CallMethod(x, "__enter__", &Args{})
		}
	case *generator: // contextlib.contextmanager
		if items, ok := in.Iterate(v); ok && len(items) > 0 {
			return items[0]
		}
		return in.Unknown(NotReached, "what %s yields", x.call.Def.Name)
	case Object:
		if bound := in.slots(x).Enter(in); bound.X != nil {
			return bound
		}
	}
	return v
}

// unbind makes the names unknown that a part of the program binds in the running code.
func (in *Interp) unbind(n syntax.Node, why *Cause) {
	f := in.frame
	for f.scope == nil {
		f = f.outer
	}
	if f.info.Tree != n.Tree() {
		return
	}
	v := why.Unknown()
	in.unbindAll(f, v, func(at syntax.Node) bool { return at.Within(n) })
	if f == f.module {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(f.elsewhere)) {
		space := f.elsewhere[name]
		for _, b := range f.info.Module.Bindings(name) {
			if space == f.module.vars && b.Node.Within(n) {
				in.set(space, name, v)
			}
		}
	}
}

// unbindAll gives a value to the names of a scope that are bound at certain nodes.
func (in *Interp) unbindAll(f *frame, v Value, there func(syntax.Node) bool) {
	names := f.scope.Names()
	in.Spend(len(names))
	for _, name := range names {
		for _, b := range f.scope.Bindings(name) {
			if there(b.Node) {
				in.bind(name, v)
				break
			}
		}
	}
}

// unbindFrom makes the names of a module unknown that it binds from one statement on.
func (in *Interp) unbindFrom(f *frame, s syntax.Node) {
	in.unbindAll(f, tooLong.Unknown(), func(at syntax.Node) bool { return at.Stmt() >= s.Stmt() })
}

// dotted returns the text of a dotted name without white space.
func dotted(n syntax.Node) string {
	return strings.Join(strings.Fields(n.Text()), "")
}
