package options

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A parser is an argparse.ArgumentParser with its groups.
type parser struct {
	value.Opaque
	arguments []option
	standard  value.Value // argument_default
	children  []*parser
	name      string // of the command of a subparser
	chosen    string // the attribute that names the chosen subparser
}

// argumentValues is the memory of an argument, counted in values.
const argumentValues = 8

func addArgparse(lenient value.Adder) {
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		p := &parser{Opaque: value.Opaque{Base: "an argument parser"}, standard: args.Keywords.Value("argument_default")}
		parents, _ := interp.Iterate(in, args.Keywords.Value("parents"))
		for _, v := range parents {
			if parent, ok := v.X.(*parser); ok && in.MakeItems(argumentValues*len(parent.arguments)) {
				p.arguments = append(p.arguments, parent.arguments...)
			}
		}
		return value.Value{X: p}
	}, "argparse.ArgumentParser", "configargparse.ArgumentParser", "configargparse.ArgParser", "jsonargparse.ArgumentParser", "tensorflow.compat.v1.flags.ArgumentParser")
}

func (p *parser) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	m := func(*value.Interp, *value.Args) value.Value { return value.NoneValue }
	switch name {
	case "add_argument":
		m = p.addArgument
	case "add_argument_group", "add_mutually_exclusive_group":
		m = func(*value.Interp, *value.Args) value.Value { return value.Value{X: p} }
	case "add_subparsers":
		m = func(_ *value.Interp, args *value.Args) value.Value {
			if dest, ok := args.Keywords.Value("dest").X.(string); ok {
				p.chosen = dest
			}
			return value.Value{X: p}
		}
	case "add_parser":
		m = func(_ *value.Interp, args *value.Args) value.Value {
			child := &parser{Opaque: p.Opaque}
			child.name, _ = value.Passed(args, 0, "name").X.(string)
			p.children = append(p.children, child)
			return value.Value{X: child}
		}
	case "set_defaults":
		m = p.setDefaults
	case "get_default":
		m = func(in *value.Interp, args *value.Args) value.Value {
			name, _ := value.Positional(args, 0).X.(string)
			return interp.Attr(in, p.by(in, commandLine{}, &value.Args{}, false), name)
		}
	case "parse_args", "parse_intermixed_args":
		m = func(in *value.Interp, args *value.Args) value.Value { return p.parse(in, args, false) }
	case "parse_known_args", "parse_known_intermixed_args":
		m = func(in *value.Interp, args *value.Args) value.Value {
			return value.Value{X: value.Tuple{p.parse(in, args, true), in.Unknown(value.CommandLine, "the rest of the command line")}}
		}
	case "error", "exit":
		m = func(in *value.Interp, _ *value.Args) value.Value {
			return in.Unknown(value.NotReached, "what follows the end of the program")
		}
	}
	return value.Value{X: value.Method(m)}, true
}

func (p *parser) addArgument(in *value.Interp, args *value.Args) value.Value {
	if !in.Spend(len(p.arguments) / 64) {
		return value.NoneValue
	}
	o := declaredOption(args)
	o.textOnly = true
	if !o.byPlace {
		o.name = o.flagsName()
	}
	if dest, ok := args.Keywords.Value("dest").X.(string); ok {
		o.name = dest
	}
	if o.standard.X == nil && p.standard.X != (value.None{}) {
		o.standard = p.standard
	}
	// The declaration replaces the value that set_defaults gave to its name, and with
	// conflict_handler="resolve" the argument that has one of its flags.
	p.arguments = slices.DeleteFunc(p.arguments, func(old option) bool {
		set := old.name == o.name && !old.byPlace && old.flags == nil
		if _, own := args.Keywords.Get("default"); set && !own {
			o.standard = old.standard
		}
		return set || slices.ContainsFunc(old.flags, func(f string) bool { return slices.Contains(o.flags, f) })
	})
	nargs := args.Keywords.Value("nargs").X
	o.takes, o.constant = number(args.Keywords.Value("nargs")), args.Keywords.Value("const")
	if o.constant.X == nil {
		o.constant = value.NoneValue
	}
	switch action := args.Keywords.Value("action").X; action {
	case "store_true", "store_false":
		o.takes, o.constant = none, value.Value{X: action == "store_true"}
	case "store_const":
		o.takes = none
	case "append_const":
		o.takes, o.constant = none, value.Value{}
	case "count":
		o.takes, o.counts = none, true
	case "append", "extend":
		o.repeats = true
	case value.External{Name: "argparse.BooleanOptionalAction"}:
		o.takes = none
		for _, f := range o.flags {
			if name, long := strings.CutPrefix(f, "--"); long {
				o.off = append(o.off, "--no-"+name)
			}
		}
		o.flags = append(o.flags, o.off...)
	}
	switch action := args.Keywords.Value("action").X; {
	case action == "help", action == "version", o.standard.X == value.External{Name: "argparse.SUPPRESS"}:
		return value.NoneValue // sets nothing
	case o.byPlace && nargs == "*":
		if o.absent = (value.Value{X: &value.List{}}); o.standard.X == (value.None{}) {
			o.standard = value.Value{}
		}
	case o.byPlace && nargs != "?", args.Keywords.Value("required").X == true:
		o.standard = value.Value{}
	case action == "store_true", action == "store_false":
		o.absent = value.Value{X: action == "store_false"}
	default:
		o.absent = value.NoneValue
	}
	p.arguments = append(p.arguments, o)
	return value.NoneValue
}

