package value

import (
	"time"
)

// The bounds within which a program is followed. A step is a node evaluated, or
// about as much work.
const (
	maxSteps      = 1_000_000       // of all
	maxLoopSteps  = 200_000         // of a loop with all that runs in it, unless the Host prolongs it; what is left of it then runs once, as unknown; the next after one that took more may take half of that, then a third
	maxBranch     = 100_000         // of a side that a default does not take
	maxPass       = 50_000          // of the one turn that stands for all that is left of a loop
	maxUncalled   = 200_000         // of a function that nobody calls
	maxGenerator  = 20_000          // of a generator that is run to its end
	maxYields     = 4096            // of a generator
	maxItems      = 100_000         // of a list
	maxText       = 1 << 20         // bytes of a string
	maxCalls      = 100             // of functions of the program within each other
	maxNesting    = 10_000          // of expressions and statements within each other, calls included
	maxTime       = 5 * time.Second // for what steps do not measure; a slow machine must not change an answer
	hostCall      = 20              // the steps that a call of the Host counts
	stepsPerClock = 1024            // how often the clock is read
)

// bounds are how far an interpreter has gone and may go.
type bounds struct {
	steps, limit int
	end          int // the limit of all
	prolonged    int // steps that were added to limits
	overlong     int // the loops that were given up
	nesting      int
	calls        int
	stopped      bool // what runs now is over: everything unwinds to whoever set the limit
	clock        int  // the step at which to read the clock next
	told         int  // the steps that While was told of
	abandoned    bool // While has said no
	deadline     time.Time
}

const tooLong = "the program is too long to follow"

// allow lets a program run for so many more steps, and starts the clock.
func (b *bounds) allow(steps int) {
	b.stopped = false
	b.limit = b.steps + steps
	b.end = b.limit
	b.clock = b.steps
	b.deadline = time.Now().Add(maxTime)
}

// Spend counts steps for work that a Host does on behalf of the program. It is
// false once there is no more to spend; what is under way is then given up.
func (in *Interp) Spend(steps int) bool {
	b := &in.bounds
	b.steps += steps
	if b.steps > b.limit {
		b.stopped = true
	} else if b.steps >= b.clock {
		b.clock = b.steps + stepsPerClock
		b.abandoned = b.abandoned || !in.wanted()
		if b.abandoned || time.Now().After(b.deadline) {
			b.limit, b.stopped = 0, true
		}
	}
	return !b.stopped
}

// Prolong lets the loops that are under way take so many steps more, as a Host wants it
// that sees them do what it follows the program for. What comes after them is left enough.
func (in *Interp) Prolong(steps int) {
	b := &in.bounds
	if more := min(steps, b.end-maxLoopSteps-b.limit); more > 0 && !b.stopped {
		b.limit += more
		b.prolonged += more
	}
}

// wanted asks whether what the program computes is still of use.
func (in *Interp) wanted() bool {
	if in.While == nil {
		return true
	}
	taken := in.bounds.steps - in.bounds.told
	in.bounds.told = in.bounds.steps
	return in.While(taken)
}

// within runs something that may take so many steps. It is false where they
// were not enough, and more are left to others.
func (in *Interp) within(steps int, run func()) (finished bool) {
	b := &in.bounds
	whole, prolonged := b.limit, b.prolonged
	b.limit = min(whole, b.steps+steps)
	run()
	if b.limit == 0 { // out of time
		return true
	}
	whole = max(whole, min(whole+b.prolonged-prolonged, b.end-maxLoopSteps))
	b.limit = whole
	if b.stopped && b.steps <= whole {
		b.stopped = false
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
