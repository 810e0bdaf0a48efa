package options

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// flagModules are the modules that hold absl's flags, now and in TensorFlow 1.
var flagModules = []string{
	"absl.flags.", "tensorflow.compat.v1.flags.", "tensorflow.compat.v1.app.flags.", "tensorflow.app.flags.", "tensorflow.flags.",
	"tensorflow.python.platform.flags.", "tensorflow.python.platform.tf_flags.", "gflags.",
}

// flags are the namespaces whose members are flags.
func flags() library.Table[value.Space] {
	rows := library.Table[value.Space]{}
	for _, m := range flagModules {
		rows.Add(value.Space{Get: flag, Set: func(in *value.Interp, name string, v value.Value) { in.Set(in.Kept(keptFlags), name, v) }}, m+"FLAGS")
	}
	return rows
}

// keptFlags names the variables that hold the flags of a program.
const keptFlags = "flags"

// flag returns the value of a flag: its default, which the command line can override.
func flag(in *value.Interp, name string) value.Value {
	if v, ok := in.Kept(keptFlags).Get(name); ok {
		return v
	}
	return in.Unknown(value.CommandLine, "the flag %s is not defined here", name)
}

// setFlag sets a flag to the value of its option.
func setFlag(in *value.Interp, o option) {
	o.what = "the flag " + o.name
	v, _ := commandLine{commands: in.Commands.All()}.flag(in, &o)
	in.Set(in.Kept(keptFlags), o.name, v)
}

// flag reads one flag, among others that are not known yet.
func (line commandLine) flag(in *value.Interp, o *option) (v value.Value, passed bool) {
	o.flags = []string{"--" + o.name, "-" + o.name}
	if o.takes = one; o.off != nil {
		o.takes, o.flags = none, append(o.flags, o.off...)
	}
	return line.by(in, reader{options: []*option{o}, lenient: true}).value(in, 0)
}

// flagDefinition returns the function that defines a flag of some type.
func flagDefinition(name string) (value.Native, bool) {
	kind, ok := "", false
	for i := 0; i < len(flagModules) && !ok; i++ {
		kind, ok = strings.CutPrefix(name, flagModules[i]+"DEFINE_")
	}
	return value.Native{TakesUnknown: true, Run: func(in *value.Interp, args *value.Args) value.Value { return defineFlag(in, kind, args) }}, ok
}

func defineFlag(in *value.Interp, kind string, args *value.Args) value.Value {
	name, ok := value.Passed(args, 0, "name", "flag_name").X.(string)
	if !ok {
		return in.Unknown(value.CommandLine, "a flag with a name that is not known")
	}
	o := option{name: name, standard: value.Passed(args, 1, "default", "default_value")}
	if args.Keywords.Value("required").X == true {
		o.standard = value.Value{}
	}
	kind, multi := strings.CutPrefix(kind, "multi_")
	if multi {
		o.many = value.Value{X: value.External{Name: "builtins.list"}}
	}
	switch kind {
	case "alias":
		other, _ := value.Passed(args, 1, "original_name").X.(string)
		o.standard = flag(in, other)
	case "integer":
		o.kind = value.Value{X: value.External{Name: "builtins.int"}}
	case "float":
		o.kind = value.Value{X: value.External{Name: "builtins.float"}}
	case "bool", "boolean":
		o.kind, o.off = value.Value{X: truth}, []string{"--no" + name, "-no" + name}
	case "enum_class":
		class, _ := args.Get(2, "enum_class")
		o.textOnly, o.kind = true, value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			return interp.Index(in, class, value.Positional(args, 0))
		})}
	case "list", "spaceseplist":
		o.textOnly, o.kind = true, value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v := value.Positional(args, 0)
			s, _ := v.X.(string)
			parts := strings.Fields(s)
			if kind == "list" && s != "" {
				parts = strings.Split(s, ",")
			}
			l := &value.List{}
			for _, p := range parts {
				l.Items = append(l.Items, value.Value{X: strings.TrimSpace(p)})
			}
			v.X = l
			return v
		})}
	}
	o.repeats = multi
	setFlag(in, o)
	return value.Value{X: &flagHolder{value.Opaque{Base: "a flag"}, name}}
}

