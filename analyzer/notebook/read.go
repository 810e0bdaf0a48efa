package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

const byteOrderMark = "\ufeff"

// A cell is a code cell in Python, with the places of its text in the file.
type cell struct {
	number int
	source value // a text, or a list of texts; none if it is missing
	text   string
	runs   []run // of the text, in order

	failure *source.Failure
	printed string
}

// Read parses an .ipynb file, of nbformat 4, 3 or 2. Its errors are for people and do not name
// the file. A [*LanguageError] means that the notebook is valid, but not Python.
func Read(path, data string) (*Notebook, error) {
	if strings.TrimSpace(strings.TrimPrefix(data, byteOrderMark)) == "" {
		return nil, errors.New("it is empty and no notebook")
	}
	if strings.HasPrefix(data, "version https://git-lfs.github.com/") {
		return nil, errors.New(`it is a pointer of Git LFS and no notebook; "git lfs pull" fetches the notebook itself`)
	}
	if i := invalid(data); i >= 0 {
		return nil, fmt.Errorf("byte %d is not UTF-8, which a notebook is written in", i+1)
	}
	start := 0
	if strings.HasPrefix(data, byteOrderMark) {
		start = len(byteOrderMark)
	}
	if err := validate(data, start); err != nil {
		return nil, err
	}
	top := document{data}.first(start)
	if top.kind != '{' {
		return nil, fmt.Errorf("it is not a notebook: it holds %s where a notebook is an object", top.kind)
	}
	return (&reader{document: document{data}, notebook: &Notebook{path: path, data: data}}).read(top)
}

// invalid returns the first byte that is not UTF-8, or -1.
func invalid(data string) int {
	if utf8.ValidString(data) {
		return -1
	}
	for i, r := range data {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(data[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// validate checks that the data is JSON, so that later walks need not.
func validate(data string, start int) error {
	raw := []byte(data[start:])
	if json.Valid(raw) {
		return nil
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(raw, new(json.RawMessage)); errors.As(err, &syntax) {
		before := data[:min(len(data), start+max(0, int(syntax.Offset)-1))]
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return fmt.Errorf("%w: line %d, column %d: %s", ErrSyntax, line, column, syntax)
	}
	return ErrSyntax
}

// ErrSyntax is returned for a text that is not JSON.
var ErrSyntax = errors.New("it is not JSON, as a notebook is")

type reader struct {
	document
	notebook *Notebook
	number   int // of the cell
}

func (r *reader) read(top value) (*Notebook, error) {
	parts := r.members(top, "cells", "worksheets", "metadata")
	cells, sheets, metadata := parts[0], parts[1], parts[2]
	if err := r.kernel(metadata); err != nil {
		return nil, err
	}
	r.notebook.ascii = escapesOnly(r.data)
	switch {
	case cells.kind == '[':
		return r.notebook, r.cells(cells, "source")
	case cells.kind != 0:
		return nil, fmt.Errorf("it is not a notebook: its cells are %s where they should be a list", cells.kind)
	case sheets.kind == '[': // nbformat 2 and 3
		for sheet := range r.elements(sheets) {
			if cells := r.member(sheet, "cells"); cells.kind == '[' {
				if err := r.cells(cells, "input"); err != nil {
					return nil, err
				}
			}
		}
		return r.notebook, nil
	}
	return nil, errors.New("it is not a notebook: it has no cells")
}

// kernel refuses notebooks in other languages. Python is the default, because notebooks were made
// for it.
func (r *reader) kernel(metadata value) error {
	parts := r.members(metadata, "kernelspec", "language_info")
	spec, info := parts[0], parts[1]
	language := r.string(r.member(info, "name"))
	if language == "" {
		language = r.string(r.member(spec, "language"))
	}
	if language == "" {
		// Colab names the kernel and not its language.
		name := strings.ToLower(r.string(r.member(spec, "name")))
		for kernel, of := range map[string]string{"ir": "R", "julia": "Julia", "swift": "Swift", "scala": "Scala", "javascript": "JavaScript", "bash": "Bash"} {
			if name == kernel || strings.HasPrefix(name, kernel+"-") {
				language = of
			}
		}
	}
	if language != "" && !isPython(language) {
		return &LanguageError{Language: language}
	}
	return nil
}

func isPython(language string) bool {
	language = strings.ToLower(language)
	return strings.HasPrefix(language, "python") || language == "ipython"
}

// cells reads a list of cells; name is the member with their text.
func (r *reader) cells(list value, name string) error {
	for c := range r.elements(list) {
		r.number++
		if c.kind != '{' {
			return fmt.Errorf("cell %d is %s where a cell is an object", r.number, c.kind)
		}
		parts := r.members(c, "cell_type", name, "metadata", "language", "outputs")
		if r.string(parts[0]) != "code" || !r.inPython(parts[2], parts[3]) {
			continue
		}
		next := cell{number: r.number, source: parts[1], failure: r.failure(parts[4])}
		if next.source.kind == 0 {
			next.source.start, next.source.end = c.start, c.start // in order with the others
		}
		if err := next.read(r.document); err != nil {
			return fmt.Errorf("cell %d: its %s is %w", r.number, name, err)
		}
		if strings.Contains(next.text, "__version__") || strings.Contains(next.text, "VERSION") {
			next.printed = r.printed(parts[4])
		}
		r.notebook.cells = append(r.notebook.cells, next)
	}
	return nil
}

// inPython reports whether a cell is in the notebook's own language: VS Code lets a cell have its
// own, and so did nbformat 3.
func (r *reader) inPython(metadata, language value) bool {
	own := r.string(r.member(r.member(metadata, "vscode"), "languageId"))
	if own == "" {
		own = r.string(language)
	}
	return own == "" || isPython(own)
}

// read reads a cell's text, which is one text or a list of texts.
func (c *cell) read(d document) error {
	switch c.source.kind {
	case 0:
		return nil
	case '"':
		c.text = decode(d.slice(c.source))
		c.addRuns(d, c.source, 0)
		return nil
	case '[':
		var b strings.Builder
		for line := range d.elements(c.source) {
			if line.kind != '"' {
				return fmt.Errorf("a list that holds %s where it should hold lines of text", line.kind)
			}
			c.addRuns(d, line, b.Len())
			b.WriteString(decode(d.slice(line)))
		}
		c.text = b.String()
		return nil
	}
	return fmt.Errorf("%s where it should be text", c.source.kind)
}
