package suppress

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

var (
	r101 = &rule.Rule{Code: "TFM101", Name: "one"}
	r102 = &rule.Rule{Code: "TFM102", Name: "two"}
	all  = []*rule.Rule{UnusedSuppression, r101, r102}
)

func runs(*rule.Rule) bool { return true }

// read101 reads a text in which TFM101 fires wherever it has a "@". The marks are removed.
func read101(t *testing.T, marked string) (*analyzer.File, []rule.Finding) {
	t.Helper()
	var findings []rule.Finding
	var text strings.Builder
	for i, part := range strings.Split(marked, "@") {
		if i > 0 {
			findings = append(findings, rule.Finding{Rule: r101, Span: source.Span{Start: text.Len(), End: text.Len() + 1}})
		}
		text.WriteString(part)
	}
	f := analyzer.Analyze(source.New("a.py", text.String()), analyzer.Config{})
	if !f.Relevant() {
		t.Fatalf("%q has nothing to do with TensorFlow", text.String())
	}
	return f, findings
}

func TestWhere(t *testing.T) {
	const none, one = "", "TFM101"
	for what, c := range map[string]struct{ text, want string }{
		"the same line":                {"@keras(1)  # noqa: TFM101", none},
		"another code":                 {"@keras(1)  # noqa: TFM102", "TFM101 TFM001"},
		"the line below":               {"@keras(1)\n# noqa: TFM101", "TFM101 TFM001"},
		"the last line of a call":      {"@keras(\n  1,\n)  # noqa: TFM101", none},
		"within a call":                {"keras(\n  @1,  # noqa: TFM101\n  2)", none},
		"the first line, from within":  {"keras(  # noqa: TFM101\n  @1)", "TFM101 TFM001"},
		"after a backslash":            {"x = \\\n  @keras  # noqa: TFM101", none},
		"before a backslash":           {"x = @keras + \\\n  1  # noqa: TFM101", none},
		"after a string of many lines": {"@keras('''\n\n''')  # noqa: TFM101", none},
		"in a string":                  {"@keras('# noqa: TFM101')", one},
		"the header of a with":         {"with @keras(\n  1\n) as t:  # noqa: TFM101\n  pass", none},
		"the end of a with":            {"with @keras() as t:\n  pass  # noqa: TFM101", "TFM101 TFM001"},
		"the header of an elif":        {"if 1:\n  pass\nelif @keras(\n  1):  # noqa: TFM101\n  pass", none},
		"a decorator":                  {"@keras(\n  1)  # noqa: TFM101\ndef f(): pass", none},
		"a def below a decorator":      {"@\x00keras\n@def f(\n  a):  # noqa: TFM101\n  pass", none},
		"one line":                     {"if 1: @keras(1)  # noqa: TFM101", none},
		"two statements":               {"keras(1); @keras(2)  # noqa: TFM101", none},
		"a file":                       {"# tfmem: ignore-file[one]\n@keras\n@keras", none},
		"a bare noqa":                  {"@keras # NoQA", none},
		"a bare noqa that is idle":     {"keras # noqa", none},
		"a bare ignore":                {"@keras # tfmem:ignore", none},
		"a bare ignore that is idle":   {"keras # tfmem: ignore", "TFM001"},
		"both":                         {"# tfmem: ignore-file\n@keras # noqa: TFM101", none},
		"lone carriage returns":        {"@keras(1)  # noqa: TFM101\r@keras(2)\r", one},
		"idle on purpose":              {"keras # noqa: TFM101, TFM001", none},
		"does not parse":               {"keras # noqa: TFM101\ndef (", none},
	} {
		marked := strings.ReplaceAll(c.text, "@\x00", "\x00")
		if what == "a decorator" {
			marked = "\x00@" + strings.TrimPrefix(c.text, "@")
		}
		f, findings := read101(t, marked)
		if strings.Contains(marked, "\x00") {
			// Python's own "@" is written as NUL, to distinguish it from the marks.
			f = analyzer.Analyze(source.New("a.py", strings.ReplaceAll(f.Source.Text(), "\x00", "@")), analyzer.Config{})
		}
		var got []string
		for _, x := range Apply(f, findings, all, runs) {
			got = append(got, x.Rule.Code)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q leaves %q, want %q", what, c.text, strings.Join(got, " "), c.want)
		}
	}
}

