package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// A place is where a module is found.
type place struct {
	path string // of the file, or of the folder of a namespace package
	kind Kind   // Nothing if it is not found
	// initial is set for a package's __init__.py.
	initial bool
}

// A root is a folder in which absolute imports are looked for.
type root struct {
	path string
	// libraries is set if a module of the folder may shadow an installed library, or a
	// module of the standard library, of the same name, because Python surely looks there
	// first.
	libraries bool
}

// libraries are names of libraries that are common names of folders as well: an example's folder
// called tensorflow is not TensorFlow.
var libraries = set(`tensorflow keras tf_keras tensorflow_datasets tensorflow_hub tensorflow_probability tensorflow_addons
	numpy scipy pandas torch jax flax absl horovod sklearn matplotlib cv2 PIL transformers datasets tqdm wandb
	abc argparse ast asyncio atexit base64 bisect builtins calendar codecs collections concurrent configparser contextlib copy csv
	ctypes dataclasses datetime decimal enum fractions functools gc glob gzip hashlib heapq importlib inspect io itertools json
	logging math multiprocessing operator os pathlib pickle platform pprint queue random re shutil signal site socket
	statistics string struct subprocess sys tempfile test textwrap threading time timeit token trace traceback types typing
	unittest urllib uuid warnings weakref xml zipfile`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// markers are files and folders at the top of a project.
var markers = []string{"pyproject.toml", "setup.py", "setup.cfg", ".git"}

// descriptions are files at the top of a project that was not cloned but unpacked: nothing else may
// mark it.
var descriptions = []string{"README.md", "README.rst", "README.txt", "README", "LICENSE", "requirements.txt", "environment.yml", "Pipfile"}

// maxClimb bounds the visited folders above a file, and maxParts the length of a dotted name.
const (
	maxClimb = 16
	maxParts = 32
)

// search lists the folders in which the modules of a folder look for absolute imports. They are
// in Python's order, as far as it is known without knowing which script is run: a script's own
// folder, the one that contains the outermost package, and the folders above up to the project's
// root, because a module runs with the path of the script that imports it. The list does not
// depend on the folder that tfmem runs in.
func (w *Workspace) search(folder string) []root {
	return once(w, w.searches, folder, w.rootsOf)
}

func (w *Workspace) rootsOf(folder string) []root {
	above, end := w.upward(folder)
	outermost := 0 // of the enclosing packages
	for outermost < len(above)-1 && w.isPackage(above[outermost]) {
		outermost++
	}
	end = max(end, outermost+1)
	var found roots
	for i, at := range above[:end] {
		marked := w.marked(at) || w.isTop(at)
		if i >= outermost {
			found.add(root{at, marked || i == 0})
		}
		if marked && w.Kind(filepath.Join(at, "src")) == Folder {
			found.add(root{filepath.Join(at, "src"), true})
		}
	}
	if outermost > 0 {
		// A script in a folder that is a package too.
		found.add(root{folder, false})
	}
	return found
}

// roots are folders in which imports are looked for, each of them once.
type roots []root

func (all *roots) add(r root) {
	if !slices.ContainsFunc(*all, func(o root) bool { return o.path == r.path }) {
		*all = append(*all, r)
	}
}

// upward returns a folder and those above it up to the repository, or up to maxClimb. The first
// own of them belong to the folder's project: up to the repository, or else to the last that
// looks like the top of a project, or else to the first that is described.
func (w *Workspace) upward(folder string) (above []string, own int) {
	described := 1
	for at := folder; len(above) < maxClimb; at = filepath.Dir(at) {
		above = append(above, at)
		if w.marked(at) || w.isTop(at) {
			own = len(above)
		}
		if described == 1 && w.described(at) {
			described = len(above)
		}
		if w.Kind(filepath.Join(at, ".git")) != Nothing || at == filepath.Dir(at) {
			break
		}
	}
	if own == 0 {
		own = described
	}
	return above, own
}

func (w *Workspace) described(folder string) bool {
	return slices.ContainsFunc(descriptions, func(d string) bool { return w.Kind(filepath.Join(folder, d)) == File })
}

func (w *Workspace) marked(folder string) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return w.Kind(filepath.Join(folder, m)) != Nothing })
}

func (w *Workspace) isPackage(folder string) bool {
	return w.Kind(filepath.Join(folder, "__init__.py")) == File
}

// locate finds what a module at a path means by a name, with the folders that it adds to sys.path.
// It finds nothing outside of the module's project.
func (w *Workspace) locate(path, name string, added []addition) place {
	p := w.find(path, name, added)
	if p.kind == Nothing {
		return p
	}
	if err := w.inside(path, p.path); err != nil {
		w.refuse(p.path, err)
		return place{}
	}
	return p
}

