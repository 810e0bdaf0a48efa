package lsp

import (
	"runtime/debug"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// The rules that price models may take longer than a person types a letter. What the
// others find is published before, unless pricing is cheap; and until a version is
// priced, what was found in the one that was priced last stays where it is.

// cheap is the work, in steps of [analyzer.File.Spend], that the publication of a
// version waits for: about as long as the quick rules take. It is not measured in time,
// so that what a client is told does not depend on the machine.
const cheap = 20_000

// pause is how long nobody must have typed before a document is priced for which that
// is not cheap, unless somebody asks: most keys are followed by another.
const pause = 100 * time.Millisecond

// overdue is how long newer versions may keep a document from being priced, and patient
// how many times as long as it last took. Then one is priced to its end while somebody types,
// lest prices wait for him to stop; nor must typing wait for prices. A version that has been
// there for so long, or for twice as long as pricing takes, is no longer kept waiting by one
// before it, which may never come to its end.
const (
	overdue = time.Second
	patient = 10
)

// slice is how long a version is priced at least, while somebody types, before it steps
// aside for the analysis of newer ones: prices are in no hurry then, and a second core is
// seldom a whole one more.
const (
	slice = time.Millisecond
	aside = 4 * slice
)

// A pricing is a version that the rules which price models are to run over.
type pricing struct {
	snap *snapshot
	rest *rules.Rest
	slow chan struct{} // closed where it turns out not to be cheap
	// stale is closed when a newer version comes to be priced.
	stale chan struct{}
}

// conclude publishes a version that the quick rules have run over, and has the rest of
// the rules run, which may be nil.
func (w *worker) conclude(snap *snapshot, rest *rules.Rest) {
	if rest == nil {
		w.settle(snap, snap.found, nil, 0)
		return
	}
	w.supersede()
	w.stale = make(chan struct{})
	p := pricing{snap, rest, make(chan struct{}), w.stale}
	if w.slow.Load() {
		w.show(snap)
		w.pricing <- p
		return
	}
	w.pricing <- p
	select {
	case <-snap.settled:
	case <-p.slow:
	}
	w.show(snap)
}

// show publishes what is known of a version, once, unless it was priced: then all is
// published.
func (w *worker) show(snap *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown == snap || snap.isSettled() {
		return
	}
	w.shown = snap
	w.publish(snap, w.provisional(snap))
}

// supersede gives up the version that waits to be priced, and notes since when one does.
func (w *worker) supersede() {
	if w.stale != nil {
		close(w.stale)
	}
	select {
	case old := <-w.pricing:
		old.snap.settle(found{}, protocol.ErrContentModified)
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.behind.IsZero() {
		w.behind = time.Now()
	}
}

// price runs the rules that price models over one version after the other.
func (w *worker) price() {
	for p := range w.pricing {
		if w.slow.Load() {
			p.pause()
		}
		begun := time.Now()
		all, err := w.complete(p)
		w.settle(p.snap, all, err, time.Since(begun))
	}
}

// pause waits for a while, lest a newer version come, unless somebody asks.
func (p pricing) pause() {
	select {
	case <-p.stale:
	case <-p.snap.asked:
	case <-time.After(pause):
	}
}

// stepAside waits while newer versions are analysed, unless somebody asks.
func (p pricing) stepAside() {
	select {
	case <-p.snap.asked:
	case <-time.After(aside):
	}
}

// complete runs the rest of the rules over a version, as long as it is of use. Where
// one of them has a bug, what the quick rules found is all.
func (w *worker) complete(p pricing) (all found, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			w.session.log.Error("tfmem has a bug: pricing panicked", "path", w.path, "version", p.snap.version, "panic", bug, "stack", string(debug.Stack()))
			all, err = p.snap.found, nil
		}
	}()
	spent := 0
	slow := sync.OnceFunc(func() {
		if !w.slow.Swap(true) {
			w.show(p.snap) // now: the price may come before conclude, which waits, is awake
		}
		close(p.slow)
	})
	rested := time.Now()
	findings, ok := p.rest.Check(func(steps int) bool {
		if spent += steps; spent > cheap {
			slow()
		}
		if !w.wanted(p.snap) {
			return false
		}
		if time.Since(rested) > slice && w.newest.Load() != p.snap {
			p.stepAside()
			rested = time.Now()
		}
		return true
	})
	if !ok {
		return found{}, protocol.ErrContentModified
	}
	if spent <= cheap {
		w.slow.Store(false)
	}
	return w.session.foundIn(p.snap, findings), nil
}

// wanted tells whether pricing a version is of use: no newer one has come, or none was
// priced for too long while ever newer ones come.
func (w *worker) wanted(snap *snapshot) bool {
	newest := w.newest.Load()
	if newest == nil || newest == snap {
		return newest == snap
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.behind.IsZero() && time.Since(w.behind) > max(overdue, patient*w.took) && time.Since(newest.came) <= max(overdue, 2*w.took)
}

// settle says what all rules found in a version, and publishes it, given how long
// pricing took. Where a newer one is not priced yet, what is shown of that follows.
func (w *worker) settle(snap *snapshot, all found, err error, took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	snap.settle(all, err)
	newest := w.newest.Load()
	if err != nil {
		w.took = max(w.took, took) // it would have taken longer
	}
	if err != nil || newest == nil || newest != snap && newest.isSettled() {
		return
	}
	w.last, w.took = pricedVersion(snap, all.findings), took
	w.behind = time.Time{}
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

// provisional is what is shown of a version that is not priced: what the quick rules
// found in it, and what the others did in the version that was priced last, where that
// stands now.
func (w *worker) provisional(snap *snapshot) found {
	carried := w.last.carry(snap)
	if len(carried) == 0 {
		return snap.found
	}
	return merge(w.session.foundIn(snap, rules.Sorted(carried)), snap.found)
}

// merge puts together what was found of one snapshot, both in order of their places.
func merge(a, b found) found {
	n := len(a.findings) + len(b.findings)
	all := found{make([]rule.Finding, 0, n), make([]protocol.Diagnostic, 0, n)}
	for len(all.findings) < n {
		from := &b
		if len(b.findings) == 0 || len(a.findings) > 0 && rules.Compare(&a.findings[0], &b.findings[0]) <= 0 {
			from = &a
		}
		all.findings, all.diagnostics = append(all.findings, from.findings[0]), append(all.diagnostics, from.diagnostics[0])
		from.findings, from.diagnostics = from.findings[1:], from.diagnostics[1:]
	}
	return all
}

// foundIn are findings of a snapshot with what is shown of them.
func (s *session) foundIn(snap *snapshot, findings []rule.Finding) found {
	return found{findings, s.diagnosticsOf(snap, findings)}
}
