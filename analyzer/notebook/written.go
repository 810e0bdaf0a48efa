package notebook

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A Module is a Python file that cells of a notebook write when they are run. It is a
// program of its own: what the notebook's other cells import, or have another
// process run.
type Module struct {
	// Path is where it is written, with slashes, as the cell has it: absolute, or
	// of the folder that the notebook runs in.
	Path   string
	Text   string         // of the file
	Source *source.Source // of the same text, in its cells
}

// Modules are the Python files that "%%writefile" cells write, in order of the
// first cell of each. Of a file that is written twice the last one counts, as
// whoever runs all cells has it.
func (n *Notebook) Modules() ([]Module, error) {
	var modules []Module
	var cells [][]Cell // of each module
	for _, c := range n.cells {
		name, body, appends := written(c.text)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(modules, func(m Module) bool { return m.Path == name })
		if i < 0 {
			i, modules, cells = len(modules), append(modules, Module{Path: name}), append(cells, nil)
		}
		if !appends {
			modules[i].Text, cells[i] = "", nil
		}
		modules[i].Text += c.text[body:] + "\n" // the last line of a cell has no line break
		cells[i] = append(cells[i], Cell{Name: n.path, Number: c.number, Text: c.text})
	}
	for i := range modules {
		var err error
		if modules[i].Source, err = join(n.path, cells[i], maskFirst); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

// written tells what Python file a cell writes, if any: its name, where its text
// begins in the cell, and whether the cell adds to what is there.
func written(text string) (name string, body int, appends bool) {
	m := masker{raw: text}
	at := 0
	for at < len(text) { // blank lines before the magic, which IPython drops
		end := source.LineEnd(text, at)
		if first := m.space(at, end); first < end {
			at = first
			break
		}
		at = source.NextLine(text, end)
	}
	end := source.LineEnd(text, at)
	words := strings.Fields(text[at:end])
	if len(words) < 2 || words[0] != "%%writefile" && words[0] != "%%file" {
		return "", 0, false
	}
	for _, word := range words[1:] {
		switch {
		case word == "-a" || word == "--append":
			appends = true
		case name != "" || strings.HasPrefix(word, "-"):
			return "", 0, false
		default:
			name = strings.Trim(word, `"'`)
		}
	}
	// A name may hold variables of the notebook, "{folder}/train.py" or "$name".
	if !strings.HasSuffix(name, ".py") || strings.ContainsAny(name, "{}$\\\"'~") {
		return "", 0, false
	}
	return path.Clean(name), source.NextLine(text, end), appends
}

// maskFirst makes Python of a cell that writes a file: all of it but what comes before
// the file's text.
func maskFirst(raw string) (string, []source.Piece) {
	_, body, _ := written(raw)
	m := &masker{raw: raw}
	m.replace(body, "")
	m.keep(len(raw))
	return m.text.String(), m.pieces
}
