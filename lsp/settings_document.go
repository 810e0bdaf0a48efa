package lsp

import (
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/settings"
)

// A settingsDocument looks for mistakes in the versions of an open settings file, and
// publishes them. What a file says counts for Python files once it is saved.
type settingsDocument struct {
	session *session
	path    string
	queue   queue[*snapshot]
	newest  atomic.Pointer[snapshot] // nil where no version counts

	mu        sync.Mutex // held while publishing, so that nothing follows what is taken back
	published []protocol.Diagnostic
}

// newSettingsDocument has versions looked at until close. The documents have not ended.
func (s *session) newSettingsDocument(path string) *settingsDocument {
	d := &settingsDocument{session: s, path: path, queue: newQueue[*snapshot]()}
	s.tasks.Go(func() {
		for snap := range d.queue {
			d.check(snap)
		}
	})
	return d
}

// submit supersedes the version before. It does not wait.
func (d *settingsDocument) submit(snap *snapshot) {
	d.newest.Store(snap)
	d.queue.put(snap)
}

// close ends the looking at versions without another word.
func (d *settingsDocument) close() {
	d.drop()
	close(d.queue)
}

// drop supersedes the present version by none, after which nothing is published.
func (d *settingsDocument) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest.Store(nil)
}

// retract takes back what was published, and whatever would be.
func (d *settingsDocument) retract(p part) {
	d.drop()
	d.published = nil // nobody publishes until the next submit
	d.session.publish(publication(p.uri, nil, []protocol.Diagnostic{}))
}

func (d *settingsDocument) check(snap *snapshot) {
	defer func() {
		if p := recover(); p != nil {
			d.session.log.Error("tfmem has a bug: reading settings panicked", "path", d.path, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if d.newest.Load() != snap {
		return
	}
	mistakes := d.session.opts.CheckSettings(d.path, snap.source.Text(), d.session.folders.paths())
	diagnostics := mistakesOf(snap, mistakes, d.session.client)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.newest.Load() != snap || d.published != nil && reflect.DeepEqual(d.published, diagnostics) {
		return
	}
	d.published = diagnostics
	p := snap.parts[0]
	d.session.publish(publication(p.uri, &p.version, diagnostics))
}

// isSettings tells whether a document is read as settings: JupyterLab may call a
// notebook's text anything, and it is Python.
func (s *session) isSettings(path, language string) bool {
	return s.opts.CheckSettings != nil && !isPython(language) && settings.IsSettings(path)
}

// completeSettings tells what may be typed in a settings file.
func (s *session) completeSettings(snap *snapshot, p protocol.Position) protocol.CompletionResult {
	at, _ := snap.offsetAt(0, p, s.client.encoding)
	choices, start, end := settings.Complete(snap.source.Path, []byte(snap.source.Text()), at, s.opts.GPUs)
	if len(choices) == 0 {
		return nil
	}
	var list []completion
	for _, c := range choices {
		kind := protocol.CompletionItemKindValue
		if c.IsKey {
			kind = protocol.CompletionItemKindProperty
		}
		list = append(list, completion{label: c.Name, detail: c.Detail, doc: markdown(c.Doc), matches: c.Text, text: c.Text, kind: kind})
	}
	return completionsOf(list, snap.rangeOf(source.Span{Start: start, End: end}, s.client.encoding), s.client)
}

// hoverSettings explains what stands at a position of a settings file.
func (s *session) hoverSettings(snap *snapshot, p protocol.Position) *protocol.Hover {
	at, _ := snap.offsetAt(0, p, s.client.encoding)
	text, start, end, ok := settings.Explain(snap.source.Path, []byte(snap.source.Text()), at)
	if !ok {
		return nil
	}
	return hoverOf(snap, source.Span{Start: start, End: end}, markdown(text), s.client)
}
