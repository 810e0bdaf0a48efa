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
		for _, call := range module.MethodCalls(func(name string) bool { return name == "add_argument" || strings.HasPrefix(name, "DEFINE_") }) {
			if defined, _ := StringValue(Argument(call, 0, "name")); defined == attribute { // DEFINE_string("gpu", "0", "help")
				return Argument(call, 1, "default")
			}
			if optionName(call) == attribute {
				return Argument(call, -1, "default")
			}
		}
	}
	return syntax.Node{}
}

// optionName returns the attribute that add_argument stores an option as (argparse,
// _get_optional_kwargs): its dest, else its first long flag, else its first flag.
func optionName(call syntax.Node) string {
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
