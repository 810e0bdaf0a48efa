package rules

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/suppress"
)

// commented are ways to end lines in comments.
var commented = []struct {
	name   string
	change func(text string) string
}{
	{"as it is", func(text string) string { return text }},
	{"behind", func(text string) string {
		return onLines(text, func(line string) string { return line + "  # why" })
	}},
	{"below", func(text string) string {
		return onLines(text, func(line string) string {
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			return line + "\n" + indent + "# why"
		})
	}},
	{"form feeds", func(text string) string {
		return onLines(text, func(line string) string { return line + "  # why\f" })
	}},
	{"at the very end", func(text string) string { return strings.TrimRight(text, "\n") + "  # why" }},
}

// onLines changes the lines of a text that may end in a comment.
func onLines(text string, change func(line string) string) string {
	tree := syntax.Parse(text)
	var out strings.Builder
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		end := at + len(line)
		n := tree.NodeAt(end, min(end+1, len(text)))
		for n.Valid() && !(n.Kind() == syntax.String && n.Start() < end && end < n.End()) {
			n = n.Parent()
		}
		if n.Valid() || strings.HasSuffix(line, `\`) || strings.TrimSpace(line) == "" {
			out.WriteString(line)
		} else {
			out.WriteString(change(line))
		}
		if at = end + 1; at <= len(text) {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// ends are ways to end lines, and what a text with such line ends must not contain.
var ends = []struct {
	name string
	lay  func(text string) string
	not  *regexp.Regexp
}{
	{"crlf", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, regexp.MustCompile(`\r\r|[^\r]\n|\r[^\n]|\r$`)},
	{"crlf behind a mark", func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }, regexp.MustCompile(`\r\r|[^\r]\n|\r[^\n]|\r$`)},
	{"lf", func(s string) string { return s }, regexp.MustCompile(`\r`)},
	{"cr", func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }, regexp.MustCompile(`\n`)},
	{"crlf and lf", mixed("\r\n", "\n"), regexp.MustCompile(`\r\r|\r[^\n]|\r$`)},
	{"all", mixed("\r\n", "\n", "\r"), regexp.MustCompile(`\x00`)},
}

// mixed ends each line in another way.
func mixed(breaks ...string) func(string) string {
	return func(text string) string {
		var out strings.Builder
		for i, line := range strings.SplitAfter(text, "\n") {
			body, ended := strings.CutSuffix(line, "\n")
			out.WriteString(body)
			switch {
			case !ended:
			case strings.HasSuffix(out.String(), "\r"):
				out.WriteString("\r") // a "\n" would join the "\r" above into one line end
			default:
				out.WriteString(breaks[i%len(breaks)])
			}
		}
		return out.String()
	}
}

// TestLineEnds checks every edit of fixes, rewrites and suppression comments: it neither begins nor
// ends within a line end, and the inserted text ends its lines as the file does, wherever comments
// are and whatever the line ends are.
func TestLineEnds(t *testing.T) {
	made := map[string]int{}
	type layout struct {
		path         string
		comment, end int // of commented and ends
		cells        bool
	}
	for _, of := range []struct {
		pattern string
		sample  int
		analyze func(*source.Source) *analyzer.File
	}{
		{folder + "/*/*.py", 300, analyze},
		{"../testdata/rewrites/*/*.py", 150, func(s *source.Source) *analyzer.File {
			return analyzer.Analyze(s, analyzer.Config{Devices: func() []memory.Device { return make([]memory.Device, 2) }})
		}},
	} {
		paths, err := filepath.Glob(of.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var layouts []layout
		for _, path := range paths {
			if strings.Count(filepath.Base(path), ".") > 1 {
				continue // a golden
			}
			for i := range commented {
				for j := range ends {
					layouts = append(layouts, layout{path, i, j, len(layouts)%2 == 1})
				}
			}
		}
		for _, l := range cases.Sample(t, layouts, of.sample) {
			comment, end := commented[l.comment], ends[l.end]
			laid := end.lay(comment.change(read(t, l.path)))
			src, ok := inCells("")(laid)
			if !ok || !l.cells {
				src = source.New(filepath.Base(l.path), laid)
			}
			for what, edits := range editsOf(of.analyze(src)) {
				kind, _, _ := strings.Cut(what, " ")
				made[kind]++
				checkLineEnds(t, fmt.Sprintf("%s, comments %s, lines end in %s, %s", l.path, comment.name, end.name, what), src, edits, end.not)
			}
		}
	}
	for _, kind := range append(rewrite.Names(), "fix", "disabling", "noqa") {
		if made[kind] == 0 {
			t.Errorf("no edits of the kind %s were looked at", kind)
		}
	}
}

// editsOf returns all possible edits of a file, by what makes them.
func editsOf(file *analyzer.File) map[string][]source.Edit {
	out := map[string][]source.Edit{}
	findings := Check(file, Selection{Select: []string{"ALL"}})
	for i, f := range findings {
		for j, fix := range f.Fixes {
			out[fmt.Sprintf("fix %d of finding %d, %s", j, i, f.Rule.Code)] = fix.Edits
		}
		if e, ok := suppress.Disable(file, f); ok {
			out[fmt.Sprintf("disabling finding %d", i)] = []source.Edit{e}
		}
		if e, ok := suppress.DisableFile(file, f); ok {
			out["disabling "+f.Rule.Code] = []source.Edit{e}
		}
	}
	out["noqa"], _ = suppress.AddNoqa(file, findings)
	for s := range file.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Is(syntax.ForStatement, syntax.Call) {
				for _, o := range rewrite.Offers(file, source.Span{Start: n.Start(), End: n.Start()}) {
					out[fmt.Sprintf("%s at %d", o.Name, n.Start())] = o.Edits
				}
			}
			return true
		})
	}
	return out
}

func checkLineEnds(t *testing.T, name string, src *source.Source, edits []source.Edit, not *regexp.Regexp) {
	t.Helper()
	for _, e := range edits {
		at := src.Place(e.Span)
		text := src.Segments()[at.Segment].Raw
		before, after := text[:at.Span.Start], text[at.Span.End:]
		if within(text, len(before)) || within(text, at.Span.End) {
			t.Errorf("%s: an edit begins or ends within a line end, at byte %d: %+v", name, at.Span.Start, e)
		}
		if e.New == "" {
			continue
		}
		if joined := before + e.New + after; within(joined, len(before)) || within(joined, len(joined)-len(after)) {
			t.Errorf("%s: an edit makes one line end of two: %+v", name, e)
		}
	}
	edited, err := src.Edited(edits)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, g := range edited.Segments() {
		if at := not.FindStringIndex(g.Raw); at != nil {
			t.Errorf("%s: a line ends as no other does, at byte %d of %q", name, at[0], g.Raw)
		}
	}
}

// within reports whether a place is between "\r" and "\n".
func within(text string, at int) bool {
	return strings.HasSuffix(text[:at], "\r") && strings.HasPrefix(text[at:], "\n")
}
