package value

import (
	"strings"
)

// flagModules are the modules that define and hold absl's flags, now and in the
// days of TensorFlow 1.
var flagModules = []string{
	"absl.flags.", "tensorflow.compat.v1.flags.", "tensorflow.compat.v1.app.flags.", "tensorflow.app.flags.", "tensorflow.flags.",
	"tensorflow.python.platform.flags.", "tensorflow.python.platform.tf_flags.", "gflags.",
}

func flagMember(name string) (string, bool) {
	for _, m := range flagModules {
		if rest, ok := strings.CutPrefix(name, m); ok {
			return rest, true
		}
	}
	return "", false
}

// flagName is the flag that a name such as absl.flags.FLAGS.batch_size stands
// for.
func flagName(name string) (flag string, ok bool) {
	rest, ok := flagMember(name)
	if !ok {
		return "", false
	}
	flag, ok = strings.CutPrefix(rest, "FLAGS.")
	switch flag {
	case "flag_values_dict", "append_flags_into_file", "is_parsed", "mark_as_parsed", "get_help":
		return "", false
	}
	return flag, ok && !strings.Contains(flag, ".")
}

// flag is the value of a flag: its default, which the command line can change.
func (in *Interp) flag(name string) Value {
	if v, ok := in.flags.Get(name); ok {
		return v
	}
	return in.Unknown("the flag %s, which is not defined here", name)
}

// flagFunction is a function of a module of flags.
func flagFunction(name string) (func(in *Interp, args *Args) Value, bool) {
	member, ok := flagMember(name)
	if !ok {
		return nil, false
	}
	if kind, ok := strings.CutPrefix(member, "DEFINE_"); ok {
		return func(in *Interp, args *Args) Value { return in.defineFlag(kind, args) }, true
	}
	switch member {
	case "mark_flag_as_required":
		return func(in *Interp, args *Args) Value {
			if flag, ok := positional(args, 0).X.(string); ok {
				in.set(in.flags, flag, in.Unknown("the flag %s, which must be given", flag))
			}
			return noneValue
		}, true
	case "FLAGS.flag_values_dict":
		return func(in *Interp, _ *Args) Value {
			d := &Dict{Open: "the flags that other modules define"}
			for flag, v := range in.flags.All() {
				d.put(Value{X: flag}, v)
			}
			return Value{X: d}
		}, true
	case "FLAGS", "FLAGS.is_parsed", "FLAGS.mark_as_parsed":
		return func(*Interp, *Args) Value { return noneValue }, true
	}
	return nil, false
}

func (in *Interp) defineFlag(kind string, args *Args) Value {
	nameArg, _ := first(args, 0, "name", "flag_name")
	name, ok := nameArg.X.(string)
	if !ok {
		return in.Unknown("a flag with a name that is not known")
	}
	v, given := first(args, 1, "default", "default_value")
	if kind == "alias" {
		return noneValue
	}
	if required, ok := args.Keywords.Get("required"); !given || ok && required.X == true {
		v = in.Unknown("the flag %s, which must be given", name)
	}
	v = in.parsedFlag(kind, v)
	if v.Known() {
		v.Overridable = true
	}
	in.set(in.flags, name, v)
	return Value{X: &flagHolder{name: name}}
}

// first is an argument that goes by several names.
func first(args *Args, position int, names ...string) (Value, bool) {
	for _, name := range names {
		if v, ok := args.Keywords.Get(name); ok {
			return v, true
		}
	}
	return args.Get(position, names[0])
}

// parsedFlag is a default as absl parses it.
func (in *Interp) parsedFlag(kind string, v Value) Value {
	if _, none := v.X.(None); none || !v.Known() {
		return v
	}
	switch kind {
	case "integer":
		return toInt(in, &Args{Positional: []Value{v}})
	case "float":
		return toFloat(in, &Args{Positional: []Value{v}})
	case "bool", "boolean":
		switch x := v.X.(type) {
		case bool:
		case string:
			switch strings.ToLower(x) {
			case "true", "t", "1":
				v.X = true
			case "false", "f", "0":
				v.X = false
			}
		case int64:
			v.X = x != 0
		}
	case "list", "spaceseplist":
		if s, ok := v.X.(string); ok {
			parts := strings.Fields(s)
			if kind == "list" {
				parts = strings.Split(s, ",")
			}
			l := &List{}
			for _, p := range parts {
				if p = strings.TrimSpace(p); p != "" || len(parts) > 1 {
					l.Items = append(l.Items, Value{X: p})
				}
			}
			v.X = l
		}
	case "multi_string", "multi_integer", "multi_float", "multi_enum", "multi":
		if _, ok := v.X.(*List); !ok {
			v = Value{X: &List{Items: []Value{v}}}
		}
	}
	return v
}

// A flagHolder is what DEFINE_integer and its like return.
type flagHolder struct {
	opaque
	name string
}

func (h *flagHolder) Attr(in *Interp, name string) (Value, bool) {
	switch name {
	case "value", "default":
		return in.flag(h.name), true
	case "name":
		return Value{X: h.name}, true
	}
	return Value{}, false
}

func (h *flagHolder) SetAttr(in *Interp, name string, v Value) bool {
	if name == "value" {
		in.set(in.flags, h.name, v)
	}
	return name == "value"
}

func addFlags() {
	addParsers()
	for _, name := range []string{"absl.app.run", "tensorflow.compat.v1.app.run", "tensorflow.app.run"} {
		natives[name] = native{takesUnknown: true, run: runApp}
	}
	for _, name := range []string{"typer.Option", "typer.Argument"} {
		natives[name] = native{takesUnknown: true, run: (*Interp).typer}
	}
	for _, name := range []string{"fire.Fire", "typer.run", "fire.Fire.__call__", "plac.call"} {
		natives[name] = native{takesUnknown: true, run: func(in *Interp, args *Args) Value {
			return in.callFromCommandLine(positional(args, 0))
		}}
	}
}

// runApp is absl.app.run: main is called with the command line.
func runApp(in *Interp, args *Args) Value {
	main, ok := args.Get(0, "main")
	if !ok || main.X == (None{}) {
		if main, ok = in.main.vars.Get("main"); !ok {
			return noneValue
		}
	}
	made := &Args{Positional: []Value{in.Unknown("the command line")}, Node: args.Node}
	if f, ok := main.X.(*Func); ok && len(f.Def.Params) == 0 {
		made.Positional = nil
	}
	return in.Call(main, made)
}

// callFromCommandLine calls a function whose parameters the command line can
// set.
func (in *Interp) callFromCommandLine(v Value) Value {
	f, ok := v.X.(*Func)
	if !ok {
		return in.Unknown("a command line for %s", in.describe(v))
	}
	args := &Args{Node: f.Def.Node}
	in.assume(f, 0, args)
	return in.Call(v, args)
}
