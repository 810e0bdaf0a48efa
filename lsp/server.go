// Package lsp is the language server: it keeps the text of open documents,
// analyses each new version and tells the editor what the rules found.
//
// A connection is read by one goroutine, on which notifications change the
// documents in order and each request takes an immutable snapshot, by documents.view,
// before it is answered aside. It waits neither for an analysis nor for a client that
// does not read.
//
// Each version of a document has a context, which ends when a newer one comes. The
// document's worker has rules run over versions, so:
//   - The quick rules run over the newest version, to their end: what they find counts.
//   - The slow rules, which price models, follow at once, within a few steps; then what
//     all of them found is published together.
//   - Where the slow ones need more, or did the last time, what the quick ones found is
//     published first, and with it what the slow ones found last in text that is still there.
//   - Then the slow ones run in the background, on facts of their own, once nobody has
//     typed for a moment, or somebody asks; and until a newer version comes, but where
//     one after the other has ended so for too long.
//
// The package never reads or writes files, never applies an edit itself and
// knows no rule by name. It may know rules and analyzer, and is the only one
// that knows LSP; within it only convert.go makes LSP values of tfmem's own.
package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/settings"
)

// Options are what a server is told by who starts it.
type Options struct {
	Version   string          // of tfmem, shown to the client
	Config    analyzer.Config // for every document, unless Configure says otherwise
	Selection rules.Selection // the rules that run
	// Configure, which may be nil, gives the document of a path its Configuration;
	// one without devices is weighed against Devices. The editor wants what it wants. It is called aside when a
	// document is opened, by many goroutines at once. An error is shown to the user;
	// what comes with it counts. Folders are those that are open.
	Configure func(path string, folders []string, editor *settings.Editor) (Configuration, error)
	// Files are where modules that documents import are read from, below the open
	// documents; nil where each document is understood by itself.
	Files project.FS
	// Scope says what a check of some folders would look at. It is called aside, and
	// may take its time, but ends soon after ctx; nil where the server answers for
	// open documents alone. What warn is told is logged.
	Scope func(ctx context.Context, folders []string, editor func(path string) *settings.Editor, warn func(error)) Scope
	// Editor reads what the user of the editor wants of the files in a folder, which
	// is empty for those in none; nil where that does not count. Mistakes are shown
	// to the user; what comes with them counts. Folders are all that are open. It is
	// called aside.
	Editor func(object []byte, folder string, folders []string) (*settings.Editor, []error)
	// Devices finds the GPUs that models are compared with; nil for none. It is
	// called aside, at once and whenever they may be others, and may take its time.
	Devices func(context.Context) Detection
	// CheckSettings finds the mistakes in the text of a settings file, given by its
	// absolute path; nil where settings files are none of the server's business. Folders
	// are those that are open. It is called aside.
	CheckSettings func(path, text string, folders []string) []settings.Mistake
	// GPUs are names of GPUs that settings may name.
	GPUs []string
	// Others are GPUs that the page about a model compares with.
	Others []memory.Device
	Log    *slog.Logger // nil for none

	exists func(pid int) bool // a process; for tests
}

// A Configuration is how a document is analysed and shown.
type Configuration struct {
	analyzer.Config
	rules.Selection
	// InlayHints are the kinds of hints that are shown, as settings have them; nil
	// for all.
	InlayHints []string
}

// A Scope is what a check of some folders looks at. Its functions may be called by
// many goroutines at once.
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

// grace is how long an ending server waits for what it cannot interrupt: an
// analysis, a client that does not read, a standard input that stays open.
const grace = time.Second

// Serve speaks LSP over rwc, which it closes, until the client leaves or ctx is
// done. It returns nil if the client sent shutdown before it left, and otherwise
// an error that says how the server came to its end.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, opts Options) error {
	return start(ctx, rwc, opts).wait(rwc)
}

// start begins to answer.
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
		s.firstDetection = s.detect()
	}
	s.conn.Go(ctx, s.handler())
	return s
}

// wait returns when the conversation has ended.
func (s *session) wait(rwc io.Closer) error {
	<-s.ctx.Done()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		s.close()
		_ = s.conn.Close() // what is wrong with a connection that is over concerns nobody
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

// handler is what every message goes through: notifications are handled in the
// order they came in, on the goroutine that reads; requests leave it with
// [jsonrpc2.Async] once they hold a snapshot.
func (s *session) handler() jsonrpc2.Handler {
	return s.safe(s.admit(protocol.CancelHandler(s.synchronize(s.custom(protocol.ServerHandler(s, nil))))))
}
