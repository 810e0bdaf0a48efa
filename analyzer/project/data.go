package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// dataKinds are the extensions of files that programs read their sizes from: settings, and
// lists of names.
var dataKinds = []string{".json", ".yaml", ".yml", ".txt", ".names"}

// DataFiles is the pattern of the files that [Workspace.Data] may be asked for.
const DataFiles = "**/*.{json,yaml,yml,txt,names}"

// IsData tells whether a file is of that kind.
func IsData(path string) bool {
	return slices.Contains(dataKinds, strings.ToLower(filepath.Ext(path)))
}

// maxData is the length in bytes beyond which a file is data that models are trained on, and
// no settings.
const maxData = 64 << 10

// Data is the text that a program finds in a file of its project, given the program's own
// path and that which it opens. A program runs in its own folder or in one above it, up to
// where the project begins: where that leaves open which file is meant, ok is false, as it is
// for all files beyond the project. It needs no lock.
func (w *Workspace) Data(program, path string) (text string, ok bool) {
	if !IsData(path) {
		return "", false
	}
	program = w.Absolute(program)
	above, own := w.upward(filepath.Dir(program))
	above = above[:own]
	found := ""
	for _, folder := range above {
		at := filepath.FromSlash(path)
		if !filepath.IsAbs(at) {
			at = filepath.Join(folder, at)
		}
		if at = filepath.Clean(at); !isBelow(at, above[own-1]) {
			continue
		}
		w.mu.Lock()
		if w.readers[at] == nil {
			w.readers[at] = map[string]bool{}
		}
		w.readers[at][program] = true
		w.mu.Unlock()
		if at == found || w.Kind(at) != RegularFile {
			continue
		}
		content, err := w.fs.Read(at)
		if err != nil || !isBelow(w.fs.Real(at), w.fs.Real(above[own-1])) || len(content) > maxData || found != "" && content != text {
			return "", false
		}
		found, text = at, content
	}
	return text, found != ""
}

func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// Reads tells whether anybody has looked for a file that is no module: a program, or who
// looked for versions.
func (w *Workspace) Reads(path string) bool {
	path = w.Absolute(path)
	w.versions.mu.Lock()
	read := w.versions.read[path]
	w.versions.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	return read || len(w.readers[path]) > 0
}

// readBy adds the programs that have looked for a file.
func (w *Workspace) readBy(path string, affected map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for p := range w.readers[path] {
		affected[p] = true
	}
	delete(w.readers, path)
}
