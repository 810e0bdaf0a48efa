package layers

import (
	_ "embed"
	"maps"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A layerClass is a modelled class of Keras's layers. It holds what Keras's source does not show
// (see classFacts).
type layerClass struct {
	Weights classWeights
	Make    layerFactory
}

// classWeights says whether layers of a class have weights.
type classWeights uint8

const (
	UnknownWeights classWeights = iota
	NoWeights                   // whatever their input
	MayHaveWeights
)

// A layerFactory creates a layer's Impl from its arguments.
type layerFactory func(r *ArgParser) graph.Impl

// LayerClasses are the modelled layers, by class. The positions of arguments are those of
// keras/src/layers.
var LayerClasses = merged(
	coreLayers, convolutionLayers, poolingLayers, recurrentLayers, attentionLayers, normalizationLayers, regularizationLayers,
	reshapingLayers, mergingLayers, activationLayers, imageLayers, featureLayers, soundLayers, wrapperLayers,
)

func merged(families ...map[string]layerClass) map[string]layerClass {
	all := map[string]layerClass{}
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}

// Modelled reports whether layers of a class are modelled.
func Modelled(class string) bool { return LayerClasses[class].Make != nil }

// Weightless reports whether layers of a class have no weights, whatever their input.
func Weightless(class string) bool { return LayerClasses[class].Weights == NoWeights }

// MayHaveVariables reports whether layers of a class may have variables: weights, or the state of
// random numbers, which Keras 3 keeps in one.
func MayHaveVariables(class string) bool {
	_, random := regularizationLayers[class]
	return !Weightless(class) || random || strings.HasPrefix(class, "Random")
}

// NotModelled are exported layers that are not modelled, and why.
var NotModelled = map[string]string{
	"FlaxLayer":           "it runs a module of Flax",
	"JaxLayer":            "it runs a function of JAX",
	"TorchModuleWrapper":  "it runs a module of PyTorch",
	"TFSMLayer":           "it runs a saved model, which is not in this program",
	"DenseFeatures":       "its feature columns are not followed",
	"Equalization":        "Keras itself refuses it in a model: its output is said to be its input",
	"MaxNumBoundingBoxes": "it takes a dictionary of boxes",
}

// MakeLayer creates a layer of a class. It returns nil and the reason if the class or a required
// argument is not known.
func MakeLayer(class string, r *ArgParser) (*graph.Layer, *value.Cause) {
	if !Modelled(class) {
		if why := NotModelled[class]; why != "" {
			return nil, value.Because(value.UnmodelledLayer, "the layer %s is not modelled: %s", class, why)
		}
		return nil, value.Because(value.UnmodelledLayer, "the layer %s is not modelled", class)
	}
	s := LayerClasses[class].Make(r)
	if r.Why != nil || s == nil {
		return nil, value.Because(value.UnmodelledLayer, "%s: %s", class, r.Why)
	}
	l := &graph.Layer{Class: class, Trainable: true, DType: "float32", Impl: s, Weightless: Weightless(class)}
	if why := l.Nesting().Excess(); why != nil {
		return nil, value.Because(value.UnmodelledLayer, "%s: %s", class, why)
	}
	return l, nil
}

// layer returns an argument that is a layer.
func (r *ArgParser) layer(position int, keyword string) *graph.Layer {
	v, ok := r.Get(position, keyword)
	if l := state.LayerOf(v); ok && l != nil {
		return l
	}
	r.Fail(keyword, value.Because(value.WrongType, "it is not a known layer"))
	return nil
}

// A Layout says where a tensor's channels are: last, or after the batch.
type Layout struct{ first bool }

// layout reads data_format. The program may set one for all layers.
func (r *ArgParser) layout(position int) Layout {
	fallback := "channels_last"
	if r.H != nil {
		fallback = r.H.Format
	}
	switch format := r.Text(position, "data_format", fallback); format {
	case "channels_first":
		return Layout{true}
	case "channels_last":
	default:
		r.note(value.Refused("Keras knows no data_format %q", format))
	}
	return Layout{}
}

// last returns a shape with its channels moved to the end.
func (a Layout) last(s tensor.Shape) tensor.Shape {
	out := append(tensor.Shape(nil), s...)
	if a.first && len(s) > 2 {
		copy(out[1:], s[2:])
		out[len(s)-1] = s[1]
	}
	return out
}

// back converts a shape with the channels last to the layout.
func (a Layout) back(s tensor.Shape) tensor.Shape {
	out := append(tensor.Shape(nil), s...)
	if a.first && len(s) > 2 {
		copy(out[2:], s[1:len(s)-1])
		out[1] = s[len(s)-1]
	}
	return out
}

// padding reads padding. Only convolutions may be causal.
func (r *ArgParser) padding(position int) string {
	padding := strings.ToLower(r.Text(position, "padding", "valid"))
	switch padding {
	case "valid", "same", "causal":
	default:
		r.note(value.Refused("Keras knows no padding %q", padding))
	}
	return padding
}

// axes returns the dimensions that axis= names.
func axes(r *ArgParser) []int64 {
	v, ok := r.Get(0, "axis")
	if !ok {
		return []int64{-1}
	}
	list, ok := objects.Dims(v)
	if !ok {
		r.Fail("axis", value.Because(value.WrongType, "it is neither a number nor a list of numbers"))
		return []int64{-1}
	}
	return list
}

// positive checks a size that Keras requires to be positive.
func positive(n int64, what string) error {
	if n < 1 {
		return value.Refused("%s is %d", what, n)
	}
	return nil
}
