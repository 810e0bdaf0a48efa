package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
)

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
		modules := slices.DeleteFunc(e.w.session.workspace.Modules(first), func(path string) bool {
			info, err := os.Stat(path)
			return err != nil || info.IsDir() // a package without an __init__.py
		})
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
		findings, _, _ := rules.Quick(context.Background(), analyzer.Analyze(program, analyzer.Config{Workspace: workspace}), rules.Selection{})
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
	e.opens(d)
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
	e.opens(d)
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
func (e *editing) opens(d *editedDocument) {
	if !d.notebook {
		e.notify("textDocument/didOpen", message{"textDocument": message{"uri": d.uri, "languageId": "python", "version": d.version, "text": d.cells[0].text}})
		return
	}
	e.notify("notebookDocument/didOpen", message{
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
	e.notify("notebookDocument/didChange", message{"notebookDocument": message{"uri": d.uri, "version": d.version}, "change": message{"cells": message{
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
		e.notify("textDocument/didChange", message{"textDocument": message{"uri": d.uri, "version": d.version}, "contentChanges": []any{edit}})
		return
	}
	c.version++
	e.notify("notebookDocument/didChange", message{"notebookDocument": message{"uri": d.uri, "version": d.version}, "change": message{"cells": message{
		"textContent": []any{message{"document": message{"uri": c.uri, "version": c.version}, "changes": []any{edit}}}}}})
}
