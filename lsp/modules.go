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

// A module is a Python file that cells of an open notebook write: a program of its own,
// which is analysed and published beside the notebook's.
type module struct {
	path    string // as the cells have it
	nth     int    // of those that are written there
	worker  *worker
	current *snapshot
}

// A program is which of a document's programs a snapshot is of.
type program struct {
	module *notebook.Module // nil for its own
	// number is that of the program, 0 for the document's own, of so many, in a round.
	number, of int
	round      uint64
	others     []*snapshot // the modules, and the document's own program
	written    *written    // nil where it imports none of them
	outlet     *outlet
}

// ofModules are snapshots of what cells write, without what is not known yet.
func (d *document) ofModules(list []notebook.Module, lay func(*notebook.Module) layout) []*snapshot {
	var out []*snapshot
	for i := range list {
		m := &list[i]
		s := &snapshot{version: d.version, layout: lay(m), program: program{module: m}, analysis: newAnalysis()}
		s.source = m.Source
		out = append(out, s)
	}
	return out
}

// submitAll has the present version analysed: a program each. Modules come and go with
// the cells that write them.
func (d *document) submitAll(modules []*snapshot) {
	d.round++
	d.write(modules)
	all := append([]*snapshot{d.current}, modules...)
	for i, s := range all {
		s.number, s.of, s.round, s.others, s.written, s.outlet = i, len(all), d.round, all, d.written, d.outlet
	}
	before := d.modules
	d.modules = nil
	nth := map[string]int{}
	for _, s := range modules {
		m := &module{path: s.module.Path, nth: nth[s.module.Path], current: s}
		nth[m.path]++
		if i := slices.IndexFunc(before, func(b *module) bool { return b.path == m.path && b.nth == m.nth }); i >= 0 {
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

// adopt has what was published of a module that is gone taken back where its cells are
// gone too, with the next version.
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

// closeModules ends the analysis of the modules.
func (d *document) closeModules() {
	for _, m := range d.modules {
		m.worker.close()
	}
	d.modules = nil
}

// forget supersedes the present version by none, as retract does, of a program whose
// document takes back what was published.
func (w *worker) forget() {
	w.drop()
	w.published, w.given = nil, nil // nobody publishes until the next submit
}

// isOfAnother tells whether a part that a program no longer has is of another one now.
func (s *snapshot) isOfAnother(spelt string) bool {
	return slices.ContainsFunc(s.others, func(o *snapshot) bool {
		return slices.ContainsFunc(o.parts, func(p part) bool { return p.uri == spelt })
	})
}

// A written is what the cells of a notebook write for each other to import: for nobody
// else, which is why they have a workspace of their own.
type written struct {
	workspace *project.Workspace
	texts     atomic.Pointer[map[string]string] // by absolute path

	turn sync.Mutex // of the notebook's programs, which tell the workspace
	told map[string]string
}

// write notes what modules are there to be imported.
func (d *document) write(modules []*snapshot) {
	if d.session.workspace == nil || len(modules) == 0 && d.written == nil {
		return
	}
	if d.written == nil {
		d.written = &written{}
		d.written.workspace = d.session.newWorkspace(writtenFiles{d.session.files(), d.written})
	}
	texts := map[string]string{}
	for _, s := range modules {
		if s.module.Imported {
			texts[writtenAt(d.path, s.module)] = s.module.Text
		}
	}
	d.written.texts.Store(&texts)
}

// writtenAt is where a module is, for those who import it.
func writtenAt(notebook string, m *notebook.Module) string {
	at := filepath.FromSlash(m.Path)
	if !filepath.IsAbs(at) {
		at = filepath.Join(filepath.Dir(notebook), at)
	}
	return filepath.Clean(at)
}

// present are the texts by their paths.
func (w *written) present() map[string]string { return *w.texts.Load() }

// writtenFiles are the files that a notebook's programs see: those that it writes, above
// all others.
type writtenFiles struct {
	below   project.FS
	written *written
}

func (f writtenFiles) now() project.Files {
	return project.Files{Below: f.below, Texts: f.written.present()}
}

func (f writtenFiles) Kind(path string) project.Kind    { return f.now().Kind(path) }
func (f writtenFiles) Read(path string) (string, error) { return f.now().Read(path) }
func (f writtenFiles) Real(path string) string          { return f.now().Real(path) }
func (f writtenFiles) List(folder string, keep func(string) bool) ([]string, error) {
	return f.now().List(folder, keep)
}

// tell tells the workspace of what was written anew, before a program is analysed in it.
// All of the notebook's are analysed in each round, so that none need be told to.
func (w *written) tell() {
	w.turn.Lock()
	defer w.turn.Unlock()
	now := w.present()
	paths := slices.Collect(maps.Keys(now))
	for path := range w.told {
		if _, ok := now[path]; !ok {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		before, was := w.told[path]
		if text, is := now[path]; text != before || is != was {
			w.workspace.Changed(path, func([]string) {})
		}
	}
	w.told = now
}

// locate is where a related place of a finding is, which may be in what a cell writes.
func (s *session) locate(snap *snapshot, r rule.Related) protocol.Location {
	enc := s.client.encoding
	if r.Source == nil {
		return snap.locationOf(r.Span, enc)
	}
	if snap.written != nil {
		path := snap.written.workspace.Absolute(r.Source.Path)
		for _, o := range snap.others {
			if m := o.module; m == nil || !m.Imported || writtenAt(snap.source.Path, m) != path {
				continue
			} else if m.Text == r.Source.Text() {
				return o.locationOf(source.Span{Start: m.InSource(r.Span.Start), End: m.InSource(r.Span.End)}, enc)
			}
			return o.locationOf(source.Span{}, enc) // another version of it
		}
	}
	return protocol.Location{URI: s.uriOf(r.Source), Range: rangeIn(r.Source, r.Span, enc)}
}

// An outlet publishes what the programs of one part find, together.
type outlet struct {
	mu        sync.Mutex // each program has a worker that publishes
	round     uint64
	lists     map[int][]protocol.Diagnostic // of the round, by the programs' numbers
	published []protocol.Diagnostic         // nil where nothing is
}

// forget has the next publication be sent whatever it says.
func (o *outlet) forget() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lists, o.published = nil, nil
}

// publish adds what one program finds in a version to what the others do, and sends it
// once all have found something.
func (o *outlet) publish(w *worker, snap *snapshot, list []protocol.Diagnostic) (sent bool) {
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

// notebooks are the workspaces of the open notebooks that write modules, by the
// notebooks' paths.
func (d *documents) notebooks() map[string]*project.Workspace {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out map[string]*project.Workspace
	for path, doc := range d.write {
		if doc.written != nil {
			if out == nil {
				out = map[string]*project.Workspace{}
			}
			out[path] = doc.written.workspace
		}
	}
	return out
}

// eachNotebook has the workspaces of notebooks learn what that of the session did, and
// those analysed again which that concerns.
func (s *session) eachNotebook(learn func(path string, w *project.Workspace, affected func([]string))) {
	for path, w := range s.docs.notebooks() {
		learn(path, w, func(affected []string) {
			if len(affected) > 0 {
				s.docs.analyseAgain(path)
			}
		})
	}
}
