package lsp

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
)

// An outgoing sends messages to the client. What cannot be sent is logged, unless the server ends.
type outgoing struct {
	ctx   context.Context // done when the server ends
	conn  jsonrpc2.Conn
	log   *slog.Logger
	shown sync.Map // the errors that were shown to the user, as strings
}

// failed logs why something was not done, unless that is the end of the server.
func (o *outgoing) failed(err error, what string, details ...any) {
	if err != nil && o.ctx.Err() == nil {
		o.log.Warn(what, append(details, "error", err)...)
	}
}

func (o *outgoing) notify(method string, params any) {
	o.failed(o.conn.Notify(context.Background(), method, params), "a notification could not be sent", "method", method)
}

// ask sends a request and waits for the answer, which goes into result.
func (o *outgoing) ask(method string, params, result any) error {
	_, err := o.conn.Call(o.ctx, method, params, result)
	return err
}

// askAgain asks the client to ask again for what the server has answered before.
func (o *outgoing) askAgain(methods ...string) {
	for _, method := range methods {
		o.failed(o.ask(method, nil, nil), "the client does not ask again", "method", method)
	}
}

// publish sends diagnostics. They replace queued ones of the same URI that a slow client has not
// read.
func (o *outgoing) publish(params *protocol.PublishDiagnosticsParams) {
	err := o.conn.Notify(context.WithValue(context.Background(), topic{}, string(params.URI)), protocol.MethodTextDocumentPublishDiagnostics, params)
	o.failed(err, "diagnostics could not be sent", "uri", params.URI)
}

// report sends a progress value: part of a result, or the state of the work.
func (o *outgoing) report(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = o.conn.Notify(context.Background(), protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: raw})
	}
	o.failed(err, "progress could not be sent")
}

// progress returns the progress of a request with the given token.
func (o *outgoing) progress(token protocol.ProgressToken) *work {
	return &work{out: o, token: token, shown: -1}
}

// complain shows an error to the user, once.
func (o *outgoing) complain(text string) {
	if _, shown := o.shown.LoadOrStore(text, true); shown {
		return
	}
	o.log.Warn("a mistake in the settings", "error", text)
	// VS Code makes a link of "[a](b)" in a message.
	text = strings.ReplaceAll(source.PrintableLines(text), "](", "] (")
	o.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeError, Message: "tfmem: " + text})
}

// warn logs, in the client too and once, what is left out although the user may rely on it, such
// as a file that is not read.
func (o *outgoing) warn(err error) {
	if _, shown := o.shown.LoadOrStore(err.Error(), true); shown {
		return
	}
	o.log.Warn("something is left out", "error", err)
	o.tell(protocol.MessageTypeWarning, err.Error())
}

// tell writes a line to the client's log.
func (o *outgoing) tell(kind protocol.MessageType, text string) {
	o.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: "tfmem: " + text})
}
