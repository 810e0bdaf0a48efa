package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A loop is a for or while statement that is being run.
type loop struct {
	node, body, orElse syntax.Node
	// step prepares the next iteration. more is false if there is none; known is false
	// if that is undecided.
	step func() (more, known bool)
	// guess prepares an iteration with an unknown item.
	guess func()
	why   *value.Cause // why the iterations are unknown
	// leave, which may be nil, is called after the iteration.
	leave func(value.Value) value.Value
	// total is how many iterations there are, 0 if that is not known.
	total int64
}

// iteration runs the body once.
func iteration(in *value.Interp, l *loop) value.Control {
	how := block(in, l.body)
	if l.leave != nil {
		l.leave(value.Value{})
		l.leave = nil
	}
	return how
}

// watched reports an iteration with an item to the Host.
func watched(in *value.Interp, l *loop, item value.Value) value.Value {
	if in.HostMuted > 0 {
		return item
	}
	bound := []value.Value{item}
	l.leave = in.Host.Enter(in, l.node, nil, bound)
	return bound[0]
}

func forStatement(in *value.Interp, n syntax.Node) value.Control {
	left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
	over := Eval(in, right)
	seq := sequence(in, over)
	l := loop{node: n, body: n.Child(syntax.FieldBody), orElse: n.Child(syntax.FieldAlternative), total: Total(over)}
	begun := false
	depth := len(in.Iterations)
	in.Iterations = append(in.Iterations, value.Iteration{Targets: left})
	defer func() { in.Iterations = in.Iterations[:depth] }()
	begin := func(item value.Value) {
		item = watched(in, &l, item)
		in.Iterations[depth].Item = item
		assign(in, left, item)
	}
	l.step = func() (more, known bool) {
		v, more, known := seq()
		if !known && !begun {
			v, more = FirstItem(in, over)
			known = more
		}
		begun = true
		if more && known {
			begin(v)
		}
		return more, known
	}
	l.why = value.Because(value.UndecidedLoop, "the items of the loop on line %d are not known: %s", in.Line(n), WhyNotIterable(in, over)).On(n)
	l.guess = func() {
		item := Sample(in, over)
		if !item.Known() {
			item.X = value.Unknown{Cause: l.why}
		}
		begin(item)
	}
	return runLoop(in, &l)
}

func whileStatement(in *value.Interp, n syntax.Node) value.Control {
	condition := n.Child(syntax.FieldCondition)
	l := loop{node: n, body: n.Child(syntax.FieldBody), orElse: n.Child(syntax.FieldAlternative)}
	l.step = func() (more, known bool) {
		test := Eval(in, condition)
		more, known = Truth(in, test)
		if !known {
			l.why = whyTest(in, condition, test)
		} else if more {
			watched(in, &l, value.Value{})
		}
		return more, known
	}
	l.guess = func() {
		Eval(in, condition)
		watched(in, &l, value.Value{})
	}
	return runLoop(in, &l)
}

// runLoop runs a loop, iteration by iteration, while it is known that there is another.
func runLoop(in *value.Interp, l *loop) value.Control {
	skippable := in.Skippable
	in.Skippable = false
	defer func() { in.Skippable = skippable }()
	f, depth := in.Frame, len(in.Journal)
	mark := len(f.Open)
	how, unknown, mayBreak := value.GoesOn, false, false
	// A loop whose iterations are surely too many is left between two of them, when half of its steps are
	// gone: no iteration has run in part then, and the loop around it has some left.
	done, last, between := int64(0), 0, false
	finished := in.Within(value.MaxLoopSteps/(1+in.Bounds.Overlong), func() {
		for all := in.Bounds.Left(); ; {
			before, left := in.Bounds.Steps, in.Bounds.Left()
			if between = left < all/2 && (l.total-done)*int64(last) > int64(left); between {
				return
			}
			more, known := l.step()
			if !in.Spend(1) || known && !more {
				return
			}
			if !known {
				unknown, between = true, true
				return
			}
			how = iteration(in, l)
			last = in.Bounds.Steps - before
			done++
			if len(f.Open) > mark && !in.Bounds.Exhausted {
				how, mayBreak, unknown = endIteration(in, f, mark, how)
			}
			if how == value.Continues {
				how = value.GoesOn
			}
			if how != value.GoesOn || unknown {
				return
			}
		}
	})
	if l.leave != nil { // no budget was left for the iteration
		l.leave(value.Value{})
		l.leave = nil
	}
	if !finished || between && !unknown {
		in.Bounds.Overlong++
		f.Open, in.Frame = f.Open[:mark], f
		in.Commit(depth)
		l.why = value.Because(value.TooLong, "the loop on line %d is too long to follow", in.Line(l.node)).On(l.node)
		how, unknown = value.GoesOn, true
	}
	if in.Bounds.Exhausted {
		return value.OutOfBudget
	}
	if unknown {
		left := int64(0)
		if between && !mayBreak {
			left = l.total - done
		}
		broke := false
		how, broke = loopOn(in, l, left)
		mayBreak = mayBreak || broke
	}
	switch how {
	case value.Breaks:
		how = value.GoesOn
	case value.GoesOn:
		how = loopElse(in, l, mayBreak)
	}
	return in.CloseExits(f, mark, how, value.Breaks)
}

