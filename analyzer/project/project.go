// Package project finds the modules of one program, and resolves imports between them as
// Python does. It implements [names.Importer].
//
// Below the rules, only its [FS] reads files. A module is read once, and no further than an
// importer asks for; other files are read if a program opens them for its settings. The
// standard library and installed packages are never read: a name that resolves to no file
// of the project is not part of the program.
package project

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Workspace holds the modules that files import. It may be used by many
// goroutines: the methods say which of them need [Workspace.Lock].
type Workspace struct {
	// Refused, which may be nil, is called with each file that a program refers to and that is
	// not read, and with the reason. The file is outside the project, not regular, too large,
	// takes too long to parse, imports too much, or cannot be read. Set it before the workspace
	// is used. Many goroutines call it, more than once for a file.
	Refused func(path string, why error)
	// Imported, which may be nil, is called with each module that a file or a module imports, as far as
	// the analysis follows it, by their paths, more than once; with the module's tree, or with nil where
	// only the lines of its imports are read. by is "" where the text counts for files of the project that
	// may not import it. Many goroutines call it.
	Imported func(by, module string, tree *syntax.Tree)
	// Watch, which may be nil, is called with each folder whose files a program counts: those that
	// appear and disappear there concern it, whatever they are. As with Refused.
	Watch func(folder string)

	fs   FS
	dir  string
	open atomic.Pointer[[]string] // folders

	// turn is held while facts are computed that need more than one module.
	turn      sync.Mutex
	account   *account.Account   // of the use that holds turn
	modules   map[string]*module // by real path
	links     map[string]*module // by the paths at which they are found
	homes     map[*syntax.Tree]*module
	summaries *flow.Summaries
	signs     map[*names.Info]syntax.Node // of Keras 2
	uses      int                         // uses in progress
	replaced  []*module                   // modules that changed during a use

	mu       sync.Mutex // guards the fields below; held only briefly
	kinds    map[string]Kind
	reals    map[string]string // paths without symbolic links
	searches map[string][]root
	kept     int                           // bytes of texts
	texts    map[string]*text              // by real path
	roots    map[string]*importer          // of files under analysis, by path
	lookers  map[string]map[*importer]bool // who has looked for a module, by each part of its name
	data     map[string]*datum             // files other than modules that programs have looked for, by path
	epochs   map[string]uint64             // how often the facts of a file became stale, by path
	counts   Counts

	versions versions

	graphMu sync.Mutex // guards graph
	graph   importGraph
}

// Counts are what a workspace has done.
type Counts struct {
	Read     int // files
	Parsed   int // texts
	Bytes    int // of these
	Resolved int // resolved modules, counted again after a change
}

// A module is an imported file.
type module struct {
	path      string
	info      *names.Info // nil if it cannot be read
	source    *source.Source
	importer  *importer
	links     []string        // the paths at which it was found
	importers map[string]bool // paths of the modules and files whose facts depend on it
}

// A text is a parsed text.
type text struct {
	mu   sync.Mutex
	tree *syntax.Tree
}

// New returns a workspace of the files in fs. Relative paths are relative to dir, and paths below
// dir are shown so; if dir is empty, paths are shown in full. open are the folders open in an
// editor. What lies below one of them, or below dir if there are none, is one project, or a part
// of one. A file in an open folder may import anything in that folder, beyond its repository too.
// All are absolute.
func New(fs FS, dir string, open ...string) *Workspace {
	w := &Workspace{
		fs: fs, dir: dir, account: &account.Account{},
		modules: map[string]*module{}, links: map[string]*module{}, homes: map[*syntax.Tree]*module{}, summaries: flow.NewSummaries(), signs: map[*names.Info]syntax.Node{},
		kinds: map[string]Kind{}, reals: map[string]string{}, searches: map[string][]root{}, texts: map[string]*text{}, roots: map[string]*importer{}, lookers: map[string]map[*importer]bool{},
		data: map[string]*datum{}, epochs: map[string]uint64{},
	}
	w.open.Store(&open)
	return w
}

// isTop reports whether the files below a folder are one project even without a marker file.
func (w *Workspace) isTop(folder string) bool {
	tops := *w.open.Load()
	if len(tops) == 0 && w.dir != "" {
		tops = []string{w.dir}
	}
	return slices.ContainsFunc(tops, func(t string) bool { return t == folder || w.real(t) == folder })
}

// With returns a separate workspace in which texts replace the files at some paths: what one
// notebook writes is for that notebook alone.
func (w *Workspace) With(texts map[string]string) *Workspace {
	at := make(map[string]string, len(texts))
	for path, text := range texts {
		at[w.Absolute(path)] = text
	}
	out := New(Files{Below: w.fs, Texts: at}, w.dir, *w.open.Load()...)
	out.Refused, out.Imported, out.Watch = w.Refused, w.Imported, w.Watch
	return out
}

