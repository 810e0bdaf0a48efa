package ops

import (
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// AttentionFunctions compute attention.
var AttentionFunctions = []FunctionRow{
	{dotProductAttention, "dot_product_attention"},
}

// calls applies functions on tensors one after another, for functions of Keras that consist of
// them.
type calls struct {
	h  *state.Host
	in *value.Interp
}

func (c calls) do(name string, args ...value.Value) value.Value {
	return state.Loaded().Functions[name](c.h, c.in, name, &value.Args{Positional: args})
}

func text(s string) value.Value { return value.Value{X: s} }

// dotProductAttention follows Keras's code for TensorFlow (keras/src/backend/tensorflow/nn.py,
// dot_product_attention).
func dotProductAttention(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	if flash, ok := objects.Passed(args, 7, "flash_attention"); ok && flash.X == true {
		return value.Refused("TensorFlow has no flash attention; leave flash_attention=True out").Unknown()
	}
	query, _ := objects.Passed(args, 0, "query")
	key, _ := objects.Passed(args, 1, "key")
	v, _ := objects.Passed(args, 2, "value")
	all, why := Operands(h, []value.Value{query, key, v})
	if why != nil {
		return why.Unknown()
	}
	for _, s := range all {
		if len(s.Shape) != 4 {
			return value.Refused("dot_product_attention takes tensors of 4 dimensions and gets %s", s.Shape).Unknown()
		}
	}
	c := calls{h, in}
	if n, of := all[1].Shape[2], all[0].Shape[2]; n > 1 && of > n { // heads that share keys and values
		groups, axis := value.Value{X: of / n}, value.Value{X: int64(2)}
		key, v = c.do("repeat", key, groups, axis), c.do("repeat", v, groups, axis)
	}
	logits := c.do("multiply", c.do("einsum", text("BTNH,BSNH->BNTS"), query, key), value.Value{X: 0.5})
	if bias, ok := objects.Given(args, 3, "bias"); ok {
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
