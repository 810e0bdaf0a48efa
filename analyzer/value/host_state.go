package value

// A State is something that an object of the Host's holds, beside attributes,
// and that the program changes: whether a layer is trained, which layers a model
// has. It is put back where the code that changes it may not run. States are
// comparable.
type State interface {
	// Content is a copy of what is there.
	Content() any
	// Restore puts such a copy back.
	Restore(content any)
	// Either is the join of two contents.
	Either(a, b any, why string) any
	// Born is when the object came into being, by [Interp.Now].
	Born() int
}

// Touch must be called before a State changes.
func (in *Interp) Touch(s State) {
	if len(in.journal) > 0 { // else nothing is noted, and no cell is needed
		in.touch(hosted{s})
	}
}

// Now is a point in time: it is later than the beginning of a branch that the
// program is in.
func (in *Interp) Now() int {
	in.serial++
	return in.serial
}

// hosted is the cell of a State.
type hosted struct{ State }

func (c hosted) content() any  { return c.Content() }
func (c hosted) restore(x any) { c.Restore(x) }
func (c hosted) age() int      { return c.Born() }
func (c hosted) size() int     { return 1 }
