package lsp

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/plan"
	"github.com/tfmem/tfmem/rules/rule"
)

// quickBudget is the work, in steps of [analyzer.File.Step], that the slow rules may take before
// the findings of the quick rules are published. It is about the work of the quick rules. It
// counts steps, not time, so that the published findings do not depend on the machine.
const quickBudget = 20_000

// typingPause is how long the user must not have typed before background work begins: most
// keystrokes are followed by another.
const typingPause = 100 * time.Millisecond

// syntaxPause is how long the user must not have typed before new invalid syntax is shown.
const syntaxPause = 300 * time.Millisecond

// New versions stop the slow rules. If that has gone on for maxStaleness, or for staleFactor
// times their last duration, they finish one version despite newer ones. Otherwise someone who
// types without a pause would never see their findings.
const (
	maxStaleness = time.Second
	staleFactor  = 10
)

// An analysis holds the results for a snapshot, stage by stage. The fields below a stage are set
// once that stage has ended.
type analysis struct {
	// ctx is done when a newer version comes. submit sets it.
	ctx       context.Context
	supersede context.CancelCauseFunc

	read stage // the quick rules
	result

	settled stage // all rules
	all     found
	paused  stage // the user has paused: nothing is withheld any more
	asked   chan struct{}
	ask     func() // closes asked: a request waits for all rules

	estimated stage // pricing of the models for hovers, hints and lenses
	estimate  sync.Once
	models    *estimate.File

	planned stage // looking for changes that make the trainings fit, for quick fixes
	plan    sync.Once
	plans   *plan.Plans
}

// A result is a parsed file with the findings of the quick rules.
type result struct {
	file *analyzer.File
	// standing is what the answers are of: this version or, if it does not parse, an earlier one.
	standing *standing
	// slow is the file for slow queries: that of standing, or a copy with caches of its own.
	slow      *analyzer.File
	selection rules.Selection
	hints     []string                // the kinds that are shown; nil for all
	page      func(*rule.Rule) string // as in Configuration
	found
	wrong    []rule.Finding // those about text that does not parse
	withheld []source.Span  // the places of those that are not shown until paused
	before   *standing      // what stands on other lines until paused; nil if nobody types or the text does not parse
	typing   stretch        // what was typed since
}

// found holds findings, and each finding as a diagnostic.
type found struct {
	findings    []rule.Finding
	diagnostics []protocol.Diagnostic
}

func newAnalysis() analysis {
	asked := make(chan struct{})
	return analysis{
		read: newStage(), settled: newStage(), paused: newStage(), estimated: newStage(), planned: newStage(),
		asked: asked, ask: sync.OnceFunc(func() { close(asked) }),
	}
}

// finish ends the read stage with the result of the quick rules, or with an error.
func (a *analysis) finish(r result, err error) {
	a.result = r
	if a.read.end(err); err != nil {
		a.settle(found{}, err)
	}
}

// settle ends the settled stage with the findings of all rules, or with an error.
func (a *analysis) settle(all found, err error) {
	a.all = all
	a.settled.end(err)
}

// waitSettled returns when all rules have run, or with an error, as wait does. If the version is
// superseded meanwhile, the slow rules may never finish.
func (a *analysis) waitSettled(ctx context.Context) error {
	a.ask()
	return a.settled.wait(ctx)
}

// A stage is work on a snapshot that others wait for.
type stage struct {
	done chan struct{}
	err  error
}

func newStage() stage { return stage{done: make(chan struct{})} }

// end marks the work as done, or as failed with err.
func (s *stage) end(err error) {
	s.err = err
	close(s.done)
}

// wait returns when the work is done. It returns an error if the work failed or ctx ended first.
func (s *stage) wait(ctx context.Context) error {
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}

// ok reports whether the work is done without an error.
func (s *stage) ok() bool {
	select {
	case <-s.done:
		return s.err == nil
	default:
		return false
	}
}

// A queue has room for one value: a newer one replaces it. One goroutine puts.
type queue[T any] chan T

func newQueue[T any]() queue[T] { return make(queue[T], 1) }

