package lsp

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A virtualModule is a Python file that cells of an open notebook write with %%writefile. It is a
// program of its own: it is analysed and published beside the notebook's.
type virtualModule struct {
	path    string // as the cells write it
	nth     int    // counts the modules that are written to the same path
	worker  *worker
	current *snapshot
}

// A program says which of a document's programs a snapshot shows.
type program struct {
	module *notebook.Module // nil for the document's own program
	// number counts the programs of a round, from 0 for the document's own, and of is how many
	// there are.
	number, of int
	round      uint64
	others     []*snapshot // all programs of the round, the document's own first
	overlay    *overlay    // nil if no cell may write a module
	publisher  *mergedPublisher
}

// moduleSnapshots returns a new snapshot of each module. The caller completes them.
func (d *document) moduleSnapshots(list []notebook.Module, lay func(*notebook.Module) layout) []*snapshot {
	var out []*snapshot
	for i := range list {
		m := &list[i]
		s := &snapshot{version: d.version, layout: lay(m), program: program{module: m}, analysis: newAnalysis()}
		s.source = m.Source
		out = append(out, s)
	}
	return out
}

// submitAll submits the newest version of each program. Modules come and go with the cells that
// write them.
func (d *document) submitAll(modules []*snapshot) {
	d.round++
	d.updateOverlay(modules)
	all := append([]*snapshot{d.current}, modules...)
	for i, s := range all {
		s.number, s.of, s.round, s.others, s.overlay, s.publisher = i, len(all), d.round, all, d.overlay, d.publisher
	}
	before := d.modules
	d.modules = nil
	nth := map[string]int{}
	for _, s := range modules {
		m := &virtualModule{path: s.module.Path, nth: nth[s.module.Path], current: s}
		nth[m.path]++
		if i := slices.IndexFunc(before, func(b *virtualModule) bool { return b.path == m.path && b.nth == m.nth }); i >= 0 {
			m.worker = before[i].worker
			before = slices.Delete(before, i, i+1)
		} else {
			m.worker = d.session.newWorker(d.path)
		}
		s.worker = m.worker
		d.modules = append(d.modules, m)
	}
	for _, m := range before {
		m.worker.close()
		d.worker.adopt(m.worker)
	}
	d.worker.submit(d.current)
	for _, m := range d.modules {
		m.worker.submit(m.current)
	}
}

// adopt takes over what a removed module published, so that the next version retracts it if its
// cells are gone too.
func (w *worker) adopt(gone *worker) {
	gone.mu.Lock()
	published := gone.published
	gone.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.published == nil {
		w.published = map[string][]protocol.Diagnostic{}
	}
	maps.Copy(w.published, published)
}

func (d *document) closeModules() {
	for _, m := range d.modules {
		m.worker.close()
	}
	d.modules = nil
}

// forget withdraws the current version without retracting its diagnostics: the caller does that
// for the whole document.
func (w *worker) forget() {
	w.drop()
	w.published, w.pulled = nil, nil // nothing is published until the next submit
}

// partOfOther reports whether another program has the part with this URI now.
func (s *snapshot) partOfOther(clientURI string) bool {
	return slices.ContainsFunc(s.others, func(o *snapshot) bool {
		return slices.ContainsFunc(o.parts, func(p part) bool { return p.uri == clientURI })
	})
}

// An overlay holds the modules that cells of a notebook write for each other to import. Nobody
// else can import them, so the notebook has a workspace of its own.
type overlay struct {
	workspace *project.Workspace
	texts     atomic.Pointer[map[string]string] // by absolute path

	syncing sync.Mutex // held during sync: each program of the notebook calls it
	synced  map[string]string
}

// updateOverlay records which modules can be imported.
func (d *document) updateOverlay(modules []*snapshot) {
	if d.session.workspace == nil || len(modules) == 0 && d.overlay == nil {
		return
	}
	if d.overlay == nil {
		d.overlay = &overlay{}
		d.overlay.workspace = d.session.newWorkspace(overlayFS{d.session.files(), d.overlay})
	}
	texts := map[string]string{}
	for _, s := range modules {
		if s.module.Imported {
			texts[modulePath(d.path, s.module)] = s.module.Text
		}
	}
	d.overlay.texts.Store(&texts)
}

// modulePath returns the absolute path of a module that the notebook writes.
func modulePath(notebook string, m *notebook.Module) string {
	at := filepath.FromSlash(m.Path)
	if !filepath.IsAbs(at) {
		at = filepath.Join(filepath.Dir(notebook), at)
	}
	return filepath.Clean(at)
}

