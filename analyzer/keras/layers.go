package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
)

// A layerFactory makes a layer's layerImpl from its arguments.
type layerFactory func(r *argParser) layerImpl

// layerFactories are the modelled layers, by class. Positions of arguments are those of
// keras/src/layers.
var layerFactories = merged(
	coreLayers, convolutionLayers, poolingLayers, recurrentLayers, attentionLayers, normalizationLayers, regularizationLayers,
	reshapingLayers, mergingLayers, activationLayers, imageLayers, featureLayers, soundLayers, wrapperLayers,
)

func merged(families ...map[string]layerFactory) map[string]layerFactory {
	all := map[string]layerFactory{}
	for _, family := range families {
		for class, m := range family {
			all[class] = m
		}
	}
	return all
}

// notModelled are exported layers that are not modelled, and why.
var notModelled = map[string]string{
	"FlaxLayer":           "it runs a module of Flax",
	"JaxLayer":            "it runs a function of JAX",
	"TorchModuleWrapper":  "it runs a module of PyTorch",
	"TFSMLayer":           "it runs a saved model, which is not in this program",
	"DenseFeatures":       "its feature columns are not followed",
	"Equalization":        "Keras itself refuses it in a model: its output is said to be its input",
	"MaxNumBoundingBoxes": "it takes a dictionary of boxes",
}

// makeLayer makes a layer of a class; it is nil, with the reason, where the
// class or an argument it needs is not known.
func makeLayer(class string, r *argParser) (*Layer, string) {
	m := layerFactories[class]
	if m == nil {
		if why := notModelled[class]; why != "" {
			return nil, fmt.Sprintf("the layer %s is not modelled: %s", class, why)
		}
		return nil, fmt.Sprintf("the layer %s is not modelled", class)
	}
	s := m(r)
	if r.why != "" || s == nil {
		return nil, fmt.Sprintf("%s: %s", class, r.why)
	}
	l := &Layer{Class: class, Trainable: true, DType: "float32", spec: s}
	if why := l.nesting().excess(); why != "" {
		return nil, class + ": " + why
	}
	return l, ""
}

// layer is an argument that is a layer.
func (r *argParser) layer(position int, keyword string) *Layer {
	v, ok := r.get(position, keyword)
	if l := layerOf(v); ok && l != nil {
		return l
	}
	r.fail(keyword, "it is no layer that is known")
	return nil
}

// A layout is where a tensor's channels stand: last, or behind the batch.
type layout struct{ first bool }

// format is the data_format of what is given none.
func (r *argParser) format() string {
	if r.h == nil {
		return "channels_last"
	}
	return r.h.format
}

// layout reads data_format.
func (r *argParser) layout(position int) layout {
	switch format := r.text(position, "data_format", r.format()); format {
	case "channels_first":
		return layout{true}
	case "channels_last":
	default:
		r.fail("data_format", "Keras knows no "+format)
	}
	return layout{}
}

// last is a shape with its channels moved to the end.
func (a layout) last(s Shape) Shape {
	out := append(Shape(nil), s...)
	if a.first && len(s) > 2 {
		copy(out[1:], s[2:])
		out[len(s)-1] = s[1]
	}
	return out
}

// back is a shape, with the channels last, in the layout.
func (a layout) back(s Shape) Shape {
	out := append(Shape(nil), s...)
	if a.first && len(s) > 2 {
		copy(out[2:], s[1:len(s)-1])
		out[1] = s[len(s)-1]
	}
	return out
}

func (r *argParser) padding(position int) string {
	return strings.ToLower(r.text(position, "padding", "valid"))
}

// axes are the dimensions that axis= names.
func axes(r *argParser, fallback int) []int {
	v, ok := r.get(0, "axis")
	if !ok {
		return []int{fallback}
	}
	if n, ok := v.Int(); ok {
		return []int{int(n)}
	}
	list, ok := objects.Whole(v)
	if !ok {
		r.fail("axis", "it is neither a number nor a list of numbers")
		return []int{fallback}
	}
	var out []int
	for _, n := range list {
		out = append(out, int(n))
	}
	return out
}

// within are axes counted from the front, of a shape of n dimensions.
func within(axes []int, n int) ([]int, error) {
	out := make([]int, len(axes))
	for i, a := range axes {
		if a < 0 {
			a += n
		}
		if a < 0 || a >= n {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %d", axes[i], n)
		}
		out[i] = a
	}
	return out, nil
}

// positive checks a size that Keras wants above zero.
func positive(n int64, what string) error {
	if n < 1 {
		return fmt.Errorf("TensorFlow will raise: %s is %d", what, n)
	}
	return nil
}
