package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Compiler is the decorator, a call or a bare name, through which tf.function
// compiles a function, or none.
func (f *Function) Compiler() syntax.Node {
	for _, d := range f.Decorators {
		callee := d
		if d.Kind() == syntax.Call {
			callee = d.Child(syntax.FieldFunction)
		}
		q := f.Info.Qualified(callee)
		if q == "functools.partial" {
			q = f.Info.Qualified(Argument(d, 0, "func"))
		}
		if q == "tensorflow.function" {
			return d
		}
	}
	return syntax.Node{}
}

// CompiledBy tells how a function's decorators change the way it runs: through
// tf.function, or through something that is not known.
func (f *Function) CompiledBy() (compiled, unknown bool) {
	for _, d := range f.Decorators {
		callee := d
		if d.Kind() == syntax.Call {
			callee = d.Child(syntax.FieldFunction)
		}
		switch q := f.Info.Qualified(callee); q {
		case "tensorflow.function":
			compiled = true
		case "functools.partial":
			if f.Info.Qualified(Argument(d, 0, "func")) == "tensorflow.function" {
				compiled = true
			} else {
				unknown = true
			}
		case "functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "contextlib.contextmanager",
			"typing.override", "typing.overload", "typeguard.typechecked",
			"tensorflow.keras.utils.register_keras_serializable", "tensorflow.keras.saving.register_keras_serializable", "tensorflow.autograph.experimental.do_not_convert", "tensorflow.Module.with_name_scope":
		default:
			switch callee.Text() {
			case "staticmethod", "classmethod", "property":
			default:
				unknown = true
			}
		}
	}
	return compiled, unknown
}
