// Package names resolves the names of a Python program: its scopes and bindings. It gives every
// call and attribute a qualified name such as "tensorflow.keras.layers.Dense", however it was
// imported.
//
// It computes reaching definitions from the structure of the code, so that a name that is rebound
// has its latest meaning. If several definitions reach a use and disagree, the name is unknown.
// The package knows syntax. Of TensorFlow it knows only what a [Library] provides. It reads no
// files.
package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Library describes modules whose source is not read.
type Library interface {
	// Canonical returns the one spelling of a qualified name that has several.
	Canonical(name string) string
	// Returns is the class of the result of calling name, or "" if it is not known. A class
	// returns itself.
	Returns(name string) string
	// Base is the class that a class inherits from, or "".
	Base(class string) string
	// Exports reports whether "from module import *" binds name.
	Exports(module, name string) bool
	// Has reports whether the module has a name, in any version that exists. known is false if
	// that is not known.
	Has(module, name string) (has, known bool)
}

// An Info holds the meaning of the names of one module. Its answers never change, but it caches
// them, so it is not safe for concurrent use.
type Info struct {
	Tree      *syntax.Tree
	Module    *Scope
	Functions []*Function // all, in order of text
	Classes   []*Class
	Calls     []syntax.Node // all calls, in order of text
	// Package is set if the module is a package's __init__.py or stands for a namespace package,
	// a folder of modules without one. Namespace is set only for the latter.
	Package, Namespace bool
	// Shared is set if several modules of a program import this one.
	Shared bool
	// Path is the file of a module of the program.
	Path string

	account  *account.Account // nil for that of the program's other modules
	library  Library
	importer Importer
	parts    []*stmtFacts // by the number of the top-level statement
	names    []*Name      // of the module's scope
	words    numbered     // that are called as attributes
	room     int          // how many names fit, once that is known
	stars    []*Binding
	imports  []string // the modules of all imports, as they are written

	// rebound holds attributes that are assigned on anything but self, such as "agent.train =
	// tf.function(agent.train)".
	rebound map[string]bool

	indexes // of this version of the module

	qualified qualified
	circles   circles
	links     uint8   // whether it imports modules of the program: 0 unknown, 1 no, 2 yes
	modules   []*Info // those modules; nil if they are not known yet
}

// Resolve finds the names of a tree. importer may be nil.
func Resolve(tree *syntax.Tree, library Library, importer Importer) *Info {
	in := &Info{
		Tree: tree, library: library, importer: importer,
		Module:    &Scope{Kind: ModuleScope},
		parts:     make([]*stmtFacts, tree.Len()),
		qualified: newQualified(library),
		words:     newNumbered(),
	}
	facts := make([]fact, tree.NumNodes())
	b := &binder{in: in, cur: in.Module}
	for i := range in.parts {
		size := tree.Size(i)
		in.parts[i] = b.statement(tree.Statement(i), facts[:size:size])
		facts = facts[size:]
	}
	for _, p := range in.parts {
		for _, b := range p.bound {
			b.name.bindings = append(b.name.bindings, b.binding)
		}
	}
	for _, n := range in.names {
		n.sort()
	}
	in.join()
	return in
}

// bind collects the bindings of some of the module's names again.
func (in *Info) bind(names map[*Name]bool) {
	for n := range names {
		n.bindings = nil
	}
	for _, p := range in.parts {
		for _, b := range p.bound {
			if names[b.name] {
				b.name.bindings = append(b.name.bindings, b.binding)
			}
		}
	}
	for n := range names {
		n.sort()
	}
}

// join collects what the parts contribute to the module's lists.
func (in *Info) join() {
	calls, functions, classes := 0, 0, 0
	for _, p := range in.parts {
		calls, functions, classes = calls+len(p.calls), functions+len(p.functions), classes+len(p.classes)
	}
	in.Calls, in.Functions, in.Classes = make([]syntax.Node, 0, calls), make([]*Function, 0, functions), make([]*Class, 0, classes)
	in.stars, in.imports, in.rebound = nil, nil, map[string]bool{}
	for _, p := range in.parts {
		in.Calls = append(in.Calls, p.calls...)
		in.Functions = append(in.Functions, p.functions...)
		in.Classes = append(in.Classes, p.classes...)
		in.stars = append(in.stars, p.stars...)
		in.imports = append(in.imports, p.imports...)
		for _, name := range p.rebound {
			in.rebound[name] = true
		}
	}
}

