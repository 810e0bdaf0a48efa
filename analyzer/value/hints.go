package value

import (
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/names"
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

// Hints are what comments and settings say of values.
type Hints struct {
	settings *hints.Table // nil for nothing
	comments map[*syntax.Tree]*hints.Comments
	uses     []HintUse
	at       map[*hints.Hint]int // its index there
}

func newHints() Hints {
	return Hints{comments: map[*syntax.Tree]*hints.Comments{}, at: map[*hints.Hint]int{}}
}

// Set sets what the settings say.
func (h *Hints) Set(settings *hints.Table) { h.settings = settings }

// Uses are the hints that the evaluation came to, in order.
func (h *Hints) Uses() []HintUse { return h.uses }

// Silent reports whether nobody says anything of a module.
func (h *Hints) Silent(module *names.Info) bool {
	return h.settings == nil && h.commentsOf(module) == nil
}

func (h *Hints) commentsOf(module *names.Info) *hints.Comments {
	c, known := h.comments[module.Tree]
	if !known {
		c = hints.Of(module.Tree)
		h.comments[module.Tree] = c
	}
	return c
}

// On returns what is said of what a statement on a line assigns to a target, or of what it returns.
func (h *Hints) On(module *names.Info, line int, statement, target syntax.Node) (found []*hints.Hint) {
	for _, said := range h.commentsOf(module).On(statement) {
		if said.Of == "" {
			found = append(found, said)
		}
	}
	if h.settings != nil {
		found = append(found, h.settings.Line(module.Path, line)...)
		if target.Valid() {
			found = append(found, h.OfExpression(module, target)...)
		}
	}
	return found
}

// InHeader returns what is said of a parameter in the header of its function.
func (h *Hints) InHeader(module *names.Info, f *Func, parameter string) (found []*hints.Hint) {
	for _, said := range h.commentsOf(module).InHeader(f.Def.Node) {
		if said.Of == parameter {
			found = append(found, said)
		}
	}
	return found
}

// OfExpression returns what the settings say of an expression.
func (h *Hints) OfExpression(module *names.Info, n syntax.Node) []*hints.Hint {
	if h.settings == nil {
		return nil
	}
	return h.settings.Expression(module.Path, n.Text())
}

// OfFile returns what the settings say of a file that a call reads.
func (h *Hints) OfFile(args *Args) []*hints.Hint {
	if h.settings == nil {
		return nil
	}
	path, ok := PathText(Positional(args, 0))
	if !ok {
		return nil
	}
	return h.settings.File(path)
}

// use records the first use of a hint, or the first in which it is wrong.
func (h *Hints) use(use HintUse) {
	if i, noted := h.at[use.Hint]; noted {
		if h.uses[i].Wrong == "" && use.Wrong != "" {
			h.uses[i] = use
		}
		return
	}
	h.at[use.Hint] = len(h.uses)
	h.uses = append(h.uses, use)
}

// Said returns a value with what is said of it.
func (in *Interp) Said(said []*hints.Hint, at syntax.Node, v Value) Value {
	if in.HostMuted > 0 {
		return v
	}
	for _, h := range said {
		hinted, wrong := in.Host.Hinted(in, h, v)
		in.Hints.use(HintUse{h, at, wrong})
		if wrong == "" {
			v = hinted
		}
	}
	return v
}
