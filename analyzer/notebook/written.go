package notebook

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A Module is a Python file that cells of a notebook write when they run. It is a program of its
// own, which other cells import or another process runs. A file that is written again is another
// module.
type Module struct {
	// Path is where the file is written, with slashes, as in the cell: absolute, or
	// relative to the folder that the notebook runs in.
	Path string
	// Source is the module's text in its cells; Cells are their indices.
	Source *source.Source
	Cells  []int
	// Imported is set if the other cells get this text when they import the file: it was written
	// last before the first import, or before the end. They get Text, even if more is appended to
	// the file later.
	Imported bool
	Text     string

	// Bodies are the spans that the cells write, in the one segment of the source, if JupyterLab
	// has joined the cells to one text.
	Bodies []source.Span

	starts []start
}

// A start is where what a cell writes begins in a module's text and in its source's.
type start struct{ text, source int }

// InSource maps an offset of the module's text to the text of its source.
func (m *Module) InSource(offset int) int {
	i := sort.Search(len(m.starts), func(i int) bool { return m.starts[i].text > offset }) - 1
	if i < 0 {
		return 0
	}
	return min(m.starts[i].source+offset-m.starts[i].text, len(m.Source.Text()))
}

// Modules returns the Python files that "%%writefile" cells write, in order of the first cell of
// each.
func (n *Notebook) Modules() ([]Module, error) { return Modules(n.path, n.Cells()) }

// Modules returns the Python files that code cells write.
func Modules(path string, cells []Cell) ([]Module, error) {
	chunks := make([]chunk, len(cells))
	for i, c := range cells {
		chunks[i].text = c.Text
		var body int
		if chunks[i].file, body, chunks[i].appends = written(c.Text); chunks[i].file != "" {
			chunks[i].text = c.Text[body:] + "\n" // the last line of a cell has no line break
		}
	}
	modules := modulesOf(chunks)
	for i := range modules {
		m := &modules[i]
		var own []Cell
		for _, at := range m.Cells {
			own = append(own, cells[at])
		}
		var err error
		if m.Source, err = join(path, own, maskFirst); err != nil {
			return nil, err
		}
		at := 0
		for k, cell := range m.Cells {
			span := m.Source.Segments()[k].Span()
			length := len(chunks[cell].text) - 1
			m.starts = append(m.starts, start{text: at, source: span.End - length})
			at += length + 1
		}
	}
	return modules, nil
}

// A chunk is a code cell, or a stretch of one: code that is run or, if file is set, text that is
// written.
type chunk struct {
	text    string
	file    string
	appends bool
}

// modulesOf returns the modules that chunks write, without a source.
func modulesOf(chunks []chunk) []Module {
	if !slices.ContainsFunc(chunks, func(c chunk) bool { return c.file != "" }) {
		return nil
	}
	var modules []Module
	newest := map[string]int{} // of a file, among the modules
	found := map[string]bool{} // the files that were imported
	for i, c := range chunks {
		if c.file == "" {
			for _, file := range imported(c.text, modules, newest) {
				if k, ok := newest[file]; ok && !found[file] {
					modules[k].Imported = true
				}
				found[file] = true
			}
			continue
		}
		k, ok := newest[c.file]
		if !ok || !c.appends {
			k = len(modules)
			newest[c.file], modules = k, append(modules, Module{Path: c.file})
		}
		if m := &modules[k]; !m.Imported {
			m.Text += c.text
		}
		modules[k].Cells = append(modules[k].Cells, i)
	}
	for file, k := range newest {
		if !found[file] {
			modules[k].Imported = true
		}
	}
	return modules
}

// imports matches the names in the import statements of a text.
var imports = regexp.MustCompile(`(?m)^[ \t]*(?:import|from)[ \t]+([^#;\n]+)`)

// imported returns the files that a text imports, directly or through the modules that exist by
// then, among those that cells may write.
func imported(text string, modules []Module, newest map[string]int) []string {
	var files []string
	for texts := []string{text}; len(texts) > 0; {
		text, texts = texts[0], texts[1:]
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			for word := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return strings.ContainsRune(" \t,()", r) }) {
				name := strings.ReplaceAll(strings.Trim(word, "."), ".", "/")
				for _, file := range []string{name + ".py", name + "/__init__.py"} {
					if name == "" || slices.Contains(files, file) {
						continue
					}
					files = append(files, file)
					if k, ok := newest[file]; ok {
						texts = append(texts, modules[k].Text)
					}
				}
			}
		}
	}
	return files
}

// written returns the Python file that a cell writes, if any: its name, where its text begins in
// the cell, and whether the cell appends.
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
	if !strings.HasPrefix(text[at:end], "%%") {
		return "", 0, false
	}
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

// maskFirst makes Python of a cell that writes a file: it masks everything before the file's
// text.
func maskFirst(raw string) (string, []source.Piece, bool) {
	_, body, _ := written(raw)
	m := &masker{raw: raw}
	m.replace(body, "")
	m.keep(len(raw))
	return m.text.String(), m.pieces, false
}
