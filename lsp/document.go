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

// A document is an open text, or an open notebook, as the client has it.
type document struct {
	path     string
	version  int32
	parts    []part // one, or the cells of a notebook
	notebook bool
	current  *snapshot
	// lost is set where a change could not be made, so that current is not what
	// the client has, until it sends the whole text or opens the notebook again.
	lost   bool
	worker *worker // nil where the language is not Python
	// listing is set where it is the text of a notebook's file, and unread where that
	// is none at present.
	listing *listing
	unread  unread
	session *session
	modules []*module // that its cells write, if it is a notebook
	written *written  // the same for those who import them; nil where nobody ever could
	round   uint64    // counts the versions that are analysed
	outlet  *outlet   // where all its programs are of one part; else nil
	// settings is set where it is a settings file, and worker is not.
	settings *settingsDocument
}

// A part is what is edited, and published, by itself: a document's text or a
// cell of a notebook. It is immutable.
type part struct {
	uri     string  // as the client spells it
	key     uri.URI // normalised
	version int32
	text    string
	// python is set where it is read; a notebook's other cells only count.
	python bool
}

// A snapshot is one version of a document. It is immutable, but for its
// analysis, which comes later.
type snapshot struct {
	version int32
	layout
	worker *worker // of the document, nil where the language is not Python
	program
	analysis
}

