package value

import "slices"

// A cell is a mutable location: a variable, an attribute, a list, a dict, a set. Cells
// are comparable.
type cell interface {
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

func (c variable) content() any  { v, _ := c.space.Get(c.name); return v }
func (c variable) restore(x any) { c.space.put(c.name, x.(Value)) }
func (c variable) age() int      { return c.space.born }
func (c variable) size() int     { return 1 }

func (l *List) content() any { c := *l; c.Items = slices.Clone(l.Items); return c }
func (l *List) restore(x any) {
	*l = x.(List)
	l.Items = slices.Clone(l.Items)
}
func (l *List) age() int  { return 0 }
func (l *List) size() int { return len(l.Items) }

func (s *Set) content() any { c := *s; c.Items = slices.Clone(s.Items); return c }
func (s *Set) restore(x any) {
	*s = x.(Set)
	s.Items = slices.Clone(s.Items)
}
func (s *Set) age() int  { return 0 }
func (s *Set) size() int { return len(s.Items) }

func (d *Dict) content() any {
	c := *d
	c.Keys, c.Values, c.index = slices.Clone(d.Keys), slices.Clone(d.Values), nil
	return c
}
func (d *Dict) restore(x any) {
	*d = x.(Dict)
	d.Keys, d.Values = slices.Clone(d.Keys), slices.Clone(d.Values)
}
func (d *Dict) age() int  { return 0 }
func (d *Dict) size() int { return len(d.Keys) }

// A journal is an undo log: the contents that cells had before a branch changed them.
type journal struct {
	start int // by Interp.serial; cells created later belong to the branch
	old   map[cell]any
	order []cell
}

// begin starts a journal of the changes from here on.
func (in *Interp) begin() {
	in.serial++
	in.journal = append(in.journal, &journal{start: in.serial})
}

// touch must be called before a cell changes.
func (in *Interp) touch(c cell) {
	if len(in.journal) > 0 {
		j := in.journal[len(in.journal)-1]
		if c.age() < j.start {
			if _, ok := j.old[c]; !ok {
				j.note(c, c.content())
				in.Spend(c.size() / 4) // the content is copied now, and again to compare
			}
		}
	}
}

func (j *journal) note(c cell, old any) {
	if j.old == nil {
		j.old = map[cell]any{}
	}
	j.old[c] = old
	j.order = append(j.order, c)
}

// set binds a name of a namespace.
func (in *Interp) set(space *Namespace, name string, v Value) {
	if len(in.journal) > 0 && space.born < in.journal[len(in.journal)-1].start {
		in.touch(variable{space, name})
	}
	space.put(name, v)
}

// end closes the innermost journal and returns the changes since it began, which stay
// in effect.
func (in *Interp) end() *delta {
	j := in.journal[len(in.journal)-1]
	in.journal = in.journal[:len(in.journal)-1]
	in.Spend(len(j.order))
	d := &delta{at: make(map[cell]int, len(j.order))}
	for _, c := range j.order {
		d.add(change{c, j.old[c], c.content()})
	}
	return d
}

// commit closes the journals above a depth and keeps their changes.
func (in *Interp) commit(depth int) {
	for len(in.journal) > depth {
		in.dissolve(len(in.journal) - 1)
	}
}

// dissolve merges a journal into the enclosing one.
func (in *Interp) dissolve(i int) {
	j := in.journal[i]
	in.journal = slices.Delete(in.journal, i, i+1)
	if i == 0 {
		return
	}
	outer := in.journal[i-1]
	in.Spend(len(j.order))
	for _, c := range j.order {
		if _, ok := outer.old[c]; !ok && c.age() < outer.start {
			outer.note(c, j.old[c])
		}
	}
}

// A change is the content of one cell before and after some code ran.
type change struct {
	cell     cell
	old, new any
}

// A delta is the set of changes that some code made.
type delta struct {
	changes []change
	at      map[cell]int
}

func (d *delta) add(c change) {
	d.at[c.cell] = len(d.changes)
	d.changes = append(d.changes, c)
}

// after returns the content of a cell after the code, and whether the code changed it.
func (d *delta) after(c cell) (any, bool) {
	if i, ok := d.at[c]; ok {
		return d.changes[i].new, true
	}
	return nil, false
}

// undo restores the old contents.
func (d *delta) undo() {
	for _, c := range d.changes {
		c.cell.restore(c.old)
	}
}

// then composes d and next.
func (in *Interp) then(d, next *delta) *delta {
	switch {
	case len(next.changes) == 0:
		return d
	case len(d.changes) == 0:
		return next
	}
	in.Spend((len(d.changes) + len(next.changes)) / 2)
	both := &delta{at: make(map[cell]int, len(d.changes)+len(next.changes))}
	for _, c := range d.changes {
		if later, ok := next.after(c.cell); ok {
			c.new = later
		}
		both.add(c)
	}
	for _, c := range next.changes {
		if _, ok := d.at[c.cell]; !ok {
			both.add(c)
		}
	}
	return both
}

// redo applies the changes of a delta again, and tells the Host of attributes.
func (in *Interp) redo(d *delta) {
	for _, c := range d.changes {
		in.touch(c.cell)
		c.cell.restore(c.new)
		if v, ok := c.cell.(variable); ok && v.space.instance != nil {
			in.tellHost(v.space.instance, v.name, c.new.(Value))
		}
	}
}
