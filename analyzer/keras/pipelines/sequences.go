package pipelines

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Data may come from an object of the program that is asked for one batch after the other: a
// keras.utils.Sequence, or PyDataset as Keras 3 calls it; or from a generator.

// FirstBatch returns the first batch of such an object.
func FirstBatch(in *value.Interp, data value.Value) (value.Value, bool) {
	if first, ok := interp.First(in, data); ok {
		return first, true
	}
	o, ok := data.X.(*value.Instance)
	if !ok || !o.Class.Inherits("tensorflow.keras.utils.Sequence") && !o.Class.Inherits("tensorflow.keras.utils.PyDataset") {
		return value.Value{}, false
	}
	return interp.CallMethod(in, o, "__getitem__", &value.Args{Positional: []value.Value{{X: int64(0)}}}), true
}
