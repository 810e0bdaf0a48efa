package layers

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// imageLayers prepare images. They come before everything that is trained, so no gradient flows
// through them. What their gradients would keep is not modelled.
var imageLayers = func() map[string]layerClass {
	layers := map[string]layerClass{
		"Rescaling":    {NoWeights, func(*ArgParser) graph.Impl { return Arithmetic(graph.OpRescaling) }},
		"Resizing":     {NoWeights, resizing(graph.OpResize, 8)},
		"CenterCrop":   {NoWeights, resizing(graph.OpResize, 2)},
		"RandomCrop":   {NoWeights, resizing(graph.OpRandomCrop, 3)},
		"RandomHeight": {NoWeights, func(*ArgParser) graph.Impl { return stretched(1) }},
		"RandomWidth":  {NoWeights, func(*ArgParser) graph.Impl { return stretched(2) }},
	}
	for kind, classes := range map[*graph.Kind]string{
		graph.OpImage: "AugMix AutoContrast ContrastLimitedAdaptiveHistogramEqualization CutMix MixUp RandAugment Solarization",
		graph.OpRandomImage: `RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast RandomElasticTransform RandomErasing
			RandomFlip RandomGaussianBlur RandomGrayscale RandomHue RandomInvert RandomPerspective RandomPosterization
			RandomRotation RandomSaturation RandomSharpness RandomShear RandomTranslation RandomZoom`,
	} {
		for _, class := range strings.Fields(classes) {
			layers[class] = layerClass{NoWeights, func(*ArgParser) graph.Impl { return augmentation(kind) }}
		}
	}
	return layers
}()

// augmentation makes another image of the same size from an image.
func augmentation(kind *graph.Kind) Plain {
	return func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := imageRank(x); err != nil {
			return nil, err
		}
		out, op := g.Add(kind, []*graph.Tensor{graph.Cast(g, x, l.DType)}, x.Shape, l.DType)
		op.ForwardTemp = out.Bytes()
		return out, nil
	}
}

func imageRank(x *graph.Tensor) error {
	if len(x.Shape) == 3 {
		return nil // one image
	}
	return graph.CheckRank([]tensor.Shape{x.Shape}, 4)
}

// resizing gives images a height and a width.
func resizing(kind *graph.Kind, format int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		height, width := r.Number(0, "height", tensor.None), r.Number(1, "width", tensor.None)
		at := r.layout(format)
		smooth := format == 8 && r.Text(2, "interpolation", "bilinear") != "nearest"
		return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			if err := imageRank(x); err != nil {
				return nil, err
			}
			shape, n := at.last(x.Shape), len(x.Shape)
			if n == 3 && at.first {
				return nil, value.Because(value.UnmodelledLayer, "one image with the channels first is not followed")
			}
			shape[n-3], shape[n-2] = height, width
			out, op := g.Add(kind, []*graph.Tensor{graph.Cast(g, x, l.DType)}, at.back(shape), l.DType)
			if smooth {
				op.KeepsInputs() // ResizeBilinearGrad reads the image
			}
			return out, nil
		})
	}
}

// stretched is RandomHeight and RandomWidth: the length of the output is random.
func stretched(dimension int) Plain {
	return func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := graph.CheckRank([]tensor.Shape{x.Shape}, 4); err != nil {
			return nil, err
		}
		return g.Tensor(graph.OpResize, []*graph.Tensor{graph.Cast(g, x, l.DType)}, x.Shape.With(dimension, tensor.None), l.DType), nil
	}
}
