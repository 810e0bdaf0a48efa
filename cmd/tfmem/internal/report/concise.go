package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tfmem/tfmem/analyzer/source"
)

// concise prints one line per finding, for grep and for editors that jump to lines. The line
// includes the severity, which full shows elsewhere.
func concise(w io.Writer, entries []Entry, o Options) error {
	b := bufio.NewWriter(w)
	for _, e := range entries {
		for _, f := range e.Findings {
			label := f.Rule.Code + " " + f.Severity.String() + ":"
			fmt.Fprintf(b, "%s %s\n", header(e.Source, f, label, o.Palette), source.Printable(f.Message))
		}
	}
	return b.Flush()
}
