package value

import (
	"slices"
	"strings"
)

// A parser is an argparse.ArgumentParser, or a group of one.
type parser struct {
	opaque
	arguments []argument
	defaults  []option // of set_defaults
	standard  Value    // argument_default
	above     *parser  // of which it is a group
	children  []*parser
	chosen    string // the attribute that says which child parses
}

type argument struct {
	option
	flags    []string // --batch-size, -b; none for what is positional
	explicit bool     // has a default of its own
}

// argumentValues is how many values need the memory of an argument.
const argumentValues = 4

func addParsers() {
	for _, name := range []string{"argparse.ArgumentParser", "configargparse.ArgumentParser", "configargparse.ArgParser", "tensorflow.compat.v1.flags.ArgumentParser"} {
		natives[name] = native{takesUnknown: true, run: func(in *Interp, args *Args) Value {
			p := &parser{}
			if v, ok := args.Keywords.Get("argument_default"); ok {
				p.standard = v
			}
			if parents, ok := args.Keywords.Get("parents"); ok {
				items, _ := in.Iterate(parents)
				for _, v := range items {
					if parent, ok := v.X.(*parser); ok && in.makeItems(argumentValues*len(parent.arguments)+len(parent.defaults)) {
						p.arguments = append(p.arguments, parent.arguments...)
						p.defaults = append(p.defaults, parent.defaults...)
					}
				}
			}
			return Value{X: p}
		}}
	}
}

func (p *parser) Attr(in *Interp, name string) (Value, bool) {
	var m Method
	switch name {
	case "add_argument":
		m = p.addArgument
	case "add_argument_group", "add_mutually_exclusive_group":
		m = func(*Interp, *Args) Value { return Value{X: &parser{above: p.root()}} }
	case "add_subparsers":
		m = func(_ *Interp, args *Args) Value {
			if dest, ok := args.Keywords.Value("dest").X.(string); ok {
				p.root().chosen = dest
			}
			return Value{X: &parser{above: p.root()}}
		}
	case "add_parser":
		m = func(*Interp, *Args) Value {
			child := &parser{}
			p.root().children = append(p.root().children, child)
			return Value{X: child}
		}
	case "set_defaults":
		m = p.setDefaults
	case "get_default":
		m = func(in *Interp, args *Args) Value {
			name, _ := positional(args, 0).X.(string)
			return in.Attr(p.root().parse(in, nil), name)
		}
	case "parse_args":
		m = func(in *Interp, args *Args) Value { return p.root().parse(in, args) }
	case "parse_known_args", "parse_known_intermixed_args":
		m = func(in *Interp, args *Args) Value {
			return Value{X: Tuple{p.root().parse(in, args), in.Unknown("the rest of the command line")}}
		}
	case "error", "exit":
		m = func(in *Interp, _ *Args) Value { return in.Unknown("what follows the end of the program") }
	default:
		m = func(in *Interp, _ *Args) Value { return noneValue }
	}
	return Value{X: m}, true
}

func (p *parser) root() *parser {
	if p.above != nil {
		return p.above
	}
	return p
}

func (p *parser) addArgument(in *Interp, args *Args) Value {
	a := argument{}
	a.name = optionName(args)
	if dest, ok := args.Keywords.Value("dest").X.(string); ok {
		a.name = dest
	}
	for _, v := range args.Positional {
		if s, ok := v.X.(string); ok && strings.HasPrefix(s, "-") {
			a.flags = append(a.flags, s)
		}
	}
	if len(a.flags) > 0 && args.Keywords.Value("dest").X == nil {
		a.name = argparseName(a.flags)
	}
	a.value, a.explicit = in.argumentDefault(p.root(), args, a)
	root := p.root()
	if !in.Spend(len(root.arguments) / 64) {
		return Value{X: None{}}
	}
	root.arguments = slices.DeleteFunc(root.arguments, func(o argument) bool { return o.name == a.name && !a.explicit })
	root.arguments = append(root.arguments, a)
	return Value{X: None{}}
}

