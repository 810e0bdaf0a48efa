package ops

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions on signals: frames and spectra of waveforms.

// SignalFunctions are those on signals.
var SignalFunctions = []FunctionRow{
	{spectrum, "fft fft2 fft2d fft3d ifft ifft2 ifft2d"},
	{partOfComplex, "real imag angle"},
	{complexNumbers, "complex"},
	{shortTimeFourier, "stft"},
	{framesFunction, "frame"},
	{realSpectrum, "rfft irfft"},
	{partsOfSpectrum, "ops.rfft ops.stft"},
	{spectrumOfParts, "ops.irfft"},
	{framesFunction, "extract_sequences"},
}

// framing says how a signal is cut into frames.
type framing struct {
	length, step int64
	padded       bool // pad_end: the last frames are padded
}

func framingOf(args *value.Args) (framing, *value.Cause) {
	r := &layers.ArgParser{Args: args}
	f := framing{r.Number(1, "frame_length", tensor.None), r.Number(2, "frame_step", tensor.None), false}
	if _, keras := args.Keywords.Get("sequence_length"); keras {
		f.length = r.Number(1, "sequence_length", tensor.None)
	}
	if _, keras := args.Keywords.Get("sequence_stride"); keras {
		f.step = r.Number(2, "sequence_stride", tensor.None)
	}
	position := 5 // of stft
	if _, given := args.Keywords.Get("pad_end"); given {
		position = -1
	}
	f.padded = r.Bool(position, "pad_end", false)
	if r.Why == nil && (f.length < 1 || f.step < 1) {
		r.Why = value.Because(value.ArrayShape, "the length or the step of its frames is not known")
	}
	return f, r.Why
}

// frames adds the frames of the last dimension: the signal is cut into subframes, which are
// gathered (tensorflow/python/ops/signal/shape_ops.py, frame).
func (f framing) frames(g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	n := len(x.Shape)
	if n == 0 {
		return nil, value.Refused("frames of a number")
	}
	length := x.Shape[n-1]
	count := tensor.None
	if length >= 0 {
		count = max(0, 1+(length-f.length)/f.step)
		if f.padded {
			count = (length + f.step - 1) / f.step
			if full := f.length + f.step*(count-1); full > length {
				x = g.Tensor(graph.OpPad, []*graph.Tensor{x}, x.Shape.With(-1, full), x.DType)
				length = full
			}
		}
		part := divisor(f.length, f.step)
		x = g.Tensor(graph.OpStridedSlice, []*graph.Tensor{x}, x.Shape.With(-1, length/part*part), x.DType)
	}
	return g.Tensor(graph.OpGather, []*graph.Tensor{x}, append(slices.Clone(x.Shape[:n-1]), count, f.length), x.DType), nil
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func framesFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	f, why := framingOf(args)
	if axis, given := args.Keywords.Get("axis"); given && axis.X != int64(-1) {
		why = value.Because(value.UnmodelledArgument, "frames of another dimension than the last are not followed")
	}
	if why != nil {
		return why.Unknown()
	}
	return OnOne(h, "Frame", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(f.frames(g, x))
	})
}

// shortTimeFourier is tf.signal.stft: frames, times a window, and the complex spectrum of each
// (tensorflow/python/ops/signal/spectral_ops.py, stft).
func shortTimeFourier(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	f, why := framingOf(args)
	r := &layers.ArgParser{Args: args}
	length := int64(1)
	for length < f.length {
		length *= 2
	}
	if _, given := objects.Given(args, 3, "fft_length"); given {
		length = r.Number(3, "fft_length", tensor.None)
	}
	if why == nil {
		why = r.Why
	}
	if why != nil {
		return h.Unknown(value.UnmodelledOperation, "%s: %s", name, why)
	}
	window, given := args.Get(4, "window_fn")
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		framed, err := f.frames(g, x)
		if err != nil {
			return nil, err
		}
		if !given || window.X != (value.None{}) {
			shaped, op := g.Add(graph.OpMultiply, []*graph.Tensor{framed}, framed.Shape, framed.DType)
			op.InPlace, op.GradInPlace, op.ScalarScale = true, true, true
			framed = shaped
		}
		return []*graph.Tensor{g.Tensor(graph.OpRFFT, []*graph.Tensor{framed}, framed.Shape.With(-1, length/2+1), framed.DType.Complex())}, nil
	})
}

