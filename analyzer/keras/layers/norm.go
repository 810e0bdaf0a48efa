package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var normalizationLayers = map[string]layerClass{
	"UnitNormalization":      {NoWeights, unitNormalization},
	"BatchNormalization":     {MayHaveWeights, batchNormalizationOf},
	"SyncBatchNormalization": {MayHaveWeights, batchNormalizationOf}, // of keras.layers.experimental
	"LayerNormalization": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		// The fused kernel raises a smaller epsilon
		// (tf_keras/src/layers/normalization/layer_normalization.py, _fused_can_be_used).
		fused := r.keras2() && r.Float(1, "epsilon", 1e-3) >= 1.001e-5
		s := &layerNormalization{fused: fused, perChannel: perChannel{axes: axes(r), center: r.Bool(2, "center", true), scale: r.Bool(3, "scale", true)}}
		if r.Bool(-1, "rms_scaling", false) {
			s.rms, s.center, s.variance = true, false, true
		}
		return s
	}},
	"RMSNormalization": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		return &layerNormalization{perChannel: perChannel{axes: axes(r), scale: true}, rms: true}
	}},
	"GroupNormalization": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		at := r.Number(1, "axis", -1)
		return &groupNormalization{
			perChannel: perChannel{axes: []int64{at}, center: r.Bool(3, "center", true), scale: r.Bool(4, "scale", true)},
			groups:     r.Number(0, "groups", 32),
			weighted:   r.keras2(),
		}
	}},
	"Normalization": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		_, given := r.Get(1, "mean")
		list := axes(r)
		if v, _ := r.Args.Get(0, "axis"); v.X == (value.None{}) {
			list = nil // one mean for all
		}
		return &recorded{axes: list, given: given}
	}},
}

func batchNormalizationOf(r *ArgParser) graph.Impl {
	return &batchNormalization{
		perChannel: perChannel{axes: axes(r), center: r.Bool(3, "center", true), scale: r.Bool(4, "scale", true)},
		renorm:     r.Bool(-1, "renorm", false),
		switched:   r.switches(),
		fused:      r.keras2() && !r.Bool(-1, "renorm", false) && !r.Bool(-1, "synchronized", false),
	}
}

// perChannel is weights along the axes of a normalization: a scale, a center.
type perChannel struct {
	axes          []int64
	scale, center bool
}

// shape returns the shape of the weights: the dimensions that are not reduced.
func (s *perChannel) shape(in []tensor.Shape) ([]int64, error) {
	if len(in) == 0 {
		return nil, value.Because(value.MissingArgument, "it is called without an input")
	}
	at, err := shapes.Within(s.axes, in[0])
	if err != nil {
		return nil, err
	}
	shape := []int64{}
	for _, i := range at {
		if err := graph.CheckKnown(in[0][i], "the dimension it normalizes"); err != nil {
			return nil, err
		}
		shape = append(shape, in[0][i])
	}
	return shape, nil
}

func (s *perChannel) Build(l *graph.Layer, in []tensor.Shape) error {
	shape, err := s.shape(in)
	if err != nil {
		return err
	}
	if s.scale {
		l.Weight("gamma", true, shape...)
	}
	if s.center {
		l.Weight("beta", true, shape...)
	}
	return nil
}

// fits checks an input against the weights.
func (s *perChannel) fits(l *graph.Layer, in []*graph.Tensor) error {
	shape, err := s.shape([]tensor.Shape{in[0].Shape})
	if err != nil {
		return err
	}
	if w := l.Named("gamma"); w != nil {
		for i, d := range w.Shape {
			if shape[i] != d {
				return value.Refused("the weights have the shape %s and the input %s", w.Shape, in[0].Shape)
			}
		}
	}
	return nil
}

// widened runs a normalization in float32 if its input is narrower, as Keras does
// (keras/src/layers/normalization/batch_normalization.py, call).
func widened(g *graph.Graph, x *graph.Tensor, normalize func(x *graph.Tensor) *graph.Tensor) *graph.Tensor {
	if x.DType.Size() >= 4 {
		return normalize(x)
	}
	return graph.Cast(g, normalize(graph.Cast(g, x, "float32")), x.DType)
}

// Rows returns the bytes of one number for each position in the dimensions that are not reduced.
func Rows(x *graph.Tensor, reduced []int) int64 {
	s := x.Shape
	for _, i := range reduced {
		s = s.With(i, 1)
	}
	n, ok := s.Elements()
	if !ok {
		return 0
	}
	return tensor.Round256(n * x.DType.Size())
}