// Charge makes queries charge an account, until the next call. The modules that a workspace shares
// among files charge that of [Importer.Account].
func (in *Info) Charge(a *account.Account) { in.account = a }

// Account returns what queries are charged to at the moment.
func (in *Info) Account() *account.Account {
	if in.account == nil {
		if in.importer != nil {
			return in.importer.Account()
		}
		in.account = &account.Account{}
	}
	return in.account
}

// Enter charges a step that follows n: see [account.Account.Enter].
func (in *Info) Enter(n syntax.Node) *account.Account { return in.Account().Enter(n) }

// ScopeOf returns the scope in which n is evaluated.
func (in *Info) ScopeOf(n syntax.Node) *Scope {
	in = in.home(n)
	for ; n.Valid(); n = n.Parent() {
		switch s := in.fact(n).scope &^ binds; s {
		case 0:
		case 1:
			return in.Module
		default:
			return in.part(n).scopes[s-2]
		}
	}
	return in.Module
}

// FunctionAt returns the function that n defines, or nil.
func (in *Info) FunctionAt(n syntax.Node) *Function {
	return definedAt(in, n, func(p *stmtFacts) []*Function { return p.functions }, func(f *Function) int { return f.Node.Index() })
}

// ClassAt returns the class that n defines, or nil.
func (in *Info) ClassAt(n syntax.Node) *Class {
	return definedAt(in, n, func(p *stmtFacts) []*Class { return p.classes }, func(c *Class) int { return c.Node.Index() })
}

// definedAt returns what n defines among what its part defines in order of text, or nil.
func definedAt[T any](in *Info, n syntax.Node, of func(*stmtFacts) []*T, index func(*T) int) *T {
	if in = in.home(n); n.Tree() == in.Tree {
		all := of(in.part(n))
		if i, ok := slices.BinarySearchFunc(all, n.Index(), func(d *T, at int) int { return index(d) - at }); ok {
			return all[i]
		}
	}
	return nil
}

// Qualified returns the qualified name that an expression stands for. It returns "" if the
// expression has none, stands for something of the program itself, or is ambiguous.
func (in *Info) Qualified(n syntax.Node) string {
	in = in.home(n)
	return in.qualified.texts[in.qualify(n)]
}

// Callee returns the qualified name of what a call calls, or "".
func (in *Info) Callee(call syntax.Node) string {
	return in.Qualified(call.Child(syntax.FieldFunction))
}

func (in *Info) qualify(n syntax.Node) int32 {
	switch n.Kind() {
	case syntax.Identifier, syntax.Attribute, syntax.ParenthesizedExpression:
	default:
		return unknownName
	}
	f := in.fact(n)
	if f.qualified == 0 {
		f.qualified = in.qualifyOnce(n, f)
	}
	return f.qualified
}

func (in *Info) qualifyOnce(n syntax.Node, f *fact) (name int32) {
	f.qualified = unknownName // the answer for a circular definition
	defer func() { f.qualified = name }()
	defer in.Enter(n).Leave()
	return in.qualifyNew(n)
}

func (in *Info) qualifyNew(n syntax.Node) int32 {
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return in.qualify(n.FirstChild())
	case syntax.Attribute:
		attribute := n.Child(syntax.FieldAttribute).Text()
		object := n.Child(syntax.FieldObject)
		if in.Connected() {
			if m := in.ModuleOf(object); m != nil && !(m.Namespace && m.submodule(attribute) == nil) {
				return in.attributeOf(m, attribute)
			}
		}
		if base := in.qualify(object); base != unknownName {
			return in.qualified.member(in.qualified.texts[base], attribute)
		}
		if t := in.TypeOf(object); t.Class != "" {
			return in.qualified.member(t.Class, attribute)
		} else if t.Local != nil {
			return in.inherited(t.Local, t.Local.ancestry(), attribute)
		} else if c := in.super(object); c != nil {
			return in.inherited(c, c.ancestry()[1:], attribute)
		}
		return unknownName
	}
	return in.qualifyIdentifier(n)
}

