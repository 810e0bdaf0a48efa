package names

// A Name is a name in the scope that it lives in, with what binds it there:
// nothing, where a global or nonlocal statement only speaks of it.
type Name struct {
	scope    *Scope
	name     string
	bindings []*Binding
	first    [1]*Binding // room for the first of them: most names have one
	number   int32       // among those of its part, or of the module
	changed  bool        // while answers are told apart that rest on it
	user     *stmtFacts  // the last that used it, where it is of the module
}

// A nameTable holds the names of a scope in the order in which they came up. Most
// scopes have so few that to compare them all is less than to hash one.
type nameTable struct {
	all   []*Name
	index map[string]*Name // where there are many
}

// fewNames is the number of names that are looked through.
const fewNames = 12

func (t *nameTable) find(name string) *Name {
	if t.index != nil {
		return t.index[name]
	}
	for _, n := range t.all {
		if n.name == name {
			return n
		}
	}
	return nil
}

func (t *nameTable) add(n *Name) {
	if t.all == nil {
		t.all = make([]*Name, 0, 4)
	}
	t.all = append(t.all, n)
	switch {
	case t.index != nil:
		t.index[n.name] = n
	case len(t.all) > fewNames:
		t.index = make(map[string]*Name, 2*len(t.all))
		for _, n := range t.all {
			t.index[n.name] = n
		}
	}
}

// A block hands out values that live as long as each other, so that they are made
// many at a time.
type block[T any] struct{ free []T }

// keep gives a value its place.
func (b *block[T]) keep(made T) *T {
	if len(b.free) == cap(b.free) {
		b.free = make([]T, 0, min(64, max(8, 2*cap(b.free))))
	}
	b.free = append(b.free, made)
	return &b.free[len(b.free)-1]
}
