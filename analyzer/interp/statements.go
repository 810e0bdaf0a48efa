package interp

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// block runs the statements of a block.
func block(in *value.Interp, b syntax.Node) value.Control {
	if !b.Valid() {
		return value.GoesOn
	}
	for s := b.FirstChild(); s.Valid(); s = s.Next() {
		if how := exec(in, s); how != value.GoesOn {
			return how
		}
	}
	return value.GoesOn
}

// exec runs a statement.
func exec(in *value.Interp, n syntax.Node) value.Control {
	if n.Kind() == syntax.Comment {
		return value.GoesOn
	}
	if n.Tree() == in.Main.Info.Tree {
		in.Bounds.At = n
	}
	how := value.GoesOn
	if in.Enter() {
		how = statement(in, n)
	} else if !in.Bounds.Exhausted {
		unbind(in, n, value.Because(value.TooLong, "it is nested too deeply to follow"))
	}
	in.Leave()
	if in.Bounds.Exhausted {
		return value.OutOfBudget
	}
	return how
}

func statement(in *value.Interp, n syntax.Node) value.Control {
	switch n.Kind() {
	case syntax.IfStatement:
		return ifStatement(in, n, n.FirstChild())
	case syntax.ForStatement:
		return forStatement(in, n)
	case syntax.WhileStatement:
		return whileStatement(in, n)
	case syntax.TryStatement:
		return tryStatement(in, n)
	case syntax.WithStatement:
		return withStatement(in, n)
	case syntax.MatchStatement:
		return matchStatement(in, n)
	case syntax.FunctionDefinition:
		in.Bind(n.Child(syntax.FieldName).Text(), function(in, n))
		return value.GoesOn
	case syntax.ClassDefinition:
		in.Bind(n.Child(syntax.FieldName).Text(), class(in, n))
		return value.GoesOn
	case syntax.DecoratedDefinition:
		decorated(in, n)
		return value.GoesOn
	case syntax.Block:
		return block(in, n)
	}
	if n.HasError() {
		unbind(in, n, value.Because(value.SyntaxError, "line %d does not parse", in.Line(n)).On(n))
		return value.GoesOn
	}
	return simpleStatement(in, n)
}

func simpleStatement(in *value.Interp, n syntax.Node) value.Control {
	switch n.Kind() {
	case syntax.ExpressionStatement:
		return expressionStatement(in, n)
	case syntax.ReturnStatement:
		in.Frame.Result = value.Value{X: value.None{}}
		if v := operand(n); v.Valid() {
			in.Frame.Result = Eval(in, v)
			if !in.Hints.Silent(in.Info()) {
				in.Frame.Result = in.Said(in.Hints.On(in.Info(), in.Line(n), n, syntax.Node{}), v, in.Frame.Result)
			}
		}
		if in.Fails(in.Frame.Result) {
			return value.Throws
		}
		return value.Returns
	case syntax.RaiseStatement:
		return value.Throws
	case syntax.BreakStatement:
		return value.Breaks
	case syntax.ContinueStatement:
		return value.Continues
	case syntax.AssertStatement:
		return assert(in, n)
	case syntax.DeleteStatement:
		for c := range n.Children() {
			deleteStatement(in, c)
		}
	case syntax.GlobalStatement, syntax.NonlocalStatement:
		in.Declare(n)
	case syntax.ImportStatement:
		imports(in, n)
	case syntax.ImportFromStatement:
		importsFrom(in, n)
	case syntax.TypeAliasStatement:
		name := operand(n)
		in.Bind(name.Text(), in.Unknown(value.UnmodelledPython, "the type %s", name.Text()))
	}
	return value.GoesOn
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

func expressionStatement(in *value.Interp, n syntax.Node) value.Control {
	e := operand(n)
	switch e.Kind() {
	case syntax.Assignment:
		return assignment(in, e)
	case syntax.AugmentedAssignment:
		augmented(in, e)
	case syntax.Call:
		if in.Fails(Eval(in, e)) || endsProgram(in, e.Child(syntax.FieldFunction)) {
			return value.Throws
		}
	default:
		Eval(in, e)
	}
	return value.GoesOn
}

func endsProgram(in *value.Interp, callee syntax.Node) bool {
	text := callee.Text()
	if strings.HasSuffix(text, "exit") || strings.HasSuffix(text, "quit") || strings.HasSuffix(text, "abort") {
		if callee.Kind() == syntax.Identifier || callee.Child(syntax.FieldObject).Kind() == syntax.Identifier {
			x, ok := Eval(in, callee).X.(value.External)
			return ok && exits[x.Name]
		}
	}
	return false
}

// assert assumes that the asserted condition holds.
func assert(in *value.Interp, n syntax.Node) value.Control {
	if truth, known := Truth(in, Eval(in, operand(n))); known && !truth {
		return value.Throws
	}
	return value.GoesOn
}

// ifStatement runs an if statement from one of its clauses on; the test is a child of
// that clause.
func ifStatement(in *value.Interp, n, from syntax.Node) value.Control {
	test, body := n.Child(syntax.FieldCondition), n.Child(syntax.FieldConsequence)
	if from.Kind() == syntax.ElifClause {
		test, body = from.Child(syntax.FieldCondition), from.Child(syntax.FieldConsequence)
	}
	v := Eval(in, test)
	if in.Bounds.Exhausted {
		return value.OutOfBudget
	}
	return decide(in, test, v, func() value.Control { return block(in, body) }, func() value.Control {
		for c := from.Next(); c.Valid(); c = c.Next() {
			switch c.Kind() {
			case syntax.ElifClause:
				return ifStatement(in, n, c)
			case syntax.ElseClause:
				return block(in, c.Child(syntax.FieldBody))
			}
		}
		return value.GoesOn
	})
}

// tryStatement runs the body, the else clause and the finally clause. Handlers run only
// if the body surely raises: then one of them does.
func tryStatement(in *value.Interp, n syntax.Node) value.Control {
	outer, within := in.Trying, in.Skippable
	for c := range n.Children() {
		if c.Kind() == syntax.ExceptClause {
			in.Trying, in.Skippable = true, true
		}
	}
	how := block(in, n.Child(syntax.FieldBody))
	in.Trying, in.Skippable = outer, within
	switch how {
	case value.GoesOn:
		for c := range n.Children() {
			if c.Kind() == syntax.ElseClause {
				how = block(in, c.Child(syntax.FieldBody))
			}
		}
	case value.Throws:
		how = handle(in, n)
	}
	for c := n.FirstChild(); c.Valid() && how != value.OutOfBudget; c = c.Next() {
		if c.Kind() != syntax.FinallyClause {
			continue
		}
		for b := range c.Children() {
			if b.Kind() == syntax.Block {
				result := in.Frame.Result
				if last := block(in, b); last != value.GoesOn {
					how = last
				} else {
					in.Frame.Result = result
				}
			}
		}
	}
	return how
}

// handle runs the handlers of a try statement after an exception; which one catches it
// is unknown.
func handle(in *value.Interp, n syntax.Node) value.Control {
	why := value.Because(value.UndecidedBranch, "the except clause that runs on line %d is not known", in.Line(n)).On(n)
	var ways []value.Outcome
	for c := range n.Children() {
		if c.Kind() != syntax.ExceptClause {
			continue
		}
		more := in.Speculate(func() value.Control {
			how := value.GoesOn
			for part := range c.Children() {
				switch part.Kind() {
				case syntax.AsPattern:
					assign(in, operand(part.Child(syntax.FieldAlias)), in.Unknown(value.UnmodelledPython, "the error that is handled on line %d", in.Line(c)))
				case syntax.Block:
					how = block(in, part)
				}
			}
			return how
		})
		if more[0].How == value.OutOfBudget {
			return value.OutOfBudget
		}
		ways = append(ways, more...)
	}
	if len(ways) == 0 {
		return value.Throws
	}
	return in.ContinueWith(ways, why)
}

func withStatement(in *value.Interp, n syntax.Node) value.Control {
	var left []value.Object
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
			v := Eval(in, manager)
			if x, ok := v.X.(value.Object); ok && in.HostMuted == 0 {
				left = append(left, x)
			}
			v = entered(in, v)
			if target.Valid() {
				assign(in, operand(target), v)
			}
		}
	}
	how := block(in, n.Child(syntax.FieldBody))
	for i := len(left) - 1; i >= 0; i-- {
		left[i].Exit(in)
	}
	return how
}

