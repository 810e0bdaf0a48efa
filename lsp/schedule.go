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
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

// cheap is the work, in steps of [analyzer.File.Step], that the slow rules may take before
// what the quick ones found is published: about as much as these take. It is not measured in
// time, so that what a client is told does not depend on the machine.
const cheap = 20_000

// quiet is how long nobody must have typed before work begins that nobody waits for: most keys
// are followed by another.
const quiet = 100 * time.Millisecond

// A document whose slow rules have not come to an end for maxStaleness, or for staleFactor times
// as long as they last took, has them finish with a version though newer ones come, lest somebody
// who types never sees what they find.
const (
	maxStaleness = time.Second
	staleFactor  = 10
)

// An analysis is what is known of a snapshot. What a stage finds stands below it, and is there
// once that has ended.
type analysis struct {
	// ctx is done when a newer version comes. It is set by submit.
	ctx       context.Context
	supersede context.CancelCauseFunc

	read stage // of the quick rules
	result

	settled stage // of all rules
	all     found
	asked   chan struct{}
	ask     func() // closes asked: somebody waits for all

	estimated stage // of who prices the models for hovers, hints and lenses
	estimate  sync.Once
	models    *estimate.File
}

// A result is what a text was read as, and what the rules that are quick found in it.
type result struct {
	file *analyzer.File
	// slow is the file that is asked for what takes long: file itself, or one detached from it.
	slow      *analyzer.File
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
	return analysis{
		read: newStage(), settled: newStage(), estimated: newStage(),
		asked: asked, ask: sync.OnceFunc(func() { close(asked) }),
	}
}

// finish says what the quick rules found, or why nothing ever will be.
func (a *analysis) finish(r result, err error) {
	a.result = r
	if a.read.end(err); err != nil {
		a.settle(found{}, err)
	}
}

// settle says what all rules found.
func (a *analysis) settle(all found, err error) {
	a.all = all
	a.settled.end(err)
}

// priced returns when all rules have run, or with an error, as wait does. Of a version that
// is superseded meanwhile what the slow ones find may never be known.
func (a *analysis) priced(ctx context.Context) error {
	a.ask()
	return a.settled.wait(ctx)
}

// A stage is work on a snapshot that others wait for.
type stage struct {
	done chan struct{}
	err  error
}

func newStage() stage { return stage{done: make(chan struct{})} }

// end says that the work has come to its end, or why it never will.
func (s *stage) end(err error) {
	s.err = err
	close(s.done)
}

// wait returns when the work was done, or with an error where that will never be or ctx is
// done first.
func (s *stage) wait(ctx context.Context) error {
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}

// ok tells whether the work was done.
func (s *stage) ok() bool {
	select {
	case <-s.done:
		return s.err == nil
	default:
		return false
	}
}

// A queue holds the newest of what was put into it, until it is taken. One goroutine puts.
type queue[T any] chan T

func newQueue[T any]() queue[T] { return make(queue[T], 1) }

// put returns what was there before, if anything: it will never be taken.
func (q queue[T]) put(v T) (old T, replaced bool) {
	select {
	case old, replaced = <-q:
	default:
	}
	q <- v
	return old, replaced
}

// A worker is the scheduler of one document, as the package comment has it.
type worker struct {
	session *session
	path    string
	ctx     context.Context // done when the document is closed
	end     context.CancelFunc
	quick   queue[*snapshot]         // for the quick rules
	slow    queue[*snapshot]         // for the slow ones, in the background
	newest  atomic.Pointer[snapshot] // nil where no version counts
	dear    atomic.Bool              // the slow rules took more than is cheap when they last ran

	// What the document is analysed with, once it is: configured by run, by the
	// settings of a generation.
	configured bool
	generation uint64
	how        Configuration

	mu        sync.Mutex                       // of run, background and the goroutine that reads; held while publishing
	published map[string][]protocol.Diagnostic // by the URIs of the parts
	given     map[string]lastPulled            // in answer to a pull, by the same
	shown     *snapshot                        // what was published last, unless all that there is to say of it
	last      lastSlow                         // what the slow rules found last
	took      time.Duration                    // and how long that took, or another since, at least
	behind    time.Time                        // since when a version waits for them; zero where none does
}

