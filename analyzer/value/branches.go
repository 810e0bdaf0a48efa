package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// A control says how a statement ended.
type control uint8

const (
	next control = iota
	breaks
	continues
	returns
	raises
	outOfBudget // the budget is used up: see bounds
)

// An outcome is one way in which code may end, with the changes it makes on that way.
type outcome struct {
	how     control
	value   Value // of a return statement
	changes *delta
}

// A pendingExit is a point after which code runs only if it has not already ended in
// one of several ways. A journal records the changes since then.
type pendingExit struct {
	ended []outcome
	why   *Cause
}

var nothing = &delta{}

// speculate runs code that may or may not run, then undoes its changes and returns them
// as outcomes.
func (in *Interp) speculate(run func() control) []outcome {
	f, depth := in.frame, len(in.journal)
	mark := len(f.open)
	in.begin()
	how := run()
	if how == outOfBudget || in.bounds.exhausted {
		f.open = f.open[:mark]
		in.frame = f
		in.commit(depth + 1)
		in.end().undo()
		return []outcome{{how: outOfBudget, changes: nothing}}
	}
	ways := in.collect(f, mark, how)
	d := in.end()
	d.undo()
	for i := range ways {
		ways[i].changes = in.then(d, ways[i].changes)
	}
	return ways
}

// speculateOptional runs code that may or may not run, and continues after it.
func (in *Interp) speculateOptional(why *Cause, run func() control) control {
	ways := in.speculate(run)
	if ways[0].how == outOfBudget {
		return outOfBudget
	}
	return in.continueWith(append(ways, outcome{how: next, changes: nothing}), why)
}

// collect closes the pending exits of a frame from mark on. It returns how the code
// since the first of them may have ended, each way with its changes since then, and
// restores the state at that point.
func (in *Interp) collect(f *frame, mark int, how control) []outcome {
	ways := []outcome{{how, f.result, nothing}}
	for len(f.open) > mark {
		o := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		d := in.end()
		d.undo()
		for i := range ways {
			ways[i].changes = in.then(d, ways[i].changes)
		}
		ways = in.joinByExit(append(ways, o.ended...), o.why)
	}
	return ways
}

// joinByExit joins outcomes that end in the same way. It drops those that raise if
// there are others, because the code that follows is only reached without an exception.
func (in *Interp) joinByExit(ways []outcome, why *Cause) []outcome {
	var out []outcome
	for how := next; how <= outOfBudget; how++ {
		var deltas []*delta
		var value Value
		for _, w := range ways {
			if w.how != how {
				continue
			}
			if len(deltas) == 0 {
				value = w.value
			} else if how == returns {
				value = in.join(value, w.value, why)
			}
			deltas = append(deltas, w.changes)
		}
		if len(deltas) > 0 && (how != raises || len(out) == 0) {
			out = append(out, outcome{how, value, in.joinDeltas(why, deltas...)})
		}
	}
	return out
}

// continueWith continues after code that may have ended in one of several ways. It
// takes the first and records the others until the frame or loop that they leave ends.
func (in *Interp) continueWith(ways []outcome, why *Cause) control {
	ways = in.joinByExit(ways, why)
	f, first := in.frame, ways[0]
	if last := ways[len(ways)-1]; last.how == outOfBudget {
		return outOfBudget
	}
	if len(ways) > 1 {
		in.begin()
		f.open = append(f.open, pendingExit{ways[1:], why})
	}
	in.redo(first.changes)
	f.result = first.value
	return first.how
}

// closeExits closes the pending exits of a frame from mark on and continues. Ways that
// end as one of alsoEnds reach the code that follows, too.
func (in *Interp) closeExits(f *frame, mark int, how control, alsoEnds ...control) control {
	if len(f.open) <= mark || in.bounds.exhausted {
		return how
	}
	why := f.open[mark].why
	ways := in.collect(f, mark, how)
	for i := range ways {
		for _, end := range alsoEnds {
			if ways[i].how == end {
				ways[i].how = next
			}
		}
	}
	return in.continueWith(ways, why)
}

