package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Interp interprets one program. It is not safe for concurrent use.
type Interp struct {
	// While, if not nil, is called now and then with the steps taken since. If it
	// returns false, the interpretation stops.
	While func(steps int) bool

	host    Host
	library *Library
	main    *frame // of the module
	// frame is the current scope.
	frame     *frame
	bounds    bounds
	journal   []*journal // of the branches that are being followed, innermost last
	serial    int        // counter of namespaces and journals; it orders their creation
	trying    bool       // inside the body of a try statement with handlers
	hostMuted int        // above 0 the Host is not called: see loopOn
	selector  Object     // the test of the branches that are being joined, if it is an object

	externals   map[member]Value
	lines       map[syntax.Node]int
	called      map[syntax.Node]bool  // functions that were called
	active      map[syntax.Node][]int // running functions, with the number of open journals when they started
	made        map[syntax.Node]*Func // functions that were defined, in their latest version
	modules     map[*names.Info]Object
	importing   bool                  // a module is being run
	importSteps int                   // steps that imported modules took
	keeps       map[string]*Namespace // what parts of the library keep, by their names
	environ     *Namespace            // what the program writes to os.environ
	written     map[string]bool       // names of files that the program writes
}

// none is the absence of a literal.
var none syntax.Node

// New creates an interpreter of a module, whose program finds a library without
// importing anything of its own. A nil host models no other library.
func New(info *names.Info, host Host, l *Library) *Interp {
	if host == nil {
		host = NoHost{}
	}
	in := &Interp{
		host: host, library: l, externals: map[member]Value{}, lines: map[syntax.Node]int{},
		called: map[syntax.Node]bool{}, active: map[syntax.Node][]int{}, made: map[syntax.Node]*Func{}, modules: map[*names.Info]Object{}, keeps: map[string]*Namespace{},
	}
	in.environ = in.namespace()
	for _, by := range l.keeps {
		in.keeps[by] = in.namespace()
	}
	in.main = &frame{info: info, scope: info.Module, vars: in.namespace()}
	in.main.module = in.main
	in.frame = in.main
	in.main.vars.put("__name__", Value{X: "__main__"})
	in.main.vars.put("__file__", in.fileOf(info))
	in.main.vars.put("__doc__", Value{X: None{}})
	in.bounds.allow(maxSteps)
	return in
}

// Run runs the module as the main script: __name__ is "__main__". It returns why a part
// of it was not run, or nil.
func (in *Interp) Run() (why *Cause) {
	in.bounds.allow(maxSteps)
	tree := in.main.info.Tree
	for s := range tree.Statements() {
		how := in.exec(s)
		if in.bounds.cancelled {
			return tooLong
		}
		if in.bounds.exhausted {
			in.commit(0)
			in.frame, in.main.open = in.main, nil
			in.unbindFrom(in.main, s)
			return tooLong
		}
		if how == raises { // sys.exit() ends a script, too
			break
		}
	}
	in.closeExits(in.main, 0, next)
	return nil
}

// RunUncalled calls the functions of the module that were not called so far, in source
// order: with their defaults as overridable values and with unknown values for other
// parameters. Methods are called on an instance that is created in the same way. The
// changes of each call are undone after it.
func (in *Interp) RunUncalled() {
	in.bounds.allow(maxSteps)
	instances := map[*Class]Value{}
	for _, def := range in.main.info.Functions {
		if in.called[def.Node] || in.bounds.exhausted || in.bounds.cancelled || def.Node.Kind() != syntax.FunctionDefinition || strings.HasPrefix(def.Name, "__") {
			continue
		}
		f := in.made[def.Node]
		if f == nil {
			continue // its definition did not run
		}
		in.within(maxUncalled, func() {
			in.begin()
			in.callUncalled(f, instances)
		})
		in.commit(1)
		in.frame = in.main
		in.end().undo()
	}
}

// callUncalled calls a function as RunUncalled does, with the instances made so far.
func (in *Interp) callUncalled(f *Func, instances map[*Class]Value) {
	args := &Args{Node: f.Def.Node}
	skip := 0
	member := Value{}
	if f.Class != nil {
		member, _ = f.Class.Attrs.Get(f.Def.Name)
	}
	switch member.X.(type) {
	case *staticMethod:
	case *classMethod:
		args.Positional, skip = []Value{{X: f.Class}}, 1
	default:
		if f.Class == nil {
			break
		}
		self, ok := instances[f.Class]
		if !ok {
			init, _ := f.Class.lookup("__init__")
			made := &Args{Node: f.Def.Node}
			if init, ok := init.X.(*Func); ok {
				in.assume(init, 1, made)
			}
			self = in.Call(Value{X: f.Class}, made)
			instances[f.Class] = self
		}
		args.Positional, skip = []Value{self}, 1
	}
	in.assume(f, skip, args)
	in.Call(Value{X: f}, args)
}

// assume adds an argument for each parameter of a function after the first skip ones:
// its default, or Unknown.
func (in *Interp) assume(f *Func, skip int, args *Args) {
	for i, p := range f.Def.Params {
		if i < skip || p.Star != 0 || f.options != nil && f.options.fills(p.Name) {
			continue
		}
		v := Because(Parameter, "parameter %s of %s", p.Name, f.Def.Name).On(parameter(f.Def, p.Name)).Unknown()
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
func (in *Interp) Info() *names.Info { return in.frame.info }

// Module returns the variables of the module, in the order of their first binding.
func (in *Interp) Module() *Namespace { return in.main.vars }

// Unknown returns an unknown value with its reason.
func (in *Interp) Unknown(code Code, why string, args ...any) Value {
	return Because(code, why, args...).Unknown()
}

// Raises returns the value of an expression that surely raises an exception. In a try
// statement with a handler, the program continues there; elsewhere the value is
// Unknown.
func Raises(why *Cause) Value {
	return Value{X: Unknown{why}, raises: true}
}

// fails reports whether a statement raises v and a handler may catch it.
func (in *Interp) fails(v Value) bool { return v.raises && in.trying }

// line returns the line on which a node starts, counted from 1.
func (in *Interp) line(n syntax.Node) int {
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