// put returns the value that it replaces, if any. Nobody will receive that one.
func (q queue[T]) put(v T) (old T, replaced bool) {
	old, replaced = q.take()
	q <- v
	return old, replaced
}

// take returns the value that nobody has received yet, if any.
func (q queue[T]) take() (v T, ok bool) {
	select {
	case v, ok = <-q:
	default:
	}
	return v, ok
}

// A worker is the scheduler of one document. The package comment states its rules.
type worker struct {
	session    *session
	path       string
	ctx        context.Context // done when the document is closed
	end        context.CancelFunc
	quick      queue[*snapshot]              // for the quick rules
	slow       queue[*snapshot]              // for the slow rules, in the background
	newest     atomic.Pointer[snapshot]      // nil if no version counts
	overBudget atomic.Bool                   // the slow rules exceeded quickBudget in their last run
	telling    sync.Mutex                    // of importers, which hear of versions in order
	imported   atomic.Pointer[source.Source] // what importers read; nil for the newest text

	// The configuration of the document, read by run, and the generation of the settings that it
	// belongs to.
	configured bool
	generation uint64
	how        Configuration

	mu           sync.Mutex                       // shared by run, background and the reading goroutine; held while publishing
	published    map[string][]protocol.Diagnostic // by the URIs of the parts
	pulled       map[string]lastPulled            // results that answered a pull, by the URIs of the parts
	shown        *snapshot                        // the last published version, if its slow rules have not finished
	last         earlier                          // the last findings of the slow rules
	slowTime     time.Duration                    // a lower bound on how long the slow rules take
	waitingSince time.Time                        // since when a version has waited for the slow rules; zero if none waits
}

// newWorker starts a worker. It runs until close.
func (s *session) newWorker(path string) *worker {
	w := &worker{session: s, path: path, quick: newQueue[*snapshot](), slow: newQueue[*snapshot]()}
	w.ctx, w.end = context.WithCancel(s.ctx)
	s.tasks.Go(w.run)
	s.tasks.Go(w.background)
	return w
}

// submit makes snap the newest version and supersedes the one before. It does not wait.
func (w *worker) submit(snap *snapshot) {
	snap.ctx, snap.supersede = context.WithCancelCause(w.ctx)
	w.replace(snap)
	w.session.typing.note()
	if old, replaced := w.quick.take(); replaced {
		snap.skipped = append(old.skipped, old.layout)
		snap.skipped = snap.skipped[max(0, len(snap.skipped)-mostEnds):]
		old.finish(result{}, protocol.ErrContentModified)
	}
	w.quick.put(snap)
}

// replace sets the newest version, or none.
func (w *worker) replace(snap *snapshot) {
	if old := w.newest.Swap(snap); old != nil {
		old.supersede(protocol.ErrContentModified)
	}
}

// hold withdraws the newest version until the next submit. Its diagnostics stay.
func (w *worker) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replace(nil)
	w.waitingSince = time.Time{}
}

// drop is hold for diagnostics that are retracted too.
func (w *worker) drop() {
	w.hold()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown, w.last = nil, earlier{}
}

// close ends the worker. It publishes nothing more.
func (w *worker) close() {
	w.drop()
	w.end()
	close(w.quick)
}

