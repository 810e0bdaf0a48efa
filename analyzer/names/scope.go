package names

import (
	"maps"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A ScopeKind says what opened a scope.
type ScopeKind uint8

const (
	ModuleScope ScopeKind = iota
	FunctionScope
	ClassScope
	LambdaScope
	ComprehensionScope
)

// A Scope is a region of code with its own names, as Python defines it.
type Scope struct {
	Kind   ScopeKind
	Node   syntax.Node // what opened it; none for the module
	Parent *Scope      // nil for the module

	// Func is the function of a FunctionScope or LambdaScope, Class the class of a ClassScope.
	Func  *Function
	Class *Class

	names    nameTable
	declared map[string]*Name // the global and nonlocal names, where they live
	number   int32            // counts the scopes of its part
}

// Bindings returns the bindings of a name in this scope, without enclosing ones, in order of
// text.
func (s *Scope) Bindings(name string) []*Binding {
	if n := s.names.find(name); n != nil {
		return n.bindings
	}
	return nil
}

// Imports returns the names that imports bind in this scope, sorted.
func (s *Scope) Imports() []string {
	var out []string
	for _, n := range s.names.all {
		if slices.ContainsFunc(n.bindings, func(b *Binding) bool { return b.Kind == ImportBinding || b.Kind == FromBinding }) {
			out = append(out, n.name)
		}
	}
	slices.Sort(out)
	return out
}

// Sees reports whether outer is s or encloses it.
func (s *Scope) Sees(outer *Scope) bool {
	for ; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// Function returns the innermost function that contains s, or nil at the level of a module. The
// body of a class belongs to what encloses the class.
func (s *Scope) Function() *Function {
	for ; s != nil; s = s.Parent {
		if s.Func != nil {
			return s.Func
		}
	}
	return nil
}

// A BindingKind says how a name gets its value.
type BindingKind uint8

const (
	ImportBinding    BindingKind = iota // import a.b as c
	FromBinding                         // from a import b
	AssignBinding                       // name = value
	UnpackBinding                       // name, other = value
	AugmentedBinding                    // name += value
	ForBinding                          // for name in value
	WithBinding                         // with value as name
	ExceptBinding                       // except value as name
	ParameterBinding                    // def f(name=value)
	FunctionBinding                     // def name
	ClassBinding                        // class name
	DeleteBinding                       // del name
	PatternBinding                      // case name
	DeclaredBinding                     // name: type, without a value
)

// A Binding is one place that gives a name a value.
type Binding struct {
	Kind  BindingKind
	Name  string
	Scope *Scope
	// Node is the name where it is bound.
	Node syntax.Node
	// Value is the expression that the value comes from, if there is one: the right side, the
	// iterable, the context manager, the default, the import.
	Value syntax.Node
	// Path locates the value of an UnpackBinding in Value: an index for each level of tuples. It
	// is empty if it is unknown.
	Path []int
	// Annotation is the declared type, if there is one.
	Annotation syntax.Node
	// Module is the qualified name that an import binds. For "from . import x" it keeps its
	// leading dots.
	Module string
	Func   *Function
	Class  *Class

	stmt syntax.Node // the statement or clause with which the binding takes effect
}

// IsInstance reports whether a parameter is the instance that a method is called on.
func (b *Binding) IsInstance() bool {
	fn := b.Scope.Func
	return b.Kind == ParameterBinding && fn != nil && fn.Class != nil && !fn.IsStatic() && fn.Params[0].Name == b.Name
}

// A Parameter of a function.
type Parameter struct {
	Name    string
	Default syntax.Node
	// Star is 1 for *args and 2 for **kwargs. KeywordOnly is set for parameters after a *.
	Star        int
	KeywordOnly bool
}

// A Function is a function, method or lambda of the program.
type Function struct {
	Name       string
	Node       syntax.Node // the function_definition or lambda
	Scope      *Scope      // its own
	Params     []Parameter
	Body       syntax.Node   // a Block, or the expression of a lambda
	Decorators []syntax.Node // the expressions, outermost first
	Class      *Class        // set for a method
	Returns    []syntax.Node // the expressions of its return statements, lambdas' included
	Yields     bool

	Info *Info // the module that it belongs to
}

// IsStatic reports whether a method takes no instance.
func (f *Function) IsStatic() bool { return f.decorated("staticmethod") }

// isClassMethod reports whether a method takes its class instead of an instance.
func (f *Function) isClassMethod() bool {
	return f.decorated("classmethod") || f.Name == "__new__" || f.Name == "__init_subclass__"
}

// isProperty reports whether reading the attribute runs the method.
func (f *Function) isProperty() bool {
	return f.decorated("property") || f.decorated("functools.cached_property") || f.decorated("cached_property")
}

// instance returns the parameter for the instance of a method, or for the class of a class
// method, or "".
func (f *Function) instance() string {
	if f.Class == nil || len(f.Params) == 0 || f.Params[0].Star != 0 || f.IsStatic() {
		return ""
	}
	return f.Params[0].Name
}

func (f *Function) decorated(name string) bool {
	return slices.ContainsFunc(f.Decorators, func(d syntax.Node) bool { return d.Text() == name })
}

// A Class is a class of the program.
type Class struct {
	Name    string
	Node    syntax.Node
	Scope   *Scope
	Bases   []syntax.Node
	Methods map[string]*Function
	// Attributes are what the methods store on self, by attribute.
	Attributes map[string][]*Binding

	Info *Info
}

// Sorted returns the methods of the class itself in the order of the text.
func (c *Class) Sorted() []*Function {
	return slices.SortedFunc(maps.Values(c.Methods), func(a, b *Function) int { return a.Node.Start() - b.Node.Start() })
}

// Names returns the names bound in this scope, sorted.
func (s *Scope) Names() []string {
	var out []string
	for _, n := range s.names.all {
		if len(n.bindings) > 0 {
			out = append(out, n.name)
		}
	}
	slices.Sort(out)
	return out
}