func (p *parser) setDefaults(in *value.Interp, args *value.Args) value.Value {
	for name, v := range args.Keywords.All() {
		in.Spend(len(p.arguments) / 64)
		i := slices.IndexFunc(p.arguments, func(o option) bool { return o.name == name })
		if i < 0 {
			p.arguments = append(p.arguments, option{name: name, standard: v, absent: value.NoneValue})
		} else if p.arguments[i].absent.X != nil {
			p.arguments[i].standard = v
		}
	}
	return value.NoneValue
}

// parse returns the parsed command line: the attributes of the namespace that is
// passed, or else the first default of each name (CPython's Lib/argparse.py,
// parse_known_args).
func (p *parser) parse(in *value.Interp, args *value.Args, lenient bool) value.Value {
	return p.by(in, commandLineOf(in, value.Passed(args, 0, "args")), args, lenient)
}

func (p *parser) by(in *value.Interp, line commandLine, args *value.Args, lenient bool) value.Value {
	values := &value.Dict{Open: line.open}
	if v, ok := args.Get(1, "namespace"); ok {
		interp.Update(in, values, v)
	}
	r := reader{options: pointers(p.arguments), argparse: true, lenient: lenient}
	if len(p.children) > 0 {
		r.ends = func(word string) bool { return p.child(word) != nil }
	}
	own := line.by(in, r)
	chosen := p.chosenBy(own)
	for _, q := range append([]*parser{p}, p.children...) {
		if !in.Spend(1 + len(q.arguments)) {
			return value.OutOfSteps.Unknown()
		}
		read := own
		switch {
		case q == p:
		case chosen == nil:
			read = parsed{commandLine: commandLine{own: line.own, fixed: line.fixed}, options: pointers(q.arguments), found: []map[int]*given{{}}}
		case chosen != q:
			continue
		default:
			below := commandLine{own: line.own, fixed: line.fixed}
			for i, c := range own.commands {
				below.commands = append(below.commands, value.Command{Words: own.rest[i][1:], Place: c.Place})
			}
			read = below.by(in, reader{options: pointers(q.arguments), argparse: true, lenient: lenient})
		}
		for i := range q.arguments {
			o := &q.arguments[i]
			v, given := read.value(in, i)
			if old, there := values.Get(o.name); there && q != p && chosen == nil {
				v = value.JoinValues(old, v, value.Because(value.CommandLine, "the command that is chosen is not known"))
			} else if there && !given {
				continue
			}
			values.Put(value.Value{X: o.name}, v)
		}
	}
	switch {
	case p.chosen != "" && chosen != nil:
		values.Put(value.Value{X: p.chosen}, value.Value{X: chosen.name, Overridable: !line.fixed})
	case p.chosen != "":
		values.Put(value.Value{X: p.chosen}, in.Unknown(value.CommandLine, "the command that is chosen"))
	}
	return interp.PlainInstance(in, interp.SimpleNamespace, values)
}

func pointers(options []option) (out []*option) {
	for i := range options {
		out = append(out, &options[i])
	}
	return out
}

// child returns the parser of a command, or nil.
func (p *parser) child(name string) *parser {
	if at := slices.IndexFunc(p.children, func(c *parser) bool { return c.name == name }); at >= 0 {
		return p.children[at]
	}
	return nil
}

// chosenBy returns the parser of the command that all command lines choose, or nil.
func (p *parser) chosenBy(read parsed) (chosen *parser) {
	for i, rest := range read.rest {
		if len(rest) == 0 || i > 0 && p.child(rest[0]) != chosen {
			return nil
		}
		chosen = p.child(rest[0])
	}
	return chosen
}
