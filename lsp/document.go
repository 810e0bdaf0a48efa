package lsp

import (
	"cmp"
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A document is an open text or an open notebook, in the client's newest version.
type document struct {
	path     string
	version  int32
	parts    []part // one, or the cells of a notebook
	notebook bool
	current  *snapshot
	// lost is set if an edit could not be applied. current then differs from the client's text
	// until the client sends the whole text or opens the notebook again.
	lost   bool
	worker *worker // nil if the language is not Python
	// raw is set if the document is the text of a notebook's file; unread says whether that text
	// is readable.
	raw       *rawNotebook
	unread    unread
	session   *session
	modules   []*virtualModule // the modules that its cells write, if it is a notebook
	overlay   *overlay         // the same modules for those who import them; nil if no cell ever wrote one
	round     uint64           // counts the analysed versions
	publisher *mergedPublisher // set if all its programs share one part
	// settings is set if the document is a settings file. worker is nil then.
	settings *settingsDocument
}

// A part is a text that the client edits and shows diagnostics for: a document, or a cell of a
// notebook. It is immutable.
type part struct {
	uri     string  // as the client writes it
	key     uri.URI // normalised
	version int32
	text    string
	// python is set if the part is analysed. Other cells of a notebook only count.
	python  bool
	failure *source.Failure // of the cell's last run, if the client tells of one
}

// A snapshot is one version of a document. It is immutable, except for the analysis, which is
// filled in later.
type snapshot struct {
	version int32
	layout
	worker  *worker  // of the document; nil if the language is not Python
	skipped []layout // the versions before it that nobody has read
	program
	analysis
}

// snapshots returns new snapshots of the document: its own program, and the modules that it
// writes.
func (d *document) snapshots() (own *snapshot, modules []*snapshot) {
	own = &snapshot{version: d.version, worker: d.worker, analysis: newAnalysis()}
	var written []notebook.Module
	var err error
	switch {
	case d.raw != nil:
		own.parts, own.raw = slices.Clone(d.parts), d.raw
		if written, err = d.raw.notebook.Modules(); err == nil {
			own.source, err = d.raw.notebook.Source()
		}
		modules = d.moduleSnapshots(written, func(m *notebook.Module) layout { return layout{parts: own.parts, raw: d.raw} })
	case d.notebook:
		var cells []notebook.Cell
		var parts []part
		for i, p := range d.parts {
			if p.python {
				parts = append(parts, p)
				cells = append(cells, notebook.Cell{Name: p.uri, Number: i + 1, Text: p.text, Failure: p.failure})
			}
		}
		if written, err = notebook.Modules(d.path, cells); err != nil {
			panic(err) // see below
		}
		modules = d.moduleSnapshots(written, func(m *notebook.Module) (l layout) {
			for _, i := range m.Cells {
				l.parts = append(l.parts, parts[i])
			}
			return l
		})
		var others []notebook.Cell
		for i, c := range cells {
			if !slices.ContainsFunc(written, func(m notebook.Module) bool { return slices.Contains(m.Cells, i) }) {
				own.parts, others = append(own.parts, parts[i]), append(others, c)
			}
		}
		own.source, err = notebook.Join(d.path, others)
	default:
		own.parts, own.source = slices.Clone(d.parts), source.New(d.path, d.parts[0].text)
		if d.publisher != nil {
			written, err = notebook.JoinedModules(d.path, d.parts[0].text)
		}
		modules = d.moduleSnapshots(written, func(m *notebook.Module) layout { return layout{parts: own.parts, bodies: m.Bodies} })
	}
	if err != nil {
		panic(err) // one package masks and joins the cells, and agrees with itself
	}
	return own, modules
}

// linesOf returns the line index of a part, which may be newer than the analysed version.
func linesOf(d *document, p part) *source.Lines {
	if i := d.current.part(p.key); i >= 0 && d.current.parts[i].text == p.text {
		return d.current.lines(i)
	}
	return source.NewLines(p.text)
}

// A change replaces the text between two positions, or all of it.
type change struct {
	whole      bool
	start, end source.Position
	text       string
}

// edited applies the changes one after the other: each refers to the text that the one before
// left. A position beyond its line means the end of the line; one beyond the text means the end
// of the text. Reversed positions are swapped.
func edited(lines *source.Lines, changes []change, enc source.Encoding) string {
	// An editor with many cursors sends its changes from the last to the first. A change that
	// ends before the previous one began means the same in the text before both. A run of such
	// changes needs one index and one copy.
	var run []source.Edit
	apply := func() string {
		text, err := source.Apply(lines.Text(), run)
		if err != nil {
			panic(err) // the run is in order, and within the text
		}
		run = nil
		return text
	}
	for _, c := range changes {
		if c.whole {
			lines, run = source.NewLines(c.text), nil
			continue
		}
		span := spanOf(lines, c.start, c.end, enc)
		if n := len(run); n > 0 && span.End >= run[n-1].Span.Start {
			lines = source.NewLines(apply())
			span = spanOf(lines, c.start, c.end, enc)
		}
		run = append(run, source.Edit{Span: span, New: c.text})
	}
	return apply()
}

// spanOf returns the bytes between two positions.
func spanOf(lines *source.Lines, a, b source.Position, enc source.Encoding) source.Span {
	start, end := offsetOf(lines, a, enc), offsetOf(lines, b, enc)
	return source.Span{Start: min(start, end), End: max(start, end)}
}

// offsetOf returns the byte at a position, or the nearest there is.
func offsetOf(lines *source.Lines, p source.Position, enc source.Encoding) int {
	offset, err := lines.Offset(p, enc)
	if err != nil {
		return len(lines.Text())
	}
	return offset
}

// set makes text the newest version of the document.
func (d *document) set(version int32, text string) {
	d.version = version
	d.parts[0].version, d.parts[0].text = version, text
	d.submit()
}

// lines returns the line index of a document that is not a notebook.
func (d *document) lines() *source.Lines {
	if d.raw != nil {
		return d.raw.lines
	}
	return d.current.lines(0)
}

// submit starts the analysis of the document in its current version.
func (d *document) submit() {
	d.lost = false
	if d.raw != nil && !d.readRaw() {
		return
	}
	own, modules := d.snapshots()
	d.current = own
	if d.worker != nil {
		d.submitAll(modules)
	}
	if d.settings != nil {
		d.settings.submit(d.current)
	}
}

// lose withdraws the current version: it is no longer what the client has.
func (d *document) lose() {
	if !d.lost {
		d.retract()
	}
	d.lost = true
}

// retract takes back the published diagnostics.
func (d *document) retract() {
	if d.worker != nil {
		for _, m := range d.modules {
			m.worker.forget()
		}
		d.publisher.forget()
		d.worker.retract(d.parts)
	}
	if d.settings != nil {
		d.settings.retract(d.parts[0])
	}
}

// close ends the analysis of the document.
func (d *document) close() {
	if d.worker != nil {
		d.worker.close()
	}
	d.closeModules()
	if d.settings != nil {
		d.settings.close()
	}
}

// documents holds the open documents by normalised URI, and notebooks by notebookKey: a notebook
// may be open as a text as well. Only the reading goroutine changes them, until end.
type documents struct {
	mu    sync.Mutex // requests, analyses and scans look documents up
	open  map[uri.URI]*document
	cells map[uri.URI]*document // the notebooks, by the URIs of their cells
	// writers holds the documents whose cells may write modules, by path.
	writers     map[string]*document
	python      map[string]uri.URI // the keys of the Python documents, by path
	clientURIs  *sync.Map          // the URIs of all but notebooks as the client writes them, by path
	ended       bool
	resubmitted func() // called with mu held when a document is submitted again
}

func newDocuments() documents {
	return documents{open: map[uri.URI]*document{}, cells: map[uri.URI]*document{}, writers: map[string]*document{}, python: map[string]uri.URI{}, clientURIs: new(sync.Map)}
}

// notebookKey returns the key under which documents holds a notebook.
func notebookKey(key uri.URI) uri.URI { return "notebook:" + key }

// with calls f with the document under the key, or nil, and keeps what f returns in its place.
func (d *documents) with(key uri.URI, f func(*document) *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return
	}
	old := d.open[key]
	var before []part
	if old != nil && old.notebook {
		before = slices.Clone(old.parts)
	}
	doc := f(old)
	for _, p := range before {
		delete(d.cells, p.key)
	}
	if old != nil && old != doc && d.python[old.path] == key {
		delete(d.python, old.path)
		delete(d.writers, old.path)
		d.clientURIs.Delete(old.path)
	}
	if doc == nil {
		delete(d.open, key)
		return
	}
	d.open[key] = doc
	if doc.worker != nil {
		d.python[doc.path] = key
		if doc.notebook || doc.publisher != nil {
			d.writers[doc.path] = doc
		} else {
			delete(d.writers, doc.path)
		}
		if !doc.notebook {
			d.clientURIs.Store(doc.path, doc.parts[0].uri)
		}
	}
	if doc.notebook {
		for _, p := range doc.parts {
			d.cells[p.key] = doc
		}
	}
}

