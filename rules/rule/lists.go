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

// HoldsLists reports whether an expression makes a dict whose values are all lists, or one of such
// dicts to some depth: a depth of 1 is a dict of lists.
func HoldsLists(info *names.Info, n syntax.Node, depth int) bool {
	defer info.Enter(n).Leave()
	holds := func(value syntax.Node) bool {
		return depth <= 1 && IsList(info, value) || depth > 1 && HoldsLists(info, value, depth-1)
	}
	switch n.Kind() {
	case syntax.Dictionary:
		lists := n.FirstChild().Valid()
		for pair := range n.Children() {
			lists = lists && (pair.Kind() == syntax.Comment || pair.Kind() == syntax.Pair && holds(pair.Child(syntax.FieldValue)))
		}
		return lists
	case syntax.DictionaryComprehension:
		return holds(n.Child(syntax.FieldBody).Child(syntax.FieldValue))
	case syntax.Call:
		if info.Qualified(n.Child(syntax.FieldFunction)) != "collections.defaultdict" {
			return false
		}
		makes := names.Element(n.Child(syntax.FieldArguments), 0)
		if makes.Kind() == syntax.Lambda {
			return holds(makes.Child(syntax.FieldBody))
		}
		return depth <= 1 && makes.Text() == "list"
	}
	return false
}

// Indexed returns what a chain of subscripts begins with, such as d in d["a"]["b"], and how many there
// are.
func Indexed(n syntax.Node) (of syntax.Node, depth int) {
	for n.Kind() == syntax.Subscript {
		n, depth = n.Child(syntax.FieldValue), depth+1
	}
	return n, depth
}
