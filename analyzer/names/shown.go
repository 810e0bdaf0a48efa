package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Root returns the expression at the start of a chain of attributes.
func Root(n syntax.Node) syntax.Node {
	for n.Kind() == syntax.Attribute {
		n = n.Child(syntax.FieldObject)
	}
	return n
}

// Shown reports whether an expression is only displayed.
func Shown(n syntax.Node) bool {
	for p := n.Parent(); p.Is(syntax.Attribute, syntax.ArgumentList, syntax.Interpolation, syntax.String, syntax.BinaryOperator, syntax.Tuple, syntax.Call, syntax.ParenthesizedExpression); p = p.Parent() {
		if p.Kind() == syntax.Call && p.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() != "format" {
			return OnlyLooks(p)
		}
	}
	return IsStatement(n)
}

// IsStatement reports whether a name, or an attribute of it, is a statement by itself: at the end of a
// notebook's cell, or while somebody types more.
func IsStatement(n syntax.Node) bool {
	for n.Parent().Kind() == syntax.Attribute {
		n = n.Parent()
	}
	return n.Parent().Kind() == syntax.ExpressionStatement
}

// OnlyLooks reports whether a call only inspects its argument.
func OnlyLooks(call syntax.Node) bool {
	switch call.Child(syntax.FieldFunction).Text() {
	case "print", "str", "repr", "type", "id", "isinstance", "logging.info", "logging.debug", "logger.info", "logger.debug", "pprint":
		return true
	}
	return false
}
