package names

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Verdict says whether a test is true, or whether a branch is taken.
type Verdict uint8

const (
	Maybe Verdict = iota // it is not known
	Always
	Never
)

func verdictOf(holds bool) Verdict {
	if holds {
		return Always
	}
	return Never
}

// Not returns the verdict of the negation.
func (v Verdict) Not() Verdict {
	switch v {
	case Always:
		return Never
	case Never:
		return Always
	}
	return Maybe
}

// And returns the verdict of a conjunction.
func (v Verdict) And(other Verdict) Verdict {
	switch {
	case v == Never || other == Never:
		return Never
	case v == Always && other == Always:
		return Always
	}
	return Maybe
}

// Or returns the verdict of a disjunction.
func (v Verdict) Or(other Verdict) Verdict { return v.Not().And(other.Not()).Not() }

// Decide evaluates a test. It knows constants, not, and, or; leaf decides the other parts. It calls
// leaf for all of them, even where one decides alone.
func Decide(test syntax.Node, leaf func(syntax.Node) Verdict) Verdict {
	switch test.Kind() {
	case syntax.True:
		return Always
	case syntax.False, syntax.NoneLiteral:
		return Never
	case syntax.Integer:
		return verdictOf(test.Text() != "0")
	case syntax.ParenthesizedExpression:
		return Decide(test.FirstChild(), leaf)
	case syntax.NotOperator:
		return Decide(test.Child(syntax.FieldArgument), leaf).Not()
	case syntax.BooleanOperator:
		left, right := Decide(test.Child(syntax.FieldLeft), leaf), Decide(test.Child(syntax.FieldRight), leaf)
		if test.Child(syntax.FieldOperator).Text() == "and" {
			return left.And(right)
		}
		return left.Or(right)
	}
	return leaf(test)
}

// Branches calls each with the blocks of an if statement and whether they run when it does, given
// the verdicts on its tests.
func Branches(statement syntax.Node, test func(syntax.Node) Verdict, each func(block syntax.Node, runs Verdict)) {
	left := Always // whether the blocks above leave the choice to the next
	for clause := range statement.Children() {
		of := statement
		if clause.Is(syntax.ElifClause, syntax.ElseClause) {
			of = clause
		} else if clause.Field() != syntax.FieldConsequence {
			continue
		}
		if of.Kind() == syntax.ElseClause {
			each(of.Child(syntax.FieldBody), left)
			continue
		}
		holds := test(of.Child(syntax.FieldCondition))
		each(of.Child(syntax.FieldConsequence), left.And(holds))
		left = left.And(holds.Not())
	}
}

// VerdictOn returns whether a block of an if statement runs, given the verdicts on its tests. Of any other
// block nothing is known.
func VerdictOn(block syntax.Node, test func(syntax.Node) Verdict) Verdict {
	statement := block.Parent()
	if statement.Is(syntax.ElifClause, syntax.ElseClause) {
		statement = statement.Parent()
	}
	verdict := Maybe
	if statement.Kind() == syntax.IfStatement {
		Branches(statement, test, func(b syntax.Node, runs Verdict) {
			if b == block {
				verdict = runs
			}
		})
	}
	return verdict
}

// test evaluates a condition of constants and of names that have a single constant value in the
// whole module.
func (in *Info) test(n syntax.Node) Verdict {
	defer in.Enter(n).Leave()
	return Decide(n, func(n syntax.Node) Verdict {
		if n.Kind() != syntax.Identifier {
			return Maybe
		}
		if all := in.lookup(n).bindings; len(all) == 1 && all[0].Kind == AssignBinding && all[0].Value.Is(syntax.True, syntax.False, syntax.NoneLiteral, syntax.Integer) {
			return in.test(all[0].Value)
		}
		return Maybe
	})
}

// NeverIterates reports whether a loop, a comprehension or a clause of one surely has no iteration:
// it iterates over nothing, or its condition is a constant.
func (in *Info) NeverIterates(loop syntax.Node) bool {
	switch loop.Kind() {
	case syntax.ForStatement, syntax.ForInClause:
		return in.home(loop).empty(loop.Child(syntax.FieldRight))
	case syntax.WhileStatement:
		return in.home(loop).test(loop.Child(syntax.FieldCondition)) == Never
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		for clause := range loop.Children() {
			if clause.Kind() == syntax.ForInClause && in.NeverIterates(clause) {
				return true
			}
		}
	}
	return false
}

// IteratesOnce reports whether a loop surely has no second iteration: it iterates over range(1), or its
// body ends in a break, a return, a raise or an exit, and nothing in it goes on to the next iteration.
func IteratesOnce(loop syntax.Node) bool {
	if !loop.Is(syntax.ForStatement, syntax.WhileStatement) {
		return false
	}
	body, over := loop.Child(syntax.FieldBody), loop.Child(syntax.FieldRight)
	if over.Kind() == syntax.Call && over.Child(syntax.FieldFunction).Text() == "range" {
		arguments := over.Child(syntax.FieldArguments)
		if last := Element(arguments, 0); last.Text() == "1" && !Element(arguments, 1).Valid() {
			return true
		}
	}
	return leavesAtEnd(body) && !GoesOn(body)
}

