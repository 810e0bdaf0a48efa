package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// every is the number of edits between comparisons.
const every = 50

// TestDifferential edits files, and notebooks made of them, at random. After every so many edits
// it compares the server with one that just got the same texts. Findings, fixes, related places,
// actions, hints and lenses must be equal, and the findings must be those of a check. TFMEM_TREE
// names a folder with code other than this repository's, TFMEM_TEST_EDITS sets the number of
// edits, and TFMEM_TEST_SEED their seed.
func TestDifferential(t *testing.T) {
	root, edits, seed := "../testdata", 2000, 1
	if v := os.Getenv("TFMEM_TREE"); v != "" {
		root = v
	}
	for name, to := range map[string]*int{"TFMEM_TEST_EDITS": &edits, "TFMEM_TEST_SEED": &seed} {
		if v := os.Getenv(name); v != "" {
			var err error
			if *to, err = strconv.Atoi(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	files := pythonFiles(t, root)
	projects, err := filepath.Glob("../testdata/project/*.txtar")
	if err != nil || len(projects) == 0 {
		t.Fatal("there are no projects", err)
	}
	compared, differed, lines := 0, 0, 0
	for i := range edits / (2 * every) {
		e := &editing{root: root, files: files, projects: projects, r: rand.New(rand.NewPCG(uint64(seed), uint64(i))), number: i}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			e.t = t
			e.run()
		})
		compared, differed, lines = compared+e.compared, differed+e.differed, lines+e.lines
	}
	t.Logf("%d edits in some of %d files: %d documents of which %d things are said are compared, %d differ", edits, len(files), compared, lines, differed)
	if lines < compared {
		t.Error("nothing much was compared")
	}
}

// pythonFiles returns the files and notebooks below a folder that concern TensorFlow and are not
// so large that they take all of the test's time.
func pythonFiles(t *testing.T, root string) (files []string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".py" && !notebook.Is(path) {
			return err
		}
		data, err := os.ReadFile(path)
		if text := string(data); err == nil && len(text) < 100_000 && utf8.ValidString(text) && (strings.Contains(text, "tensorflow") || strings.Contains(text, "keras")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file below %s concerns TensorFlow", root)
	}
	return files
}

// An editing is a conversation about some documents that belong together.
type editing struct {
	t      *testing.T
	root   string
	files  []string
	r      *rand.Rand
	number int

	projects []string // archives of files that import each other

	w         *wire
	documents []*editedDocument
	cells     int // the number of cells so far

	compared, differed int
	lines              int // of the compared output
}

// An editedDocument is a document as the client has it: a file, or a notebook.
type editedDocument struct {
	path     string
	uri      string
	version  int
	notebook bool
	cells    []editedCell // one, for a file
	original []editedCell
	undo     []undo // in the order of the edits
}

// An undo reverts an edit of a text.
type undo struct {
	cell string
	span source.Span
	text string
}

type editedCell struct {
	uri     string
	version int
	text    string
	python  bool
}

func (e *editing) server() *wire {
	w := dialWith(context.Background(), e.t, Options{Devices: aMachine, Files: project.Disk{}})
	w.call("initialize", message{"processId": nil, "rootUri": string(uri.File(e.root)), "capabilities": message{"general": message{"positionEncodings": []string{"utf-8"}}}})
	w.notify("initialized", message{})
	<-w.session.firstDetection
	return w
}

func (e *editing) run() {
	if e.r.IntN(4) == 0 {
		e.openProject(e.projects[e.r.IntN(len(e.projects))])
	} else {
		e.w = e.server()
		e.openSome()
	}
	for n := range 2 * every {
		d := e.documents[e.r.IntN(len(e.documents))]
		if e.r.IntN(8) == 0 || n%every == every-4 && e.r.IntN(3) > 0 { // otherwise no valid program would remain
			e.restore(d)
		} else if !d.notebook {
			e.editText(d, 0)
		} else {
			e.editNotebook(d)
		}
		e.pauses(d)
		if (n+1)%every == 0 {
			e.compare()
		}
	}
	if _, err := e.w.end(); err != nil {
		e.t.Error(err)
	}
	if log := e.w.log.String(); strings.Contains(log, "tfmem has a bug") {
		e.t.Errorf("%s: %s", e.documents[0].path, log)
	}
}

// openSome opens a file, and modules that it imports, or a notebook.
func (e *editing) openSome() {
	first := e.files[e.r.IntN(len(e.files))]
	for range 20 { // most files of a library have no findings
		if e.speaks(first) {
			break
		}
		first = e.files[e.r.IntN(len(e.files))]
	}
	if notebook.Is(first) || e.r.IntN(3) == 0 {
		e.openNotebook(first)
	} else {
		e.openFile(first)
		modules := e.w.session.workspace.Modules(first)
		for range min(2, len(modules)) {
			e.openFile(modules[e.r.IntN(len(modules))])
		}
	}
}

// openProject opens all files of a project.
func (e *editing) openProject(archive string) {
	all, err := txtar.ParseFile(archive)
	if err != nil {
		e.t.Fatal(err)
	}
	if e.root, err = filepath.EvalSymlinks(e.t.TempDir()); err != nil {
		e.t.Fatal(err)
	}
	var paths []string
	for _, f := range all.Files {
		path := filepath.Join(e.root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			e.t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			e.t.Fatal(err)
		}
		if filepath.Ext(path) == ".py" {
			paths = append(paths, path)
		}
	}
	e.w = e.server()
	for _, path := range paths {
		e.openFile(path)
	}
}

// speaks reports whether the quick rules find anything in a file.
func (e *editing) speaks(path string) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	programs, workspace, err := analyzer.Open(path, string(data), nil)
	return err == nil && slices.ContainsFunc(programs, func(program *source.Source) bool {
		findings, _ := rules.Quick(analyzer.Analyze(program, analyzer.Config{Workspace: workspace}), rules.Selection{})
		return len(findings) > 0
	})
}

