package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Interp interprets one program. It is not safe for concurrent use.
type Interp struct {
	Host    Host
	Library *Library
	Main    *Frame // of the module
	// Frame is the current scope.
	Frame *Frame
	Bounds
	Journal   []*Journal // of the branches that are being followed, innermost last
	serial    int        // counter of namespaces and journals; it orders their creation
	Trying    bool       // inside the body of a try statement with handlers
	Skippable bool       // inside such a body within the running loop: an iteration may do only a part of it
	// Batching is set while an object of the program makes the first of its batches. It is taken to be a
	// whole one, and not the last: so a data set has more examples than any number that is known.
	Batching  bool
	HostMuted int    // above 0 the Host is not called: see loopOn
	selector  Object // the test of the branches that are being joined, if it is an object

	// Iterations are those of the for loops that are running, the outermost first.
	Iterations []Iteration

	Externals map[Member]Value
	lines     map[syntax.Node]int
	Functions Functions
	Modules   Modules
	Hints     Hints
	Observed  Observations
	Commands  Commands
	keeps     map[string]*Namespace // what parts of the library keep, by their names
	written   map[string]bool       // names of files that the program writes
	filled    []string              // paths of folders that the program may write into
	counts    map[string]bool       // the texts whose lines were counted, by the paths that the program opens
	counted   int64                 // bytes of them
	// Measured are the files and folders of data that say a size, by the paths that the program opens.
	Measured []string
}

// An Iteration is what a for loop binds to its targets.
type Iteration struct {
	Targets syntax.Node
	Item    Value
}

// A Setting is a value that a loop gives to a name, as text.
type Setting struct{ Name, Text string }

// NoLiteral is the absence of a literal.
var NoLiteral syntax.Node

// New creates an interpreter of a module, whose program finds a library without
// importing anything of its own. A nil host models no other library.
func New(info *names.Info, host Host, l *Library) *Interp {
	if host == nil {
		host = NoHost{}
	}
	in := &Interp{
		Host: host, Library: l, Externals: map[Member]Value{}, lines: map[syntax.Node]int{},
		Functions: newFunctions(), Hints: newHints(), keeps: map[string]*Namespace{},
	}
	in.keeps[Environ] = in.Namespace()
	for _, by := range l.keeps {
		in.keeps[by] = in.Namespace()
	}
	in.Main = &Frame{Info: info, Scope: info.Module, Vars: in.Namespace()}
	in.Main.Module = in.Main
	in.Frame = in.Main
	in.Main.Vars.Put("__name__", Value{X: "__main__"})
	in.Main.Vars.Put("__file__", FileOf(info))
	in.Main.Vars.Put("__doc__", Value{X: None{}})
	in.Bounds.Allow(MaxSteps)
	return in
}

// Assume adds an argument for each parameter of a function after the first skip ones:
// its default, or Unknown.
func (in *Interp) Assume(f *Func, skip int, args *Args) {
	for i, p := range f.Def.Params {
		if i < skip || p.Star != 0 || f.Options != nil && f.Options.Fills(p.Name) {
			continue
		}
		v := Because(Parameter, "%s is a parameter of %s, which nothing here calls", p.Name, f.Def.Name).On(parameter(f.Def, p.Name)).Unknown()
		if d, ok := f.standard(i); ok {
			v = d
			v.Overridable = true
		}
		args.Keywords.Put(p.Name, v)
	}
}

// parameter is the place of a parameter, or that of its function.
func parameter(f *names.Function, name string) syntax.Node {
	for p := range f.Node.Child(syntax.FieldParameters).Children() {
		id := p
		if n := p.Child(syntax.FieldName); n.Valid() {
			id = n
		} else if p.Kind() == syntax.TypedParameter {
			id = p.FirstChild()
		}
		if id.Kind() == syntax.Identifier && id.Text() == name {
			return id
		}
	}
	return f.Node
}

// Info returns the name resolution of the module whose code is running.
func (in *Interp) Info() *names.Info { return in.Frame.Info }

// Module returns the variables of the module, in the order of their first binding.
func (in *Interp) Module() *Namespace { return in.Main.Vars }

// Unknown returns an unknown value with its reason.
func (in *Interp) Unknown(code Code, why string, args ...any) Value {
	return Because(code, why, args...).Unknown()
}

// Raises returns the value of an expression that surely raises an exception. In a try
// statement with a handler, the program continues there; elsewhere the value is
// Unknown.
func Raises(why *Cause) Value {
	return Value{X: Unknown{Cause: why}, raises: true}
}

// Fails reports whether a statement raises v and a handler may catch it.
func (in *Interp) Fails(v Value) bool { return v.raises && in.Trying }

// Line returns the line on which a node starts, counted from 1.
func (in *Interp) Line(n syntax.Node) int {
	if !n.Valid() {
		return 0
	}
	line, ok := in.lines[n]
	if !ok {
		line = 1 + strings.Count(n.Tree().Text()[:n.Start()], "\n")
		in.lines[n] = line
	}
	return line
}
