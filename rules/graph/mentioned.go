package graph

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// mentionedIn returns the functions and classes, by their definitions, that a program may use:
// those of the module itself, those that the top level of its modules mentions, and those that
// these mention in turn. It judges by names alone, wherever they lead. It is nil if names are
// computed, so that anything may be used.
func mentionedIn(info *names.Info) map[syntax.Node]bool {
	used, defined := map[syntax.Node]bool{}, map[string][]syntax.Node{}
	words, computed := map[string]bool{}, false
	var queue []syntax.Node
	use := func(definition syntax.Node) {
		if !used[definition] {
			used[definition] = true
			queue = append(queue, definition)
		}
	}
	mention := func(word string) {
		computed = computed || word == "globals" || word == "import_module" || word == "eval" || word == "getmembers" || word == "__dict__"
		if !words[word] {
			words[word] = true
			for _, definition := range defined[word] {
				use(definition)
			}
		}
	}
	// read notes the names in code. The definitions in it are theirs, unless it is one itself.
	read := func(code syntax.Node, own bool) {
		code.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.ImportStatement, syntax.ImportFromStatement:
				return false // what is imported is mentioned where it is used
			case syntax.DecoratedDefinition:
				return own // a decorator may register what it gets
			case syntax.FunctionDefinition, syntax.ClassDefinition:
				if !own && n.Parent().Kind() != syntax.DecoratedDefinition {
					return false
				}
			case syntax.Identifier:
				if n.Field() != syntax.FieldName || n.Parent().Kind() == syntax.KeywordArgument {
					mention(n.Text())
				}
			case syntax.Call:
				if n.Child(syntax.FieldFunction).Text() == "getattr" && names.Argument(n, 1, "name").Kind() != syntax.String {
					computed = true
				}
			}
			return true
		})
	}
	for _, module := range info.Program() {
		for s := range module.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Is(syntax.FunctionDefinition, syntax.ClassDefinition) {
					name := n.Child(syntax.FieldName).Text()
					defined[name] = append(defined[name], n)
					if module == info || n.Parent().Kind() == syntax.DecoratedDefinition {
						use(n)
					}
				}
				return true
			})
		}
	}
	for _, module := range info.Program() {
		for s := range module.Tree.Statements() {
			read(s, false)
		}
	}
	for len(queue) > 0 {
		definition := queue[0]
		queue = queue[1:]
		read(definition, true)
	}
	if computed {
		return nil
	}
	return used
}
