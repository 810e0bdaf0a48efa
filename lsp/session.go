package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A session is the conversation with one client, from initialize to exit. It implements the
// requests of [protocol.Server] that served names.
type session struct {
	protocol.UnimplementedServer

	opts   Options
	log    *slog.Logger
	ctx    context.Context // done when the server ends
	end    context.CancelCauseFunc
	out    outgoing
	stream *stream // below its connection
	docs   documents
	tasks  sync.WaitGroup // the workers of documents, and background tasks
	state  atomic.Uint32  // a state; only the reading goroutine changes it
	client client         // set by initialize, before any request

	refresh refresher
	scans   scanner
	closed  closedParts
	typing  typing

	gpus      detector
	announced atomic.Bool // the user was told about the GPUs

	folders       folders
	configuration configuration

	workspace  *project.Workspace // set by initialize; nil if imports are not followed
	generation atomic.Uint64      // of the settings: how often they may have changed
	baselines  sync.Map           // the paths of those that settings name, and of what runs told

	kernels       kernels  // of open notebooks
	folderWatches sync.Map // the folders that the client was asked to watch
}

// state is how far the conversation has come.
type state = uint32

const (
	created     state = iota
	initialized       // initialize was answered
	down              // shutdown was answered
)

// served are the implemented methods. No other reaches the protocol package's dispatcher, which
// would answer an unknown method without params with a parse error.
var served = map[string]bool{
	protocol.MethodInitialize:             true,
	protocol.MethodInitialized:            true,
	protocol.MethodShutdown:               true,
	protocol.MethodExit:                   true,
	protocol.MethodCancelRequest:          true,
	protocol.MethodTextDocumentDidOpen:    true,
	protocol.MethodTextDocumentDidChange:  true,
	protocol.MethodTextDocumentDidSave:    true,
	protocol.MethodTextDocumentDidClose:   true,
	protocol.MethodTextDocumentCodeAction: true,
	protocol.MethodTextDocumentHover:      true,
	protocol.MethodTextDocumentDiagnostic: true,
	protocol.MethodWorkspaceDiagnostic:    true,
	protocol.MethodCodeActionResolve:      true,

	protocol.MethodNotebookDocumentDidOpen:        true,
	protocol.MethodNotebookDocumentDidChange:      true,
	protocol.MethodNotebookDocumentDidSave:        true,
	protocol.MethodNotebookDocumentDidClose:       true,
	protocol.MethodWorkspaceDidChangeWatchedFiles: true,

	protocol.MethodWorkspaceDidChangeWorkspaceFolders: true,
	protocol.MethodWorkspaceDidChangeConfiguration:    true,
	protocol.MethodWorkspaceDidCreateFiles:            true,
	protocol.MethodWorkspaceDidRenameFiles:            true,
	protocol.MethodWorkspaceDidDeleteFiles:            true,

	gpuRequest: true,

	protocol.MethodTextDocumentInlayHint:   true,
	protocol.MethodTextDocumentCodeLens:    true,
	protocol.MethodTextDocumentCompletion:  true,
	protocol.MethodWorkspaceExecuteCommand: true,
}

func newSession(ctx context.Context, end context.CancelCauseFunc, stream *stream, opts Options) *session {
	s := &session{
		opts: opts, log: opts.Log, ctx: ctx, end: end, stream: stream,
		out:  outgoing{ctx: ctx, conn: jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{})), log: opts.Log},
		docs: newDocuments(), refresh: newRefresher(), scans: newScanner(), gpus: detector{find: opts.Devices},
	}
	s.configuration.asking = newTask()
	s.docs.resubmitted = s.refresh.aids.call
	return s
}

// configure returns the configuration of a document.
func (s *session) configure(path string) Configuration {
	how := s.complete(s.wanted(path))
	if kernel := s.kernels.of(path); kernel != nil {
		how.Observed = kernel
	}
	return how
}

// wanted returns what settings say about a document.
func (s *session) wanted(path string) (Configuration, error) {
	if s.opts.Configure == nil {
		return Configuration{Config: s.opts.Config, Selection: s.opts.Selection}, nil
	}
	return s.opts.Configure(path, s.folders.paths(), s.editor(path))
}

