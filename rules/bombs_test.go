package rules

import (
	"context"
	"runtime"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

// The bounds of a check by all rules, for any text: steps as [analyzer.File.Step] counts them, and
// bytes allocated, including those freed meanwhile.
const (
	mostSteps = 80_000_000 // all but two million of them for pricing
	mostBytes = 4 << 30
)

// TestBombs measures what each bomb takes.
func TestBombs(t *testing.T) {
	for _, b := range cases.Sample(t, cases.Bombs(t, "../testdata/bombs"), 12) {
		t.Run(b.Name, func(t *testing.T) {
			fs := files{}
			for _, f := range b.Files {
				fs["/w/"+f.Name] = f.Text()
			}
			config := analyzer.Config{Workspace: project.New(fs, "/w", "/w"), Devices: func() []memory.Device {
				return []memory.Device{{Name: "a GPU", Total: 12 << 30, Major: 8, Minor: 6, Source: "named by the test"}}
			}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, rest, _ := Quick(t.Context(), analyzer.Analyze(source.New("/w/main.py", b.Text()), config), Selection{Select: []string{"ALL"}}); rest != nil {
				if _, err := rest.Check(context.Background(), mostSteps); err != nil {
					t.Errorf("of %d steps: %v", mostSteps, err)
				}
			}
			runtime.ReadMemStats(&after)
			bytes := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d MB", bytes>>20)
			if bytes > mostBytes {
				t.Errorf("it allocates %d MB, more than %d", bytes>>20, mostBytes>>20)
			}
		})
	}
}
