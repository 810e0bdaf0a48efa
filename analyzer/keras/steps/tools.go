package steps

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// StepFunctions are those that training steps call.
var StepFunctions = []ops.FunctionRow{
	{F: l2Loss, Names: "l2_loss"},
	{F: eye, Names: "eye"},
}

// l2Loss is tf.nn.l2_loss.
func l2Loss(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if t, ok := args.Keywords.Get("t"); ok {
		args = &value.Args{Positional: []value.Value{t}, Node: args.Node}
	}
	return ops.OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{graph.L2Loss(g, x)}, nil
	})
}

// eye is the identity matrix.
func eye(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	rows, _ := objects.Passed(args, 0, "num_rows", "N", "n")
	columns, given := objects.Passed(args, 1, "num_columns", "M", "m")
	if _, none := columns.X.(value.None); none || !given {
		columns = rows
	}
	batch, given := objects.Passed(args, 2, "batch_shape")
	if _, none := batch.X.(value.None); none || !given {
		batch = value.Value{X: value.Tuple{}}
	}
	d := numpy.DTypeArgument(&value.Args{Keywords: args.Keywords}, "float32")
	return ops.Operate(h, "Const", nil, []value.Value{rows, columns, batch}, func(g *graph.Graph, _ []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		several, ok := objects.Sequence(resolve(batch))
		if !ok {
			return nil, value.Because(value.ArrayShape, "the number of unit matrices is not known: %s", objects.Because(batch))
		}
		shape, err := ops.ShapeArgument(value.Value{X: append(value.Tuple(slices.Clone(several)), resolve(rows), resolve(columns))})
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpConst, nil, shape, d)}, nil
	})
}

// StructureTable are functions on nested structures, and functions that need no tensor: on the
// losses of a model without regularizers.
var StructureTable = state.Table{
	"tensorflow.add_n": addN, "tensorflow.math.add_n": addN,
	"tensorflow.reduce_sum": reduceSum, "tensorflow.math.reduce_sum": reduceSum,
	"tensorflow.nn.scale_regularization_loss": func(c *state.Call) value.Value { // over the replicas
		v, _ := c.Args.Get(0, "regularization_loss")
		return v
	},
	"tensorflow.nest.flatten": flattenStructure, "tensorflow.keras.tree.flatten": flattenStructure,
	"tensorflow.nest.map_structure": mapStructure, "tensorflow.keras.tree.map_structure": mapStructure,
	"tensorflow.TensorArray": func(c *state.Call) value.Value { return newTensorArray(c.H, c.Args) },
}

// reduceSum is tf.reduce_sum, also of the losses of regularizers, which have negligible size.
func reduceSum(c *state.Call) value.Value {
	if items, ok := objects.Sequence(objects.First(c.Args)); ok && len(items) == 0 {
		return value.Value{X: 0.0}
	}
	return ops.OnTensors(c)
}

// addN is tf.add_n, also of numbers and arrays.
func addN(c *state.Call) value.Value {
	items, ok := objects.Sequence(objects.First(c.Args))
	if !ok || len(items) == 0 || slices.ContainsFunc(items, func(v value.Value) bool { _, ok := v.X.(*numpy.Array); return !ok && !ops.IsNumber(v) }) {
		return reduceSum(c)
	}
	sum := items[0]
	for _, item := range items[1:] {
		sum = interp.Binary(c.In, "+", sum, item)
	}
	return sum
}

func flattenStructure(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "structure")
	if openIn(v) != nil {
		return value.Value{}
	}
	return value.Value{X: &value.List{Items: LeavesOf(v, nil)}}
}

// LeavesOf returns the leaves of nested lists, tuples and dictionaries. Dictionaries are sorted
// by key (tensorflow/python/util/nest.py, flatten).
func LeavesOf(v value.Value, to []value.Value) []value.Value {
	if d, ok := v.X.(*value.Dict); ok {
		order := make([]int, len(d.Keys))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			x, _ := d.Keys[a].X.(string)
			y, _ := d.Keys[b].X.(string)
			return strings.Compare(x, y)
		})
		for _, i := range order {
			to = LeavesOf(d.Values[i], to)
		}
		return to
	}
	items, ok := objects.Sequence(v)
	if !ok {
		return append(to, v)
	}
	for _, item := range items {
		to = LeavesOf(item, to)
	}
	return to
}

