package notebook

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const notebooks = "../../testdata/notebooks"

func files(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(notebooks, "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no notebooks under ", notebooks, err)
	}
	return paths
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sourceOf(t testing.TB, path, data string) (*Notebook, *source.Source) {
	t.Helper()
	n, err := Read(path, data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := n.Source()
	if err != nil {
		t.Fatal(err)
	}
	return n, s
}

// TestMasks compares the text that is parsed of each notebook, a cell under a
// heading of its number, with the golden beside it, NAME.masked.
func TestMasks(t *testing.T) {
	for _, path := range files(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			_, s := sourceOf(t, path, read(t, path))
			var b strings.Builder
			for _, g := range s.Segments() {
				fmt.Fprintf(&b, "--- cell %d\n", g.Cell)
				for line := range strings.Lines(s.Slice(g.Span())) {
					b.WriteString("|" + strings.NewReplacer("\r", "␍", "\u00a0", "⍽").Replace(line))
				}
				b.WriteByte('\n')
			}
			cases.Golden(t, strings.TrimSuffix(path, ".ipynb")+".masked", b.String())
			checkSource(t, s)
		})
	}
}

// TestMasksParse sees that what stands for magics is Python: all that is in the
// notebooks, but for what is no Python to begin with.
func TestMasksParse(t *testing.T) {
	for _, name := range []string{"magics", "cell_magics", "shell", "text", "nbformat3"} {
		_, s := sourceOf(t, name, read(t, filepath.Join(notebooks, name+".ipynb")))
		for st := range syntax.Parse(s.Text()).Statements() {
			// IPython would not run these either.
			if st.HasError() && !strings.Contains(st.Text(), "%m") && !strings.Contains(st.Text(), "== !y") {
				t.Errorf("%s: %q does not parse", name, st.Text())
			}
		}
	}
}

// checkSource holds what every source of a notebook must hold.
func checkSource(t *testing.T, s *source.Source) {
	t.Helper()
	for i, g := range s.Segments() {
		text := s.Slice(g.Span())
		if got, want := source.NewLines(text).Count(), g.Lines().Count(); got != want {
			t.Fatalf("cell %d, %q, has %d lines, and its text %q has %d", g.Cell, g.Raw, want, text, got)
		}
		// Verbatim bytes come back, and are the same.
		for at := range len(text) {
			span := source.Span{Start: g.Span().Start + at, End: g.Span().Start + at + 1}
			p := s.Place(span)
			if p.Segment != i || p.Span.Start < 0 || p.Span.End > len(g.Raw) {
				t.Fatalf("byte %d of cell %d is at %+v", at, g.Cell, p)
			}
			if !p.Exact {
				continue
			}
			if got, want := g.Raw[p.Span.Start:p.Span.End], s.Slice(span); got != want {
				t.Fatalf("byte %d of cell %d, %q, is %q in %q", at, g.Cell, want, got, g.Raw)
			}
			if back := s.Offset(i, p.Span.Start); back != span.Start {
				t.Fatalf("byte %d of cell %d comes back as %d", span.Start, g.Cell, back)
			}
		}
	}
	// A notebook whose cells are all as they were is the same source.
	raw := make([]string, len(s.Segments()))
	for i, g := range s.Segments() {
		raw[i] = g.Raw
	}
	again, err := s.Remake(raw)
	if err != nil || again.Text() != s.Text() {
		t.Fatalf("made anew, %q is %q, %v", s.Text(), again.Text(), err)
	}
}

// bits are what random cells are made of.
var bits = []string{
	"x", " ", "    ", "\t", "\n", "\n", "\n", "\r\n", "\r", "!ls", "%time ", "%%time", "%%bash", "%env A=b", "%", "!", "?", "=", "\\", "\\\n",
	"(", ")", "[", "]", "'", `"`, `"""`, "'''", "#", "\u00a0", "é", "🚀", "ls ", "pip install x", "get_ipython()", "\x00", "\xff", "\f",
}

func randomCell(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(bits[r.IntN(len(bits))])
	}
	return b.String()
}

func TestAnyCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var cells []Cell
		for i := range r.IntN(4) {
			cells = append(cells, Cell{Name: "n", Number: i + 1, Text: randomCell(r, 12)})
		}
		s, err := Join("n.ipynb", cells)
		if err != nil {
			t.Fatalf("%+v: %v", cells, err)
		}
		checkSource(t, s)
	}
}