func (e *editing) openFile(path string) {
	if slices.ContainsFunc(e.documents, func(d *editedDocument) bool { return d.path == path }) {
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	d := &editedDocument{path: path, uri: string(uri.File(path)), version: 1}
	d.cells = []editedCell{{uri: d.uri, version: 1, text: string(data), python: true}}
	d.original = slices.Clone(d.cells)
	e.documents = append(e.documents, d)
	e.opens(e.w, d)
	e.snapshots(e.w, d)
}

// openNotebook opens a notebook, or one with the statements of a file as cells.
func (e *editing) openNotebook(path string) {
	d := &editedDocument{path: strings.TrimSuffix(path, filepath.Ext(path)) + ".ipynb", version: 1, notebook: true}
	d.uri = string(uri.File(d.path))
	for _, text := range e.textsOf(path) {
		d.cells = append(d.cells, e.cell(text))
	}
	d.original = slices.Clone(d.cells)
	e.documents = append(e.documents, d)
	e.opens(e.w, d)
}

// textsOf returns the texts of a notebook's code cells, or those of a file between blank lines at
// its outermost level.
func (e *editing) textsOf(path string) (out []string) {
	data, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	if notebook.Is(path) {
		var file struct {
			Cells []struct {
				Type   string `json:"cell_type"`
				Source any
			}
		}
		_ = json.Unmarshal(data, &file) // some of this repository's are broken
		for _, c := range file.Cells {
			text, _ := c.Source.(string)
			lines, _ := c.Source.([]any)
			for _, l := range lines {
				text += fmt.Sprint(l)
			}
			if c.Type == "code" {
				out = append(out, text)
			}
		}
		return out
	}
	for text := range strings.SplitSeq(string(data), "\n\n") {
		if len(out) > 0 && strings.HasPrefix(text, " ") {
			out[len(out)-1] += "\n\n" + text
			continue
		}
		out = append(out, text)
	}
	return out
}

func (e *editing) cell(text string) editedCell {
	e.cells++
	return editedCell{uri: fmt.Sprintf("vscode-notebook-cell:/%d/%d", e.number, e.cells), version: 1, text: text, python: e.r.IntN(10) > 0}
}

// opens opens a document as it is now.
func (e *editing) opens(w *wire, d *editedDocument) {
	if !d.notebook {
		w.open(d.uri, d.version, d.cells[0].text)
		return
	}
	w.notify("notebookDocument/didOpen", message{
		"notebookDocument":  message{"uri": d.uri, "notebookType": "jupyter-notebook", "version": d.version, "cells": kinds(d.cells)},
		"cellTextDocuments": cellTexts(d.cells),
	})
}

func kinds(cells []editedCell) []any {
	out := []any{}
	for _, c := range cells {
		kind := 1
		if c.python {
			kind = code
		}
		out = append(out, message{"kind": kind, "document": c.uri})
	}
	return out
}

func cellTexts(cells []editedCell) []any {
	out := []any{}
	for _, c := range cells {
		language := "markdown"
		if c.python {
			language = "python"
		}
		out = append(out, message{"uri": c.uri, "languageId": language, "version": c.version, "text": c.text})
	}
	return out
}

// restore returns a document to its first text. It reverts one edit after the other, so that the
// server does not lose what it knows from earlier versions.
func (e *editing) restore(d *editedDocument) {
	undo := d.undo
	for _, u := range slices.Backward(undo) {
		if cell := slices.IndexFunc(d.cells, func(c editedCell) bool { return c.uri == u.cell }); cell >= 0 {
			e.replace(d, cell, u.span, u.text)
			e.pauses(d)
		}
	}
	d.undo = nil
	if d.notebook {
		e.splice(d, 0, len(d.cells), d.original)
	}
}

// pauses waits now and then until a version is analysed: the next version builds on its result.
func (e *editing) pauses(d *editedDocument) {
	if e.r.IntN(2) == 0 {
		e.snapshots(e.w, d)
	}
}

// splice replaces some cells by others.
func (e *editing) splice(d *editedDocument, at, gone int, cells []editedCell) {
	var fresh []editedCell
	cells = slices.Clone(cells)
	for i, c := range cells {
		if was := slices.IndexFunc(d.cells, func(o editedCell) bool { return o.uri == c.uri }); was < 0 {
			fresh = append(fresh, c)
		} else {
			cells[i] = d.cells[was] // it moves
		}
	}
	d.version++
	d.cells = slices.Replace(slices.Clone(d.cells), at, at+gone, cells...)
	d.undo = slices.DeleteFunc(d.undo, func(u undo) bool { // of a removed cell
		return !slices.ContainsFunc(d.cells, func(c editedCell) bool { return c.uri == u.cell })
	})
	e.w.notify("notebookDocument/didChange", message{"notebookDocument": message{"uri": d.uri, "version": d.version}, "change": message{"cells": message{
		"structure": message{"array": message{"start": at, "deleteCount": gone, "cells": kinds(cells)}, "didOpen": cellTexts(fresh)}}}})
}

func (e *editing) editNotebook(d *editedDocument) {
	n := len(d.cells)
	switch op := e.r.IntN(8); {
	case op == 0 || n == 0:
		text := e.someLines()
		if e.r.IntN(2) == 0 {
			text = e.pick("%matplotlib inline\n", "!pip install tensorflow\n", "%%time\n", "%%writefile helper.py\n", "%%bash\n") + text
		}
		e.splice(d, e.r.IntN(n+1), 0, []editedCell{e.cell(text)})
	case op == 1:
		e.splice(d, e.r.IntN(n), 1, nil)
	case op == 2: // swap two
		i, j := e.r.IntN(n), e.r.IntN(n)
		i, j = min(i, j), max(i, j)
		cells := slices.Clone(d.cells[i : j+1])
		cells[0], cells[len(cells)-1] = cells[len(cells)-1], cells[0]
		e.splice(d, i, len(cells), cells)
	case op == 3: // move one to the end of some
		i := e.r.IntN(n)
		j := i + e.r.IntN(n-i)
		cells := append(slices.Clone(d.cells[i+1:j+1]), d.cells[i])
		e.splice(d, i, len(cells), cells)
	default:
		e.editText(d, e.r.IntN(n))
	}
}

var (
	numbers     = regexp.MustCompile(`\b\d+\b`)
	identifiers = regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
)

// editText changes a text as a sleepy person might.
func (e *editing) editText(d *editedDocument, cell int) {
	text := d.cells[cell].text
	lines := source.NewLines(text)
	line := func() source.Span { // with its line break
		i := e.r.IntN(lines.Count())
		span := lines.Span(i)
		span.End = source.NextLine(text, span.End)
		return span
	}
	place := func() int {
		at := e.r.IntN(len(text) + 1)
		for at > 0 && (at < len(text) && !utf8.RuneStart(text[at]) || strings.HasPrefix(text[at-1:], "\r\n")) {
			at--
		}
		return at
	}
	found := func(pattern *regexp.Regexp) (span source.Span) {
		if all := pattern.FindAllStringIndex(text, -1); len(all) > 0 {
			at := all[e.r.IntN(len(all))]
			span = source.Span{Start: at[0], End: at[1]}
		}
		return span
	}
	switch e.r.IntN(16) { // most of these leave a program
	case 0:
		at := place()
		e.replace(d, cell, source.Span{Start: at, End: at}, e.pick("x", "1", "\n", "    ", "(", ")", ":", ",", "tf.", "\"", "'''", "# noqa: TFM101", "# tfmem: ignore", " = ", "é😀", "\t", "\\"))
	case 1:
		a, b := place(), place()
		a, b = min(a, b), max(a, b)
		e.replace(d, cell, source.Span{Start: a, End: min(b, source.LineEnd(text, a))}, "")
	case 2, 14, 15: // a line twice
		span := line()
		e.replace(d, cell, source.Span{Start: span.Start, End: span.Start}, strings.TrimRight(text[span.Start:span.End], "\r\n")+"\n")
	case 3, 13:
		e.replace(d, cell, line(), "")
	case 4: // lines move
		span := line()
		moved := text[span.Start:span.End]
		e.replace(d, cell, span, "")
		text = d.cells[cell].text
		lines = source.NewLines(text)
		at := line().Start
		e.replace(d, cell, source.Span{Start: at, End: at}, moved)
	case 5, 12:
		at := line().Start
		e.replace(d, cell, source.Span{Start: at, End: at}, e.someLines())
	case 6, 10, 11:
		e.replace(d, cell, found(numbers), e.pick("0", "1", "8", "64", "4096", "1000000", "-1", "None", "True"))
	case 7:
		word := found(identifiers)
		other := found(identifiers)
		e.replace(d, cell, word, text[other.Start:other.End])
	case 8:
		at := line().Start
		e.replace(d, cell, source.Span{Start: at, End: at}, "    ")
	case 9:
		if span := line(); strings.HasPrefix(text[span.Start:], "    ") {
			e.replace(d, cell, source.Span{Start: span.Start, End: span.Start + 4}, "")
		}
	}
}

func (e *editing) pick(from ...string) string { return from[e.r.IntN(len(from))] }

// someLines returns some lines of a file.
func (e *editing) someLines() string {
	all := strings.SplitAfter(strings.Join(e.textsOf(e.files[e.r.IntN(len(e.files))]), "\n\n"), "\n")
	at := e.r.IntN(len(all))
	return strings.Join(all[at:min(len(all), at+1+e.r.IntN(12))], "")
}

// replace changes a cell's text, or a file's.
func (e *editing) replace(d *editedDocument, cell int, span source.Span, with string) {
	c := &d.cells[cell]
	lines := source.NewLines(c.text)
	start, end := lines.Position(span.Start, source.UTF8), lines.Position(span.End, source.UTF8)
	edit := message{"range": at(start.Line, start.Column, end.Line, end.Column), "text": with}
	d.undo = append(d.undo, undo{c.uri, source.Span{Start: span.Start, End: span.Start + len(with)}, c.text[span.Start:span.End]})
	c.text = c.text[:span.Start] + with + c.text[span.End:]
	d.version++
	if !d.notebook {
		c.version = d.version
		e.w.change(d.uri, d.version, edit)
		return
	}
	c.version++
	e.w.notify("notebookDocument/didChange", message{"notebookDocument": message{"uri": d.uri, "version": d.version}, "change": message{"cells": message{
		"textContent": []any{message{"document": message{"uri": c.uri, "version": c.version}, "changes": []any{edit}}}}}})
}

// snapshots returns a document's programs in a server that has read everything sent, once all
// rules have run.
func (e *editing) snapshots(w *wire, d *editedDocument) []*snapshot {
	w.call("no/such/method", nil)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	doc, err := w.session.newest(ctx, w.session.docs.keyAt(d.path))
	if err != nil {
		e.save(d)
		e.t.Fatalf("editing %d of %s: it is not priced in two minutes: %v", e.number, d.path, err)
	}
	return doc.snapshots
}

// compare compares every document with a server that knows only the current texts.
func (e *editing) compare() {
	fresh := e.server()
	for _, d := range e.documents {
		e.opens(fresh, d)
	}
	for _, d := range e.documents {
		e.compared++
		// Importers are analysed again some time after what they import.
		var got, want string
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			if got, want = e.said(e.w, d), e.said(fresh, d); got == want || time.Now().After(deadline) {
				break
			}
		}
		e.lines += strings.Count(want, "\n")
		if got != want {
			e.differed++
			e.t.Errorf("editing %d of %s: the server that edits, and another (-want +got):\n%s", e.number, d.path, cmp.Diff(want, got))
			e.save(d)
		}
		if d.notebook {
			continue
		}
		if check := e.check(d); check != e.found(e.snapshots(fresh, d)) {
			e.differed++
			e.t.Errorf("editing %d of %s: a check, and the server (-want +got):\n%s", e.number, d.path, cmp.Diff(check, e.found(e.snapshots(fresh, d))))
			e.save(d)
		}
	}
	if _, err := fresh.end(); err != nil {
		e.t.Error(err)
	}
}

