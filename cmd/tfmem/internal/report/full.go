package report

import (
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// full prints each finding with its code, related places, its fix, and where to read more.
func full(w io.Writer, entries []Entry, o Options) error {
	for _, e := range entries {
		for _, f := range e.Findings {
			var b strings.Builder
			printFinding(&b, e.Source, f, o.Palette)
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

func printFinding(b *strings.Builder, s *source.Source, f rule.Finding, p Palette) {
	b.WriteString(header(s, f, f.Rule.Code, p) + " " + source.Printable(f.Message) + "\n")
	frameOf(s, f.Span, f.Severity, around, p).print(b)
	for _, r := range f.Related {
		s := of(r, s)
		b.WriteString(where(s, r.Span, p) + ": " + p.Note("note") + ": " + source.Printable(r.Message) + "\n")
		frameOf(s, r.Span, rule.Hint, 0, p).print(b)
	}
	for i, fix := range f.Fixes {
		label := "help"
		if i > 0 {
			label = "or"
		}
		b.WriteString(p.Help(label) + ": " + source.Printable(fix.Message))
		if fix.Applicability == rule.Unsafe {
			b.WriteString(" (unsafe: it may change what the program computes)")
		}
		b.WriteByte('\n')
		if i == 0 {
			printFix(b, s, fix, p)
		}
	}
	b.WriteString(p.Severity(f.Severity, f.Severity.String()) + ": " + f.Rule.Name + ", see " + f.Rule.URL() + "\n\n")
}

func frameOf(s *source.Source, span source.Span, severity rule.Severity, context int, p Palette) frame {
	at := s.Place(span)
	return frame{lines: s.Segments()[at.Segment].Lines(), span: at.Span, severity: severity, context: context, palette: p}
}
