package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

func init() {
	define(dotProductAttention, "dot_product_attention")
	define(batchDot, "batch_dot")
	define(updated, "slice_update", "scatter_update")
	define(alongAxis, "take_along_axis")
	define(outer, "outer")
}

// calls applies functions on tensors one after another, as a function of Keras does that
// is written with them.
type calls struct {
	h  *host
	in *value.Interp
}

func (c calls) do(name string, args ...value.Value) value.Value {
	return tensorFunctions[name](c.h, c.in, name, &value.Args{Positional: args})
}

func text(s string) value.Value { return value.Value{X: s} }

// dotProductAttention is written as Keras writes it for TensorFlow
// (keras/src/backend/tensorflow/nn.py, dot_product_attention).
func dotProductAttention(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	query, _ := objects.Passed(args, 0, "query")
	key, _ := objects.Passed(args, 1, "key")
	v, _ := objects.Passed(args, 2, "value")
	all, why := h.operands([]value.Value{query, key, v})
	if why != "" {
		return h.unknown("%s", why)
	}
	for _, s := range all {
		if len(s.Shape) != 4 {
			return h.unknown("TensorFlow will raise: dot_product_attention takes tensors of 4 dimensions and gets %s", s.Shape)
		}
	}
	c := calls{h, in}
	if n, of := all[1].Shape[2], all[0].Shape[2]; n > 1 && of > n { // heads that share keys and values
		groups, axis := value.Value{X: of / n}, value.Value{X: int64(2)}
		key, v = c.do("repeat", key, groups, axis), c.do("repeat", v, groups, axis)
	}
	logits := c.do("multiply", c.do("einsum", text("BTNH,BSNH->BNTS"), query, key), value.Value{X: 0.5})
	if bias, ok := objects.Passed(args, 3, "bias"); ok && bias.X != (value.None{}) {
		logits = c.do("add", logits, bias)
	}
	mask, masked := objects.Passed(args, 4, "mask")
	if masked && mask.X != (value.None{}) {
		logits = c.do("where", mask, logits, value.Value{X: -1e9})
	} else if causal, ok := objects.Passed(args, 6, "is_causal"); ok && causal.X != false {
		logits = c.do("where", c.do("greater", logits, value.Value{X: 0.0}), logits, value.Value{X: -1e9})
	}
	return c.do("einsum", text("BNTS,BSNH->BTNH"), c.do("softmax", logits), v)
}

// outer is the product of each element of one tensor with each of another, both laid flat.
func outer(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, _ := objects.Passed(args, 1, "x2", "b")
	pair, why := h.operands([]value.Value{objects.First(args), b})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add("Multiply", in, Shape{product(in[0].Shape), product(in[1].Shape)}, in[0].DType)
		op.keepsInputs()
		return []*Tensor{out}, nil
	})
}

// batchDot multiplies along an axis of each tensor, the batch kept
// (tf_keras/src/backend.py, batch_dot).
func batchDot(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	x, _ := objects.Passed(args, 0, "x")
	y, _ := objects.Passed(args, 1, "y")
	pair, why := h.operands([]value.Value{x, y})
	if why != "" {
		return h.unknown("%s", why)
	}
	axes, ok := objects.Passed(args, 2, "axes")
	if _, none := axes.X.(value.None); none || !ok {
		last := int64(len(pair[1].Shape) - 2)
		if len(pair[1].Shape) == 2 {
			last = 1
		}
		axes = value.Value{X: value.Tuple{{X: int64(len(pair[0].Shape) - 1)}, {X: last}}}
	}
	r := &argParser{args: &value.Args{Positional: []value.Value{axes}}, in: in, h: h}
	product, isProduct := dot(r).(merging)
	if r.why != "" || !isProduct {
		return h.unknown("the axes of batch_dot are not known: %s", r.why)
	}
	return h.operate("BatchDot", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return one(product(nil, g, in))
	})
}

// updated is a tensor with other numbers in some places.
func updated(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	updates, ok := objects.Passed(args, 2, "updates")
	if !ok {
		return h.unknown("%s is called without updates", name)
	}
	pair, why := h.operands([]value.Value{objects.First(args), updates})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add(name, in, in[0].Shape, in[0].DType)
		return []*Tensor{out}, nil
	})
}

// alongAxis takes of a tensor what indices say, each along one axis
// (keras/src/ops/numpy.py, TakeAlongAxis).
func alongAxis(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	indices, _ := objects.Passed(args, 1, "indices")
	axis, err := axisArgument(args, 2, -1)
	if err != nil {
		return h.unknown("%s", err)
	}
	pair, why := h.operands([]value.Value{objects.First(args), indices})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		x, at := in[0], in[1]
		i, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		shape, err := tensor.Broadcast(x.Shape.With(i, 1), at.Shape)
		if err != nil {
			return nil, err
		}
		out, op := g.add(name, in, shape, x.DType)
		op.keepsInputs()
		return []*Tensor{out}, nil
	})
}
