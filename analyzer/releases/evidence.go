package releases

import "github.com/tfmem/tfmem/analyzer/syntax"

// Evidence is what an answer rests on. The zero Evidence is none: the answer is no.
type Evidence struct {
	Why string      // a clause
	At  syntax.Node // the code that shows it; none if something else does
}

// Found reports whether there is any.
func (e Evidence) Found() bool { return e.Why != "" }

// or returns the evidence, else the first that others find.
func (e Evidence) or(others ...func() Evidence) Evidence {
	for _, find := range others {
		if e.Found() {
			break
		}
		e = find()
	}
	return e
}

// when returns evidence if something is so.
func when(so bool, why string, at syntax.Node) Evidence {
	if !so {
		return Evidence{}
	}
	return Evidence{why, at}
}

// first returns the evidence of the first of some items that has any.
func first[T any](items []T, of func(T) Evidence) Evidence {
	for _, item := range items {
		if e := of(item); e.Found() {
			return e
		}
	}
	return Evidence{}
}

// firstCall returns the first of some calls as evidence.
func firstCall(why string, calls []syntax.Node) Evidence {
	return first(calls, func(call syntax.Node) Evidence { return Evidence{why, call} })
}