// whyTest says why a value depends on an unknown test.
func (in *Interp) whyTest(test syntax.Node, v Value) *Cause {
	text := test.Text()
	const room = 40
	if len(text) > room {
		text = text[:room] + "…"
	}
	return Because(UndecidedBranch, "depends on %s: the test on line %d is not known (%s)", text, in.line(test), in.unknownTruth(v).Cause()).On(test)
}

// decide runs one of two pieces of code, according to a test. If the test is unknown,
// it runs both and joins them. If the test depends on an overridable default, it also
// follows the other side, and marks what that side would have changed as overridable.
func (in *Interp) decide(test syntax.Node, v Value, yes, no func() control) control {
	truth, known := in.Truth(v)
	if !known {
		why := in.whyTest(test, v)
		ways := in.speculate(yes)
		if ways[0].how == outOfBudget {
			return outOfBudget
		}
		ways = append(ways, in.speculate(no)...)
		return in.continueBy(v, ways, why)
	}
	meant, other := yes, no
	if !truth {
		meant, other = no, yes
	}
	if !v.Overridable {
		return meant()
	}
	var ways []outcome
	in.within(maxBranch, func() { ways = in.speculate(other) })
	depth, mark := len(in.journal), len(in.frame.open)
	in.begin()
	how := meant()
	if len(in.frame.open) > mark || how == outOfBudget || in.bounds.exhausted {
		// The journal goes below those of the pending exits.
		in.dissolve(depth)
		return how
	}
	in.markOverridable(ways, how)
	in.commit(depth)
	return how
}

// selectBy lets a test that is an Object choose between joined values until the
// returned function is called.
func (in *Interp) selectBy(test Value) (after func()) {
	in.selector, _ = test.X.(Object)
	return func() { in.selector = nil }
}

// continueBy is continueWith after a test.
func (in *Interp) continueBy(test Value, ways []outcome, why *Cause) control {
	defer in.selectBy(test)()
	return in.continueWith(ways, why)
}

// Branches runs functions, one of which the program runs according to an unknown test,
// and joins their results.
func (in *Interp) Branches(test Value, why *Cause, runs ...func() Value) Value {
	var ways []outcome
	var values []Value
	for _, run := range runs {
		more := in.speculate(func() control {
			values = append(values, run())
			return next
		})
		if more[0].how == outOfBudget {
			return tooLong.Unknown()
		}
		ways = append(ways, more...)
	}
	in.continueBy(test, ways, why)
	defer in.selectBy(test)()
	v := values[0]
	for _, other := range values[1:] {
		v = in.join(v, other, why)
	}
	return v
}

// markOverridable marks values that depend on an overridable default: those that differ
// between the side that was taken, since the innermost journal began, and the other
// side's ways.
func (in *Interp) markOverridable(ways []outcome, how control) {
	j := in.journal[len(in.journal)-1]
	soften := func(c cell, other any) {
		v, ok := c.(variable)
		if !ok {
			return
		}
		if now, _ := v.space.Get(v.name); now.Known() && !now.Overridable && in.Followable(now) && !same(now, other.(Value), 4) {
			now.Overridable = true
			in.set(v.space, v.name, now)
		}
	}
	for _, w := range ways {
		if w.how == returns && how != returns {
			in.frame.fallback = append(in.frame.fallback, w.value)
		}
		other := w.changes
		switch w.how {
		case next:
		case raises: // the cell keeps its old content on that side
			other = nothing
		default:
			continue
		}
		for _, c := range other.changes {
			soften(c.cell, c.new)
		}
		for _, c := range j.order {
			if _, ok := other.after(c); !ok {
				soften(c, j.old[c])
			}
		}
	}
	if how == returns && in.frame.result.Known() {
		in.frame.result.Overridable = true
	}
}
