package names

// numbered gives texts numbers, which answers hold in place of them. Number 1 is that of the empty
// text, for what is not known; 0 is free for answers that nobody has asked for.
type numbered struct {
	texts   []string
	numbers map[string]int32
}

func newNumbered() numbered { return numbered{[]string{"", ""}, map[string]int32{}} }

// number returns the number of a text.
func (t *numbered) number(text string) int32 {
	if text == "" {
		return unknownName
	}
	number, ok := t.numbers[text]
	if !ok {
		number = int32(len(t.texts))
		t.texts, t.numbers[text] = append(t.texts, text), number
	}
	return number
}

// qualified are the numbers of qualified names, one for all spellings of a name.
type qualified struct {
	numbered
	library Library
	members map[memberName]int32 // by owner and attribute
}

// A memberName is a qualified name in two parts.
type memberName struct{ owner, attribute string }

func newQualified(library Library) qualified {
	return qualified{newNumbered(), library, map[memberName]int32{}}
}

// intern returns the number of a name.
func (q *qualified) intern(name string) int32 {
	if name == "" {
		return unknownName
	}
	if number, ok := q.numbers[name]; ok {
		return number
	}
	number := q.number(q.library.Canonical(name)) // whose own spelling it is
	q.numbers[name] = number
	return number
}

// member returns the name of an attribute of a module, a class, or an instance of a library's
// class. The name may be that of a base class: a Sequential's fit is Model's.
func (q *qualified) member(class, attribute string) int32 {
	m := memberName{class, attribute}
	number, ok := q.members[m]
	if !ok {
		number = q.intern(class + "." + attribute)
		q.members[m] = number
	}
	return number
}

// size is how many names are held.
func (q *qualified) size() int { return len(q.texts) + len(q.members) }