// complete adds what only the server knows to a configuration from settings. It shows errors in
// the settings to the user.
func (s *session) complete(how Configuration, err error) Configuration {
	if err != nil {
		s.out.complain(err.Error())
	}
	if how.Devices == nil && s.opts.Devices != nil {
		how.Devices = s.gpus.devices
	}
	if s.opts.Devices != nil {
		how.Neighbours = s.gpus.neighbours
	}
	how.Workspace = s.workspace
	if how.Baseline != nil {
		s.baselines.Store(how.Baseline.Path(), true)
	}
	if how.ObservedAt != "" {
		s.baselines.Store(how.ObservedAt, true)
	}
	return how
}

// inBackground runs f on a goroutine that close waits for. It reports false if the server is ending
// already.
func (s *session) inBackground(f func()) (began bool) {
	s.docs.unlessEnded(func() {
		began = true
		s.tasks.Go(f)
	})
	return began
}

// close ends the analysis of all documents and waits for it.
func (s *session) close() {
	s.docs.end()
	s.tasks.Wait()
}

// disconnected is called when the client sends or receives nothing more.
func (s *session) disconnected(why error) {
	if s.state.Load() == down && errors.Is(why, errDisconnected) {
		why = errExit
	}
	s.end(why)
}

// A requestContext ends when the server does, and has a request's values, one of which
// [jsonrpc2.Async] needs. The request's own context cannot be used: it is recycled when the
// handler returns. A goroutine that [context.WithCancel] started for it may not have looked at it
// by then, and panics.
type requestContext struct {
	context.Context
	request context.Context
}

func (c requestContext) Value(key any) any { return c.request.Value(key) }

// safe is the outermost handler. It turns a panic into an answer. It keeps errors of
// notifications from the connection, because they would end it.
func (s *session) safe(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("tfmem has a bug: a handler panicked", "method", req.Method(), "panic", p, "stack", string(debug.Stack()))
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "tfmem has a bug: %s panicked: %v", req.Method(), p)
			}
			if err != nil && !req.IsCall() {
				level := slog.LevelWarn
				if errors.Is(err, jsonrpc2.ErrMethodNotFound) {
					level = slog.LevelDebug // LSP allows notifications that a server does not know
				}
				s.log.Log(ctx, level, "a notification was ignored", "method", req.Method(), "error", err)
				result, err = nil, nil
			}
		}()
		result, err = next(requestContext{s.ctx, ctx}, req)
		// The dispatcher takes params of a wrong shape for invalid JSON.
		if errors.Is(err, jsonrpc2.ErrParse) && (req.Params() == nil || json.Valid(req.Params())) {
			why := strings.TrimPrefix(err.Error(), jsonrpc2.ErrParse.Message+": ")
			err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "invalid params of %s: %s", req.Method(), why)
		}
		if failed, ok := err.(*jsonrpc2.Error); ok {
			shown := *failed
			shown.Message = source.Printable(failed.Message)
			err = &shown
		}
		return result, err
	}
}

// admit refuses what the state of the conversation does not allow.
func (s *session) admit(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		method, state := req.Method(), s.state.Load()
		switch {
		case method == protocol.MethodExit:
		case state == created && method != protocol.MethodInitialize:
			return nil, jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s came before initialize", method)
		case state == down:
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s came after shutdown", method)
		case state == initialized && method == protocol.MethodInitialize:
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the server is initialized already")
		case !served[method]:
			return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "%s is not supported", method)
		}
		return next(ctx, req)
	}
}

// Initialize negotiates capabilities with the client.
func (s *session) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.client = clientOf(params)
	s.folders.set(s.client.folders)
	s.configuration.initialize(params.InitializationOptions)
	s.openWorkspace()
	s.state.Store(initialized)
	if pid := params.ProcessID; pid != nil && *pid > 0 {
		go s.watchParent(int(*pid))
	}
	return capabilities(s.client, s.opts.Version), nil
}

// Shutdown ends the conversation except for exit.
func (s *session) Shutdown(context.Context) error {
	s.state.Store(down)
	return nil
}

// Exit ends the server.
func (s *session) Exit(context.Context) error {
	if s.state.Load() == down {
		s.end(errExit)
	}
	s.end(errNoShutdown)
	return nil
}

// watchParent ends the server when the process that started it is gone, as LSP requires. A killed
// editor sends no exit, and a pipe that another process inherited does not close.
func (s *session) watchParent(pid int) {
	tick := time.NewTicker(time.Second / 2)
	defer tick.Stop()
	for {
		if !s.opts.exists(pid) {
			s.log.Warn("the parent process is gone; a client that runs in another container should send processId null", "pid", pid)
			s.end(fmt.Errorf("%w: process %d", errParentIsGone, pid))
			return
		}
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
	}
}
