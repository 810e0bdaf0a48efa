package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A program that looks for a TPU first, and goes on without one, is followed as it runs on a
// machine with GPUs. Of the code for TPUs only the search for one is an event.

// passes reports whether an event happens on a machine with GPUs, and marks the search for a TPU.
func (f *frame) passes(e *Event) bool {
	if f.alternative && e.NeedsTPU() {
		f.tpu = true
	}
	if f.tpu && e.Entry != nil && e.Effects.Has(effects.UsesTPU) {
		e.Context |= OnTPU
		return true
	}
	return !f.tpu
}

// perhapsOnTPU walks code that the program can do without, and reports whether that is because it
// runs on a TPU.
func (f *frame) perhapsOnTPU(visit func()) bool {
	when, left, alternative, tpu := f.when, f.left, f.alternative, f.tpu
	f.alternative = true
	visit()
	is := f.tpu && !tpu
	if is {
		f.when, f.left = when, left
	}
	f.alternative, f.tpu = alternative, tpu
	return is
}

// onTPU walks code that runs only on a TPU.
func (f *frame) onTPU(visit func()) {
	f.perhapsOnTPU(func() {
		f.tpu = true
		visit()
	})
}

// fallback returns the only handler of a try statement, if the program goes on after it; none
// otherwise.
func fallback(try syntax.Node) syntax.Node {
	var found syntax.Node
	for c := range try.Children() {
		if c.Kind() != syntax.ExceptClause {
			continue
		}
		last := names.Last(names.Last(c))
		if found.Valid() || last.Kind() == syntax.RaiseStatement || !last.Valid() || names.Exits(last) {
			return syntax.Node{}
		}
		found = c
	}
	return found
}

// withoutTPU returns the verdict on a test on a machine without a TPU, if the test is about one: a
// name that holds a TPU, or else None or False.
func (f *frame) withoutTPU(test syntax.Node) names.Verdict {
	return names.Decide(test, func(n syntax.Node) names.Verdict {
		switch n.Kind() {
		case syntax.ComparisonOperator:
			name := n.FirstChild()
			if last := names.Last(n); last.Kind() != syntax.NoneLiteral || !f.mayHoldTPU(name) {
				return names.Maybe
			}
			switch n.Text()[name.End()-n.Start():] {
			case " is not None", " != None":
				return names.Never
			case " is None", " == None":
				return names.Always
			}
		case syntax.Identifier:
			if f.mayHoldTPU(n) {
				return names.Never
			}
		}
		return names.Maybe
	})
}

// mayHoldTPU reports whether a name holds a TPU, or None or False where there is none.
func (f *frame) mayHoldTPU(name syntax.Node) bool {
	if name.Kind() != syntax.Identifier {
		return false
	}
	found := false
	for _, b := range f.info.ReachingDefs(name) {
		value := f.info.DefiningExpr(b.Value)
		switch {
		case b.Kind != names.AssignBinding:
			return false
		case value.Is(syntax.NoneLiteral, syntax.False):
		case value.Kind() == syntax.Call && f.looksForTPU(value):
			found = true
		default:
			return false
		}
	}
	return found
}

func (f *frame) looksForTPU(call syntax.Node) bool {
	e := f.library.Lookup(f.info.Callee(call))
	return e != nil && e.Effects.Has(effects.UsesTPU)
}