// Lock keeps other goroutines from asking for facts of several modules until the returned
// function is called.
func (w *Workspace) Lock() (unlock func()) {
	Use{w, &account.Account{}}.lock()
	return w.turn.Unlock
}

// A Use is work on facts of several modules that others may interrupt between two steps.
type Use struct {
	w       *Workspace
	account *account.Account
}

// Use takes the lock until the use ends. Queries about the modules charge the account. If a module
// changes meanwhile, queries about its code are answered from the old text until then.
func (w *Workspace) Use(charged *account.Account) Use {
	u := Use{w, charged}
	u.lock()
	w.uses++
	return u
}

func (u Use) lock() {
	u.w.turn.Lock()
	u.w.account = u.account
}

// Yield lets others take the lock and change the workspace.
func (u Use) Yield() {
	u.w.turn.Unlock()
	u.lock()
}

// End releases the lock.
func (u Use) End() {
	w := u.w
	defer w.turn.Unlock()
	if w.uses--; w.uses > 0 {
		return
	}
	for _, m := range w.replaced {
		// A module with the same text, whose imports changed, has the same tree.
		if w.homes[m.info.Tree] == m {
			delete(w.homes, m.info.Tree)
		}
	}
	w.replaced = nil
}

// Counts returns what has been done so far.
func (w *Workspace) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts
}

func (w *Workspace) count(of *int) {
	w.mu.Lock()
	*of++
	w.mu.Unlock()
}

// Absolute returns the path under which a module is known, given that path or its shown form.
func (w *Workspace) Absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.dir, path)
	}
	return filepath.Clean(path)
}

// shown returns a path for people.
func (w *Workspace) shown(path string) string {
	if rel, err := filepath.Rel(w.dir, path); w.dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return rel
	}
	return path
}

// Tree parses the text of a file, once for all callers: a file that is checked and imported is
// parsed for one of the two. It needs no lock.
func (w *Workspace) Tree(path, content string) *syntax.Tree {
	path = w.Absolute(path)
	w.mu.Lock()
	t := w.texts[path]
	if t == nil {
		t = &text{}
		w.texts[path] = t
	}
	w.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tree != nil && t.tree.Text() == content {
		return t.tree
	}
	tree := syntax.Parse(content)
	w.mu.Lock()
	w.counts.Parsed++
	w.counts.Bytes += len(content)
	w.mu.Unlock()
	w.replace(t, tree)
	return tree
}

// keep stores the tree for the next request for the file at path, given its real path.
func (w *Workspace) keep(path string, tree *syntax.Tree) {
	w.mu.Lock()
	t := w.texts[path]
	w.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w.replace(t, tree)
}

// replace keeps a tree instead of the previous one, if there is room.
func (w *Workspace) replace(t *text, tree *syntax.Tree) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.tree != nil {
		w.kept -= len(t.tree.Text())
		t.tree = nil
	}
	if size := len(tree.Text()); w.kept+size <= maxKept {
		t.tree = tree
		w.kept += size
	}
}

// maxKept bounds the bytes of texts with trees that are kept in case they are imported. A tree
// takes some ten times as much memory. Trees of imported modules are always kept.
const maxKept = 16 << 20

// Resolve finds the names of a file under analysis. They belong to that file alone: no module
// that is imported elsewhere sees them. It needs no lock, but further queries on the names do, if
// [names.Info.Connected].
func (w *Workspace) Resolve(path string, tree *syntax.Tree) *names.Info {
	path = w.Absolute(path)
	i := &importer{w: w, path: path, key: path}
	info := i.resolve(tree)
	w.mu.Lock()
	before := w.roots[path]
	w.roots[path] = i
	w.mu.Unlock()
	before.retire()
	return info
}

// Epoch counts how often the facts of the file at path became stale because a module that they
// may depend on changed. Facts of different epochs must not be mixed. It changes only while the
// lock is held.
func (w *Workspace) Epoch(path string) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.epochs[w.Absolute(path)]
}

// Flow follows a module that Resolve returned the names of, for the library's versions. It needs
// the lock.
func (w *Workspace) Flow(module *flow.Edited, library effects.Library) *flow.Program {
	return w.summaries.OfEdited(module, library)
}

// SignOfKeras2 is [releases.SignOfKeras2] of an imported module, found once. It needs the lock.
func (w *Workspace) SignOfKeras2(module *names.Info) syntax.Node {
	sign, known := w.signs[module]
	if !known {
		sign = releases.SignOfKeras2(module)
		w.signs[module] = sign
	}
	return sign
}

// Source returns the text of the imported module that a tree belongs to, or nil. It needs the
// lock.
func (w *Workspace) Source(tree *syntax.Tree) *source.Source {
	if m := w.homes[tree]; m != nil {
		return m.source
	}
	return nil
}

