package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// fingerprintName is the key of our fingerprints; the number changes with what they are made of.
const fingerprintName = "tfmem/v1"

// The properties of SARIF that tfmem writes, with the names of the standard. They are ours, because
// go-sarif also validates, and so links net/http: 4.5 MB, and a framework of Apple that only a Mac has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations,omitempty"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		Version         string      `json:"version"`
		SemanticVersion string      `json:"semanticVersion"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		Name                 string             `json:"name"`
		ShortDescription     sarifText          `json:"shortDescription"`
		FullDescription      sarifText          `json:"fullDescription"`
		Help                 sarifText          `json:"help"`
		HelpURI              string             `json:"helpUri,omitempty"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
		Fixes               []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		ID               int                    `json:"id,omitempty"`
		PhysicalLocation sarifPhysicalLocation  `json:"physicalLocation"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
		Message          *sarifText             `json:"message,omitempty"`
	}
	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifLogicalLocation struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description     sarifText     `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion `json:"deletedRegion"`
		InsertedContent sarifText   `json:"insertedContent"`
	}
)

// sarif prints a log of SARIF 2.1.0:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
//
// In a notebook, regions would be of its JSON text: a finding is on its first line, names its cell,
// and has no fixes.
func sarif(w io.Writer, entries []Entry, o Options) error {
	return WriteJSON(w, toSARIF(entries, o))
}

func toSARIF(entries []Entry, o Options) sarifLog {
	rules, docs := found(entries)
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{
		Name: "tfmem", Version: o.Version, SemanticVersion: o.Version,
		Rules: []sarifRule{},
	}
	for _, r := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.Code, Name: r.Name,
			ShortDescription:     sarifText{Text: r.Summary},
			FullDescription:      sarifText{Text: strings.TrimSpace(r.What)},
			Help:                 sarifText{Text: strings.TrimSpace(r.Why), Markdown: r.Markdown()},
			HelpURI:              r.URL(docs[r]),
			DefaultConfiguration: sarifConfiguration{Enabled: !r.OffByDefault, Level: level(r.Severity)},
		})
	}
	if len(o.Notes) > 0 {
		run.Invocations = []sarifInvocation{{ExecutionSuccessful: true}}
		for _, n := range o.Notes {
			run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"note", sarifText{Text: n.Text}})
		}
	}
	prints := Fingerprinter{}
	for _, e := range entries {
		for _, f := range e.Findings {
			result := sarifResult{
				RuleID: f.Rule.Code, RuleIndex: slices.Index(rules, f.Rule), Level: level(f.Severity),
				Message:             sarifText{Text: flatten(e.Source, f).message},
				Locations:           []sarifLocation{o.location(e.Source, f.Span)},
				PartialFingerprints: map[string]string{fingerprintName: prints.Of(o.shown(e.Source.Path), e, f)},
			}
			for i, r := range f.Related {
				related := o.location(of(r, e.Source), r.Span)
				related.ID, related.Message = i+1, &sarifText{Text: source.Printable(r.Message)}
				result.RelatedLocations = append(result.RelatedLocations, related)
			}
			for _, fix := range f.Fixes {
				if changes := o.changes(e.Source, fix); len(changes) > 0 {
					result.Fixes = append(result.Fixes, sarifFix{sarifText{Text: source.Printable(fix.Message)}, changes})
				}
			}
			run.Results = append(run.Results, result)
		}
	}
	return sarifLog{"https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json", "2.1.0", []sarifRun{run}}
}

// found returns the rules of the findings, in order of their codes, and where their pages are.
func found(entries []Entry) ([]*rule.Rule, map[*rule.Rule]string) {
	var rules []*rule.Rule
	docs := map[*rule.Rule]string{}
	for _, e := range entries {
		for _, f := range e.Findings {
			if !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
			docs[f.Rule] = cmp.Or(docs[f.Rule], e.Docs)
		}
	}
	slices.SortFunc(rules, func(a, b *rule.Rule) int { return strings.Compare(a.Code, b.Code) })
	return rules, docs
}

func level(s rule.Severity) string {
	return [...]string{rule.Hint: "note", rule.Information: "note", rule.Warning: "warning", rule.Error: "error"}[s]
}

func (o Options) location(s *source.Source, span source.Span) sarifLocation {
	out, at := sarifLocation{}, locate(s, span)
	if at.cell > 0 {
		out.LogicalLocations = []sarifLogicalLocation{{"module", fmt.Sprintf("cell %d", at.cell)}}
		at.start, at.end = position{1, 1}, position{1, 1}
	}
	out.PhysicalLocation = sarifPhysicalLocation{o.artifact(s), region(at)}
	return out
}

func region(at place) sarifRegion {
	return sarifRegion{at.start.Row, at.start.Column, at.end.Row, at.end.Column}
}

func (o Options) artifact(s *source.Source) sarifArtifact {
	path := o.shown(s.Path)
	address := url.URL{Path: path}
	if filepath.IsAbs(s.Path) && path == filepath.ToSlash(s.Path) {
		address = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}
	}
	return sarifArtifact{address.String()}
}

// changes returns what a fix does to files: nothing for a fix that is only shown or is in a notebook.
func (o Options) changes(s *source.Source, fix rule.Fix) (all []sarifChange) {
	if fix.Applicability == rule.Display {
		return nil
	}
	for _, of := range []struct {
		in    *source.Source
		edits []source.Edit
	}{{s, fix.Edits}, {fix.Elsewhere.Source, fix.Elsewhere.Edits()}} {
		if len(of.edits) == 0 {
			continue
		}
		change := sarifChange{ArtifactLocation: o.artifact(of.in)}
		for _, e := range of.edits {
			at := locate(of.in, e.Span)
			if at.cell > 0 {
				return nil
			}
			change.Replacements = append(change.Replacements, sarifReplacement{region(at), sarifText{Text: e.New}})
		}
		all = append(all, change)
	}
	return all
}
