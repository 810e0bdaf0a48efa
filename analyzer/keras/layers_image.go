package keras

import "fmt"

// imageLayers are those that prepare images. They stand before everything that
// is trained, so that no gradient flows through them: what theirs would keep is
// not modelled.
var imageLayers = func() map[string]layerFactory {
	layers := map[string]layerFactory{
		"Rescaling":    func(*argParser) layerImpl { return arithmetic("Rescaling") },
		"Resizing":     resizing(8),
		"CenterCrop":   resizing(2),
		"RandomCrop":   resizing(3),
		"RandomHeight": func(*argParser) layerImpl { return stretched(1) },
		"RandomWidth":  func(*argParser) layerImpl { return stretched(2) },
	}
	for _, class := range []string{
		"AugMix", "AutoContrast", "ContrastLimitedAdaptiveHistogramEqualization", "CutMix", "MixUp", "RandAugment",
		"RandomBrightness", "RandomColorDegeneration", "RandomColorJitter", "RandomContrast", "RandomElasticTransform", "RandomErasing",
		"RandomFlip", "RandomGaussianBlur", "RandomGrayscale", "RandomHue", "RandomInvert", "RandomPerspective", "RandomPosterization",
		"RandomRotation", "RandomSaturation", "RandomSharpness", "RandomShear", "RandomTranslation", "RandomZoom", "Solarization",
	} {
		layers[class] = func(*argParser) layerImpl { return augmentation(class) }
	}
	return layers
}()

// augmentation makes an image of another of the same size.
func augmentation(class string) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := imageRank(x); err != nil {
			return nil, err
		}
		out, op := g.add(class, []*Tensor{cast(g, x, l.DType)}, x.Shape, l.DType)
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
func resizing(format int) layerFactory {
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
				return nil, fmt.Errorf("one image with the channels first is not followed")
			}
			shape[n-3], shape[n-2] = height, width
			out, op := g.add("Resize", []*Tensor{cast(g, x, l.DType)}, at.back(shape), l.DType)
			if smooth {
				op.keepsInputs() // ResizeBilinearGrad reads the image
			}
			return out, nil
		})
	}
}

// stretched is RandomHeight and RandomWidth: what comes out is as long as chance
// has it.
func stretched(dimension int) plain {
	return func(l *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, 4); err != nil {
			return nil, err
		}
		out, _ := g.add("Resize", []*Tensor{cast(g, x, l.DType)}, x.Shape.With(dimension, None), l.DType)
		return out, nil
	}
}
