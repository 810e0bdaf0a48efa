package report

import (
	"io"

	"github.com/tfmem/tfmem/rules/rule"
)

// The contract of GitLab's code quality report:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type (
	gitlabFinding struct {
		Description string         `json:"description"`
		CheckName   string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path      string          `json:"path"`
		Positions gitlabPositions `json:"positions"`
	}
	gitlabPositions struct {
		Begin gitlabPosition `json:"begin"`
		End   gitlabPosition `json:"end"`
	}
	gitlabPosition struct {
		Row    int `json:"line"`
		Column int `json:"column"`
	}
)

func gitlab(w io.Writer, entries []Entry, o Options) error {
	findings := []gitlabFinding{}
	prints := Fingerprinter{}
	for _, e := range entries {
		path := o.shown(e.Source.Path)
		for _, f := range e.Findings {
			at := flatten(e.Source, f)
			findings = append(findings, gitlabOf(f.Severity, f.Rule.Code, prints.Of(path, e, f), path, at.start, at.end, f.Rule.Code+": "+at.message))
		}
	}
	return WriteJSON(w, findings)
}

func gitlabOf(severity rule.Severity, check, fingerprint, path string, start, end position, message string) gitlabFinding {
	return gitlabFinding{
		Description: message, CheckName: check, Fingerprint: fingerprint,
		Severity: [...]string{rule.Hint: "info", rule.Information: "minor", rule.Warning: "major", rule.Error: "critical"}[severity],
		Location: gitlabLocation{path, gitlabPositions{gitlabPosition(start), gitlabPosition(end)}},
	}
}
