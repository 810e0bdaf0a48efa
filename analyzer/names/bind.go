package names

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A binder walks statements once and notes their scopes, bindings, functions and
// calls.
type binder struct {
	in       *Info
	part     *part // of the top-level statement
	room     part  // where it grows
	cur      *Scope
	nonlocal []nonlocal

	bindings block[Binding]
	names    block[Name]
	scopes   block[Scope]
}

// A nonlocal declaration, whose owner may bind the name further below.
type nonlocal struct {
	scope *Scope
	name  string
}

func (b *binder) scope(kind ScopeKind, n syntax.Node, parent *Scope) *Scope {
	s := b.scopes.keep(Scope{Kind: kind, Node: n, Parent: parent, number: int32(len(b.part.scopes))})
	b.part.scopes = append(b.part.scopes, s)
	return s
}

// name is a name in a scope, from now on.
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

// add gives a name one more binding. Those of the module's names are noted only, and
// put together once all statements have been read.
func (b *binder) add(n *Name, x *Binding) {
	x.Scope = n.scope
	if n.scope == b.in.Module {
		b.part.bound = append(b.part.bound, bound{n, x})
	} else {
		n.bindings = append(n.bindings, x)
	}
}

// statement reads a top-level statement, whose nodes' facts are to lie in facts.
func (b *binder) statement(n syntax.Node, facts []fact) *part {
	b.part = &b.room
	*b.part = part{facts: facts, scopes: b.room.scopes[:0], names: b.room.names[:0], bound: b.room.bound[:0], calls: b.room.calls[:0], functions: b.room.functions[:0]}
	b.visit(n)
	b.finish()
	p := *b.part
	p.scopes, p.names, p.bound = slices.Clone(p.scopes), slices.Clone(p.names), slices.Clone(p.bound)
	p.calls, p.functions = slices.Clone(p.calls), slices.Clone(p.functions)
	p.kinds, p.reached, p.targets = make([]Type, 0, len(p.calls)/2), make([][]*Binding, 0, len(p.calls)), make([]target, 0, len(p.calls)/4)
	return &p
}

// declare notes that a name of s lives in another scope.
func (b *binder) declare(s *Scope, name string, owner *Scope) {
	if s.declared == nil {
		s.declared = map[string]*Name{}
	}
	s.declared[name] = b.name(owner, name)
}

// finish gives nonlocal names to their owners, and puts the bindings of each
// name in the order in which they take effect.
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

// in runs visit with another scope as the current one.
func (b *binder) within(s *Scope, visit func()) {
	old := b.cur
	b.cur = s
	visit()
	b.cur = old
}

func (b *binder) note(n syntax.Node) { b.opens(n, b.cur) }

// opens notes that what stands below n is evaluated in s, unless noted
// otherwise.
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

// visit notes what n binds and visits what is below it.
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
}

// target binds the names of an assignment's left side. how is what they have in
// common.
func (b *binder) target(n syntax.Node, how Binding) {
	switch n.Kind() {
	case syntax.Identifier:
		how.Node = n
		b.note(n)
		b.bind(how)
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List, syntax.ExpressionList:
		if inner := parenthesized(n); inner.Valid() {
			b.target(inner, how)
			return
		}
		i := 0
		for c := range n.Children() {
			if c.Kind() == syntax.Comment {
				continue
			}
			x := how
			switch {
			case c.Kind() == syntax.ListSplatPattern:
				x.Kind, x.Path = UnpackBinding, nil
				how = x // what follows a star stands at no known index
			case x.Kind == AssignBinding:
				x.Kind, x.Path = UnpackBinding, []int{i}
			case x.Kind == UnpackBinding && len(x.Path) > 0:
				x.Path = append(slices.Clone(x.Path), i)
			}
			b.target(c, x)
			i++
		}
	case syntax.ListSplatPattern, syntax.ListSplat, syntax.ParenthesizedExpression, syntax.AsPatternTarget:
		for c := range n.Children() {
			b.target(c, how)
		}
	case syntax.Attribute:
		b.attribute(n, how)
	case syntax.Comment:
	default:
		b.visit(n)
	}
}

