package lsp

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// An analysis is what is known of a snapshot once done is closed.
type analysis struct {
	done chan struct{}
	result
	err error // why there is no result
}

// A result is what the rules made of a text: findings, and each as a diagnostic.
type result struct {
	file        *analyzer.File
	selection   rules.Selection
	hints       []string // the kinds that are shown, nil for all
	findings    []rule.Finding
	diagnostics []protocol.Diagnostic
}

func newAnalysis() analysis { return analysis{done: make(chan struct{})} }

func (a *analysis) finish(r result, err error) {
	a.result, a.err = r, err
	close(a.done)
}

// wait returns when the analysis is done, or with an error where it never will
// be or ctx is done first.
func (a *analysis) wait(ctx context.Context) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}

// A worker analyses the versions of one document, each on the trees of the one
// before, and publishes what it finds. A newer version supersedes an older one
// that is not done.
type worker struct {
	session *session
	path    string
	queue   chan *snapshot           // the newest version that is not begun
	newest  atomic.Pointer[snapshot] // nil where no version counts

	// What the document is analysed with, once it is: configured by run, by the
	// settings of a generation.
	configured bool
	generation uint64
	how        Configuration

	mu        sync.Mutex                       // held while publishing
	published map[string][]protocol.Diagnostic // by the URIs of the parts
	given     map[string]given                 // in answer to a pull, by the same
}

// newWorker starts a worker, which ends after its close.
func (s *session) newWorker(path string) *worker {
	w := &worker{session: s, path: path, queue: make(chan *snapshot, 1)}
	s.tasks.Go(w.run)
	return w
}

// submit supersedes the version before. It does not wait.
func (w *worker) submit(snap *snapshot) {
	w.newest.Store(snap)
	select {
	case old := <-w.queue:
		old.finish(result{}, protocol.ErrContentModified)
	default:
	}
	w.queue <- snap
}

// drop supersedes the present version by none, after which nothing is published.
func (w *worker) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.newest.Store(nil)
}

// close lets the worker end without another word.
func (w *worker) close() {
	w.drop()
	close(w.queue)
}

func (w *worker) run() {
	doc := analyzer.NewDocument()
	defer func() { doc.Close() }()
	w.session.appeared(w.path)
	defer w.session.appeared(w.path)
	for snap := range w.queue {
		w.session.busy.begin()
		r, err := w.analyze(doc, snap)
		w.session.busy.end()
		snap.finish(r, err)
		switch err {
		case nil:
			w.publish(snap)
			w.session.edited(snap)
		case errBug:
			// The parser may have been left in the middle of something.
			doc.Close()
			doc = analyzer.NewDocument()
		}
	}
}

// errBug answers a request whose snapshot could not be analysed.
var errBug = jsonrpc2.NewError(jsonrpc2.InternalError, "tfmem has a bug: the analysis panicked; its log tells where")

// analyze reads a snapshot and runs the rules, but for one that was superseded.
func (w *worker) analyze(doc *analyzer.Document, snap *snapshot) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.session.log.Error("tfmem has a bug: the analysis panicked", "path", w.path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			r, err = result{}, errBug
		}
	}()
	if w.newest.Load() != snap {
		return result{}, protocol.ErrContentModified
	}
	if generation := w.session.generation.Load(); !w.configured || w.generation != generation {
		w.how = w.session.configure(w.path)
		w.configured, w.generation = true, generation
	}
	r.selection, r.hints = w.how.Selection, w.how.InlayHints
	r.file = doc.Analyze(snap.source, w.how.Config)
	if w.newest.Load() != snap {
		return result{}, protocol.ErrContentModified
	}
	r.findings = rules.Check(r.file, r.selection)
	r.diagnostics = w.session.diagnosticsOf(snap, r.findings)
	return r, nil
}
