package value

// A Control says how a statement ended.
type Control uint8

const (
	GoesOn Control = iota
	Breaks
	Continues
	Returns
	Throws
	OutOfBudget // the budget is used up: see bounds
)

// An Outcome is one way in which code may end, with the changes it makes on that way.
type Outcome struct {
	How     Control
	Value   Value // of a return statement
	Changes *Delta
}

// A PendingExit is a point after which code runs only if it has not already ended in
// one of several ways. A journal records the changes since then.
type PendingExit struct {
	ended []Outcome
	Why   *Cause
}

var Nothing = &Delta{}

// Speculate runs code that may or may not run, then undoes its changes and returns them
// as outcomes.
func (in *Interp) Speculate(run func() Control) []Outcome {
	f, depth := in.Frame, len(in.Journal)
	mark := len(f.Open)
	in.Begin()
	how := run()
	if how == OutOfBudget || in.Bounds.Exhausted {
		f.Open = f.Open[:mark]
		in.Frame = f
		in.Commit(depth + 1)
		in.End().Undo()
		return []Outcome{{How: OutOfBudget, Changes: Nothing}}
	}
	ways := in.Collect(f, mark, how)
	d := in.End()
	d.Undo()
	for i := range ways {
		ways[i].Changes = in.then(d, ways[i].Changes)
	}
	return ways
}

// SpeculateOptional runs code that may or may not run, and continues after it.
func (in *Interp) SpeculateOptional(why *Cause, run func() Control) Control {
	ways := in.Speculate(run)
	if ways[0].How == OutOfBudget {
		return OutOfBudget
	}
	return in.ContinueWith(append(ways, Outcome{How: GoesOn, Changes: Nothing}), why)
}

// Collect closes the pending exits of a frame from mark on. It returns how the code
// since the first of them may have ended, each way with its changes since then, and
// restores the state at that point.
func (in *Interp) Collect(f *Frame, mark int, how Control) []Outcome {
	ways := []Outcome{{how, f.Result, Nothing}}
	for len(f.Open) > mark {
		o := f.Open[len(f.Open)-1]
		f.Open = f.Open[:len(f.Open)-1]
		d := in.End()
		d.Undo()
		for i := range ways {
			ways[i].Changes = in.then(d, ways[i].Changes)
		}
		ways = in.joinByExit(append(ways, o.ended...), o.Why)
	}
	return ways
}

// joinByExit joins outcomes that end in the same way. It drops those that raise if
// there are others, because the code that follows is only reached without an exception.
func (in *Interp) joinByExit(ways []Outcome, why *Cause) []Outcome {
	var out []Outcome
	for how := GoesOn; how <= OutOfBudget; how++ {
		var deltas []*Delta
		var value Value
		for _, w := range ways {
			if w.How != how {
				continue
			}
			if len(deltas) == 0 {
				value = w.Value
			} else if how == Returns {
				value = in.Join(value, w.Value, why)
			}
			deltas = append(deltas, w.Changes)
		}
		if len(deltas) > 0 && (how != Throws || len(out) == 0) {
			out = append(out, Outcome{how, value, in.joinDeltas(why, deltas...)})
		}
	}
	return out
}

// ContinueWith continues after code that may have ended in one of several ways. It
// takes the first and records the others until the frame or loop that they leave ends.
func (in *Interp) ContinueWith(ways []Outcome, why *Cause) Control {
	ways = in.joinByExit(ways, why)
	f, first := in.Frame, ways[0]
	if last := ways[len(ways)-1]; last.How == OutOfBudget {
		return OutOfBudget
	}
	if len(ways) > 1 {
		in.Begin()
		f.Open = append(f.Open, PendingExit{ways[1:], why})
	}
	in.redo(first.Changes)
	f.Result = first.Value
	return first.How
}

// CloseExits closes the pending exits of a frame from mark on and continues. Ways that
// end as one of alsoEnds reach the code that follows, too.
func (in *Interp) CloseExits(f *Frame, mark int, how Control, alsoEnds ...Control) Control {
	if len(f.Open) <= mark || in.Bounds.Exhausted {
		return how
	}
	why := f.Open[mark].Why
	ways := in.Collect(f, mark, how)
	for i := range ways {
		for _, end := range alsoEnds {
			if ways[i].How == end {
				ways[i].How = GoesOn
			}
		}
	}
	return in.ContinueWith(ways, why)
}

// SelectBy lets a test that is an Object choose between joined values until the
// returned function is called.
func (in *Interp) SelectBy(test Value) (after func()) {
	in.selector, _ = test.X.(Object)
	return func() { in.selector = nil }
}

// ContinueBy is ContinueWith after a test.
func (in *Interp) ContinueBy(test Value, ways []Outcome, why *Cause) Control {
	defer in.SelectBy(test)()
	return in.ContinueWith(ways, why)
}

// Branches runs functions, one of which the program runs according to an unknown test,
// and joins their results.
func (in *Interp) Branches(test Value, why *Cause, runs ...func() Value) Value {
	var ways []Outcome
	var values []Value
	for _, run := range runs {
		more := in.Speculate(func() Control {
			values = append(values, run())
			return GoesOn
		})
		if more[0].How == OutOfBudget {
			return OutOfSteps.Unknown()
		}
		ways = append(ways, more...)
	}
	in.ContinueBy(test, ways, why)
	defer in.SelectBy(test)()
	v := values[0]
	for _, other := range values[1:] {
		v = in.Join(v, other, why)
	}
	return v
}

// MarkOverridable marks values that depend on an overridable default: those that differ
// between the side that was taken, since the innermost journal began, and the other
// side's ways.
func (in *Interp) MarkOverridable(ways []Outcome, how Control) {
	j := in.Journal[len(in.Journal)-1]
	soften := func(c Cell, other any) {
		v, ok := c.(variable)
		if !ok {
			return
		}
		if now, _ := v.space.Get(v.name); now.Known() && !now.Overridable && in.Followable(now) && !Same(now, other.(Value), 4) {
			now.Overridable = true
			in.Set(v.space, v.name, now)
		}
	}
	for _, w := range ways {
		if w.How == Returns && how != Returns {
			in.Frame.Fallback = append(in.Frame.Fallback, w.Value)
		}
		other := w.Changes
		switch w.How {
		case GoesOn:
		case Throws: // the cell keeps its old content on that side
			other = Nothing
		default:
			continue
		}
		for _, c := range other.Changes {
			soften(c.cell, c.New)
		}
		for _, c := range j.order {
			if _, ok := other.after(c); !ok {
				soften(c, j.old[c])
			}
		}
	}
	if how == Returns && in.Frame.Result.Known() {
		in.Frame.Result.Overridable = true
	}
}
