package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An initializer returns an array of the shape that it is called with.
type initializer struct {
	opaque
	h *host
}

func (i *initializer) Call(_ *value.Interp, args *value.Args) value.Value {
	given, ok := args.Get(0, "shape")
	shape, known := objects.Dims(given)
	if !ok || !known {
		return i.h.unknownArray(given)
	}
	return i.h.newArray(shape, i.h.dtypeArgument(args, "float32"))
}
