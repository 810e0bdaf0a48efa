package value

import (
	"strings"
)

// An option is what a decorator of click passes to a function.
type option struct {
	name  string
	value Value
}

// click applies a decorator of click to a function; false where it is none.
func (in *Interp) click(decorator string, args *Args, v Value) bool {
	kind, ok := strings.CutPrefix(decorator, "click.")
	if !ok {
		return false
	}
	f, ok := v.X.(*Func)
	if !ok {
		return true
	}
	switch kind {
	case "option", "argument":
		name := optionName(args)
		value, given := args.Keywords.Get("default")
		flag, isFlag := args.Keywords.Get("is_flag")
		switch {
		case given && value.Known():
			value.Overridable = true
			if kind, ok := args.Keywords.Get("type"); ok {
				value = in.typed(value, kind)
			}
		case isFlag && flag.X == true, isPair(args):
			value = Value{X: false, Overridable: true}
		case kind == "option" && args.Keywords.Value("required").X != true:
			value = Value{X: None{}, Overridable: true}
		default:
			value = in.Unknown("the argument %s of the command line", name)
		}
		f.options = append(f.options, option{name, value})
	case "command", "group", "version_option", "help_option":
		if f.options == nil {
			f.options = []option{}
		}
	case "pass_context", "pass_obj":
		f.options = append(f.options, option{"", in.Unknown("the context of the command line")})
	}
	return true
}

// isPair reports whether an option is a pair of switches:
// --shout/--no-shout.
func isPair(args *Args) bool {
	for _, v := range args.Positional {
		if s, ok := v.X.(string); ok && strings.HasPrefix(s, "-") && strings.Contains(s, "/") {
			return true
		}
	}
	return false
}

// typer are what stands for the default of a parameter that the command line sets.
func (in *Interp) typer(args *Args) Value {
	v, ok := args.Get(0, "default")
	if _, required := v.X.(Ellipsis); required || !ok {
		return in.Unknown("an argument of the command line")
	}
	v.Overridable = true
	return v
}

// withOptions adds what the command line passes to a call without arguments.
func (f *Func) withOptions(args *Args) *Args {
	made := &Args{Node: args.Node, Open: args.Open}
	for _, o := range f.options {
		if o.name == "" {
			made.Positional = append(made.Positional, o.value)
		} else {
			made.Keywords.Put(o.name, o.value)
		}
	}
	for name, v := range args.Keywords.All() {
		if name != "standalone_mode" {
			made.Keywords.Put(name, v)
		}
	}
	return made
}

// optionName is the name of the value that an option of a command line sets:
// the one without dashes, else that of the longest.
func optionName(args *Args) string {
	name := ""
	for _, v := range args.Positional {
		s, ok := v.X.(string)
		if !ok {
			continue
		}
		if !strings.HasPrefix(s, "-") {
			return strings.ReplaceAll(strings.ToLower(s), "-", "_")
		}
		s, _, _ = strings.Cut(s, "/")
		if name == "" || strings.HasPrefix(s, "--") && !strings.HasPrefix(name, "--") {
			name = s
		}
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(name, "-")), "-", "_")
}