// parenthesized is the target in "(target) = value", which the grammar takes for
// a tuple, or none.
func parenthesized(n syntax.Node) syntax.Node {
	only := n.FirstChild()
	if n.Kind() != syntax.TuplePattern || !only.Valid() || only.Next().Valid() || strings.HasSuffix(n.Text(), ",)") ||
		strings.Contains(n.Text()[only.End()-n.Start():], ",") {
		return syntax.Node{}
	}
	return only
}

// attribute notes "self.name = value" with the class, and any other assigned
// attribute as rebound from outside.
func (b *binder) attribute(n syntax.Node, how Binding) {
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute)
	b.visit(object)
	if c := b.instanceOf(object); c != nil {
		how.Node, how.Name, how.Scope = name, name.Text(), b.cur
		c.Attributes[how.Name] = append(c.Attributes[how.Name], b.bindings.keep(how))
		return
	}
	b.part.rebound = append(b.part.rebound, name.Text())
}

// instanceOf is the class whose method's first parameter an expression is, in
// the method itself or in a function within it, or nil.
func (b *binder) instanceOf(object syntax.Node) *Class {
	if object.Kind() != syntax.Identifier {
		return nil
	}
	name := object.Text()
	for s := b.cur; s != nil; s = s.Parent {
		switch {
		case s.Func == nil:
		case s.Func.instance() == name:
			return s.Func.Class
		case len(s.Bindings(name)) > 0:
			return nil
		}
	}
	return nil
}

func (b *binder) assignment(n syntax.Node) {
	left, right, annotation := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight), n.Child(syntax.FieldType)
	value := right
	for value.Kind() == syntax.Assignment { // a = b = value
		value = value.Child(syntax.FieldRight)
	}
	if right.Valid() {
		b.visit(right)
	}
	if annotation.Valid() {
		b.visit(annotation)
	}
	if !value.Valid() && !annotation.Valid() {
		b.visit(left)
		return
	}
	kind := AssignBinding
	if !value.Valid() {
		kind = DeclaredBinding
	}
	b.target(left, Binding{Kind: kind, Value: value, Annotation: annotation, stmt: n})
}

func (b *binder) asPattern(n syntax.Node) {
	kind := WithBinding
	stmt := n.Parent()
	switch {
	case stmt.Kind() == syntax.ExceptClause:
		kind = ExceptBinding
	case stmt.Kind() == syntax.CasePattern:
		kind = PatternBinding
	}
	value := n.FirstChild()
	b.visit(value)
	if with := n.Ancestor(syntax.WithStatement, syntax.Block); with.Kind() == syntax.WithStatement {
		stmt = with
	}
	for c := value.Next(); c.Valid(); c = c.Next() {
		b.target(c, Binding{Kind: kind, Value: value, stmt: stmt})
	}
}

func (b *binder) deletes(n, stmt syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		b.note(n)
		b.bind(Binding{Kind: DeleteBinding, Node: n, stmt: stmt})
	case syntax.ExpressionList, syntax.Tuple, syntax.List, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			b.deletes(c, stmt)
		}
	default:
		b.visit(n)
	}
}

func (b *binder) declares(n syntax.Node) {
	for c := range n.Children() {
		switch {
		case c.Kind() != syntax.Identifier:
		case n.Kind() == syntax.GlobalStatement:
			if b.cur != b.in.Module {
				b.declare(b.cur, c.Text(), b.in.Module)
			}
		case b.cur.Parent != nil:
			b.nonlocal = append(b.nonlocal, nonlocal{b.cur, c.Text()})
		}
	}
}

// caseClause binds the bare names of a pattern.
func (b *binder) caseClause(n syntax.Node) {
	for c := range n.Children() {
		if c.Kind() != syntax.CasePattern {
			b.visit(c)
			continue
		}
		b.pattern(c, n)
	}
}

