package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	log "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// fingerprintName is the key of our fingerprints; the number changes with what they are made of.
const fingerprintName = "tfmem/v1"

// sarif prints a log of SARIF 2.1.0:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
//
// In a notebook, regions would be of its JSON text: a finding is on its first line, names its cell,
// and has no fixes.
func sarif(w io.Writer, entries []Entry, o Options) error {
	return WriteJSON(w, toSARIF(entries, o))
}

func toSARIF(entries []Entry, o Options) *log.Report {
	run := log.NewRunWithInformationURI("tfmem", "https://github.com/tfmem/tfmem")
	run.Tool.Driver.WithVersion(o.Version).WithSemanticVersion(o.Version)
	run.WithColumnKind("unicodeCodePoints")
	rules := found(entries)
	for _, r := range rules {
		run.Tool.Driver.AddRule(log.NewReportingDescriptor().WithID(r.Code).WithName(r.Name).
			WithShortDescription(log.NewMultiformatMessageString().WithText(r.Summary)).
			WithFullDescription(log.NewMultiformatMessageString().WithText(strings.TrimSpace(r.What))).
			WithHelp(log.NewMultiformatMessageString().WithText(strings.TrimSpace(r.Why)).WithMarkdown(r.Markdown())).
			WithHelpURI(r.URL()).
			WithDefaultConfiguration(log.NewReportingConfiguration().WithLevel(level(r.Severity)).WithEnabled(!r.OffByDefault)))
	}
	prints := Fingerprinter{}
	for _, e := range entries {
		for _, f := range e.Findings {
			result := log.NewRuleResult(f.Rule.Code).WithRuleIndex(slices.Index(rules, f.Rule)).WithLevel(level(f.Severity)).
				WithMessage(log.NewTextMessage(flatten(e.Source, f).message)).
				AddLocation(o.location(e.Source, f.Span)).
				WithPartialFingerprints(map[string]string{fingerprintName: prints.Of(o.shown(e.Source.Path), e, f)})
			for i, r := range f.Related {
				result.AddRelatedLocation(o.location(of(r, e.Source), r.Span).WithID(i + 1).WithMessage(log.NewTextMessage(source.Printable(r.Message))))
			}
			for _, fix := range f.Fixes {
				if change := o.change(e.Source, fix); change != nil {
					result.AddFixe(log.NewFix().WithDescription(log.NewTextMessage(source.Printable(fix.Message))).AddArtifactChange(change))
				}
			}
			run.AddResult(result)
		}
	}
	return log.NewReport().AddRun(run)
}

// found returns the rules of the findings, in order of their codes.
func found(entries []Entry) []*rule.Rule {
	var rules []*rule.Rule
	for _, e := range entries {
		for _, f := range e.Findings {
			if !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
		}
	}
	slices.SortFunc(rules, func(a, b *rule.Rule) int { return strings.Compare(a.Code, b.Code) })
	return rules
}

func level(s rule.Severity) string {
	return [...]string{rule.Hint: "note", rule.Information: "note", rule.Warning: "warning", rule.Error: "error"}[s]
}

func (o Options) location(s *source.Source, span source.Span) *log.Location {
	physical := log.NewPhysicalLocation().WithArtifactLocation(o.artifact(s))
	out := log.NewLocationWithPhysicalLocation(physical)
	at := locate(s, span)
	if at.cell > 0 {
		out.AddLogicalLocation(log.NewLogicalLocation().WithKind("module").WithName(fmt.Sprintf("cell %d", at.cell)))
		at.start, at.end = position{1, 1}, position{1, 1}
	}
	physical.WithRegion(region(at))
	return out
}

func region(at place) *log.Region {
	return log.NewRegion().WithStartLine(at.start.Row).WithStartColumn(at.start.Column).WithEndLine(at.end.Row).WithEndColumn(at.end.Column)
}

func (o Options) artifact(s *source.Source) *log.ArtifactLocation {
	path := o.shown(s.Path)
	address := url.URL{Path: path}
	if filepath.IsAbs(s.Path) && path == filepath.ToSlash(s.Path) {
		address = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}
	}
	return log.NewSimpleArtifactLocation(address.String())
}

// change returns what a fix does to a file, or nil for a fix that is only shown or is in a notebook.
func (o Options) change(s *source.Source, fix rule.Fix) *log.ArtifactChange {
	if fix.Applicability == rule.Display || len(fix.Edits) == 0 {
		return nil
	}
	change := log.NewArtifactChange().WithArtifactLocation(o.artifact(s))
	for _, e := range fix.Edits {
		at := locate(s, e.Span)
		if at.cell > 0 {
			return nil
		}
		change.AddReplacement(log.NewReplacement().WithDeletedRegion(region(at)).WithInsertedContent(log.NewArtifactContent().WithText(e.New)))
	}
	return change
}
