package names_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// FuzzNames runs every query on the names of any text, Python or not.
func FuzzNames(f *testing.F) {
	paths, err := filepath.Glob(folder + "/*.py")
	if err != nil || len(paths) == 0 {
		f.Fatalf("there are no seeds: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("tensorflow tape:()\ni[r,p:GradientTape as tape:(x if tape.()(e(y")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 6000 {
			return
		}
		in := resolve(text)
		for s := range in.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				in.Qualified(n)
				if n.Is(syntax.Identifier) {
					for _, b := range in.ReachingDefs(n) {
						if !b.Node.Valid() {
							t.Errorf("%q: a binding of %s is nowhere", text, n.Text())
						}
					}
				}
				return true
			})
		}
		for _, call := range in.Calls {
			in.Callee(call)
			in.Target(call.Child(syntax.FieldFunction))
			in.TypeOf(call)
		}
	})
}
