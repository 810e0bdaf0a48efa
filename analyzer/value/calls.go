package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Func is a function or lambda of the program, created when its definition ran.
type Func struct {
	Def   *names.Function
	Class *Class // the class whose body defines it, or nil

	defaults []Value // default values of Def.Params, evaluated at the definition
	outer    *frame  // the frame that defines it
	attrs    *Namespace
	options  filler // what a decorator passes to it, or nil
}

// A filler passes the arguments of a function that are not given: a decorator of the
// function takes them from the command line.
type filler interface {
	// fill returns the arguments of a call without positional arguments, or with one
	// list.
	fill(in *Interp, args *Args) *Args
	// fills reports whether it passes a parameter.
	fills(parameter string) bool
}

// A Bound is a bound method: a function with its first argument.
type Bound struct {
	Self Value
	Func Value
}

// A generator is a call of a function that yields. It runs when its first item is
// taken.
type generator struct {
	call  *Func
	frame *frame
	done  *List // the items that it yields
}

// function creates the function of a definition or lambda.
func (in *Interp) function(n syntax.Node) Value {
	def := in.frame.info.FunctionAt(n)
	if def == nil {
		return in.Unknown(UnmodelledPython, "the function on line %d", in.line(n))
	}
	f := &Func{Def: def, Class: in.frame.building, outer: in.frame}
	for i, p := range def.Params {
		if p.Default.Valid() {
			if f.defaults == nil {
				f.defaults = make([]Value, len(def.Params))
			}
			f.defaults[i] = in.Eval(p.Default)
		}
	}
	in.made[n] = f
	return Value{X: f}
}

func (f *Func) standard(i int) (Value, bool) {
	if i < len(f.defaults) && f.defaults[i].X != nil {
		return f.defaults[i], true
	}
	return Value{}, false
}

// call evaluates a call.
func (in *Interp) call(n syntax.Node) Value {
	callee := n.Child(syntax.FieldFunction)
	if callee.Kind() == syntax.Identifier && callee.Text() == "super" {
		if v, ok := in.lookup("super"); ok && v.X == (External{"builtins.super"}) {
			return in.super(n)
		}
	}
	f := in.Eval(callee)
	args := in.arguments(n)
	if why := f.Cause(); why != nil && callee.Kind() == syntax.Attribute && in.hostMuted == 0 && !in.bounds.exhausted {
		method := callee.Child(syntax.FieldAttribute).Text()
		if v, ok := in.host.Shaped(in, method, why, in.handedArgs(args)); ok {
			return v
		}
		in.host.UnresolvedCall(in, n, method, why)
	}
	if in.bounds.exhausted {
		return tooLong.Unknown()
	}
	if x, ok := f.X.(External); ok && len(args.Positional) == 0 {
		switch x.Name {
		case "builtins.locals", "builtins.vars":
			return in.variables(in.frame)
		case "builtins.globals":
			return in.variables(in.frame.module)
		}
	}
	return in.Call(f, args)
}

// arguments evaluates the arguments of a call.
func (in *Interp) arguments(call syntax.Node) *Args {
	args := &Args{Node: call}
	list := call.Child(syntax.FieldArguments)
	if list.Kind() == syntax.GeneratorExpression {
		args.Positional = []Value{in.Eval(list)}
		return args
	}
	for a := range list.Children() {
		switch a.Kind() {
		case syntax.Comment:
		case syntax.KeywordArgument:
			args.Keywords.Put(a.Child(syntax.FieldName).Text(), in.Eval(a.Child(syntax.FieldValue)))
		case syntax.ListSplat:
			v := in.Eval(operand(a))
			items, ok := in.Iterate(v)
			if !ok && args.Open == nil {
				args.Open = in.whyNotIterable(v)
			}
			if len(args.Positional)+len(items) > maxItems || !in.makeItems(len(items)) {
				args.Open = Because(TooLong, "more arguments than can be followed")
				continue
			}
			args.Positional = append(args.Positional, items...)
		case syntax.DictionarySplat:
			in.splat(args, in.Eval(operand(a)))
		default:
			args.Positional = append(args.Positional, in.Eval(a))
		}
	}
	return args
}

