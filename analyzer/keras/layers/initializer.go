package layers

import (
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

func NewInitializer(c *state.Call) value.Value {
	return value.Value{X: &initializer{state.Opaque{Base: "an initializer"}, c.H}}
}

// An initializer returns an array of the shape that it is called with.
type initializer struct {
	state.Opaque
	h *state.Host
}

func (i *initializer) Call(_ *value.Interp, args *value.Args) value.Value {
	given, ok := args.Get(0, "shape")
	shape, known := objects.Dims(given)
	if !ok || !known {
		return i.h.UnknownArray(given)
	}
	return i.h.NewArray(shape, i.h.DTypeArgument(args, "float32"))
}
