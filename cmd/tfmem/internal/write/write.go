// Package write replaces a file's text atomically: a reader, even after a crash, finds the old
// text or the new one, never a mixture.
//
// It imports no other package of tfmem and does not know what the text means.
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

func replace(path string, old, new []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return reason(err)
	}
	info, err := unchanged(target, old)
	if err != nil {
		return err
	}
	folder, name := filepath.Split(target)
	// The name must not end in ".py": a killed run leaves the file behind, and no tool may take
	// it for code.
	temporary, err := os.CreateTemp(folder, "."+name+".tfmem-*")
	if err != nil {
		return fmt.Errorf("its folder %s takes no new file (%w); make the folder writable", filepath.Clean(folder), reason(err))
	}
	defer os.Remove(temporary.Name()) // fails once the file has been renamed
	if err := fill(temporary, new, info); err != nil {
		return fmt.Errorf("the temporary file next to it cannot be written: %w", reason(err))
	}
	// Fixing takes time, and the file may have been saved meanwhile.
	if _, err := unchanged(target, old); err != nil {
		return err
	}
	if err := os.Rename(temporary.Name(), target); err != nil {
		return reason(err)
	}
	syncFolder(folder)
	return nil
}

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