// argparseName is the first long flag's name, else the first flag's. Unlike
// click, argparse keeps its case.
func argparseName(flags []string) string {
	name := flags[0]
	for _, f := range flags {
		if strings.HasPrefix(f, "--") {
			name = f
			break
		}
	}
	return strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
}

func (in *Interp) argumentDefault(p *parser, args *Args, a argument) (v Value, explicit bool) {
	action, _ := args.Keywords.Value("action").X.(string)
	nargs, _ := args.Keywords.Value("nargs").X.(string)
	v, explicit = args.Keywords.Get("default")
	switch {
	case action == "help" || action == "version":
	case len(a.flags) == 0 && nargs != "?" && nargs != "*":
		return in.Unknown("the argument %s of the command line", a.name), true
	case len(a.flags) > 0 && args.Keywords.Value("required").X == true:
		return in.Unknown("the argument %s of the command line, which must be given", a.name), true
	case explicit:
		if _, isText := v.X.(string); isText {
			if kind, ok := args.Keywords.Get("type"); ok {
				v = in.typed(v, kind)
			}
		}
	case action == "store_true":
		v = Value{X: false}
	case action == "store_false":
		v = Value{X: true}
	case p.standard.X != nil:
		v = p.standard
	default:
		v = Value{X: None{}}
	}
	if v.Known() {
		v.Overridable = true
	}
	return v, explicit
}

// typed is a default as the type of an option makes it.
func (in *Interp) typed(v, kind Value) Value {
	out := in.Call(kind, &Args{Positional: []Value{v}})
	if out.Known() {
		out.Overridable = v.Overridable
	}
	return out
}

func (p *parser) setDefaults(in *Interp, args *Args) Value {
	for name, v := range args.Keywords.All() {
		if v.Known() {
			v.Overridable = true
		}
		p.root().defaults = append(p.root().defaults, option{name, v})
	}
	return Value{X: None{}}
}

// parse is what the command line parses to: the defaults, as whoever runs the
// program can change them; or, where the program itself says what to parse, for
// good.
func (p *parser) parse(in *Interp, args *Args) Value {
	options := len(p.arguments) + len(p.defaults)
	for _, child := range p.children {
		options += 1 + len(child.arguments) + len(child.defaults)
	}
	if !in.Spend(options) {
		return in.Unknown(tooLong)
	}
	fixed, given := false, map[string]bool{}
	values := &Dict{}
	if args != nil {
		if v, ok := args.Get(0, "args"); ok && v.X != (None{}) {
			items, known := in.Iterate(v)
			fixed = known
			for _, item := range items {
				if s, ok := item.X.(string); ok {
					s, _, _ = strings.Cut(s, "=")
					given[s] = true
				}
			}
			if v.Why() == "" && !known {
				values.Open = in.whyNotIterable(v)
			}
		}
		if v, ok := args.Get(1, "namespace"); ok {
			in.update(values, v)
		}
	}
	put := func(name string, v Value) {
		if fixed {
			v.Overridable = false
		}
		values.put(Value{X: name}, v)
	}
	for _, a := range p.arguments {
		v := a.value
		if slices.ContainsFunc(a.flags, func(f string) bool { return given[f] }) || fixed && len(given) > 0 && len(a.flags) == 0 {
			v = in.Unknown("the argument %s, which the program passes to its own parser", a.name)
		}
		put(a.name, v)
	}
	for _, child := range p.children {
		for _, a := range child.arguments {
			if other, ok := values.Get(a.name); ok {
				a.value = joinValues(other, a.value, "depends on the command that is chosen")
			}
			put(a.name, a.value)
		}
		for _, d := range child.defaults {
			put(d.name, in.Unknown("depends on the command that is chosen"))
		}
	}
	for _, d := range p.defaults {
		put(d.name, d.value)
	}
	if p.chosen != "" {
		put(p.chosen, in.Unknown("the command that is chosen"))
	}
	return in.plainObject(simpleNamespace, values)
}
