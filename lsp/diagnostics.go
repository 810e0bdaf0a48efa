package lsp

import (
	"context"
	"reflect"
	"slices"

	"go.lsp.dev/protocol"
)

// publish sends what was found in a snapshot to the client, part by part, unless it
// has that already or the snapshot was superseded. Of cells that are gone those
// diagnostics that were published are taken back. A client that pulls is sent none: VS
// Code and Neovim would show both. It is asked to pull again where it was told
// something else of the same text; a pull waits for all rules. The caller holds w.mu.
func (w *worker) publish(snap *snapshot, f found) {
	if w.newest.Load() != snap {
		return
	}
	lists := byPart(snap, f)
	if w.session.client.pulls && snap.settled.ok() && w.outdated(snap, lists) {
		w.given = nil
		w.session.refresh.call()
	}
	if snap.outlet != nil {
		if snap.outlet.publish(w, snap, lists[0]) {
			w.session.changed.tell()
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
		if _, ok := published[uri]; !ok && len(before) > 0 && !snap.isOfAnother(uri) {
			w.push(publication(uri, nil, []protocol.Diagnostic{}))
			changed = true
		}
	}
	if w.published = published; changed {
		w.session.changed.tell()
	}
}

// alike tells whether diagnostics are the same. Where they are not, their places or what they
// say most often tell so at once.
func alike(a, b []protocol.Diagnostic) bool {
	return slices.EqualFunc(a, b, func(a, b protocol.Diagnostic) bool {
		return a.Range == b.Range && a.Message == b.Message
	}) && reflect.DeepEqual(a, b)
}

// retract takes back what was published for the parts, and whatever would be.
func (w *worker) retract(parts []part) {
	w.forget()
	w.session.changed.tell()
	for _, p := range parts {
		if p.python {
			w.push(publication(p.uri, nil, []protocol.Diagnostic{}))
		}
	}
}

// push sends diagnostics to a client that does not pull them.
func (w *worker) push(params *protocol.PublishDiagnosticsParams) {
	if !w.session.client.pulls {
		w.session.publish(params)
	}
}

// publish sends diagnostics, in place of those of the same URI that a slow client has not read.
func (s *session) publish(params *protocol.PublishDiagnosticsParams) {
	err := s.conn.Notify(context.WithValue(context.Background(), topic{}, string(params.URI)), protocol.MethodTextDocumentPublishDiagnostics, params)
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("diagnostics could not be sent", "uri", params.URI, "error", err)
	}
}