// TestRemoval applies the safe fix of every useless comment.
func TestRemoval(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"keras  # noqa: TFM101\n", "keras\n"},
		{"keras\t# noqa: TFM101  \r\nx", "keras\r\nx"},
		{"# tfmem: ignore-file\nkeras", "keras"},
		{"def f():\n    # noqa: TFM101\n    keras\n", "def f():\n    keras\n"},
		{"\ufeff# noqa: TFM101\nkeras", "\ufeffkeras"},
		{"keras  # why # noqa: TFM101", "keras  # why"},
		{"keras  # noqa: TFM101 # why", "keras  # why"},
		{"keras  # noqa: TFM101 - why", "keras  # - why"},
		{"keras  # noqa: TFM101, E501", "keras  # noqa: E501"},
		{"keras  # noqa: E501, TFM101, TFM102", "keras  # noqa: E501"},
		{"keras  # noqa: TFM101, E501, TFM102, F401", "keras  # noqa: E501, F401"},
		{"keras  # tfmem: ignore[one, TFM999]", "keras  # tfmem: ignore[TFM999]"},
		{"keras  # noqa: TFM101 # tfmem: ignore", "keras"},
		{"keras  # noqa", "keras  # noqa"},
		{"keras  # noqa: TFM999", "keras  # noqa: TFM999"},
		{"keras # noqa: TFM101", "keras"},
	} {
		text := c.text
		for range 3 {
			f := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
			for _, x := range Apply(f, nil, all, runs) {
				if len(x.Fixes) > 0 && x.Fixes[0].Applicability == rule.Safe {
					var err error
					if text, err = source.Apply(text, x.Fixes[0].Edits); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
		}
		if text != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, text, c.want)
		}
	}
}

// TestAdd checks that both ways of adding a comment add the expected one, and that it suppresses.
func TestAdd(t *testing.T) {
	for _, c := range []struct{ text, disabled, noqa string }{
		{"@keras\n", "keras  # tfmem: ignore[TFM101]\n", "keras  # noqa: TFM101\n"},
		{"@keras \r\nx", "keras  # tfmem: ignore[TFM101]\r\nx", "keras  # noqa: TFM101\r\nx"},
		{"@keras  # why", "keras  # why  # tfmem: ignore[TFM101]", "keras  # why  # noqa: TFM101"},
		{"@keras  # noqa: E501", "keras  # noqa: E501  # tfmem: ignore[TFM101]", "keras  # noqa: E501, TFM101"},
		{"@keras  # tfmem: ignore[TFM102]", "keras  # tfmem: ignore[TFM102, TFM101]", "keras  # tfmem: ignore[TFM102]  # noqa: TFM101"},
		{"@keras(\n  1)", "keras(  # tfmem: ignore[TFM101]\n  1)", "keras(  # noqa: TFM101\n  1)"},
		{"x = @keras + \\\n  1", "x = keras + \\\n  1  # tfmem: ignore[TFM101]", "x = keras + \\\n  1  # noqa: TFM101"},
		{"@keras('''\n''')", "keras('''\n''')  # tfmem: ignore[TFM101]", "keras('''\n''')  # noqa: TFM101"},
		{"@keras(f'''{1\n}''')", "keras(f'''{1\n}''')  # tfmem: ignore[TFM101]", "keras(f'''{1\n}''')  # noqa: TFM101"},
		{"@keras('''\n''' + \\\n'''\n''', '''\n'''); x = '''\n'''", "", ""},
		{"@keras  # noqa: TFM102, E501", "keras  # noqa: TFM102, E501, TFM101", "keras  # noqa: TFM102, E501, TFM101"},
		{"x = get_ipython().getoutput(@keras)", "", ""},
	} {
		f, findings := read101(t, c.text)
		edit, ok := Disable(f, findings[0])
		edits, n := AddNoqa(f, findings)
		if ok != (c.disabled != "") || ok != (n == 1) {
			t.Errorf("%q: a comment can be added: %t, and by noqa %d", c.text, ok, n)
			continue
		} else if !ok {
			continue
		}
		for want, edits := range map[string][]source.Edit{c.disabled: {edit}, c.noqa: edits} {
			got, err := source.Apply(f.Source.Text(), edits)
			if err != nil || got != want {
				t.Errorf("%q becomes %q (%v), want %q", c.text, got, err, want)
				continue
			}
			if left := Apply(analyzer.Analyze(source.New("a.py", got), analyzer.Config{}), findings, all, func(r *rule.Rule) bool { return r != UnusedSuppression }); len(left) > 0 {
				t.Errorf("%q does not suppress", got)
			}
		}
	}
	f, findings := read101(t, "@keras(@keras)\n@keras")
	findings[1].Rule = r102
	if edits, n := AddNoqa(f, findings); len(edits) != 2 || n != 3 {
		t.Errorf("three findings on two lines are suppressed by %v, %d of them", edits, n)
	}
	if _, ok := Disable(f, rule.Finding{Rule: UnusedSuppression}); ok {
		t.Error("a finding about a comment is suppressed by a comment")
	}
}

