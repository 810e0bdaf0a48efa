package names

import "github.com/tfmem/tfmem/analyzer/syntax"

// Compiler returns the decorator, a call or a bare name, that compiles the function with
// tf.function, or none.
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

// CompiledBy reports whether the decorators compile the function with tf.function, and whether an
// unknown decorator may change how it runs.
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