// newWorker starts a worker, which ends after its close.
func (s *session) newWorker(path string) *worker {
	w := &worker{session: s, path: path, quick: newQueue[*snapshot](), slow: newQueue[*snapshot]()}
	w.ctx, w.end = context.WithCancel(s.ctx)
	s.tasks.Go(w.run)
	s.tasks.Go(w.background)
	return w
}

// submit supersedes the version before. It does not wait.
func (w *worker) submit(snap *snapshot) {
	snap.ctx, snap.supersede = context.WithCancelCause(w.ctx)
	w.replace(snap)
	w.session.typing.note()
	if old, replaced := w.quick.put(snap); replaced {
		old.finish(result{}, protocol.ErrContentModified)
	}
}

// replace makes another version the newest, or none.
func (w *worker) replace(snap *snapshot) {
	if old := w.newest.Swap(snap); old != nil {
		old.supersede(protocol.ErrContentModified)
	}
}

// hold supersedes the present version by none until the next is submitted. What was
// published stays.
func (w *worker) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replace(nil)
	w.behind = time.Time{}
}

// drop is hold where nothing is to be left of what was published.
func (w *worker) drop() {
	w.hold()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown, w.last = nil, lastSlow{}
}

// close lets the worker end without another word.
func (w *worker) close() {
	w.drop()
	w.end()
	close(w.quick)
}

// run has the quick rules run over one version after the other, each on the trees of the
// one before.
func (w *worker) run() {
	large := false // the last version
	defer func() {
		if large {
			debug.FreeOSMemory()
		}
	}()
	doc := analyzer.NewDocument()
	defer func() { doc.Close() }()
	defer close(w.slow)
	w.session.appeared(w.path)
	defer w.session.appeared(w.path)
	for snap := range w.quick {
		large = snap.size() > keepBuffer // its tree takes a hundred times as much
		r, rest, err := w.analyze(doc, snap)
		switch err {
		case nil:
			w.conclude(snap, r, rest)
			w.session.edited(snap)
		case errBug:
			// The parser may have been left in the middle of something.
			doc.Close()
			doc = analyzer.NewDocument()
			fallthrough
		default:
			snap.finish(r, err)
		}
		w.session.typing.note()
	}
}

// errBug answers a request whose snapshot could not be analysed.
var errBug = jsonrpc2.NewError(jsonrpc2.InternalError, "tfmem has a bug: the analysis panicked; its log tells where")

// analyze reads a snapshot and runs the quick rules, but for one that was superseded.
// It leaves the slow rules, where they may find anything, as rest.
func (w *worker) analyze(doc *analyzer.Document, snap *snapshot) (r result, rest *rules.Rest, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.session.log.Error("tfmem has a bug: the analysis panicked", "path", w.path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			r, rest, err = result{}, nil, errBug
		}
	}()
	if snap.ctx.Err() != nil {
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
	if snap.ctx.Err() != nil {
		return result{}, nil, protocol.ErrContentModified
	}
	findings, rest := rules.Quick(r.file, r.selection)
	r.slow, r.found = r.file, w.session.foundIn(snap, findings)
	return r, rest, nil
}

// conclude has the slow rules run over a version after the quick ones, within what is cheap,
// and publishes what all of them find; or, where that is not known to be enough, what the
// quick ones found, and leaves the slow ones to the background.
func (w *worker) conclude(snap *snapshot, r result, rest *rules.Rest) {
	all, err := r.found, error(nil)
	if rest != nil {
		if err = analyzer.ErrTooLong; !w.dear.Load() {
			all, err = w.check(snap, r.found, func() ([]rule.Finding, error) { return rest.Check(snap.ctx, cheap) })
		}
	}
	if err == nil || snap.ctx.Err() != nil {
		snap.finish(r, nil)
		w.settle(snap, all, 0, err)
		return
	}
	w.dear.Store(true)
	r.slow = r.file.Detached()
	snap.finish(r, nil)
	w.show(snap)
	if old, replaced := w.slow.put(snap); replaced {
		old.settle(found{}, protocol.ErrContentModified)
	}
}

