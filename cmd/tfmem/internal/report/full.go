package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// full prints each finding with its code, related places, its fix, and where to read more. What only
// informs, and many files have alike, is shown for a few of them and counted for the others.
func full(w io.Writer, entries []Entry, o Options) error {
	var b strings.Builder
	causes := causesOf(entries)
	for _, e := range entries {
		for _, f := range e.Findings {
			if causes[causeOf(f)].index(e.Source.Path) >= shownFiles {
				continue
			}
			b.Reset()
			printFinding(&b, e, f, o.Palette)
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
		}
	}
	b.Reset()
	printRest(&b, causes, o.Palette)
	_, err := io.WriteString(w, b.String())
	return err
}

// shownFiles is for how many files a finding is shown that many have alike. namedFiles is how many of the
// others are named.
const shownFiles, namedFiles = 3, 8

// A cause is what findings have alike.
type cause struct {
	rule     *rule.Rule
	severity rule.Severity
	claim    string
}

func causeOf(f rule.Finding) cause {
	claim, _, _ := strings.Cut(f.Message, ". ")
	return cause{f.Rule, f.Severity, claim}
}

// An affected are the files that have findings of a cause.
type affected struct {
	paths []string
	of    map[string]int // the index in paths
	count []int          // of findings, by path
}

func (a *affected) index(path string) int {
	if a == nil {
		return 0
	}
	return a.of[path]
}

// causesOf returns the files by cause, for what only informs and more files have than are shown.
func causesOf(entries []Entry) map[cause]*affected {
	causes := map[cause]*affected{}
	for _, e := range entries {
		for _, f := range e.Findings {
			c := causeOf(f)
			if f.Severity > rule.Information {
				continue
			}
			if causes[c] == nil {
				causes[c] = &affected{of: map[string]int{}}
			}
			a, path := causes[c], e.Source.Path
			if _, known := a.of[path]; !known {
				a.of[path] = len(a.paths)
				a.paths, a.count = append(a.paths, path), append(a.count, 0)
			}
			a.count[a.of[path]]++
		}
	}
	return causes
}

// printRest counts, by file, the findings that are not shown.
func printRest(b *strings.Builder, causes map[cause]*affected, p Palette) {
	rest := slices.DeleteFunc(slices.Collect(maps.Keys(causes)), func(c cause) bool { return len(causes[c].paths) <= shownFiles })
	slices.SortFunc(rest, func(x, y cause) int {
		return cmp.Or(strings.Compare(x.rule.Code, y.rule.Code), strings.Compare(x.claim, y.claim))
	})
	for _, c := range rest {
		a, total := causes[c], 0
		var named []string
		for i := shownFiles; i < len(a.paths); i++ {
			total += a.count[i]
			if name := source.Printable(a.paths[i]); a.count[i] > 1 {
				named = append(named, fmt.Sprintf("%s (%d)", name, a.count[i]))
			} else {
				named = append(named, name)
			}
		}
		more := ""
		if len(named) > namedFiles {
			more = fmt.Sprintf(" and %d more files", len(named)-namedFiles)
			named = named[:namedFiles]
		}
		fmt.Fprintf(b, "%s %s: %d more like these, in %s%s; --output-format concise lists each\n\n",
			p.Severity(c.severity, c.rule.Code), c.rule.Name, total, strings.Join(named, ", "), more)
	}
}

func printFinding(b *strings.Builder, e Entry, f rule.Finding, p Palette) {
	s := e.Source
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
	b.WriteString(p.Severity(f.Severity, f.Severity.String()) + ": " + f.Rule.Name + ", see " + cmp.Or(f.Rule.URL(e.Docs), "tfmem rule "+f.Rule.Code) + "\n\n")
}

func frameOf(s *source.Source, span source.Span, severity rule.Severity, context int, p Palette) frame {
	at := s.Place(span)
	return frame{lines: s.Segments()[at.Segment].Lines(), span: at.Span, severity: severity, context: context, palette: p}
}
