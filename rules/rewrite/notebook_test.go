package rewrite

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/notebook"
)

// TestNotebooks checks the notebooks under testdata/rewrites/NAME, at each place that they mark: against the
// notebook beside it and the module that the rewrite makes, or against the reason why there is none.
func TestNotebooks(t *testing.T) {
	for _, r := range All {
		paths, err := filepath.Glob(filepath.Join(folder, r.Name, "*.ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(path, ".ipynb")
			if strings.HasSuffix(name, ".rewritten") {
				continue
			}
			t.Run(r.Name+"/"+filepath.Base(name), func(t *testing.T) {
				text := read(t, path)
				n, err := notebook.Read(path, text)
				if err != nil {
					t.Fatal(err)
				}
				s, err := n.Source()
				if err != nil {
					t.Fatal(err)
				}
				file := analyzer.Analyze(s, analyzer.Config{})
				for _, p := range places(t, s.Text()) {
					change, err := r.Make(file, p.span)
					if p.not != "" {
						matches(t, p, s.Text(), err)
						continue
					}
					if err != nil {
						t.Fatalf("not rewritten: %v", err)
					}
					after, err := s.Edited(change.Edits)
					if err != nil {
						t.Fatal(err)
					}
					whole, err := n.With(after)
					if err != nil {
						t.Fatal(err)
					}
					cases.Golden(t, name+".rewritten.ipynb", whole)
					cases.Golden(t, name+"."+change.Module.Name, change.Module.Text)
				}
			})
		}
	}
}