// snapshots are the document as it is now: its own program, and the modules that it
// writes.
func (d *document) snapshots() (own *snapshot, modules []*snapshot) {
	own = &snapshot{version: d.version, worker: d.worker, analysis: newAnalysis()}
	var written []notebook.Module
	var err error
	switch {
	case d.listing != nil:
		own.parts, own.listing = slices.Clone(d.parts), d.listing
		if written, err = d.listing.notebook.Modules(); err == nil {
			own.source, err = d.listing.notebook.Source()
		}
		modules = d.ofModules(written, func(m *notebook.Module) layout { return layout{parts: own.parts, listing: d.listing} })
	case d.notebook:
		var cells []notebook.Cell
		var parts []part
		for i, p := range d.parts {
			if p.python {
				parts = append(parts, p)
				cells = append(cells, notebook.Cell{Name: p.uri, Number: i + 1, Text: p.text})
			}
		}
		if written, err = notebook.Modules(d.path, cells); err != nil {
			panic(err) // as below
		}
		modules = d.ofModules(written, func(m *notebook.Module) (l layout) {
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
		if d.outlet != nil {
			written, err = notebook.JoinedModules(d.path, d.parts[0].text)
		}
		modules = d.ofModules(written, func(m *notebook.Module) layout { return layout{parts: own.parts, bodies: m.Bodies} })
	}
	if err != nil {
		panic(err) // cells are masked and joined by one package, which agrees with itself
	}
	return own, modules
}

// linesOf is the line index of a part of a document, which may not be the one that
// was analysed.
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

// edited is the text after the changes, each of which counts in the text that
// the one before left. A position beyond its line is the line's end, one beyond
// the text is the text's end, and two that are reversed are taken as meant.
func edited(lines *source.Lines, changes []change, enc source.Encoding) string {
	// An editor with many cursors sends its changes from the last to the first.
	// A change that ends before the one before it began means the same in the
	// text before both, so that such a run needs one index and one copy.
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

// spanOf is the bytes between two positions.
func spanOf(lines *source.Lines, a, b source.Position, enc source.Encoding) source.Span {
	start, end := offsetOf(lines, a, enc), offsetOf(lines, b, enc)
	return source.Span{Start: min(start, end), End: max(start, end)}
}

// offsetOf is the byte at a position, or the nearest there is.
func offsetOf(lines *source.Lines, p source.Position, enc source.Encoding) int {
	offset, err := lines.Offset(p, enc)
	if err != nil {
		return len(lines.Text())
	}
	return offset
}

// set makes a text the document's present version.
func (d *document) set(version int32, text string) {
	d.version = version
	d.parts[0].version, d.parts[0].text = version, text
	d.submit()
}

// lines is the line index of a document that is no notebook.
func (d *document) lines() *source.Lines {
	if d.listing != nil {
		return d.listing.lines
	}
	return d.current.lines(0)
}

// submit has the document, as it is now, analysed.
func (d *document) submit() {
	d.lost = false
	if d.listing != nil && !d.list() {
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

// lose gives the present version up: it is no longer what the client has.
func (d *document) lose() {
	if !d.lost {
		d.retract()
	}
	d.lost = true
}

// retract takes back what was published.
func (d *document) retract() {
	if d.worker != nil {
		for _, m := range d.modules {
			m.worker.forget()
		}
		d.outlet.forget()
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

// documents are the open documents by their normalised URIs, notebooks by theirs as
// notebookKey has it: one may be open as a text as well. Only the goroutine
// that reads changes them, until the one that ends the server does.
type documents struct {
	mu    sync.Mutex // requests that are answered aside, analyses and scans look documents up
	open  map[uri.URI]*document
	cells map[uri.URI]*document // the notebooks, by the URIs of their cells
	// write are those whose cells may write modules, by path.
	write  map[string]*document
	python map[string]uri.URI // the keys of those in Python, by path
	spelt  *sync.Map          // the URIs of those that are no notebooks as the client writes them, by path
	ended  bool
	again  func() // told that one is analysed anew, with mu held
}

func newDocuments() documents {
	return documents{open: map[uri.URI]*document{}, cells: map[uri.URI]*document{}, write: map[string]*document{}, python: map[string]uri.URI{}, spelt: new(sync.Map)}
}

// notebookKey is the key of a notebook.
func notebookKey(key uri.URI) uri.URI { return "notebook:" + key }

// with calls f with the document that is open under the key, or nil, and keeps
// what f returns in its place.
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
		delete(d.write, old.path)
		d.spelt.Delete(old.path)
	}
	if doc == nil {
		delete(d.open, key)
		return
	}
	d.open[key] = doc
	if doc.worker != nil {
		d.python[doc.path] = key
		if doc.notebook || doc.outlet != nil {
			d.write[doc.path] = doc
		} else {
			delete(d.write, doc.path)
		}
		if !doc.notebook {
			d.spelt.Store(doc.path, doc.parts[0].uri)
		}
	}
	if doc.notebook {
		for _, p := range doc.parts {
			d.cells[p.key] = doc
		}
	}
}

// text is what an open document has in place of the file at path. It may be asked
// for with the lock of the workspace held.
func (d *documents) text(path string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.open[d.python[path]]; doc != nil && !doc.lost && !doc.notebook && doc.listing == nil {
		return doc.current.source.Text(), true
	}
	return "", false
}

// spelling is the URI of the open document at path as the client writes it, or
// empty. It needs no lock: whoever publishes asks for it, and a document that closes
// waits for them.
func (d *documents) spelling(path string) string {
	spelt, _ := d.spelt.Load(path)
	text, _ := spelt.(string)
	return text
}

// makeRoom gives the memory of the versions before the present one of a document back, where
// they are so long that it matters. It waits for the worker to let go of them where they
// are too long to be analysed, so that there is little to wait for.
func (d *documents) makeRoom(ctx context.Context, key uri.URI) {
	d.mu.Lock()
	doc := d.open[key]
	if doc == nil || doc.worker == nil || doc.current == nil || doc.current.size() <= largeText {
		d.mu.Unlock()
		return
	}
	current := doc.current
	d.mu.Unlock() // the worker may ask for documents
	if len(current.source.Text()) > analyzer.MaxSize {
		_ = current.read.wait(ctx)
	}
	debug.FreeOSMemory()
}

// A view is how a document is open that a request names, at the moment of the request. There
// is no other way to a snapshot.
type view struct {
	open         bool
	keepPrevious bool // what was said of the version before is all there is to say
	// snapshots are the present version of its programs that have the part, modules first;
	// none where there is no version that the client has too.
	snapshots []*snapshot
	part      int       // of each that is meant; -1 where all of a notebook is
	settings  *snapshot // of a settings file, which has no programs; else nil
}

// view is the document that is open under the key, or the notebook that a cell belongs to. It
// has no snapshot where the key is not that of Python: of a cell of prose, say, or of a
// notebook, which is all meant under its notebookKey.
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

// keyAt is the key of the Python document, or of the notebook, that is open at a path; empty
// where none is.
func (d *documents) keyAt(path string) uri.URI {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.python[path]
}

// programAt is the program that has a position, and where in it; false where none has.
func (v view) programAt(p protocol.Position, enc source.Encoding) (snap *snapshot, at int, ok bool) {
	for _, snap := range v.snapshots {
		if at, ok := snap.offsetAt(v.part, p, enc); ok {
			return snap, at, true
		}
	}
	return nil, 0, false
}

// unlessEnded calls f, during which the documents do not end.
func (d *documents) unlessEnded(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended {
		f()
	}
}

// analyseAgain analyses the present version of the documents at some paths anew,
// because what it depends on beside its text has changed.
func (d *documents) analyseAgain(paths ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, path := range paths {
		if doc := d.open[d.python[path]]; doc != nil && !doc.lost {
			doc.submit()
			d.again()
		}
	}
}

// analyseAllAgain is analyseAgain of every document.
func (d *documents) analyseAllAgain() {
	d.mu.Lock()
	paths := slices.Collect(maps.Keys(d.python))
	for _, doc := range d.open {
		if doc.settings != nil && !doc.lost {
			doc.submit() // it may extend another
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
	d.open, d.cells, d.write, d.python, d.ended = nil, nil, nil, nil, true
}
