package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// report sends a value under a token: a part of a result, or how far work has come.
func (s *session) report(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = s.conn.Notify(context.Background(), protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: raw})
	}
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("progress could not be sent", "error", err)
	}
}

// A work shows a client that asked for it how far a request has come. One goroutine
// at a time may use it.
type work struct {
	session *session
	token   protocol.ProgressToken // nil where nobody asked
	shown   int                    // percent, or -1 before and after
}

// progress is that of a request, under the token that it brought.
func (s *session) progress(token protocol.ProgressToken) *work {
	return &work{session: s, token: token, shown: -1}
}

// begin shows that so many files are to be looked at.
func (w *work) begin(files int) {
	if w.token != nil {
		w.shown = 0
		w.session.report(w.token, workBegins(files))
	}
}

// done shows that so many of them have been; no more often than the percentage
// changes.
func (w *work) done(files, of int) {
	if percent := files * 100 / of; w.token != nil && percent > w.shown {
		w.shown = percent
		w.session.report(w.token, workGoesOn(files, of, percent))
	}
}

// end is the last word, where there was a first.
func (w *work) end() {
	if w.shown >= 0 {
		w.session.report(w.token, &protocol.WorkDoneProgressEnd{Kind: "end"})
		w.token, w.shown = nil, -1
	}
}