// run analyses one version after the other with the quick rules. Each version reuses the tree of
// the one before.
func (w *worker) run() {
	large := false // the last version was
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
	var past history
	for snap := range w.quick {
		large = snap.size() > keepBuffer // its tree takes a hundred times as much memory
		for _, at := range snap.skipped {
			past.add(at)
		}
		past.add(snap.layout)
		r, err := w.analyze(doc, &past, snap)
		switch err {
		case nil:
			past.note(snap, &r)
			w.conclude(snap, r)
			if r.before == nil {
				w.tellImporters(snap, r.standing, nil)
			}
		case errBug:
			// The panic may have left the parser in the middle of an edit.
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
var errBug = jsonrpc2.NewError(jsonrpc2.InternalError, "tfmem has a bug: the analysis panicked; its log says where")

// analyze parses a snapshot and runs the quick rules, unless the snapshot is superseded.
func (w *worker) analyze(doc *analyzer.Document, past *history, snap *snapshot) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.session.log.Error("tfmem has a bug: the analysis panicked", "path", w.path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			r, err = result{}, errBug
		}
	}()
	if snap.ctx.Err() != nil {
		return result{}, protocol.ErrContentModified
	}
	if generation := w.session.generation.Load(); !w.configured || w.generation != generation {
		w.how = w.session.configure(w.path)
		w.configured, w.generation = true, generation
	}
	r.selection, r.hints, r.page = w.how.Selection, w.how.InlayHints, w.how.Page
	config := w.how.Config
	if snap.overlay != nil {
		snap.overlay.sync()
		config.Workspace = snap.overlay.workspace
	}
	r.file = doc.Analyze(snap.source, config)
	if snap.ctx.Err() != nil {
		return result{}, protocol.ErrContentModified
	}
	how, state := w.how, standingState{settings: w.generation, path: w.path, known: w.how.Baseline}
	if how.Config = config; config.Workspace != nil {
		state.modules = config.Workspace.Epoch(w.path)
	}
	if r.file.Broken() {
		r.wrong = state.unknown(r.file.Source, rules.Unparsed(r.file, r.selection))
		r.withheld = past.withheld(snap, r.wrong, r.selection)
		if r.standing, err = past.standing(snap.ctx, how, state); err != nil {
			return result{}, protocol.ErrContentModified
		}
	} else {
		r.before, r.typing = past.typedAfter(state), past.typing
	}
	if r.standing == nil {
		if r.standing, err = newStanding(snap.ctx, snap.layout, r.file, how, state); err != nil {
			return result{}, protocol.ErrContentModified
		}
	}
	r.slow, r.found = r.standing.slow, w.session.foundIn(snap, r.page, r.carried(&snap.layout, r.standing.found()))
	return r, nil
}

// conclude runs the slow rules within quickBudget and publishes all findings together. If the
// budget is too small, it publishes the findings of the quick rules and leaves the slow rules to
// the background.
func (w *worker) conclude(snap *snapshot, r result) {
	all, err := r.found, error(nil)
	if r.standing.all.Load() == nil {
		if err = analyzer.ErrTooLong; !w.overBudget.Load() {
			all, err = w.check(snap, &r, func() ([]rule.Finding, error) { return r.standing.rest.Check(snap.ctx, quickBudget) })
		}
	}
	switch {
	case len(r.withheld) > 0:
		defer w.session.tasks.Go(func() { w.showAfter(syntaxPause, snap) })
	case r.before != nil:
		defer w.session.tasks.Go(func() { w.showAfter(stretchPause, snap) })
	default:
		snap.paused.end(nil)
	}
	if err == nil || snap.ctx.Err() != nil {
		snap.finish(r, nil)
		w.settle(snap, all, 0, err)
		return
	}
	w.overBudget.Store(true)
	r.slow = r.standing.detached()
	snap.finish(r, nil)
	w.show(snap)
	if old, replaced := w.slow.put(snap); replaced {
		old.settle(found{}, protocol.ErrContentModified)
	}
}

// check runs rules, and runs them again if a file that they read changed meanwhile: a change on
// disk does not submit the document again. If a rule panics, the findings of the quick rules are
// all.
func (w *worker) check(snap *snapshot, r *result, run func() ([]rule.Finding, error)) (all found, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			w.session.log.Error("tfmem has a bug: pricing panicked", "path", w.path, "version", snap.version, "panic", bug, "stack", string(debug.Stack()))
			all, err = r.found, nil
		}
	}()
	findings, err := run()
	for err == analyzer.ErrStale {
		findings, err = run()
	}
	if err != nil {
		return found{}, err
	}
	findings = r.standing.state.unknown(r.standing.file.Source, findings)
	r.standing.all.Store(&findings)
	return w.session.foundIn(snap, r.page, r.carried(&snap.layout, findings)), nil
}

