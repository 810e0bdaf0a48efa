package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Generator is a call of a function that yields. It runs when its first item is
// taken.
type Generator struct {
	call  *value.Func
	frame *value.Frame
	done  *value.List // the items that it yields
}

// function creates the function of a definition or lambda.
func function(in *value.Interp, n syntax.Node) value.Value {
	def := in.Frame.Info.FunctionAt(n)
	if def == nil {
		return in.Unknown(value.UnmodelledPython, "the function on line %d", in.Line(n))
	}
	f := &value.Func{Def: def, Class: in.Frame.Building, Outer: in.Frame}
	for i, p := range def.Params {
		if p.Default.Valid() {
			if f.Defaults == nil {
				f.Defaults = make([]value.Value, len(def.Params))
			}
			f.Defaults[i] = Eval(in, p.Default)
		}
	}
	in.Functions.Define(f)
	return value.Value{X: f}
}

// call evaluates a call.
func call(in *value.Interp, n syntax.Node) value.Value {
	callee := n.Child(syntax.FieldFunction)
	if callee.Kind() == syntax.Identifier && callee.Text() == "super" {
		if v, ok := in.Lookup("super"); ok && v.X == (value.External{Name: "builtins.super"}) {
			return evalSuper(in, n)
		}
	}
	f := Eval(in, callee)
	args := arguments(in, n)
	if why := f.Cause(); why != nil && callee.Kind() == syntax.Attribute && in.HostMuted == 0 && !in.Bounds.Exhausted {
		method := callee.Child(syntax.FieldAttribute).Text()
		if v, ok := in.Host.Shaped(in, method, why, in.HandedArgs(args)); ok {
			if method == "set_shape" { // of a tensor: what has its name has the shape from now on
				assign(in, callee.Child(syntax.FieldObject), v)
				return value.NoneValue
			}
			return v
		}
		in.Host.UnresolvedCall(in, method, args, why)
	}
	if in.Bounds.Exhausted {
		return value.OutOfSteps.Unknown()
	}
	if x, ok := f.X.(value.External); ok && len(args.Positional) == 0 {
		switch x.Name {
		case "builtins.locals", "builtins.vars":
			return variables(in, in.Frame)
		case "builtins.globals":
			return variables(in, in.Frame.Module)
		}
	}
	return Call(in, f, args)
}

// arguments evaluates the arguments of a call.
func arguments(in *value.Interp, call syntax.Node) *value.Args {
	args := &value.Args{Node: call}
	list := call.Child(syntax.FieldArguments)
	if list.Kind() == syntax.GeneratorExpression {
		args.Positional = []value.Value{Eval(in, list)}
		return args
	}
	for a := range list.Children() {
		switch a.Kind() {
		case syntax.Comment:
		case syntax.KeywordArgument:
			args.Keywords.Put(a.Child(syntax.FieldName).Text(), Eval(in, a.Child(syntax.FieldValue)))
		case syntax.ListSplat:
			v := Eval(in, operand(a))
			items, ok := Iterate(in, v)
			if !ok && args.Open == nil {
				args.Open = WhyNotIterable(in, v)
			}
			if len(args.Positional)+len(items) > value.MaxItems || !in.MakeItems(len(items)) {
				args.Open = value.Because(value.TooLong, "more arguments than can be followed")
				continue
			}
			args.Positional = append(args.Positional, items...)
		case syntax.DictionarySplat:
			Splat(in, args, Eval(in, operand(a)))
		default:
			args.Positional = append(args.Positional, Eval(in, a))
		}
	}
	return args
}

// Splat adds the arguments of **v.
func Splat(in *value.Interp, args *value.Args, v value.Value) {
	d, ok := value.Held(v).X.(*value.Dict)
	if !ok {
		if args.Open == nil {
			args.Open = WhyNotIterable(in, v)
		}
		return
	}
	if d.Open != nil && args.Open == nil {
		args.Open = d.Open
	}
	for i, key := range d.Keys {
		if name, ok := key.X.(string); ok && (d.Open == nil || d.Values[i].Known()) {
			args.Keywords.Put(name, d.Values[i])
		}
	}
}

// Call calls a value. Its result is small enough to follow.
func Call(in *value.Interp, f value.Value, args *value.Args) value.Value {
	return in.Handed(invoke(in, f, args))
}