// TestModules says which files the cells of a notebook write, and what is in them.
func TestModules(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  string // path:text, a module a line
	}{
		"a file":               {[]string{"%%writefile a.py\nx = 1"}, `a.py:"x = 1\n"`},
		"after blank lines":    {[]string{"\n  \n%%file a.py\r\nx = 1\r\n"}, `a.py:"x = 1\r\n\n"`},
		"indentation stays":    {[]string{"%%writefile a.py\n  x = !ls"}, `a.py:"  x = !ls\n"`},
		"written twice":        {[]string{"%%writefile a.py\nx = 1", "%%writefile ./a.py\ny = 2"}, `a.py:"x = 1\n"- a.py:"y = 2\n"`},
		"imported between":     {[]string{"%%writefile a.py\nx = 1", "import a", "%%writefile a.py\ny = 2", "import a"}, `a.py:"x = 1\n" a.py:"y = 2\n"-`},
		"imported before":      {[]string{"from a import x", "%%writefile a.py\nx = 1"}, `a.py:"x = 1\n"-`},
		"imported by another":  {[]string{"%%writefile a.py\nx = 1", "%%writefile b.py\nimport os, a as c", "def f():\n  from b import(c)", "%%writefile a.py\n"}, `a.py:"x = 1\n" b.py:"import os, a as c\n" a.py:"\n"-`},
		"added to later":       {[]string{"%%writefile d/a.py\nx = 1", "import d.a", "%%writefile -a d/a.py\ny = 2"}, `d/a.py:"x = 1\n"`},
		"added to nothing":     {[]string{"%%writefile -a a.py\nx = 1"}, `a.py:"x = 1\n"`},
		"added to":             {[]string{"%%writefile a.py\nx = 1", "z", "%%writefile --append a.py\ny = 2"}, `a.py:"x = 1\ny = 2\n"`},
		"two, one in a folder": {[]string{"%%writefile a.py", "%%writefile 'b/c.py'\n"}, `a.py:"\n" b/c.py:"\n"`},
		"quoted, absolute":     {[]string{`%%writefile "/content/a.py"`}, `/content/a.py:"\n"`},
		"no Python":            {[]string{"%%writefile a.txt\nx", "%%writefile", "%%writefile a.py b.py", "%%bash\n%%writefile a.py", "x\n%%writefile a.py", "%%writefile -x a.py"}, ""},
		"variables":            {[]string{"%%writefile {x}.py", "%%writefile $x.py", "%%writefile ~/x.py"}, ""},
	} {
		n := &Notebook{path: "n.ipynb"}
		for i, text := range c.cells {
			n.cells = append(n.cells, cell{number: i + 1, text: text})
		}
		modules, err := n.Modules()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, m := range modules {
			got = append(got, fmt.Sprintf("%s:%q%s", m.Path, m.Text, map[bool]string{false: "-"}[m.Imported]))
			checkSource(t, m.Source)
			for i := range m.Text {
				if text := m.Source.Text(); m.Text[i] != '\n' && m.Text[i] != text[m.InSource(i)] {
					t.Errorf("%s: byte %d of %q is not byte %d of %q", name, i, m.Text, m.InSource(i), text)
				}
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: the modules are %s, want %s", name, got, c.want)
		}
	}
}

