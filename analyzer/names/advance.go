package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Advance makes of what is known of one version of a module what is known of the
// next, as if that were resolved afresh. What top-level statements contribute that
// are the same stays, and so do the answers that were found for them, unless they
// rest on names of the module that statements bind which are not the same. That is
// told by the names that were looked up, from statement to statement.
//
// What other modules of the program are must not have changed.
//
// It returns the functions that are gone, or of which less is known than before. ok
// is false where the next version must be resolved afresh, because something changed
// that everything may rest on; the Info is then of no use.
func (in *Info) Advance(m *syntax.Move) (forgotten []*Function, ok bool) {
	connected := in.connected()
	if !in.compact() {
		return nil, false
	}
	parts := make([]*part, m.To().Len())
	var kept, gone, made []*part
	for i, p := range in.parts {
		if number, ok := m.Statement(i); ok {
			parts[number] = p
			kept = append(kept, p)
		} else {
			gone = append(gone, p)
		}
	}
	b := &binder{in: in, cur: in.Module}
	for i := range parts {
		if parts[i] == nil {
			parts[i] = b.statement(m.To().Statement(i), make([]fact, m.To().Size(i)))
			made = append(made, parts[i])
		}
	}
	if !sameEverywhere(gone, made) {
		return nil, false
	}
	changed := boundBy(slices.Concat(gone, made))
	for _, p := range spread(kept, changed) {
		p.forget()
		p.stale = false
		forgotten = append(forgotten, p.functions...)
	}
	for _, p := range gone {
		forgotten = append(forgotten, p.functions...)
	}
	for _, p := range kept {
		p.move(m)
	}
	in.Tree, in.parts = m.To(), parts
	in.bind(changed)
	in.join()
	for _, p := range gone {
		p.release()
	}
	in.indexes = indexes{}
	clear(in.busy[:cap(in.busy)])
	in.links = 0
	return forgotten, in.connected() == connected
}

// compact tells whether no more names are kept than twice those of the version that
// was resolved afresh, so that they do not pile up while a user types.
func (in *Info) compact() bool {
	size := len(in.names) + len(in.table) + len(in.members) + len(in.words)
	if in.room == 0 {
		in.room = 2*size + 1000
	}
	return size < in.room
}

// sameEverywhere tells whether statements say the same that counts in the whole
// module as those in whose place they stand: which attributes it assigns from outside.
// Of "import *" none knows the names.
func sameEverywhere(gone, made []*part) bool {
	rebound := func(parts []*part) (all []string) {
		for _, p := range parts {
			all = append(all, p.rebound...)
		}
		return all
	}
	stars := func(p *part) bool { return len(p.stars) > 0 }
	return slices.Equal(rebound(gone), rebound(made)) && !slices.ContainsFunc(gone, stars) && !slices.ContainsFunc(made, stars)
}

// boundBy are the names of the module that parts bind.
func boundBy(parts []*part) map[*Name]bool {
	names := map[*Name]bool{}
	for _, p := range parts {
		for _, b := range p.bound {
			names[b.name] = true
		}
	}
	return names
}

// spread finds the parts whose answers rest on changed names, or on those that such
// parts bind, and so on.
func spread(parts []*part, changed map[*Name]bool) (stale []*part) {
	for n := range changed {
		n.changed = true
	}
	var marked []*Name
	visit := func(p *part) bool {
		if p.stale || !slices.ContainsFunc(p.uses, func(n *Name) bool { return n.changed }) {
			return false
		}
		p.stale = true
		stale = append(stale, p)
		for _, b := range p.bound {
			b.name.changed = true
			marked = append(marked, b.name)
		}
		return true
	}
	// What is used stands mostly above, or mostly below.
	for again := true; again; {
		again = false
		for _, p := range parts {
			again = visit(p) || again
		}
		for _, p := range slices.Backward(parts) {
			again = visit(p) || again
		}
	}
	for n := range changed {
		n.changed = false
	}
	for _, n := range marked {
		n.changed = false
	}
	return stale
}
