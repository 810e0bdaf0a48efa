package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// argument answers for attributes that are what the layer was made with:
// layer.units, and in a class that extends Conv2D self.kernel_size.
func (v *layerValue) argument(name string) (value.Value, bool) {
	convolution := strings.Contains(v.layer.Class, "Conv") && !strings.Contains(v.layer.Class, "LSTM")
	if name == "convolution_op" && convolution {
		return method(func(in *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "inputs")
			return v.Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
		})
	}
	if v.args == nil {
		return value.Value{}, false
	}
	name = strings.TrimPrefix(name, "_") // self._key_dim
	given, ok := v.args.Keywords.Get(name)
	switch {
	case !ok && (name == "units" || name == "filters" || name == "rate") && len(v.args.Positional) > 0,
		!ok && name == "kernel_size" && convolution && len(v.args.Positional) > 1:
		at := 0
		if name == "kernel_size" {
			at = 1
		}
		given, ok = v.args.Positional[at], true
	}
	if name == "activation" {
		if text, isText := given.X.(string); isText {
			given = value.Value{X: value.External{Name: "tensorflow.keras.activations." + text}}
		}
	}
	if ok {
		return given, true
	}
	if len(v.args.Positional) > 2 || v.args.Open != "" {
		return value.Value{}, false
	}
	switch name {
	case "use_bias":
		return value.Value{X: true}, convolution || v.layer.Class == "Dense"
	case "activation":
		return value.Value{X: value.None{}}, convolution || v.layer.Class == "Dense"
	}
	return value.Value{}, false
}
