package options

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A parser is an argparse.ArgumentParser with its groups.
type parser struct {
	value.Opaque
	arguments []option
	standard  value.Value // argument_default
	children  []*parser
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
		m = func(*value.Interp, *value.Args) value.Value {
			child := &parser{Opaque: p.Opaque}
			p.children = append(p.children, child)
			return value.Value{X: child}
		}
	case "set_defaults":
		m = p.setDefaults
	case "get_default":
		m = func(in *value.Interp, args *value.Args) value.Value {
			name, _ := value.Positional(args, 0).X.(string)
			return interp.Attr(in, p.parse(in, &value.Args{}), name)
		}
	case "parse_args":
		m = p.parse
	case "parse_known_args", "parse_known_intermixed_args":
		m = func(in *value.Interp, args *value.Args) value.Value {
			return value.Value{X: value.Tuple{p.parse(in, args), in.Unknown(value.CommandLine, "the rest of the command line")}}
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
func (p *parser) parse(in *value.Interp, args *value.Args) value.Value {
	line := commandLineOf(in, value.Passed(args, 0, "args"))
	values := &value.Dict{Open: line.open}
	if v, ok := args.Get(1, "namespace"); ok {
		interp.Update(in, values, v)
	}
	for _, q := range append([]*parser{p}, p.children...) {
		if !in.Spend(1 + len(q.arguments)) {
			return value.OutOfSteps.Unknown()
		}
		for i := range q.arguments {
			o := &q.arguments[i]
			v, given := line.value(in, o)
			if old, there := values.Get(o.name); there && q != p {
				v = value.JoinValues(old, v, value.Because(value.CommandLine, "the command that is chosen is not known"))
			} else if there && !given {
				continue
			}
			values.Put(value.Value{X: o.name}, v)
		}
	}
	if p.chosen != "" {
		values.Put(value.Value{X: p.chosen}, in.Unknown(value.CommandLine, "the command that is chosen"))
	}
	return interp.PlainInstance(in, interp.SimpleNamespace, values)
}
