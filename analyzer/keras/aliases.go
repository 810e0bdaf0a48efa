package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// The words of the packages that Keras stands on, as they are called here.

// A Shape is the dimensions of a tensor, the batch first. None stands for one
// that is not known.
type Shape = tensor.Shape

// None is a dimension that is not known before data comes: most often the batch.
const None = tensor.None

// A DType is the name of a type of elements, as Keras has it.
type DType = tensor.DType

type (
	array   = arrays.Array
	base    = objects.Base
	counted = objects.Counted
	fields  = objects.Fields
)

func broadcast(a, b Shape) (Shape, error) { return tensor.Broadcast(a, b) }

func arrayOf(v value.Value) (Shape, DType, bool) { return arrays.Of(v) }

func method(f func(in *value.Interp, args *value.Args) value.Value) (value.Value, bool) {
	return objects.Method(f)
}

func nothing(in *value.Interp, args *value.Args) value.Value { return objects.Nothing(in, args) }

func firstOf(args *value.Args) value.Value { return objects.First(args) }

func passed(args *value.Args, position int, names ...string) (value.Value, bool) {
	return objects.Passed(args, position, names...)
}

func sequence(v value.Value) ([]value.Value, bool) { return objects.Sequence(v) }
func whole(v value.Value) ([]int64, bool)          { return objects.Whole(v) }
func dims(v value.Value) (Shape, bool)             { return objects.Dims(v) }
func shapeValue(s Shape) value.Value               { return objects.ShapeValue(s) }

func because(v value.Value) string               { return objects.Because(v) }
func unlike(v value.Value, wanted string) string { return objects.Unlike(v, wanted) }
func unknownIn(v value.Value) string             { return objects.UnknownIn(v) }
