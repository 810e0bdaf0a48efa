package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/project"
)

// Names are the names of settings files, in their order of precedence within a folder.
var Names = []string{".tfmem.toml", "tfmem.toml", "pyproject.toml"}

// A Finder finds the settings of files and reads each settings file once. It is
// safe for concurrent use.
type Finder struct {
	// Read returns the text of a file, and fs.ErrNotExist where there is none.
	Read func(path string) ([]byte, error)
	// GPU resolves the GPU setting of a file, which is "" if a person names a GPU outside of any
	// file. It returns the resolved setting, with a path in it joined to the folder, or what is
	// wrong. It is nil if the setting does not count.
	GPU func(setting, folder, file string) (string, error)
	// Inside returns an error, a [*fs.PathError], if a settings file may not name a path: the path
	// must be in its workspace. It is also called with the file's own path, which may be a link.
	// nil allows every path.
	Inside func(file, path string) error
	// Show formats a path for people; nil leaves it unchanged.
	Show func(path string) string

	mu      sync.Mutex
	folders map[string]found
}

type found struct {
	settings *Settings
	err      error
}

// For returns the settings of a file, given by its absolute path. They are never nil without an
// error. The error is an [*Error], and the same value for each file that it concerns.
func (f *Finder) For(path string) (*Settings, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.folders == nil {
		f.folders = map[string]found{}
	}
	return f.of(filepath.Dir(path))
}

// of returns the settings of a folder.
func (f *Finder) of(folder string) (*Settings, error) {
	if known, ok := f.folders[folder]; ok {
		return known.settings, known.err
	}
	s, err := f.own(folder)
	if s == nil && err == nil {
		if parent := filepath.Dir(folder); parent != folder {
			s, err = f.of(parent)
		} else {
			s = &Settings{}
		}
	}
	f.folders[folder] = found{s, err}
	return s, err
}

// own reads the settings in a folder itself, or returns nil.
func (f *Finder) own(folder string) (*Settings, error) {
	for _, name := range Names {
		path := filepath.Join(folder, name)
		err := f.inside(path, path)
		var text []byte
		if err == nil {
			text, err = f.Read(path)
		}
		// Whether an unreadable folder contains such a file cannot be known, and it rarely does.
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return nil, f.unread(path, err)
		}
		if s, err := f.load(path, text, folder, nil); s != nil || err != nil {
			return s, err
		}
	}
	return nil, nil
}

// Load reads one settings file of any name, given by its absolute path. Its patterns are relative
// to the folder.
func (f *Finder) Load(path, folder string) (*Settings, error) {
	text, err := f.Read(path)
	if err != nil {
		return nil, f.unread(path, err)
	}
	s, err := f.load(path, text, folder, nil)
	if s == nil && err == nil {
		err = &Error{Path: f.show(path), Err: errors.New("it has no table [tool.tfmem]")}
	}
	return s, err
}

// load creates settings from a file's text and from the files that it extends. above are the files
// that lead to it by extend. It returns nil for a pyproject.toml without a section of tfmem.
func (f *Finder) load(path string, text []byte, folder string, above []string) (*Settings, error) {
	r := f.reader(path, text, folder)
	ok, mistakes := r.read()
	if len(mistakes) > 0 {
		return nil, mistakes[0]
	}
	if !ok {
		return nil, nil
	}
	s := r.out
	s.Path = path
	if r.extend != "" {
		base, err := f.extended(r, path, above)
		if err != nil {
			return nil, err
		}
		s.over(base)
	}
	if above == nil {
		s.settle()
	}
	return &s, nil
}

func (f *Finder) reader(path string, text []byte, folder string) *reader {
	r := &reader{path: f.show(path), source: text, folder: folder}
	if f.GPU != nil {
		r.gpu = func(setting string) (string, error) { return f.GPU(setting, filepath.Dir(path), path) }
	}
	r.file = func(name string) (string, error) {
		file := join(filepath.Dir(path), name)
		// The file need not exist, but its folder says where it is.
		for _, at := range []string{filepath.Dir(file), file} {
			if err := f.inside(path, at); err != nil {
				return "", fmt.Errorf("cannot use %s: %w", f.show(file), cause(err))
			}
		}
		return file, nil
	}
	return r
}

// join is filepath.Join for a path that may be absolute, and has slashes.
func join(folder, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// extended reads the file that another extends.
func (f *Finder) extended(r *reader, path string, above []string) (*Settings, error) {
	from := join(filepath.Dir(path), r.extend)
	above = append(slices.Clip(above), path)
	if slices.Contains(above, from) {
		var names []string
		for _, p := range append(above, from) {
			names = append(names, f.show(p))
		}
		return nil, r.errorf(r.extendAt, "extend is circular: %s", strings.Join(names, " → "))
	}
	by := path
	if IsSettings(from) && project.IsBelow(path, filepath.Dir(from)) {
		by = from // files beside it have these settings anyway
	}
	err := f.inside(by, from)
	var text []byte
	if err == nil {
		text, err = f.Read(from)
	}
	if err != nil {
		return nil, r.errorf(r.extendAt, "extend: cannot read %s: %w", f.show(from), cause(err))
	}
	base, err := f.load(from, text, filepath.Dir(from), above)
	if base == nil && err == nil {
		err = r.errorf(r.extendAt, "extend: %s has no table [tool.tfmem]", f.show(from))
	}
	return base, err
}

func (f *Finder) inside(file, path string) error {
	if f.Inside == nil {
		return nil
	}
	return f.Inside(file, path)
}

func (f *Finder) unread(path string, err error) error {
	return &Error{Path: f.show(path), Err: fmt.Errorf("the settings cannot be read: %w", cause(err))}
}

func (f *Finder) show(path string) string {
	if f.Show == nil {
		return path
	}
	return f.Show(path)
}

// cause returns an error without the path, which the message has already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