// pattern binds the names that a pattern captures: those that stand alone, after
// a star and after "as", but not the class of a class pattern, the keyword of a
// keyword pattern, or a dotted name, whose value is compared.
func (b *binder) pattern(n, clause syntax.Node) {
	capture := func(name syntax.Node) {
		if name.Text() != "_" {
			b.note(name)
			b.bind(Binding{Kind: PatternBinding, Node: name, stmt: clause})
		}
	}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			first := c.FirstChild()
			switch {
			case first.Valid() && !first.Next().Valid() && n.Kind() != syntax.ClassPattern:
				capture(first)
			case first.Valid():
				b.note(first)
			}
		case syntax.Identifier:
			if n.Kind() != syntax.KeywordPattern {
				capture(c)
			}
		default:
			b.pattern(c, clause)
		}
	}
}

func (b *binder) imports(n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			first := c.FirstChild()
			b.part.imports = append(b.part.imports, dotted(c))
			b.bind(Binding{Kind: ImportBinding, Node: first, Module: first.Text(), Value: c, stmt: n})
		case syntax.AliasedImport:
			alias, module := c.Child(syntax.FieldAlias), dotted(c.Child(syntax.FieldName))
			b.part.imports = append(b.part.imports, module)
			b.bind(Binding{Kind: ImportBinding, Node: alias, Module: module, Value: c, stmt: n})
		}
	}
}

func (b *binder) importsFrom(n syntax.Node) {
	module := n.Child(syntax.FieldModuleName)
	from := dotted(module)
	b.part.imports = append(b.part.imports, from)
	for c := range n.Children() {
		if c == module {
			continue
		}
		b.importedName(c, from, n)
	}
}

// importedName binds what stands after "from module import".
func (b *binder) importedName(c syntax.Node, from string, stmt syntax.Node) {
	x := Binding{Kind: FromBinding, Node: c, Value: stmt, stmt: stmt}
	switch c.Kind() {
	case syntax.DottedName:
		x.Module = join(from, c.Text())
		b.bind(x)
	case syntax.AliasedImport:
		x.Node, x.Module = c.Child(syntax.FieldAlias), join(from, dotted(c.Child(syntax.FieldName)))
		b.bind(x)
	case syntax.WildcardImport:
		x.Module, x.Scope = from, b.cur
		b.part.stars = append(b.part.stars, b.bindings.keep(x))
	}
}

// dotted is the text of a dotted name without white space.
func dotted(n syntax.Node) string {
	text := n.Text()
	if strings.ContainsAny(text, " \t\\\r\n") {
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\\\r\n", r) {
				return -1
			}
			return r
		}, text)
	}
	return text
}

func join(module, name string) string {
	if strings.HasSuffix(module, ".") { // from . import name
		return module + name
	}
	return module + "." + name
}

func (b *binder) decorated(n syntax.Node) {
	var decorators []syntax.Node
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Decorator:
			b.children(c)
			decorators = append(decorators, c.FirstChild())
		case syntax.FunctionDefinition:
			b.function(c, decorators)
		default:
			b.visit(c)
		}
	}
}

func (b *binder) function(n syntax.Node, decorators []syntax.Node) {
	name := n.Child(syntax.FieldName)
	f := &Function{Name: name.Text(), Node: n, Decorators: decorators, Body: n.Child(syntax.FieldBody), Info: b.in}
	b.part.functions = append(b.part.functions, f)
	if b.cur.Kind == ClassScope {
		f.Class = b.cur.Class
		f.Class.Methods[f.Name] = f
	}
	b.bind(Binding{Kind: FunctionBinding, Node: name, Func: f, stmt: n})
	if r := n.Child(syntax.FieldReturnType); r.Valid() {
		b.visit(r)
	}
	b.body(f, FunctionScope, n.Child(syntax.FieldParameters))
}

func (b *binder) lambda(n syntax.Node) {
	f := &Function{Name: "lambda", Node: n, Body: n.Child(syntax.FieldBody), Info: b.in}
	f.Returns = []syntax.Node{f.Body}
	b.part.functions = append(b.part.functions, f)
	b.body(f, LambdaScope, n.Child(syntax.FieldParameters))
}

