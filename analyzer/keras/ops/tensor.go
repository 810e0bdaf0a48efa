package ops

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// SymbolicValue is a symbolic tensor.
type SymbolicValue struct {
	value.Base
	H *state.Host
	S *graph.Symbolic
}

// Is compares the identity of tensors: each operation returns another one.
func (v *SymbolicValue) Is(other value.Value) (same, known bool) {
	o, ok := other.X.(*SymbolicValue)
	return ok && v.S == o.S, ok
}

// OfRun says that a run computes the numbers of a tensor.
func (v *SymbolicValue) OfRun() (tensor.Shape, bool) { return v.S.Shape, true }

func (v *SymbolicValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		if v.H.Steps.Running() != nil { // it runs on data: all sizes are numbers
			return staticShape(v.S), true
		}
		return objects.ShapeValue(v.S.Shape), true
	case "numpy":
		if v.H.Steps.Running() != nil {
			return objects.Method(func(*value.Interp, *value.Args) value.Value {
				return value.Value{X: &copied{"the value of a tensor", v}}
			})
		}
	case "dtype":
		return value.Value{X: string(v.S.DType)}, true
	case "name":
		if v.S.From == nil && v.S.Name != "" {
			return value.Value{X: v.S.Name}, true // keras/src/layers/core/input_layer.py
		}
		if v.S.Called == "" {
			v.S.Called = v.H.Names.Tensor()
		}
		return value.Value{X: v.S.Called}, true
	case "ndim":
		return value.Value{X: int64(len(v.S.Shape))}, true
	case "_keras_history":
		if n := v.S.From; n != nil {
			if !n.IsOperation() {
				return value.Value{X: &history{"the history of a tensor", v.H.Objects.LayerOf(n)}}, true
			}
		} else if v.S.Name != "" {
			return value.Value{X: &history{"the history of a tensor", v.H.Objects.InputLayer(v.S)}}, true
		}
	case "set_shape":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "shape")
			if said, ok := objects.Dims(to); ok {
				if shape, err := v.S.Shape.Merged(said); err == nil {
					v.S.Shape = shape
				}
			}
			return value.Value{X: value.None{}}
		})
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(v.S.Shape) })
	}
	return value.Value{}, false
}

func (v *SymbolicValue) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return binaryOperator(v.H, in, op, value.Value{X: v}, other, reflected)
}

func (v *SymbolicValue) GetItem(_ *value.Interp, index value.Value) value.Value {
	return item(v.H, v.S, index)
}

// Iter returns the slices along the first dimension, if that is known.
func (v *SymbolicValue) Iter(*value.Interp) ([]value.Value, bool) {
	if len(v.S.Shape) == 0 || v.S.Shape[0] < 0 || v.S.Shape[0] > MaxParts {
		return nil, false
	}
	items := make([]value.Value, v.S.Shape[0])
	for i := range items {
		items[i] = item(v.H, v.S, value.Value{X: int64(i)})
	}
	return items, true
}

func (v *SymbolicValue) Len(*value.Interp) value.Value {
	if len(v.S.Shape) > 0 && v.H.Steps.Running() != nil {
		return staticShape(v.S).X.(value.Tuple)[0]
	}
	if len(v.S.Shape) == 0 || v.S.Shape[0] < 0 {
		return v.H.Unknown(value.ArrayShape, "the length of a tensor of the shape %s", v.S.Shape)
	}
	return value.Value{X: v.S.Shape[0]}
}

// InstanceOf recognises tensors.
func (v *SymbolicValue) InstanceOf(class string) (truth, known bool) {
	switch class {
	case "tensorflow.Tensor", "tensorflow.keras.KerasTensor":
		return true, true
	case "tensorflow.IndexedSlices":
		// Only the gradient of a table is one.
		return false, v.S.From == nil || v.S.From.Asks == nil || !v.S.From.Asks.LooksUp()
	}
	return false, !strings.HasPrefix(class, "tensorflow.")
}

// history is _keras_history: the layer that created a tensor.
type history struct {
	value.Base
	factory value.Value
}

func (t *history) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "operation", "layer":
		return t.factory, true
	}
	return t.Base.GetAttr(in, name)
}

func (t *history) GetItem(_ *value.Interp, index value.Value) value.Value {
	if index.X == int64(0) {
		return t.factory
	}
	return t.Unknown("an item of ")
}

// copied is what the numpy method of a tensor returns while a step runs: an array of which the
// shape is known, as far as it is that of the tensor.
type copied struct {
	value.Base
	of *SymbolicValue
}

func (c *copied) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape", "ndim", "dtype":
		return c.of.GetAttr(in, name)
	}
	return c.Base.GetAttr(in, name)
}
