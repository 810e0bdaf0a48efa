package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// grouped prints the path of each file once, and its findings below.
func grouped(w io.Writer, entries []Entry, o Options) error {
	b := bufio.NewWriter(w)
	last := ""
	for i, e := range entries {
		if len(e.Findings) == 0 {
			continue
		}
		path := source.Printable(e.Source.Path)
		if i == 0 || path != last { // a notebook may have several programs
			fmt.Fprintf(b, "%s:\n", o.Palette.Path(path))
			last = path
		}
		for _, f := range e.Findings {
			label := f.Rule.Code + " " + f.Severity.String() + ":"
			place := strings.TrimPrefix(header(e.Source, f, label, o.Palette), o.Palette.Path(path)+":")
			fmt.Fprintf(b, "  %s %s\n", place, source.Printable(f.Message))
		}
		if i == len(entries)-1 || source.Printable(entries[i+1].Source.Path) != path {
			fmt.Fprintln(b)
		}
	}
	return b.Flush()
}