// save stores what differed, if TFMEM_TEST_KEEP names a folder.
func (e *editing) save(d *editedDocument) {
	folder := os.Getenv("TFMEM_TEST_KEEP")
	if folder == "" {
		return
	}
	for i, c := range d.cells {
		name := filepath.Join(folder, fmt.Sprintf("%d-%d-%s.py", e.number, i, filepath.Base(d.path)))
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			e.t.Error(err)
		}
	}
}

// said returns everything that a server says of a document.
func (e *editing) said(w *wire, d *editedDocument) string {
	out := e.found(e.snapshots(w, d))
	for _, c := range d.cells {
		if !c.python {
			continue
		}
		end := source.NewLines(c.text).Position(len(c.text), source.UTF8)
		params := message{"textDocument": message{"uri": c.uri}, "range": at(0, 0, end.Line, end.Column), "context": message{"diagnostics": []any{}, "triggerKind": 1}}
		for _, method := range []string{"textDocument/codeAction", "textDocument/inlayHint", "textDocument/codeLens"} {
			answer := w.call(method, params)
			if answer["error"] != nil {
				e.t.Errorf("%s of %s is answered by %v", method, c.uri, answer)
			}
			list, _ := answer["result"].([]any)
			for _, item := range list {
				text, err := json.Marshal(item)
				if err != nil {
					e.t.Fatal(err)
				}
				out += method + " " + string(text) + "\n"
			}
		}
	}
	return out
}

