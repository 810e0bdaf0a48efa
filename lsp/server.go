// Package lsp is the language server: it keeps the text of open documents, analyses each new
// version and publishes what the rules find.
//
// One goroutine reads a connection. On it, notifications change the documents in order, and each
// request takes an immutable snapshot through documents.view before it is answered on another
// goroutine. The reader waits neither for an analysis nor for a client that does not read.
//
// Each version of a document has a context, which ends when a newer version comes. The document's
// worker runs the rules on versions:
//   - The quick rules run on the newest version, to their end.
//   - The slow rules, which price models, follow at once within a small budget of steps.
//     Then the findings of all rules are published together.
//   - A version that does not parse has the findings, fixes, lenses and hovers of the last one
//     that did, moved with the edits. What is wrong with it is shown once the user pauses.
//   - What somebody types changes findings on other lines, and what importers of the file read,
//     once they pause or go elsewhere.
//   - If the slow rules exceed the budget, or did so the last time, the quick findings are
//     published first. The last slow findings stay on text that is still there.
//   - The slow rules then run in the background, on caches of their own, once the user pauses
//     or a request needs them. A newer version stops them, unless that has gone on for too long.
//
// The package never reads or writes files, never applies an edit itself and knows no rule by
// name. It may know rules and analyzer, and is the only one that knows LSP; within it only
// convert.go makes LSP values of tfmem's own.
package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Options configure a server.
type Options struct {
	Version   string          // of tfmem, shown to the client
	Config    analyzer.Config // for every document, unless Configure says otherwise
	Selection rules.Selection // the rules that run
	// Configure returns the configuration of the document at path, given the open folders and the
	// editor's settings. It may be nil. A configuration without devices uses Devices. It is
	// called on many goroutines at once when documents are opened. An error is shown to the user,
	// and the configuration beside it still counts.
	Configure func(path string, folders []string, editor *settings.Editor) (Configuration, error)
	// Files is where imported modules are read from, below the open documents. If it is nil, each
	// document is analysed by itself.
	Files project.FS
	// Scope returns what tfmem check would visit in some folders. It is called in the background,
	// and may take its time, but must end soon after ctx. If it is nil, the server answers for
	// open documents alone. Errors given to warn are logged.
	Scope func(ctx context.Context, folders []string, editor func(path string) *settings.Editor, warn func(error)) Scope
	// Editor parses the editor's settings for the files in a folder; folder is "" for files
	// outside of all folders, and folders are all open ones. It may be nil. Mistakes are shown to
	// the user, and the settings beside them still count. It is called in the background.
	Editor func(object []byte, folder string, folders []string) (*settings.Editor, []error)
	// Devices finds the GPUs that models are compared with; nil for none. It is called in the
	// background, at the start and when the GPUs may have changed, and may take its time.
	Devices func(context.Context) Detection
	// Measured returns the last measurement of the script or notebook at an absolute path, if it
	// was made with this code; else nil. It may be nil. It reads one small file.
	Measured func(path, code string) *Measurement
	// CheckSettings finds mistakes in the text of the settings file at an absolute path, given
	// the open folders. If it is nil, the server does not check settings files. It is called in
	// the background.
	CheckSettings func(path, text string, folders []string) []settings.Mistake
	// GPUs are the names of GPUs that settings may use.
	GPUs []string
	// Others are the GPUs that the report on a model compares with.
	Others []memory.Device
	Log    *slog.Logger // nil for none

	exists func(pid int) bool // reports whether a process exists; for tests
}

// A Configuration is how a document is analysed and shown.
type Configuration struct {
	analyzer.Config
	rules.Selection
	// InlayHints are the kinds of hints to show, by their names in settings; nil for all.
	InlayHints []string
	// Baseline remembers findings that are not shown; nil for none. It is empty if its file cannot
	// be read.
	Baseline *baseline.Baseline
	// ObservedAt is the file of what a run told of the document, which need not be there.
	ObservedAt string
	// Page, which may be nil, returns the address of a rule's page, "" if there is none.
	Page func(*rule.Rule) string
}

// A Scope is what a check of some folders visits. Its functions may be called by many goroutines
// at once.
type Scope struct {
	Files []string // absolute, each once
	// Configure is as in Options, with settings that are read once for all files.
	Configure func(path string) (Configuration, error)
	Read      func(path string) (string, error)
}

// The ways a server ends.
var (
	errExit           = errors.New("the client sent exit")
	errNoShutdown     = errors.New("the client sent exit without shutdown")
	errDisconnected   = errors.New("the client closed the connection without shutdown")
	errParentIsGone   = errors.New("the process that started the server is gone")
	errNothingIsRead  = errors.New("the client does not read what the server sends")
	errServerIsEnding = errors.New("the server is ending")
)

// grace is how long an ending server waits for what it cannot interrupt: an analysis, a client
// that does not read, a standard input that stays open.
const grace = time.Second

// Serve speaks LSP over rwc until the client leaves or ctx is done, and closes rwc. It returns
// nil if the client sent shutdown before it left, and otherwise an error that says why the server
// ended.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, opts Options) error {
	return start(ctx, rwc, opts).wait(rwc)
}

// start starts the goroutines of a session.
func start(ctx context.Context, rwc io.ReadWriteCloser, opts Options) *session {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.exists == nil {
		opts.exists = processExists
	}
	ctx, end := context.WithCancelCause(ctx)
	stream := newStream(rwc, opts.Log)
	s := newSession(ctx, end, stream, opts)
	stream.onEnd = s.disconnected
	if opts.Devices != nil {
		s.gpus.first = s.detect()
	}
	s.out.conn.Go(ctx, s.handler())
	return s
}

// wait returns when the conversation has ended.
func (s *session) wait(rwc io.Closer) error {
	<-s.ctx.Done()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		s.close()
		_ = s.out.conn.Close() // the connection is over: an error changes nothing
	}()
	select {
	case <-finished:
	case <-time.After(grace):
		s.log.Warn("the server ends before its work does")
		_ = rwc.Close()
	}
	if cause := context.Cause(s.ctx); !errors.Is(cause, errExit) {
		return fmt.Errorf("language server: %w", cause)
	}
	return nil
}

// handler returns the handler of every message. Notifications are handled in order on the reading
// goroutine. Requests leave it with [jsonrpc2.Async] once they hold a snapshot.
func (s *session) handler() jsonrpc2.Handler {
	return s.safe(s.admit(protocol.CancelHandler(s.synchronize(s.custom(protocol.ServerHandler(s, nil))))))
}