// invoke is Call without the limit on the size of the result.
func invoke(in *value.Interp, f value.Value, args *value.Args) value.Value {
	if in.Bounds.Exhausted {
		return value.OutOfSteps.Unknown()
	}
	switch x := f.X.(type) {
	case *value.Func:
		return callFunc(in, x, args)
	case *value.Bound:
		return Call(in, x.Func, args.With(x.Self))
	case *value.Class:
		return instantiate(in, x, args)
	case *value.Instance:
		return callInstance(in, x, args)
	case value.Method:
		if in.Spend(value.HostCall) {
			return x(in, in.HandedArgs(args))
		}
	case value.External:
		return callExternal(in, x, args)
	case *value.StaticMethod:
		return Call(in, x.F, args)
	case value.Object:
		if in.HostMuted > 0 {
			return mutedResult(in)
		}
		if in.Spend(value.HostCall) {
			return x.Call(in, in.HandedArgs(args))
		}
	case string:
		// The Host says which type np.float32 is; calling it converts a value.
		if name := "numpy." + x; in.Library.Functions.Has(name) {
			return callExternal(in, value.External{Name: name}, args)
		}
	case value.Unknown:
		return value.Value{X: x, Length: f.Length}
	}
	return in.Unknown(value.WrongType, "%s is not a function and is called", Describe(in, f))
}

// mutedResult is the Unknown that stands for the Host's answer while the Host is muted.
func mutedResult(in *value.Interp) value.Value {
	return in.Unknown(value.UndecidedLoop, "what a later iteration of a loop makes of it")
}

// CallMethod calls a method that the program defines on an object; the result is
// unknown if there is none.
func CallMethod(in *value.Interp, o *value.Instance, name string, args *value.Args) value.Value {
	method, ok := o.Class.Lookup(name)
	if !ok {
		return in.Unknown(value.UndefinedAttribute, "%s.%s is not defined in this program", o.Class.Name, name)
	}
	return callMember(in, value.Value{X: o}, method, args)
}

// callMember calls a class member on an instance.
func callMember(in *value.Interp, self, member value.Value, args *value.Args) value.Value {
	return Call(in, bound(in, self, member), args)
}

func callFunc(in *value.Interp, f *value.Func, args *value.Args) value.Value {
	if in.Bounds.Calls >= value.MaxCalls {
		return in.Unknown(value.TooLong, "%s calls itself too deeply to follow", f.Def.Name)
	}
	if in.Functions.Guessing(f.Def.Node, len(in.Journal)) {
		return in.Unknown(value.Recursion, "%s calls itself an unknown number of times", f.Def.Name)
	}
	fr := &value.Frame{Info: f.Def.Info, Scope: f.Def.Scope, Module: f.Outer.Module, Outer: f.Outer, Vars: in.Namespace(), Call: f, Site: args.Node}
	if _, isLine := value.Positional(args, 0).X.(*value.List); f.Options != nil && (isLine || len(args.Positional) == 0) {
		args = f.Options.Fill(in, args)
	}
	if why := in.Parameters(fr, f, args); why != nil {
		return value.Value{X: value.Unknown{Cause: why}}
	}
	told(in, fr, f)
	if !in.Observed.Silent() {
		for _, p := range f.Def.Params {
			v, _ := fr.Vars.Get(p.Name)
			fr.Vars.Put(p.Name, in.ObservedParameter(fr, f, p.Name, v))
		}
	}
	in.Functions.Call(f.Def.Node)
	in.Spend(4) // for the memory of the frame
	if f.Def.Yields {
		return value.Value{X: &Generator{call: f, frame: fr}}
	}
	if in.HostMuted == 0 {
		if leave := in.Host.Enter(in, f.Def.Node, f.Def, fr.Vars.Values); leave != nil {
			return leave(in.Handed(runCall(in, fr)))
		}
	}
	return runCall(in, fr)
}

// told binds the parameters of a function to what is said of them.
func told(in *value.Interp, fr *value.Frame, f *value.Func) {
	outer := in.Frame
	in.Frame = fr // hints are those of the function's module
	defer func() { in.Frame = outer }()
	if in.Hints.Silent(in.Info()) {
		return
	}
	for _, p := range f.Def.Params {
		if said := in.Hints.InHeader(in.Info(), f, p.Name); len(said) > 0 {
			v, _ := fr.Vars.Get(p.Name)
			fr.Vars.Put(p.Name, in.Said(said, f.Def.Node, v))
		}
	}
}