// mapStructure is tf.nest.map_structure of one structure, or of several with the same form.
func mapStructure(c *state.Call) value.Value {
	in, args := c.In, c.Args
	if len(args.Positional) < 2 {
		return value.Value{}
	}
	structures := args.Positional[1:]
	others := make([][]value.Value, len(structures)) // their leaves, in the order of Each
	for i, v := range structures {
		if openIn(v) != nil || len(structures) > 1 && hasDict(v) {
			return value.Value{} // dictionaries with the same keys may have them in other orders
		}
		ops.Each(v, func(leaf value.Value) value.Value {
			others[i] = append(others[i], leaf)
			return leaf
		})
		if len(others[i]) != len(others[0]) {
			return value.Value{}
		}
	}
	i := -1
	return ops.Each(structures[0], func(leaf value.Value) value.Value {
		i++
		call := &value.Args{Node: args.Node, Positional: []value.Value{leaf}}
		for _, leaves := range others[1:] {
			if i >= len(leaves) {
				return value.Value{} // the function has made the first structure longer
			}
			call.Positional = append(call.Positional, leaves[i])
		}
		return interp.Call(in, args.Positional[0], call)
	})
}

// hasDict reports whether a structure is a dictionary, or holds one.
func hasDict(v value.Value) bool {
	var parts []value.Value
	switch x := v.X.(type) {
	case *value.Dict:
		return true
	case value.Tuple:
		parts = x
	case *value.List:
		parts = x.Items
	case *value.Instance:
		if x.Class.Tuple {
			parts = x.FieldValues()
		}
	}
	return slices.ContainsFunc(parts, hasDict)
}

// A tensorArray is a tf.TensorArray: tensors by number, each written once.
type tensorArray struct {
	value.Base
	h     *state.Host
	items []value.Value
	why   *value.Cause // why its content is not known
}

func newTensorArray(h *state.Host, args *value.Args) value.Value {
	t := &tensorArray{Base: "a TensorArray", h: h}
	size, given := args.Get(1, "size")
	n, ok := size.Int()
	switch {
	case !given:
	case !ok || n < 0 || n > ops.MaxParts:
		t.why = value.Because(value.UnmodelledTraining, "the number of tensors in a TensorArray is not known")
	default:
		t.items = make([]value.Value, n)
	}
	return value.Value{X: t}
}

func (t *tensorArray) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "write":
		return objects.Method(t.write)
	case "mark_used", "close":
		return objects.Method(objects.Nothing)
	case "identity":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: t} })
	case "size":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if t.why != nil {
				return t.why.Unknown()
			}
			return value.Value{X: int64(len(t.items))}
		})
	case "read":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			index, _ := args.Get(0, "index")
			i, ok := index.Int()
			if t.why != nil || !ok || i < 0 || i >= int64(len(t.items)) || t.items[i].X == nil {
				return t.h.Unknown(value.UnmodelledTraining, "a tensor of a TensorArray is not known")
			}
			return t.items[i]
		})
	case "stack", "concat":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			function := map[string]string{"stack": "tensorflow.stack", "concat": "tensorflow.concat"}[name]
			if t.why != nil || slices.ContainsFunc(t.items, func(v value.Value) bool { return v.X == nil }) {
				return t.h.Unknown(value.UnmodelledTraining, "the tensors in a TensorArray are not known: %s", t.why)
			}
			return interp.Call(in, value.Value{X: value.External{Name: function}}, &value.Args{Positional: []value.Value{{X: &value.List{Items: t.items}}, {X: int64(0)}}, Node: args.Node})
		})
	case "unstack":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			whole, _ := args.Get(0, "value")
			parts := interp.Call(in, value.Value{X: value.External{Name: "tensorflow.unstack"}}, &value.Args{Positional: []value.Value{whole}, Node: args.Node})
			items, ok := objects.Sequence(parts)
			if !ok {
				return t.with(nil, value.Because(value.UnmodelledUse, "the tensors that are put into a TensorArray are not known: %s", objects.Because(parts)))
			}
			return t.with(items, nil)
		})
	}
	return t.Base.GetAttr(in, name)
}

// with returns a TensorArray with another content.
func (t *tensorArray) with(items []value.Value, why *value.Cause) value.Value {
	return value.Value{X: &tensorArray{Base: t.Base, h: t.h, items: items, why: why}}
}

// write is TensorArray.write, which returns the array with another tensor.
func (t *tensorArray) write(_ *value.Interp, args *value.Args) value.Value {
	index, _ := args.Get(0, "index")
	v, _ := args.Get(1, "value")
	i, ok := index.Int()
	switch {
	case t.why != nil:
		return value.Value{X: t}
	case !ok || i < 0 || i >= ops.MaxParts:
		return t.with(nil, value.Because(value.UnmodelledUse, "the index that a tensor is written to is not known: %s", objects.Because(index)))
	case !v.Known():
		return t.with(nil, value.Because(value.UnmodelledUse, "a tensor that is written is not known: %s", objects.Because(v)))
	}
	items := slices.Clone(t.items)
	for int64(len(items)) <= i {
		items = append(items, value.Value{})
	}
	items[i] = v
	return t.with(items, nil)
}
