package lsp

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// An analysis is what is known of a snapshot: the result once done is closed, and
// what all rules found once settled is.
type analysis struct {
	done chan struct{}
	result
	err error // why there is no result

	settled chan struct{}
	all     found
	failed  error // why they did not run
	asked   chan struct{}
	ask     func() // closes asked: somebody waits for all
}

// A result is what a text was read as, and what the rules that are quick found in it.
type result struct {
	file *analyzer.File
	// models is the file that is asked for models, which may take long: file itself, or
	// one apart from it, lest the next version wait, or have all to find anew.
	models    *analyzer.File
	selection rules.Selection
	hints     []string // the kinds that are shown, nil for all
	found
}

// found is what rules made of a text: findings, and each as a diagnostic.
type found struct {
	findings    []rule.Finding
	diagnostics []protocol.Diagnostic
}

func newAnalysis() analysis {
	asked := make(chan struct{})
	return analysis{done: make(chan struct{}), settled: make(chan struct{}), asked: asked, ask: sync.OnceFunc(func() { close(asked) })}
}

// finish says what the quick rules found, or why nothing ever will be.
func (a *analysis) finish(r result, err error) {
	a.result, a.err = r, err
	close(a.done)
	if err != nil {
		a.settle(found{}, err)
	}
}

// settle says what all rules found.
func (a *analysis) settle(all found, err error) {
	a.all, a.failed = all, err
	close(a.settled)
}

// isSettled tells whether it is known what all rules find.
func (a *analysis) isSettled() bool {
	select {
	case <-a.settled:
		return a.failed == nil
	default:
		return false
	}
}

// wait returns when the text was read and the rules that are quick have run, or with
// an error where that will never be or ctx is done first.
func (a *analysis) wait(ctx context.Context) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}

// priced returns when all rules have run, those that price models among them, or with
// an error, as wait does. Of a version that is superseded meanwhile what they find may
// never be known.
func (a *analysis) priced(ctx context.Context) error {
	a.ask()
	select {
	case <-a.settled:
		return a.failed
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}

// A worker analyses the versions of one document, each on the trees of the one
// before, and publishes what it finds: first what the quick rules do, on one goroutine,
// and then, on another, what those do that price models. A newer version supersedes an
// older one that is not done.
type worker struct {
	session *session
	path    string
	queue   chan *snapshot           // the newest version that is not begun
	pricing chan pricing             // the newest version that is not priced
	newest  atomic.Pointer[snapshot] // nil where no version counts
	slow    atomic.Bool              // pricing takes so long that nothing waits for it
	stale   chan struct{}            // of the version that was last handed to pricing; of run alone

	// What the document is analysed with, once it is: configured by run, by the
	// settings of a generation.
	configured bool
	generation uint64
	how        Configuration

	mu        sync.Mutex                       // held while publishing
	published map[string][]protocol.Diagnostic // by the URIs of the parts
	given     map[string]given                 // in answer to a pull, by the same
	shown     *snapshot                        // what was published last, unless all that there is to say of it
	last      priced                           // the version that was priced last
	took      time.Duration                    // and how long that took, or another since, at least
	behind    time.Time                        // since when none was, where a version waits for it
}

// newWorker starts a worker, which ends after its close.
func (s *session) newWorker(path string) *worker {
	w := &worker{session: s, path: path, queue: make(chan *snapshot, 1), pricing: make(chan pricing, 1)}
	s.tasks.Go(w.run)
	s.tasks.Go(w.price)
	return w
}

// submit supersedes the version before. It does not wait.
func (w *worker) submit(snap *snapshot) {
	snap.came = time.Now()
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
	w.shown, w.last, w.behind = nil, priced{}, time.Time{}
}

// close lets the worker end without another word.
func (w *worker) close() {
	w.drop()
	close(w.queue)
}

func (w *worker) run() {
	large := false // the last version
	defer func() {
		if large {
			debug.FreeOSMemory()
		}
	}()
	doc := analyzer.NewDocument()
	defer func() { doc.Close() }()
	defer func() {
		w.supersede()
		close(w.pricing)
	}()
	w.session.appeared(w.path)
	defer w.session.appeared(w.path)
	for snap := range w.queue {
		large = snap.size() > keepBuffer // its tree takes a hundred times as much
		w.session.busy.begin()
		r, rest, err := w.analyze(doc, snap)
		w.session.busy.end()
		snap.finish(r, err)
		switch err {
		case nil:
			w.conclude(snap, rest)
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

// analyze reads a snapshot and runs the quick rules, but for one that was superseded.
// It leaves the other rules, where they may find anything, as rest.
func (w *worker) analyze(doc *analyzer.Document, snap *snapshot) (r result, rest *rules.Rest, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.session.log.Error("tfmem has a bug: the analysis panicked", "path", w.path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			r, rest, err = result{}, nil, errBug
		}
	}()
	if w.newest.Load() != snap {
		return result{}, nil, protocol.ErrContentModified
	}
	if generation := w.session.generation.Load(); !w.configured || w.generation != generation {
		w.how = w.session.configure(w.path)
		w.configured, w.generation = true, generation
	}
	r.selection, r.hints = w.how.Selection, w.how.InlayHints
	config := w.how.Config
	if snap.written != nil {
		snap.written.tell()
		config.Workspace = snap.written.workspace
	}
	r.file = doc.Analyze(snap.source, config)
	if w.newest.Load() != snap {
		return result{}, nil, protocol.ErrContentModified
	}
	findings, rest := rules.Quick(r.file, r.selection)
	r.models = r.file
	if rest != nil && w.slow.Load() {
		r.models = r.file.Apart()
		rest = rest.Apart(r.models)
	}
	r.found = w.session.foundIn(snap, findings)
	return r, rest, nil
}
