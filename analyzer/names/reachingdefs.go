package names

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// indexes answer queries about one version of a module that need a pass over many names and
// bindings. Each index is built on first use.
type indexes struct {
	named    map[string][]syntax.Node // the identifiers of the queried names,
	allNamed bool                     // or of all names
	uses     map[string]map[*Binding][]syntax.Node
	callers  map[*Function][]syntax.Node
	options  map[string]syntax.Node // the defaults of command-line options, by attribute
	program  []*Info

	at      map[*Name]map[syntax.Node]*Binding // the bindings of a name, by node
	written map[*Name][]*Binding               // in order of text
	outside map[*Name][]*Binding               // the bindings that uses in other frames see
	chosen  map[syntax.Node]Verdict            // for the blocks of an if

	// What many bindings agree on, by the first of them.
	agree map[**Binding]int32
	typed map[**Binding]Type
	stand map[**Binding]Target
}

// remembered returns what bindings agree on. It asks once for many of them.
func remembered[T any](known *map[**Binding]T, bindings []*Binding, ask func([]*Binding) T) T {
	if len(bindings) <= fewNames {
		return ask(bindings)
	}
	t, ok := (*known)[&bindings[0]]
	if !ok {
		t = ask(bindings)
		put(known, &bindings[0], t)
	}
	return t
}

// put sets an entry of a map, which is made with its first.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

// Lookup returns the scope that owns an identifier's name, or nil for a builtin or a name that
// nothing binds.
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

// lookup returns the name that an identifier of the module uses. If nothing binds it, that is the
// module's.
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

// find returns the name that a scope sees.
func (in *Info) find(name string, from *Scope) *Name {
	if n := from.declared[name]; n != nil {
		return n
	}
	for s := from; s.Parent != nil; s = s.Parent {
		if s.Kind == ClassScope && s != from {
			continue // methods do not see the names of their class
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

// ReachingDefs returns the bindings whose value an identifier may have, by the structure of the
// code. It returns nil if nothing binds the name, or nothing does before the identifier is first read:
// where x = x + 1 is all that binds x, Python raises NameError. Code that follows values therefore
// does not return to x.
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
		if in.boundAfter(found.bindings[0], n) {
			return nil
		}
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
	if !slices.ContainsFunc(out, func(b *Binding) bool { return !in.boundAfter(b, n) }) {
		out = nil
	}
	p.reached = append(p.reached, out)
	f.reached = int32(len(p.reached))
	return out
}

// boundAfter reports whether a binding is made after a use, in the same run of a function or module:
// it needs the value itself, as x = x + 1 does, or stands further down, and no loop goes back.
func (in *Info) boundAfter(b *Binding, use syntax.Node) bool {
	if !b.Value.Valid() || !sameFrame(in.ScopeOf(use), in.ScopeOf(b.Node)) {
		return false
	}
	if use.Within(b.Value) {
		return true
	}
	if b.Kind != AssignBinding || b.Node.Start() <= use.Start() {
		return false
	}
	loop := b.Node.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
	return !loop.Is(syntax.ForStatement, syntax.WhileStatement)
}

// elsewhere returns the bindings that a use in another frame may see. They are the same for all
// uses outside of handlers.
func (in *Info) elsewhere(found *Name, use syntax.Node) []*Binding {
	all := found.bindings
	handled := use.Ancestor(syntax.ExceptClause).Valid()
	if out, known := in.outside[found]; known && !handled {
		return out
	}
	out := slices.Clip(withValue(in.atEnd(all, use)))
	if !handled {
		put(&in.outside, found, out)
	}
	return out
}

// atEnd returns the bindings that hold for code that runs after the scope has run. If functions
// and classes are defined more than once, only the last definition counts.
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

// ReachingBefore returns the bindings of a name that may hold just before a statement in the
// given scope.
func (in *Info) ReachingBefore(s *Scope, name string, stmt syntax.Node) []*Binding {
	return withValue(in.reaching(s.Bindings(name), stmt))
}

// ReachingEnd returns the bindings of a name that may hold when its scope has run.
func (in *Info) ReachingEnd(s *Scope, name string) (out []*Binding) {
	all := s.Bindings(name)
	var sure syntax.Node
	blocks := blocks{info: in, of: all}
	for _, b := range slices.Backward(all) {
		if sure.Valid() && b.effective() <= sure.Start() {
			break
		}
		if b.Kind == DeclaredBinding || in.passed(b.stmt, syntax.Node{}) {
			continue
		}
		out = append(out, b)
		if !sure.Valid() {
			if sure = dominates(b, &blocks, syntax.Node{}); sure == b.stmt {
				break
			}
		}
	}
	return withValue(out)
}

// sameFrame reports whether code of scope inner runs in step with code of outer. A comprehension
// does; a function does not, because it is called at another time.
func sameFrame(inner, outer *Scope) bool {
	for inner != outer {
		if inner == nil || inner.Kind != ComprehensionScope && inner.Kind != ClassScope {
			return false
		}
		inner = inner.Parent
	}
	return true
}

// withValue drops bindings without a value: del, and a bare annotation.
func withValue(bindings []*Binding) []*Binding {
	return without(bindings, func(b *Binding) bool { return b.Kind == DeleteBinding || b.Kind == DeclaredBinding })
}

// without is slices.DeleteFunc, on a copy if there is anything to delete.
func without(bindings []*Binding, drop func(*Binding) bool) []*Binding {
	if !slices.ContainsFunc(bindings, drop) {
		return bindings
	}
	return slices.DeleteFunc(slices.Clone(bindings), drop)
}

// reaching walks back from use over the bindings of one scope, latest effect first, to the place
// from which one of them surely ran. It then adds those that a loop brings round again.
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
		if b.Kind == DeclaredBinding || iterates(b, use) || Exclusive(b.stmt, use) || isFallback(b, all, use) || leaves(b.stmt, use) || in.passed(b.stmt, use) {
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
			break // each iteration binds it again before the use
		}
		var round []*Binding
		for i, b := range all {
			if (i >= next || iterates(b, use)) && b.stmt.Within(l) && b.Kind != DeclaredBinding {
				round = append(round, b)
			}
		}
		out = append(out, lasting(round, l)...)
	}
	return out
}

