package project

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// MaxSize is the length in bytes beyond which a file is not read.
const MaxSize = 5 << 20

// A Kind is what lies at a path, symbolic links followed.
type Kind uint8

const (
	Nothing Kind = iota // or neither of the others: a device, a link to itself
	RegularFile
	Folder
)

// An FS is where modules are read from. It is safe for concurrent use.
type FS interface {
	Kind(path string) Kind
	// Read is the text of a regular file of at most MaxSize bytes.
	Read(path string) (string, error)
	// Real is a path without symbolic links, or the path itself where that cannot
	// be told.
	Real(path string) string
	// List names what lies in a folder, in no order; nothing where there is none. Of
	// very many names it leaves some out.
	List(folder string) []string
}

// A Disk is the file system as it is. It is all of tfmem that reads files, beside its
// commands.
type Disk struct{}

// Kind tells what lies at path.
func (Disk) Kind(path string) Kind {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Nothing
	case info.IsDir():
		return Folder
	case info.Mode().IsRegular():
		return RegularFile
	}
	return Nothing
}

// Read reads a file.
func (d Disk) Read(path string) (string, error) {
	if d.Kind(path) != RegularFile {
		return "", fmt.Errorf("%s: it is no regular file", path) // opening a pipe would wait
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil && len(text) > MaxSize {
		err = errors.New("it is too large")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return string(text), nil
}

// Real resolves symbolic links.
func (Disk) Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// maxListed bounds the names of a folder, such as one full of images.
const maxListed = 1 << 15

// List names what lies in a folder.
func (Disk) List(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxListed) // those before an error count
	return names
}

// An Overlay shows texts, such as the open buffers of an editor, in place of
// what lies below.
type Overlay struct {
	Below FS
	// Open is the text shown at a path, if there is one.
	Open func(path string) (text string, ok bool)
}

// Kind tells what lies at path.
func (o Overlay) Kind(path string) Kind {
	if _, ok := o.Open(path); ok {
		return RegularFile
	}
	return o.Below.Kind(path)
}

// Read is the text at path.
func (o Overlay) Read(path string) (string, error) {
	if text, ok := o.Open(path); ok {
		if len(text) > MaxSize {
			return "", fmt.Errorf("%s: it is too large", path)
		}
		return text, nil
	}
	return o.Below.Read(path)
}

// Real is the path itself for what is shown.
func (o Overlay) Real(path string) string {
	if _, ok := o.Open(path); ok {
		return path
	}
	return o.Below.Real(path)
}

// List names what lies in a folder below: a buffer that was never saved is not among it.
func (o Overlay) List(folder string) []string { return o.Below.List(folder) }

// Files shows texts, by absolute path, in place of what lies below, and the folders
// that they lie in.
type Files struct {
	Below FS
	Texts map[string]string
}

// Kind tells what lies at path.
func (f Files) Kind(path string) Kind {
	if _, ok := f.Texts[path]; ok {
		return RegularFile
	}
	kind := f.Below.Kind(path)
	if kind == Nothing {
		for name := range f.Texts {
			if strings.HasPrefix(name, path+string(filepath.Separator)) {
				return Folder
			}
		}
	}
	return kind
}

// Read is the text at path.
func (f Files) Read(path string) (string, error) {
	if text, ok := f.Texts[path]; ok {
		return text, nil
	}
	return f.Below.Read(path)
}

// Real is the path itself for what is shown.
func (f Files) Real(path string) string {
	if _, ok := f.Texts[path]; ok {
		return path
	}
	return f.Below.Real(path)
}

// List names what lies in a folder.
func (f Files) List(folder string) []string {
	names := f.Below.List(folder)
	for path := range f.Texts {
		if rest, ok := strings.CutPrefix(path, folder+string(filepath.Separator)); ok {
			name, _, _ := strings.Cut(rest, string(filepath.Separator))
			names = append(names, name)
		}
	}
	return names
}
