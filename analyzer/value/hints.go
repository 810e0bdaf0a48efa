package value

import (
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A HintUse is a hint that a program's evaluation came to.
type HintUse struct {
	*hints.Hint
	At syntax.Node // what it is about
	// Wrong is why it cannot be so, a sentence; empty if it was taken.
	Wrong string
}

// Unsaid reports whether the program does not say what a value is: it is unknown, or a name of a
// module that is not in the project.
func Unsaid(v Value) bool {
	_, named := v.X.(External)
	return named || !v.Known()
}

// HintUses are the hints that the evaluation came to, in order.
func (in *Interp) HintUses() []HintUse { return in.hintUses }

// Silent reports whether nobody says anything of the module that runs.
func (in *Interp) Silent() bool { return in.Told == nil && in.comments() == nil }

// comments are those of the module that runs.
func (in *Interp) comments() *hints.Comments {
	tree := in.Info().Tree
	c, known := in.hintsOf[tree]
	if !known {
		if in.hintsOf == nil {
			in.hintsOf = map[*syntax.Tree]*hints.Comments{}
		}
		c = hints.Of(tree)
		in.hintsOf[tree] = c
	}
	return c
}

// HintsOn returns what is said of what a statement assigns to a target, or of what it returns.
func (in *Interp) HintsOn(statement, target syntax.Node) (found []*hints.Hint) {
	for _, h := range in.comments().On(statement) {
		if h.Of == "" {
			found = append(found, h)
		}
	}
	if in.Told != nil {
		found = append(found, in.Told.Line(in.Info().Path, in.Line(statement))...)
		if target.Valid() {
			found = append(found, in.Told.Expression(in.Info().Path, target.Text())...)
		}
	}
	return found
}

// HintsOf returns what is said of a parameter in the header of its function.
func (in *Interp) HintsOf(f *Func, parameter string) (found []*hints.Hint) {
	for _, h := range in.comments().InHeader(f.Def.Node) {
		if h.Of == parameter {
			found = append(found, h)
		}
	}
	return found
}

// Said returns a value with what is said of it.
func (in *Interp) Said(said []*hints.Hint, at syntax.Node, v Value) Value {
	if in.HostMuted > 0 {
		return v
	}
	for _, h := range said {
		hinted, wrong := in.Host.Hinted(in, h, v)
		in.noteHint(HintUse{h, at, wrong})
		if wrong == "" {
			v = hinted
		}
	}
	return v
}

// noteHint records the first use of a hint, or the first in which it is wrong.
func (in *Interp) noteHint(use HintUse) {
	if i, noted := in.hintAt[use.Hint]; noted {
		if in.hintUses[i].Wrong == "" && use.Wrong != "" {
			in.hintUses[i] = use
		}
		return
	}
	if in.hintAt == nil {
		in.hintAt = map[*hints.Hint]int{}
	}
	in.hintAt[use.Hint] = len(in.hintUses)
	in.hintUses = append(in.hintUses, use)
}
