package value

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
