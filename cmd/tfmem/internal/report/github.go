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
			command := [...]string{rule.Hint: "notice", rule.Information: "notice", rule.Warning: "warning", rule.Error: "error"}[f.Severity]
			fmt.Fprintf(b, "::%s title=%s,file=%s,line=%d", command, githubProperty.Replace("tfmem ("+f.Rule.Code+")"), githubProperty.Replace(source.Printable(o.shown(e.Source.Path))), at.start.Row)
			if at.start.Row == at.end.Row { // GitHub takes columns of one line only
				fmt.Fprintf(b, ",col=%d", at.start.Column)
			}
			fmt.Fprintf(b, ",endLine=%d", at.end.Row)
			if at.start.Row == at.end.Row {
				fmt.Fprintf(b, ",endColumn=%d", at.end.Column)
			}
			fmt.Fprintf(b, "::%s\n", githubMessage.Replace(f.Rule.Code+" "+at.message))
		}
	}
	for _, n := range o.Notes {
		fmt.Fprintf(b, "::notice title=tfmem::%s\n", githubMessage.Replace(n.Text))
	}
	return b.Flush()
}
