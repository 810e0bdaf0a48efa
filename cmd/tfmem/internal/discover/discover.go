// Package discover finds the Python files and notebooks that the paths on a command line stand
// for.
//
// It lists folders and reads .gitignore files. It never reads the files themselves, and does not
// know what is done with them.
package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer/project"
)

// Excluded are the folders that are not searched: ruff's defaults, which contain other people's
// code, build results and caches, and .history, where an editor keeps old copies of files.
var Excluded = []string{
	".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".history", ".ipynb_checkpoints",
	".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache",
	".svn", ".tox", ".venv", ".vscode", "__pypackages__", "_build", "buck-out", "build",
	"dist", "node_modules", "site-packages", "venv",
}

// Options say which files count.
type Options struct {
	// ForceExclude leaves out excluded files and folders even if they are named.
	ForceExclude bool
	// Unhidden also returns what .gitignore files hide.
	Unhidden bool
	// Exclude, which may be nil, reports what else is excluded, given an absolute path. A path
	// found in a folder is judged alone; a named path also by the folders above it. It is called
	// by many goroutines at once.
	Exclude func(absolute string, named bool) bool
	// Warn, which may be nil, is called with files that are left out unexpectedly: a file with a
	// Python file's name that is none, a link that leads outside the project, and a .gitignore
	// file that is not read. Many goroutines call it at once.
	Warn func(error)
	// Searched, which may be nil, is called with each folder before it is listed, by many
	// goroutines at once.
	Searched func(folder string)
}

func (o Options) excludes(absolute string, named bool) bool {
	return o.Exclude != nil && o.Exclude(absolute, named)
}

// Files returns the files that the paths name and those found in the folders that they name,
// sorted. Each file is there once, however many paths and symbolic links lead to it. A named file
// counts whatever it is called. A folder yields its .py, .pyw and .ipynb files, except those that
// [Excluded] and the .gitignore files hide. Below a named path, symbolic links to folders are not
// followed. Links to files are not followed if they lead out of the named folder and also out of
// the repository, or without one out of the working folder.
//
// Paths come back as they were given, cleaned. The errors report paths that could not be read;
// all others are in the result. Once ctx is done no further folder is listed.
func Files(ctx context.Context, paths []string, o Options) ([]string, []error) {
	w := &walk{ctx: ctx, options: o, found: map[string]candidate{}}
	w.group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for _, p := range paths {
		w.root(filepath.Clean(p))
	}
	w.group.Wait()

	files := make([]string, 0, len(w.found))
	for _, c := range w.found {
		files = append(files, c.path)
	}
	slices.Sort(files)
	slices.SortFunc(w.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return files, w.errs
}

// A candidate is one way to a file.
type candidate struct {
	path  string
	named bool // on the command line
	link  bool // through a symbolic link
}

// before orders two paths to one file. The first one is shown: the named one, then the one
// without a link, then the first in order.
func (c candidate) before(o candidate) bool {
	if c.named != o.named {
		return c.named
	}
	if c.link != o.link {
		return o.link
	}
	return c.path < o.path
}

type walk struct {
	ctx     context.Context
	options Options
	group   errgroup.Group

	mu    sync.Mutex
	found map[string]candidate // by the path without symbolic links
	errs  []error
}

func (w *walk) add(real string, c candidate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known, ok := w.found[real]; !ok || c.before(known) {
		w.found[real] = c
	}
}

func (w *walk) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, err)
}

// root adds a path from the command line.
func (w *walk) root(path string) {
	info, err := os.Stat(path)
	if err != nil {
		w.fail(explain(path, err))
		return
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		w.fail(explain(path, err))
		return
	}
	if w.options.ForceExclude && (excluded(absolute, info.IsDir()) || w.options.excludes(absolute, true)) {
		return
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		w.fail(explain(path, err))
		return
	}
	if !info.IsDir() {
		w.add(real, candidate{path: path, named: true, link: real != absolute})
		return
	}
	w.folder(folder{path: path, real: real, absolute: absolute, named: absolute, hidden: w.above(absolute)})
}

// A folder is one to be searched, with the names that matter.
type folder struct {
	path     string // as it is shown
	real     string // without symbolic links
	absolute string // what .gitignore patterns are matched with
	named    string // the absolute path of the folder on the command line
	hidden   *ignores
}