// TestJoinedModules says the same of the text that JupyterLab makes of cells.
func TestJoinedModules(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"none":           {"x = 1\n", ``},
		"a file":         {"y\n\n\nget_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"x = '\\n'\n\"\"\")\n\n\nimport a", `a.py:"x = '\\n'\n\n"`},
		"quotes":         {"get_ipython().run_cell_magic(\"file\", \"-a \\\"a.py\\\"\", \"\"\"\\\"\\\"\\\"é\\\"\\\"\\\"\nx = \"\"\"\"\")", `a.py:"\"\"\"é\"\"\"\nx = \"\"\n"`},
		"overwritten":    {"get_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"x\"\"\")\nimport a\nget_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"y\"\"\")", `a.py:"x\n" a.py:"y\n"-`},
		"added to":       {"get_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"x\"\"\")\n\n\nget_ipython().run_cell_magic(\"writefile\", \"-a a.py\", \"\"\"y\"\"\")", `a.py:"x\ny\n"`},
		"no Python":      {"get_ipython().run_cell_magic(\"writefile\", \"a.txt\", \"\"\"x\"\"\")", ``},
		"not closed":     {"get_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"x", ``},
		"within another": {"get_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"\nget_ipython().run_cell_magic(\"writefile\", \"b.py\", \\\"\\\"\\\"\n\"\"\")", "a.py:\"\\nget_ipython().run_cell_magic(\\\"writefile\\\", \\\"b.py\\\", \\\"\\\"\\\"\\n\\n\""},
	} {
		modules, err := JoinedModules("n.ipynb", c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, m := range modules {
			got = append(got, fmt.Sprintf("%s:%q%s", m.Path, m.Text, map[bool]string{false: "-"}[m.Imported]))
			checkSource(t, m.Source)
			if lines := strings.Count(m.Source.Text(), "\n"); lines != strings.Count(c.text, "\n") {
				t.Errorf("%s: %q has %d lines of %q", name, m.Source.Text(), lines, c.text)
			}
			for i := range m.Text {
				if text := m.Source.Text(); m.Text[i] != '\n' && m.Text[i] != text[m.InSource(i)] {
					t.Errorf("%s: byte %d of %q is not byte %d of %q", name, i, m.Text, m.InSource(i), text)
				}
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: the modules are %s, want %s", name, got, c.want)
		}
	}
}

func FuzzCell(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		f.Add(randomCell(r, 12))
	}
	for _, found := range []string{" 0=!\\\n 00", "!\\\r0\n", "  x\r  \n", "!ls\r%%time \n\"\\\n[ ls ", "\r\n%%file -a 'x.py'\r\r\n  é = 1\r"} {
		f.Add(found)
	}
	for _, path := range files(f) {
		_, s := sourceOf(f, path, read(f, path))
		for _, g := range s.Segments() {
			f.Add(g.Raw)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		s, err := Join("n.ipynb", []Cell{{Name: "n", Number: 1, Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		checkSource(t, s)
		modules, err := (&Notebook{path: "n.ipynb", cells: []cell{{number: 1, text: text}, {number: 2, text: text}}}).Modules()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modules {
			checkSource(t, m.Source)
		}
	})
}

// A text that an edit puts into a cell comes out of the bytes again, and nothing
// else of the notebook changes.
func checkWrite(t *testing.T, data string, r *rand.Rand) {
	t.Helper()
	n, err := Read("n.ipynb", data)
	if err != nil {
		return
	}
	s, err := n.Source()
	if err != nil {
		t.Fatal(err)
	}
	if same, err := n.With(s); err != nil || same != data {
		t.Fatalf("without an edit %q becomes %q, %v", data, same, err)
	}
	raw := make([]string, len(n.cells))
	for i, c := range n.cells {
		raw[i] = c.text
		if c.source.kind == 0 || r.IntN(3) == 0 {
			continue
		}
		lines := source.NewLines(c.text)
		span := lines.Span(r.IntN(lines.Count()))
		switch r.IntN(4) {
		case 0:
			raw[i] = c.text[:span.End] + "\nné\\w \"🚀\"\n" + c.text[span.End:]
		case 1:
			raw[i] = c.text[:span.Start] + c.text[span.End:]
		case 2:
			raw[i] = c.text[:span.Start]
		default:
			raw[i] = "del x\n" + c.text
		}
	}
	edited, err := s.Remake(raw)
	if err != nil {
		t.Fatal(err)
	}
	out, err := n.With(edited)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	again, err := Read("n.ipynb", out)
	if err != nil {
		t.Fatalf("%q became %q: %v", data, out, err)
	}
	for i, c := range again.cells {
		if c.text != raw[i] {
			t.Fatalf("cell %d holds %q, want %q, in\n%s\nof\n%s", c.number, c.text, raw[i], out, data)
		}
	}
	if got, want := blanked(out, again), blanked(data, n); got != want {
		t.Fatalf("beside the cells %q became %q", want, got)
	}
}

// blanked is a notebook's bytes without the texts of its cells.
func blanked(data string, n *Notebook) string {
	var edits []source.Edit
	for _, c := range n.cells {
		if c.source.kind != 0 {
			edits = append(edits, source.Edit{Span: source.Span{Start: c.source.start, End: c.source.end}})
		}
	}
	text, err := source.Apply(data, edits)
	if err != nil {
		panic(err)
	}
	return text
}

// randomNotebook writes a notebook in one of the ways in which they are written.
func randomNotebook(r *rand.Rand) string {
	var cells []any
	for range r.IntN(5) {
		text := strings.ToValidUTF8(randomCell(r, 8), "")
		cell := map[string]any{"cell_type": []string{"code", "code", "markdown", "raw"}[r.IntN(4)], "metadata": map[string]any{"source": "no"}}
		switch r.IntN(4) {
		case 0:
			cell["source"] = text
		case 1: // chunks, rather than lines
			half := len(text) / 2
			cell["source"] = []string{strings.ToValidUTF8(text[:half], ""), strings.ToValidUTF8(text[half:], "")}
		default:
			cell["source"] = append([]string{}, splitLines(text)...)
		}
		cells = append(cells, cell)
	}
	notebook := map[string]any{"metadata": map[string]any{}, "nbformat": 4, "cells": append([]any{}, cells...)}
	var b []byte
	if r.IntN(2) == 0 {
		b, _ = json.Marshal(notebook)
	} else {
		b, _ = json.MarshalIndent(notebook, "", " "[:r.IntN(2)])
	}
	return []string{"", byteOrderMark, "\n "}[r.IntN(3)] + string(b) + "\n"[:r.IntN(2)]
}

func TestWriteRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		checkWrite(t, randomNotebook(r), r)
	}
	for _, path := range files(t) {
		for range 50 {
			checkWrite(t, read(t, path), r)
		}
	}
}

func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		f.Add([]byte(randomNotebook(r)))
	}
	for _, path := range files(f) {
		f.Add([]byte(read(f, path)))
	}
	for _, data := range wrong {
		f.Add([]byte(data.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 5000 {
			checkWrite(t, string(data), rand.New(rand.NewPCG(9, uint64(len(data)))))
		}
	})
}

// FuzzOutputs reads the outputs of any text: what a notebook's cell says of its failure is what is
// stored of the cell, and bounded.
func FuzzOutputs(f *testing.F) {
	f.Add([]byte(`{"cells": [{"cell_type": "code", "source": "f()", "outputs": [{"text": ["a\n", "b"]}, {"ename": "E", "evalue": "\ud800", "traceback": ["x", 1]}]}]}`))
	f.Add([]byte(`{"worksheets": [{"cells": [{"cell_type": "code", "input": "f()", "outputs": [{"ename": "E", "text": {}, "evalue": null, "traceback": "x"}]}, 1]}]}`))
	f.Add([]byte("\ufeff" + `{"cells": {"outputs": []}, "cells": [{"outputs": {"ename": []}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		outputs, err := Outputs(string(data))
		n, wrong := Read("n.ipynb", string(data))
		if wrong != nil {
			return
		}
		if err != nil {
			t.Fatalf("a notebook without outputs: %v", err)
		}
		stored := map[int]Output{}
		for _, o := range outputs {
			stored[o.Number] = o
		}
		for _, c := range n.Cells() {
			o := stored[c.Number]
			switch {
			case c.Failure == nil:
			case o.Error == "" || ends(o.Error) != c.Failure.Error || ends(o.Printed) != c.Failure.Printed || ends(o.Traceback) != c.Failure.Traceback:
				t.Fatalf("cell %d has %+v, and the file %+v", c.Number, c.Failure, o)
			case max(len(c.Failure.Printed), len(c.Failure.Traceback), len(c.Failure.Error)) > 2*mostOutput+1:
				t.Fatalf("cell %d keeps too much", c.Number)
			}
		}
	})
}

// TestEnds leaves out whole lines.
func TestEnds(t *testing.T) {
	text := "first\n" + strings.Repeat("é line\n", mostOutput) + "last"
	got := ends(text)
	if len(got) > 2*mostOutput || !strings.HasPrefix(got, "first\né line\n") || !strings.HasSuffix(got, "\né line\nlast") || strings.Count(got, "\n") != strings.Count(got, "é line\n")+1 {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
	if got := ends(strings.Repeat("x", 5*mostOutput)); len(got) != 2*mostOutput+1 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestWrite spells out what is written: the lines that changed, as the file
// writes lines.
func TestWrite(t *testing.T) {
	for name, c := range map[string]struct{ before, text, after string }{
		"a line after":     {`["a\n",` + "\n  " + `"b"]`, "a\nb\nc", `["a\n",` + "\n  " + `"b\n",` + "\n  " + `"c"]`},
		"a line before":    {`["b\n","c"]`, "a\nb\nc", `["a\n","b\n","c"]`},
		"a line between":   {`["a\n", "c"]`, "a\nb\nc", `["a\n", "b\n", "c"]`},
		"of one line":      {"[\n \"a\"\n]", "a\nb", "[\n \"a\\n\",\n \"b\"\n]"},
		"of one, inline":   {`["a"]`, "a\nb", `["a\n", "b"]`},
		"of none":          {`[]`, "a\nb", `["a\n", "b"]`},
		"a line gone":      {`["a\n", "b\n", "c"]`, "a\nc", `["a\n", "c"]`},
		"the first gone":   {`["a\n", "b\n", "c"]`, "b\nc", `["b\n", "c"]`},
		"the last gone":    {`["a\n", "b"]`, "a\n", `["a\n"]`},
		"all gone":         {"[\n \"a\"\n]", "", `[]`},
		"others untouched": {`["\u0061\n", "\/\n", "b"]`, "a\n/\nc", `["\u0061\n", "\/\n", "c"]`},
		"text":             {`"a\nb"`, "a\nc\"", `"a\nc\""`},
		"escapes":          {`["\u00e9\n", "b"]`, "é\n🚀é", `["\u00e9\n", "\ud83d\ude80\u00e9"]`},
		"no escapes":       {`["é\n", "b"]`, "é\n🚀\x01\t", `["é\n", "🚀\u0001\t"]`},
		"half a pair":      {`["\ud83d\n", "\ude80b\n"]`, "\xed\xa0\xbd\n\xed\xba\x80c\n", `["\ud83d\n", "\ude80c\n"]`},
	} {
		wrap := func(text string) string {
			return `{"cells": [{"cell_type": "code", "source": ` + text + `, "x": 1.0}], "nbformat": 4}`
		}
		n, s := sourceOf(t, "n.ipynb", wrap(c.before))
		edited, err := s.Remake([]string{c.text})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := n.With(edited); err != nil || got != wrap(c.after) {
			t.Errorf("%s: got  %s, %v\nwant %s", name, got, err, wrap(c.after))
		}
	}
}

// JSON's strings mean what Python's json and Go's say that they mean.
func TestDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	parts := []string{`\n`, `\"`, `\\`, `\/`, `\b\f\r\t`, `é`, `\u00e9`, `\ud83d\ude80`, `\u0000`, "🚀", "a"}
	for range 2000 {
		quoted := `"`
		for range r.IntN(6) {
			quoted += parts[r.IntN(len(parts))]
		}
		quoted += `"`
		var want string
		if err := json.Unmarshal([]byte(quoted), &want); err != nil {
			t.Fatal(err)
		}
		got := decode(quoted)
		if got != want {
			t.Fatalf("%s is %q, want %q", quoted, got, want)
		}
		for _, ascii := range []bool{true, false} {
			if back := decode(encode(got, ascii)); back != got {
				t.Fatalf("%q is written as %s and read as %q", got, encode(got, ascii), back)
			}
		}
	}
}

// wrong are files that are no notebooks, and what is said of them.
var wrong = []struct{ name, data, want string }{
	{"empty", "", "it is empty and no notebook"},
	{"blank", "\ufeff \n", "it is empty and no notebook"},
	{"not JSON", "import tensorflow as tf\n", "it is not JSON, as a notebook is: line 1, column 1: invalid character 'i' looking for beginning of value"},
	{"cut off", `{"cells": [` + "\n" + `{"cell_type": "co`, "it is not JSON, as a notebook is: line 2, column 17: unexpected end of JSON input"},
	{"a merge conflict", "{\n<<<<<<< HEAD\n", "it is not JSON, as a notebook is: line 2, column 1: invalid character '<' looking for beginning of object key string"},
	{"more than one value", "{} {}", "it is not JSON, as a notebook is: line 1, column 4: invalid character '{' after top-level value"},
	{"a NUL", "{\"cells\": \x00}", `it is not JSON, as a notebook is: line 1, column 11: invalid character '\x00' looking for beginning of value`},
	{"not UTF-8", "{\"cells\": [\xff]}", "byte 12 is not UTF-8, which a notebook is written in"},
	{"UTF-16", "\xff\xfe{\x00}\x00", "byte 1 is not UTF-8, which a notebook is written in"},
	{"a list", "[]", "it is not a notebook: it holds a list where a notebook is an object"},
	{"a number", " 12", "it is not a notebook: it holds a number where a notebook is an object"},
	{"no cells", "{}", "it is not a notebook: it has no cells"},
	{"cells of a wrong type", `{"cells": {}}`, "it is not a notebook: its cells are an object where they should be a list"},
	{"a cell of a wrong type", `{"cells": [{}, "x"]}`, "cell 2 is a text where a cell is an object"},
	{"a text of a wrong type", `{"cells": [{"cell_type": "code", "source": 1}]}`, "cell 1: its source is a number where it should be text"},
	{"lines of a wrong type", `{"cells": [{"cell_type": "code", "source": ["a", null]}]}`, "cell 1: its source is a list that holds null where it should hold lines of text"},
	{"null", `{"cells": [{"cell_type": "code", "source": null}]}`, "cell 1: its source is null where it should be text"},
	{"too deep", strings.Repeat("[", 20000), "it is not JSON, as a notebook is: line 1, column 10001: invalid character '[' exceeded max depth"},
	{"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", `it is a pointer of Git LFS and no notebook; "git lfs pull" fetches the notebook itself`},
	{"R", `{"metadata": {"kernelspec": {"language": "R"}}, "cells": []}`, "its code is R, not Python"},
	{"R in Colab", `{"metadata": {"kernelspec": {"name": "ir"}}, "cells": []}`, "its code is R, not Python"},
	{"Julia", `{"metadata": {"kernelspec": {"name": "julia-1.9"}, "language_info": {"name": "julia"}}, "cells": []}`, "its code is julia, not Python"},
}

func TestWrong(t *testing.T) {
	for _, c := range wrong {
		if _, err := Read("n.ipynb", c.data); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestFine(t *testing.T) {
	for name, data := range map[string]string{
		"no cells in it":     `{"cells": []}`,
		"no worksheets":      `{"worksheets": []}`,
		"odd metadata":       `{"metadata": [1], "cells": [{"cell_type": "code", "source": [], "metadata": 3}]}`,
		"a kernel of a name": `{"metadata": {"kernelspec": {"name": "myenv"}}, "cells": []}`,
		"two of a name":      `{"cells": 1, "cells": []}`,
		"no type":            `{"cells": [{"source": 3}]}`,
	} {
		n, s := sourceOf(t, name, data)
		if s.Place(source.Span{}); strings.TrimSpace(s.Text()) != "" {
			t.Errorf("%s: its text is %q", name, s.Text())
		}
		if same, err := n.With(s); err != nil || same != data {
			t.Errorf("%s: %q, %v", name, same, err)
		}
	}
}

func TestIs(t *testing.T) {
	for path, want := range map[string]bool{"a.ipynb": true, "A.IPYNB": true, ".ipynb": true, "a.ipynb.py": false, "ipynb": false, "": false} {
		if Is(path) != want {
			t.Errorf("%q is a notebook: %v", path, Is(path))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	line := `"` + strings.Repeat("iVBORw0KGgo", 5000) + `"`
	var cells []string
	for range 60 {
		cells = append(cells, `{"cell_type":"code","metadata":{},"outputs":[{"data":{"image/png":`+line+`}}],"source":["import tensorflow as tf\n","!ls\n","x = tf.constant(1)"]}`)
	}
	data := `{"cells":[` + strings.Join(cells, ",") + `],"metadata":{}}`
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		n, err := Read("n.ipynb", data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := n.Source(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPrinted reads what a cell put out that reads a version: its streams, and its value.
func TestPrinted(t *testing.T) {
	n, err := Read("a.ipynb", `{"cells": [
		{"cell_type": "code", "source": "print(tf.__version__)", "outputs": [{"output_type": "stream", "text": ["2.0.0\n"]}]},
		{"cell_type": "code", "source": ["tf.__version__"], "outputs": [{"output_type": "execute_result", "data": {"text/plain": ["'1.15.2'"]}}]},
		{"cell_type": "code", "source": "print(1)", "outputs": [{"output_type": "stream", "text": "2.0.0"}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"2.0.0", "'1.15.2'", ""} {
		if got := strings.TrimSpace(n.Cells()[i].Printed); got != want {
			t.Errorf("cell %d printed %q, want %q", i+1, got, want)
		}
	}
}
