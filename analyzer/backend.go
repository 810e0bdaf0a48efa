package analyzer

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Backend is what Keras 3 computes with.
type Backend struct {
	Name string // "tensorflow", "jax", …; "" if it is only known at run time
	// Why says what chooses it, as a clause.
	Why string
}

// Backend returns the backend of the file's Keras (keras/src/backend/config.py): the one that the
// program or a module that it imports sets, else the one of its project, else that of the declared
// environment, else TensorFlow.
func (f *File) Backend() Backend {
	if l, ok := f.libraryOf(f.Names()).(effects.Library); ok && l.Keras2() {
		return Backend{flow.TensorFlow, "Keras 2 has no other"}
	}
	if f.Names().Mentions(flow.KerasBackend, "set_backend") {
		if name, at := f.Flow().Backend(f.Names()); at.Valid() {
			if src := f.SourceOf(at); src != nil {
				return Backend{name, placeOf(src, at) + " says so"}
			}
			return Backend{name, "the program says so"}
		}
	}
	if b := f.ProjectBackend(); b.set() {
		return b
	}
	if !f.Config.Backend.set() {
		if name := flow.ComputesWith(f.Names()); name != "" {
			return Backend{name, "the program differentiates with it"}
		}
	}
	if f.Config.Backend.set() {
		return f.Config.Backend
	}
	return Backend{flow.TensorFlow, "nothing names another"}
}

// ProjectBackend returns the backend that the file's project declares; its name is "" if there is
// none.
func (f *File) ProjectBackend() Backend {
	if f.Config.Workspace == nil {
		return Backend{}
	}
	name, where := f.Config.Workspace.Backend(f.Source.Path)
	return Backend{name, where + " says so"}
}

// placeOf returns the file and the line of a node, for people.
func placeOf(src *source.Source, n syntax.Node) string {
	at := src.Place(source.Span{Start: n.Start(), End: n.End()})
	return fmt.Sprintf("%s:%d", src.Path, src.Segments()[at.Segment].Lines().Line(at.Span.Start)+1)
}

func (b Backend) set() bool { return b.Name != "" }

// Foreign reports whether the file runs Keras on another backend than TensorFlow, or on one that
// is only known at run time. Nothing is known of such a backend. It is false for code without
// Keras.
func (f *File) Foreign() bool {
	return strings.Contains(f.Source.Text(), "keras") && f.Backend().Name != flow.TensorFlow
}
