package value

import "strings"

// BuiltinTypes are the builtins that are types.
var BuiltinTypes = map[string]bool{
	"int": true, "float": true, "str": true, "bool": true, "list": true, "tuple": true, "dict": true, "set": true, "frozenset": true,
	"object": true, "type": true, "bytes": true, "bytearray": true, "complex": true, "range": true, "slice": true, "property": true,
	"staticmethod": true, "classmethod": true, "super": true, "enumerate": true, "zip": true, "map": true, "filter": true, "reversed": true,
	"memoryview": true,
}

// otherBuiltins are builtins that are not modelled.
var otherBuiltins = map[string]bool{
	"input": true, "raw_input": true, "eval": true, "exec": true, "compile": true, "globals": true, "locals": true, "hash": true,
	"dir": true, "help": true, "xrange": true, "unicode": true, "long": true,
	"basestring": true, "delattr": true, "aiter": true, "anext": true, "ascii": true, "NotImplemented": true, "__debug__": true,
}

// builtin returns the builtin of that name; ok is false if there is none.
func (in *Interp) builtin(name string) (Value, bool) {
	if in.Library.Functions.Has(name) || BuiltinTypes[name] || otherBuiltins[name] || IsException(name) {
		return Value{X: External{"builtins." + name}}, true
	}
	return Value{}, false
}

// IsException reports whether a name is written like one of Python's exceptions.
func IsException(name string) bool {
	switch name {
	case "StopIteration", "KeyboardInterrupt", "SystemExit", "GeneratorExit", "BaseException", "Exception", "DeprecationWarning", "UserWarning", "FutureWarning", "RuntimeWarning", "Warning":
		return true
	}
	return strings.HasSuffix(name, "Error") && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, ".")
}

// A Member is a name in a library's namespace.
type Member struct{ Of, Name string }

// libraries are the packages whose names stand for modules, functions and classes
// unless they are known constants.
var libraries = map[string]bool{
	"tensorflow": true, "numpy": true, "builtins": true, "math": true, "os": true, "functools": true, "itertools": true,
	"collections": true, "operator": true, "random": true, "time": true, "typing": true, "keras_cv": true, "keras_nlp": true,
	"tensorflow_datasets": true, "tensorflow_hub": true, "tensorflow_addons": true,
}

// IsLibrary reports whether a name is of one of the libraries.
func IsLibrary(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return libraries[first]
}

// Undefined returns the value of a name that has no known definition.
func (in *Interp) Undefined(name string) Value {
	for _, runs := range []string{"exec", "run_cell_magic"} {
		if len(in.Frame.Info.Identifiers(runs)) > 0 {
			return in.Unknown(UnmodelledPython, "%s may be defined by what %s() runs, which is not followed", name, runs)
		}
	}
	return in.Unknown(UndefinedName, "%s is not defined in this program", name)
}