// splat adds the arguments of **v.
func (in *Interp) splat(args *Args, v Value) {
	d, ok := held(v).X.(*Dict)
	if !ok {
		if args.Open == nil {
			args.Open = in.whyNotIterable(v)
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
func (in *Interp) Call(f Value, args *Args) Value { return in.handed(in.invoke(f, args)) }

// invoke is Call without the limit on the size of the result.
func (in *Interp) invoke(f Value, args *Args) Value {
	if in.bounds.exhausted {
		return tooLong.Unknown()
	}
	switch x := f.X.(type) {
	case *Func:
		return in.callFunc(x, args)
	case *Bound:
		return in.Call(x.Func, args.With(x.Self))
	case *Class:
		return in.instantiate(x, args)
	case *Instance:
		return in.callInstance(x, args)
	case Method:
		if in.Spend(hostCall) {
			return x(in, in.handedArgs(args))
		}
	case External:
		return in.callExternal(x, args)
	case *staticMethod:
		return in.Call(x.f, args)
	case Object:
		if in.hostMuted > 0 {
			return in.mutedResult()
		}
		if in.Spend(hostCall) {
			return x.Call(in, in.handedArgs(args))
		}
	case string:
		// The Host says which type np.float32 is; calling it converts a value.
		if name := "numpy." + x; in.library.functions.Has(name) {
			return in.callExternal(External{name}, args)
		}
	case Unknown:
		return Value{X: x}
	}
	return in.Unknown(WrongType, "%s is called, which is not a function", in.describe(f))
}

// With returns args with more positional arguments in front.
func (a *Args) With(first ...Value) *Args {
	b := *a
	b.Positional = slices.Concat(first, a.Positional)
	return &b
}

// mutedResult is the Unknown that stands for the Host's answer while the Host is muted.
func (in *Interp) mutedResult() Value {
	return in.Unknown(UndecidedLoop, "what a later iteration of a loop makes of it")
}

// CallMethod calls a method that the program defines on an object; the result is
// unknown if there is none.
func (in *Interp) CallMethod(o *Instance, name string, args *Args) Value {
	method, ok := o.Class.lookup(name)
	if !ok {
		return in.Unknown(UndefinedAttribute, "%s.%s, which the program does not define", o.Class.Name, name)
	}
	return in.callMember(Value{X: o}, method, args)
}

// Defines reports whether the program defines name in the object's class or in one of
// the program's classes that it inherits from.
func (in *Interp) Defines(o *Instance, name string) bool {
	_, ok := o.Class.lookup(name)
	return ok
}

// callMember calls a class member on an instance.
func (in *Interp) callMember(self, member Value, args *Args) Value {
	return in.Call(in.bound(self, member), args)
}

func (in *Interp) callFunc(f *Func, args *Args) Value {
	if in.bounds.calls >= maxCalls {
		return in.Unknown(TooLong, "%s calls itself too deeply to follow", f.Def.Name)
	}
	if in.guessing(f) {
		return in.Unknown(Recursion, "%s calls itself, and it is not known how often", f.Def.Name)
	}
	fr := &frame{info: f.Def.Info, scope: f.Def.Scope, module: f.outer.module, outer: f.outer, vars: in.namespace(), call: f}
	if _, isLine := positional(args, 0).X.(*List); f.options != nil && (isLine || len(args.Positional) == 0) {
		args = f.options.fill(in, args)
	}
	if why := in.parameters(fr, f, args); why != nil {
		return Value{X: Unknown{why}}
	}
	in.called[f.Def.Node] = true
	in.Spend(4) // for the memory of the frame
	if f.Def.Yields {
		return Value{X: &generator{call: f, frame: fr}}
	}
	if in.hostMuted == 0 {
		if leave := in.host.Enter(in, f.Def.Node, f.Def, fr.vars.values); leave != nil {
			return leave(in.handed(in.runCall(fr)))
		}
	}
	return in.runCall(fr)
}

// runCall runs the body of a function in a frame that holds its parameters.
func (in *Interp) runCall(fr *frame) Value {
	def := fr.call.Def
	in.bounds.calls++
	in.active[def.Node] = append(in.active[def.Node], len(in.journal))
	old := in.frame
	in.frame = fr
	defer func() {
		in.frame = old
		in.bounds.calls--
		in.active[def.Node] = in.active[def.Node][:len(in.active[def.Node])-1]
	}()
	if def.Node.Kind() == syntax.Lambda {
		return in.Eval(def.Body)
	}
	how := in.block(def.Body)
	if in.bounds.exhausted {
		return tooLong.Unknown()
	}
	if how != returns {
		fr.result = Value{X: None{}}
		if def.Body.HasError() { // the error may hide a return
			fr.result = in.Unknown(SyntaxError, "%s, which does not parse", def.Name)
		}
	}
	if len(fr.open) > 0 {
		why := fr.open[0].why
		ways := in.collect(fr, 0, how)
		for i := range ways {
			if ways[i].how == next {
				ways[i] = outcome{returns, Value{X: None{}}, ways[i].changes}
			}
		}
		how = in.continueWith(ways, why)
	}
	if how == raises {
		return Raises(Because(WillRaise, "%s raises an error", def.Name))
	}
	for _, other := range fr.fallback {
		if fr.result.Known() && in.Followable(fr.result) && !same(fr.result, other, 4) {
			fr.result.Overridable = true
		}
	}
	return fr.result
}

// guessing reports whether a function calls itself repeatedly under unknown tests: both
// sides run each time, so nothing would end it.
func (in *Interp) guessing(f *Func) bool {
	const again = 3
	depths := in.active[f.Def.Node]
	if len(depths) < again {
		return false
	}
	last := len(in.journal)
	for i := range again {
		d := depths[len(depths)-1-i]
		if d >= last {
			return false
		}
		last = d
	}
	return true
}

// parameters binds the parameters of a function. It returns why the call fails, or nil.
func (in *Interp) parameters(fr *frame, f *Func, args *Args) *Cause {
	used, named := 0, 0
	for i, p := range f.Def.Params {
		switch p.Star {
		case 1:
			var rest Tuple
			if used < len(args.Positional) {
				rest = slices.Clone(args.Positional[used:])
				in.makeItems(len(rest))
				used = len(args.Positional)
			}
			v := Value{X: rest}
			if args.Open != nil {
				v = Value{X: Unknown{args.Open}}
			}
			fr.vars.put(p.Name, v)
			continue
		case 2:
			fr.vars.put(p.Name, Value{X: in.otherKeywords(f, args)})
			named = args.Keywords.Len()
			continue
		}
		var v Value
		passed, byName := args.Keywords.Get(p.Name)
		standard, optional := f.standard(i)
		switch {
		case !p.KeywordOnly && used < len(args.Positional):
			v = args.Positional[used]
			used++
			if byName {
				return Because(MissingArgument, "%s is called with two values for %s", f.Def.Name, p.Name)
			}
		case byName:
			v = passed
			named++
		case args.Open != nil:
			v = Value{X: Unknown{args.Open}}
		case optional:
			v = standard
		default:
			return Because(MissingArgument, "%s is called without %s", f.Def.Name, p.Name)
		}
		if fr.vars.Len() == 0 {
			fr.self = v
		}
		fr.vars.put(p.Name, v)
	}
	switch {
	case used < len(args.Positional):
		return Because(MissingArgument, "%s is called with %d arguments, more than it takes", f.Def.Name, len(args.Positional))
	case named < args.Keywords.Len():
		for name := range args.Keywords.Names() {
			if !f.takes(name) {
				return Because(MissingArgument, "%s is called with %s, which it does not take", f.Def.Name, name)
			}
		}
	}
	return nil
}

// takes reports whether a parameter has that name.
func (f *Func) takes(name string) bool {
	return slices.ContainsFunc(f.Def.Params, func(p names.Parameter) bool { return p.Name == name && p.Star == 0 })
}

// otherKeywords returns the dict of **kwargs.
func (in *Interp) otherKeywords(f *Func, args *Args) *Dict {
	d := &Dict{Open: args.Open}
	for name, v := range args.Keywords.All() {
		if !f.takes(name) {
			d.put(Value{X: name}, v)
		}
	}
	return d
}

// finish runs a generator to its end, once. If it does not reach the end, its changes
// are undone.
func (in *Interp) finish(g *generator) *List {
	if g.done != nil {
		return g.done
	}
	list := &List{consumed: true}
	g.done = list
	depth := len(in.journal)
	in.begin()
	g.frame.yields = list
	if in.within(maxGenerator, func() { in.runCall(g.frame) }) {
		in.commit(depth)
		return list
	}
	in.commit(depth + 1)
	first, _ := list.Sample()
	if list.Open == nil {
		first = positional(&Args{Positional: list.Items}, 0)
	}
	in.end().undo()
	*list = unknownList(Because(TooLong, "%s yields more than can be followed", g.call.Def.Name), true)
	if first.Known() {
		list.sample = first // its first item, or those yielded so far, show what the others look like
	}
	return list
}

// First returns the first item that a generator yields; ok is false for other values.
func (in *Interp) First(v Value) (first Value, ok bool) {
	g, ok := v.X.(*generator)
	if !ok {
		return Value{}, false
	}
	list := in.finish(g)
	switch {
	case list.Open != nil:
		return in.sample(Value{X: list}), true
	case len(list.Items) == 0:
		return in.Unknown(WillRaise, "%s yields nothing", g.call.Def.Name), true
	}
	return list.Items[0], true
}

// variables returns a dict of the variables of a frame.
func (in *Interp) variables(f *frame) Value {
	for f.comprehension {
		f = f.outer
	}
	d := &Dict{}
	for name, v := range f.vars.All() {
		if !strings.HasPrefix(name, "__") {
			d.put(Value{X: name}, v)
		}
	}
	return Value{X: d}
}
