package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// applicationTable are keras.applications, and its helper functions, which keras_applications had
// before (keras/src/applications/imagenet_utils.py).
var applicationTable = table{
	"tensorflow.keras.applications.*":                       (*hostCall).application,
	"tensorflow.keras.applications.obtain_input_shape":      inputShape,
	"tensorflow.keras.applications._obtain_input_shape":     inputShape,
	"tensorflow.keras.applications.correct_pad":             correctPad,
	"tensorflow.keras.applications.validate_activation":     constant(value.None{}),
	"tensorflow.keras.applications.preprocess_input":        onTensors,
	"keras_applications.imagenet_utils.obtain_input_shape":  inputShape,
	"keras_applications.imagenet_utils._obtain_input_shape": inputShape,
	"keras_applications.imagenet_utils.correct_pad":         correctPad,
	"keras_applications.imagenet_utils.validate_activation": constant(value.None{}),
	"keras_applications.imagenet_utils.preprocess_input": func(c *hostCall) value.Value {
		preprocess := *c
		preprocess.name = "tensorflow.keras.applications.preprocess_input"
		return onTensors(&preprocess)
	},
}

func inputShape(c *hostCall) value.Value { return c.h.obtainInputShape(c.in, c.args) }
func correctPad(c *hostCall) value.Value { return c.h.correctPad(c.args) }

// obtainInputShape returns the shape of the images that a model takes.
func (h *host) obtainInputShape(in *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	size, _ := args.Get(1, "default_size")
	flatten, _ := args.Get(4, "require_flatten")
	weights, _ := args.Get(5, "weights")
	truth, known := in.Truth(flatten)
	for _, v := range []value.Value{given, size, flatten, weights} {
		if why := objects.UnknownIn(v); why != nil {
			return why.Unknown()
		}
	}
	if !known {
		return h.unknown(value.UnmodelledLayer, "whether a model ends in layers that want a known size is not known")
	}
	shape, ok := objects.Whole(given)
	channels := int64(3)
	if ok && len(shape) == 3 && weights.X != "imagenet" {
		channels = shape[2]
	}
	n, isSize := size.Int()
	standard := objects.ShapeValue(Shape{n, n, channels})
	switch {
	case weights.X == "imagenet" && truth && isSize:
		return standard
	case ok:
		return given
	case truth && isSize:
		return standard
	case truth:
		return h.unknown(value.UnmodelledLayer, "the default size of a model is not known")
	}
	return objects.ShapeValue(Shape{None, None, channels})
}

// correctPad returns the padding with which a convolution of stride 2 ends where "same" ends.
func (h *host) correctPad(args *value.Args) value.Value {
	inputs, _ := args.Get(0, "inputs")
	s, ok := inputs.X.(*symbolicValue)
	r := &argParser{args: args}
	kernel := r.numbers(1, "kernel_size", 2, nil)
	if !ok || len(s.s.Shape) != 4 || len(kernel) != 2 {
		return h.unknown(value.UnmodelledLayer, "the padding of a convolution is not known: %s", objects.Because(inputs))
	}
	pair := func(i int) value.Value {
		adjust := int64(1)
		if n := s.s.Shape[i+1]; s.s.Shape[1] >= 0 && n >= 0 {
			adjust = 1 - n%2
		}
		half := kernel[i] / 2
		return value.Value{X: value.Tuple{{X: half - adjust}, {X: half}}}
	}
	return value.Value{X: value.Tuple{pair(0), pair(1)}}
}