// module reads the file at path, unless it was read before.
func (w *Workspace) module(path string, kind Kind) *module {
	if m := w.links[path]; m != nil {
		return m
	}
	real := w.fs.Real(path)
	if m := w.modules[real]; m != nil {
		w.link(path, m)
		return m
	}
	m := &module{path: real, importers: map[string]bool{}, importer: &importer{w: w, path: real, key: real}}
	w.modules[real] = m
	w.link(path, m)
	var tree *syntax.Tree
	if kind == Folder {
		m.importer.path = filepath.Join(real, "__init__.py") // as if there were one
		tree = syntax.Parse("")
	} else {
		content, err := w.read(real)
		w.count(&w.counts.Read)
		if err != nil {
			return m
		}
		if tree = w.Tree(real, content); tree.GaveUp() != "" {
			w.refuse(real, errors.New(tree.GaveUp()))
			return m
		}
		m.source = source.New(w.shown(real), content)
	}
	info := m.importer.resolve(tree)
	if len(info.Modules()) > mostImports {
		w.refuse(real, fmt.Errorf("it imports more than %d modules", mostImports))
		return m
	}
	m.info = info
	m.info.Shared, m.info.Namespace = true, kind == Folder
	w.homes[tree] = m
	return m
}

// mostImports bounds the modules that one module imports, and with them the cost of a
// project's imports: a thousand modules that import one another make a million imports of
// 1.5 kB each. The largest number in a public module is 353 (transformers/__init__.py).
const mostImports = 1000

// link records that a module is found at a path.
func (w *Workspace) link(path string, m *module) {
	w.links[path] = m
	m.links = append(m.links, path)
}

// Find returns the module that a name of an import means in a file, or nil. It takes the lock
// itself.
func (w *Workspace) Find(path, name string) *names.Info {
	defer w.Lock()()
	i := &importer{w: w, path: w.Absolute(path), retired: true}
	if content, err := w.fs.Read(i.path); err == nil {
		i.added = w.additions(i.path, content, nil)
	}
	return i.Import(name)
}

// Modules returns the sorted paths of the modules that the facts of the file at path depend on,
// directly or not. It takes the lock itself.
func (w *Workspace) Modules(path string) []string {
	defer w.Lock()()
	found := map[string]bool{}
	queue := []string{w.Absolute(path)}
	for len(queue) > 0 {
		importer := queue[0]
		queue = queue[1:]
		for p, m := range w.modules {
			if m.importers[importer] && !found[p] {
				found[p] = true
				queue = append(queue, p)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// An importer finds modules by the names that one module uses.
type importer struct {
	w    *Workspace
	path string
	key  string // the path of that module, or of that file under analysis
	// added are the folders that the module adds to sys.path.
	added []addition

	mu      sync.Mutex
	found   map[string]place
	retired bool // its lookups are not recorded any more
}

// resolve finds the names of the module itself.
func (i *importer) resolve(tree *syntax.Tree) *names.Info {
	i.added = additions(tree)
	info := names.Resolve(tree, effects.Library{}, i)
	info.Path, info.Package = i.path, filepath.Base(i.path) == "__init__.py"
	i.w.count(&i.w.counts.Resolved)
	return info
}

func (i *importer) locate(name string) place {
	i.mu.Lock()
	defer i.mu.Unlock()
	p, ok := i.found[name]
	if !ok {
		p = i.w.locate(i.path, name, i.added)
		if i.found == nil {
			i.found = map[string]place{}
		}
		i.found[name] = p
		if !i.retired {
			i.w.looks(i, name)
		}
	}
	return p
}

// looks records that an importer has looked for a module.
func (w *Workspace) looks(i *importer, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for part := range strings.SplitSeq(name, ".") {
		if w.lookers[part] == nil {
			w.lookers[part] = map[*importer]bool{}
		}
		w.lookers[part][i] = true
	}
}

// retire forgets the lookups of an importer, which may be nil, because another one replaces it.
func (i *importer) retire() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.retired = true
	i.w.mu.Lock()
	defer i.w.mu.Unlock()
	for name := range i.found {
		for part := range strings.SplitSeq(name, ".") {
			if delete(i.w.lookers[part], i); len(i.w.lookers[part]) == 0 {
				delete(i.w.lookers, part)
			}
		}
	}
}

// Has implements [names.Importer].
func (i *importer) Has(name string) bool { return i.locate(name).kind != Nothing }

// Import implements [names.Importer].
func (i *importer) Import(name string) *names.Info {
	p := i.locate(name)
	if p.kind == Nothing {
		return nil
	}
	m := i.w.module(p.path, p.kind)
	if m.importers[i.path] = true; i.w.Imported != nil {
		var tree *syntax.Tree
		if m.info != nil {
			tree = m.info.Tree
		}
		i.w.Imported(i.key, m.path, tree)
	}
	return m.info
}

// Account implements [names.Importer].
func (i *importer) Account() *account.Account { return i.w.account }

// Home implements [names.Importer].
func (i *importer) Home(tree *syntax.Tree) *names.Info {
	if m := i.w.homes[tree]; m != nil {
		return m.info
	}
	return nil
}