// lasting returns those of the bindings in a loop, in order of text, that hold at the end of an
// iteration: not those that the loop's own body always binds again.
func lasting(bindings []*Binding, loop syntax.Node) []*Binding {
	body := loop.Child(syntax.FieldBody)
	for i, b := range slices.Backward(bindings) {
		always := (b.Kind == AssignBinding || b.Kind == UnpackBinding) && blockOf(b.stmt) == body && b.Node.Parent().Kind() != syntax.NamedExpression
		if i > 0 && always && !continues(loop, bindings[0].stmt.Start(), b.stmt.Start()) {
			return bindings[i:]
		}
	}
	return bindings
}

// continues reports whether a continue that stands between two places of a loop begins its next
// iteration.
func continues(loop syntax.Node, from, to int) bool {
	found := false
	loop.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.ContinueStatement && from <= n.Start() && n.Start() < to && enclosingLoop(n) == loop
		return !found && n.Start() < to
	})
	return found
}

// iterates reports whether a use is in the iterable of the loop that makes a binding. Python
// evaluates it before the loop binds anything.
func iterates(b *Binding, use syntax.Node) bool {
	return b.Kind == ForBinding && use.Within(b.stmt.Child(syntax.FieldRight))
}

// bindsTarget reports whether one of the bindings is the loop's own target.
func bindsTarget(loop syntax.Node, bindings []*Binding) bool {
	return slices.ContainsFunc(bindings, func(b *Binding) bool { return b.Kind == ForBinding && b.stmt == loop })
}

// effective returns the byte from which on a binding holds. Python evaluates the right side of an
// assignment, and runs the body of a class, before it binds the name.
func (b *Binding) effective() int {
	switch b.Kind {
	case ParameterBinding:
		return b.stmt.Start()
	case ForBinding, WithBinding, ExceptBinding, PatternBinding:
		return b.Node.End()
	}
	return b.stmt.End()
}

// dominates finds the statement that surely gives the name a value before use, or before the end
// of the name's scope if use is none. No earlier binding reaches past it. It is the statement of
// b, or an if of which every branch binds the name or leaves. dominates returns none if there is
// no such statement.
func dominates(b *Binding, in *blocks, use syntax.Node) syntax.Node {
	from := b.stmt
	switch b.Kind {
	case ParameterBinding:
		return from
	case ForBinding, ExceptBinding, PatternBinding:
		if use.Within(from) {
			return from
		}
		return syntax.Node{} // the loop may have run no iteration
	}
	for block := blockOf(from); block.Valid() && !use.Within(block); {
		// The body of a with, of a try and a finally run whenever control reaches what follows
		// them without an exception.
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

// BoundIn reports whether a block, each time that it runs, surely binds a name of a scope before a use in
// it or, if the use is elsewhere, before the block ends.
func (in *Info) BoundIn(block syntax.Node, s *Scope, name string, use syntax.Node) bool {
	if !use.Within(block) {
		use = block
	}
	all := s.Bindings(name)
	return slices.ContainsFunc(all, func(b *Binding) bool {
		return b.stmt.Within(block) && (use == block || b.effective() <= use.Start()) && dominates(b, &blocks{info: in, of: all}, use).Within(block)
	})
}

// blocks holds the bindings of a name, by the blocks that surely bind it when their end is
// reached.
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

// everyBranch reports whether every branch of an if, with an else among them, binds the name or
// leaves.
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

// Leaves reports whether control never passes the end of a block, because its last statement
// returns, raises, continues or breaks a loop, or ends the process.
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

// Last returns the last child of a node that is not a comment, or none. It is found by binary
// search, because nodes are in order of text.
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

// Exits reports whether a statement ends the process.
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

// leaves reports whether the branch with stmt never reaches use, for instance because it ends in
// a return.
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
			// A handler or a finally may still follow.
			return !last.Ancestor(syntax.TryStatement, syntax.FunctionDefinition).Is(syntax.TryStatement)
		}
	}
	return false
}

