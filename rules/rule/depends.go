package rule

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// DependsOn reports whether an expression is computed from another one, as far as names
// can be followed.
func DependsOn(info *names.Info, n, of syntax.Node) bool {
	return dependsOn(info, n, of, map[*names.Binding]bool{})
}

func dependsOn(info *names.Info, n, of syntax.Node, seen map[*names.Binding]bool) bool {
	defer info.Enter(n).Leave()
	if !n.Valid() {
		return false
	}
	found := false
	n.Walk(func(n syntax.Node) bool {
		if found = found || n == of; found {
			return false
		}
		if n.Kind() == syntax.Identifier {
			for _, b := range info.ReachingDefs(n) {
				if !seen[b] && b.Value.Valid() {
					seen[b] = true
					found = found || dependsOn(info, b.Value, of, seen)
				}
			}
		}
		return !found
	})
	return found
}
