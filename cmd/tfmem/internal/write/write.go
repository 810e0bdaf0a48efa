// Package write replaces a file's text atomically: a reader, even after a crash, finds the old
// text or the new one, never a mixture.
//
// It imports no other package of tfmem and does not know what the text means.
package write

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ErrChanged is returned if a file is no longer what the caller read.
var ErrChanged = errors.New("the file has changed on disk since it was read; run tfmem again")

// File replaces the text old of the file at path with the text new. The new text goes to a
// temporary file in the same folder, which then replaces the file, with its mode and, if
// permitted, its owner. A symbolic link stays, and the file that it leads to is replaced. A file
// that may not be written is left alone even if its folder may be. So is one with several hard
// links: the new text would have only one of its names.
func File(path string, old, new []byte) error {
	if err := replace(path, old, new); err != nil {
		return fmt.Errorf("cannot write the fixes to %s: %w", path, err)
	}
	return nil
}

// replacing is held for reading while a temporary file lies beside its target.
var replacing sync.RWMutex

// Stop waits until no temporary file is left, and begins no other: the process is about to end.
func Stop() { replacing.Lock() }

func replace(path string, old, new []byte) error {
	replacing.RLock()
	defer replacing.RUnlock()
	r, err := begin(path, old, new)
	if err != nil {
		return err
	}
	defer r.end()
	return r.commit()
}

// A replacement is a file whose new text lies beside it.
type replacement struct {
	target    string
	old       []byte
	temporary string
}

// begin writes the new text to a temporary file.
func begin(path string, old, new []byte) (*replacement, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, reason(err)
	}
	info, err := unchanged(target, old)
	if err != nil {
		return nil, err
	}
	folder, name := filepath.Split(target)
	sweep(folder, name)
	// The name must not end in ".py": a killed run leaves the file behind until the next one, and no
	// tool may take it for code.
	temporary, err := os.CreateTemp(folder, "."+name+".tfmem-*")
	if err != nil {
		return nil, fmt.Errorf("its folder %s takes no new file (%w); make the folder writable", filepath.Clean(folder), reason(err))
	}
	r := &replacement{target, old, temporary.Name()}
	if err := fill(temporary, new, info); err != nil {
		r.end()
		return nil, fmt.Errorf("the temporary file next to it cannot be written: %w", reason(err))
	}
	return r, nil
}

// forgotten is the age from which a temporary file is one of a run that was killed.
const forgotten = time.Minute

// sweep removes what killed runs left beside a file.
func sweep(folder, name string) {
	entries, _ := os.ReadDir(cmp.Or(folder, "."))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), "."+name+".tfmem-") && info.Mode().IsRegular() && time.Since(info.ModTime()) > forgotten {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// commit gives the temporary file the name of the target.
func (r *replacement) commit() error {
	// Fixing takes time, and the file may have been saved meanwhile.
	if _, err := unchanged(r.target, r.old); err != nil {
		return err
	}
	if err := os.Rename(r.temporary, r.target); err != nil {
		return reason(err)
	}
	syncFolder(filepath.Dir(r.target))
	return nil
}

// end removes the temporary file, if it has not been renamed.
func (r *replacement) end() { os.Remove(r.temporary) }

// unchanged returns an error unless the file may be written and still has the text.
func unchanged(target string, text []byte) (fs.FileInfo, error) {
	f, err := os.OpenFile(target, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil, errors.New("the file is read-only; make it writable")
	}
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if n := links(f, info); n > 1 {
		return nil, fmt.Errorf("it has %d hard links, and a fix would change only this one: not changed; replace it by a copy of itself first (cp, then mv)", n)
	}
	now, err := io.ReadAll(io.LimitReader(f, int64(len(text))+1))
	if err != nil {
		return nil, reason(err)
	}
	if !bytes.Equal(now, text) {
		return nil, ErrChanged
	}
	return info, nil
}

// fill writes the text and makes sure that it has reached the disk before the file gets its name.
func fill(f *os.File, text []byte, like fs.FileInfo) error {
	_, err := f.Write(text)
	if err == nil {
		own(f, like)
		err = f.Chmod(like.Mode().Perm() | like.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// syncFolder makes the new name durable. Not every file system can do that, and the file is
// complete either way, so errors are ignored.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		d.Sync()
		d.Close()
	}
}

// New writes a file that is not there yet, whole or not at all.
func New(path string, text []byte) error {
	replacing.RLock()
	defer replacing.RUnlock()
	folder, name := filepath.Split(path)
	temporary, err := os.CreateTemp(cmp.Or(folder, "."), "."+name+".tfmem-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err == nil {
		err = os.Link(temporary.Name(), path) // unlike a rename, it replaces nothing
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; rename it first", path)
	} else if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	return nil
}

// Store writes a file of tfmem's own, in a folder that it makes where it is missing. A reader finds the old
// text or the new one, but after a crash of the machine perhaps neither.
func Store(path string, text []byte) error {
	replacing.RLock()
	defer replacing.RUnlock()
	folder, name := filepath.Dir(path), filepath.Base(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	sweep(folder, name)
	temporary, err := os.CreateTemp(folder, "."+name+".tfmem-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

// Check returns why a file cannot be written, before long work. It changes none.
func Check(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = os.CreateTemp(filepath.Dir(path), ".tfmem-*"); err == nil {
			defer os.Remove(f.Name())
		}
	}
	if err != nil {
		return reason(err)
	}
	return f.Close()
}

// reason strips the path from an error if its message includes it.
func reason(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
