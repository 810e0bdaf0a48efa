package project

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Edited tells the workspace that an existing file at path has a new text, with its tree if it is
// parsed already. It calls affected with the sorted paths of the files that import the file,
// directly or not, because their facts may have changed. The lock is still held then, so that no
// query is answered in between. It takes the lock itself.
func (w *Workspace) Edited(path, content string, parsed *syntax.Tree, affected func(paths []string)) {
	defer w.Lock()()
	path = w.Absolute(path)
	all := map[string]bool{}
	w.importsChanged(path, content, parsed, all)
	if m := w.links[path]; m != nil && m.info != nil && m.info.Tree.Text() != content {
		if parsed != nil {
			w.keep(m.path, parsed)
		}
		all[m.path] = true
		w.stale(all)
		delete(all, m.path)
	}
	if len(all) > 0 {
		affected(slices.Sorted(maps.Keys(all)))
	}
}

// Changed tells the workspace that the file at path was created, edited or deleted. It calls
// affected as Edited does, also with the file itself and with files that have looked for it. It
// does not call affected if the text is the same. It takes the lock itself.
func (w *Workspace) Changed(path string, affected func(paths []string)) {
	defer w.Lock()()
	path = w.Absolute(path)

	w.mu.Lock()
	before, known := w.kinds[path]
	w.mu.Unlock()
	now := w.fs.Kind(path)
	m := w.links[path]
	if m == nil {
		m = w.modules[w.fs.Real(path)]
	}
	if known && before == now && now == File && m != nil && m.info != nil {
		if content, err := w.fs.Read(path); err == nil && content == m.info.Tree.Text() {
			return
		}
	}
	all := map[string]bool{path: true}
	if m != nil {
		all[m.path] = true
	}
	w.restated(path, all)
	w.readBy(path, all)
	if !known || before != now {
		w.appeared(path, all)
	}
	w.forgetImports(all)
	w.stale(all)
	if m != nil && m.path != path {
		delete(all, m.path)
	}
	affected(slices.Sorted(maps.Keys(all)))
}

// Bound tells the workspace that other folders are open in the editor now. It takes the lock
// itself and calls open with it, so that the last answer of two concurrent calls counts. It
// forgets all facts, as Reread does.
func (w *Workspace) Bound(open func() []string) {
	defer w.Lock()()
	now := open()
	w.open.Store(&now)
	w.reread(func([]string) {})
}

// Reread tells the workspace that any file may have changed, and calls affected as Edited does.
// It takes the lock itself.
func (w *Workspace) Reread(affected func(paths []string)) {
	defer w.Lock()()
	w.reread(affected)
}

func (w *Workspace) reread(affected func(paths []string)) {
	all := map[string]bool{}
	for p := range w.modules {
		all[p] = true
	}
	w.mu.Lock()
	for p := range w.roots {
		all[p] = true
	}
	clear(w.kinds)
	clear(w.reals)
	clear(w.searches)
	clear(w.data)
	w.mu.Unlock()
	w.versions.forget()
	w.forgetImports(all)
	w.stale(all)
	affected(slices.Sorted(maps.Keys(all)))
}

// stale adds the dependents of affected files, and drops the facts of all of them.
func (w *Workspace) stale(affected map[string]bool) {
	w.spread(affected)
	for p := range affected {
		w.forget(p)
	}
}

// appeared adds the files that have looked for a module of this name, or for the folder that it
// makes a package.
func (w *Workspace) appeared(path string, affected map[string]bool) {
	names := []string{strings.TrimSuffix(filepath.Base(path), ".py")}
	if names[0] == "__init__" {
		// A relative name begins with a dot, and nothing precedes the dot.
		names = append(names, filepath.Base(filepath.Dir(path)), "")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		for i := range w.lookers[name] {
			affected[i.key] = true
		}
	}
	clear(w.kinds)
	clear(w.reals)
	clear(w.searches)
}

// spread adds the dependents of affected files.
func (w *Workspace) spread(affected map[string]bool) {
	var queue []string
	for p := range affected {
		queue = append(queue, p)
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		m := w.modules[p]
		if m == nil {
			continue
		}
		for importer := range m.importers {
			if !affected[importer] {
				affected[importer] = true
				queue = append(queue, importer)
			}
		}
	}
}

// forget drops the facts of a file. Its tree stays: it may not have changed.
func (w *Workspace) forget(path string) {
	m := w.modules[path]
	w.mu.Lock()
	root := w.roots[path]
	delete(w.roots, path)
	w.epochs[path]++
	w.mu.Unlock()
	root.retire()
	if m == nil {
		return
	}
	m.importer.retire()
	delete(w.modules, path)
	for _, p := range m.links {
		if w.links[p] == m {
			delete(w.links, p)
		}
	}
	if m.info != nil {
		if w.uses > 0 {
			w.replaced = append(w.replaced, m)
		} else {
			delete(w.homes, m.info.Tree)
		}
		w.summaries.Forget(m.info)
		delete(w.signs, m.info)
	}
}
