package models

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// EinopsTable are the layers of einops (einops/layers/tensorflow.py).
var EinopsTable = state.Table{
	"einops.layers.tensorflow.Rearrange": einopsLayer("einops.rearrange"), "einops.layers.keras.Rearrange": einopsLayer("einops.rearrange"),
	"einops.layers.tensorflow.Reduce": einopsLayer("einops.reduce"), "einops.layers.keras.Reduce": einopsLayer("einops.reduce"),
}

// einopsLayer returns the owner of a layer that applies one of einops's functions.
func einopsLayer(function string) state.Owner {
	return func(c *state.Call) value.Value {
		does := value.Method(func(in *value.Interp, called *value.Args) value.Value {
			all := *c.Args
			all.Positional, all.Node = append([]value.Value{objects.First(called)}, c.Args.Positional...), called.Node
			return ops.EinopsFunction(c.H, in, function, &all)
		})
		class := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
		return functionLayer(c.H, c.In, class, value.Value{X: does}, &value.Args{Node: c.Args.Node})
	}
}
