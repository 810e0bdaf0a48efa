package names

// A Name is a name in the scope that it lives in, with its bindings. It has none if only a global
// or nonlocal statement mentions it.
type Name struct {
	scope    *Scope
	name     string
	bindings []*Binding
	first    [1]*Binding // storage for the first binding: most names have one
	number   int32       // index among the names of its part, or of the module
	changed  bool        // set while Update looks for the answers that depend on it
	user     *stmtFacts  // the last part that used it, for a name of the module
}

// A nameTable holds the names of a scope in order of appearance. Most scopes have few names,
// which are faster to compare than to hash.
type nameTable struct {
	all   []*Name
	index map[string]*Name // set if there are many
}

// fewNames is the number of names up to which a table is searched without an index.
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

// A block allocates values of the same lifetime many at a time.
type block[T any] struct{ free []T }

// keep stores a value and returns its address.
func (b *block[T]) keep(made T) *T {
	if len(b.free) == cap(b.free) {
		b.free = make([]T, 0, min(64, max(8, 2*cap(b.free))))
	}
	b.free = append(b.free, made)
	return &b.free[len(b.free)-1]
}