func (w *walk) folder(f folder) {
	if w.ctx.Err() != nil {
		return
	}
	if w.options.Searched != nil {
		w.options.Searched(f.path)
	}
	entries, err := project.ReadDir(f.path, func(e fs.DirEntry) bool {
		return e.IsDir() || IsPython(e.Name()) || e.Name() == ".gitignore"
	})
	if err != nil {
		w.fail(explain(f.path, err))
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		f.hidden = w.ignoring(f.hidden, f.absolute, shown(f.path, ".gitignore"))
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir():
			absolute := join(f.absolute, name)
			if slices.Contains(Excluded, name) || f.hidden.hides(absolute, true) || w.options.excludes(absolute, false) {
				continue
			}
			inner := folder{path: shown(f.path, name), real: join(f.real, name), absolute: absolute, named: f.named, hidden: f.hidden}
			// If all workers are busy, this one continues by itself.
			if !w.group.TryGo(func() error { w.folder(inner); return nil }) {
				w.folder(inner)
			}
		case !IsPython(name) || f.hidden.hides(join(f.absolute, name), false) || w.options.excludes(join(f.absolute, name), false):
		case e.Type().IsRegular():
			w.add(join(f.real, name), candidate{path: shown(f.path, name)})
		case e.Type()&fs.ModeSymlink != 0:
			w.link(f, name)
		default:
			_, err := project.ReadFile(join(f.real, name), 0) // which is not a regular file
			w.leaveOut(shown(f.path, name), err)
		}
	}
}

// link follows a symbolic link named like a Python file. A dangling link is not an error: Emacs locks
// a.py with a link ".#a.py".
func (w *walk) link(f folder, name string) {
	real, err := filepath.EvalSymlinks(join(f.real, name))
	if err != nil {
		return
	}
	info, err := os.Stat(real)
	if err != nil || info.IsDir() {
		return
	}
	bounds := []string{project.Root(project.Disk{}, join(f.absolute, name)), f.named}
	if work, err := os.Getwd(); err == nil && project.Repository(project.Disk{}, f.real) == "" && project.IsBelow(f.absolute, work) {
		bounds = append(bounds, work) // the top of the project, as far as is known
	}
	if err := project.Inside(join(f.absolute, name), bounds...); err != nil {
		w.leaveOut(shown(f.path, name), err)
		return
	}
	if !info.Mode().IsRegular() {
		_, err := project.ReadFile(real, 0)
		w.leaveOut(shown(f.path, name), err)
		return
	}
	w.add(real, candidate{path: shown(f.path, name), link: true})
}

// leaveOut reports why a file is left out.
func (w *walk) leaveOut(path string, err error) {
	if err != nil && w.options.Warn != nil {
		w.options.Warn(fmt.Errorf("%w; it is not read", explain(path, err)))
	}
}

// IsPython reports whether a file has the name of a Python file or notebook.
func IsPython(name string) bool {
	return strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyw") || strings.HasSuffix(name, ".ipynb")
}

// join is filepath.Join for a clean folder and a plain name.
func join(folder, name string) string {
	if strings.HasSuffix(folder, string(filepath.Separator)) {
		return folder + name
	}
	return folder + string(filepath.Separator) + name
}

// shown is join without a leading "./".
func shown(folder, name string) string {
	if folder == "." {
		return name
	}
	return join(folder, name)
}

// IsExcluded reports whether a file, which need not exist, lies in an excluded folder.
func IsExcluded(path string) bool {
	absolute, err := filepath.Abs(path)
	return err == nil && excluded(absolute, false)
}

// excluded reports whether a named path lies in an excluded folder. Only names below the working
// folder count, or below the repository if the path lies elsewhere: a project checked out to
// ~/build is not excluded by that.
func excluded(absolute string, isFolder bool) bool {
	parent := filepath.Dir(absolute)
	base := parent
	if work, err := os.Getwd(); err == nil && project.IsBelow(absolute, work) {
		base = work
	} else if repository := project.Repository(project.Disk{}, parent); repository != "" {
		base = repository
	}
	names, err := filepath.Rel(base, absolute)
	if err != nil {
		return false
	}
	if !isFolder {
		names = filepath.Dir(names)
	}
	for name := range strings.SplitSeq(filepath.ToSlash(names), "/") {
		if slices.Contains(Excluded, name) {
			return true
		}
	}
	return false
}

// explain describes an error with a path.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission to read it is denied", path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
