package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// symbolicValue is a symbolic tensor.
type symbolicValue struct {
	base
	h *host
	s *Symbolic
}

// Is compares the identity of tensors: each operation returns another one.
func (v *symbolicValue) Is(other value.Value) (same, known bool) {
	o, ok := other.X.(*symbolicValue)
	return ok && v.s == o.s, ok
}

func (v *symbolicValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		if r := v.h.recorder; r != nil && (v.h.tracing == 0 || !r.compiled) { // it runs on data: all sizes are numbers
			return value.Value{X: value.Tuple(shapeOf(v.s))}, true
		}
		return objects.ShapeValue(v.s.Shape), true
	case "numpy":
		if v.h.recorder != nil {
			return objects.Method(func(*value.Interp, *value.Args) value.Value {
				return v.h.unknown(value.ArrayContents, "the value of a tensor")
			})
		}
	case "dtype":
		return value.Value{X: string(v.s.DType)}, true
	case "name":
		if v.s.from == nil && v.s.name != "" {
			return value.Value{X: v.s.name}, true // keras/src/layers/core/input_layer.py
		}
		if v.s.called == "" {
			v.s.called = fmt.Sprint("keras_tensor_", v.h.names["keras_tensor"])
			v.h.names["keras_tensor"]++
		}
		return value.Value{X: v.s.called}, true
	case "ndim":
		return value.Value{X: int64(len(v.s.Shape))}, true
	case "_keras_history":
		if n := v.s.from; n != nil {
			if !n.operates() {
				return value.Value{X: &history{"the history of a tensor", v.h.objects.layerOf(n)}}, true
			}
		} else if v.s.name != "" {
			return value.Value{X: &history{"the history of a tensor", v.h.objects.inputLayer(v.s)}}, true
		}
	case "set_shape":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "shape")
			if shape, ok := objects.Whole(to); ok && len(shape) == len(v.s.Shape) {
				for i, n := range shape {
					if n >= 0 && v.s.Shape[i] < 0 {
						v.s.Shape = v.s.Shape.With(i, n)
					}
				}
			}
			return value.Value{X: value.None{}}
		})
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(v.s.Shape) })
	}
	return value.Value{}, false
}

func (v *symbolicValue) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return v.h.binaryOperator(in, op, value.Value{X: v}, other, reflected)
}

func (v *symbolicValue) GetItem(_ *value.Interp, index value.Value) value.Value {
	return v.h.item(v.s, index)
}

// Iter returns the slices along the first dimension, if that is known.
func (v *symbolicValue) Iter(*value.Interp) ([]value.Value, bool) {
	if len(v.s.Shape) == 0 || v.s.Shape[0] < 0 || v.s.Shape[0] > maxParts {
		return nil, false
	}
	items := make([]value.Value, v.s.Shape[0])
	for i := range items {
		items[i] = v.h.item(v.s, value.Value{X: int64(i)})
	}
	return items, true
}

func (v *symbolicValue) Len(*value.Interp) value.Value {
	if len(v.s.Shape) == 0 || v.s.Shape[0] < 0 {
		return v.h.unknown(value.ArrayShape, "the length of a tensor of the shape %s", v.s.Shape)
	}
	return value.Value{X: v.s.Shape[0]}
}

// InstanceOf recognises tensors.
func (v *symbolicValue) InstanceOf(class string) (truth, known bool) {
	switch class {
	case "tensorflow.Tensor", "tensorflow.keras.KerasTensor":
		return true, true
	}
	return false, !strings.HasPrefix(class, "tensorflow.")
}

// history is _keras_history: the layer that created a tensor.
type history struct {
	base
	factory value.Value
}

func (t *history) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "operation", "layer":
		return t.factory, true
	}
	return t.base.GetAttr(in, name)
}

func (t *history) GetItem(_ *value.Interp, index value.Value) value.Value {
	if index.X == int64(0) {
		return t.factory
	}
	return t.Unknown("an item of ")
}
