package options

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// click, typer and other libraries pass command-line options as arguments of a
// function.

// clicked applies a decorator of click to a function.
func clicked(in *value.Interp, decorator string, args *value.Args, v value.Value) value.Value {
	f, ok := v.X.(*value.Func)
	if !ok {
		return v
	}
	d, _ := f.Options.(declared)
	d.name = f.Def.Name
	switch kind := strings.TrimPrefix(decorator, "click."); kind {
	case "option", "argument":
		o := clickOption(in, args)
		d.options = append(slices.Clip(d.options), &o)
	case "command", "group":
		d.top, d.group = true, kind == "group"
	case "pass_context", "pass_obj":
		if len(f.Def.Params) > 0 && f.Def.Params[0].Star == 0 {
			d.context = &option{name: f.Def.Params[0].Name, what: "the context of the command line", byPlace: true}
		}
	default:
		return v
	}
	f.Options = d
	return v
}

// declared is what click passes to a function.
type declared struct {
	name       string // of the function
	options    []*option
	context    *option // nil if it is not passed
	top, group bool    // it is a program's command, or one that has others
}

func (d declared) Fills(parameter string) bool {
	return d.context != nil && d.context.name == parameter || slices.ContainsFunc(d.options, func(o *option) bool { return o.name == parameter })
}

// clickOption reads the declaration of an option or an argument of click (click/core.py).
func clickOption(in *value.Interp, args *value.Args) option {
	o := declaredOption(args)
	if o.byPlace {
		o.name = strings.ToLower(strings.ReplaceAll(o.name, "-", "_"))
	} else if o.name == "" {
		o.name = strings.ToLower(o.flagsName())
	}
	if o.standard.X == (value.None{}) {
		o.standard = value.Value{}
	}
	is := func(keyword string) bool { return args.Keywords.Value(keyword).X == true }
	nargs, several := args.Keywords.Get("nargs")
	rest := nargs.X == int64(-1)
	if is("multiple") || several && nargs.X != int64(1) {
		o.many = value.Value{X: value.External{Name: "builtins.tuple"}}
	}
	switch constant, ok := args.Keywords.Get("flag_value"); {
	case is("required"), o.byPlace && !rest && args.Keywords.Value("required").X != false:
	case is("multiple"), rest:
		o.absent = value.Value{X: value.Tuple{}}
	case ok && o.standard.X == true:
		o.standard = constant
	case o.off != nil, is("is_flag"):
		o.absent = value.Value{X: false}
	case is("count"):
		o.absent = value.Value{X: int64(0)}
	default:
		o.absent = value.NoneValue
	}
	if o.kind.X == (value.External{Name: "builtins.bool"}) {
		o.kind.X = truth
	}
	o.counts, o.repeats = is("count"), is("multiple")
	if several {
		o.takes = number(nargs)
	}
	if rest && o.absent.X == nil {
		o.takes.least = 1
	}
	if o.byPlace && o.absent.X != nil {
		o.takes.least = 0
	}
	if constant, ok := args.Keywords.Get("flag_value"); ok || o.off != nil || is("is_flag") || o.counts {
		if o.takes, o.constant = none, constant; !ok {
			o.constant = value.Value{X: true}
		}
	}
	return o
}

// commands returns the command lines that the function gets: those of the program, or what follows its name
// in them.
func (d declared) commands(line commandLine) commandLine {
	all := line.commands
	if line.commands = nil; line.own {
		line.commands = all
		return line
	}
	for _, c := range all {
		if at := slices.IndexFunc(c.Words, func(w string) bool { return strings.ReplaceAll(w, "-", "_") == d.name }); at >= 0 {
			line.commands = append(line.commands, value.Command{Words: c.Words[at+1:], Place: c.Place})
		} else if d.top {
			line.commands = append(line.commands, c)
		}
	}
	return line
}

// Fill adds what the command line passes to a call without arguments, or with a list of
// texts that stands for the command line.
func (d declared) Fill(in *value.Interp, args *value.Args) *value.Args {
	made := &value.Args{Node: args.Node, Open: args.Open}
	r := reader{options: d.options}
	if d.group {
		r.ends = func(string) bool { return true }
	}
	line := d.commands(commandLineOf(in, value.Passed(args, 0, "args"))).by(in, r)
	for i, o := range d.options {
		v, _ := line.value(in, i)
		made.Keywords.Put(o.name, v)
	}
	if d.context != nil {
		made.Keywords.Put(d.context.name, d.context.value(in))
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
	"click.INT": value.External{Name: "builtins.int"}, "click.FLOAT": value.External{Name: "builtins.float"}, "click.STRING": value.External{Name: "builtins.str"}, "click.BOOL": truth,
}

func addClick(lenient value.Adder) {
	same := value.Method(func(_ *value.Interp, args *value.Args) value.Value { return value.Positional(args, 0) })
	for name, kind := range map[string]any{"Choice": same, "Path": same, "IntRange": value.External{Name: "builtins.int"}, "FloatRange": value.External{Name: "builtins.float"}} {
		lenient(func(*value.Interp, *value.Args) value.Value { return value.Value{X: kind} }, "click."+name)
	}
	lenient(func(in *value.Interp, args *value.Args) value.Value { // the default of a parameter
		o := option{what: "an argument of the command line", byPlace: true, standard: value.Passed(args, 0, "default", "default_factory")}
		if o.standard.X == (value.Ellipsis{}) {
			o.standard = value.Value{}
		}
		return o.value(in)
	}, "typer.Option", "typer.Argument")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		v := value.Positional(args, 0)
		f, ok := v.X.(*value.Func)
		if !ok {
			return in.Unknown(value.CommandLine, "a command line for %s", interp.Describe(in, v))
		}
		made := &value.Args{Node: f.Def.Node}
		in.Assume(f, 0, made)
		return interp.Call(in, v, made)
	}, "fire.Fire", "typer.run", "fire.Fire.__call__", "plac.call", "tyro.cli", "jsonargparse.CLI")
}
