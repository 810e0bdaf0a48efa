package flow

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// KerasBackend is the environment variable that sets the backend of Keras 3.
const KerasBackend = "KERAS_BACKEND"

// TensorFlow is the default backend of Keras.
const TensorFlow = "tensorflow"

// Backend returns the backend that the program surely chooses for Keras 3, and where: the last
// one that it sets in the environment or passes to keras.config.set_backend. The name is "" if it
// is only known at run time. at is none if the program chooses no backend, or may keep its
// current one.
func (p *Program) Backend(info *names.Info) (name string, at syntax.Node) {
	for i := range p.Module.Events {
		e := &p.Module.Events[i]
		if e.Key != KerasBackend || e.when != nil {
			continue
		}
		name, at = e.Value, e.Node
		if !e.Known {
			name = defaultBackend(info, e.Given)
		}
	}
	for _, call := range info.CallsTo(func(name string) bool { return name == "tensorflow.keras.config.set_backend" }) {
		if call.Ancestor(syntax.IfStatement, syntax.TryStatement, syntax.FunctionDefinition).Valid() {
			continue
		}
		given := names.Argument(call, 0, "backend")
		var known bool
		if name, known = names.StringValue(given); !known {
			name = defaultBackend(info, given)
		}
		at = call
	}
	return name, at
}

// defaultBackend returns TensorFlow if an expression yields it by default: it names it, as in
// sys.argv[1] if … else "tensorflow", or is an option with that default.
func defaultBackend(info *names.Info, given syntax.Node) string {
	if !given.Valid() {
		return ""
	}
	made, found := given, false
	if given.Kind() == syntax.Identifier {
		if made = info.DefiningExpr(given); !made.Valid() {
			return ""
		}
	}
	made.Walk(func(n syntax.Node) bool {
		text, ok := names.StringValue(n)
		found = found || ok && text == TensorFlow
		return !found
	})
	if made.Kind() == syntax.Attribute { // an attribute of argparse's result
		preset, _ := names.StringValue(info.OptionDefault(made.Child(syntax.FieldAttribute).Text()))
		found = found || preset == TensorFlow
	}
	if found {
		return TensorFlow
	}
	return ""
}

// ComputesWith returns the backend, "torch" or "jax", whose differentiation or layers a module
// uses beside Keras. It returns "" if the module only imports it, or imports TensorFlow as well.
func ComputesWith(info *names.Info) string {
	imported := info.Imported()
	if imported["tensorflow"] || !imported["torch"] && !imported["jax"] {
		return ""
	}
	own := info.CallsTo(func(name string) bool {
		for _, prefix := range []string{"torch.nn.", "torch.optim.", "torch.autograd.", "torch.no_grad", "jax.grad", "jax.value_and_grad", "jax.jit", "jax.pmap"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return false
	})
	if len(own) > 0 {
		library, _, _ := strings.Cut(info.Callee(own[0]), ".")
		return library
	}
	for _, call := range info.Calls {
		switch call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
		case "backward":
			if imported["torch"] {
				return "torch"
			}
		case "stateless_call", "stateless_apply":
			if imported["jax"] {
				return "jax"
			}
		}
	}
	return ""
}
