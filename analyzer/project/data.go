package project

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/headers"
	"github.com/tfmem/tfmem/analyzer/saved"
)

// dataKinds are the extensions of files from which programs read sizes: settings, and lists of
// names.
var dataKinds = []string{"json", "yaml", "yml", "toml", "env", "txt", "names"}

// tableKinds are the extensions of tables, of which only the head is read.
var tableKinds = []string{"csv", "tsv", "data"}

// DataFiles is the pattern of the files that [Workspace.Data] and [Workspace.Head] may be asked for,
// but for pictures: of these there are too many to watch.
var DataFiles = "**/*.{" + strings.Join(slices.Concat(dataKinds, tableKinds, headers.Arrays, []string{saved.Archive}), ",") + "}"

// IsData reports whether a file is one that these may be asked for.
func IsData(path string) bool {
	return isOf(path, dataKinds) || isOf(path, tableKinds) || isOf(path, headers.Arrays) || isOf(path, headers.Pictures) || isOf(path, []string{saved.Archive})
}

func isOf(path string, kinds []string) bool {
	return slices.Contains(kinds, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// maxData is the length in bytes from which a file counts as training data, not as settings.
const maxData = 64 << 10

// A datum is a file or a folder that programs have looked for, until it changes.
type datum struct {
	programs map[string]bool // by their paths
	kind     Kind            // of what they look for: a file or a folder
	read     func() (text string, ok bool)
}

// Data returns the text that a program reads from a file of its project, given the program's own
// path and the one that it opens. A program runs in its own folder or in one above it, up to the
// top of the project. If that leaves open which file is meant, ok is false, and also for all
// files beyond the project. It needs no lock.
func (w *Workspace) Data(program, path string) (text string, ok bool) {
	_, text, ok = w.DataAt(program, path)
	return text, ok
}

// DataAt is Data with the path of the file that it is.
func (w *Workspace) DataAt(program, path string) (at, text string, ok bool) {
	if !isOf(path, dataKinds) {
		return "", "", false
	}
	return w.dataAt(program, path, File)
}

// Head is Data for the first [MaxHead] bytes of a table, however long that is, for what the header of
// arrays or a picture says, and for the Python that builds a saved model.
func (w *Workspace) Head(program, path string) (text string, ok bool) {
	if !IsData(path) {
		return "", false
	}
	_, text, ok = w.dataAt(program, path, File)
	return text, ok
}

// Folder is Data for what [folders.Read] makes of a folder.
func (w *Workspace) Folder(program, path string) (text string, ok bool) {
	_, text, ok = w.dataAt(program, path, Folder)
	return text, ok
}

func (w *Workspace) dataAt(program, path string, kind Kind) (found, text string, ok bool) {
	program = w.Absolute(program)
	above, own := w.upward(filepath.Dir(program))
	above = above[:own]
	for _, folder := range above {
		at := filepath.FromSlash(path)
		if !filepath.IsAbs(at) {
			at = filepath.Join(folder, at)
		}
		if at = filepath.Clean(at); !IsBelow(at, above[own-1]) {
			continue
		}
		d := w.lookedFor(at, program, kind)
		if at == found || d.kind != kind || w.Kind(at) != kind {
			continue
		}
		if err := w.inside(program, at); err != nil {
			w.refuse(at, err)
			return "", "", false
		}
		content, ok := d.read()
		if !ok || found != "" && content != text {
			return "", "", false
		}
		found, text = at, content
	}
	return found, text, found != ""
}

// lookedFor records that a program looks for a file. The file is read once, however often the
// program is evaluated.
func (w *Workspace) lookedFor(path, program string, kind Kind) *datum {
	first := false
	defer func() {
		if first && kind == Folder && w.Watch != nil {
			w.Watch(path)
		}
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.data[path]
	if first = d == nil; first {
		d = &datum{map[string]bool{}, kind, sync.OnceValues(func() (string, bool) {
			if kind == File && isOf(path, dataKinds) {
				text, err := w.read(path)
				if err == nil && len(text) > maxData {
					err = refusal(path, "it has %s; the limit for settings of a program is %s", size(int64(len(text))), size(maxData))
					w.refuse(path, err)
				}
				return text, err == nil
			}
			text, err := w.fs.Head(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.refuse(path, err)
			}
			if kind == File && isOf(path, tableKinds) && len(text) == MaxHead { // its last line may be cut off
				text = text[:strings.LastIndexByte(text, '\n')+1]
			}
			return text, err == nil
		})}
		w.data[path] = d
	}
	d.programs[program] = true
	return d
}

// Reads reports whether a program, or the search for versions, has looked for a file that is not
// a module, or for a folder that it may be in.
func (w *Workspace) Reads(path string) bool {
	path = w.Absolute(path)
	w.versions.mu.Lock()
	read := w.versions.read[path]
	w.versions.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	return read || len(w.dataOf(path)) > 0
}

// dataOf returns the paths of what programs have looked for that a change of a file concerns: the
// file itself, and the folders above it that they count.
func (w *Workspace) dataOf(path string) (found []string) {
	if w.data[path] != nil {
		found = append(found, path)
	}
	for at := filepath.Dir(path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if d := w.data[at]; d != nil && d.kind == Folder {
			found = append(found, at)
		}
	}
	return found
}

// readBy adds the programs that have looked for a file, and drops their facts.
func (w *Workspace) readBy(path string, affected map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, at := range w.dataOf(path) {
		maps.Copy(affected, w.data[at].programs)
		delete(w.data, at)
	}
}
