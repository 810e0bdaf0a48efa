package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A binder walks a tree once and notes its scopes, bindings, functions and
// calls.
type binder struct {
	in  *Info
	cur *Scope
}

func (b *binder) scope(kind ScopeKind, n syntax.Node, parent *Scope) *Scope {
	return &Scope{Kind: kind, Node: n, Parent: parent, bindings: map[string][]*Binding{}}
}

// in runs visit with another scope as the current one.
func (b *binder) within(s *Scope, visit func()) {
	old := b.cur
	b.cur = s
	visit()
	b.cur = old
}

func (b *binder) note(n syntax.Node) { b.in.scopes[n.ID()] = b.cur }

// opens notes that what stands below n is evaluated in s, unless noted
// otherwise.
func (b *binder) opens(n syntax.Node, s *Scope) {
	if n.Valid() {
		b.in.scopes[n.ID()] = s
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
	case syntax.Assignment:
		b.assignment(n)
	case syntax.AugmentedAssignment:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		b.visit(right)
		if left.Kind() == syntax.Identifier {
			b.note(left)
			b.bind(&Binding{Kind: AugmentedBinding, Node: left, Value: right, stmt: n})
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
			b.bind(&Binding{Kind: AssignBinding, Node: name, Value: value, stmt: n})
		})
	case syntax.ForStatement:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		b.visit(right)
		b.target(left, &Binding{Kind: ForBinding, Value: right, stmt: n})
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
		b.in.Calls = append(b.in.Calls, n)
		b.children(n)
	case syntax.Identifier:
		b.note(n)
	case syntax.Attribute:
		b.visit(n.Child(syntax.FieldObject))
	case syntax.KeywordArgument:
		b.visit(n.Child(syntax.FieldValue))
	case syntax.Comment, syntax.Operator, syntax.Integer, syntax.Float, syntax.FutureImportStatement:
	default:
		b.children(n)
	}
}

// bind adds a binding to the scope that owns the name.
func (b *binder) bind(x *Binding) {
	if x.Name == "" {
		x.Name = x.Node.Text()
	}
	owner := b.cur
	if s := owner.declared[x.Name]; s != nil {
		owner = s
	}
	x.Scope = owner
	owner.bindings[x.Name] = append(owner.bindings[x.Name], x)
}

// target binds the names of an assignment's left side. proto says how; it is
// copied for each name.
func (b *binder) target(n syntax.Node, proto *Binding) {
	switch n.Kind() {
	case syntax.Identifier:
		x := *proto
		x.Node = n
		b.note(n)
		b.bind(&x)
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern, syntax.Tuple, syntax.List, syntax.ExpressionList:
		i := 0
		for c := range n.Children() {
			if c.Kind() == syntax.Comment {
				continue
			}
			x := *proto
			switch {
			case c.Kind() == syntax.ListSplatPattern:
				x.Kind, x.Path = UnpackBinding, nil
				proto = &x // what follows a star stands at no known index
			case x.Kind == AssignBinding:
				x.Kind, x.Path = UnpackBinding, []int{i}
			case x.Kind == UnpackBinding && len(x.Path) > 0:
				x.Path = append(slices.Clone(x.Path), i)
			}
			b.target(c, &x)
			i++
		}
	case syntax.ListSplatPattern, syntax.ListSplat, syntax.ParenthesizedExpression, syntax.AsPatternTarget:
		for c := range n.Children() {
			b.target(c, proto)
		}
	case syntax.Attribute:
		b.attribute(n, proto)
	case syntax.Comment:
	default:
		b.visit(n)
	}
}

// attribute notes "self.name = value" with the class, and any other assigned
// attribute as rebound from outside.
func (b *binder) attribute(n syntax.Node, proto *Binding) {
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute)
	b.visit(object)
	if f := b.cur.Function(); f != nil && f.Class != nil && len(f.Params) > 0 && object.Text() == f.Params[0].Name {
		x := *proto
		x.Node, x.Name, x.Scope = name, name.Text(), b.cur
		f.Class.Attributes[x.Name] = append(f.Class.Attributes[x.Name], &x)
		return
	}
	b.in.rebound[name.Text()] = true
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
	if !value.Valid() {
		return // a bare annotation binds nothing
	}
	b.target(left, &Binding{Kind: AssignBinding, Value: value, Annotation: annotation, stmt: n})
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
		b.target(c, &Binding{Kind: kind, Value: value, stmt: stmt})
	}
}

func (b *binder) deletes(n, stmt syntax.Node) {
	switch n.Kind() {
	case syntax.Identifier:
		b.note(n)
		b.bind(&Binding{Kind: DeleteBinding, Node: n, stmt: stmt})
	case syntax.ExpressionList, syntax.Tuple, syntax.List, syntax.ParenthesizedExpression:
		for c := range n.Children() {
			b.deletes(c, stmt)
		}
	default:
		b.visit(n)
	}
}

