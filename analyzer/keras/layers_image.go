package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// imageLayers prepare images. They come before everything that is trained, so no gradient flows
// through them. What their gradients would keep is not modelled.
var imageLayers = func() map[string]layerClass {
	layers := map[string]layerClass{
		"Rescaling":    {noWeights, func(*argParser) layerImpl { return arithmetic(OpRescaling) }},
		"Resizing":     {noWeights, resizing(OpResize, 8)},
		"CenterCrop":   {noWeights, resizing(OpResize, 2)},
		"RandomCrop":   {noWeights, resizing(OpRandomCrop, 3)},
		"RandomHeight": {noWeights, func(*argParser) layerImpl { return stretched(1) }},
		"RandomWidth":  {noWeights, func(*argParser) layerImpl { return stretched(2) }},
	}
	for kind, classes := range map[*Kind]string{
		OpImage: "AugMix AutoContrast ContrastLimitedAdaptiveHistogramEqualization CutMix MixUp RandAugment Solarization",
		OpRandomImage: `RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast RandomElasticTransform RandomErasing
			RandomFlip RandomGaussianBlur RandomGrayscale RandomHue RandomInvert RandomPerspective RandomPosterization
			RandomRotation RandomSaturation RandomSharpness RandomShear RandomTranslation RandomZoom`,
	} {
		for _, class := range strings.Fields(classes) {
			layers[class] = layerClass{noWeights, func(*argParser) layerImpl { return augmentation(kind) }}
		}
	}
	return layers
}()

// augmentation makes another image of the same size from an image.
func augmentation(kind *Kind) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := imageRank(x); err != nil {
			return nil, err
		}
		out, op := g.add(kind, []*Tensor{cast(g, x, l.DType)}, x.Shape, l.DType)
		op.ForwardTemp = out.Bytes()
		return out, nil
	}
}

func imageRank(x *Tensor) error {
	if len(x.Shape) == 3 {
		return nil // one image
	}
	return rank([]Shape{x.Shape}, 4)
}

// resizing gives images a height and a width.
func resizing(kind *Kind, format int) layerFactory {
	return func(r *argParser) layerImpl {
		height, width := r.number(0, "height", None), r.number(1, "width", None)
		at := r.layout(format)
		smooth := format == 8 && r.text(2, "interpolation", "bilinear") != "nearest"
		return plain(func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
			if err := imageRank(x); err != nil {
				return nil, err
			}
			shape, n := at.last(x.Shape), len(x.Shape)
			if n == 3 && at.first {
				return nil, value.Because(value.UnmodelledLayer, "one image with the channels first is not followed")
			}
			shape[n-3], shape[n-2] = height, width
			out, op := g.add(kind, []*Tensor{cast(g, x, l.DType)}, at.back(shape), l.DType)
			if smooth {
				op.keepsInputs() // ResizeBilinearGrad reads the image
			}
			return out, nil
		})
	}
}

// stretched is RandomHeight and RandomWidth: the length of the output is random.
func stretched(dimension int) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, 4); err != nil {
			return nil, err
		}
		return g.tensor(OpResize, []*Tensor{cast(g, x, l.DType)}, x.Shape.With(dimension, None), l.DType), nil
	}
}
