// Package notebook reads Jupyter notebooks. The code cells of an .ipynb file, in order, become
// one source with the cells as segments, and edits of the cells become edits of the file.
//
// What IPython adds to Python (magics, shell lines, help) is masked: the parsed text has neutral
// code in its place, and the pieces of each segment lead back to the cell as its author sees it.
// Cells that IPython would not run, in another language or with an open bracket, are masked as a
// whole.
//
// It reads no files, knows nothing of syntax trees, and never runs a magic.
package notebook

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// separator is between two cells in the parsed text. It ends the last line of a cell and leaves
// two blank lines, as JupyterLab does. The carriage return at its start keeps it apart from a
// cell's own line end.
const separator = "\r\n\n\n"

// Is reports whether a file is a notebook, by its name.
func Is(path string) bool {
	const extension = ".ipynb"
	return len(path) >= len(extension) && strings.EqualFold(path[len(path)-len(extension):], extension)
}

// A Cell is a cell of code.
type Cell struct {
	Name   string // the target of an edit
	Number int    // from 1, among the cells of all kinds
	Text   string
	// Failure is what the file has of a run that ended in an exception; nil if it has none.
	Failure *source.Failure
	Printed string // what a cell that reads a version put out, as stored
}

// Join makes one source of code cells.
func Join(path string, cells []Cell) (*source.Source, error) { return join(path, cells, mask) }

// join makes one source of cells; mask makes Python of each.
func join(path string, cells []Cell, mask func(raw string) (string, []source.Piece, bool)) (*source.Source, error) {
	var text strings.Builder
	segments := make([]source.Segment, len(cells))
	spans := make([]source.Span, len(cells))
	for i, c := range cells {
		if i > 0 {
			text.WriteString(separator)
		}
		masked, pieces, unclosed := mask(c.Text)
		spans[i] = source.Span{Start: text.Len(), End: text.Len() + len(masked)}
		segments[i] = source.Segment{Name: c.Name, Cell: c.Number, Raw: c.Text, Pieces: pieces, Unclosed: unclosed, Failure: c.Failure, Printed: c.Printed}
		text.WriteString(masked)
	}
	s, err := source.Join(path, text.String(), segments, spans)
	if err != nil {
		return nil, err
	}
	s.Remake = func(raw []string) (*source.Source, error) {
		next := make([]Cell, len(cells))
		for i, c := range cells {
			next[i] = c
			next[i].Text = raw[i]
		}
		return join(path, next, mask)
	}
	return s, nil
}

// A Notebook is a parsed .ipynb file. It is immutable.
type Notebook struct {
	path  string
	data  string
	cells []cell // of code in Python
	ascii bool   // characters beyond ASCII are written as escapes
}

// A LanguageError is returned for a notebook in another language than Python.
type LanguageError struct{ Language string }

func (e *LanguageError) Error() string {
	return fmt.Sprintf("its code is %s, not Python", e.Language)
}

// Cells returns the notebook's code cells.
func (n *Notebook) Cells() []Cell {
	cells := make([]Cell, len(n.cells))
	for i, c := range n.cells {
		cells[i] = Cell{Name: n.path, Number: c.number, Text: c.text, Failure: c.failure, Printed: c.printed}
	}
	return cells
}

// Source returns them as one source.
func (n *Notebook) Source() (*source.Source, error) { return Join(n.path, n.Cells()) }
