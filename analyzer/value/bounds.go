package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// The bounds on interpreting a program. A step is one evaluated node, or about as much
// work: at most a microsecond. No clock is read, so the same text always has the same
// meaning, however slow or busy the machine is.
const (
	MaxSteps      = 1_500_000 // in total; a second or two
	MaxLoopSteps  = 200_000   // of a loop with everything in it, unless the Host prolongs it; the rest then runs once, widened; the loop after one that took more gets half of that, the next a third
	MaxBranch     = 100_000   // of the side that an overridable default does not take
	MaxPass       = 50_000    // of the one iteration that stands for all remaining ones of a loop
	MaxUncalled   = 100_000   // of a function that nobody calls
	MaxGenerator  = 20_000    // of running a generator to its end
	MaxYields     = 4096      // of a generator
	MaxDrawn      = 512       // items taken one by one of a sequence of which only the length is known
	MaxItems      = 100_000   // of a list; also of a value with everything in it, when it is traversed
	maxDeep       = 100       // nesting of containers that are traversed; NumPy allows 64 dimensions
	MaxText       = 1 << 20   // bytes of a string
	MaxCalls      = 100       // nesting of calls of the program's functions
	maxNesting    = 10_000    // nesting of expressions and statements, including calls
	HostCall      = 20        // steps charged for a call of the Host
	bytesPerStep  = 96        // of allocated memory: all steps together allocate some 150 MB
	valueBytes    = 40        // size of a Value
	bytesPerCount = 256       // of a text whose lines are counted
	maxCounted    = 64 << 20  // bytes of such texts in all
	stepsPerAsked = 1024      // steps between calls of while
)

// Bounds tracks how much an interpreter has done and may still do.
type Bounds struct {
	Steps, limit int
	end          int // limit of the whole run
	prolonged    int // steps that were added to limits
	Overlong     int // number of loops that were cut short
	Nesting      int
	Calls        int
	Exhausted    bool // the current code is over: everything unwinds to whoever set the limit
	ask          int  // the step at which to call while next
	reported     int  // the steps that while has been told of
	while        func(steps int) bool
	Cancelled    bool        // while has returned false
	At           syntax.Node // the statement of the main module that started last
	cut          Cut         // where a part of the program was first cut short
}

var OutOfSteps = Shared(TooLong, "the program is too long to follow")

// Allow grants that many more steps.
func (b *Bounds) Allow(steps int) {
	b.Exhausted = false
	b.limit = b.Steps + steps
	b.end = b.limit
	b.ask = b.Steps
}

// AskWhile makes the interpreter call while now and then, with the steps taken since. If it returns
// false, the interpretation stops.
func (b *Bounds) AskWhile(while func(steps int) bool) { b.while = while }

// A Cut says that a part of the program was not run because it would take too many
// steps.
type Cut struct {
	Node syntax.Node // the statement of the main module that had started last
	Why  *Cause
}

// Cut returns where the program was first cut short; its Node is invalid if the program
// ran to its end.
func (b *Bounds) Cut() Cut { return b.cut }

// GiveUp records that a part of the program is cut short, unless the whole run was
// cancelled.
func (b *Bounds) GiveUp(why *Cause) {
	if !b.cut.Node.Valid() && !b.Cancelled {
		b.cut = Cut{b.At, why}
	}
}

// Spend counts steps of work done for the program, also by a Host. It returns false
// when the budget is used up; the work in progress is then abandoned.
func (b *Bounds) Spend(steps int) bool {
	b.Steps = min(b.Steps+steps, b.limit+1) // work that exceeds the limit is not done
	if b.Steps > b.limit {
		b.Exhausted = true
		if b.limit == b.end {
			b.GiveUp(OutOfSteps)
		}
	} else if b.Steps >= b.ask {
		b.ask = b.Steps + stepsPerAsked
		if b.Cancelled = b.Cancelled || !b.wanted(); b.Cancelled {
			b.limit, b.Exhausted = 0, true
		}
	}
	return !b.Exhausted
}

// Make charges the steps for memory that is about to be allocated for the program. If
// it returns false, the memory must not be allocated.
func (b *Bounds) Make(bytes int64) bool { return b.Spend(int(min(bytes/bytesPerStep, MaxSteps+1))) }

// MakeItems calls Make for n values.
func (b *Bounds) MakeItems(n int) bool { return b.Make(int64(n) * valueBytes) }

// Work is Spend for a Host's work that counts towards the program's budget, but not
// towards those of the running loops.
func (b *Bounds) Work(steps int) bool {
	b.Prolong(steps)
	return b.Spend(steps)
}

// Prolong adds steps to the budgets of the running loops. A Host calls it while they do
// what the program is interpreted for. Enough steps remain for the code after them.
func (b *Bounds) Prolong(steps int) {
	if more := min(steps, b.end-MaxLoopSteps-b.limit); more > 0 && !b.Exhausted {
		b.limit += more
		b.prolonged += more
	}
}

// wanted reports whether the result of the program is still needed.
func (b *Bounds) wanted() bool {
	if b.while == nil {
		return true
	}
	taken := b.Steps - b.reported
	b.reported = b.Steps
	return b.while(taken)
}

// Left is how many steps the running code may still take.
func (b *Bounds) Left() int { return max(0, b.limit-b.Steps) }

// Within runs something within a budget of steps. It returns false if the budget ran
// out while the caller still has steps left.
func (b *Bounds) Within(steps int, run func()) (finished bool) {
	whole, prolonged := b.limit, b.prolonged
	b.limit = min(whole, b.Steps+steps)
	run()
	if b.limit == 0 { // cancelled
		return true
	}
	whole = max(whole, min(whole+b.prolonged-prolonged, b.end-MaxLoopSteps))
	b.limit = whole
	if b.Exhausted && b.Steps <= whole {
		b.Exhausted = false
		return false
	}
	return true
}

// DryRun runs something within a budget of steps, then undoes what it changed.
func (in *Interp) DryRun(steps int, run func()) {
	frame, depth := in.Frame, len(in.Journal)
	in.Begin()
	in.Within(steps, run)
	in.Commit(depth + 1)
	in.Frame = frame
	in.End().Undo()
}

// Enter goes one level of nesting deeper; leave undoes it. It returns false if the
// nesting is too deep or the budget is used up.
func (b *Bounds) Enter() bool {
	b.Nesting++
	return b.Nesting <= maxNesting && b.Spend(1)
}

// Leave goes one level back up.
func (b *Bounds) Leave() { b.Nesting-- }