func (w *Workspace) find(path, name string, added []addition) place {
	folder := filepath.Dir(path)
	rest := strings.TrimLeft(name, ".")
	if dots := len(name) - len(rest); dots > 0 {
		for range min(dots-1, maxParts) {
			folder = filepath.Dir(folder)
		}
		if w.inside(path, folder) != nil {
			return place{} // beyond the top level, where Python raises ImportError
		}
		return w.below(folder, rest)
	}
	first, _, _ := strings.Cut(rest, ".")
	var namespace place
	for _, r := range w.searchWith(path, added) {
		if !r.libraries && libraries[first] {
			continue
		}
		switch p := w.below(r.path, first); {
		case p.kind == File && p.path == path && !p.initial, p.kind == Nothing:
			// A script does not import itself.
		case p.kind == Folder:
			// A folder without __init__.py counts only if nothing else has its name, including
			// installed libraries.
			if p = w.below(r.path, rest); p.kind != Nothing && namespace.kind == Nothing && !libraries[first] {
				namespace = p
			}
		case rest == first:
			return p
		default:
			return w.below(r.path, rest)
		}
	}
	if namespace.kind == Nothing && !libraries[first] {
		return w.belowCheckout(filepath.Dir(path), first, rest)
	}
	return namespace
}

// belowCheckout finds a dotted name whose first part is the project itself: a repository may be a
// package, which its scripts import from the folder above the checkout. That part alone is found
// nowhere: a folder of exercises may be named after the library that they import.
func (w *Workspace) belowCheckout(folder, first, rest string) place {
	above, _ := w.upward(folder)
	for _, at := range slices.Backward(above) {
		if w.marked(at) {
			if rest == first || !isCheckoutOf(filepath.Base(at), first) {
				return place{}
			}
			return w.below(at, strings.TrimPrefix(rest, first+"."))
		}
	}
	return place{}
}

// isCheckoutOf reports whether a folder is named after a package. Python wants the very name; those
// who publish a checkout, or download it as an archive, often have another spelling of it.
func isCheckoutOf(folder, name string) bool {
	for _, branch := range []string{"-master", "-main"} {
		folder = strings.TrimSuffix(folder, branch)
	}
	return strings.EqualFold(strings.ReplaceAll(folder, "-", "_"), name)
}

// below finds a dotted name in a folder, and the folder itself for the empty name. It finds no
// installed package: those of TensorFlow alone have 50 MB of text that import each other.
func (w *Workspace) below(folder, name string) place {
	if isInstalled(folder) {
		return place{}
	}
	if name == "" {
		return w.packageAt(folder)
	}
	parts := strings.SplitN(name, ".", maxParts+1)
	if len(parts) > maxParts {
		return place{}
	}
	for i, part := range parts {
		if part == "" {
			return place{}
		}
		folder = filepath.Join(folder, part)
		if p := w.packageAt(folder); i == len(parts)-1 {
			if file := folder + ".py"; !p.initial && w.Kind(file) == File {
				return place{path: file, kind: File}
			}
			return p
		} else if p.kind == Nothing {
			return place{}
		}
	}
	return place{}
}

func (w *Workspace) packageAt(folder string) place {
	if w.Kind(folder) != Folder {
		return place{}
	}
	if file := filepath.Join(folder, "__init__.py"); w.Kind(file) == File {
		return place{path: file, kind: File, initial: true}
	}
	return place{path: folder, kind: Folder}
}

// Kind returns the kind of a path. It asks the file system once.
func (w *Workspace) Kind(path string) Kind { return once(w, w.kinds, path, w.fs.Kind) }

// once returns what is known of a path, or what ask finds. The workspace is not locked meanwhile.
func once[T any](w *Workspace, known map[string]T, path string, ask func(path string) T) T {
	w.mu.Lock()
	found, ok := known[path]
	w.mu.Unlock()
	if !ok {
		found = ask(path)
		w.mu.Lock()
		known[path] = found
		w.mu.Unlock()
	}
	return found
}

// isInstalled reports whether a folder is, or lies in, one that pip or a Linux distribution installs
// packages in.
func isInstalled(folder string) bool {
	return slices.ContainsFunc([]string{"site-packages", "dist-packages"}, func(name string) bool {
		return slices.Contains(strings.Split(filepath.ToSlash(folder), "/"), name)
	})
}

// inside returns an error unless the file at path belongs to the project of the file at from: to
// the workspace, or to a folder in which its imports are looked for.
func (w *Workspace) inside(from, path string) error {
	var folders []string
	folder := filepath.Dir(from)
	for _, at := range []string{folder, w.real(folder)} { // a link to a folder may hide its repository
		for _, open := range *w.open.Load() {
			if IsBelow(at, open) || IsBelow(at, w.real(open)) {
				folders = append(folders, open)
			}
		}
		for _, r := range w.search(at) {
			folders = append(folders, r.path)
		}
	}
	return inside(w.real, path, folders)
}

// real returns a path without symbolic links. It asks the file system once.
func (w *Workspace) real(path string) string { return once(w, w.reals, path, w.fs.Real) }

// read returns the text of a file. It reports a file that exists and is not read.
func (w *Workspace) read(path string) (string, error) {
	text, err := w.fs.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.refuse(path, err)
	}
	return text, err
}

// refuse reports a file that is not read.
func (w *Workspace) refuse(path string, err error) {
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err
	}
	if w.Refused != nil {
		w.Refused(path, err)
	}
}
