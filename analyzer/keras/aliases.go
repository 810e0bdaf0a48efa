package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
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