// realSpectrum is the Fourier transform of real numbers, and its inverse.
func realSpectrum(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	length := tensor.None
	if v, given := objects.Given(args, 1, "fft_length"); given {
		n, ok := objects.Dims(v)
		if !ok || len(n) != 1 {
			return h.Unknown(value.ArrayShape, "the length of %s is not known: %s", name, objects.Because(v))
		}
		length = n[0]
	}
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if len(x.Shape) == 0 {
			return nil, value.Refused("%s of a number", name)
		}
		last, d, n := x.Shape.Last(), x.DType.Complex(), length
		if name == "irfft" {
			d = x.DType.Real()
			if n < 0 && last >= 0 {
				n = 2 * (last - 1)
			}
		} else {
			if n < 0 {
				n = last
			}
			if n >= 0 {
				n = n/2 + 1
			}
		}
		return []*graph.Tensor{g.Tensor(graph.OpRFFT, []*graph.Tensor{x}, x.Shape.With(-1, n), d)}, nil
	})
}

// partsOfSpectrum is rfft and stft of keras.ops. They return the real and imaginary parts
// separately. stft's frames are as long as its transforms. By default, the signal is padded so
// that frames are centred (keras/src/backend/tensorflow/math.py, stft).
func partsOfSpectrum(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	c := calls{h, in}
	var of value.Value
	if name == opsPrefix+"rfft" {
		of = realSpectrum(h, in, "rfft", args)
	} else {
		r := &layers.ArgParser{Args: args}
		step, length := r.Number(2, "sequence_stride", tensor.None), r.Number(3, "fft_length", tensor.None)
		x, why := Operand(h, objects.First(args))
		if why = cmp.Or(r.Why, why); why != nil {
			return h.Unknown(value.UnmodelledOperation, "%s: %s", name, why)
		}
		signal := Tensor(h, x)
		if r.Bool(5, "center", true) && len(x.Shape) > 0 {
			both := value.Value{X: length / 2}
			pads := slices.Repeat([]value.Value{{X: value.Tuple{{X: int64(0)}, {X: int64(0)}}}}, len(x.Shape))
			pads[len(pads)-1] = value.Value{X: value.Tuple{both, both}}
			signal = c.do("pad", signal, value.Value{X: value.Tuple(pads)})
		}
		of = c.do("stft", signal, value.Value{X: length}, value.Value{X: step}, value.Value{X: length})
	}
	if !of.Known() {
		return of
	}
	return value.Value{X: value.Tuple{c.do("real", of), c.do("imag", of)}}
}

// spectrumOfParts is keras.ops.irfft, of the two parts of complex numbers.
func spectrumOfParts(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	parts, ok := objects.Sequence(objects.First(args))
	if !ok || len(parts) != 2 {
		return h.Unknown(value.NumberRange, "the parts of complex numbers are not known: %s", objects.Because(objects.First(args)))
	}
	of := calls{h, in}.do("complex", parts...)
	if !of.Known() {
		return of
	}
	rest := &value.Args{Positional: append([]value.Value{of}, args.Positional[min(1, len(args.Positional)):]...), Keywords: args.Keywords, Node: args.Node}
	return realSpectrum(h, in, "irfft", rest)
}

// spectrum is a Fourier transform, of a complex tensor or, with keras.ops, of a pair of tensors.
func spectrum(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if parts, ok := objects.Sequence(objects.First(args)); ok && len(parts) == 2 {
		in, why := Operands(h, parts)
		if why != nil {
			return why.Unknown()
		}
		return Operate(h, name, in, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			real := g.Tensor(graph.OpFFT, in, in[0].Shape, in[0].DType)
			imaginary := g.Tensor(graph.OpFFT, in, in[0].Shape, in[0].DType)
			return []*graph.Tensor{real, imaginary}, nil
		})
	}
	return shaped(h, name, graph.OpFFT, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		return s, nil
	})
}

// partOfComplex returns the real or the imaginary part of complex numbers.
func partOfComplex(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpComplexPart, []*graph.Tensor{x}, x.Shape, x.DType.Real())}, nil
	})
}

// complexNumbers makes complex numbers from their two parts.
func complexNumbers(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	real, _ := args.Get(0, "real")
	imaginary, _ := args.Get(1, "imag")
	return OnAll(h, name, []value.Value{real, imaginary}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := tensor.Broadcast(in[0].Shape, in[1].Shape)
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpComplex, in, shape, in[0].DType.Complex())}, nil
	})
}
