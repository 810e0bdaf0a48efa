package models

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// validation returns how fit, with the given use of the model, runs it on its validation data: as
// evaluate does, on batches of their own size (keras/src/backend/tensorflow/trainer.py, fit). It
// returns nil if fit has no validation data.
func (v *ModelValue) validation(in *value.Interp, u *graph.ModelCall, args *value.Args) *graph.ModelCall {
	w := &graph.ModelCall{Method: "validate", Node: u.Node, Model: u.Model, Batch: value.Value{X: int64(32)}}
	for _, size := range []value.Value{given(args, 14, "validation_batch_size"), given(args, 2, "batch_size")} {
		if size.X != nil {
			w.Batch = size
			break
		}
	}
	data := given(args, 7, "validation_data")
	if data.X == nil {
		return v.split(w, u, args)
	}
	data = pipelines.InBatches(ops.AsArrays(data))
	if d, ok := data.X.(*pipelines.Dataset); ok {
		if w.Batch = d.Batch; !d.Batched {
			w.Batch = v.H.Unknown(value.BatchSize, "the dataset makes no batches")
		}
		if d.Elements != nil {
			w.Inputs = d.Elements[:min(len(d.Elements), max(len(u.Model.Inputs), 1))]
		}
		return w
	}
	if batch, ok := pipelines.FirstBatch(in, data); ok {
		v.takes(w, batch)
		return w
	}
	pair, ok := data.X.(value.Tuple)
	if list, isList := data.X.(*value.List); isList {
		pair, ok = list.Items, list.Open == nil
	}
	if !ok || len(pair) == 0 {
		w.Batch = v.H.Unknown(value.BatchSize, "the validation data may be batched already: %s", objects.Because(data))
		return w
	}
	for i, part := range structured(ops.AsArrays(pair[0])) {
		shape, d, known := numpy.Of(part)
		if i == 0 {
			w.Batch = graph.AtMost(w.Batch, rowsOf(part))
		}
		if !known || len(shape) == 0 {
			w.Inputs = nil
			break
		}
		w.Inputs = append(w.Inputs, graph.Input{Shape: shape[1:], DType: d})
	}
	return w
}

// split is validation on the last rows of the arrays that are trained on; nil if there are none.
func (v *ModelValue) split(w, u *graph.ModelCall, args *value.Args) *graph.ModelCall {
	part, ok := given(args, 6, "validation_split").X.(float64)
	if !ok || part <= 0 || part >= 1 {
		return nil
	}
	w.Inputs = u.Inputs
	if len(u.Arrays) > 0 && len(u.Arrays[0].Shape) > 0 {
		if rows := u.Arrays[0].Shape[0]; rows > 0 {
			w.Batch = graph.AtMost(w.Batch, rows-int64(float64(rows)*(1-part)))
		}
	}
	return w
}

// given returns an argument; the empty value if it is not passed, or None.
func given(args *value.Args, position int, name string) value.Value {
	v, _ := args.Get(position, name)
	if _, none := v.X.(value.None); none {
		return value.Value{}
	}
	return v
}