// text returns the text of the open document at path, which replaces the file on disk: the last
// that its importers were told of. The caller may hold the lock of the workspace.
func (d *documents) text(path string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.open[d.python[path]]; doc != nil && !doc.lost && !doc.notebook && doc.raw == nil {
		return cmp.Or(doc.worker.imported.Load(), doc.current.source).Text(), true
	}
	return "", false
}

// openAt returns the text that is open at a path, whatever its language; nil if there is none, or if
// it is a notebook.
func (d *documents) openAt(path string) *part {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := cmp.Or(d.open[d.python[path]], d.open[uri.File(path)])
	if doc == nil || doc.lost || doc.notebook || doc.raw != nil {
		return nil
	}
	at := doc.parts[0]
	return &at
}

// clientURI returns the URI of the open document at path as the client writes it, or "". It takes
// no lock: publishing asks for it, and a document that closes waits for publishing.
func (d *documents) clientURI(path string) string {
	found, _ := d.clientURIs.Load(path)
	text, _ := found.(string)
	return text
}

// makeRoom frees the memory of older versions of a large document. If the text is too large to be
// analysed, it first waits for the worker to release them, which is quick.
func (d *documents) makeRoom(ctx context.Context, key uri.URI) {
	d.mu.Lock()
	doc := d.open[key]
	if doc == nil || doc.worker == nil || doc.current == nil || doc.current.size() <= largeText {
		d.mu.Unlock()
		return
	}
	current := doc.current
	d.mu.Unlock() // the worker may look documents up
	if len(current.source.Text()) > analyzer.MaxSize {
		_ = current.read.wait(ctx)
	}
	debug.FreeOSMemory()
}

