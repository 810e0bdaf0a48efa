package value

// A container that contains itself several times is one object to Python, but many
// values to code that traverses it: x = (x, x), sixty times, is 61 tuples and 2⁶⁰
// values. Whatever traverses a whole value, here or in a Host, therefore calls
// Followable first, which visits each container once.

// extent is how much there is to traverse in a value.
type extent struct {
	size int // values, including itself, counted once per place; at most MaxItems+1
	deep int // nesting of containers; at most maxDeep+1
}

func (e extent) excessive() bool { return e.size > MaxItems || e.deep > maxDeep }

// excessive is the extent of a value that is too large or contains itself.
var excessive = extent{MaxItems + 1, maxDeep + 1}

var TooLarge = Shared(TooLong, "a structure that is too large to follow")

// Followable reports whether values are small enough to process every part of them, and
// charges the steps of finding out.
func (b *Bounds) Followable(values ...Value) bool {
	var m measure
	all := extent{}
	for _, v := range values {
		all = all.with(m.of(v))
	}
	return b.Spend(m.visited/64+all.size/32) && !all.excessive()
}

// Handed returns the value that a Host gets: Unknown if it is too large.
func (b *Bounds) Handed(v Value) Value {
	if b.Followable(v) {
		return v
	}
	return TooLarge.Unknown()
}

// HandedArgs applies handed to the arguments of a call.
func (b *Bounds) HandedArgs(args *Args) *Args {
	if b.Followable(args.Positional...) && b.Followable(args.Keywords.values()...) {
		return args
	}
	out := &Args{Open: args.Open, Node: args.Node}
	for _, v := range args.Positional {
		out.Positional = append(out.Positional, b.Handed(v))
	}
	for name, v := range args.Keywords.All() {
		out.Keywords.Put(name, b.Handed(v))
	}
	return out
}

// with returns the extent of something that contains both e and inner.
func (e extent) with(inner extent) extent {
	return extent{min(e.size+inner.size, MaxItems+1), max(e.deep, inner.deep)}
}

// A measure computes extents. It visits each container once.
type measure struct {
	visited int
	level   int
	known   map[any]extent // of nested containers; excessive while they are being visited
}

// A run identifies a tuple by its items.
type run struct {
	first *Value
	n     int
}

func (m *measure) of(v Value) extent {
	switch x := v.X.(type) {
	case Tuple:
		if len(x) > 0 {
			return m.container(run{&x[0], len(x)}, x, nil)
		}
	case *List:
		return m.container(x, x.Items, nil)
	case *Set:
		return m.container(x, x.Items, nil)
	case *Dict:
		return m.container(x, x.Keys, x.Values)
	case *Instance:
		switch {
		case x.Holds != nil:
			return m.container(x, []Value{Held(v)}, x.Attrs.Values)
		case x.Class.Fields != nil:
			return m.container(x, x.Attrs.Values, nil)
		}
	}
	return extent{size: 1}
}

// container returns the extent of a container with these values.
func (m *measure) container(identity any, items, more []Value) extent {
	if m.level > 0 { // most containers hold no others
		if e, ok := m.known[identity]; ok {
			return e
		}
		if m.level > maxDeep {
			return excessive
		}
		if m.known == nil {
			m.known = map[any]extent{}
		}
		m.known[identity] = excessive // in case it contains itself
		m.visited += 16               // a map entry costs about as much as visiting 16 values
	}
	m.level++
	e := extent{size: 1}
	for _, part := range [2][]Value{items, more} {
		for _, item := range part {
			if e = e.with(m.of(item)); e.excessive() {
				break
			}
			m.visited++
		}
	}
	m.level--
	e.deep++
	if m.level > 0 {
		m.known[identity] = e
	}
	return e
}
