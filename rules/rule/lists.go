package rule

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IsList reports whether an expression makes a list.
func IsList(info *names.Info, n syntax.Node) bool {
	if n.Kind() == syntax.Call {
		function := n.Child(syntax.FieldFunction)
		return function.Text() == "list" && info.Lookup(function) == nil
	}
	return n.Is(syntax.List, syntax.ListComprehension)
}

// HoldsLists reports whether an expression makes a dict whose values are all lists.
func HoldsLists(info *names.Info, n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Dictionary:
		lists := n.FirstChild().Valid()
		for pair := range n.Children() {
			lists = lists && (pair.Kind() == syntax.Comment || pair.Kind() == syntax.Pair && IsList(info, pair.Child(syntax.FieldValue)))
		}
		return lists
	case syntax.Call:
		return info.Qualified(n.Child(syntax.FieldFunction)) == "collections.defaultdict" && names.Element(n.Child(syntax.FieldArguments), 0).Text() == "list"
	}
	return false
}