// blockOf returns the block that a statement stands in, or none for a top-level statement.
func blockOf(n syntax.Node) syntax.Node { return n.Ancestor(syntax.Block) }

// enclosingLoop returns the innermost loop, in the same function, that runs a node again. The
// iterable of a for loop is evaluated once.
func enclosingLoop(n syntax.Node) syntax.Node {
	for child, p := n, n.Parent(); p.Valid(); child, p = p, p.Parent() {
		switch p.Kind() {
		case syntax.ForStatement, syntax.WhileStatement:
			if p.Kind() == syntax.ForStatement && child.Field() == syntax.FieldRight {
				continue
			}
			return p
		case syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// isFallback reports whether a handler binds b, such as another import or None, in place of an
// import in the body of its try. The analysis assumes that the import succeeds.
func isFallback(b *Binding, all []*Binding, use syntax.Node) bool {
	handler := b.stmt.Ancestor(syntax.ExceptClause, syntax.FunctionDefinition)
	if handler.Kind() != syntax.ExceptClause || use.Within(handler) {
		return false
	}
	body := handler.Parent().Child(syntax.FieldBody)
	if !body.Valid() {
		return false // code with syntax errors may have a handler without a try
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

// Exclusive reports whether two places are in different branches of one if or match, and no loop
// could run one after the other.
func Exclusive(a, b syntax.Node) bool {
	for p := a.Parent(); p.Valid(); p = p.Parent() {
		if !p.Is(syntax.IfStatement, syntax.MatchStatement) || !b.Within(p) {
			continue
		}
		return branch(p, a) != branch(p, b) && !enclosingLoop(p).Valid()
	}
	return false
}

// branch returns the child of a compound statement that contains n. The test of an if belongs to
// all branches.
func branch(compound, n syntax.Node) syntax.Node {
	for p := n; p.Valid(); p = p.Parent() {
		if p.Parent() == compound {
			return p
		}
	}
	return syntax.Node{}
}

// BindingAt returns the binding whose name n is, or nil.
func (in *Info) BindingAt(n syntax.Node) *Binding {
	in = in.home(n)
	found := in.lookup(n)
	at := in.at[found]
	if at == nil {
		at = make(map[syntax.Node]*Binding, len(found.bindings))
		for _, b := range found.bindings {
			at[b.Node] = b
		}
		put(&in.at, found, at)
	}
	return at[n]
}

// Following returns the next binding of the same name and scope in the text, or nil.
func (in *Info) Following(b *Binding) *Binding {
	all := b.Scope.Bindings(b.Name)
	sorted, known := in.written[b.Scope.names.find(b.Name)]
	if !known {
		sorted = slices.SortedFunc(slices.Values(all), func(a, b *Binding) int { return cmp.Compare(a.Node.Start(), b.Node.Start()) })
		put(&in.written, b.Scope.names.find(b.Name), sorted)
	}
	i, _ := slices.BinarySearchFunc(sorted, b.Node.Start()+1, func(b *Binding, at int) int { return cmp.Compare(b.Node.Start(), at) })
	if i == len(sorted) {
		return nil
	}
	return sorted[i]
}

// Uses returns the identifiers that may have the value of a binding, in order of text, including
// those in del. The caller must not change the list.
func (in *Info) Uses(b *Binding) []syntax.Node {
	in = in.home(b.Node)
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
		put(&in.uses, b.Name, uses)
	}
	return uses[b]
}

// fewSought is the number of names that are searched in the text one by one. After that, all
// identifiers are indexed.
const fewSought = 16

// Identifiers returns the nodes with a name in the module, of any scope or of an attribute, in
// order of text. The caller must not change the list.
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
		in.named[name] = nil // the name does not occur
	}
	return in.named[name]
}

// Used reports whether an identifier reads the value of its name. It does not where it is bound,
// or names a parameter, an attribute or a keyword.
func (in *Info) Used(n syntax.Node) bool {
	scope := in.home(n).fact(n).scope
	return scope&^binds != 0 && scope&binds == 0
}
