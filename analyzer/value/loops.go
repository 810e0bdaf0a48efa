package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// A loop is a for or while statement that is being run.
type loop struct {
	node, body, orElse syntax.Node
	// step prepares the next iteration. more is false if there is none; known is false
	// if that is undecided.
	step func() (more, known bool)
	// guess prepares an iteration with an unknown item.
	guess func()
	why   *Cause // why the iterations are unknown
	// leave, which may be nil, is called after the iteration.
	leave func(Value) Value
}

// iteration runs the body once.
func (in *Interp) iteration(l *loop) control {
	how := in.block(l.body)
	if l.leave != nil {
		l.leave(Value{})
		l.leave = nil
	}
	return how
}

// watched reports an iteration with an item to the Host.
func (in *Interp) watched(l *loop, item Value) Value {
	if in.hostMuted > 0 {
		return item
	}
	bound := []Value{item}
	l.leave = in.host.Enter(in, l.node, nil, bound)
	return bound[0]
}

func (in *Interp) forStatement(n syntax.Node) control {
	left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
	over := in.Eval(right)
	seq := in.sequence(over)
	l := loop{node: n, body: n.Child(syntax.FieldBody), orElse: n.Child(syntax.FieldAlternative)}
	begun := false
	l.step = func() (more, known bool) {
		v, more, known := seq()
		if !known && !begun {
			v, more = in.first(over)
			known = more
		}
		begun = true
		if more && known {
			in.assign(left, in.watched(&l, v))
		}
		return more, known
	}
	l.why = Because(UndecidedLoop, "the loop on line %d runs over something that is not known (%s)", in.line(n), in.whyNotIterable(over)).On(n)
	l.guess = func() {
		item := in.sample(over)
		if !item.Known() {
			item.X = Unknown{l.why}
		}
		in.assign(left, in.watched(&l, item))
	}
	return in.loop(&l)
}

func (in *Interp) whileStatement(n syntax.Node) control {
	condition := n.Child(syntax.FieldCondition)
	l := loop{node: n, body: n.Child(syntax.FieldBody), orElse: n.Child(syntax.FieldAlternative)}
	l.step = func() (more, known bool) {
		test := in.Eval(condition)
		more, known = in.Truth(test)
		if !known {
			l.why = in.whyTest(condition, test)
		} else if more {
			in.watched(&l, Value{})
		}
		return more, known
	}
	l.guess = func() {
		in.Eval(condition)
		in.watched(&l, Value{})
	}
	return in.loop(&l)
}

// loop runs a loop, iteration by iteration, while it is known that there is another.
func (in *Interp) loop(l *loop) control {
	f, depth := in.frame, len(in.journal)
	mark := len(f.open)
	how, unknown, mayBreak := next, false, false
	finished := in.within(maxLoopSteps/(1+in.bounds.overlong), func() {
		for {
			more, known := l.step()
			if !in.Spend(1) || known && !more {
				return
			}
			if !known {
				unknown = true
				return
			}
			how = in.iteration(l)
			if len(f.open) > mark && !in.bounds.exhausted {
				how, mayBreak, unknown = in.endIteration(f, mark, how)
			}
			if how == continues {
				how = next
			}
			if how != next || unknown {
				return
			}
		}
	})
	if l.leave != nil { // no budget was left for the iteration
		l.leave(Value{})
		l.leave = nil
	}
	if !finished {
		in.bounds.overlong++
		f.open, in.frame = f.open[:mark], f
		in.commit(depth)
		l.why = Because(TooLong, "the loop on line %d is too long to follow", in.line(l.node)).On(l.node)
		how, unknown = next, true
	}
	if in.bounds.exhausted {
		return outOfBudget
	}
	if unknown {
		broke := false
		how, broke = in.loopOn(l)
		mayBreak = mayBreak || broke
	}
	switch how {
	case breaks:
		how = next
	case next:
		how = in.loopElse(l, mayBreak)
	}
	return in.closeExits(f, mark, how, breaks)
}

// endIteration continues after an iteration that may have ended in several ways. If it may have
// left the loop, it is unknown whether there is another iteration.
func (in *Interp) endIteration(f *frame, mark int, how control) (then control, mayBreak, unknown bool) {
	why := f.open[mark].why
	ways := in.collect(f, mark, how)
	for i := range ways {
		switch ways[i].how {
		case continues:
			ways[i].how = next
		case breaks:
			mayBreak = true
		}
	}
	then = in.continueWith(ways, why)
	return then, mayBreak, then == next && len(f.open) > mark
}

// loopOn is the widening: it runs one iteration for all remaining ones, as code that
// may or may not run. If that changes the state in which later iterations start, it
// runs more, with the Host muted, until a fixed point is reached.
func (in *Interp) loopOn(l *loop) (how control, mayBreak bool) {
	f, depth := in.frame, len(in.journal)
	mark := len(f.open)
	run := func() {
		for range 4 {
			ways := in.speculate(func() control {
				l.guess()
				return in.iteration(l)
			})
			carried := false
			for i := range ways {
				switch ways[i].how {
				case outOfBudget:
					how = outOfBudget
					return
				case breaks:
					mayBreak = true
				}
				if ways[i].how == breaks || ways[i].how == continues {
					ways[i].how = next
				}
				carried = carried || in.carries(ways[i])
			}
			how = in.continueWith(append(ways, outcome{how: next, changes: nothing}), l.why)
			if how != next || !carried {
				return
			}
			if in.hostMuted == 0 {
				in.hostMuted++
				defer func() { in.hostMuted-- }()
			}
		}
	}
	if !in.within(maxPass, run) {
		f.open, in.frame = f.open[:mark], f
		in.commit(depth)
		in.unbind(l.node, l.why)
		how = next
	}
	return how, mayBreak
}

// carries reports whether an outcome of an iteration changes something that existed
// before the iteration.
func (in *Interp) carries(way outcome) bool {
	if way.how != next {
		return false
	}
	for _, c := range way.changes.changes {
		switch old := c.old.(type) {
		case Value:
			if now := c.new.(Value); old.Known() && !(in.Followable(old) && same(old, now, 4)) {
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
func (in *Interp) loopElse(l *loop, mayBreak bool) control {
	if !l.orElse.Valid() {
		return next
	}
	body := l.orElse.Child(syntax.FieldBody)
	if !mayBreak {
		return in.block(body)
	}
	why := Because(UndecidedBranch, "it is not known whether the loop on line %d is left by break", in.line(l.node)).On(l.node)
	return in.speculateOptional(why, func() control { return in.block(body) })
}
