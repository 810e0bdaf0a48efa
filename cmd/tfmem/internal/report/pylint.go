package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tfmem/tfmem/analyzer/source"
)

// pylint prints one line per finding in the format of pylint's parseable output, which many CI
// systems read.
func pylint(w io.Writer, entries []Entry, _ Options) error {
	b := bufio.NewWriter(w)
	for _, e := range entries {
		for _, f := range e.Findings {
			at := flatten(e.Source, f)
			fmt.Fprintf(b, "%s:%d: [%s(%s)] %s\n", source.Printable(e.Source.Path), at.start.Row, f.Rule.Code, f.Rule.Name, at.message)
		}
	}
	return b.Flush()
}
