package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Lookup finds the scope that owns the name an identifier uses, or nil for a
// builtin or a name that nothing binds.
func (in *Info) Lookup(n syntax.Node) *Scope {
	name := n.Text()
	from := in.ScopeOf(n)
	if s := from.declared[name]; s != nil {
		return s
	}
	for s := from; s != nil; s = s.Parent {
		if s.Kind == ClassScope && s != from {
			continue // a class's names are not seen from its methods
		}
		if len(s.bindings[name]) > 0 {
			return s
		}
		if t := s.declared[name]; t != nil {
			return t
		}
	}
	return nil
}

// Reaching are the bindings whose value an identifier may have where it stands,
// as the structure of the code tells. None means that nothing binds it.
func (in *Info) Reaching(n syntax.Node) []*Binding {
	s := in.Lookup(n)
	if s == nil {
		return nil
	}
	all := s.bindings[n.Text()]
	if len(all) == 1 || !sameFrame(in.ScopeOf(n), s) {
		return undeleted(all)
	}
	return undeleted(reaching(all, n))
}

// ReachingBefore are the bindings of a name that may hold just before a
// statement in the given scope.
func (in *Info) ReachingBefore(s *Scope, name string, stmt syntax.Node) []*Binding {
	return undeleted(reaching(s.bindings[name], stmt))
}

// sameFrame tells whether code of scope inner runs in step with code of outer:
// a comprehension does, a function called at another time does not.
func sameFrame(inner, outer *Scope) bool {
	for inner != outer {
		if inner == nil || inner.Kind != ComprehensionScope && inner.Kind != ClassScope {
			return false
		}
		inner = inner.Parent
	}
	return true
}

func undeleted(bindings []*Binding) []*Binding {
	for i, b := range bindings {
		if b.Kind == DeleteBinding {
			kept := append([]*Binding(nil), bindings[:i]...)
			for _, b := range bindings[i:] {
				if b.Kind != DeleteBinding {
					kept = append(kept, b)
				}
			}
			return kept
		}
	}
	return bindings
}

// reaching walks back from use over the bindings of one scope, in order of
// text, to the last one that surely ran, and adds those that come round again
// in a loop.
func reaching(all []*Binding, use syntax.Node) []*Binding {
	var out []*Binding
	var last *Binding
	for i := len(all) - 1; i >= 0; i-- {
		b := all[i]
		if !before(b, use) || exclusive(b.stmt, use) || isFallback(b, all, use) {
			continue
		}
		out = append(out, b)
		if dominates(b, use) {
			last = b
			break
		}
	}
	for l := enclosingLoop(use); l.Valid(); l = enclosingLoop(l) {
		if last != nil && last.stmt != l && last.stmt.Within(l) {
			break // bound anew in every turn before it is used
		}
		for _, b := range all {
			if !before(b, use) && b.stmt.Within(l) {
				out = append(out, b)
			}
		}
	}
	return out
}

// before tells whether a binding has taken effect where use starts. The
// right side of an assignment is evaluated before its target is bound.
func before(b *Binding, use syntax.Node) bool {
	switch b.Kind {
	case ParameterBinding:
		return true
	case ForBinding, WithBinding, ExceptBinding, PatternBinding:
		return b.Node.Start() < use.Start()
	case FunctionBinding, ClassBinding:
		return b.stmt.Start() < use.Start()
	}
	return b.stmt.End() <= use.Start()
}

// dominates tells whether use is only reached after b, so that no earlier
// binding holds there.
func dominates(b *Binding, use syntax.Node) bool {
	if b.Kind == ParameterBinding {
		return true
	}
	from := b.stmt
	if b.Kind == ForBinding || b.Kind == ExceptBinding || b.Kind == PatternBinding {
		return use.Within(from) // after the loop it may not have run
	}
	block := blockOf(from)
	for {
		if !block.Valid() || use.Within(block) {
			return true
		}
		// The body of a with, of a try and a finally run wherever what follows
		// them is reached in the ordinary way.
		owner := block.Parent()
		switch {
		case owner.Kind() == syntax.WithStatement, owner.Kind() == syntax.FinallyClause, owner.Kind() == syntax.TryStatement && !isHandled(owner, use):
			block = blockOf(owner)
		default:
			return false
		}
	}
}

// isHandled tells whether use stands in a handler or else of the try statement.
func isHandled(try, use syntax.Node) bool { return use.Within(try) }

// blockOf is the block a statement stands in, or none at the level of a module.
func blockOf(n syntax.Node) syntax.Node { return n.Ancestor(syntax.Block) }

func enclosingLoop(n syntax.Node) syntax.Node {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		switch p.Kind() {
		case syntax.ForStatement, syntax.WhileStatement:
			return p
		case syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// isFallback tells whether b is the import that a handler makes where the one
// in the body of its try fails: the program is read as if that succeeds.
func isFallback(b *Binding, all []*Binding, use syntax.Node) bool {
	if b.Kind != ImportBinding && b.Kind != FromBinding {
		return false
	}
	handler := b.stmt.Ancestor(syntax.ExceptClause, syntax.FunctionDefinition)
	if handler.Kind() != syntax.ExceptClause || use.Within(handler) {
		return false
	}
	try := handler.Parent()
	for _, other := range all {
		if (other.Kind == ImportBinding || other.Kind == FromBinding) && other.stmt.Within(try.Child(syntax.FieldBody)) {
			return true
		}
	}
	return false
}

// exclusive tells whether two places are in different branches of one if or
// match, with no loop around it that could reach one after the other.
func exclusive(a, b syntax.Node) bool {
	for p := a.Parent(); p.Valid(); p = p.Parent() {
		if !p.Is(syntax.IfStatement, syntax.MatchStatement) || !b.Within(p) {
			continue
		}
		return branch(p, a) != branch(p, b) && !enclosingLoop(p).Valid()
	}
	return false
}

// branch is the child of a compound statement that holds n. The test of an if
// belongs to all of them.
func branch(compound, n syntax.Node) syntax.Node {
	for p := n; p.Valid(); p = p.Parent() {
		if p.Parent() == compound {
			return p
		}
	}
	return syntax.Node{}
}

// Uses are the identifiers that may have the value a binding gives, in order of
// text.
func (in *Info) Uses(b *Binding) []syntax.Node {
	var out []syntax.Node
	for s := range in.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && n != b.Node && n.Text() == b.Name && in.scopes[n.ID()] != nil {
				for _, r := range in.Reaching(n) {
					if r == b {
						out = append(out, n)
					}
				}
			}
			return true
		})
	}
	return out
}