// A view is the state of the document that a request names, at the moment of the request. It is
// the only way to get a snapshot.
type view struct {
	open         bool
	keepPrevious bool // the diagnostics of the version before still stand
	// snapshots holds the newest version of each program that has the part, modules first. It is
	// empty if no version matches the client's text.
	snapshots []*snapshot
	part      int       // index of the part in each snapshot; -1 for a whole notebook
	settings  *snapshot // of a settings file, which has no programs; else nil
}

// view returns the document under the key, or the notebook that has the cell. It has no snapshot
// if the key does not name Python: a Markdown cell, say, or a notebook without its notebookKey.
func (d *documents) view(key uri.URI) view {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := cmp.Or(d.open[key], d.cells[key], d.open[notebookKey(key)])
	if doc == nil {
		return view{}
	}
	v := view{open: true, part: -1}
	switch {
	case doc.lost:
		return v
	case doc.settings != nil:
		v.settings = doc.current
		return v
	case doc.worker == nil || doc.unread != readable:
		v.keepPrevious = doc.worker != nil && doc.unread == broken
		return v
	}
	for _, m := range doc.modules {
		v.snapshots = append(v.snapshots, m.current)
	}
	v.snapshots = append(v.snapshots, doc.current)
	if doc.notebook && doc == d.open[key] {
		return v
	}
	v.snapshots = slices.DeleteFunc(v.snapshots, func(s *snapshot) bool { return s.part(key) < 0 })
	if len(v.snapshots) > 0 {
		v.part = v.snapshots[0].part(key)
	}
	return v
}

// keyAt returns the key of the Python document or notebook that is open at a path, or "".
func (d *documents) keyAt(path string) uri.URI {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.python[path]
}

// programAt returns the program that contains a position, and the offset in it.
func (v view) programAt(p protocol.Position, enc source.Encoding) (snap *snapshot, at int, ok bool) {
	for _, snap := range v.snapshots {
		if at, ok := snap.offsetAt(v.part, p, enc); ok {
			return snap, at, true
		}
	}
	return nil, 0, false
}

// unlessEnded calls f unless the documents have ended. They cannot end during the call.
func (d *documents) unlessEnded(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended {
		f()
	}
}

// analyseAgain submits the documents at some paths again, because something besides their text
// has changed.
func (d *documents) analyseAgain(paths ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, path := range paths {
		if doc := d.open[d.python[path]]; doc != nil && !doc.lost {
			doc.submit()
			d.resubmitted()
		}
	}
}

// analyseAllAgain submits every document again.
func (d *documents) analyseAllAgain() {
	d.mu.Lock()
	paths := slices.Collect(maps.Keys(d.python))
	for _, doc := range d.open {
		if doc.settings != nil && !doc.lost {
			doc.submit() // a settings file may extend another
		}
	}
	d.mu.Unlock()
	d.analyseAgain(paths...)
}

// end closes all documents for good.
func (d *documents) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.open {
		doc.close()
	}
	d.open, d.cells, d.writers, d.python, d.ended = nil, nil, nil, nil, true
}