// A flagHolder is the result of DEFINE_integer and similar functions.
type flagHolder struct {
	value.Opaque
	name string
}

func (h *flagHolder) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "value", "default":
		return flag(in, h.name), true
	case "name":
		return value.Value{X: h.name}, true
	}
	return value.Value{}, false
}

func (h *flagHolder) SetAttr(in *value.Interp, name string, v value.Value) {
	if name == "value" {
		in.Set(in.Kept(keptFlags), h.name, v)
	}
}

func addAbsl(lenient value.Adder) {
	for _, m := range flagModules {
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			return passFlags(in, value.Passed(args, 0, "argv"))
		}, m+"FLAGS")
		lenient(func(*value.Interp, *value.Args) value.Value { return value.NoneValue }, m+"FLAGS.is_parsed", m+"FLAGS.mark_as_parsed", m+"FLAGS.append_flags_into_file", m+"FLAGS.get_help")
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			names := value.Passed(args, 0, "flag_name", "flag_names")
			items := []value.Value{names}
			if _, one := names.X.(string); !one {
				items, _ = interp.Iterate(in, names)
			}
			for _, v := range items {
				if name, ok := v.X.(string); ok && flag(in, name).X == (value.None{}) {
					setFlag(in, option{name: name})
				}
			}
			return value.NoneValue
		}, m+"mark_flag_as_required", m+"mark_flags_as_required")
		lenient(func(in *value.Interp, args *value.Args) value.Value {
			if name, ok := value.Passed(args, 0, "name").X.(string); ok {
				if _, passed := (commandLine{commands: in.Commands.All()}).flag(in, &option{name: name}); !passed {
					setFlag(in, option{name: name, standard: value.Passed(args, 1, "value")})
				}
			}
			return value.NoneValue
		}, m+"FLAGS.set_default")
		lenient(func(in *value.Interp, _ *value.Args) value.Value {
			d := &value.Dict{Open: value.Because(value.CommandLine, "the flags that other modules define")}
			for flag, v := range in.Kept(keptFlags).All() {
				d.Put(value.Value{X: flag}, v)
			}
			return value.Value{X: d}
		}, m+"FLAGS.flag_values_dict")
	}
	lenient(runApp, "absl.app.run", "tensorflow.compat.v1.app.run", "tensorflow.app.run")
}

// passFlags sets the flags from a command line that the program itself passes.
func passFlags(in *value.Interp, argv value.Value) value.Value {
	if line := commandLineOf(in, argv); line.fixed && in.Spend(in.Kept(keptFlags).Len()) {
		for _, name := range in.Kept(keptFlags).Names() {
			o := option{name: name, standard: flag(in, name), off: []string{"--no" + name}}
			v, passed := line.flag(in, &o)
			if passed {
				v = in.Unknown(value.CommandLine, "the program passes the argument %s to its own parser", name)
			}
			in.Set(in.Kept(keptFlags), name, v)
		}
	}
	return value.NoneValue
}

// runApp evaluates absl.app.run, which calls main with the command line.
func runApp(in *value.Interp, args *value.Args) value.Value {
	passFlags(in, value.Passed(args, 1, "argv"))
	main := value.Passed(args, 0, "main")
	if main.X == nil || main.X == (value.None{}) {
		main, _ = in.Main.Vars.Get("main")
	}
	made := &value.Args{Positional: []value.Value{in.Unknown(value.CommandLine, "the command line is known only in a run")}, Node: args.Node}
	if f, ok := main.X.(*value.Func); ok && len(f.Def.Params) == 0 {
		made.Positional = nil
	}
	return interp.Call(in, main, made)
}
