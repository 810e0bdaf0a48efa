package keras

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A layerClass is a modelled class of Keras's layers. It holds what Keras's source does not show
// (see classFacts).
type layerClass struct {
	weights classWeights
	make    layerFactory
}

// classWeights says whether layers of a class have weights.
type classWeights uint8

const (
	unknownWeights classWeights = iota
	noWeights                   // whatever their input
	mayHaveWeights
)

// A layerFactory creates a layer's layerImpl from its arguments.
type layerFactory func(r *argParser) layerImpl

// layerClasses are the modelled layers, by class. The positions of arguments are those of
// keras/src/layers.
var layerClasses = merged(
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

// modelled reports whether layers of a class are modelled.
func modelled(class string) bool { return layerClasses[class].make != nil }

// weightless reports whether layers of a class have no weights, whatever their input.
func weightless(class string) bool { return layerClasses[class].weights == noWeights }

// MayHaveVariables reports whether layers of a class may have variables: weights, or the state of
// random numbers, which Keras 3 keeps in one.
func MayHaveVariables(class string) bool {
	_, random := regularizationLayers[class]
	return !weightless(class) || random || strings.HasPrefix(class, "Random")
}

// classFacts are what Keras's source shows of a layer class
// (testdata/estimate/layers/classes.py).
type classFacts struct {
	extends  []string // the exported classes that it extends, nearest first
	training bool     // its call takes training=
	nojit    bool     // it may set supports_jit to False
}

var (
	//go:embed layer_classes_keras2.txt
	keras2Classes string
	//go:embed layer_classes_keras3.txt
	keras3Classes string

	keras2Facts = sync.OnceValue(func() map[string]classFacts { return readClasses(keras2Classes) })
	keras3Facts = sync.OnceValue(func() map[string]classFacts { return readClasses(keras3Classes) })
)

func readClasses(table string) map[string]classFacts {
	all := map[string]classFacts{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		facts := classFacts{training: slices.Contains(words, "training"), nojit: slices.Contains(words, "nojit")}
		for _, word := range words {
			if bases, ok := strings.CutPrefix(word, "extends="); ok {
				facts.extends = strings.Split(bases, ",")
			}
		}
		all[words[0]] = facts
	}
	return all
}

// factsOf returns the facts of a class in a version of Keras that exports it.
func factsOf(class string, keras int) (facts classFacts, exported bool) {
	all := keras3Facts()
	if keras == 2 {
		all = keras2Facts()
	}
	facts, exported = all[class]
	return facts, exported
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

// makeLayer creates a layer of a class. It returns nil and the reason if the class or a required
// argument is not known.
func makeLayer(class string, r *argParser) (*Layer, *value.Cause) {
	if !modelled(class) {
		if why := notModelled[class]; why != "" {
			return nil, value.Because(value.UnmodelledLayer, "the layer %s is not modelled: %s", class, why)
		}
		return nil, value.Because(value.UnmodelledLayer, "the layer %s is not modelled", class)
	}
	s := layerClasses[class].make(r)
	if r.why != nil || s == nil {
		return nil, value.Because(value.UnmodelledLayer, "%s: %s", class, r.why)
	}
	l := &Layer{Class: class, Trainable: true, DType: "float32", impl: s, weightless: weightless(class)}
	if why := l.nesting().excess(); why != nil {
		return nil, value.Because(value.UnmodelledLayer, "%s: %s", class, why)
	}
	return l, nil
}

// layer returns an argument that is a layer.
func (r *argParser) layer(position int, keyword string) *Layer {
	v, ok := r.get(position, keyword)
	if l := layerOf(v); ok && l != nil {
		return l
	}
	r.fail(keyword, value.Because(value.WrongType, "it is not a known layer"))
	return nil
}

// A layout says where a tensor's channels are: last, or after the batch.
type layout struct{ first bool }

// format returns the data_format of layers that set none.
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
		r.fail("data_format", value.Because(value.WrongType, "Keras knows no %s", format))
	}
	return layout{}
}

// last returns a shape with its channels moved to the end.
func (a layout) last(s Shape) Shape {
	out := append(Shape(nil), s...)
	if a.first && len(s) > 2 {
		copy(out[1:], s[2:])
		out[len(s)-1] = s[1]
	}
	return out
}

// back converts a shape with the channels last to the layout.
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

// axes returns the dimensions that axis= names.
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
		r.fail("axis", value.Because(value.WrongType, "it is neither a number nor a list of numbers"))
		return []int{fallback}
	}
	var out []int
	for _, n := range list {
		out = append(out, int(n))
	}
	return out
}

// within returns axes counted from the front, for a shape of n dimensions.
func within(axes []int, n int) ([]int, error) {
	out := make([]int, len(axes))
	for i, a := range axes {
		if a < 0 {
			a += n
		}
		if a < 0 || a >= n {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %d is not a dimension of %d", axes[i], n)
		}
		out[i] = a
	}
	return out, nil
}

// positive checks a size that Keras requires to be positive.
func positive(n int64, what string) error {
	if n < 1 {
		return value.Because(value.KerasRaises, "TensorFlow will raise: %s is %d", what, n)
	}
	return nil
}
