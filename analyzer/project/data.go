package project

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// dataKinds are the extensions of files that programs read their sizes from: settings, and
// lists of names.
var dataKinds = []string{"json", "yaml", "yml", "txt", "names"}

// DataFiles is the pattern of the files that [Workspace.Data] may be asked for.
var DataFiles = "**/*.{" + strings.Join(dataKinds, ",") + "}"

// IsData reports whether a file is of that kind.
func IsData(path string) bool {
	return slices.Contains(dataKinds, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// maxData is the length in bytes beyond which a file is data that models are trained on, and
// no settings.
const maxData = 64 << 10

// A datum is a file that programs have looked for, until it changes.
type datum struct {
	programs map[string]bool // by their paths
	read     func() (text string, ok bool)
}

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
		if at = filepath.Clean(at); !IsBelow(at, above[own-1]) {
			continue
		}
		d := w.lookedFor(at, program)
		if at == found || w.Kind(at) != File {
			continue
		}
		if err := w.inside(program, at); err != nil {
			w.refuse(at, err)
			return "", false
		}
		content, ok := d.read()
		if !ok || found != "" && content != text {
			return "", false
		}
		found, text = at, content
	}
	return text, found != ""
}

// lookedFor notes that a program looks for a file. It is read once, however often the program
// is followed.
func (w *Workspace) lookedFor(path, program string) *datum {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.data[path]
	if d == nil {
		d = &datum{map[string]bool{}, sync.OnceValues(func() (string, bool) {
			text, err := w.read(path)
			if err == nil && len(text) > maxData {
				err = refusal(path, "it has %s; the limit for settings of a program is %s", size(int64(len(text))), size(maxData))
				w.refuse(path, err)
			}
			return text, err == nil
		})}
		w.data[path] = d
	}
	d.programs[program] = true
	return d
}

// Reads reports whether anybody has looked for a file that is no module: a program, or who
// looked for versions.
func (w *Workspace) Reads(path string) bool {
	path = w.Absolute(path)
	w.versions.mu.Lock()
	read := w.versions.read[path]
	w.versions.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	return read || w.data[path] != nil
}

// readBy adds the programs that have looked for a file; what was known of them is dropped.
func (w *Workspace) readBy(path string, affected map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if d := w.data[path]; d != nil {
		maps.Copy(affected, d.programs)
	}
	delete(w.data, path)
}
