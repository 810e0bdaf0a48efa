package observed

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Binder returns the statement that binds the name, or the attribute, at a target.
func Binder(target syntax.Node) syntax.Node {
	return target.Ancestor(syntax.Assignment, syntax.AugmentedAssignment, syntax.NamedExpression, syntax.ForStatement, syntax.WithStatement, syntax.CaseClause, syntax.FunctionDefinition, syntax.ForInClause, syntax.Lambda)
}

// StatementOf returns the statement that contains an expression.
func StatementOf(n syntax.Node) syntax.Node {
	for p := n.Parent(); n.Valid() && p.Valid() && p.Kind() != syntax.Block; p = n.Parent() {
		n = p
	}
	return n
}

// TextOf returns the text of a statement, or of the header of a compound one, with single blanks and
// without comments.
func TextOf(n syntax.Node) string {
	if !n.Valid() {
		return ""
	}
	if n.Kind() == syntax.ExpressionStatement { // as its assignment or call is recorded
		if only := n.FirstChild(); only.Valid() {
			n = only
		}
	}
	text, end := n.Tree().Text(), n.End()
	if n.Is(syntax.ForStatement, syntax.WithStatement, syntax.FunctionDefinition, syntax.WhileStatement, syntax.IfStatement, syntax.CaseClause, syntax.ClassDefinition) {
		for c := range n.Children() {
			if c.Kind() == syntax.Block {
				end = c.Start()
				break
			}
		}
	}
	var b strings.Builder
	at := n.Start()
	n.Walk(func(c syntax.Node) bool {
		if c.Kind() == syntax.Comment && at <= c.Start() && c.End() <= end {
			b.WriteString(text[at:c.Start()])
			at = c.End()
		}
		return c.Start() < end
	})
	b.WriteString(text[at:end])
	return strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "\\\n", " ")), " ")
}

// Same reports whether two statements are the same, whatever their blanks.
func Same(a, b string) bool { return a == b || tight(a) == tight(b) }

func tight(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' {
			return -1
		}
		return r
	}, text)
}

// PathOf returns the functions and classes that a scope is in: "Trainer.run", "" for the module.
func PathOf(s *names.Scope) string {
	path := ""
	for ; s != nil; s = s.Parent {
		name := ""
		switch {
		case s.Func != nil:
			name = s.Func.Name
		case s.Class != nil:
			name = s.Class.Name
		default:
			continue
		}
		if path != "" {
			name += "."
		}
		path = name + path
	}
	return path
}
