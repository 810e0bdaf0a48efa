package lsp

import (
	"context"
	"reflect"

	"go.lsp.dev/protocol"
)

// publish sends the diagnostics of an analysed snapshot to the client, unless
// it has them already or the snapshot was superseded.
func (w *worker) publish(snap *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.newest.Load() != snap || w.published != nil && reflect.DeepEqual(w.published, snap.diagnostics) {
		return
	}
	w.published = snap.diagnostics
	w.session.publish(publication(w.uri, &snap.version, snap.diagnostics))
}

// retract takes back what was published, and whatever would be.
func (w *worker) retract() {
	w.drop()
	w.published = nil // nobody publishes until the next submit
	w.session.publish(publication(w.uri, nil, []protocol.Diagnostic{}))
}

func (s *session) publish(params *protocol.PublishDiagnosticsParams) {
	err := s.conn.Notify(context.Background(), protocol.MethodTextDocumentPublishDiagnostics, params)
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("diagnostics could not be sent", "uri", params.URI, "error", err)
	}
}
