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

// settingKinds are the extensions of settings, from which programs read sizes.
var settingKinds = []string{"json", "yaml", "yml", "toml", "env", "ini", "cfg", "conf"}

// listKinds are the extensions of texts of lines, such as lists of names. One that is long is training
// data, of which only the lines are counted.
var listKinds = []string{"txt", "names"}

// tableKinds are the extensions of tables, of which only the head is read, and the lines are counted.
var tableKinds = []string{"csv", "tsv", "data"}

// lineKinds are those of other texts whose lines are counted.
var lineKinds = []string{"jsonl", "ndjson"}

// DataFiles is the pattern of the files that [Workspace.Data], [Workspace.Head] and [Workspace.Lines]
// may be asked for, but for pictures: of these there are too many to watch.
var DataFiles = "**/*.{" + strings.Join(slices.Concat(settingKinds, listKinds, tableKinds, lineKinds, headers.Arrays, []string{saved.Archive}), ",") + "}"

// IsData reports whether a file is one that these may be asked for.
func IsData(path string) bool {
	return isOf(path, settingKinds) || isOf(path, listKinds) || isOf(path, tableKinds) || isOf(path, lineKinds) || isOf(path, headers.Arrays) || isOf(path, headers.Pictures) || isOf(path, []string{saved.Archive})
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
	read     reader
	lines    reader
}

// A reader returns what is read of a file or folder, or counted of it.
type reader func() (text string, ok bool)

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
	if !isOf(path, settingKinds) && !isOf(path, listKinds) {
		return "", "", false
	}
	return w.dataAt(program, path, File, whole)
}

func whole(d *datum) reader { return d.read }

// Lines is Data for what [tally.Read] makes of a text of at most [MaxCounted] bytes.
func (w *Workspace) Lines(program, path string) (text string, ok bool) {
	if !IsData(path) || isOf(path, headers.Arrays) || isOf(path, headers.Pictures) || isOf(path, []string{saved.Archive}) {
		return "", false
	}
	_, text, ok = w.dataAt(program, path, File, func(d *datum) reader { return d.lines })
	return text, ok
}

// Head is Data for the first [MaxHead] bytes of a table, however long that is, for what the header of
// arrays or a picture says, and for the Python that builds a saved model.
func (w *Workspace) Head(program, path string) (text string, ok bool) {
	if !IsData(path) {
		return "", false
	}
	_, text, ok = w.dataAt(program, path, File, whole)
	return text, ok
}

// Folder is Data for what [folders.Read] makes of a folder.
func (w *Workspace) Folder(program, path string) (text string, ok bool) {
	_, text, ok = w.dataAt(program, path, Folder, whole)
	return text, ok
}

func (w *Workspace) dataAt(program, path string, kind Kind, of func(*datum) reader) (found, text string, ok bool) {
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
		content, ok := of(d)()
		if !ok || found != "" && content != text {
			return "", "", false
		}
		found, text = at, content
	}
	return found, text, found != ""
}

// lookedFor records that a program looks for a file. The file is read once, and its lines are counted
// once, however often the program is evaluated.
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
		d = &datum{programs: map[string]bool{}, kind: kind}
		d.lines = sync.OnceValues(func() (string, bool) {
			text, err := w.fs.Lines(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.refuse(path, err)
			}
			return text, err == nil
		})
		d.read = sync.OnceValues(func() (string, bool) {
			if kind == File && isOf(path, settingKinds) {
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
			if kind == File && len(text) >= MaxHead {
				switch {
				case isOf(path, tableKinds): // its last line may be cut off
					text = text[:strings.LastIndexByte(text, '\n')+1]
				case isOf(path, listKinds):
					return "", false
				}
			}
			return text, err == nil
		})
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
