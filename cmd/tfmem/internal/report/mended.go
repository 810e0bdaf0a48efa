package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// Mended is what was fixed in one file.
type Mended struct {
	Path     string
	Findings []rule.Finding
}

// PrintMended lists how many findings of each rule were fixed in each file.
func PrintMended(w io.Writer, files []Mended, p Palette) error {
	var b strings.Builder
	for i, m := range files {
		if i == 0 || files[i-1].Path != m.Path { // a notebook may have several programs
			fmt.Fprintf(&b, "%s:\n", p.Path(source.Printable(m.Path)))
		}
		counts := map[*rule.Rule]int{}
		for _, f := range m.Findings {
			counts[f.Rule]++
		}
		var rules []*rule.Rule
		for r := range counts {
			rules = append(rules, r)
		}
		slices.SortFunc(rules, func(a, b *rule.Rule) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.Code, b.Code))
		})
		for _, r := range rules {
			fmt.Fprintf(&b, "  %d × %s (%s)\n", counts[r], r.Code, r.Name)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
