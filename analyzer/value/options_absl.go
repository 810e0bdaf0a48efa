package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// flagModules are the modules that hold absl's flags, now and in TensorFlow 1.
var flagModules = []string{
	"absl.flags.", "tensorflow.compat.v1.flags.", "tensorflow.compat.v1.app.flags.", "tensorflow.app.flags.", "tensorflow.flags.",
	"tensorflow.python.platform.flags.", "tensorflow.python.platform.tf_flags.", "gflags.",
}

// flags are the namespaces whose members are flags.
func flags() library.Table[space] {
	rows := library.Table[space]{}
	for _, m := range flagModules {
		rows.Add(space{(*Interp).flag, func(in *Interp, name string, v Value) { in.set(in.kept(keptFlags), name, v) }}, m+"FLAGS")
	}
	return rows
}

// keptFlags names the variables that hold the flags of a program.
const keptFlags = "flags"

// flag returns the value of a flag: its default, which the command line can override.
func (in *Interp) flag(name string) Value {
	if v, ok := in.kept(keptFlags).Get(name); ok {
		return v
	}
	return in.Unknown(CommandLine, "the flag %s, which is not defined here", name)
}

// setFlag sets a flag to the value of its option.
func (in *Interp) setFlag(o option) {
	o.what = "the flag " + o.name
	in.set(in.kept(keptFlags), o.name, o.value(in))
}

// flagDefinition returns the function that defines a flag of some type.
func flagDefinition(name string) (native, bool) {
	kind, ok := "", false
	for i := 0; i < len(flagModules) && !ok; i++ {
		kind, ok = strings.CutPrefix(name, flagModules[i]+"DEFINE_")
	}
	return native{takesUnknown: true, run: func(in *Interp, args *Args) Value { return in.defineFlag(kind, args) }}, ok
}

func (in *Interp) defineFlag(kind string, args *Args) Value {
	name, ok := first(args, 0, "name", "flag_name").X.(string)
	if !ok {
		return in.Unknown(CommandLine, "a flag with a name that is not known")
	}
	o := option{name: name, standard: first(args, 1, "default", "default_value")}
	if args.Keywords.Value("required").X == true {
		o.standard = Value{}
	}
	kind, multi := strings.CutPrefix(kind, "multi_")
	if multi {
		o.many = Value{X: External{"builtins.list"}}
	}
	switch kind {
	case "alias":
		other, _ := first(args, 1, "original_name").X.(string)
		o.standard = in.flag(other)
	case "integer":
		o.kind = Value{X: External{"builtins.int"}}
	case "float":
		o.kind = Value{X: External{"builtins.float"}}
	case "bool", "boolean":
		o.kind = Value{X: truth}
	case "enum_class":
		class, _ := args.Get(2, "enum_class")
		o.textOnly, o.kind = true, Value{X: Method(func(in *Interp, args *Args) Value { return in.Index(class, positional(args, 0)) })}
	case "list", "spaceseplist":
		if s, ok := o.standard.X.(string); ok {
			parts := strings.Fields(s)
			if kind == "list" && s != "" {
				parts = strings.Split(s, ",")
			}
			l := &List{}
			for _, p := range parts {
				l.Items = append(l.Items, Value{X: strings.TrimSpace(p)})
			}
			o.standard.X = l
		}
	}
	in.setFlag(o)
	return Value{X: &flagHolder{opaque{"a flag"}, name}}
}

// A flagHolder is the result of DEFINE_integer and similar functions.
type flagHolder struct {
	opaque
	name string
}

func (h *flagHolder) GetAttr(in *Interp, name string) (Value, bool) {
	switch name {
	case "value", "default":
		return in.flag(h.name), true
	case "name":
		return Value{X: h.name}, true
	}
	return Value{}, false
}

func (h *flagHolder) SetAttr(in *Interp, name string, v Value) {
	if name == "value" {
		in.set(in.kept(keptFlags), h.name, v)
	}
}

func addAbsl(lenient adder) {
	for _, m := range flagModules {
		lenient(func(in *Interp, args *Args) Value { return in.passFlags(first(args, 0, "argv")) }, m+"FLAGS")
		lenient(func(*Interp, *Args) Value { return noneValue }, m+"FLAGS.is_parsed", m+"FLAGS.mark_as_parsed", m+"FLAGS.append_flags_into_file", m+"FLAGS.get_help")
		lenient(func(in *Interp, args *Args) Value {
			names := first(args, 0, "flag_name", "flag_names")
			items := []Value{names}
			if _, one := names.X.(string); !one {
				items, _ = in.Iterate(names)
			}
			for _, v := range items {
				if name, ok := v.X.(string); ok && in.flag(name).X == (None{}) {
					in.setFlag(option{name: name})
				}
			}
			return noneValue
		}, m+"mark_flag_as_required", m+"mark_flags_as_required")
		lenient(func(in *Interp, args *Args) Value {
			if name, ok := first(args, 0, "name").X.(string); ok {
				in.setFlag(option{name: name, standard: first(args, 1, "value")})
			}
			return noneValue
		}, m+"FLAGS.set_default")
		lenient(func(in *Interp, _ *Args) Value {
			d := &Dict{Open: Because(CommandLine, "the flags that other modules define")}
			for flag, v := range in.kept(keptFlags).All() {
				d.put(Value{X: flag}, v)
			}
			return Value{X: d}
		}, m+"FLAGS.flag_values_dict")
	}
	lenient(runApp, "absl.app.run", "tensorflow.compat.v1.app.run", "tensorflow.app.run")
}

// passFlags sets the flags from a command line that the program itself passes.
func (in *Interp) passFlags(argv Value) Value {
	if line := in.commandLine(argv); line.fixed && in.Spend(in.kept(keptFlags).Len()) {
		for _, name := range in.kept(keptFlags).Names() {
			o := option{name: name, flags: []string{"--" + name, "-" + name, "--no" + name}, standard: in.flag(name)}
			v, _ := line.value(in, &o)
			in.set(in.kept(keptFlags), name, v)
		}
	}
	return noneValue
}

// runApp evaluates absl.app.run, which calls main with the command line.
func runApp(in *Interp, args *Args) Value {
	in.passFlags(first(args, 1, "argv"))
	main := first(args, 0, "main")
	if main.X == nil || main.X == (None{}) {
		main, _ = in.main.vars.Get("main")
	}
	made := &Args{Positional: []Value{in.Unknown(CommandLine, "the command line")}, Node: args.Node}
	if f, ok := main.X.(*Func); ok && len(f.Def.Params) == 0 {
		made.Positional = nil
	}
	return in.Call(main, made)
}
