package keras

var regularizationLayers = map[string]layerFactory{
	"Dropout": func(r *argParser) layerImpl {
		rate, noise := r.float(0, "rate", 0.5), r.numbers(1, "noise_shape", -1, nil)
		return dropout(rate, func(s Shape) Shape {
			if noise == nil || len(noise) != len(s) {
				return s
			}
			mask := append(Shape(nil), s...)
			for i, d := range noise {
				if d >= 0 {
					mask[i] = d
				}
			}
			return mask
		})
	},
	"SpatialDropout1D":       spatialDropout(-1),
	"SpatialDropout2D":       spatialDropout(1),
	"SpatialDropout3D":       spatialDropout(1),
	"AlphaDropout":           func(r *argParser) layerImpl { return noise(r, "rate", 1) },
	"GaussianDropout":        func(r *argParser) layerImpl { return noise(r, "rate", 1) },
	"GaussianNoise":          func(r *argParser) layerImpl { return noise(r, "stddev", 0) },
	"ActivityRegularization": func(*argParser) layerImpl { return plain(identity) },
}

// spatialDropout drops whole channels: space shares a mask.
func spatialDropout(format int) layerFactory {
	return func(r *argParser) layerImpl {
		rate, at := r.float(0, "rate", 0.5), layout{}
		if format >= 0 {
			at = r.layout(format)
		}
		return dropout(rate, func(s Shape) Shape {
			mask := at.last(s)
			for i := 1; i < len(mask)-1; i++ {
				mask[i] = 1
			}
			return mask
		})
	}
}

// wholeMask is a mask of the input's own shape.
func wholeMask(s Shape) Shape { return s }

// dropout keeps its mask, a byte an element, for the gradient
// (tf.nn.experimental.stateless_dropout).
func dropout(rate float64, mask func(Shape) Shape) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if rate == 0 || g.mode == predicts {
			return x, nil
		}
		out, op := g.add("Dropout", []*Tensor{x}, x.Shape, x.DType)
		if n, ok := mask(x.Shape).Elements(); ok {
			op.Extra = []int64{round256(n)}
			op.ForwardTemp, op.Random = round256(n*4), true
		}
		g.taped(op, x.Bytes()) // it, scaled, of which some is let through
		if g.eager {
			// The gradient of the choice is made for zero, too, and both before they are scaled
			// (tensorflow/python/ops/math_grad.py, _SelectGradV2).
			op.BackwardTemp = 2 * x.Bytes()
		}
		op.InPlace, op.GradInPlace = true, true
		return out, nil
	}
}

// noise multiplies by noise, or adds some: of the first the gradient keeps that
// many tensors of x's size.
func noise(r *argParser, keyword string, kept int) layerImpl {
	amount := r.float(0, keyword, 1)
	return plain(func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if amount == 0 || g.mode == predicts {
			return x, nil
		}
		out, op := g.add("Noise", []*Tensor{x}, x.Shape, x.DType)
		op.GradInPlace = true
		op.ForwardTemp = x.Bytes()
		for range kept {
			op.Extra = append(op.Extra, x.Bytes())
		}
		g.taped(op, x.Bytes()) // the noise
		return out, nil
	})
}
