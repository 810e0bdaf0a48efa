package names

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// indexes answer for one version of a module what is asked of many names and bindings, and
// takes a look at all of them to find out. Each is made when it is first asked for.
type indexes struct {
	named    map[string][]syntax.Node // where names stand: those that were asked for,
	allNamed bool                     // or all
	uses     map[string]map[*Binding][]syntax.Node
	callers  map[*Function][]syntax.Node

	at      map[*Name]map[syntax.Node]*Binding // of a name, by where they stand
	written map[*Name][]*Binding               // in order of the text
	outside map[*Name][]*Binding               // that uses in other frames see
	chosen  map[syntax.Node]Verdict            // of the blocks of an if

	// What many bindings agree on, by the first of them.
	agree map[**Binding]int32
	typed map[**Binding]Type
	stand map[**Binding]target
}

// Lookup finds the scope that owns the name an identifier uses, or nil for a
// builtin or a name that nothing binds.
func (in *Info) Lookup(n syntax.Node) *Scope {
	if !n.Valid() {
		return nil
	}
	in = in.home(n)
	if found := in.lookup(n); found.scope != in.Module || len(found.bindings) > 0 {
		return found.scope
	}
	return nil
}

// lookup is the name that an identifier of the module uses: the module's where
// nothing binds it.
func (in *Info) lookup(n syntax.Node) *Name {
	p, f := in.part(n), in.fact(n)
	if f.name == 0 {
		found := in.find(n.Text(), in.ScopeOf(n))
		if f.name = found.number + 1; found.scope == in.Module {
			f.name = -f.name
			p.use(found)
		}
	}
	if f.name < 0 {
		return in.names[-f.name-1]
	}
	return p.names[f.name-1]
}

// find is the name that is meant in a scope.
func (in *Info) find(name string, from *Scope) *Name {
	if n := from.declared[name]; n != nil {
		return n
	}
	for s := from; s.Parent != nil; s = s.Parent {
		if s.Kind == ClassScope && s != from {
			continue // a class's names are not seen from its methods
		}
		if n := s.names.find(name); n != nil && len(n.bindings) > 0 {
			return n
		}
		if n := s.declared[name]; n != nil {
			return n
		}
	}
	return in.moduleName(name)
}

// ReachingDefs are the bindings whose value an identifier may have where it stands,
// as the structure of the code tells. None means that nothing binds it.
func (in *Info) ReachingDefs(n syntax.Node) []*Binding {
	if !n.Valid() {
		return nil
	}
	in = in.home(n)
	found := in.lookup(n)
	switch len(found.bindings) {
	case 0:
		return nil
	case 1:
		return withValue(found.bindings)
	}
	p, f := in.part(n), in.fact(n)
	if f.reached != 0 {
		return p.reached[f.reached-1]
	}
	var out []*Binding
	if sameFrame(in.ScopeOf(n), found.scope) {
		out = slices.Clip(withValue(in.reaching(found.bindings, n)))
	} else {
		out = in.elsewhere(found, n)
	}
	p.reached = append(p.reached, out)
	f.reached = int32(len(p.reached))
	return out
}

// elsewhere are the bindings that a use in another frame than that of its name may see: for
// all uses the same, but for those in a handler.
func (in *Info) elsewhere(found *Name, use syntax.Node) []*Binding {
	all := found.bindings
	handled := use.Ancestor(syntax.ExceptClause).Valid()
	if out, known := in.outside[found]; known && !handled {
		return out
	}
	out := slices.Clip(withValue(in.atEnd(all, use)))
	if !handled {
		if in.outside == nil {
			in.outside = map[*Name][]*Binding{}
		}
		in.outside[found] = out
	}
	return out
}

// atEnd are the bindings of a name that hold for code which runs when its scope has run: of
// functions and classes that are defined again the last.
func (in *Info) atEnd(all []*Binding, use syntax.Node) []*Binding {
	all = without(all, func(b *Binding) bool { return isFallback(b, all, use) })
	if taken := without(all, func(b *Binding) bool { return in.passed(b.stmt, syntax.Node{}) }); len(taken) > 0 {
		all = taken
	}
	blocks := blocks{info: in, of: all}
	for i := len(all) - 1; i > 0; i-- {
		if all[i].Kind != FunctionBinding && all[i].Kind != ClassBinding {
			continue
		}
		if sure := dominates(all[i], &blocks, syntax.Node{}); sure.Valid() {
			return without(all, func(b *Binding) bool { return b.effective() <= sure.Start() })
		}
	}
	return all
}

