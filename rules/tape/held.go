package tape

import (
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file finds tapes that outlive their last use, and deletes them.

// A held tape outlives its last use.
type held struct {
	call  syntax.Node
	name  string
	loop  syntax.Node // around the with statement, in the same function, or none
	after syntax.Node // the statement with its last use, in the block of the with statement
}

// heldTape returns a tape that outlives its last use, or nil if that use frees it.
func heldTape(info *names.Info, tape *flow.Tape) *held {
	with, b := recording(tape), tape.Binding
	if !with.Valid() || b == nil || len(tape.Of(flow.GivesAway)) > 0 {
		return nil
	}
	t := &held{call: tape.Call, name: b.Name, loop: with.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda)}
	if t.loop.Is(syntax.FunctionDefinition, syntax.Lambda) {
		return nil // freed when the function returns
	}
	if rebound(info, b, t.loop) {
		return nil
	}
	block := with.Parent()
	for _, use := range tape.Uses {
		if use.Method() == "reset" || info.ScopeOf(use.Node).Function() != b.Scope.Function() {
			return nil
		}
		statement := rule.StatementIn(use.Node, block)
		if !statement.Valid() {
			return nil // used outside the block, where it may be unbound
		}
		if !t.after.Valid() || statement.Start() > t.after.Start() {
			t.after = statement
		}
	}
	if !t.after.Valid() || !goesOn(t) {
		return nil
	}
	return t
}

// rebound reports whether the name is deleted or rebound after the tape, within the same
// loop iteration if there is a loop.
func rebound(info *names.Info, b *names.Binding, loop syntax.Node) bool {
	next := info.Following(b)
	return next != nil && (!loop.Valid() || next.Node.Within(loop))
}

// goesOn reports whether anything is called after the last use while the tape is still held.
func goesOn(t *held) bool {
	if t.loop.Valid() && following(t.after) {
		return true
	}
	for n := t.after; n.Valid(); n = n.Parent() {
		if n.Is(syntax.FunctionDefinition, syntax.Lambda) {
			return false
		}
		if following(n) {
			return true
		}
	}
	return false
}

// following reports whether a statement after n in its block calls anything.
func following(n syntax.Node) bool {
	if n.Parent().Valid() {
		for s := n.Next(); s.Valid(); s = s.Next() {
			if calls(s) {
				return true
			}
		}
		return false
	}
	for i := n.Stmt() + 1; i < n.Tree().Len(); i++ {
		if calls(n.Tree().Statement(i)) {
			return true
		}
	}
	return false
}

// calls reports whether a statement calls anything that may need memory. Printing an existing value
// does not.
func calls(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Call {
			switch m.Child(syntax.FieldFunction).Text() {
			case "print", "len", "str", "repr", "type", "display", "format", "round", "float", "int":
			default:
				found = true
			}
		}
		return !found && !m.Is(syntax.FunctionDefinition, syntax.ClassDefinition)
	})
	return found
}

// deletion returns the edit that deletes a held tape on a line after its last use, if there is room
// for one.
func deletion(p *rule.Pass, t *held) (source.Edit, bool) {
	if !rule.Fixable(t.after) || !p.StartsLine(t.after) || !p.EndsLine(t.after) {
		return source.Edit{}, false
	}
	end := p.LineEnd(t.after)
	return source.Insert(end, p.Newline()+p.IndentOf(t.after)+"del "+t.name), true
}
