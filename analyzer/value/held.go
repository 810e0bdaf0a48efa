package value

import "slices"

// mostHeld bounds the values that [Interp.Held] visits.
const mostHeld = 5_000

// Held visits what the names of the program hold: those of its modules and of the calls in progress,
// with the items of containers and the attributes of instances. What only a call that has returned
// had a name for is not held. Of a list whose items are not known it
// visits the list, and of a value that is not known the Unknown. whole is false if
// there are too many values to visit.
func (in *Interp) Held(visit func(Value)) (whole bool) {
	w := holding{in: in, visit: visit, seen: map[any]bool{}}
	defer func() { in.Spend(w.visited / 64) }()
	for _, f := range in.Modules.frames {
		w.all(f.Vars)
	}
	for f := in.Frame; f != nil; f = f.calledFrom() {
		w.all(f.Vars)
	}
	w.all(in.Main.Vars)
	return w.visited < mostHeld
}

// calledFrom returns the frame of the code that runs this one: the enclosing one of a class body or
// a comprehension, the caller's of a function.
func (f *Frame) calledFrom() *Frame {
	if f.Call != nil && !f.Comprehension {
		return f.Caller
	}
	return f.Outer
}

type holding struct {
	in      *Interp
	visit   func(Value)
	seen    map[any]bool
	visited int
}

func (w *holding) all(of *Namespace) {
	if of == nil || w.seen[of] {
		return
	}
	w.seen[of] = true
	w.each(of.Values)
}

func (w *holding) each(values []Value) {
	for waiting := slices.Clone(values); len(waiting) > 0 && w.visited < mostHeld; w.visited++ {
		v := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		switch x := v.X.(type) {
		case nil:
		case Tuple:
			waiting = append(waiting, x...)
		case *List:
			if !w.seen[x] {
				w.seen[x] = true
				if x.Open != nil {
					w.visit(v)
				}
				waiting = append(waiting, x.Items...)
			}
		case *Dict:
			if !w.seen[x] {
				w.seen[x] = true
				waiting = append(waiting, x.Values...)
			}
		case *Instance:
			if w.seen[x] {
				continue
			}
			w.seen[x] = true
			if x.Host != nil {
				w.visit(v) // a layer or the like, which holds its attributes by itself
				continue
			}
			if x.Attrs != nil {
				waiting = append(waiting, x.Attrs.Values...)
			}
			if x.Holds != nil {
				waiting = append(waiting, Value{X: x.Holds})
			}
		case Object, Unknown:
			w.visit(v)
		}
	}
}
