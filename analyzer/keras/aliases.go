package keras

import "github.com/tfmem/tfmem/analyzer/tensor"

// The words of the packages that Keras stands on, as they are called here.

// A Shape is the dimensions of a tensor, the batch first. None stands for one
// that is not known.
type Shape = tensor.Shape

// None is a dimension that is not known before data comes: most often the batch.
const None = tensor.None

// A DType is the name of a type of elements, as Keras has it.
type DType = tensor.DType

func broadcast(a, b Shape) (Shape, error) { return tensor.Broadcast(a, b) }
func dtypeOf(name string) (DType, bool)   { return tensor.DTypeOf(name) }