// body opens a function's scope, binds its parameters and visits its body.
// Defaults and annotations belong to the scope around it.
func (b *binder) body(f *Function, kind ScopeKind, parameters syntax.Node) {
	s := b.scope(kind, f.Node, b.cur)
	s.Func, f.Scope = f, s
	keywordOnly := false
	parameter := func(p Parameter, name, annotation syntax.Node) {
		p.Name, p.KeywordOnly = name.Text(), keywordOnly && p.Star == 0
		f.Params = append(f.Params, p)
		b.within(s, func() {
			b.bind(Binding{Kind: ParameterBinding, Node: name, Value: p.Default, Annotation: annotation, stmt: f.Node})
		})
		if p.Star == 1 {
			keywordOnly = true
		}
	}
	if parameters.Valid() {
		for p := range parameters.Children() {
			switch p.Kind() {
			case syntax.Identifier:
				parameter(Parameter{}, p, syntax.Node{})
			case syntax.DefaultParameter, syntax.TypedDefaultParameter:
				value, annotation := p.Child(syntax.FieldValue), p.Child(syntax.FieldType)
				b.visit(value)
				if annotation.Valid() {
					b.visit(annotation)
				}
				parameter(Parameter{Default: value}, p.Child(syntax.FieldName), annotation)
			case syntax.TypedParameter:
				annotation := p.Child(syntax.FieldType)
				b.visit(annotation)
				name, star := unstar(p.FirstChild())
				parameter(Parameter{Star: star}, name, annotation)
			case syntax.ListSplatPattern, syntax.DictionarySplatPattern:
				name, star := unstar(p)
				parameter(Parameter{Star: star}, name, syntax.Node{})
			case syntax.KeywordSeparator:
				keywordOnly = true
			}
		}
	}
	if f.Body.Valid() {
		b.opens(f.Body, s)
		b.within(s, func() { b.visit(f.Body) })
	}
}

func unstar(n syntax.Node) (name syntax.Node, star int) {
	switch n.Kind() {
	case syntax.ListSplatPattern:
		return n.FirstChild(), 1
	case syntax.DictionarySplatPattern:
		return n.FirstChild(), 2
	}
	return n, 0
}

func (b *binder) class(n syntax.Node) {
	name := n.Child(syntax.FieldName)
	c := &Class{Name: name.Text(), Node: n, Info: b.in, Methods: map[string]*Function{}, Attributes: map[string][]*Binding{}}
	b.part.classes = append(b.part.classes, c)
	if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
		b.visit(bases)
		for base := range bases.Children() {
			if !base.Is(syntax.KeywordArgument, syntax.Comment) {
				c.Bases = append(c.Bases, base)
			}
		}
	}
	b.bind(Binding{Kind: ClassBinding, Node: name, Class: c, stmt: n})
	s := b.scope(ClassScope, n, b.cur)
	s.Class, c.Scope = c, s
	b.opens(n.Child(syntax.FieldBody), s)
	b.within(s, func() { b.visit(n.Child(syntax.FieldBody)) })
}

// comprehension opens a scope for the targets. Its first iterable is evaluated
// outside.
func (b *binder) comprehension(n syntax.Node) {
	s := b.scope(ComprehensionScope, n, b.cur)
	b.opens(n, s)
	first := true
	for c := range n.Children() {
		if c.Kind() != syntax.ForInClause {
			continue
		}
		left, right := c.Child(syntax.FieldLeft), c.Child(syntax.FieldRight)
		if first {
			b.visit(right)
		} else {
			b.within(s, func() { b.visit(right) })
		}
		first = false
		b.within(s, func() { b.target(left, Binding{Kind: ForBinding, Value: right, stmt: c}) })
	}
	b.within(s, func() {
		for c := range n.Children() {
			if c.Kind() != syntax.ForInClause {
				b.visit(c)
			}
		}
	})
}
