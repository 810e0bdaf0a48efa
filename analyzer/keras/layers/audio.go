package layers

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// soundLayers compute spectrograms of waveforms.
var soundLayers = map[string]layerClass{
	"MelSpectrogram": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		frequencies, stride, bins := r.Number(0, "fft_length", 2048), r.Number(1, "sequence_stride", 512), r.Number(5, "num_mel_bins", 128)
		return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			n := len(x.Shape)
			if n < 1 || n > 2 || stride < 1 {
				return nil, value.Refused("it expects waves and gets %s", x.Shape)
			}
			frames := x.Shape[n-1]
			if frames >= 0 {
				frames = (frames + stride + 1) / stride
			}
			out, op := g.Add(graph.OpMelSpectrogram, []*graph.Tensor{x}, append(append(tensor.Shape(nil), x.Shape[:n-1]...), bins, frames), l.DType)
			if few, ok := out.Shape.With(-2, frequencies/2+1).Elements(); ok {
				op.ForwardTemp = tensor.Round256(3 * few * l.DType.Size()) // the real and the imaginary part, and their sum
			}
			return out, nil
		})
	}},
	"STFTSpectrogram": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		s := &spectrogram{mode: r.Text(0, "mode", "log"), frame: r.Number(1, "frame_length", 256), padding: "valid", at: r.layout(9), apart: r.Bool(8, "expand_dims", false)}
		s.step = r.Number(2, "frame_step", s.frame/2)
		s.padding = r.Text(7, "padding", "valid")
		length := int64(1)
		for length < s.frame && length < 1<<40 {
			length *= 2
		}
		s.frequencies = r.Number(3, "fft_length", length)/2 + 1
		return s
	}},
}

// spectrogram is STFTSpectrogram: convolutions with sine waves as kernels, which may be trained
// (keras/src/layers/preprocessing/stft_spectrogram.py).
type spectrogram struct {
	mode        string
	frame, step int64
	frequencies int64
	padding     string
	at          Layout
	apart       bool // expand_dims: channels are not folded into frequencies
}

func (s *spectrogram) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := graph.Checks(graph.CheckRank(in, 3), positive(s.frame, "frame_length")); err != nil {
		return err
	}
	if s.mode != "imag" {
		l.Weight("real_kernel", true, s.frame, 1, s.frequencies)
	}
	if s.mode != "real" {
		l.Weight("imag_kernel", true, s.frame, 1, s.frequencies)
	}
	return nil
}

func (s *spectrogram) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	shape := s.at.last(x.Shape)
	channels := shape.Last()
	if err := graph.CheckKnown(channels, "the number of channels of its input"); err != nil {
		return nil, err
	}
	frames, err := Window(shape[1], s.frame, s.step, s.padding)
	if err != nil {
		return nil, err
	}
	frequencies := s.frequencies
	if s.mode == "stft" {
		frequencies *= 2
	}
	out := s.at.back(tensor.Shape{shape[0], frames, frequencies * channels})
	if s.apart {
		if out = (tensor.Shape{shape[0], frames, frequencies, channels}); s.at.first {
			out = tensor.Shape{shape[0], channels, frames, frequencies}
		}
	}
	y, op := g.Add(graph.OpSpectrogram, []*graph.Tensor{x}, out, l.DType)
	op.Trains(l.Trained(g, l.Weights...)...)
	op.Extra = slices.Repeat([]int64{x.Bytes()}, len(l.Weights)) // each convolution takes the waves with their channels in front
	if s.mode != "real" && s.mode != "imag" && s.mode != "stft" {
		op.Extra = append(op.Extra, slices.Repeat([]int64{y.Bytes()}, 6)...) // both parts, the sum of their squares, its root, its logarithm
	}
	return []*graph.Tensor{y}, nil
}
