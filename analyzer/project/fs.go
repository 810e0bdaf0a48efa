package project

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/folders"
	"github.com/tfmem/tfmem/analyzer/headers"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/tally"
)

// MaxSize is the length in bytes beyond which a file is not read.
const MaxSize = 5 << 20

// ReadFile returns the bytes of a regular file of at most limit bytes. It reads nothing of
// other files: a FIFO, a device or a socket may block, or never end. The limit also holds
// for a file that claims a smaller size, as in /proc, or that grows. Errors are of type
// [*fs.PathError].
func ReadFile(path string, limit int64) ([]byte, error) {
	f, info, err := open(path, fs.FileMode.IsRegular, "a regular file")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, refusal(path, "it has %s; the limit is %s", size(info.Size()), size(limit))
	}
	var text bytes.Buffer
	text.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := text.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(text.Len()) > limit {
		return nil, refusal(path, "it has more than %s, which is the limit", size(limit))
	}
	return text.Bytes(), nil
}

// Open opens a regular file that is read as a stream, however long it is. Errors are of type
// [*fs.PathError].
func Open(path string) (io.ReadCloser, error) {
	f, _, err := open(path, fs.FileMode.IsRegular, "a regular file")
	return f, err
}

// OpenAt opens a regular file of which parts are read, such as one entry of an archive, and returns how
// many bytes it has. Errors are of type [*fs.PathError].
func OpenAt(path string) (file interface {
	io.ReaderAt
	io.Closer
}, size int64, err error) {
	f, info, err := open(path, fs.FileMode.IsRegular, "a regular file")
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// MaxHead is how many bytes of a table are read.
const MaxHead = 64 << 10

// readHead returns the first [MaxHead] bytes of a regular file or, of arrays and pictures, what
// [headers.Read] makes of it, of a saved model, what [saved.Read] does and, of a folder, what
// [folders.Read] does.
func readHead(path string) (string, error) {
	if (Disk{}).Kind(path) == Folder {
		list := func(folder string) ([]fs.DirEntry, error) {
			return ReadDir(folder, func(fs.DirEntry) bool { return true })
		}
		return folders.Read(path, list, func(path string) bool { return Disk{}.Kind(path) == Folder })
	}
	f, info, err := open(path, fs.FileMode.IsRegular, "a regular file")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if isOf(path, headers.Arrays) || isOf(path, headers.Pictures) {
		text, err := headers.Read(path, f, info.Size())
		if err != nil {
			return "", refusal(path, "%w", err)
		}
		return text, nil
	}
	if isOf(path, []string{saved.Archive}) {
		model, err := saved.Read(f, info.Size(), "")
		if err != nil {
			return "", refusal(path, "%w", err)
		}
		return model.Python, nil
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxHead))
	return string(text), err
}

// MaxCounted is the length in bytes beyond which the lines of a text are not counted.
const MaxCounted = 64 << 20

// readLines returns what [tally.Read] makes of a regular file of at most [MaxCounted] bytes.
func readLines(path string) (string, error) {
	f, info, err := open(path, fs.FileMode.IsRegular, "a regular file")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info.Size() > MaxCounted {
		return "", refusal(path, "it has %s; the limit for a text whose lines are counted is %s", size(info.Size()), size(MaxCounted))
	}
	return tally.Read(io.LimitReader(f, MaxCounted)) // it may grow
}

// MaxEntries bounds how many entries of one folder [ReadDir] returns.
const MaxEntries = 1 << 18

// ReadDir returns, in no order, the entries of a folder that keep accepts. If these are more than
// [MaxEntries] it returns none, and an error. Errors are of type [*fs.PathError]; entries that
// were read before a system error come with it.
func ReadDir(folder string, keep func(fs.DirEntry) bool) ([]fs.DirEntry, error) {
	return readDir(folder, keep, MaxEntries)
}

func readDir(folder string, keep func(fs.DirEntry) bool, limit int) ([]fs.DirEntry, error) {
	f, _, err := open(folder, fs.FileMode.IsDir, "a folder")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var kept []fs.DirEntry
	for {
		batch, err := f.ReadDir(1024)
		for _, e := range batch {
			if keep(e) {
				kept = append(kept, e)
			}
		}
		switch {
		case len(kept) > limit:
			return nil, refusal(folder, "more than %d of its entries matter, which is the limit", limit)
		case err == io.EOF:
			return kept, nil
		case err != nil:
			return kept, err
		}
	}
}