func (in *Info) qualifyIdentifier(n syntax.Node) int32 {
	bindings := in.ReachingDefs(n)
	if len(bindings) == 0 {
		return in.fromStar(n)
	}
	return remembered(&in.agree, bindings, in.agreedName)
}

// agreedName returns the qualified name that all bindings agree on.
func (in *Info) agreedName(bindings []*Binding) (found int32) {
	for _, b := range bindings {
		q := in.qualifyBinding(b)
		if q == unknownName || found != 0 && q != found {
			return unknownName
		}
		found = q
	}
	return found
}

func (in *Info) qualifyBinding(b *Binding) int32 {
	defer in.Enter(b.Node).Leave()
	switch b.Kind {
	case ImportBinding, FromBinding:
		return in.qualifyImport(b)
	case AssignBinding, UnpackBinding:
		if value := valueOf(b); value.Kind() == syntax.Call {
			return in.qualifyImported(value)
		}
		return in.qualify(valueOf(b))
	}
	return unknownName
}

// qualifyImported returns the name of the module that a call returns, if the called function
// imports it: tf = import_tf().
func (in *Info) qualifyImported(call syntax.Node) int32 {
	f := in.resolve(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Info != in || f.Yields || len(f.Returns) != 1 || f.Returns[0].Kind() != syntax.Identifier {
		return unknownName
	}
	b := in.ReachingDefs(f.Returns[0])
	if len(b) != 1 || b[0].Kind != ImportBinding || b[0].Scope != f.Scope {
		return unknownName
	}
	return in.qualifyImport(b[0])
}

// valueOf returns the expression that an assignment gives its name, or none.
func valueOf(b *Binding) syntax.Node {
	switch b.Kind {
	case AssignBinding:
		return b.Value
	case UnpackBinding:
		return item(b.Value, b.Path)
	}
	return syntax.Node{}
}

// fromStar resolves a name that only "from module import *" binds.
func (in *Info) fromStar(n syntax.Node) int32 {
	if len(in.stars) == 0 {
		return unknownName
	}
	if e := in.starred(n.Text()); e.found() {
		return in.qualifyExport(e)
	}
	return unknownName
}

// inherited returns the name of an attribute of c's instances in the first library class that c
// inherits from. It returns nothing if one of the given classes of the program defines the
// attribute.
func (in *Info) inherited(c *Class, classes []*Class, attribute string) int32 {
	for _, k := range classes {
		if k.Methods[attribute] != nil || len(k.Attributes[attribute]) > 0 || len(k.Scope.Bindings(attribute)) > 0 {
			return unknownName
		}
	}
	if base := in.LibraryBase(c); base != "" {
		return in.qualified.member(base, attribute)
	}
	return unknownName
}

// ancestry returns c and the classes of the program that it inherits from, nearest first.
func (c *Class) ancestry() []*Class {
	out := []*Class{c}
	for i := 0; i < len(out) && len(out) < 32; i++ {
		for _, base := range out[i].Bases {
			if k := out[i].Info.localClass(base); k != nil && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// Ancestors returns the classes of the program that c inherits from, the nearest first.
func (c *Class) Ancestors() []*Class { return c.ancestry()[1:] }

// Library returns the description of the modules that are not read.
func (in *Info) Library() Library { return in.library }

// LibraryBase returns the first class outside the program that c inherits from, or "".
func (in *Info) LibraryBase(c *Class) string {
	for _, k := range c.ancestry() {
		for _, base := range k.Bases {
			if q := k.Info.Qualified(base); q != "" {
				return q
			}
		}
	}
	return ""
}

// InheritsUnknown reports whether c inherits from an unknown class: one of neither the program
// nor TensorFlow.
func (in *Info) InheritsUnknown(c *Class) bool {
	for _, k := range c.ancestry() {
		for _, base := range k.Bases {
			q := k.Info.Qualified(base)
			switch {
			case k.Info.localClass(base) != nil, base.Text() == "object", strings.HasPrefix(q, "tensorflow."), strings.HasPrefix(q, "abc."):
			default:
				return true
			}
		}
	}
	return false
}

// Method finds a method by name in c and the classes of the program that it inherits from, or
// returns nil.
func (in *Info) Method(c *Class, name string) *Function {
	for _, k := range c.ancestry() {
		if f := k.Methods[name]; f != nil {
			return f
		}
	}
	return nil
}

// Inherits reports whether an instance of c is one of the library class.
func (in *Info) Inherits(c *Class, class string) bool {
	return in.IsA(in.LibraryBase(c), class)
}

// IsA reports whether a library class is, or inherits from, another.
func (in *Info) IsA(class, ancestor string) bool {
	for i := 0; i < 16 && class != ""; i++ {
		if class == ancestor {
			return true
		}
		class = in.library.Base(class)
	}
	return false
}

// Argument returns the value that a call passes for a parameter, by keyword or, if position is
// not negative, by position. It returns none if the call does not pass the parameter, or if * or
// ** might pass it.
func Argument(call syntax.Node, position int, keyword string) syntax.Node {
	at := 0
	splat := false
	arguments := call.Child(syntax.FieldArguments)
	if arguments.Kind() == syntax.GeneratorExpression { // f(x for x in y)
		if position == 0 {
			return arguments
		}
		return syntax.Node{}
	}
	for a := range arguments.Children() {
		switch a.Kind() {
		case syntax.KeywordArgument:
			if a.Child(syntax.FieldName).Text() == keyword {
				return a.Child(syntax.FieldValue)
			}
		case syntax.ListSplat, syntax.DictionarySplat:
			splat = true
		case syntax.Comment:
		default:
			if at == position && !splat {
				return a
			}
			at++
		}
	}
	return syntax.Node{}
}

// HasSplat reports whether a call passes *args or **kwargs.
func HasSplat(call syntax.Node) bool {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Is(syntax.ListSplat, syntax.DictionarySplat) {
			return true
		}
	}
	return false
}

// MisordersArguments reports whether a call has a positional argument after one by keyword, which
// is a SyntaxError in Python, but none of the parser's.
func MisordersArguments(call syntax.Node) bool {
	keyword := false
	for a := range call.Child(syntax.FieldArguments).Children() {
		switch a.Kind() {
		case syntax.Comment, syntax.ListSplat:
		case syntax.KeywordArgument, syntax.DictionarySplat:
			keyword = true
		default:
			if keyword {
				return true
			}
		}
	}
	return false
}

// StringValue returns the text of a plain string literal without its quotes. ok is false for
// anything else, and for strings with escapes or interpolations.
func StringValue(n syntax.Node) (value string, ok bool) {
	if n.Kind() != syntax.String || n.FirstChild().Valid() {
		return "", false
	}
	text := strings.TrimLeft(n.Text(), "rRuUfF") // bytes are not a string
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if len(text) >= 2*len(quote) && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote) {
			text = text[len(quote) : len(text)-len(quote)]
			return text, !strings.Contains(text, `\`)
		}
	}
	return "", false
}

// Meaning returns the qualified name that a binding gives its name, or "".
func (in *Info) Meaning(b *Binding) string { return in.qualified.texts[in.qualifyBinding(b)] }

// Imported returns the packages that the module imports anywhere, by the first part of the
// imported name.
func (in *Info) Imported() map[string]bool {
	out := map[string]bool{}
	add := func(module string) {
		first, _, _ := strings.Cut(module, ".")
		out[first] = true
	}
	for _, b := range in.stars {
		add(b.Module)
	}
	for _, n := range in.imports {
		add(n)
	}
	return out
}

// Modules returns the names of the modules that the module imports anywhere, as it writes them.
func (in *Info) Modules() map[string]bool {
	out := make(map[string]bool, len(in.imports))
	for _, n := range in.imports {
		out[n] = true
	}
	return out
}
