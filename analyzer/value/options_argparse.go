package value

import "slices"

// A parser is an argparse.ArgumentParser with its groups.
type parser struct {
	opaque
	arguments []option
	standard  Value // argument_default
	children  []*parser
	chosen    string // the attribute that names the chosen subparser
}

// argumentValues is the memory of an argument, counted in values.
const argumentValues = 8

func addArgparse(lenient adder) {
	lenient(func(in *Interp, args *Args) Value {
		p := &parser{opaque: opaque{"an argument parser"}, standard: args.Keywords.Value("argument_default")}
		parents, _ := in.Iterate(args.Keywords.Value("parents"))
		for _, v := range parents {
			if parent, ok := v.X.(*parser); ok && in.makeItems(argumentValues*len(parent.arguments)) {
				p.arguments = append(p.arguments, parent.arguments...)
			}
		}
		return Value{X: p}
	}, "argparse.ArgumentParser", "configargparse.ArgumentParser", "configargparse.ArgParser", "jsonargparse.ArgumentParser", "tensorflow.compat.v1.flags.ArgumentParser")
}

func (p *parser) GetAttr(in *Interp, name string) (Value, bool) {
	m := func(*Interp, *Args) Value { return noneValue }
	switch name {
	case "add_argument":
		m = p.addArgument
	case "add_argument_group", "add_mutually_exclusive_group":
		m = func(*Interp, *Args) Value { return Value{X: p} }
	case "add_subparsers":
		m = func(_ *Interp, args *Args) Value {
			if dest, ok := args.Keywords.Value("dest").X.(string); ok {
				p.chosen = dest
			}
			return Value{X: p}
		}
	case "add_parser":
		m = func(*Interp, *Args) Value {
			child := &parser{opaque: p.opaque}
			p.children = append(p.children, child)
			return Value{X: child}
		}
	case "set_defaults":
		m = p.setDefaults
	case "get_default":
		m = func(in *Interp, args *Args) Value {
			name, _ := positional(args, 0).X.(string)
			return in.Attr(p.parse(in, &Args{}), name)
		}
	case "parse_args":
		m = p.parse
	case "parse_known_args", "parse_known_intermixed_args":
		m = func(in *Interp, args *Args) Value {
			return Value{X: Tuple{p.parse(in, args), in.Unknown(CommandLine, "the rest of the command line")}}
		}
	case "error", "exit":
		m = func(in *Interp, _ *Args) Value { return in.Unknown(NotReached, "what follows the end of the program") }
	}
	return Value{X: Method(m)}, true
}

func (p *parser) addArgument(in *Interp, args *Args) Value {
	if !in.Spend(len(p.arguments) / 64) {
		return noneValue
	}
	o := declaredOption(args)
	o.textOnly = true
	if !o.byPlace {
		o.name = o.flagsName()
	}
	if dest, ok := args.Keywords.Value("dest").X.(string); ok {
		o.name = dest
	}
	if o.standard.X == nil && p.standard.X != (None{}) {
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
	switch action := args.Keywords.Value("action").X; {
	case action == "help", action == "version", o.standard.X == External{"argparse.SUPPRESS"}:
		return noneValue // sets nothing
	case o.byPlace && nargs == "*":
		if o.absent = (Value{X: &List{}}); o.standard.X == (None{}) {
			o.standard = Value{}
		}
	case o.byPlace && nargs != "?", args.Keywords.Value("required").X == true:
		o.standard = Value{}
	case action == "store_true", action == "store_false":
		o.absent = Value{X: action == "store_false"}
	default:
		o.absent = noneValue
	}
	p.arguments = append(p.arguments, o)
	return noneValue
}

func (p *parser) setDefaults(in *Interp, args *Args) Value {
	for name, v := range args.Keywords.All() {
		in.Spend(len(p.arguments) / 64)
		i := slices.IndexFunc(p.arguments, func(o option) bool { return o.name == name })
		if i < 0 {
			p.arguments = append(p.arguments, option{name: name, standard: v, absent: noneValue})
		} else if p.arguments[i].absent.X != nil {
			p.arguments[i].standard = v
		}
	}
	return noneValue
}

// parse returns the parsed command line: the attributes of the namespace that is
// passed, or else the first default of each name (CPython's Lib/argparse.py,
// parse_known_args).
func (p *parser) parse(in *Interp, args *Args) Value {
	line := in.commandLine(first(args, 0, "args"))
	values := &Dict{Open: line.open}
	if v, ok := args.Get(1, "namespace"); ok {
		in.update(values, v)
	}
	for _, q := range append([]*parser{p}, p.children...) {
		if !in.Spend(1 + len(q.arguments)) {
			return tooLong.Unknown()
		}
		for i := range q.arguments {
			o := &q.arguments[i]
			v, given := line.value(in, o)
			if old, there := values.Get(o.name); there && q != p {
				v = joinValues(old, v, Because(CommandLine, "depends on the command that is chosen"))
			} else if there && !given {
				continue
			}
			values.put(Value{X: o.name}, v)
		}
	}
	if p.chosen != "" {
		values.put(Value{X: p.chosen}, in.Unknown(CommandLine, "the command that is chosen"))
	}
	return in.plainInstance(simpleNamespace, values)
}
