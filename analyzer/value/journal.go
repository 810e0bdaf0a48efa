package value

import "slices"

// A Cell is a mutable location: a variable, an attribute, a list, a dict, a set. Cells
// are comparable.
type Cell interface {
	// content returns a copy of the content.
	content() any
	// restore restores such a copy.
	restore(any)
	// age returns the creation time of the cell, or 0 if it is unknown.
	age() int
	// size returns how many values the cell holds.
	size() int
}

// A variable is one name of a namespace as a cell. Its content is a Value, empty if the
// name is unbound.
type variable struct {
	space *Namespace
	name  string
}

func (c variable) content() any { v, _ := c.space.Get(c.name); return v }

func (c variable) restore(x any) { c.space.Put(c.name, x.(Value)) }

func (c variable) age() int { return c.space.born }

func (c variable) size() int { return 1 }

func (l *List) content() any { c := *l; c.Items = slices.Clone(l.Items); return c }

func (l *List) restore(x any) {
	*l = x.(List)
	l.Items = slices.Clone(l.Items)
}

func (l *List) age() int { return 0 }

func (l *List) size() int { return len(l.Items) }

func (s *Set) content() any { c := *s; c.Items = slices.Clone(s.Items); return c }

func (s *Set) restore(x any) {
	*s = x.(Set)
	s.Items = slices.Clone(s.Items)
}

func (s *Set) age() int { return 0 }

func (s *Set) size() int { return len(s.Items) }

// A Journal is an undo log: the contents that cells had before a branch changed them.
type Journal struct {
	start int // by Interp.serial; cells created later belong to the branch
	old   map[Cell]any
	order []Cell
}

// Begin starts a journal of the changes from here on.
func (in *Interp) Begin() {
	in.serial++
	in.Journal = append(in.Journal, &Journal{start: in.serial})
}

// Record must be called before a cell changes.
func (in *Interp) Record(c Cell) {
	in.note(c)
	if l, ok := c.(*List); ok {
		l.appended = appended{since: new(byte)}
	}
}

// note is Record for what may be told of a list beside its other changes: items that are appended.
func (in *Interp) note(c Cell) {
	if len(in.Journal) > 0 {
		j := in.Journal[len(in.Journal)-1]
		if c.age() < j.start {
			if _, ok := j.old[c]; !ok {
				j.note(c, c.content())
				in.Spend(c.size() / 4) // the content is copied now, and again to compare
			}
		}
	}
}

func (j *Journal) note(c Cell, old any) {
	if j.old == nil {
		j.old = map[Cell]any{}
	}
	j.old[c] = old
	j.order = append(j.order, c)
}

// Set binds a name of a namespace.
func (in *Interp) Set(space *Namespace, name string, v Value) {
	if len(in.Journal) > 0 && space.born < in.Journal[len(in.Journal)-1].start {
		in.Record(variable{space, name})
	}
	space.Put(name, v)
}

// End closes the innermost journal and returns the changes since it began, which stay
// in effect.
func (in *Interp) End() *Delta {
	j := in.Journal[len(in.Journal)-1]
	in.Journal = in.Journal[:len(in.Journal)-1]
	in.Spend(len(j.order))
	d := &Delta{at: make(map[Cell]int, len(j.order))}
	for _, c := range j.order {
		d.add(change{c, j.old[c], c.content()})
	}
	return d
}

// Commit closes the journals above a depth and keeps their changes.
func (in *Interp) Commit(depth int) {
	for len(in.Journal) > depth {
		in.Dissolve(len(in.Journal) - 1)
	}
}

// Dissolve merges a journal into the enclosing one.
func (in *Interp) Dissolve(i int) {
	j := in.Journal[i]
	in.Journal = slices.Delete(in.Journal, i, i+1)
	if i == 0 {
		return
	}
	outer := in.Journal[i-1]
	in.Spend(len(j.order))
	for _, c := range j.order {
		if _, ok := outer.old[c]; !ok && c.age() < outer.start {
			outer.note(c, j.old[c])
		}
	}
}

// A change is the content of one cell before and after some code ran.
type change struct {
	cell     Cell
	Old, New any
}

// A Delta is the set of changes that some code made.
type Delta struct {
	Changes []change
	at      map[Cell]int
}

func (d *Delta) add(c change) {
	d.at[c.cell] = len(d.Changes)
	d.Changes = append(d.Changes, c)
}

// after returns the content of a cell after the code, and whether the code changed it.
func (d *Delta) after(c Cell) (any, bool) {
	if i, ok := d.at[c]; ok {
		return d.Changes[i].New, true
	}
	return nil, false
}

// Undo restores the old contents.
func (d *Delta) Undo() {
	for _, c := range d.Changes {
		c.cell.restore(c.Old)
	}
}

// then composes d and next.
func (in *Interp) then(d, next *Delta) *Delta {
	switch {
	case len(next.Changes) == 0:
		return d
	case len(d.Changes) == 0:
		return next
	}
	in.Spend((len(d.Changes) + len(next.Changes)) / 2)
	both := &Delta{at: make(map[Cell]int, len(d.Changes)+len(next.Changes))}
	for _, c := range d.Changes {
		if later, ok := next.after(c.cell); ok {
			c.New = later
		}
		both.add(c)
	}
	for _, c := range next.Changes {
		if _, ok := d.at[c.cell]; !ok {
			both.add(c)
		}
	}
	return both
}

// redo applies the changes of a delta again, and tells the Host of attributes.
func (in *Interp) redo(d *Delta) {
	for _, c := range d.Changes {
		in.Record(c.cell)
		c.cell.restore(c.New)
		if v, ok := c.cell.(variable); ok && v.space.Instance != nil {
			in.TellHost(v.space.Instance, v.name, c.New.(Value))
		}
	}
}

// A State is mutable content of a Host's object other than attributes: whether a layer
// is trainable, which layers a model has. It is restored after a branch that may not
// run. States are comparable.
type State interface {
	// Content returns a copy of the content.
	Content() any
	// Restore restores such a copy.
	Restore(content any)
	// Either joins two contents.
	Either(a, b any, why *Cause) any
	// Born returns the time at which the object was created, by [Interp.Now].
	Born() int
}

// Touch must be called before a State changes.
func (in *Interp) Touch(s State) {
	if len(in.Journal) > 0 { // without a journal nothing is recorded
		in.Record(hosted{s})
	}
}

// Now returns the current time: later than the start of every branch that is being
// followed.
func (in *Interp) Now() int {
	in.serial++
	return in.serial
}

// hosted makes a State a cell.
type hosted struct{ State }

func (c hosted) content() any { return c.Content() }

func (c hosted) restore(x any) { c.Restore(x) }

func (c hosted) age() int { return c.Born() }

func (c hosted) size() int { return 1 }