// leavesAtEnd reports whether a block surely leaves the loop around it if its end is reached.
func leavesAtEnd(block syntax.Node) bool {
	last := Last(block)
	if last.Kind() == syntax.WithStatement {
		return leavesAtEnd(last.Child(syntax.FieldBody))
	}
	return last.Is(syntax.BreakStatement, syntax.ReturnStatement, syntax.RaiseStatement) || exits(last)
}

// exits reports whether a statement ends the program.
func exits(statement syntax.Node) bool {
	call := statement.FirstChild()
	if statement.Kind() != syntax.ExpressionStatement || call.Kind() != syntax.Call {
		return false
	}
	switch call.Child(syntax.FieldFunction).Text() {
	case "exit", "quit", "sys.exit", "os._exit":
		return true
	}
	return false
}

// GoesOn reports whether code in the body of a loop may go on to the loop's next iteration.
func GoesOn(code syntax.Node) bool {
	found := false
	code.Walk(func(n syntax.Node) bool {
		if n.Is(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.ClassDefinition) {
			return false
		}
		found = found || n.Kind() == syntax.ContinueStatement
		return !found
	})
	return found
}

// NeverRuns reports whether a node is in the body of a loop that has no iteration.
func (in *Info) NeverRuns(n syntax.Node) bool {
	for child, p := n, n.Parent(); p.Valid(); child, p = p, p.Parent() {
		if child.Field() == syntax.FieldBody && in.NeverIterates(p) {
			return true
		}
	}
	return false
}

// empty reports whether an iterable surely yields nothing.
func (in *Info) empty(iterable syntax.Node) bool {
	defer in.Enter(iterable).Leave()
	switch iterable.Kind() {
	case syntax.ParenthesizedExpression:
		return in.empty(iterable.FirstChild())
	case syntax.List, syntax.Tuple, syntax.Dictionary:
		return !slices.ContainsFunc(slices.Collect(iterable.Children()), func(item syntax.Node) bool { return item.Kind() != syntax.Comment })
	case syntax.Call:
		function, arguments := iterable.Child(syntax.FieldFunction), iterable.Child(syntax.FieldArguments)
		if function.Kind() != syntax.Identifier || in.Lookup(function) != nil && function.Text() != "tqdm" && function.Text() != "trange" {
			return false
		}
		switch function.Text() {
		case "range", "trange":
			return in.emptyRange(arguments)
		case "enumerate", "reversed", "sorted", "list", "tuple", "iter", "tqdm":
			return in.empty(Element(arguments, 0))
		case "zip":
			return slices.ContainsFunc(slices.Collect(arguments.Children()), in.empty)
		}
	}
	return false
}

// emptyRange reports whether the arguments of range are constants and leave no number.
func (in *Info) emptyRange(arguments syntax.Node) bool {
	var bounds []int64
	for a := range arguments.Children() {
		if a.Is(syntax.KeywordArgument, syntax.Comment) {
			continue // of tqdm
		}
		n, ok := in.integer(a)
		if !ok {
			return false
		}
		bounds = append(bounds, n)
	}
	switch len(bounds) {
	case 1:
		return bounds[0] <= 0
	case 2:
		return bounds[1] <= bounds[0]
	case 3:
		return bounds[2] > 0 && bounds[1] <= bounds[0] || bounds[2] < 0 && bounds[1] >= bounds[0]
	}
	return false
}

// integer returns the value of a constant, or of a name that has one value in the whole module.
func (in *Info) integer(n syntax.Node) (value int64, ok bool) {
	defer in.Enter(n).Leave()
	switch n.Kind() {
	case syntax.Integer:
		v, err := strconv.ParseInt(strings.ReplaceAll(n.Text(), "_", ""), 0, 64)
		return v, err == nil
	case syntax.UnaryOperator:
		v, ok := in.integer(n.Child(syntax.FieldArgument))
		return -v, ok && n.Child(syntax.FieldOperator).Text() == "-" && n.Child(syntax.FieldArgument).Kind() == syntax.Integer
	case syntax.Identifier:
		if all := in.lookup(n).bindings; len(all) == 1 && all[0].Kind == AssignBinding && !all[0].Value.Is(syntax.Identifier) {
			return in.integer(all[0].Value)
		}
	}
	return 0, false
}

// taken reports whether a block of an if runs when the if does.
func (in *Info) taken(block syntax.Node) Verdict {
	statement := ifOf(block.Parent())
	if statement.Kind() != syntax.IfStatement {
		return Maybe
	}
	if _, known := in.chosen[block]; !known {
		Branches(statement, in.test, func(block syntax.Node, runs Verdict) { put(&in.chosen, block, runs) })
	}
	return in.chosen[block]
}

// ifOf returns the if that a clause belongs to, or is.
func ifOf(clause syntax.Node) syntax.Node {
	if clause.Is(syntax.ElifClause, syntax.ElseClause) {
		return clause.Parent()
	}
	return clause
}

// passed reports whether a statement stands in a branch that constants rule out, while use does
// not.
func (in *Info) passed(statement, use syntax.Node) bool {
	for block := blockOf(statement); block.Valid() && !use.Within(block); block = blockOf(block) {
		if in.taken(block) == Never {
			return true
		}
	}
	return false
}
