package releases

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// KerasBackend is the environment variable that sets the backend of Keras 3.
const KerasBackend = "KERAS_BACKEND"

// TensorFlow is the default backend of Keras.
const TensorFlow = "tensorflow"

// A Backend is what Keras 3 computes with.
type Backend struct {
	Name string // "tensorflow", "jax", …; "" if it is only known at run time
	// Why says what chooses it, as a clause.
	Why string
}

// Backend returns the backend of the program's Keras (keras/src/backend/config.py): the one that the
// program or a module that it imports sets, else the one of its project, else that of the declared
// environment, else TensorFlow.
func (r *Releases) Backend() Backend {
	type key struct{}
	return once(r, key{}, r.backend)
}

func (r *Releases) backend() Backend {
	info := r.program.Names
	if r.LibraryOf(info, false).Keras2() {
		return Backend{TensorFlow, "Keras 2 has no other"}
	}
	if info.Mentions(KerasBackend, "set_backend") {
		if name, at := r.setsBackend(); at.Valid() {
			return Backend{name, r.program.Place(at) + " says so"}
		}
	}
	if b := r.program.Backend; b.Name != "" {
		return b
	}
	if b := r.program.Environment; b.Name != "" {
		return b
	}
	if name := computesWith(info); name != "" {
		return Backend{name, "the program differentiates with it"}
	}
	return Backend{TensorFlow, "nothing names another"}
}

// setsBackend returns the backend that the program surely chooses for Keras 3, and where: the last
// one that it sets in the environment or passes to keras.config.set_backend. The name is "" if it
// is only known at run time. at is none if the program chooses no backend, or may keep its
// current one.
func (r *Releases) setsBackend() (name string, at syntax.Node) {
	info, events := r.program.Names, r.program.Flow().Module.Events
	for i := range events {
		e := &events[i]
		if e.Key != KerasBackend || !e.Unconditional() {
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

// computesWith returns the backend, "torch" or "jax", whose differentiation or layers a module
// uses beside Keras. It returns "" if the module only imports it, or imports TensorFlow as well.
func computesWith(info *names.Info) string {
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