// check runs rules, and again where what is known of the file became stale meanwhile: nobody
// submits a file anew because it was saved. Where a rule has a bug, what the quick ones found is
// all.
func (w *worker) check(snap *snapshot, quick found, run func() ([]rule.Finding, error)) (all found, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			w.session.log.Error("tfmem has a bug: pricing panicked", "path", w.path, "version", snap.version, "panic", bug, "stack", string(debug.Stack()))
			all, err = quick, nil
		}
	}()
	findings, err := run()
	for err == analyzer.ErrStale {
		findings, err = run()
	}
	if err != nil {
		return found{}, err
	}
	return w.session.foundIn(snap, findings), nil
}

// background has the slow rules run over one version after the other, once nobody has typed
// for a while or somebody asks.
func (w *worker) background() {
	for snap := range w.slow {
		select {
		case <-snap.ctx.Done():
		case <-snap.asked:
		case <-time.After(quiet):
		}
		all, took, err := w.price(snap)
		w.settle(snap, all, took, err)
	}
}

// price has all rules run over a version, until it is superseded; or for a while at least,
// where that is overdue. It returns how long that took, or would have at least.
func (w *worker) price(snap *snapshot) (all found, took time.Duration, err error) {
	ctx, begun, while := snap.ctx, time.Now(), w.overdue()
	if while > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(w.ctx)
		defer cancel()
		defer time.AfterFunc(while, func() { context.AfterFunc(snap.ctx, cancel) }).Stop()
	}
	all, err = w.check(snap, snap.found, func() ([]rule.Finding, error) {
		return rules.CheckContext(ctx, snap.slow, snap.selection)
	})
	if err != nil && while == 0 {
		return all, 0, err
	}
	if err == nil && snap.slow.Steps() <= cheap {
		w.dear.Store(false)
	}
	return all, time.Since(begun), err
}

// overdue is how long versions may wait for the slow rules, where they have waited longer than
// that; else 0.
func (w *worker) overdue() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit := max(maxStaleness, staleFactor*w.took)
	if w.behind.IsZero() || time.Since(w.behind) <= limit {
		return 0
	}
	return limit
}

// show publishes what is known of a version that waits for the slow rules.
func (w *worker) show(snap *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.behind.IsZero() {
		w.behind = time.Now()
	}
	w.shown = snap
	w.publish(snap, w.provisional(snap))
}

// settle says what all rules found in a version, and publishes it, given how long that took in
// the background. Where a newer version still waits for them, what is shown of that follows.
func (w *worker) settle(snap *snapshot, all found, took time.Duration, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.took = max(w.took, took)
		snap.settle(found{}, protocol.ErrContentModified)
		return
	}
	snap.settle(all, nil)
	newest := w.newest.Load()
	if newest == nil || newest != snap && newest.settled.ok() {
		return
	}
	w.last, w.took, w.behind = lastSlowOf(snap, all.findings), took, time.Time{}
	if newest == snap {
		w.shown = nil
		w.publish(snap, all)
		return
	}
	w.behind = time.Now()
	if w.shown != nil {
		w.publish(w.shown, w.provisional(w.shown))
	}
}

// provisional is what is shown of a version that waits for the slow rules: what the quick
// ones found in it, and what the slow ones found last, where that stands now.
func (w *worker) provisional(snap *snapshot) found {
	rebased := w.last.rebase(snap)
	if len(rebased) == 0 {
		return snap.found
	}
	return w.session.foundIn(snap, rules.Sorted(append(rebased, snap.findings...)))
}

// foundIn are findings of a snapshot with what is shown of them.
func (s *session) foundIn(snap *snapshot, findings []rule.Finding) found {
	return found{findings, s.diagnosticsOf(snap, findings)}
}
