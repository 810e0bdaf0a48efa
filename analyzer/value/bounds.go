package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// The bounds on interpreting a program. A step is one evaluated node, or about as much
// work: at most a microsecond. No clock is read, so the same text always has the same
// meaning, however slow or busy the machine is.
const (
	maxSteps      = 1_500_000 // in total; a second or two
	maxLoopSteps  = 200_000   // of a loop with everything in it, unless the Host prolongs it; the rest then runs once, widened; the loop after one that took more gets half of that, the next a third
	maxBranch     = 100_000   // of the side that an overridable default does not take
	maxPass       = 50_000    // of the one iteration that stands for all remaining ones of a loop
	maxUncalled   = 200_000   // of a function that nobody calls
	maxGenerator  = 20_000    // of running a generator to its end
	maxYields     = 4096      // of a generator
	maxItems      = 100_000   // of a list; also of a value with everything in it, when it is traversed
	maxDeep       = 100       // nesting of containers that are traversed; NumPy allows 64 dimensions
	maxText       = 1 << 20   // bytes of a string
	maxCalls      = 100       // nesting of calls of the program's functions
	maxNesting    = 10_000    // nesting of expressions and statements, including calls
	hostCall      = 20        // steps charged for a call of the Host
	bytesPerStep  = 96        // of allocated memory: all steps together allocate some 150 MB
	valueBytes    = 40        // size of a Value
	stepsPerAsked = 1024      // steps between calls of While
)

// bounds tracks how much an interpreter has done and may still do.
type bounds struct {
	steps, limit int
	end          int // limit of the whole run
	prolonged    int // steps that were added to limits
	overlong     int // number of loops that were cut short
	nesting      int
	calls        int
	exhausted    bool        // the current code is over: everything unwinds to whoever set the limit
	ask          int         // the step at which to call While next
	reported     int         // the steps that While has been told of
	cancelled    bool        // While has returned false
	at           syntax.Node // the statement of the main module that started last
	cut          Cut         // where a part of the program was first cut short
}

var tooLong = Shared(TooLong, "the program is too long to follow")

// allow grants that many more steps.
func (b *bounds) allow(steps int) {
	b.exhausted = false
	b.limit = b.steps + steps
	b.end = b.limit
	b.ask = b.steps
}

// A Cut says that a part of the program was not run because it would take too many
// steps.
type Cut struct {
	Node syntax.Node // the statement of the main module that had started last
	Why  *Cause
}

// Cut returns where the program was first cut short; its Node is invalid if the program
// ran to its end.
func (in *Interp) Cut() Cut { return in.bounds.cut }

// giveUp records that a part of the program is cut short, unless the whole run was
// cancelled.
func (b *bounds) giveUp(why *Cause) {
	if !b.cut.Node.Valid() && !b.cancelled {
		b.cut = Cut{b.at, why}
	}
}

// Spend counts steps of work done for the program, also by a Host. It returns false
// when the budget is used up; the work in progress is then abandoned.
func (in *Interp) Spend(steps int) bool {
	b := &in.bounds
	b.steps = min(b.steps+steps, b.limit+1) // work that exceeds the limit is not done
	if b.steps > b.limit {
		b.exhausted = true
		if b.limit == b.end {
			b.giveUp(tooLong)
		}
	} else if b.steps >= b.ask {
		b.ask = b.steps + stepsPerAsked
		if b.cancelled = b.cancelled || !in.wanted(); b.cancelled {
			b.limit, b.exhausted = 0, true
		}
	}
	return !b.exhausted
}

// Make charges the steps for memory that is about to be allocated for the program. If
// it returns false, the memory must not be allocated.
func (in *Interp) Make(bytes int64) bool { return in.Spend(int(min(bytes/bytesPerStep, maxSteps+1))) }

// makeItems calls Make for n values.
func (in *Interp) makeItems(n int) bool { return in.Make(int64(n) * valueBytes) }

// Work is Spend for a Host's work that counts towards the program's budget, but not
// towards those of the running loops.
func (in *Interp) Work(steps int) bool {
	in.Prolong(steps)
	return in.Spend(steps)
}

// Prolong adds steps to the budgets of the running loops. A Host calls it while they do
// what the program is interpreted for. Enough steps remain for the code after them.
func (in *Interp) Prolong(steps int) {
	b := &in.bounds
	if more := min(steps, b.end-maxLoopSteps-b.limit); more > 0 && !b.exhausted {
		b.limit += more
		b.prolonged += more
	}
}

// wanted reports whether the result of the program is still needed.
func (in *Interp) wanted() bool {
	if in.While == nil {
		return true
	}
	taken := in.bounds.steps - in.bounds.reported
	in.bounds.reported = in.bounds.steps
	return in.While(taken)
}

// within runs something within a budget of steps. It returns false if the budget ran
// out while the caller still has steps left.
func (in *Interp) within(steps int, run func()) (finished bool) {
	b := &in.bounds
	whole, prolonged := b.limit, b.prolonged
	b.limit = min(whole, b.steps+steps)
	run()
	if b.limit == 0 { // cancelled
		return true
	}
	whole = max(whole, min(whole+b.prolonged-prolonged, b.end-maxLoopSteps))
	b.limit = whole
	if b.exhausted && b.steps <= whole {
		b.exhausted = false
		return false
	}
	return true
}

// enter goes one level of nesting deeper; leave undoes it. It returns false if the
// nesting is too deep or the budget is used up.
func (in *Interp) enter() bool {
	in.bounds.nesting++
	return in.bounds.nesting <= maxNesting && in.Spend(1)
}

// leave goes one level back up.
func (in *Interp) leave() { in.bounds.nesting-- }
