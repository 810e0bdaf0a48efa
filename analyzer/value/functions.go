package value

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
)

// A Func is a function or lambda of the program, created when its definition ran.
type Func struct {
	Def   *names.Function
	Class *Class // the class whose body defines it, or nil

	Defaults []Value // default values of Def.Params, evaluated at the definition
	Outer    *Frame  // the frame that defines it
	Attrs    *Namespace
	Options  Filler // what a decorator passes to it, or nil
}

// A Filler passes the arguments of a function that are not given: a decorator of the
// function takes them from the command line.
type Filler interface {
	// Fill returns the arguments of a call without positional arguments, or with one
	// list.
	Fill(in *Interp, args *Args) *Args
	// Fills reports whether it passes a parameter.
	Fills(parameter string) bool
}

// A Bound is a bound method: a function with its first argument.
type Bound struct {
	Self Value
	Func Value
}

func (f *Func) standard(i int) (Value, bool) {
	if i < len(f.Defaults) && f.Defaults[i].X != nil {
		return f.Defaults[i], true
	}
	return Value{}, false
}

// With returns args with more positional arguments in front.
func (a *Args) With(first ...Value) *Args {
	b := *a
	b.Positional = slices.Concat(first, a.Positional)
	return &b
}

// Defines reports whether the program defines name in the object's class or in one of
// the program's classes that it inherits from.
func (o *Instance) Defines(name string) bool {
	_, ok := o.Class.Lookup(name)
	return ok
}

// Parameters binds the parameters of a function. It returns why the call fails, or nil.
func (in *Interp) Parameters(fr *Frame, f *Func, args *Args) *Cause {
	used, named := 0, 0
	for i, p := range f.Def.Params {
		switch p.Star {
		case 1:
			var rest Tuple
			if used < len(args.Positional) {
				rest = slices.Clone(args.Positional[used:])
				in.MakeItems(len(rest))
				used = len(args.Positional)
			}
			v := Value{X: rest}
			if args.Open != nil {
				v = Value{X: Unknown{Cause: args.Open}}
			}
			fr.Vars.Put(p.Name, v)
			continue
		case 2:
			fr.Vars.Put(p.Name, Value{X: f.otherKeywords(args)})
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
			v = Value{X: Unknown{Cause: args.Open}}
		case optional:
			v = standard
		default:
			return Because(MissingArgument, "%s is called without %s", f.Def.Name, p.Name)
		}
		if fr.Vars.Len() == 0 {
			fr.Self = v
		}
		fr.Vars.Put(p.Name, v)
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
func (f *Func) otherKeywords(args *Args) *Dict {
	d := &Dict{Open: args.Open}
	for name, v := range args.Keywords.All() {
		if !f.takes(name) {
			d.Put(Value{X: name}, v)
		}
	}
	return d
}

type (
	StaticMethod struct{ F Value }
	ClassMethod  struct{ F Value }
	Property     struct{ Get, Set Value }
)
