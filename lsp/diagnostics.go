package lsp

import (
	"context"
	"reflect"

	"go.lsp.dev/protocol"
)

// publish sends the diagnostics of an analysed snapshot to the client, part by
// part, unless it has them already or the snapshot was superseded. Of cells that
// are gone those that were published are taken back.
func (w *worker) publish(snap *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest.Load() != snap {
		return
	}
	lists := make([][]protocol.Diagnostic, len(snap.parts))
	for i := range lists {
		lists[i] = []protocol.Diagnostic{} // LSP has it that an array must be sent
	}
	for i, f := range snap.findings {
		at := snap.source.Place(f.Span).Segment
		lists[at] = append(lists[at], snap.diagnostics[i])
	}
	published := make(map[string][]protocol.Diagnostic, len(snap.parts))
	for i, p := range snap.parts {
		published[p.uri] = lists[i]
		if before, ok := w.published[p.uri]; !ok || !reflect.DeepEqual(before, lists[i]) {
			w.session.publish(publication(p.uri, &p.version, lists[i]))
		}
	}
	for uri, before := range w.published {
		if _, ok := published[uri]; !ok && len(before) > 0 {
			w.session.publish(publication(uri, nil, []protocol.Diagnostic{}))
		}
	}
	w.published = published
}

// retract takes back what was published for the parts, and whatever would be.
func (w *worker) retract(parts []part) {
	w.drop()
	w.published = nil // nobody publishes until the next submit
	for _, p := range parts {
		if p.python {
			w.session.publish(publication(p.uri, nil, []protocol.Diagnostic{}))
		}
	}
}

func (s *session) publish(params *protocol.PublishDiagnosticsParams) {
	err := s.conn.Notify(context.Background(), protocol.MethodTextDocumentPublishDiagnostics, params)
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("diagnostics could not be sent", "uri", params.URI, "error", err)
	}
}
