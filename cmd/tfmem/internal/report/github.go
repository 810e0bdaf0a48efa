package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github prints workflow commands, which GitHub Actions shows at the lines of a pull request:
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func github(w io.Writer, entries []Entry, o Options) error {
	b := bufio.NewWriter(w)
	for _, e := range entries {
		for _, f := range e.Findings {
			at := flatten(e.Source, f)
			o.annotate(b, f.Severity, f.Rule.Code, e.Source.Path, at.start, at.end, f.Rule.Code+" "+at.message)
		}
	}
	for _, n := range o.Notes {
		fmt.Fprintf(b, "::notice title=tfmem::%s\n", githubMessage.Replace(n.Text))
	}
	return b.Flush()
}

// annotate prints one workflow command.
func (o Options) annotate(w io.Writer, severity rule.Severity, check, path string, start, end position, message string) {
	command := [...]string{rule.Hint: "notice", rule.Information: "notice", rule.Warning: "warning", rule.Error: "error"}[severity]
	fmt.Fprintf(w, "::%s title=%s,file=%s,line=%d", command, githubProperty.Replace("tfmem ("+check+")"), githubProperty.Replace(source.Printable(o.shown(path))), start.Row)
	if start.Row == end.Row { // GitHub takes columns of one line only
		fmt.Fprintf(w, ",col=%d", start.Column)
	}
	fmt.Fprintf(w, ",endLine=%d", end.Row)
	if start.Row == end.Row {
		fmt.Fprintf(w, ",endColumn=%d", end.Column)
	}
	fmt.Fprintf(w, "::%s\n", githubMessage.Replace(message))
}