// FuzzComments checks that no comment breaks anything, and that its fixes leave code that parses as
// before.
func FuzzComments(f *testing.F) {
	f.Add("keras # noqa: TFM101, TFM999 # tfmem: ignore[one")
	f.Add("keras(\n# tfmem: ignore-file[]\n)\r# noqa:,,TFM101")
	f.Fuzz(func(t *testing.T, text string) {
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
		if !file.Relevant() {
			return
		}
		for _, x := range Apply(file, nil, all, runs) {
			for _, fix := range x.Fixes {
				got, err := source.Apply(text, fix.Edits)
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if after := analyzer.Analyze(source.New("a.py", got), analyzer.Config{}); after.Relevant() && after.Tree.HasErrors() {
					t.Errorf("%q becomes %q does not parse", text, got)
				}
			}
		}
		for at := range text[:min(len(text), 200)] {
			finding := rule.Finding{Rule: r101, Span: source.Span{Start: at, End: at}}
			if edit, ok := Disable(file, finding); ok {
				if _, err := source.Apply(text, []source.Edit{edit}); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	})
}

// TestManyComments ends soon only if the cost of comments is linear in their number.
func TestManyComments(t *testing.T) {
	text := "x = [\n" + strings.Repeat("  keras, # noqa: E501\n", 50_000) + "]\n"
	f := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
	if left := Apply(f, nil, all, runs); len(left) > 0 {
		t.Errorf("another tool's comments are reported: %v", left[0])
	}
}

// TestDisableFile checks where the comment for a file goes.
func TestDisableFile(t *testing.T) {
	const comment = "# tfmem: ignore-file[TFM101]"
	for _, c := range []struct{ text, want string }{
		{"@keras", comment + "\nkeras"},
		{"\"\"\"About.\"\"\"\r\n@keras", comment + "\r\n\"\"\"About.\"\"\"\r\nkeras"},
		{"\ufeff@keras\n", "\ufeff" + comment + "\nkeras\n"},
		{"#!/usr/bin/python\n# vim: set fileencoding=utf-8 :\n# Us.\n@keras", "#!/usr/bin/python\n# vim: set fileencoding=utf-8 :\n" + comment + "\n# Us.\nkeras"},
		{"# START_CELL_MAGIC(\"time\")\n@keras", "# START_CELL_MAGIC(\"time\")\n" + comment + "\nkeras"},
		{"get_ipython().run_cell_magic(\"bash\", \"\", \"\"\"\nls\n\"\"\")\n\n\n@keras", "get_ipython().run_cell_magic(\"bash\", \"\", \"\"\"\nls\n\"\"\")\n\n\n" + comment + "\nkeras"},
		{"# tfmem: ignore-file[TFM102]  # why\n@keras", "# tfmem: ignore-file[TFM102, TFM101]  # why\nkeras"},
		{"@keras\n# tfmem: ignore-file[TFM102", comment + "\nkeras\n# tfmem: ignore-file[TFM102"},
	} {
		f, findings := read101(t, c.text)
		edit, ok := DisableFile(f, findings[0])
		if !ok {
			t.Errorf("%q: there is no comment", c.text)
			continue
		}
		if got, err := source.Apply(f.Source.Text(), []source.Edit{edit}); err != nil || got != c.want {
			t.Errorf("%q becomes %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

// TestDisableNotebook checks that the comment for a notebook goes into the first cell that runs
// unchanged, below what must be its first line.
func TestDisableNotebook(t *testing.T) {
	const comment = "# tfmem: ignore-file[TFM101]\n"
	for _, c := range []struct {
		cells []string
		cell  int
		want  string
	}{
		{[]string{"keras", "1"}, 0, comment + "keras"},
		{[]string{"%%time\nkeras"}, 0, "%%time\n" + comment + "keras"},
		{[]string{"%%bash\nls", "%pip install keras\nkeras"}, 1, "%pip install keras\n" + comment + "keras"},
		{[]string{"", "keras"}, 1, comment + "keras"},
		{[]string{"  keras\n  keras", "keras"}, 1, comment + "keras"},
	} {
		var cells []notebook.Cell
		for i, text := range c.cells {
			cells = append(cells, notebook.Cell{Name: "n.ipynb", Number: i + 1, Text: text})
		}
		src, err := notebook.Join("n.ipynb", cells)
		if err != nil {
			t.Fatal(err)
		}
		f := analyzer.Analyze(src, analyzer.Config{})
		edit, ok := DisableFile(f, rule.Finding{Rule: r101})
		if !ok {
			t.Errorf("%q: there is no comment", c.cells)
			continue
		}
		edited, err := src.Edited([]source.Edit{edit})
		if err != nil {
			t.Errorf("%q: %v", c.cells, err)
			continue
		}
		if got := edited.Segments()[c.cell].Raw; got != c.want {
			t.Errorf("%q: cell %d becomes %q, want %q", c.cells, c.cell, got, c.want)
		}
	}
}
