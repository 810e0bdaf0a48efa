package report

import (
	"bufio"
	"io"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Remark is a sentence about a place, and no finding of a rule. CI systems show both alike.
type Remark struct {
	Severity    rule.Severity
	Check       string // what makes the remark
	Path        string
	Cell        int // 0 in a file
	Row, Column int // from 1
	// Key tells it from other remarks on the file, and stays when lines move.
	Key     string
	Message string
}

func (r Remark) flat() flat {
	at := position{r.Row, r.Column}
	return flat{place{r.Cell, at, at}, source.PrintableLines(r.Message)}.flattened()
}

// GitHubRemarks prints remarks as [github] does findings.
func GitHubRemarks(w io.Writer, remarks []Remark, o Options) error {
	b := bufio.NewWriter(w)
	for _, r := range remarks {
		at := r.flat()
		o.annotate(b, r.Severity, r.Check, r.Path, at.start, at.end, at.message)
	}
	return b.Flush()
}

// GitLabRemarks prints remarks as a code quality report.
func GitLabRemarks(w io.Writer, remarks []Remark, o Options) error {
	findings, prints := []gitlabFinding{}, Fingerprinter{}
	for _, r := range remarks {
		at, path := r.flat(), o.shown(r.Path)
		findings = append(findings, gitlabOf(r.Severity, r.Check, prints.of(path, r.Check, r.Key), path, at.start, at.end, r.Check+": "+at.message))
	}
	return WriteJSON(w, findings)
}
