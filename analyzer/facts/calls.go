package facts

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// OnlyCalls reports whether the calls in a statement are all of a kind, and it can be indented: it holds no string of
// several lines, and neither binds a name within an expression nor waits. What a lambda calls runs elsewhere: its code
// is left out, or forbidden.
func (f *Facts) OnlyCalls(statement syntax.Node, lambdas bool, kind func(call syntax.Node) bool) bool {
	only := true
	statement.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Lambda:
			only = only && lambdas
			return false
		case syntax.String:
			only = only && !strings.ContainsAny(n.Text(), "\r\n")
		case syntax.NamedExpression, syntax.Await, syntax.Yield:
			only = false
		case syntax.Call:
			only = only && kind(n)
		}
		return only
	})
	return only
}