// entered returns the value that "as" binds for a context manager.
func entered(in *value.Interp, v value.Value) value.Value {
	switch x := v.X.(type) {
	case *value.Instance:
		if _, ok := x.Class.Lookup("__enter__"); ok {
			return CallMethod(in, x, "__enter__", &value.Args{})
		}
	case *Generator: // contextlib.contextmanager
		if items, ok := Iterate(in, v); ok && len(items) > 0 {
			return items[0]
		}
		return in.Unknown(value.NotReached, "what %s yields", x.call.Def.Name)
	case value.Object:
		if bound := in.Slots(x).Enter(in); bound.X != nil {
			return bound
		}
	}
	return v
}

// unbind makes the names unknown that a part of the program binds in the running code.
func unbind(in *value.Interp, n syntax.Node, why *value.Cause) {
	f := in.Frame
	for f.Scope == nil {
		f = f.Outer
	}
	if f.Info.Tree != n.Tree() {
		return
	}
	v := why.Unknown()
	unbindAll(in, f, v, func(at syntax.Node) bool { return at.Within(n) })
	if f == f.Module {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(f.Elsewhere)) {
		space := f.Elsewhere[name]
		for _, b := range f.Info.Module.Bindings(name) {
			if space == f.Module.Vars && b.Node.Within(n) {
				in.Set(space, name, v)
			}
		}
	}
}

// unbindAll gives a value to the names of a scope that are bound at certain nodes.
func unbindAll(in *value.Interp, f *value.Frame, v value.Value, there func(syntax.Node) bool) {
	names := f.Scope.Names()
	in.Spend(len(names))
	for _, name := range names {
		for _, b := range f.Scope.Bindings(name) {
			if there(b.Node) {
				in.Bind(name, v)
				break
			}
		}
	}
}

// unbindFrom makes the names of a module unknown that it binds from one statement on.
func unbindFrom(in *value.Interp, f *value.Frame, s syntax.Node) {
	unbindAll(in, f, value.OutOfSteps.Unknown(), func(at syntax.Node) bool { return at.Stmt() >= s.Stmt() })
}

// dotted returns the text of a dotted name without white space.
func dotted(n syntax.Node) string {
	return strings.Join(strings.Fields(n.Text()), "")
}
