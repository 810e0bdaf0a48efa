package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// click, typer and other libraries pass command-line options as arguments of a
// function.

// clicked applies a decorator of click to a function.
func clicked(in *Interp, decorator string, args *Args, v Value) Value {
	f, ok := v.X.(*Func)
	if !ok {
		return v
	}
	options, _ := f.options.(declared)
	switch strings.TrimPrefix(decorator, "click.") {
	case "option", "argument":
		f.options = append(options, in.clickOption(args))
	case "command", "group":
		f.options = append(declared{}, options...)
	case "pass_context", "pass_obj":
		if len(f.Def.Params) > 0 && f.Def.Params[0].Star == 0 {
			f.options = append(options, option{name: f.Def.Params[0].Name, what: "the context of the command line", byPlace: true})
		}
	}
	return v
}

// declared are the options that click passes to a function.
type declared []option

func (d declared) fills(parameter string) bool {
	return slices.ContainsFunc(d, func(o option) bool { return o.name == parameter })
}

// clickOption reads the declaration of an option or an argument of click (click/core.py).
func (in *Interp) clickOption(args *Args) option {
	o := declaredOption(args)
	if o.byPlace {
		o.name = strings.ToLower(strings.ReplaceAll(o.name, "-", "_"))
	} else if o.name == "" {
		o.name = strings.ToLower(o.flagsName())
	}
	if o.standard.X == (None{}) {
		o.standard = Value{}
	}
	is := func(keyword string) bool { return args.Keywords.Value(keyword).X == true }
	nargs, several := args.Keywords.Get("nargs")
	rest := nargs.X == int64(-1)
	if is("multiple") || several && nargs.X != int64(1) {
		o.many = Value{X: External{"builtins.tuple"}}
	}
	switch constant, ok := args.Keywords.Get("flag_value"); {
	case is("required"), o.byPlace && !rest && args.Keywords.Value("required").X != false:
	case is("multiple"), rest:
		o.absent = Value{X: Tuple{}}
	case ok && o.standard.X == true:
		o.standard = constant
	case o.pair, is("is_flag"):
		o.absent = Value{X: false}
	case is("count"):
		o.absent = Value{X: int64(0)}
	default:
		o.absent = noneValue
	}
	if o.kind.X == (External{"builtins.bool"}) {
		o.kind.X = truth
	}
	return o
}

// fill adds what the command line passes to a call without arguments, or with a list of
// texts that stands for the command line.
func (d declared) fill(in *Interp, args *Args) *Args {
	made := &Args{Node: args.Node, Open: args.Open}
	line := in.commandLine(first(args, 0, "args"))
	for i := range d {
		v, _ := line.value(in, &d[i])
		made.Keywords.Put(d[i].name, v)
	}
	for name, v := range args.Keywords.All() {
		if name != "standalone_mode" && name != "args" {
			made.Keywords.Put(name, v)
		}
	}
	return made
}

// clickConstants are the types of click's options.
var clickConstants = library.Table[any]{
	"click.INT": External{"builtins.int"}, "click.FLOAT": External{"builtins.float"}, "click.STRING": External{"builtins.str"}, "click.BOOL": truth,
}

func addClick(lenient adder) {
	same := Method(func(_ *Interp, args *Args) Value { return positional(args, 0) })
	for name, kind := range map[string]any{"Choice": same, "Path": same, "IntRange": External{"builtins.int"}, "FloatRange": External{"builtins.float"}} {
		lenient(func(*Interp, *Args) Value { return Value{X: kind} }, "click."+name)
	}
	lenient(func(in *Interp, args *Args) Value { // the default of a parameter
		o := option{what: "an argument of the command line", byPlace: true, standard: first(args, 0, "default", "default_factory")}
		if o.standard.X == (Ellipsis{}) {
			o.standard = Value{}
		}
		return o.value(in)
	}, "typer.Option", "typer.Argument")
	lenient(func(in *Interp, args *Args) Value {
		v := positional(args, 0)
		f, ok := v.X.(*Func)
		if !ok {
			return in.Unknown(CommandLine, "a command line for %s", in.describe(v))
		}
		made := &Args{Node: f.Def.Node}
		in.assume(f, 0, made)
		return in.Call(v, made)
	}, "fire.Fire", "typer.run", "fire.Fire.__call__", "plac.call", "tyro.cli", "jsonargparse.CLI")
}
