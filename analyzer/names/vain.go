package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// InVain notes that a question about the top-level statement that n, a node of the module,
// stands in has no answer: nor has it in any later version in which the statement is the
// same and [Info.Advance] keeps what is known of it, of which [Info.Asked] then tells.
//
// It may be noted of what is found from the statement alone, by going from its nodes to
// what names stand for, and on from what is there. Whatever in another statement is met so
// is met by a name of the module that the statement uses, or that one does which is met
// before. Where a statement is edited, all that use what it binds are stale, and those that
// use what these bind, and so on: that is just who may meet it, and of them the note is
// forgotten. It may not be noted of what looks for who calls a function, at the order of
// execution, or at places or text beyond the statement.
func (in *Info) InVain(n syntax.Node, question any) {
	p := in.part(n)
	p.vain = append(p.vain, question)
}

// Asked tells whether the question was asked in vain.
func (in *Info) Asked(n syntax.Node, question any) bool {
	return slices.Contains(in.part(n).vain, question)
}
