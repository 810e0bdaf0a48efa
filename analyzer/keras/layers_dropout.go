package keras

var regularizationLayers = map[string]layerClass{
	"Dropout": {noWeights, func(r *argParser) layerImpl {
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
	}},
	"SpatialDropout1D":       {noWeights, spatialDropout(-1)},
	"SpatialDropout2D":       {noWeights, spatialDropout(1)},
	"SpatialDropout3D":       {noWeights, spatialDropout(1)},
	"AlphaDropout":           {noWeights, func(r *argParser) layerImpl { return noise(r, "rate", 1) }},
	"GaussianDropout":        {noWeights, func(r *argParser) layerImpl { return noise(r, "rate", 1) }},
	"GaussianNoise":          {noWeights, func(r *argParser) layerImpl { return noise(r, "stddev", 0) }},
	"ActivityRegularization": {noWeights, func(*argParser) layerImpl { return plain(identity) }},
}

// spatialDropout drops whole channels: all positions share a mask.
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

// wholeMask returns the shape of a mask as large as the input.
func wholeMask(s Shape) Shape { return s }

// dropout keeps its mask, a byte per element, for the gradient
// (tf.nn.experimental.stateless_dropout).
func dropout(rate float64, mask func(Shape) Shape) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if rate == 0 || g.mode == predicts {
			return x, nil
		}
		out, op := g.add(OpDropout, []*Tensor{x}, x.Shape, x.DType)
		if n, ok := mask(x.Shape).Elements(); ok {
			op.Extra = []int64{round256(n)}
			op.ForwardTemp, op.Random = round256(n*4), true
		}
		g.taped(op, x.Bytes()) // the scaled input, part of which passes
		if g.eager {
			// The gradient of the selection is computed for the zeros too, and both before they
			// are scaled (tensorflow/python/ops/math_grad.py, _SelectGradV2).
			op.BackwardTemp = 2 * x.Bytes()
		}
		op.InPlace, op.GradInPlace = true, true
		return out, nil
	}
}

// noise multiplies by noise, or adds noise. The gradient of a product keeps that many tensors of
// x's size.
func noise(r *argParser, keyword string, kept int) layerImpl {
	amount := r.float(0, keyword, 1)
	return plain(func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if amount == 0 || g.mode == predicts {
			return x, nil
		}
		out, op := g.add(OpNoise, []*Tensor{x}, x.Shape, x.DType)
		op.ForwardTemp = x.Bytes()
		for range kept {
			op.Extra = append(op.Extra, x.Bytes())
		}
		g.taped(op, x.Bytes()) // the noise
		return out, nil
	})
}
