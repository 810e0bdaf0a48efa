package report

import (
	"bytes"
	encoding "encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// The contract of the JSON format; see the README. Rows and columns count from
// 1, columns in characters; in a notebook rows count from the start of the cell.
type (
	jsonFinding struct {
		Code     string `json:"code"`
		Name     string `json:"name"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		jsonPlace
		Fix     *jsonFix      `json:"fix"` // the preferred one
		Fixes   []jsonFix     `json:"fixes"`
		Related []jsonRelated `json:"related"`
		URL     *string       `json:"url"` // of the rule's page; null if none is published
	}
	jsonPlace struct {
		Filename    string   `json:"filename"`
		Cell        *int     `json:"cell"` // from 1, over all cells; null in a file
		Location    position `json:"location"`
		EndLocation position `json:"end_location"`
	}
	jsonFix struct {
		Applicability string     `json:"applicability"`
		Message       string     `json:"message"`
		Edits         []JSONEdit `json:"edits"`
	}
	// A JSONEdit replaces the text of a place.
	JSONEdit struct {
		Content string `json:"content"`
		jsonPlace
	}
	jsonRelated struct {
		Message string `json:"message"`
		jsonPlace
	}
)

// json prints one array of findings, empty if there are none.
func json(w io.Writer, entries []Entry, _ Options) error {
	return WriteJSON(w, Findings(entries))
}

// Findings returns the array that the format json prints, for other documents that contain it.
func Findings(entries []Entry) any {
	findings := []jsonFinding{}
	for _, e := range entries {
		for _, f := range e.Findings {
			findings = append(findings, toJSON(e, f))
		}
	}
	return findings
}

// WriteJSONLine is WriteJSON on one line.
func WriteJSONLine(w io.Writer, value any) error { return writeJSON(w, value, "") }

// WriteJSON prints a value in the format of all of tfmem's JSON: indented, and with "<" and "&"
// unescaped. It contains no character that a terminal acts upon, because JSON has none outside of
// strings.
func WriteJSON(w io.Writer, value any) error {
	return writeJSON(w, value, "  ")
}

func writeJSON(w io.Writer, value any, indent string) error {
	var b bytes.Buffer
	enc := encoding.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return err
	}
	var out []byte
	for _, r := range b.String() {
		switch {
		case r == '\n', r < utf8.RuneSelf && r != 0x7f, source.Printable(string(r)) == string(r):
			out = utf8.AppendRune(out, r)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
	}
	_, err := w.Write(out)
	return err
}

func toJSON(e Entry, f rule.Finding) jsonFinding {
	s := e.Source
	out := jsonFinding{
		Code: f.Rule.Code, Name: f.Rule.Name, Severity: f.Severity.String(), Message: f.Message,
		jsonPlace: toJSONPlace(s, f.Span),
		Fixes:     []jsonFix{},
		Related:   []jsonRelated{},
	}
	if address := f.Rule.URL(e.Docs); address != "" {
		out.URL = &address
	}
	for _, fix := range f.Fixes {
		j := jsonFix{Applicability: fix.Applicability.String(), Message: fix.Message, Edits: append(EditsOf(s, fix.Edits), EditsOf(fix.Elsewhere.Source, fix.Elsewhere.Edits())...)}
		out.Fixes = append(out.Fixes, j)
	}
	if len(out.Fixes) > 0 {
		out.Fix = &out.Fixes[0]
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, jsonRelated{Message: r.Message, jsonPlace: toJSONPlace(of(r, s), r.Span)})
	}
	return out
}

// EditsOf returns edits of a source as the format has them.
func EditsOf(s *source.Source, edits []source.Edit) []JSONEdit {
	out := []JSONEdit{}
	for _, e := range edits {
		out = append(out, JSONEdit{Content: e.New, jsonPlace: toJSONPlace(s, e.Span)})
	}
	return out
}

func toJSONPlace(s *source.Source, span source.Span) jsonPlace {
	p := locate(s, span)
	j := jsonPlace{Filename: s.Path, Location: p.start, EndLocation: p.end}
	if p.cell > 0 {
		j.Cell = &p.cell
	}
	return j
}
