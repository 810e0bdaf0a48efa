package lsp

import (
	"reflect"
	"slices"

	"go.lsp.dev/protocol"
)

// publish sends the diagnostics of a snapshot part by part, unless the client has them or the
// snapshot is superseded. It retracts the diagnostics of removed cells. A client that pulls gets
// none, because VS Code and Neovim would show them twice. Such a client is asked to pull again if
// its last pull of the same text was answered differently; a pull waits for all rules. The caller
// holds w.mu.
func (w *worker) publish(snap *snapshot, f found) {
	if w.newest.Load() != snap {
		return
	}
	f, _ = snap.shown(f)
	lists := byPart(snap, f)
	if w.session.client.pulls && snap.settled.ok() && w.outdated(snap, lists) {
		w.pulled = nil
		w.session.refresh.pulls.call()
	}
	if snap.publisher != nil {
		if snap.publisher.publish(w, snap, lists[0]) {
			w.session.refresh.changed.notify()
		}
		return
	}
	changed := false
	published := make(map[string][]protocol.Diagnostic, len(snap.parts))
	for i, p := range snap.parts {
		published[p.uri] = lists[i]
		if before, ok := w.published[p.uri]; !ok || !alike(before, lists[i]) {
			w.push(publication(p.uri, &p.version, lists[i]))
			changed = true
		}
	}
	for uri, before := range w.published {
		if _, ok := published[uri]; !ok && len(before) > 0 && !snap.partOfOther(uri) {
			w.push(publication(uri, nil, []protocol.Diagnostic{}))
			changed = true
		}
	}
	if w.published = published; changed {
		w.session.refresh.changed.notify()
	}
}

// alike reports whether diagnostics are equal. It compares ranges and messages first, because
// those differ most often.
func alike(a, b []protocol.Diagnostic) bool {
	return slices.EqualFunc(a, b, func(a, b protocol.Diagnostic) bool {
		return a.Range == b.Range && a.Message == b.Message
	}) && reflect.DeepEqual(a, b)
}

// retract takes back the diagnostics of the parts, and withdraws the current version.
func (w *worker) retract(parts []part) {
	w.forget()
	w.session.refresh.changed.notify()
	for _, p := range parts {
		if p.python {
			w.push(publication(p.uri, nil, []protocol.Diagnostic{}))
		}
	}
}

// push sends diagnostics to a client that does not pull them.
func (w *worker) push(params *protocol.PublishDiagnosticsParams) {
	if !w.session.client.pulls {
		w.session.out.publish(params)
	}
}
