package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

var azureText = strings.NewReplacer("%", "%AZP25", "\r", "%0D", "\n", "%0A", ";", "%3B", "]", "%5D")

// azure prints logging commands of Azure Pipelines, which knows errors and warnings only:
// https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
func azure(w io.Writer, entries []Entry, o Options) error {
	b := bufio.NewWriter(w)
	for _, e := range entries {
		for _, f := range e.Findings {
			at := flatten(e.Source, f)
			kind := "warning"
			if f.Severity == rule.Error {
				kind = "error"
			}
			fmt.Fprintf(b, "##vso[task.logissue type=%s;sourcepath=%s;linenumber=%d;columnnumber=%d;code=%s;]%s\n",
				kind, azureText.Replace(source.Printable(o.shown(e.Source.Path))), at.start.Row, at.start.Column, f.Rule.Code, azureText.Replace(at.message))
		}
	}
	return b.Flush()
}