// batchNormalization is BatchNormalization. In Keras 3 it is not fused on TensorFlow's backend.
// In Keras 2 it is one kernel if its input has 4 or 5 dimensions, also if it is frozen, and its
// gradient reads x as it is (tf_keras/src/layers/normalization/batch_normalization.py, build).
type batchNormalization struct {
	perChannel
	renorm, fused, switched bool
}

func (s *batchNormalization) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := s.perChannel.Build(l, in); err != nil {
		return err
	}
	shape, err := s.shape(in)
	if err != nil {
		return err
	}
	statistics := []string{"moving_mean", "moving_variance"}
	if s.renorm {
		statistics = append(statistics, "moving_stddev", "renorm_mean", "renorm_stddev")
	}
	for _, name := range statistics {
		l.Weight(name, false, shape...)
	}
	return nil
}

func (s *batchNormalization) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if err := s.fits(l, in); err != nil {
		return nil, err
	}
	if rank := len(in[0].Shape); s.fused && (rank == 4 || rank == 5) {
		x := in[0]
		out, op := g.Add(graph.OpFusedBatchNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		op.Switched = s.switched
		op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
		return []*graph.Tensor{out}, nil
	}
	if !g.Snapshot.Trains(&l.Trainable) {
		// If frozen, it runs as in inference: a scale and a shift. Their gradients read neither.
		x := in[0]
		out, op := g.Add(graph.OpBatchNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
		g.Taped(op, x.Bytes()) // the input times the scale
		return []*graph.Tensor{out}, nil
	}
	return []*graph.Tensor{widened(g, in[0], func(x *graph.Tensor) *graph.Tensor {
		out, op := g.Add(graph.OpBatchNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		op.KeepsInputs()
		op.Switched = s.switched
		op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
		if g.Eagerly {
			// The tape holds the summand of the shift, for its shape. In training it also holds
			// the squared differences, of which the mean is computed.
			op.Extra = append(op.Extra, x.Bytes())
			if g.Mode != graph.PredictionMode {
				op.Extra = append(op.Extra, x.Bytes())
			}
		}
		op.Normalization = &graph.Normalization{
			Channel: l.Named("moving_mean").Bytes(), Moments: g.Mode != graph.PredictionMode, Scaled: s.scale,
		}
		if g.Mode == graph.PredictionMode {
			// It is x times a scale, and a shift. The scale's gradient is the sum of the incoming
			// gradient times x (tensorflow/python/ops/nn_impl.py, batch_normalization).
			op.BackwardTemp = x.Bytes()
			op.GradInPlace = true
			return out
		}
		// The squared differences of the variance are freed before the output is computed.
		op.BackwardTemp = 2 * x.Bytes()
		op.GradInPlace = true
		return out
	})}, nil
}

// layerNormalization is LayerNormalization and RMSNormalization.
type layerNormalization struct {
	perChannel
	rms bool // divided by the root of the mean square, no mean subtracted
	// variance is set if it divides by the root of the variance, for rms_scaling=: the
	// differences to the mean are kept too.
	variance bool
	// fused is set if the normalization is one kernel in the type of its input, before the scale
	// and the center, as in Keras 2.
	fused bool
}

func (s *layerNormalization) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if err := s.fits(l, in); err != nil {
		return nil, err
	}
	at, err := shapes.Within(s.axes, in[0].Shape)
	if err != nil {
		return nil, err
	}
	normalize := func(x *graph.Tensor) *graph.Tensor {
		out, op := g.Add(graph.OpLayerNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
		if s.scale {
			// The scale times the reciprocal root, broadcast to the input's size, is kept beside
			// the input (keras/src/layers/normalization/layer_normalization.py).
			op.Extra = []int64{x.Bytes()}
		}
		if s.variance {
			op.Extra = append(op.Extra, x.Bytes())
		}
		few := Rows(x, at)
		op.Extra = append(op.Extra, few)
		if !s.rms {
			op.Extra = append(op.Extra, few, few) // the mean, and the scaled mean
			// The squared differences; the input times the scale, and the shift before and after
			// the center is added.
			g.Taped(op, x.Bytes(), x.Bytes(), x.Bytes())
			if s.center {
				g.Taped(op, x.Bytes())
			}
		}
		op.BackwardTemp = x.Bytes()
		return out
	}
	if s.fused {
		return []*graph.Tensor{s.fusedCall(l, g, in[0], at)}, nil
	}
	return []*graph.Tensor{widened(g, in[0], normalize)}, nil
}

// fusedCall adds a batch normalization with one row for each mean, then the scale and the center.
func (s *layerNormalization) fusedCall(l *graph.Layer, g *graph.Graph, x *graph.Tensor, at []int) *graph.Tensor {
	y, norm := g.Add(graph.OpFusedBatchNorm, []*graph.Tensor{x}, x.Shape, x.DType)
	few := Rows(x, at)
	norm.Extra = []int64{few, few, few} // mean, variance, a scale of ones
	if !s.scale && !s.center {
		return y
	}
	z, op := g.Add(graph.OpScale, []*graph.Tensor{y}, y.Shape, y.DType)
	op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
	if s.scale {
		op.KeepsInputs()
	} else {
		op.InPlace = true
	}
	return z
}

// groupNormalization is GroupNormalization
// (keras/src/layers/normalization/group_normalization.py).
type groupNormalization struct {
	perChannel
	groups int64 // -1: a group for each channel
	// weighted is set if the moments are weighted by a mask of ones, as in Keras 2
	// (tf_keras/src/layers/normalization/group_normalization.py).
	weighted bool
}

func (s *groupNormalization) Build(l *graph.Layer, in []tensor.Shape) error {
	shape, err := s.shape(in)
	if err != nil {
		return err
	}
	groups := s.groups
	if groups == -1 {
		groups = shape[0]
	}
	if groups < 1 || shape[0]%groups != 0 {
		return value.Refused("%d channels cannot be split into %d groups", shape[0], groups)
	}
	return s.perChannel.Build(l, in)
}

func (s *groupNormalization) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if err := s.fits(l, in); err != nil {
		return nil, err
	}
	return []*graph.Tensor{widened(g, in[0], func(x *graph.Tensor) *graph.Tensor {
		out, op := g.Add(graph.OpGroupNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		op.Trains(l.Trained(g, l.Named("gamma"), l.Named("beta"))...)
		if batch := x.Shape[0]; batch >= 0 {
			shape, _ := s.shape([]tensor.Shape{x.Shape})
			groups := s.groups
			if groups < 0 {
				groups = shape[0]
			}
			few := tensor.Round256(batch * groups * x.DType.Size())
			op.Extra = []int64{few, few, few}
			if s.scale {
				op.Extra = append(op.Extra, tensor.Round256(batch*shape[0]*x.DType.Size()))
			}
		}
		g.Taped(op, x.Bytes(), x.Bytes()) // the squared differences, and the input times the scale
		if n := x.Bytes(); s.weighted {
			// The mask, zeros, and their sum; the input and the squared differences times the mask
			// (tensorflow/python/ops/nn_impl.py, weighted_moments).
			g.Taped(op, n, n, n, n, n)
		}
		op.BackwardTemp = 2 * x.Bytes()
		op.GradInPlace = true
		return out
	})}, nil
}

// recorded is Normalization: statistics from adapt, or given ones.
type recorded struct {
	axes  []int64
	given bool
}

func (s *recorded) Build(l *graph.Layer, in []tensor.Shape) error {
	if s.given {
		return nil
	}
	n := perChannel{axes: s.axes}
	shape, err := n.shape(in)
	if err != nil {
		return err
	}
	l.Weight("mean", false, shape...)
	l.Weight("variance", false, shape...)
	l.Weight("count", false)
	return nil
}

func (s *recorded) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	out, err := Arithmetic(graph.OpArithmetic)(l, g, in[0])
	return []*graph.Tensor{out}, err
}

// unitNormalization is UnitNormalization: the input times the reciprocal root of its sum of squares
// along the axes (keras/src/layers/normalization/unit_normalization.py;
// keras/src/ops/nn.py, _normalize).
func unitNormalization(r *ArgParser) graph.Impl {
	if v, given := r.Args.Get(0, "axis"); given && v.X == (value.None{}) {
		r.note(value.Refused("axis is None"))
	}
	axes := axes(r)
	return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		at, err := shapes.Within(axes, x.Shape)
		if err != nil {
			return nil, err
		}
		out, op := g.Add(graph.OpUnitNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		few := Rows(x, at)
		// The reciprocal root and the minimum of it and 1/epsilon. tf_keras keeps the sum of squares
		// instead of the minimum (tensorflow/python/ops/nn_impl.py, l2_normalize).
		op.Extra = []int64{few, few}
		g.Taped(op, x.Bytes()) // the squares, of which the sum is computed
		return out, nil
	})
}
