// Package folders counts the files of a folder of training data: in the folder itself, and in each
// of its subfolders, which Keras takes as classes. It opens no file, and follows no link to a
// folder.
package folders

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// A Folder is what a folder holds.
type Folder struct {
	Files
	// Classes are its subfolders, and links to folders, in the order of their names.
	Classes []Class `json:"classes,omitempty"`
	// Uncounted is set if only the classes are complete: there are more than [MaxEntries] entries.
	Uncounted bool `json:"uncounted,omitempty"`
}

// A Class is a subfolder, with all that lies below it.
type Class struct {
	Name string `json:"name"`
	Files
}

// Files are how many there are of each extension, which is in lower case and has no dot.
type Files struct {
	Of map[string]int64 `json:"of,omitempty"`
	// Open is set if there are others, behind a link to a folder or in one that cannot be read.
	Open bool `json:"open,omitempty"`
}

// MaxEntries bounds how many entries [Read] looks at.
const MaxEntries = 100_000

// maxExtension is the length of the longest extension that is counted.
const maxExtension = 8

// A Lister lists a folder. Its error is one of a folder that is listed in part, or not at all.
type Lister func(folder string) ([]fs.DirEntry, error)

// Read counts what is in a folder, and returns it as a text for [Parse]. leads reports whether a
// path, which is that of a link, leads to a folder.
func Read(folder string, list Lister, leads func(path string) bool) (string, error) {
	top, err := list(folder)
	if err != nil {
		return "", err
	}
	slices.SortFunc(top, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	f, left := Folder{}, MaxEntries-len(top)
	var below []string // the folder of each class, "" for a link
	for _, e := range top {
		path := filepath.Join(folder, e.Name())
		switch linked := e.Type()&fs.ModeSymlink != 0 && leads(path); {
		case linked:
			f.Classes, below = append(f.Classes, Class{e.Name(), Files{Open: true}}), append(below, "")
		case e.IsDir():
			f.Classes, below = append(f.Classes, Class{Name: e.Name()}), append(below, path)
		default:
			f.count(e.Name())
		}
	}
	for i := range f.Classes {
		if below[i] == "" {
			continue
		}
		if left = f.Classes[i].walk(below[i], list, leads, left); left < 0 {
			f.Uncounted, f.Files = true, Files{}
			for i := range f.Classes {
				f.Classes[i].Files = Files{}
			}
			break
		}
	}
	text, err := json.Marshal(f)
	return string(text), err
}

// walk counts all files below a folder. It returns how many of the entries that it may look at are
// left; less than 0 if it gave up.
func (f *Files) walk(folder string, list Lister, leads func(path string) bool, left int) int {
	for queue := []string{folder}; len(queue) > 0; {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		entries, err := list(at)
		f.Open = f.Open || err != nil
		if left -= len(entries); left < 0 {
			return left
		}
		for _, e := range entries {
			path := filepath.Join(at, e.Name())
			switch linked := e.Type()&fs.ModeSymlink != 0 && leads(path); {
			case linked:
				f.Open = true
			case e.IsDir():
				queue = append(queue, path)
			default:
				f.count(e.Name())
			}
		}
	}
	return left
}

func (f *Files) count(name string) {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	if extension == "" || len(extension) > maxExtension {
		return
	}
	if f.Of == nil {
		f.Of = map[string]int64{}
	}
	f.Of[extension]++
}

// Parse reads what [Read] returned.
func Parse(text string) (f Folder, ok bool) { return f, json.Unmarshal([]byte(text), &f) == nil }

// Number returns how many files have one of the extensions; ok is false if there may be more.
func (f Files) Number(extensions []string) (n int64, ok bool) {
	for _, e := range extensions {
		n += f.Of[e]
	}
	return n, !f.Open
}
