package cache

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

// The format of results. Spans are of the joined text of a program.
type (
	// A Result is the result for one program of a file.
	Result struct {
		Unrelated bool             `json:"unrelated,omitempty"`
		Foreign   string           `json:"foreign,omitempty"`
		Findings  []finding        `json:"findings,omitempty"`
		Trainings []estimate.Brief `json:"trainings,omitempty"`
		// Source is the text of a notebook's program that has findings: with its outputs, a notebook
		// may be a hundred times as long.
		Source *Source `json:"source,omitempty"`
	}
	// A Source is the text of a notebook's program.
	Source struct {
		Text  string    `json:"text"`
		Cells []segment `json:"cells"`
	}
	segment struct {
		Name   string         `json:"name"`
		Cell   int            `json:"cell"`
		Span   source.Span    `json:"span"`
		Raw    string         `json:"raw,omitempty"` // where it has pieces
		Pieces []source.Piece `json:"pieces,omitempty"`
	}
	finding struct {
		Code     string        `json:"code"`
		Severity rule.Severity `json:"severity"`
		Span     source.Span   `json:"span"`
		Message  string        `json:"message"`
		Fixes    []rule.Fix    `json:"fixes,omitempty"`
		Of       []string      `json:"of,omitempty"` // by fix, the path of the other file that it edits
		Related  []related     `json:"related,omitempty"`
		Tags     []rule.Tag    `json:"tags,omitempty"`
	}
	related struct {
		Path    string      `json:"path,omitempty"` // of another file
		Span    source.Span `json:"span"`
		Message string      `json:"message"`
	}
)

// Pack converts findings. ok is false if they refer to a text that is no file of its own, or if
// JSON has no room for them.
func Pack(findings []rule.Finding) (out []finding, ok bool) {
	for _, f := range findings {
		p := finding{Code: f.Rule.Code, Severity: f.Severity, Span: f.Span, Message: f.Message, Fixes: f.Fixes, Tags: f.Tags}
		for i, fix := range f.Fixes {
			for _, e := range fix.Edits {
				if !utf8.ValidString(e.New) {
					return nil, false
				}
			}
			if of := fix.Elsewhere.Source; of != nil {
				if !alone(of) {
					return nil, false
				}
				p.Of = append(p.Of, make([]string, len(f.Fixes)-len(p.Of))...)
				p.Of[i] = of.Path
			}
		}
		for _, r := range f.Related {
			path := ""
			if r.Source != nil {
				if !alone(r.Source) {
					return nil, false
				}
				path = r.Source.Path
			}
			p.Related = append(p.Related, related{path, r.Span, r.Message})
		}
		out = append(out, p)
	}
	return out, true
}

// alone reports whether a text is a file of its own.
func alone(s *source.Source) bool {
	segments := s.Segments()
	return len(segments) == 1 && segments[0].Cell == 0 && segments[0].Pieces == nil
}

// Unpack converts findings back. read returns the text of another file that they refer to. ok is
// false if a rule or a file is not there.
func Unpack(findings []finding, lookup func(code string) *rule.Rule, read func(path string) (*source.Source, bool)) (out []rule.Finding, ok bool) {
	for _, p := range findings {
		f := rule.Finding{Rule: lookup(p.Code), Severity: p.Severity, Span: p.Span, Message: p.Message, Fixes: p.Fixes, Tags: p.Tags}
		if f.Rule == nil {
			return nil, false
		}
		for i, path := range p.Of {
			if path == "" {
				continue
			}
			if f.Fixes[i].Elsewhere.Source, ok = read(path); !ok {
				return nil, false
			}
		}
		for _, r := range p.Related {
			one := rule.Related{Span: r.Span, Message: r.Message}
			if r.Path != "" {
				if one.Source, ok = read(r.Path); !ok {
					return nil, false
				}
			}
			f.Related = append(f.Related, one)
		}
		out = append(out, f)
	}
	return out, true
}

var (
	// aPlace is in a sentence that names a place of the text that it says, such as "line 3 of far.py".
	aPlace = regexp.MustCompile(`(?:\blines? \d+ of )?([^\s"'\x60(/\\]+\.(?:py|ipynb))\b`)
	// places are in one that does not say of which text.
	places = regexp.MustCompile(`\blines? \d|\bcell \d`)
)

// Places returns the paths, or parts of them, of other texts of which a result has places: it
// depends on their lines. whole is set if a sentence may name a place of any. own are the paths of the file itself.
func (r Result) Places(own ...string) (paths []string, whole bool) {
	if len(r.Findings)+len(r.Trainings) == 0 {
		return nil, false
	}
	for _, f := range r.Findings {
		for _, of := range f.Of {
			if of != "" {
				paths = append(paths, of)
			}
		}
		for _, related := range f.Related {
			if related.Path != "" {
				paths = append(paths, related.Path)
			}
		}
	}
	text, err := json.Marshal(Result{Findings: r.Findings, Trainings: r.Trainings})
	said := string(text)
	for _, path := range append(own, paths...) {
		quoted, _ := json.Marshal(path)
		said = strings.ReplaceAll(said, string(quoted), `""`)
	}
	for _, m := range aPlace.FindAllStringSubmatch(said, -1) {
		paths = append(paths, m[1])
	}
	return paths, err != nil || places.MatchString(aPlace.ReplaceAllString(said, ""))
}

// PackSource converts the source of a notebook's program. It returns nil if JSON has no room for it.
func PackSource(s *source.Source) *Source {
	packed := &Source{Text: s.Text()}
	valid := utf8.ValidString(packed.Text)
	for _, g := range s.Segments() {
		cell := segment{Name: g.Name, Cell: g.Cell, Span: g.Span(), Pieces: g.Pieces}
		if g.Pieces != nil {
			cell.Raw = g.Raw
		}
		valid = valid && utf8.ValidString(g.Name+g.Raw)
		packed.Cells = append(packed.Cells, cell)
	}
	if !valid {
		return nil
	}
	return packed
}

// Unpack converts it back, as far as a report needs it.
func (s *Source) Unpack(path string) (*source.Source, error) {
	var segments []source.Segment
	var spans []source.Span
	for _, c := range s.Cells {
		if c.Pieces == nil {
			if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > len(s.Text) {
				return nil, errors.New("a cell lies outside the text")
			}
			c.Raw = s.Text[c.Span.Start:c.Span.End]
		}
		segments = append(segments, source.Segment{Name: c.Name, Cell: c.Cell, Raw: c.Raw, Pieces: c.Pieces})
		spans = append(spans, c.Span)
	}
	return source.Join(path, s.Text, segments, spans)
}
