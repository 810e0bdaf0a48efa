package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Names of package tensor under which this package uses them.

// A Shape is the dimensions of a tensor, the batch first. None stands for an unknown dimension.
type Shape = tensor.Shape

// None is a dimension that is not known before data comes: usually the batch.
const None = tensor.None

// A DType is the name of an element type, as Keras writes it.
type DType = tensor.DType

type (
	array   = arrays.Array
	base    = value.Base
	counted = objects.Counted
	fields  = objects.Fields
)
