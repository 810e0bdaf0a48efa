package releases

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// AsksForVersion returns where the program finds out which TensorFlow or Keras it runs with, so that
// it may run with an old one. A module of it reads the version for more than printing, checks
// whether a name exists, or branches on such a version.
func (r *Releases) AsksForVersion() Evidence {
	return once(r, asks{}, func() Evidence { return first(r.program.Names.Program(), asksForVersion) })
}

// asks is the key of the result of AsksForVersion.
type asks struct{}

func asksForVersion(info *names.Info) Evidence {
	const why = "it asks for the version that it runs with"
	if e := first(info.CallsTo(findsVersion), func(call syntax.Node) Evidence {
		return when(asksInstaller(info, call), why, call)
	}); e.Found() {
		return e
	}
	says := containsFold(info.Tree.Text(), "version")
	var found Evidence
	for s := range info.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			asks := false
			switch n.Kind() {
			case syntax.Attribute, syntax.Identifier:
				asks = says && containsFold(n.Text(), "version") && readsVersion(info.Qualified(n)) && !names.Shown(n)
			case syntax.Call:
				f := n.Child(syntax.FieldFunction).Text()
				if f == "hasattr" || f == "getattr" && names.Argument(n, 2, "default").Valid() {
					asks = isImported(info, names.Argument(n, 0, "obj")) && ofLibrary(info.Qualified(names.Argument(n, 0, "obj")))
				}
			case syntax.ImportFromStatement:
				asks = says && ofLibrary(n.Child(syntax.FieldModuleName).Text()) && namesVersion(n.Text())
			case syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression:
				test := n.Child(syntax.FieldCondition)
				if n.Kind() == syntax.ConditionalExpression {
					test = n.FirstChild().Next()
				}
				asks = AsksForVersion(info, test)
			}
			if asks {
				found = Evidence{why, n}
			}
			return !asks && !found.Found()
		})
		if found.Found() {
			break
		}
	}
	return found
}

// isImported reports whether an expression is a module or what an import takes from one, rather than an
// object: a wrapper of layers asks whether its layer has a kernel.
func isImported(info *names.Info, n syntax.Node) bool {
	bindings := info.ReachingDefs(names.Root(n))
	return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		return b.Kind != names.ImportBinding && b.Kind != names.FromBinding
	})
}

// containsFold reports whether a text contains a word of small ASCII letters, in any case.
func containsFold(text, word string) bool {
	for i := range len(text) - len(word) + 1 {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// readsVersion reports whether a qualified name is the version of TensorFlow or Keras.
func readsVersion(name string) bool {
	if !ofLibrary(name) {
		return false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last == "__version__" || last == "VERSION" || last == "__git_version__" || last == "GIT_VERSION"
}
