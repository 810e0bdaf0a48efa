// Package page draws assessments of models as one page of HTML.
package page

import (
	"io"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Page is what is drawn.
type Page struct {
	// Device is the GPU that the models are weighed against, nil where there is none.
	Device *memory.Device
	Models []Model
}

// A Model is a model with what only its file tells.
type Model struct {
	*memory.Assessment
	Name  string
	Where string // as people write a place in a file
	Part  bool   // of another model, and not used by itself
}

// Write writes the page.
func (p Page) Write(w io.Writer) error { return nil }
