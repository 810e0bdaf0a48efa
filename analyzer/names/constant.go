package names

import "github.com/tfmem/tfmem/analyzer/syntax"

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

// test evaluates a condition. It knows True and False, numbers, names with a single such value in
// the whole module, and not, and, or of these.
func (in *Info) test(n syntax.Node) Verdict {
	switch n.Kind() {
	case syntax.True:
		return Always
	case syntax.False, syntax.NoneLiteral:
		return Never
	case syntax.Integer:
		return verdictOf(n.Text() != "0")
	case syntax.ParenthesizedExpression:
		return in.test(n.FirstChild())
	case syntax.NotOperator:
		return in.test(n.Child(syntax.FieldArgument)).Not()
	case syntax.BooleanOperator:
		left, right := in.test(n.Child(syntax.FieldLeft)), in.test(n.Child(syntax.FieldRight))
		if n.Child(syntax.FieldOperator).Text() == "and" {
			return left.And(right)
		}
		return left.Not().And(right.Not()).Not()
	case syntax.Identifier:
		if all := in.lookup(n).bindings; len(all) == 1 && all[0].Kind == AssignBinding && all[0].Value.Is(syntax.True, syntax.False, syntax.NoneLiteral, syntax.Integer) {
			return in.test(all[0].Value)
		}
	}
	return Maybe
}

// taken reports whether a block of an if runs when the if does.
func (in *Info) taken(block syntax.Node) Verdict {
	statement := ifOf(block.Parent())
	if statement.Kind() != syntax.IfStatement {
		return Maybe
	}
	if _, known := in.chosen[block]; !known {
		in.choose(statement)
	}
	return in.chosen[block]
}

// choose records which blocks of an if run.
func (in *Info) choose(statement syntax.Node) {
	if in.chosen == nil {
		in.chosen = map[syntax.Node]Verdict{}
	}
	left := Always // whether the blocks above leave the choice to the next
	for clause := range statement.Children() {
		of := statement
		if clause.Is(syntax.ElifClause, syntax.ElseClause) {
			of = clause
		} else if clause.Field() != syntax.FieldConsequence {
			continue
		}
		test, block := Always, of.Child(syntax.FieldBody)
		if of.Kind() != syntax.ElseClause {
			test, block = in.test(of.Child(syntax.FieldCondition)), of.Child(syntax.FieldConsequence)
		}
		in.chosen[block] = left.And(test)
		left = left.And(test.Not())
	}
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
