package layers

import (
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An inputSpec is a layer's requirement on its inputs (keras/src/layers/input_spec.py).
type inputSpec struct {
	state.Opaque
	attributes map[string]value.Value
}

// InputSpec is keras.InputSpec. It counts the dimensions of a given shape.
func InputSpec(h *state.Host, args *value.Args) value.Value {
	s := &inputSpec{state.Opaque{Base: "an InputSpec"}, map[string]value.Value{}}
	for i, name := range []string{"dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes"} {
		v, ok := args.Get(i, name)
		if !ok {
			v = value.Value{X: value.None{}}
		}
		s.attributes[name] = v
	}
	if shape, ok := objects.Whole(s.attributes["shape"]); ok {
		s.attributes["shape"] = objects.ShapeValue(shape)
		s.attributes["ndim"] = value.Value{X: int64(len(shape))}
	}
	return value.Value{X: s}
}

func (s *inputSpec) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	v, ok := s.attributes[name]
	return v, ok
}
