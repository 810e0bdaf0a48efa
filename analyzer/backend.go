package analyzer

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Backend is what Keras 3 computes with.
type Backend = releases.Backend

// projectBackend returns the backend that the file's project declares; its name is "" if there is
// none.
func (f *File) projectBackend() Backend {
	if f.Config.Workspace == nil {
		return Backend{}
	}
	name, where := f.Config.Workspace.Backend(f.Source.Path)
	return Backend{Name: name, Why: where + " says so"}
}

// placeOf returns the file and the line of a node, for people.
func placeOf(src *source.Source, n syntax.Node) string {
	if src == nil {
		return "the program"
	}
	at := src.Place(source.Span{Start: n.Start(), End: n.End()})
	return fmt.Sprintf("%s:%d", src.Path, src.Segments()[at.Segment].Lines().Line(at.Span.Start)+1)
}

// Foreign reports whether the file runs Keras on another backend than TensorFlow, or on one that
// is only known at run time. Nothing is known of such a backend. It is false for code without
// Keras.
func (f *File) Foreign() bool {
	return strings.Contains(f.Source.Text(), "keras") && f.Releases().Backend().Name != releases.TensorFlow
}
