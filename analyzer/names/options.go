package names

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// OptionDefault returns the expression of the default of a command-line option that argparse,
// absl or TensorFlow 1's flags store as the attribute of that name. It returns no node if the program
// defines no such option, or gives it no default.
func (in *Info) OptionDefault(attribute string) syntax.Node {
	for _, module := range in.Program() {
		if preset, defined := module.optionDefaults()[attribute]; defined {
			return preset
		}
	}
	return syntax.Node{}
}

// optionDefaults returns the defaults of the options that the module defines, by attribute: those of the
// first definition of each. To look for each attribute in all calls of a program was half of the check
// of a library of 574 files.
func (in *Info) optionDefaults() map[string]syntax.Node {
	if in.options != nil {
		return in.options
	}
	options := map[string]syntax.Node{}
	add := func(attribute string, preset syntax.Node) {
		if _, defined := options[attribute]; !defined {
			options[attribute] = preset
		}
	}
	for _, call := range in.MethodCalls(func(name string) bool { return name == "add_argument" || strings.HasPrefix(name, "DEFINE_") }) {
		if name, ok := StringValue(Argument(call, 0, "name")); ok { // DEFINE_string("gpu", "0", "help")
			add(name, Argument(call, 1, "default"))
		}
		add(OptionName(call), Argument(call, -1, "default"))
	}
	in.options = options
	return options
}

// OptionName returns the attribute that add_argument stores an option as (argparse,
// _get_optional_kwargs): its dest, else its first long flag, else its first flag.
func OptionName(call syntax.Node) string {
	if dest, ok := StringValue(Argument(call, -1, "dest")); ok {
		return dest
	}
	first := ""
	for flag := range call.Child(syntax.FieldArguments).Children() {
		name, ok := StringValue(flag)
		if !ok {
			continue
		}
		if first == "" {
			first = name
		}
		if strings.HasPrefix(name, "--") {
			first = name
			break
		}
	}
	return strings.ReplaceAll(strings.TrimLeft(first, "-"), "-", "_")
}

// WithoutStr returns the argument of str(…) or repr(…), or the expression itself.
func WithoutStr(n syntax.Node) syntax.Node {
	if f := n.Child(syntax.FieldFunction).Text(); n.Kind() == syntax.Call && (f == "str" || f == "repr") {
		return Argument(n, 0, "object")
	}
	return n
}
