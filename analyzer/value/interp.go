package value

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Interp follows one program. It is not safe for concurrent use.
type Interp struct {
	// While, which may be nil, is asked now and then whether to go on, and told the
	// steps that were taken since. Where it says no, the program is left where it is.
	While func(steps int) bool

	host Host
	main *frame // of the module
	// frame is where the program is now.
	frame     *frame
	bounds    bounds
	journal   []*journal // of the branches that are being followed, innermost last
	serial    int        // counts namespaces and journals, so that their ages compare
	trying    bool       // the body of a try statement with handlers is being run
	hostMuted int        // above 0 the Host is not asked: see loopOn
	selector  Object     // the test of the branches that are being joined, where it is one

	externals   map[member]Value
	lines       map[syntax.Node]int
	called      map[syntax.Node]bool  // the functions that were called
	active      map[syntax.Node][]int // the functions that run, with how many journals were open as they began
	made        map[syntax.Node]*Func // the functions that were defined, as they were last
	modules     map[*names.Info]*module
	importing   bool             // a module is being run
	importSteps int              // that modules have taken
	flags       *Namespace       // of absl and of TensorFlow 1
	environ     *Namespace       // what the program puts into os.environ
	written     map[string]bool  // the names of files that the program writes
	stored      map[string]Value // settings in Hydra's store, by their names
}

// library says what is known of the names of libraries.
var library effects.Library

// none is no literal.
var none syntax.Node

// New makes an interpreter of the module that info is about. A nil host models
// no library.
func New(info *names.Info, host Host) *Interp {
	if host == nil {
		host = NoHost{}
	}
	in := &Interp{
		host: host, externals: map[member]Value{}, lines: map[syntax.Node]int{},
		called: map[syntax.Node]bool{}, active: map[syntax.Node][]int{}, made: map[syntax.Node]*Func{}, modules: map[*names.Info]*module{}, stored: map[string]Value{},
	}
	in.flags, in.environ = in.namespace(), in.namespace()
	in.main = &frame{info: info, scope: info.Module, vars: in.namespace()}
	in.main.module = in.main
	in.frame = in.main
	in.main.vars.put("__name__", Value{X: "__main__"})
	in.main.vars.put("__file__", in.fileOf(info))
	in.main.vars.put("__doc__", Value{X: None{}})
	in.bounds.allow(maxSteps)
	return in
}

// Run runs the module as the script that is started: __name__ is "__main__". It returns
// why a part of it was not run, and nothing where all was.
func (in *Interp) Run() (why string) {
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
	return ""
}

// RunUncalled calls, in order of the text, the functions of the module that
// were not called so far: with their defaults, as what a caller may change, and
// with unknown values for their other parameters; methods on an instance that is
// made in the same way. What they change is forgotten after each.
func (in *Interp) RunUncalled() {
	in.bounds.allow(maxSteps)
	instances := map[*Class]Value{}
	for _, def := range in.main.info.Functions {
		if in.called[def.Node] || in.bounds.exhausted || in.bounds.cancelled || def.Node.Kind() != syntax.FunctionDefinition || strings.HasPrefix(def.Name, "__") {
			continue
		}
		f := in.made[def.Node]
		if f == nil {
			continue // its definition was never reached
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

// assume passes something for every parameter of a function after the first
// ones: its default, or that it is not known.
func (in *Interp) assume(f *Func, skip int, args *Args) {
	for i, p := range f.Def.Params {
		if i < skip || p.Star != 0 || slices.ContainsFunc(f.options, func(o option) bool { return o.name == p.Name }) {
			continue
		}
		v := in.Unknown("parameter %s of %s", p.Name, f.Def.Name)
		if d, ok := f.standard(i); ok {
			v = d
			v.Overridable = true
		}
		args.Keywords.Put(p.Name, v)
	}
}

// Info is of the module whose code runs.
func (in *Interp) Info() *names.Info { return in.frame.info }

// Module is the module's variables, in the order in which they were first bound.
func (in *Interp) Module() *Namespace { return in.main.vars }

// Unknown is a value that is not known, and why.
func (in *Interp) Unknown(why string, args ...any) Value {
	if len(args) > 0 {
		why = fmt.Sprintf(why, args...)
	}
	return Value{X: Unknown{shorten(why)}}
}

// Raises stands for the value of what surely raises an error, for a reason. Where a try
// statement has a handler, the program goes on there; elsewhere it is a value that is not
// known.
func Raises(why string) Value {
	return Value{X: Unknown{shorten(why)}, raises: true}
}

// fails reports whether a statement ends where a handler begins, as v is raised by it.
func (in *Interp) fails(v Value) bool { return v.raises && in.trying }

// shorten keeps reasons that quote reasons from growing without end.
func shorten(why string) string {
	const room = 300
	if len(why) <= room {
		return why
	}
	return strings.ToValidUTF8(why[:room], "") + "…"
}

// line is the number of the line on which a node starts, from 1.
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
