package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Data may come from an object of the program that is asked for one batch after the other: a
// keras.utils.Sequence, or PyDataset as Keras 3 calls it; or from a generator.

// firstBatch returns the first batch of such an object.
func firstBatch(in *value.Interp, data value.Value) (value.Value, bool) {
	if first, ok := in.First(data); ok {
		return first, true
	}
	o, ok := data.X.(*value.Instance)
	if !ok || !o.Class.Inherits("tensorflow.keras.utils.Sequence") && !o.Class.Inherits("tensorflow.keras.utils.PyDataset") {
		return value.Value{}, false
	}
	return in.CallMethod(o, "__getitem__", &value.Args{Positional: []value.Value{{X: int64(0)}}}), true
}

// useBatch records that a model is trained on, or run with, batches like the given one.
func (v *modelValue) useBatch(in *value.Interp, u *ModelCall, batch value.Value) value.Value {
	features, targets := batch, value.Value{}
	if parts, ok := batch.X.(value.Tuple); ok && len(parts) > 1 {
		features, targets = parts[0], parts[1]
	}
	u.Batch = v.h.unknown(value.BatchSize, "the size of the batches is not known: %s", objects.Because(batch))
	for i, part := range flat(features) {
		shape, d, ok := arrays.Of(part)
		if !ok || len(shape) == 0 {
			u.Inputs = nil
			break
		}
		if i == 0 {
			u.Batch = value.Value{X: shape[0]}
			if a, ok := part.X.(*array); ok {
				u.Batch.Lit = a.Rows
			}
			if shape[0] < 0 {
				u.Batch = v.h.unknown(value.BatchSize, "the size of the batches is not known")
			}
		}
		u.Inputs = append(u.Inputs, Input{shape[1:], d})
	}
	v.feed(in, u, features, targets)
	return v.h.unknown(value.UnmodelledUse, "the result of %s is not followed", u.Method)
}
