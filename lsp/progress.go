package lsp

import "go.lsp.dev/protocol"

// A work shows the progress of a request to a client that asked for it. One goroutine at a time
// may use it.
type work struct {
	out   *outgoing
	token protocol.ProgressToken // nil if nobody asked
	shown int                    // percent; -1 before begin and after end
}

// begin shows the number of files.
func (w *work) begin(files int) {
	if w.token != nil {
		w.shown = 0
		w.out.report(w.token, workBegins(files))
	}
}

// done shows how many files are finished. It sends a message only if the percentage changes.
func (w *work) done(files, of int) {
	if percent := files * 100 / of; w.token != nil && percent > w.shown {
		w.shown = percent
		w.out.report(w.token, workGoesOn(files, of, percent))
	}
}

// end ends the progress, if it was begun.
func (w *work) end() {
	if w.shown >= 0 {
		w.out.report(w.token, &protocol.WorkDoneProgressEnd{Kind: "end"})
		w.token, w.shown = nil, -1
	}
}
