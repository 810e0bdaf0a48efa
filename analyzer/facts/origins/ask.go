package origins

// A Test says something of one origin. It may ask the same of another place: of an operand, or of an
// argument of the call that the origin is.
type Test func(origin Place, same func(Place) bool) bool

// All reports whether a test holds for all origins of a place. A value that is made of itself, as by
// x = f(x) in a loop, is as its other origins are.
func (f *Follower) All(p Place, is Test) bool { return f.ask(p, is, true, nil) }

// AllUntil is All that follows nothing at which it is to stop: see [Follower.Until].
func (f *Follower) AllUntil(p Place, is Test, stops func(Place) bool) bool {
	return f.ask(p, is, true, stops)
}

// Any reports whether a test holds for some origin of a place.
func (f *Follower) Any(p Place, is Test) bool { return f.ask(p, is, false, nil) }

// AnyUntil is Any that follows nothing at which it is to stop.
func (f *Follower) AnyUntil(p Place, is Test, stops func(Place) bool) bool {
	return f.ask(p, is, false, stops)
}

// ask answers for a place and for those that the test asks further.
func (f *Follower) ask(p Place, is Test, all bool, stops func(Place) bool) bool {
	q := query{Follower: f, is: is, all: all, stops: stops, other: map[Key]bool{}}
	for {
		q.asked, q.used, q.wrong = map[Key]bool{}, map[Key]bool{}, false
		if answer := q.of(p); answer != all || !q.wrong {
			return answer
		}
	}
}

// A query is one question. A place that is still being answered is taken to be as its other origins
// are: for All the test holds, for Any it does not. Where that was wrong, all is asked again, knowing
// one place more.
type query struct {
	*Follower
	is    Test
	all   bool
	stops func(Place) bool
	asked map[Key]bool // true while it is being answered
	other map[Key]bool // places known not to be as is assumed
	used  map[Key]bool // places of which something was assumed
	wrong bool         // an assumption was
}

func (q *query) of(p Place) bool {
	defer q.info.Enter(p.Node).Leave()
	k := p.Key()
	if q.other[k] {
		return !q.all
	}
	if open, known := q.asked[k]; known {
		q.used[k] = q.used[k] || open
		return q.all
	}
	q.asked[k] = true
	answer := q.all
	for _, origin := range q.Until(p, q.stops) {
		if q.is(origin, q.of) != q.all {
			answer = !q.all
			break
		}
	}
	q.asked[k] = false
	if answer != q.all {
		q.other[k] = true
		q.wrong = q.wrong || q.used[k]
	}
	return answer
}