// present returns the texts by path.
func (w *overlay) present() map[string]string { return *w.texts.Load() }

// overlayFS shows the modules that a notebook writes above all other files.
type overlayFS struct {
	below   project.FS
	overlay *overlay
}

func (f overlayFS) now() project.Files {
	return project.Files{Below: f.below, Texts: f.overlay.present()}
}

func (f overlayFS) Kind(path string) project.Kind     { return f.now().Kind(path) }
func (f overlayFS) Read(path string) (string, error)  { return f.now().Read(path) }
func (f overlayFS) Head(path string) (string, error)  { return f.now().Head(path) }
func (f overlayFS) Lines(path string) (string, error) { return f.now().Lines(path) }
func (f overlayFS) Real(path string) string           { return f.now().Real(path) }
func (f overlayFS) List(folder string, keep func(string) bool) ([]string, error) {
	return f.now().List(folder, keep)
}

// sync updates the workspace with the modules that changed. It needs to submit no program again,
// because each round analyses all programs of the notebook.
func (w *overlay) sync() {
	w.syncing.Lock()
	defer w.syncing.Unlock()
	now := w.present()
	paths := slices.Collect(maps.Keys(now))
	for path := range w.synced {
		if _, ok := now[path]; !ok {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		before, was := w.synced[path]
		if text, is := now[path]; text != before || is != was {
			w.workspace.Changed(path, func([]string) {})
		}
	}
	w.synced = now
}

// locate returns the location of a related place, which may lie in a module that a cell writes.
func (s *session) locate(snap *snapshot, r rule.Related) protocol.Location {
	enc := s.client.encoding
	if r.Source == nil {
		return snap.locationOf(r.Span, enc)
	}
	if snap.overlay != nil {
		path := snap.overlay.workspace.Absolute(r.Source.Path)
		for _, o := range snap.others {
			if m := o.module; m == nil || !m.Imported || modulePath(snap.source.Path, m) != path {
				continue
			} else if m.Text == r.Source.Text() {
				return o.locationOf(source.Span{Start: m.InSource(r.Span.Start), End: m.InSource(r.Span.End)}, enc)
			}
			return o.locationOf(source.Span{}, enc) // the module has changed since
		}
	}
	return protocol.Location{URI: s.uriOf(r.Source), Range: rangeIn(r.Source, r.Span, enc)}
}

// A mergedPublisher publishes the diagnostics of all programs in one part as one list.
type mergedPublisher struct {
	mu        sync.Mutex // each program has a worker that publishes
	round     uint64
	lists     map[int][]protocol.Diagnostic // of the round, by program number
	published []protocol.Diagnostic         // nil if nothing is published
}

// forget makes the next publication count as a change.
func (o *mergedPublisher) forget() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lists, o.published = nil, nil
}

// publish adds the diagnostics of one program to those of the others. It sends the list once all
// programs of the round have reported.
func (o *mergedPublisher) publish(w *worker, snap *snapshot, list []protocol.Diagnostic) (sent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if snap.round < o.round {
		return false
	}
	if snap.round > o.round || o.lists == nil {
		o.round, o.lists = snap.round, map[int][]protocol.Diagnostic{}
	}
	o.lists[snap.number] = list
	if len(o.lists) < snap.of {
		return false
	}
	all := []protocol.Diagnostic{}
	for i := range snap.of {
		all = append(all, o.lists[i]...)
	}
	if o.published != nil && reflect.DeepEqual(o.published, all) {
		return false
	}
	o.published = all
	p := &snap.parts[0]
	w.push(publication(p.uri, &p.version, all))
	return true
}

// notebooks returns the workspaces of the open notebooks that write modules, by the paths of the
// notebooks.
func (d *documents) notebooks() map[string]*project.Workspace {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out map[string]*project.Workspace
	for path, doc := range d.writers {
		if doc.overlay != nil {
			if out == nil {
				out = map[string]*project.Workspace{}
			}
			out[path] = doc.overlay.workspace
		}
	}
	return out
}

// eachNotebook calls update for the workspace of each notebook, and submits the notebook again if
// the update affects it.
func (s *session) eachNotebook(update func(path string, w *project.Workspace, affected func([]string))) {
	for path, w := range s.docs.notebooks() {
		update(path, w, func(affected []string) {
			if len(affected) > 0 {
				s.docs.analyseAgain(path)
			}
		})
	}
}
