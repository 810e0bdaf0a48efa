package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// A verdict is what constants of the program say of a test, or of a branch.
type verdict uint8

const (
	unless verdict = iota // they do not
	always
	never
)

func verdictOf(holds bool) verdict {
	if holds {
		return always
	}
	return never
}

func (v verdict) not() verdict {
	switch v {
	case always:
		return never
	case never:
		return always
	}
	return unless
}

// and is the verdict of two tests that must both hold.
func (v verdict) and(other verdict) verdict {
	switch {
	case v == never || other == never:
		return never
	case v == always && other == always:
		return always
	}
	return unless
}

// test is what a condition comes to: True and False, numbers, names that have one such value
// in the whole module, and what not, and and or make of them.
func (in *Info) test(n syntax.Node) verdict {
	switch n.Kind() {
	case syntax.True:
		return always
	case syntax.False, syntax.NoneLiteral:
		return never
	case syntax.Integer:
		return verdictOf(n.Text() != "0")
	case syntax.ParenthesizedExpression:
		return in.test(n.FirstChild())
	case syntax.NotOperator:
		return in.test(n.Child(syntax.FieldArgument)).not()
	case syntax.BooleanOperator:
		left, right := in.test(n.Child(syntax.FieldLeft)), in.test(n.Child(syntax.FieldRight))
		if n.Child(syntax.FieldOperator).Text() == "and" {
			return left.and(right)
		}
		return left.not().and(right.not()).not()
	case syntax.Identifier:
		if all := in.lookup(n).bindings; len(all) == 1 && all[0].Kind == AssignBinding && all[0].Value.Is(syntax.True, syntax.False, syntax.NoneLiteral, syntax.Integer) {
			return in.test(all[0].Value)
		}
	}
	return unless
}

// taken tells of a block of an if whether it runs where the if does.
func (in *Info) taken(block syntax.Node) verdict {
	statement := ifOf(block.Parent())
	if statement.Kind() != syntax.IfStatement {
		return unless
	}
	if _, known := in.chosen[block]; !known {
		in.choose(statement)
	}
	return in.chosen[block]
}

// choose notes of all blocks of an if which of them runs.
func (in *Info) choose(statement syntax.Node) {
	if in.chosen == nil {
		in.chosen = map[syntax.Node]verdict{}
	}
	left := always // whether those above leave it to the next
	for clause := range statement.Children() {
		of := statement
		if clause.Is(syntax.ElifClause, syntax.ElseClause) {
			of = clause
		} else if clause.Field() != syntax.FieldConsequence {
			continue
		}
		test, block := always, of.Child(syntax.FieldBody)
		if of.Kind() != syntax.ElseClause {
			test, block = in.test(of.Child(syntax.FieldCondition)), of.Child(syntax.FieldConsequence)
		}
		in.chosen[block] = left.and(test)
		left = left.and(test.not())
	}
}

// ifOf is the if that a clause belongs to, or is.
func ifOf(clause syntax.Node) syntax.Node {
	if clause.Is(syntax.ElifClause, syntax.ElseClause) {
		return clause.Parent()
	}
	return clause
}

// passed tells whether a statement stands in a branch that constants never choose, in which
// use does not stand.
func (in *Info) passed(statement, use syntax.Node) bool {
	for block := blockOf(statement); block.Valid() && !use.Within(block); block = blockOf(block) {
		if in.taken(block) == never {
			return true
		}
	}
	return false
}