// found returns the findings of snapshots, with fixes and related places.
func (e *editing) found(snaps []*snapshot) string {
	var out strings.Builder
	for i, snap := range snaps {
		fmt.Fprintf(&out, "program %d\n", i)
		describeFindings(&out, snap.all.findings)
	}
	return out.String()
}

func describeFindings(out *strings.Builder, findings []rule.Finding) {
	for _, f := range findings {
		fmt.Fprintf(out, "%s %v %v %v %s\n", f.Rule.Code, f.Severity, f.Span, f.Tags, f.Message)
		for _, r := range f.Related {
			path := ""
			if r.Source != nil {
				path = r.Source.Path
			}
			fmt.Fprintf(out, "    related %s %v %s\n", path, r.Span, r.Message)
		}
		for _, fix := range f.Fixes {
			fmt.Fprintf(out, "    fix %v %s %q\n", fix.Applicability, fix.Message, fmt.Sprint(fix.Edits))
		}
	}
}

// check returns what a check of a file finds, given the texts of all documents.
func (e *editing) check(d *editedDocument) string {
	open := map[string]string{}
	for _, o := range e.documents {
		if !o.notebook {
			open[o.path] = o.cells[0].text
		}
	}
	programs, workspace, err := analyzer.Open(d.path, d.cells[0].text, project.New(project.Files{Below: project.Disk{}, Texts: open}, e.root, e.root))
	if err != nil {
		e.t.Fatal(err)
	}
	var out strings.Builder
	for i, program := range programs {
		fmt.Fprintf(&out, "program %d\n", i)
		config := analyzer.Config{Workspace: workspace, Devices: func() []memory.Device { return aGPU(context.Background()) }}
		describeFindings(&out, rules.Check(analyzer.Analyze(program, config), rules.Selection{}))
	}
	return out.String()
}
