package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// function answers for operations on symbolic tensors, and for objects of which
// only what they are matters.
func (h *host) function(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	first, _ := args.Get(0, "x")
	if _, ok := first.X.(*symbolicValue); ok {
		if act := activationOf(name); act != "" {
			return h.applyNew("Activation", activationSpec(act), first), true
		}
		return h.unknown("the operation %s on a tensor of a model is not followed", name), true
	}
	if items, ok := sequence(first); ok && len(items) > 0 {
		if _, symbolic := items[0].X.(*symbolicValue); symbolic {
			switch name {
			case "tensorflow.concat", "tensorflow.keras.ops.concatenate", "tensorflow.keras.backend.concatenate":
				r := &reader{args: args}
				return h.applyNew("Concatenate", concatenate(int(r.number(1, "axis", -1))), first), true
			}
			return h.unknown("the operation %s on tensors of a model is not followed", name), true
		}
	}
	for _, family := range []string{"losses", "metrics", "callbacks", "initializers", "regularizers", "constraints"} {
		if strings.HasPrefix(name, "tensorflow.keras."+family+".") {
			return value.Value{X: opaque{base{"one of keras." + family}}}, true
		}
	}
	return value.Value{}, false
}

func (h *host) applyNew(class string, s spec, inputs value.Value) value.Value {
	l := &Layer{Class: class, Name: h.uniqueName(class), Trainable: true, DType: h.computes(), spec: s}
	return h.apply(l, inputs)
}