// endIteration continues after an iteration that may have ended in several ways. If it may have
// left the loop, it is unknown whether there is another iteration.
func endIteration(in *value.Interp, f *value.Frame, mark int, how value.Control) (then value.Control, mayBreak, unknown bool) {
	why := f.Open[mark].Why
	ways := in.Collect(f, mark, how)
	for i := range ways {
		switch ways[i].How {
		case value.Continues:
			ways[i].How = value.GoesOn
		case value.Breaks:
			mayBreak = true
		}
	}
	then = in.ContinueWith(ways, why)
	return then, mayBreak, then == value.GoesOn && len(f.Open) > mark
}

// loopOn is the widening: it runs one iteration for all remaining ones, as code that
// may or may not run. If that changes the state in which later iterations start, it
// runs more, with the Host muted, until a fixed point is reached. left is how many
// iterations there are, 0 if that is not known.
func loopOn(in *value.Interp, l *loop, left int64) (how value.Control, mayBreak bool) {
	f, depth := in.Frame, len(in.Journal)
	mark := len(f.Open)
	var growing []value.Growth
	run := func() {
		for pass := range 4 {
			ways := in.Speculate(func() value.Control {
				l.guess()
				return iteration(in, l)
			})
			if left > 0 {
				growing = stillGrowing(growing, ways, pass == 0)
			}
			carried := false
			for i := range ways {
				switch ways[i].How {
				case value.OutOfBudget:
					how = value.OutOfBudget
					return
				case value.Breaks:
					mayBreak = true
				}
				if ways[i].How == value.Breaks || ways[i].How == value.Continues {
					ways[i].How = value.GoesOn
				}
				carried = carried || carries(in, ways[i])
			}
			how = in.ContinueWith(append(ways, value.Outcome{How: value.GoesOn, Changes: value.Nothing}), l.why)
			if how != value.GoesOn || !carried {
				return
			}
			if in.HostMuted == 0 {
				in.HostMuted++
				defer func() { in.HostMuted-- }()
			}
		}
	}
	if !in.Within(value.MaxPass, run) {
		f.Open, in.Frame = f.Open[:mark], f
		in.Commit(depth)
		unbind(in, l.node, l.why)
		return value.GoesOn, mayBreak
	}
	if how == value.GoesOn && !mayBreak && len(growing) > 0 {
		for _, g := range growing {
			in.Fill(g, left)
		}
		if in.HostMuted == 0 {
			in.Host.Filled(in, l.node)
		}
	}
	return how, mayBreak
}

// stillGrowing returns the lists to which every pass over an iteration has appended the same number of
// items: those so far, and what this pass does.
func stillGrowing(before []value.Growth, ways []value.Outcome, first bool) []value.Growth {
	if len(ways) != 1 || ways[0].How != value.GoesOn {
		return nil
	}
	now := ways[0].Changes.Growths()
	if first {
		return now
	}
	return slices.DeleteFunc(before, func(g value.Growth) bool {
		return !slices.ContainsFunc(now, func(n value.Growth) bool { return n.List == g.List && n.Each == g.Each })
	})
}

// Total returns how many items a loop over a value visits, 0 if that is not known. It is asked before an
// iterator is at its end.
func Total(v value.Value) int64 {
	switch x := v.X.(type) {
	case value.Range:
		return x.Length()
	case *value.List:
		if x.Open == nil && !x.Endless {
			return int64(len(x.Items))
		}
	case value.Tuple:
		return int64(len(x))
	}
	if counted, ok := v.X.(Counted); ok {
		n, _ := counted.Counted()
		return n
	}
	return v.Length
}

// carries reports whether an outcome of an iteration changes something that existed
// before the iteration.
func carries(in *value.Interp, way value.Outcome) bool {
	if way.How != value.GoesOn {
		return false
	}
	for _, c := range way.Changes.Changes {
		switch old := c.Old.(type) {
		case value.Value:
			if now := c.New.(value.Value); old.Known() && !(in.Followable(old) && value.Same(old, now, 4)) {
				return true
			}
		case value.List:
			if now := c.New.(value.List); old.Open == nil || now.Open == nil || (old.Typical.X == nil) != (now.Typical.X == nil) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// loopElse runs the else clause of a loop that was not left by a break, or may not have
// been.
func loopElse(in *value.Interp, l *loop, mayBreak bool) value.Control {
	if !l.orElse.Valid() {
		return value.GoesOn
	}
	body := l.orElse.Child(syntax.FieldBody)
	if !mayBreak {
		return block(in, body)
	}
	why := value.Because(value.UndecidedBranch, "whether break ends the loop on line %d is not known", in.Line(l.node)).On(l.node)
	return in.SpeculateOptional(why, func() value.Control { return block(in, body) })
}
