package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// The bounds within which a program is followed. A step is a node evaluated, or about as
// much work: a microsecond at most. No clock is read, so that the same text always has the
// same meaning, however slow or busy the machine is.
const (
	maxSteps      = 1_500_000 // of all; a second or two
	maxLoopSteps  = 200_000   // of a loop with all that runs in it, unless the Host prolongs it; what is left of it then runs once, as unknown; the next after one that took more may take half of that, then a third
	maxBranch     = 100_000   // of a side that a default does not take
	maxPass       = 50_000    // of the one turn that stands for all that is left of a loop
	maxUncalled   = 200_000   // of a function that nobody calls
	maxGenerator  = 20_000    // of a generator that is run to its end
	maxYields     = 4096      // of a generator
	maxItems      = 100_000   // of a list; also of a value with all that it holds, where that is gone through
	maxDeep       = 100       // containers within each other, where they are gone through; NumPy allows 64 dimensions
	maxText       = 1 << 20   // bytes of a string
	maxCalls      = 100       // of functions of the program within each other
	maxNesting    = 10_000    // of expressions and statements within each other, calls included
	hostCall      = 20        // the steps that a call of the Host counts
	bytesPerStep  = 96        // of memory that is made: all steps together make some 150 MB
	valueBytes    = 40        // of a Value
	stepsPerAsked = 1024      // how often While is asked
)

// bounds are how far an interpreter has gone and may go.
type bounds struct {
	steps, limit int
	end          int // the limit of all
	prolonged    int // steps that were added to limits
	overlong     int // the loops that were given up
	nesting      int
	calls        int
	exhausted    bool        // what runs now is over: everything unwinds to whoever set the limit
	ask          int         // the step at which to ask While next
	reported     int         // the steps that While was told of
	cancelled    bool        // While has said no
	at           syntax.Node // the statement of the main module that began last
	cut          Cut         // where a part of the program was first given up
}

const tooLong = "the program is too long to follow"

// allow lets a program run for so many more steps.
func (b *bounds) allow(steps int) {
	b.exhausted = false
	b.limit = b.steps + steps
	b.end = b.limit
	b.ask = b.steps
}

// A Cut tells that a part of a program was not run, as it takes too many steps.
type Cut struct {
	Node syntax.Node // the statement of the main module that had begun last
	Why  string      // a clause: "the program is too long to follow"
}

// Cut is where a part of the program was given up first; its Node is none where it was
// followed to its end.
func (in *Interp) Cut() Cut { return in.bounds.cut }

// giveUp notes that a part of the program is given up, unless the whole run was cancelled.
func (b *bounds) giveUp(why string) {
	if !b.cut.Node.Valid() && !b.cancelled {
		b.cut = Cut{b.at, why}
	}
}

// Spend counts steps for work on behalf of the program, also by a Host. It is false when
// the budget is used up; what is under way is then given up.
func (in *Interp) Spend(steps int) bool {
	b := &in.bounds
	b.steps = min(b.steps+steps, b.limit+1) // what there is no room for is not done
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

// Make counts the steps for memory that is about to be made on behalf of the program. What
// it is false for must not be made.
func (in *Interp) Make(bytes int64) bool { return in.Spend(int(min(bytes/bytesPerStep, maxSteps+1))) }

// makeItems is Make for so many values.
func (in *Interp) makeItems(n int) bool { return in.Make(int64(n) * valueBytes) }

// Work is Spend for a Host's work that counts towards the budget of the program, but not
// towards the budgets of the loops that are running.
func (in *Interp) Work(steps int) bool {
	in.Prolong(steps)
	return in.Spend(steps)
}

// Prolong adds steps to the budgets of the loops that are running. A Host calls it when
// they do what the program is followed for. Enough is left for the code after them.
func (in *Interp) Prolong(steps int) {
	b := &in.bounds
	if more := min(steps, b.end-maxLoopSteps-b.limit); more > 0 && !b.exhausted {
		b.limit += more
		b.prolonged += more
	}
}

// wanted asks whether the result of the program is still needed.
func (in *Interp) wanted() bool {
	if in.While == nil {
		return true
	}
	taken := in.bounds.steps - in.bounds.reported
	in.bounds.reported = in.bounds.steps
	return in.While(taken)
}

// within runs something that may take so many steps. It is false where they
// were not enough, and more are left to others.
func (in *Interp) within(steps int, run func()) (finished bool) {
	b := &in.bounds
	whole, prolonged := b.limit, b.prolonged
	b.limit = min(whole, b.steps+steps)
	run()
	if b.limit == 0 { // abandoned
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

// enter notes one more level of nesting, which leave leaves. It is false where
// there is no going deeper, or no going on.
func (in *Interp) enter() bool {
	in.bounds.nesting++
	return in.bounds.nesting <= maxNesting && in.Spend(1)
}

func (in *Interp) leave() { in.bounds.nesting-- }