// ReachingBefore are the bindings of a name that may hold just before a
// statement in the given scope.
func (in *Info) ReachingBefore(s *Scope, name string, stmt syntax.Node) []*Binding {
	return withValue(in.reaching(s.Bindings(name), stmt))
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

// withValue leaves out what gives no value: del, and a bare annotation.
func withValue(bindings []*Binding) []*Binding {
	return without(bindings, func(b *Binding) bool { return b.Kind == DeleteBinding || b.Kind == DeclaredBinding })
}

// without is slices.DeleteFunc on a copy, where there is anything to delete.
func without(bindings []*Binding, drop func(*Binding) bool) []*Binding {
	if !slices.ContainsFunc(bindings, drop) {
		return bindings
	}
	return slices.DeleteFunc(slices.Clone(bindings), drop)
}

// reaching walks back from use over the bindings of one scope, in the order in
// which they take effect, to the place from which one of them surely ran, and
// adds those that come round again in a loop.
func (in *Info) reaching(all []*Binding, use syntax.Node) []*Binding {
	var out []*Binding
	var sure syntax.Node
	blocks := blocks{info: in, of: all}
	next := sort.Search(len(all), func(i int) bool { return all[i].effective() > use.Start() })
	for i := next - 1; i >= 0; i-- {
		b := all[i]
		if sure.Valid() && b.effective() <= sure.Start() {
			break
		}
		if b.Kind == DeclaredBinding || exclusive(b.stmt, use) || isFallback(b, all, use) || leaves(b.stmt, use) || in.passed(b.stmt, use) {
			continue
		}
		out = append(out, b)
		if sure.Valid() {
			continue
		}
		if sure = dominates(b, &blocks, use); sure == b.stmt {
			break
		}
	}
	for l := enclosingLoop(use); l.Valid(); l = enclosingLoop(l) {
		if sure.Valid() && sure.Within(l) && (sure != l || use.Within(l.Child(syntax.FieldBody)) && bindsTarget(l, out)) {
			break // bound anew in every turn before it is used
		}
		for _, b := range all[next:] {
			if b.stmt.Within(l) && b.Kind != DeclaredBinding {
				out = append(out, b)
			}
		}
	}
	return out
}

// bindsTarget tells whether one of some bindings is by a loop's own target.
func bindsTarget(loop syntax.Node, bindings []*Binding) bool {
	return slices.ContainsFunc(bindings, func(b *Binding) bool { return b.Kind == ForBinding && b.stmt == loop })
}

// effective is the byte from which on a binding holds. The right side of an
// assignment is evaluated, and the body of a class run, before its name is
// bound.
func (b *Binding) effective() int {
	switch b.Kind {
	case ParameterBinding:
		return b.stmt.Start()
	case ForBinding, WithBinding, ExceptBinding, PatternBinding:
		return b.Node.End()
	}
	return b.stmt.End()
}

// dominates finds the statement that is surely run before use, or before the end of the
// name's scope where there is no use, and gives the name a value, so that no earlier binding
// holds there: that of b, or an if of which every branch binds the name or leaves. It is none
// where there is none.
func dominates(b *Binding, in *blocks, use syntax.Node) syntax.Node {
	from := b.stmt
	switch b.Kind {
	case ParameterBinding:
		return from
	case ForBinding, ExceptBinding, PatternBinding:
		if use.Within(from) {
			return from
		}
		return syntax.Node{} // after the loop it may not have run
	}
	for block := blockOf(from); block.Valid() && !use.Within(block); {
		// The body of a with, of a try and a finally run wherever what follows
		// them is reached in the ordinary way.
		owner := block.Parent()
		switch {
		case owner.Kind() == syntax.WithStatement, owner.Kind() == syntax.FinallyClause, owner.Kind() == syntax.TryStatement && !use.Within(owner):
			block = blockOf(owner)
		case owner.Kind() == syntax.FunctionDefinition && !use.Valid():
			return from
		case owner.Is(syntax.IfStatement, syntax.ElifClause, syntax.ElseClause) && in.info.taken(block) == Always:
			block = blockOf(ifOf(owner))
		case owner.Is(syntax.IfStatement, syntax.ElifClause, syntax.ElseClause):
			owner = ifOf(owner)
			if owner.Kind() != syntax.IfStatement || use.Within(owner) || !in.everyBranch(owner) {
				return syntax.Node{}
			}
			from, block = owner, blockOf(owner)
		default:
			return syntax.Node{}
		}
	}
	return from
}

// blocks are the bindings of a name, by the blocks of which they surely bind it where their
// end is reached.
type blocks struct {
	info *Info
	of   []*Binding
}

func (in *blocks) has(block syntax.Node) bool {
	first := sort.Search(len(in.of), func(i int) bool { return in.of[i].effective() > block.Start() })
	for _, b := range in.of[first:] {
		if b.effective() > block.End() {
			break
		}
		switch b.Kind {
		case ForBinding, ExceptBinding, PatternBinding, DeclaredBinding:
		default:
			if blockOf(b.stmt) == block {
				return true
			}
		}
	}
	return false
}

// everyBranch tells whether each branch of an if, its else among them, binds the
// name, or leaves.
func (in *blocks) everyBranch(n syntax.Node) bool {
	hasElse := false
	for c := range n.Children() {
		var block syntax.Node
		switch {
		case c.Field() == syntax.FieldConsequence:
			block = c
		case c.Kind() == syntax.ElifClause:
			block = c.Child(syntax.FieldConsequence)
		case c.Kind() == syntax.ElseClause:
			block, hasElse = c.Child(syntax.FieldBody), true
		default:
			continue
		}
		if !in.has(block) && !Leaves(block) {
			return false
		}
	}
	return hasElse
}

// Leaves tells whether what follows a block is not reached through its end,
// because its last statement returns, raises, goes on with a loop or ends the
// process.
func Leaves(block syntax.Node) bool {
	return leaving(block).Valid()
}

func leaving(block syntax.Node) syntax.Node {
	last := Last(block)
	if last.Is(syntax.ReturnStatement, syntax.RaiseStatement, syntax.BreakStatement, syntax.ContinueStatement) || last.Valid() && Exits(last) {
		return last
	}
	return syntax.Node{}
}

// Last is the last child of a node, comments left out, or none. Nodes are numbered in
// order of text, so that those before it need not be passed.
func Last(block syntax.Node) syntax.Node {
	if !block.Valid() {
		return block
	}
	first := block.Index() + 1
	n := sort.Search(block.Tree().Size(block.Stmt())-first, func(i int) bool { return !block.Nth(first + i).Within(block) })
	for n > 0 {
		last := block.Nth(first + n - 1)
		for last.Parent() != block {
			last = last.Parent()
		}
		if last.Kind() != syntax.Comment {
			return last
		}
		n = last.Index() - first
	}
	return syntax.Node{}
}

// Exits tells whether a statement ends the process.
func Exits(n syntax.Node) bool {
	call := n.FirstChild()
	if n.Kind() != syntax.ExpressionStatement || call.Kind() != syntax.Call {
		return false
	}
	switch call.Child(syntax.FieldFunction).Text() {
	case "sys.exit", "exit", "quit", "os._exit":
		return true
	}
	return false
}

// leaves tells whether the branch that a statement stands in never reaches use,
// because it ends in a return, say.
func leaves(stmt, use syntax.Node) bool {
	for block := blockOf(stmt); block.Valid() && !use.Within(block); block = blockOf(block) {
		if block.Parent().Is(syntax.FunctionDefinition, syntax.ClassDefinition) {
			return false // the assignment of a global
		}
		switch last := leaving(block); {
		case !last.Valid():
		case last.Is(syntax.BreakStatement, syntax.ContinueStatement):
			if l := enclosingLoop(last); l.Valid() && use.Within(l) {
				return true
			}
		default:
			// A handler or a finally may come after it all the same.
			return !last.Ancestor(syntax.TryStatement, syntax.FunctionDefinition).Is(syntax.TryStatement)
		}
	}
	return false
}

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

// isFallback tells whether b is what a handler binds in place of the import in
// the body of its try, such as another import or None: the program is read as if
// the import succeeds.
func isFallback(b *Binding, all []*Binding, use syntax.Node) bool {
	handler := b.stmt.Ancestor(syntax.ExceptClause, syntax.FunctionDefinition)
	if handler.Kind() != syntax.ExceptClause || use.Within(handler) {
		return false
	}
	body := handler.Parent().Child(syntax.FieldBody)
	if !body.Valid() {
		return false // what does not parse may have a handler alone
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].effective() > body.Start() })
	for _, other := range all[first:] {
		if other.effective() > body.End() {
			break
		}
		if (other.Kind == ImportBinding || other.Kind == FromBinding) && other.stmt.Within(body) {
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

// BindingAt is the binding that a name stands for where it is bound, or nil.
func (in *Info) BindingAt(n syntax.Node) *Binding {
	in = in.home(n)
	found := in.lookup(n)
	at := in.at[found]
	if at == nil {
		at = make(map[syntax.Node]*Binding, len(found.bindings))
		for _, b := range found.bindings {
			at[b.Node] = b
		}
		if in.at == nil {
			in.at = map[*Name]map[syntax.Node]*Binding{}
		}
		in.at[found] = at
	}
	return at[n]
}

// Following is the binding of the same name and scope that stands next in the text, or nil.
func (in *Info) Following(b *Binding) *Binding {
	all := b.Scope.Bindings(b.Name)
	sorted, known := in.written[b.Scope.names.find(b.Name)]
	if !known {
		sorted = slices.SortedFunc(slices.Values(all), func(a, b *Binding) int { return cmp.Compare(a.Node.Start(), b.Node.Start()) })
		if in.written == nil {
			in.written = map[*Name][]*Binding{}
		}
		in.written[b.Scope.names.find(b.Name)] = sorted
	}
	i, _ := slices.BinarySearchFunc(sorted, b.Node.Start()+1, func(b *Binding, at int) int { return cmp.Compare(b.Node.Start(), at) })
	if i == len(sorted) {
		return nil
	}
	return sorted[i]
}

// Uses are the identifiers that may have the value a binding gives, in order of
// text; those that del takes it from are among them. They must not be changed.
func (in *Info) Uses(b *Binding) []syntax.Node {
	uses, known := in.uses[b.Name]
	if !known {
		uses = map[*Binding][]syntax.Node{}
		for _, n := range in.Identifiers(b.Name) {
			if !in.Used(n) {
				continue
			}
			for _, r := range in.ReachingDefs(n) {
				if r.Node != n {
					uses[r] = append(uses[r], n)
				}
			}
		}
		if in.uses == nil {
			in.uses = map[string]map[*Binding][]syntax.Node{}
		}
		in.uses[b.Name] = uses
	}
	return uses[b]
}

// fewSought is the number of names that the text is searched for one by one, before all
// of its identifiers are noted.
const fewSought = 16

// Identifiers are where a name stands in the module, as one of whatever scope or of an
// attribute, in order of text. They must not be changed.
func (in *Info) Identifiers(name string) []syntax.Node {
	if found, known := in.named[name]; known || in.allNamed {
		return found
	}
	if in.named == nil {
		in.named = map[string][]syntax.Node{}
	}
	in.allNamed = len(in.named) == fewSought
	if in.allNamed {
		clear(in.named)
	}
	for s := range in.Tree.Statements() {
		if !in.allNamed && !strings.Contains(s.Text(), name) {
			continue
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && (in.allNamed || n.Text() == name) {
				in.named[n.Text()] = append(in.named[n.Text()], n)
			}
			return true
		})
	}
	if in.named[name] == nil {
		in.named[name] = nil // it stands nowhere
	}
	return in.named[name]
}

// Used tells whether an identifier stands for the value of its name, rather than
// being where that is bound, or the name of a parameter, attribute or keyword.
func (in *Info) Used(n syntax.Node) bool {
	scope := in.fact(n).scope
	return scope&^binds != 0 && scope&binds == 0
}
