package names

import "github.com/tfmem/tfmem/analyzer/syntax"

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

// body opens a function's scope, binds its parameters and visits its body. Defaults and
// annotations belong to the enclosing scope.
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

// comprehension opens a scope for the targets. Its first iterable is evaluated outside.
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
