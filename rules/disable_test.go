package rules

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suppress"
)

// TestDisable adds a comment for each finding of every case, for its line and for its file, in the
// case's own layout and in others, each case in one of these in turn. The finding must go, all
// others must stay, and the text must parse as well as before. If no comment is possible, that is
// reported.
func TestDisable(t *testing.T) {
	layouts := map[string]func(text string) (*source.Source, bool){
		"magics": inCells("%%time\n"),
		"a shebang": func(text string) (*source.Source, bool) {
			return source.New("case.py", "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"+text), true
		},
		"comments": func(text string) (*source.Source, bool) {
			kinds := []string{"  # noqa: E501", "  # type: ignore", "  # noqa: E501, TFM204", "\t# tfmem: ignore[TFM703]", "  # why", " # pragma: no cover # noqa:F401"}
			return source.New("case.py", relaid(text, func(line string, n int) string { return line + kinds[n%len(kinds)] })), true
		},
		"backslashes": func(text string) (*source.Source, bool) {
			return source.New("case.py", relaid(text, func(line string, _ int) string { return strings.Replace(line, " = ", " = \\\n  ", 1) })), true
		},
		"strings": func(text string) (*source.Source, bool) {
			return source.New("case.py", relaid(text, func(line string, _ int) string { return line + "; \"\"\"\n\"\"\"" })), true
		},
		"JupyterLab": func(text string) (*source.Source, bool) {
			return source.New("n.ipynb", "# START_CELL_MAGIC(\"time\")\n"+text), true
		},
	}
	for name, v := range variants {
		layouts[name] = func(text string) (*source.Source, bool) { return source.New("case.py", v(text)), true }
	}
	names := slices.Sorted(maps.Keys(layouts))
	for turn, r := range checked() {
		if r == suppress.UnusedSuppression {
			continue
		}
		t.Run(r.Code, func(t *testing.T) {
			t.Parallel()
			lines, files := 0, 0
			try := func(path, layout string, src *source.Source) {
				a, b := disable(t, filepath.Base(path)+", "+layout, src, r)
				lines, files = lines+a, files+b
			}
			for i, path := range cases.Sample(t, programs(t, r), 12) {
				text := read(t, path)
				try(path, "as it is", source.New("case.py", text))
				for _, name := range cases.Turn(names, turn+i) {
					if src, ok := layouts[name](text); ok {
						try(path, name, src)
					}
				}
			}
			if lines == 0 || files == 0 {
				t.Errorf("%d findings were disabled for their line, and %d for their file", lines, files)
			}
		})
	}
}

// disable tries both comments for each finding of a rule, and returns how many were possible.
func disable(t *testing.T, what string, src *source.Source, r *rule.Rule) (lines, files int) {
	only := Selection{Select: []string{r.Code, suppress.UnusedSuppression.Code}}
	file := analyze(src)
	before := Check(file, only)
	was := counted(file, before)
	try := func(f rule.Finding, form string, edit source.Edit, left map[string]int) {
		t.Helper()
		edited, err := src.Edited([]source.Edit{edit})
		if err != nil {
			t.Errorf("%s: %s for %q cannot be made: %v", what, form, src.Slice(f.Span), err)
			return
		}
		after := analyze(edited)
		if after.Tree.Broken() > file.Tree.Broken() {
			t.Errorf("%s: %s for %q breaks the text:\n%s", what, form, src.Slice(f.Span), edited.Text())
		}
		got := counted(after, Check(after, only))
		for key, n := range got {
			if n > left[key] {
				t.Errorf("%s: with %s for %q, %s is found %d times, want %d:\n%s", what, form, src.Slice(f.Span), key, n, left[key], edited.Text())
			}
		}
		for key, n := range left {
			// A comment counts for all findings of its rule in the line or the statement.
			if n > got[key] && !strings.HasPrefix(key, r.Code) {
				t.Errorf("%s: with %s for %q, %s is found %d times, want %d:\n%s", what, form, src.Slice(f.Span), key, got[key], n, edited.Text())
			}
		}
	}
	for _, f := range before {
		if f.Rule != r {
			continue
		}
		if edit, ok := suppress.Disable(file, f); ok {
			lines++
			left := maps.Clone(was)
			left[keyOf(file, f)]--
			try(f, "a comment on the line", edit, left)
		}
		if edit, ok := suppress.DisableFile(file, f); ok {
			files++
			left := maps.Clone(was)
			maps.DeleteFunc(left, func(key string, _ int) bool { return strings.HasPrefix(key, r.Code) })
			try(f, "a comment on the file", edit, left)
		}
	}
	return lines, files
}

// counted counts findings by kind and place, but without lines, which move.
func counted(f *analyzer.File, findings []rule.Finding) map[string]int {
	out := map[string]int{}
	for _, x := range findings {
		out[keyOf(f, x)]++
	}
	return out
}

func keyOf(f *analyzer.File, x rule.Finding) string {
	return fmt.Sprintf("%s %q", x.Rule.Code, f.Source.Slice(x.Span))
}

// inCells turns each half of a text into a cell, split between two statements. The first cell
// begins with a magic.
func inCells(magic string) func(string) (*source.Source, bool) {
	return func(text string) (*source.Source, bool) {
		tree := analyzer.Analyze(source.New("case.py", text), analyzer.Config{}).Tree
		if tree.HasErrors() || tree.Len() < 2 {
			return nil, false
		}
		var starts []int
		for s := range tree.Statements() {
			starts = append(starts, source.LineStart(text, s.Start()))
		}
		middle := starts[len(starts)/2]
		src, err := notebook.Join("n.ipynb", []notebook.Cell{
			{Name: "a", Number: 1, Text: magic + text[:middle]}, {Name: "b", Number: 3, Text: text[middle:]},
		})
		if err != nil {
			panic(err)
		}
		return src, true
	}
}

// relaid changes the lines of a text that have no comment, one after another, as long as it still
// parses.
func relaid(text string, change func(line string, n int) string) string {
	broken := syntax.Parse(text).Broken()
	lines := strings.SplitAfter(text, "\n")
	n := 0
	for i, line := range lines {
		body := strings.TrimRight(line, "\n")
		if strings.TrimSpace(body) == "" || strings.ContainsAny(body, "#\\") {
			continue
		}
		changed := change(body, n)
		if changed == body {
			continue
		}
		lines[i] = changed + line[len(body):]
		if syntax.Parse(strings.Join(lines, "")).Broken() > broken || inString(strings.Join(lines[:i], "")) {
			lines[i] = line
			continue
		}
		n++
	}
	return strings.Join(lines, "")
}

// inString reports whether a text ends inside a multi-line string.
func inString(text string) bool {
	return strings.Count(text, `"""`)%2 == 1 || strings.Count(text, "'''")%2 == 1
}