// runCall runs the body of a function in a frame that holds its parameters.
func runCall(in *value.Interp, fr *value.Frame) value.Value {
	def := fr.Call.Def
	in.Bounds.Calls++
	end := in.Functions.Start(def.Node, len(in.Journal))
	old := in.Frame
	in.Frame, fr.Caller = fr, old
	defer func() {
		in.Frame = old
		in.Bounds.Calls--
		end()
	}()
	if def.Node.Kind() == syntax.Lambda {
		return Eval(in, def.Body)
	}
	how := block(in, def.Body)
	if in.Bounds.Exhausted {
		return value.OutOfSteps.Unknown()
	}
	if how != value.Returns {
		fr.Result = value.Value{X: value.None{}}
		if def.Body.HasError() { // the error may hide a return
			fr.Result = in.Unknown(value.SyntaxError, "%s does not parse", def.Name)
		}
	}
	if len(fr.Open) > 0 {
		why := fr.Open[0].Why
		ways := in.Collect(fr, 0, how)
		for i := range ways {
			if ways[i].How == value.GoesOn {
				ways[i] = value.Outcome{How: value.Returns, Value: value.Value{X: value.None{}}, Changes: ways[i].Changes}
			}
		}
		how = in.ContinueWith(ways, why)
	}
	if how == value.Throws {
		return value.Raises(value.Because(value.WillRaise, "%s raises an error", def.Name))
	}
	for _, other := range fr.Fallback {
		if fr.Result.Known() && in.Followable(fr.Result) && !value.Same(fr.Result, other, 4) {
			fr.Result.Overridable = true
		}
	}
	return fr.Result
}

// finish runs a generator to its end, once. If it does not reach the end, its changes
// are undone.
func finish(in *value.Interp, g *Generator) *value.List {
	if g.done != nil {
		return g.done
	}
	list := &value.List{Consumed: true}
	g.done = list
	depth := len(in.Journal)
	in.Begin()
	g.frame.Yields = list
	// One that another generator reads leaves that one steps to yield something, too.
	if in.Within(min(value.MaxGenerator, in.Left()/2), func() { runCall(in, g.frame) }) {
		in.Commit(depth)
		return list
	}
	in.Commit(depth + 1)
	first, _ := list.Sample()
	if list.Open == nil {
		first = value.Positional(&value.Args{Positional: list.Items}, 0)
	}
	in.End().Undo()
	*list = value.UnknownList(value.Because(value.TooLong, "%s yields more than can be followed", g.call.Def.Name), true)
	if first.Known() {
		list.Typical = first // its first item, or those yielded so far, show what the others look like
	}
	return list
}

// First returns the first item that a generator or another iterator yields; ok is false for other
// values. What a generator yields where its code does so first is taken for its first item, however
// often the loops before that run.
func First(in *value.Interp, v value.Value) (first value.Value, ok bool) {
	if l, ok := v.X.(*value.List); ok && l.Consumed {
		switch {
		case l.Open == nil && len(l.Items) > 0:
			return l.Items[0], true
		case l.First.X != nil:
			return l.First, true
		}
		return Sample(in, v), true
	}
	g, ok := v.X.(*Generator)
	if !ok {
		return value.Value{}, false
	}
	list := finish(in, g)
	switch {
	case tells(g.frame.Yielded):
		return g.frame.Yielded, true
	case list.Open != nil:
		return Sample(in, value.Value{X: list}), true
	case len(list.Items) == 0:
		return in.Unknown(value.WillRaise, "%s yields nothing", g.call.Def.Name), true
	}
	return list.Items[0], true
}

// tells reports whether anything is known of a value.
func tells(v value.Value) bool { return v.Known() || v.Length > 0 }

// variables returns a dict of the variables of a frame.
func variables(in *value.Interp, f *value.Frame) value.Value {
	for f.Comprehension {
		f = f.Outer
	}
	d := &value.Dict{}
	for name, v := range f.Vars.All() {
		if !strings.HasPrefix(name, "__") {
			d.Put(value.Value{X: name}, v)
		}
	}
	return value.Value{X: d}
}
