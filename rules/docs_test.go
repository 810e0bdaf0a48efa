package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/rules/rewrite"
)

// TestIndex checks rules/README.md, which every finding links to, against the rules and the
// rewrites themselves; -update writes it.
func TestIndex(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Rules\n\nMade from the rules by `go test ./rules -run TestIndex -update`; each rule's text stands in its own file. [CHECK.md](CHECK.md) says how to run them, [SETTINGS.md](SETTINGS.md) how to select and suppress them, [ESTIMATE.md](ESTIMATE.md) where the figures of TFM6xx come from, [MEMORY.md](MEMORY.md) how TensorFlow takes and frees memory.\n\n")
	b.WriteString("| code | name | severity | finds |\n|---|---|---|---|\n")
	for _, r := range All {
		fmt.Fprintf(&b, "| [%s](#%s-%s) | %s | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Name, r.Name, r.Severity, r.Brief())
	}
	for _, r := range All {
		_, rest, _ := strings.Cut(r.Markdown(), "\n")
		fmt.Fprintf(&b, "\n## %s %s\n%s", r.Code, r.Name, strings.ReplaceAll(rest, "\n## ", "\n### "))
	}
	b.WriteString("\n# Rewrites\n\nChanges that are offered where nothing is wrong: in editors as refactorings, and by `tfmem check --rewrite NAME FILE:LINE`.\n\n| name | what it does |\n|---|---|\n")
	for _, r := range rewrite.All {
		fmt.Fprintf(&b, "| [%s](#%s) | %s. |\n", r.Name, r.Name, r.Title)
	}
	for _, r := range rewrite.All {
		fmt.Fprintf(&b, "\n#%s", strings.ReplaceAll(r.Markdown(), "\n## ", "\n### "))
	}
	cases.Golden(t, "README.md", b.String())
}
