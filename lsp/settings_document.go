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

// A settingsDocument checks the versions of an open settings file, and publishes the mistakes.
// The settings apply to Python files once the file is saved.
type settingsDocument struct {
	session *session
	path    string
	queue   queue[*snapshot]
	newest  atomic.Pointer[snapshot] // nil if no version counts

	mu        sync.Mutex // held while publishing, so that nothing is published after a retraction
	published []protocol.Diagnostic
}

// newSettingsDocument starts checking versions, until close. The documents have not ended.
func (s *session) newSettingsDocument(path string) *settingsDocument {
	d := &settingsDocument{session: s, path: path, queue: newQueue[*snapshot]()}
	s.tasks.Go(func() {
		for snap := range d.queue {
			d.check(snap)
		}
	})
	return d
}

// submit makes snap the newest version and supersedes the one before. It does not wait.
func (d *settingsDocument) submit(snap *snapshot) {
	d.newest.Store(snap)
	d.queue.put(snap)
}

// close ends the checking. It publishes nothing more.
func (d *settingsDocument) close() {
	d.drop()
	close(d.queue)
}

// drop withdraws the newest version. Nothing is published after that.
func (d *settingsDocument) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest.Store(nil)
}

// retract takes back what was published, and withdraws the newest version.
func (d *settingsDocument) retract(p part) {
	d.drop()
	d.published = nil // nothing is published until the next submit
	d.session.out.publish(publication(p.uri, nil, []protocol.Diagnostic{}))
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
	d.session.out.publish(publication(p.uri, &p.version, diagnostics))
}

// isSettings reports whether a document is a settings file. Python is not, although JupyterLab
// may give a notebook's text any name.
func (s *session) isSettings(path, language string) bool {
	return s.opts.CheckSettings != nil && !isPython(language) && settings.IsSettings(path)
}

// completeSettings returns the completions in a settings file.
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
