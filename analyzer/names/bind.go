package names

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A binder walks statements once and records their scopes, bindings, functions and calls.
type binder struct {
	in       *Info
	part     *stmtFacts // of the top-level statement
	room     stmtFacts  // the storage that part is built in
	cur      *Scope
	nonlocal []nonlocal

	bindings block[Binding]
	names    block[Name]
	scopes   block[Scope]
}

// A nonlocal declaration. Its owner may bind the name further below.
type nonlocal struct {
	scope *Scope
	name  string
}

func (b *binder) scope(kind ScopeKind, n syntax.Node, parent *Scope) *Scope {
	s := b.scopes.keep(Scope{Kind: kind, Node: n, Parent: parent, number: int32(len(b.part.scopes))})
	b.part.scopes = append(b.part.scopes, s)
	return s
}

// name returns the name in a scope, and creates it if necessary.
func (b *binder) name(s *Scope, name string) *Name {
	if s == b.in.Module {
		return b.in.moduleName(name)
	}
	if n := s.names.find(name); n != nil {
		return n
	}
	n := b.names.keep(Name{scope: s, name: name, number: int32(len(b.part.names))})
	n.bindings = n.first[:0]
	b.part.names = append(b.part.names, n)
	s.names.add(n)
	return n
}

// add gives a name another binding. Bindings of the module's names are only recorded: bind puts
// them together once all statements have been read.
func (b *binder) add(n *Name, x *Binding) {
	x.Scope = n.scope
	if n.scope == b.in.Module {
		b.part.bound = append(b.part.bound, bound{n, x})
	} else {
		n.bindings = append(n.bindings, x)
	}
}

// statement reads a top-level statement. facts is the storage for the facts of its nodes.
func (b *binder) statement(n syntax.Node, facts []fact) *stmtFacts {
	b.part = &b.room
	*b.part = stmtFacts{facts: facts, scopes: b.room.scopes[:0], names: b.room.names[:0], bound: b.room.bound[:0], calls: b.room.calls[:0], functions: b.room.functions[:0]}
	b.visit(n)
	b.finish()
	// The right side of an assignment is read before the left side, but stands after it.
	slices.SortFunc(b.part.functions, func(f, g *Function) int { return cmp.Compare(f.Node.Index(), g.Node.Index()) })
	p := *b.part
	p.scopes, p.names, p.bound = slices.Clone(p.scopes), slices.Clone(p.names), slices.Clone(p.bound)
	p.calls, p.functions = slices.Clone(p.calls), slices.Clone(p.functions)
	p.kinds, p.reached, p.targets = make([]Type, 0, len(p.calls)/2), make([][]*Binding, 0, len(p.calls)), make([]Target, 0, len(p.calls)/4)
	return &p
}

// declare records that a name of s lives in another scope.
func (b *binder) declare(s *Scope, name string, owner *Scope) {
	put(&s.declared, name, b.name(owner, name))
}

// finish gives nonlocal names to their owners and sorts the bindings of each name.
func (b *binder) finish() {
	for _, d := range b.nonlocal {
		for owner := d.scope.Parent; owner != nil; owner = owner.Parent {
			if owner.Func == nil || len(owner.Bindings(d.name)) == 0 && owner.declared[d.name] == nil {
				continue
			}
			if further := owner.declared[d.name]; further != nil {
				owner = further.scope
			}
			if from, to := d.scope.names.find(d.name), b.name(owner, d.name); from != nil && from != to {
				for _, x := range from.bindings {
					b.add(to, x)
				}
				from.bindings = nil
			}
			b.declare(d.scope, d.name, owner)
			break
		}
	}
	b.nonlocal = b.nonlocal[:0]
	for _, n := range b.part.names {
		n.sort()
	}
}

// sort puts the bindings of a name in the order in which they take effect.
func (n *Name) sort() {
	if len(n.bindings) > 1 && !slices.IsSortedFunc(n.bindings, inOrder) {
		slices.SortStableFunc(n.bindings, inOrder)
	}
}

