package keras

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// applicationTable are keras.applications, and its helper functions, which keras_applications had
// before (keras/src/applications/imagenet_utils.py).
var applicationTable = state.Table{
	"tensorflow.keras.applications.*":                       application,
	"tensorflow.keras.applications.obtain_input_shape":      inputShape,
	"tensorflow.keras.applications._obtain_input_shape":     inputShape,
	"tensorflow.keras.applications.correct_pad":             correctPad,
	"tensorflow.keras.applications.validate_activation":     state.Constant(value.None{}),
	"tensorflow.keras.applications.preprocess_input":        ops.OnTensors,
	"keras_applications.imagenet_utils.obtain_input_shape":  inputShape,
	"keras_applications.imagenet_utils._obtain_input_shape": inputShape,
	"keras_applications.imagenet_utils.correct_pad":         correctPad,
	"keras_applications.imagenet_utils.validate_activation": state.Constant(value.None{}),
	"keras_applications.imagenet_utils.preprocess_input": func(c *state.Call) value.Value {
		preprocess := *c
		preprocess.Name = "tensorflow.keras.applications.preprocess_input"
		return ops.OnTensors(&preprocess)
	},
}

// inputShape returns the shape of the images that a model takes.
func inputShape(c *state.Call) value.Value {
	given, _ := c.Args.Get(0, "input_shape")
	size, _ := c.Args.Get(1, "default_size")
	flatten, _ := c.Args.Get(4, "require_flatten")
	weights, _ := c.Args.Get(5, "weights")
	truth, known := interp.Truth(c.In, flatten)
	for _, v := range []value.Value{given, size, flatten, weights} {
		if why := objects.UnknownIn(v); why != nil {
			return why.Unknown()
		}
	}
	if !known {
		return c.H.Unknown(value.UnmodelledLayer, "whether a model ends in layers that want a known size is not known")
	}
	shape, ok := objects.Whole(given)
	channels := int64(3)
	if ok && len(shape) == 3 && weights.X != "imagenet" {
		channels = shape[2]
	}
	n, isSize := size.Int()
	standard := objects.ShapeValue(tensor.Shape{n, n, channels})
	switch {
	case weights.X == "imagenet" && truth && isSize:
		return standard
	case ok:
		return given
	case truth && isSize:
		return standard
	case truth:
		return c.H.Unknown(value.UnmodelledLayer, "the default size of a model is not known")
	}
	return objects.ShapeValue(tensor.Shape{tensor.None, tensor.None, channels})
}

// correctPad returns the padding with which a convolution of stride 2 ends where "same" ends.
func correctPad(c *state.Call) value.Value {
	inputs, _ := c.Args.Get(0, "inputs")
	s, ok := inputs.X.(*ops.SymbolicValue)
	kernel := (&layers.ArgParser{Args: c.Args}).Numbers(1, "kernel_size", 2, nil)
	if !ok || len(s.S.Shape) != 4 || len(kernel) != 2 {
		return c.H.Unknown(value.UnmodelledLayer, "the padding of a convolution is not known: %s", objects.Because(inputs))
	}
	pair := func(i int) value.Value {
		half := kernel[i] / 2
		return value.Value{X: value.Tuple{{X: half - padAdjustment(s.S.Shape, i)}, {X: half}}}
	}
	return value.Value{X: value.Tuple{pair(0), pair(1)}}
}
