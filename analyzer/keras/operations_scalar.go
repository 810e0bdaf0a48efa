package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

func init() {
	define(scalar, "size", "rank", "ndim")
}

// scalar is tf.size and tf.rank.
func scalar(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	s, why := h.operand(objects.First(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	if name != "size" {
		return value.Value{X: int64(len(s.Shape))}
	}
	n := value.Value{X: int64(1)}
	for _, d := range shapeOf(s) {
		n = in.Binary("*", n, d)
	}
	return n
}