func (b *binder) declares(n syntax.Node) {
	owner := b.in.Module
	for c := range n.Children() {
		if c.Kind() != syntax.Identifier {
			continue
		}
		name := c.Text()
		if n.Kind() == syntax.NonlocalStatement {
			for owner = b.cur.Parent; owner.Parent != nil && (owner.Kind == ClassScope || len(owner.bindings[name]) == 0); {
				owner = owner.Parent
			}
		}
		if b.cur.declared == nil {
			b.cur.declared = map[string]*Scope{}
		}
		b.cur.declared[name] = owner
	}
}

// caseClause binds the bare names of a pattern.
func (b *binder) caseClause(n syntax.Node) {
	for c := range n.Children() {
		if c.Kind() != syntax.CasePattern {
			b.visit(c)
			continue
		}
		c.Walk(func(p syntax.Node) bool {
			switch p.Kind() {
			case syntax.Attribute:
				return false
			case syntax.DottedName:
				if p.FirstChild().Valid() && !p.FirstChild().Next().Valid() && p.Text() != "_" {
					b.bind(&Binding{Kind: PatternBinding, Node: p.FirstChild(), stmt: n})
				}
				return false
			case syntax.ClassPattern:
				for a := range p.Children() {
					if a.Kind() == syntax.DottedName {
						continue // the class
					}
				}
			}
			return true
		})
	}
}

func (b *binder) imports(n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.DottedName:
			first := c.FirstChild()
			b.in.imports = append(b.in.imports, dotted(c))
			b.bind(&Binding{Kind: ImportBinding, Node: first, Module: first.Text(), Value: c, stmt: n})
		case syntax.AliasedImport:
			alias, module := c.Child(syntax.FieldAlias), dotted(c.Child(syntax.FieldName))
			b.in.imports = append(b.in.imports, module)
			b.bind(&Binding{Kind: ImportBinding, Node: alias, Module: module, Value: c, stmt: n})
		}
	}
}

func (b *binder) importsFrom(n syntax.Node) {
	module := n.Child(syntax.FieldModuleName)
	from := dotted(module)
	b.in.imports = append(b.in.imports, from)
	for c := range n.Children() {
		if c == module {
			continue
		}
		switch c.Kind() {
		case syntax.DottedName:
			b.bind(&Binding{Kind: FromBinding, Node: c, Module: join(from, c.Text()), Value: n, stmt: n})
		case syntax.AliasedImport:
			alias := c.Child(syntax.FieldAlias)
			b.bind(&Binding{Kind: FromBinding, Node: alias, Module: join(from, dotted(c.Child(syntax.FieldName))), Value: n, stmt: n})
		case syntax.WildcardImport:
			b.in.stars = append(b.in.stars, &Binding{Kind: FromBinding, Node: c, Module: from, Value: n, stmt: n, Scope: b.cur})
		}
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
	b.add(f)
	if b.cur.Kind == ClassScope {
		f.Class = b.cur.Class
		f.Class.Methods[f.Name] = f
	}
	b.bind(&Binding{Kind: FunctionBinding, Node: name, Func: f, stmt: n})
	if r := n.Child(syntax.FieldReturnType); r.Valid() {
		b.visit(r)
	}
	b.body(f, FunctionScope, n.Child(syntax.FieldParameters))
}

func (b *binder) lambda(n syntax.Node) {
	f := &Function{Name: "lambda", Node: n, Body: n.Child(syntax.FieldBody), Info: b.in}
	f.Returns = []syntax.Node{f.Body}
	b.add(f)
	b.body(f, LambdaScope, n.Child(syntax.FieldParameters))
}

func (b *binder) add(f *Function) {
	b.in.Functions = append(b.in.Functions, f)
	b.in.functions[f.Node] = f
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
			b.bind(&Binding{Kind: ParameterBinding, Node: name, Value: p.Default, Annotation: annotation, stmt: f.Node})
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
	b.in.Classes = append(b.in.Classes, c)
	b.in.classes[n] = c
	if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
		b.visit(bases)
		for base := range bases.Children() {
			if !base.Is(syntax.KeywordArgument, syntax.Comment) {
				c.Bases = append(c.Bases, base)
			}
		}
	}
	b.bind(&Binding{Kind: ClassBinding, Node: name, Class: c, stmt: n})
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
		b.within(s, func() { b.target(left, &Binding{Kind: ForBinding, Value: right, stmt: c}) })
	}
	b.within(s, func() {
		for c := range n.Children() {
			if c.Kind() != syntax.ForInClause {
				b.visit(c)
			}
		}
	})
}
