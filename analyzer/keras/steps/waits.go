package steps

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A barrier is what tf.control_dependencies returns: within it, the operations of a graph wait for
// tensors that they do not read.
type barrier struct {
	state.Opaque
	h       *state.Host
	tensors []*graph.Symbolic
	end     func()
}

// ControlDependencies is tf.control_dependencies. What is no tensor, such as an assignment, is not
// waited for.
func ControlDependencies(h *state.Host, args *value.Args) value.Value {
	b := &barrier{Opaque: state.Opaque{Base: "control dependencies"}, h: h}
	given, _ := args.Get(0, "control_inputs")
	items, _ := objects.Sequence(given)
	for _, v := range items {
		if x, ok := v.X.(*ops.SymbolicValue); ok {
			b.tensors = append(b.tensors, x.S)
		}
	}
	return value.Value{X: b}
}

// Enter is the beginning of with tf.control_dependencies(...).
func (b *barrier) Enter(*value.Interp) value.Value {
	b.end = b.h.Steps.Wait(b.tensors)
	return value.Value{X: value.None{}}
}

// Exit is the end of it.
func (b *barrier) Exit(*value.Interp) {
	if b.end != nil {
		b.end()
	}
}