func inOrder(a, b *Binding) int {
	return cmp.Or(cmp.Compare(a.effective(), b.effective()), cmp.Compare(a.Node.Start(), b.Node.Start()))
}

// within runs visit with s as the current scope.
func (b *binder) within(s *Scope, visit func()) {
	old := b.cur
	b.cur = s
	visit()
	b.cur = old
}

func (b *binder) note(n syntax.Node) { b.opens(n, b.cur) }

// opens records that the nodes below n are evaluated in s, unless recorded otherwise.
func (b *binder) opens(n syntax.Node, s *Scope) {
	switch {
	case !n.Valid():
	case s == b.in.Module:
		b.part.facts[n.Index()].scope = 1
	default:
		b.part.facts[n.Index()].scope = s.number + 2
	}
}

func (b *binder) children(n syntax.Node) {
	for c := range n.Children() {
		b.visit(c)
	}
}

// visit records what n binds and visits the nodes below it.
func (b *binder) visit(n syntax.Node) {
	switch n.Kind() {
	case syntax.FunctionDefinition:
		b.function(n, nil)
	case syntax.ClassDefinition:
		b.class(n)
	case syntax.DecoratedDefinition:
		b.decorated(n)
	case syntax.Lambda:
		b.lambda(n)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		b.comprehension(n)
	case syntax.ImportStatement:
		b.imports(n)
	case syntax.ImportFromStatement:
		b.importsFrom(n)
	case syntax.FutureImportStatement:
		for c := range n.Children() {
			b.importedName(c, "__future__", n)
		}
	case syntax.Assignment:
		b.assignment(n)
	case syntax.AugmentedAssignment:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		b.visit(right)
		if left.Kind() == syntax.Identifier {
			b.note(left)
			b.bind(Binding{Kind: AugmentedBinding, Node: left, Value: right, stmt: n})
		} else {
			b.visit(left)
		}
	case syntax.NamedExpression:
		name, value := n.Child(syntax.FieldName), n.Child(syntax.FieldValue)
		b.visit(value)
		target := b.cur
		for target.Kind == ComprehensionScope {
			target = target.Parent
		}
		b.within(target, func() {
			b.bind(Binding{Kind: AssignBinding, Node: name, Value: value, stmt: n})
		})
	case syntax.ForStatement:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		b.visit(right)
		b.target(left, Binding{Kind: ForBinding, Value: right, stmt: n})
		for c := range n.Children() {
			if c != left && c != right {
				b.visit(c)
			}
		}
	case syntax.AsPattern:
		b.asPattern(n)
	case syntax.DeleteStatement:
		for c := range n.Children() {
			b.deletes(c, n)
		}
	case syntax.GlobalStatement, syntax.NonlocalStatement:
		b.declares(n)
	case syntax.CaseClause:
		b.caseClause(n)
	case syntax.ReturnStatement:
		if f := b.cur.Function(); f != nil {
			f.Returns = append(f.Returns, n.FirstChild())
		}
		b.children(n)
	case syntax.Yield:
		if f := b.cur.Function(); f != nil {
			f.Yields = true
		}
		b.children(n)
	case syntax.Call:
		b.part.calls = append(b.part.calls, n)
		b.children(n)
	case syntax.Identifier:
		b.note(n)
	case syntax.Attribute:
		b.visit(n.Child(syntax.FieldObject))
	case syntax.KeywordArgument:
		b.visit(n.Child(syntax.FieldValue))
	case syntax.Comment, syntax.Operator, syntax.Integer, syntax.Float:
	default:
		b.children(n)
	}
}

// bind adds a binding to the scope that owns its name.
func (b *binder) bind(made Binding) {
	x := b.bindings.keep(made)
	if x.Name == "" {
		x.Name = x.Node.Text()
	}
	owner := b.cur
	n := owner.declared[x.Name]
	if n == nil {
		n = b.name(owner, x.Name)
	}
	b.add(n, x)
	if x.Kind != DeleteBinding && x.Kind != AugmentedBinding {
		b.part.facts[x.Node.Index()].scope |= binds
	}
}