// open opens the file at path for reading, if its mode is wanted.
func open(path string, wanted func(fs.FileMode) bool, want string) (*os.File, fs.FileInfo, error) {
	check := func(info fs.FileInfo, err error) error {
		if err == nil && !wanted(info.Mode()) {
			err = refusal(path, "it is %s, not %s", kindOf(info.Mode()), want)
		}
		return err
	}
	// Opening a device may have an effect, such as rewinding a tape.
	if err := check(os.Stat(path)); err != nil {
		return nil, nil, err
	}
	// If a FIFO has replaced the file since, opening it must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err := check(info, err); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// refusal returns an error about a readable file that is not read.
func refusal(path, format string, args ...any) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf(format, args...)}
}

// kindOf names the kind of file that a mode belongs to.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// size formats a number of bytes for people, rounded up.
func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KB", (bytes+1<<10-1)>>10)
	}
	return fmt.Sprintf("%d MB", (bytes+1<<20-1)>>20)
}

// Repository returns the nearest folder, at or above the given one, that is a git repository, or
// "".
func Repository(files FS, folder string) string {
	for {
		if files.Kind(filepath.Join(folder, ".git")) != Nothing {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
}

// Root returns the workspace that a file belongs to: the widest of the folders open in the editor
// that contains it; else its git repository; else, as for a settings file outside of any
// repository, its own folder. Paths are absolute.
func Root(files FS, path string, open ...string) string {
	if folder := widest(path, open); folder != "" {
		return folder
	}
	folder := filepath.Dir(path)
	for _, at := range []string{folder, files.Real(folder)} { // a link to a folder may hide its repository
		if repository := Repository(files, at); repository != "" {
			return repository
		}
	}
	return folder
}

// widest returns the shortest of the folders that contain a path, or "".
func widest(path string, folders []string) (found string) {
	for _, f := range folders {
		if IsBelow(path, f) && (found == "" || len(f) < len(found)) {
			found = f
		}
	}
	return found
}

// IsBelow reports whether a path is that of a folder, or of something below it. It compares the
// paths only.
func IsBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// Inside returns an error of type [*fs.PathError] unless what is at path lies in one of the
// folders once symbolic links are resolved, in the path and in the folders. The error names the
// folder with the shortest path. Paths are absolute.
func Inside(path string, folders ...string) error { return inside(Disk{}.Real, path, folders) }

func inside(real func(path string) string, path string, folders []string) error {
	target := real(path)
	for _, f := range folders {
		// A buffer of an editor has no real path.
		if IsBelow(target, real(f)) || target == path && IsBelow(path, f) {
			return nil
		}
	}
	workspace := slices.MinFunc(folders, func(a, b string) int { return len(a) - len(b) })
	if !slices.ContainsFunc(folders, func(f string) bool { return IsBelow(path, f) }) {
		return refusal(path, "it is outside the workspace %s", workspace)
	}
	return refusal(path, "it is a link to %s, outside the workspace %s", target, workspace)
}

// A Kind is what exists at a path, symbolic links followed.
type Kind uint8

const (
	Nothing Kind = iota // or a dangling link
	File                // or a FIFO, a device or a socket, none of which is ever read
	Folder
)

// An FS is where modules are read from. It is safe for concurrent use.
type FS interface {
	Kind(path string) Kind
	// Read returns the text of a regular file of at most MaxSize bytes.
	Read(path string) (string, error)
	// Head returns the first MaxHead bytes of a regular file of any size or, of arrays and pictures,
	// what [headers.Read] makes of it and, of a folder, what [folders.Read] does.
	Head(path string) (string, error)
	// Lines returns what [tally.Read] makes of a regular file of at most MaxCounted bytes.
	Lines(path string) (string, error)
	// Real returns a path without symbolic links, or the path itself if that is not known.
	Real(path string) string
	// List returns, in no order, the names in a folder that keep accepts; none if there is no
	// folder. An error says why the list is incomplete.
	List(folder string, keep func(name string) bool) ([]string, error)
}

// A Disk is the file system as it is.
type Disk struct{}

// Kind returns what exists at path.
func (Disk) Kind(path string) Kind {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Nothing
	case info.IsDir():
		return Folder
	}
	return File
}

// Read reads a file.
func (Disk) Read(path string) (string, error) {
	text, err := ReadFile(path, MaxSize)
	return string(text), err
}

// Head reads the beginning of a file, or counts what is in a folder.
func (Disk) Head(path string) (string, error) { return readHead(path) }

// Lines counts the lines of a file.
func (Disk) Lines(path string) (string, error) { return readLines(path) }

// Real resolves symbolic links.
func (Disk) Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// List returns the names in a folder.
func (d Disk) List(folder string, keep func(name string) bool) ([]string, error) {
	if d.Kind(folder) != Folder {
		return nil, nil
	}
	entries, err := ReadDir(folder, func(e fs.DirEntry) bool { return keep(e.Name()) })
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// An Overlay shows texts, such as the open buffers of an editor, in place of what lies below.
type Overlay struct {
	Below FS
	// Open returns the text shown at a path, if there is one.
	Open func(path string) (text string, ok bool)
}

// Kind returns what exists at path.
func (o Overlay) Kind(path string) Kind {
	if _, ok := o.Open(path); ok {
		return File
	}
	return o.Below.Kind(path)
}

// Read returns the text at path.
func (o Overlay) Read(path string) (string, error) {
	if text, ok := o.Open(path); ok {
		if len(text) > MaxSize {
			return "", refusal(path, "it has %s; the limit is %s", size(int64(len(text))), size(MaxSize))
		}
		return text, nil
	}
	return o.Below.Read(path)
}

// Head returns the beginning of the text at path.
func (o Overlay) Head(path string) (string, error) {
	if text, ok := o.Open(path); ok {
		return text[:min(len(text), MaxHead)], nil
	}
	return o.Below.Head(path)
}

// Lines counts the lines of the text at path.
func (o Overlay) Lines(path string) (string, error) {
	if text, ok := o.Open(path); ok {
		return tally.Read(strings.NewReader(text))
	}
	return o.Below.Lines(path)
}

// Real returns the path itself for what is shown.
func (o Overlay) Real(path string) string {
	if _, ok := o.Open(path); ok {
		return path
	}
	return o.Below.Real(path)
}

// List returns the names in a folder below. A buffer that was never saved is not among them.
func (o Overlay) List(folder string, keep func(name string) bool) ([]string, error) {
	return o.Below.List(folder, keep)
}

// Files shows texts, by absolute path, in place of what lies below, and the folders that contain
// the texts.
type Files struct {
	Below FS
	Texts map[string]string
}

// Kind returns what exists at path.
func (f Files) Kind(path string) Kind {
	if _, ok := f.Texts[path]; ok {
		return File
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

// Read returns the text at path.
func (f Files) Read(path string) (string, error) {
	if text, ok := f.Texts[path]; ok {
		return text, nil
	}
	return f.Below.Read(path)
}

// Head returns the beginning of the text at path.
func (f Files) Head(path string) (string, error) {
	if text, ok := f.Texts[path]; ok {
		return text[:min(len(text), MaxHead)], nil
	}
	return f.Below.Head(path)
}

// Lines counts the lines of the text at path.
func (f Files) Lines(path string) (string, error) {
	if text, ok := f.Texts[path]; ok {
		return tally.Read(strings.NewReader(text))
	}
	return f.Below.Lines(path)
}

// Real returns the path itself for what is shown.
func (f Files) Real(path string) string {
	if _, ok := f.Texts[path]; ok {
		return path
	}
	return f.Below.Real(path)
}

// List returns the names in a folder.
func (f Files) List(folder string, keep func(name string) bool) ([]string, error) {
	names, err := f.Below.List(folder, keep)
	for path := range f.Texts {
		if rest, ok := strings.CutPrefix(path, folder+string(filepath.Separator)); ok {
			if name, _, _ := strings.Cut(rest, string(filepath.Separator)); keep(name) {
				names = append(names, name)
			}
		}
	}
	return names, err
}