// background runs the slow rules on one version after the other. Each version waits until the
// user pauses or a request needs its findings.
func (w *worker) background() {
	for snap := range w.slow {
		select {
		case <-snap.ctx.Done():
		case <-snap.asked:
		case <-time.After(typingPause):
		}
		all, took, err := w.price(snap)
		w.settle(snap, all, took, err)
	}
}

// price runs all rules on a version until it is superseded. If the slow rules are overdue, they
// have at least that time. price returns a lower bound on their duration.
func (w *worker) price(snap *snapshot) (all found, took time.Duration, err error) {
	ctx, begun, while := snap.ctx, time.Now(), w.overdue()
	if while > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(w.ctx)
		defer cancel()
		defer time.AfterFunc(while, func() { context.AfterFunc(snap.ctx, cancel) }).Stop()
	}
	all, err = w.check(snap, &snap.result, func() ([]rule.Finding, error) {
		return rules.CheckContext(ctx, snap.slow, snap.selection)
	})
	if err != nil && while == 0 {
		return all, 0, err
	}
	if err == nil && snap.slow.Steps() <= quickBudget {
		w.overBudget.Store(false)
	}
	return all, time.Since(begun), err
}

// overdue returns how long versions may wait for the slow rules if they have waited longer than
// that, else 0.
func (w *worker) overdue() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit := max(maxStaleness, staleFactor*w.slowTime)
	if w.waitingSince.IsZero() || time.Since(w.waitingSince) <= limit {
		return 0
	}
	return limit
}

// show publishes the provisional findings of a version that waits for the slow rules.
func (w *worker) show(snap *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waitingSince.IsZero() {
		w.waitingSince = time.Now()
	}
	w.shown = snap
	w.publish(snap, w.provisional(snap))
}

// settle records and publishes the findings of all rules in a version, after a background run of
// the given duration. If a newer version still waits for the slow rules, its provisional findings
// are published again.
func (w *worker) settle(snap *snapshot, all found, took time.Duration, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.slowTime = max(w.slowTime, took)
		snap.settle(found{}, protocol.ErrContentModified)
		return
	}
	snap.settle(all, nil)
	newest := w.newest.Load()
	if newest == nil || newest != snap && newest.settled.ok() {
		return
	}
	w.last, w.slowTime, w.waitingSince = earlierOf(snap, all.findings, func(r *rule.Rule) bool { return r.Priced }), took, time.Time{}
	if newest == snap {
		w.shown = nil
		w.publish(snap, all)
		return
	}
	w.waitingSince = time.Now()
	if w.shown != nil {
		w.publish(w.shown, w.provisional(w.shown))
	}
}

// provisional returns the findings to show while a version waits for the slow rules: its own
// quick findings, and the last slow findings at their new places.
func (w *worker) provisional(snap *snapshot) found {
	rebased := w.last.rebase(&snap.layout, snap.selection)
	if len(rebased) == 0 {
		return snap.found
	}
	return w.session.foundIn(snap, snap.page, rules.Sorted(append(rebased, snap.findings...)))
}

// showAfter publishes what is withheld of a version, once the user pauses.
func (w *worker) showAfter(pause time.Duration, snap *snapshot) {
	select {
	case <-snap.ctx.Done():
		return
	case <-time.After(pause):
	}
	if snap.before != nil {
		w.tellImporters(snap, snap.standing, func() bool { return w.newest.Load() == snap })
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	snap.paused.end(nil)
	if snap.settled.ok() {
		w.publish(snap, snap.all)
	} else {
		w.publish(snap, w.provisional(snap))
	}
}

// foundIn returns findings together with their diagnostics.
func (s *session) foundIn(snap *snapshot, page func(*rule.Rule) string, findings []rule.Finding) found {
	logBugs(s.log, snap.source.Path, findings)
	return found{findings, s.diagnosticsOf(snap, page, findings)}
}

// logBugs logs the rules that failed on a file. What the others found stands.
func logBugs(log *slog.Logger, path string, findings []rule.Finding) {
	for _, f := range findings {
		if f.Bug != nil {
			log.Error("tfmem has a bug: a rule panicked", "path", path, "rule", f.Bug.Rule.Code, "panic", f.Bug.Value, "stack", string(f.Bug.Stack))
		}
	}
}
