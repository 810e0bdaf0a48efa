package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// literalEval evaluates ast.literal_eval.
func literalEval(in *value.Interp, args *value.Args) value.Value {
	text, ok := value.Positional(args, 0).X.(string)
	const longest = 64 << 10
	if !ok || len(text) > longest {
		return in.Unknown(value.WrongType, "what a text stands for that is not known")
	}
	tree := syntax.Parse(text)
	if tree.HasErrors() || tree.Len() != 1 {
		return in.Unknown(value.WillRaise, "a text that is not a literal: ValueError")
	}
	var expression syntax.Node
	for s := range tree.Statements() {
		for c := range s.Children() {
			expression = c
		}
	}
	if !isLiteral(expression, 0) {
		return in.Unknown(value.WillRaise, "a text that is not a literal: ValueError")
	}
	return interp.Eval(in, expression)
}

// eval evaluates eval of a text that is a literal, such as a shape in a file of settings. What other
// texts do is not followed.
func eval(in *value.Interp, args *value.Args) value.Value {
	if v := literalEval(in, args); v.Known() {
		return v
	}
	return in.Unknown(value.ExternalCall, "what eval makes of a text")
}

// isLiteral reports whether an expression consists of literals only.
func isLiteral(n syntax.Node, depth int) bool {
	if !n.Valid() || depth > 100 {
		return false
	}
	switch n.Kind() {
	case syntax.Integer, syntax.Float, syntax.True, syntax.False, syntax.NoneLiteral, syntax.Comment:
		return true
	case syntax.UnaryOperator:
		return isLiteral(n.Child(syntax.FieldArgument), depth+1)
	case syntax.String:
		for c := range n.Children() {
			if c.Kind() == syntax.Interpolation {
				return false
			}
		}
		return true
	case syntax.List, syntax.Tuple, syntax.Set, syntax.Dictionary, syntax.Pair, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			if !isLiteral(c, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
