package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// report sends a progress value: part of a result, or the state of the work.
func (s *session) report(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = s.conn.Notify(context.Background(), protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: raw})
	}
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("progress could not be sent", "error", err)
	}
}

// A work shows the progress of a request to a client that asked for it. One goroutine at a time
// may use it.
type work struct {
	session *session
	token   protocol.ProgressToken // nil if nobody asked
	shown   int                    // percent; -1 before begin and after end
}

// progress returns the progress of a request with the given token.
func (s *session) progress(token protocol.ProgressToken) *work {
	return &work{session: s, token: token, shown: -1}
}

// begin shows the number of files.
func (w *work) begin(files int) {
	if w.token != nil {
		w.shown = 0
		w.session.report(w.token, workBegins(files))
	}
}

// done shows how many files are finished. It sends a message only if the percentage changes.
func (w *work) done(files, of int) {
	if percent := files * 100 / of; w.token != nil && percent > w.shown {
		w.shown = percent
		w.session.report(w.token, workGoesOn(files, of, percent))
	}
}

// end ends the progress, if it was begun.
func (w *work) end() {
	if w.shown >= 0 {
		w.session.report(w.token, &protocol.WorkDoneProgressEnd{Kind: "end"})
		w.token, w.shown = nil, -1
	}
}
