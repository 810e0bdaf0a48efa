package keras

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions on signals: frames and spectra of waveforms.

// signalFunctions are those on signals.
var signalFunctions = []functionRow{
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
	r := &argParser{args: args}
	f := framing{r.number(1, "frame_length", None), r.number(2, "frame_step", None), false}
	if _, keras := args.Keywords.Get("sequence_length"); keras {
		f.length = r.number(1, "sequence_length", None)
	}
	if _, keras := args.Keywords.Get("sequence_stride"); keras {
		f.step = r.number(2, "sequence_stride", None)
	}
	position := 5 // of stft
	if _, given := args.Keywords.Get("pad_end"); given {
		position = -1
	}
	f.padded = r.bool(position, "pad_end", false)
	if r.why == nil && (f.length < 1 || f.step < 1) {
		r.why = value.Because(value.ArrayShape, "the length or the step of its frames is not known")
	}
	return f, r.why
}

// frames adds the frames of the last dimension: the signal is cut into subframes, which are
// gathered (tensorflow/python/ops/signal/shape_ops.py, frame).
func (f framing) frames(g *Graph, x *Tensor) (*Tensor, error) {
	n := len(x.Shape)
	if n == 0 {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: frames of a number")
	}
	length := x.Shape[n-1]
	count := None
	if length >= 0 {
		count = max(0, 1+(length-f.length)/f.step)
		if f.padded {
			count = (length + f.step - 1) / f.step
			if full := f.length + f.step*(count-1); full > length {
				x = g.tensor(OpPad, []*Tensor{x}, x.Shape.With(-1, full), x.DType)
				length = full
			}
		}
		part := divisor(f.length, f.step)
		x = g.tensor(OpStridedSlice, []*Tensor{x}, x.Shape.With(-1, length/part*part), x.DType)
	}
	return g.tensor(OpGather, []*Tensor{x}, append(slices.Clone(x.Shape[:n-1]), count, f.length), x.DType), nil
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func framesFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	f, why := framingOf(args)
	if axis, given := args.Keywords.Get("axis"); given && axis.X != int64(-1) {
		why = value.Because(value.UnmodelledArgument, "frames of another dimension than the last are not followed")
	}
	if why != nil {
		return why.Unknown()
	}
	return h.onOne("Frame", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return one(f.frames(g, x))
	})
}

// shortTimeFourier is tf.signal.stft: frames, times a window, and the complex spectrum of each
// (tensorflow/python/ops/signal/spectral_ops.py, stft).
func shortTimeFourier(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	f, why := framingOf(args)
	r := &argParser{args: args}
	length := int64(1)
	for length < f.length {
		length *= 2
	}
	if v, given := args.Get(3, "fft_length"); given {
		if _, none := v.X.(value.None); !none {
			length = r.number(3, "fft_length", None)
		}
	}
	if why == nil {
		why = r.why
	}
	if why != nil {
		return h.unknown(value.UnmodelledOperation, "%s: %s", name, why)
	}
	window, given := args.Get(4, "window_fn")
	_, bare := window.X.(value.None)
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		framed, err := f.frames(g, x)
		if err != nil {
			return nil, err
		}
		if !given || !bare {
			shaped, op := g.add(OpMultiply, []*Tensor{framed}, framed.Shape, framed.DType)
			op.InPlace, op.GradInPlace, op.ScalarScale = true, true, true
			framed = shaped
		}
		return []*Tensor{g.tensor(OpRFFT, []*Tensor{framed}, framed.Shape.With(-1, length/2+1), complexOf(framed.DType))}, nil
	})
}

// realSpectrum is the Fourier transform of real numbers, and its inverse.
func realSpectrum(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	length := None
	if v, given := args.Get(1, "fft_length"); given {
		switch n, ok := objects.Dims(v); {
		case ok && len(n) == 1:
			length = n[0]
		default:
			if _, none := v.X.(value.None); !none {
				return h.unknown(value.ArrayShape, "the length of %s is not known: %s", name, objects.Because(v))
			}
		}
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(x.Shape) == 0 {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %s of a number", name)
		}
		last, d, n := x.Shape.Last(), complexOf(x.DType), length
		if name == "irfft" {
			d = realOf(x.DType)
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
		return []*Tensor{g.tensor(OpRFFT, []*Tensor{x}, x.Shape.With(-1, n), d)}, nil
	})
}

// partsOfSpectrum is rfft and stft of keras.ops. They return the real and imaginary parts
// separately. stft's frames are as long as its transforms. By default, the signal is padded so
// that frames are centred (keras/src/backend/tensorflow/math.py, stft).
func partsOfSpectrum(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	c := calls{h, in}
	var of value.Value
	if name == opsPrefix+"rfft" {
		of = realSpectrum(h, in, "rfft", args)
	} else {
		r := &argParser{args: args}
		step, length := r.number(2, "sequence_stride", None), r.number(3, "fft_length", None)
		x, why := h.operand(objects.First(args))
		if why = cmp.Or(r.why, why); why != nil {
			return h.unknown(value.UnmodelledOperation, "%s: %s", name, why)
		}
		signal := h.tensor(x)
		if r.bool(5, "center", true) && len(x.Shape) > 0 {
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
func spectrumOfParts(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	parts, ok := objects.Sequence(objects.First(args))
	if !ok || len(parts) != 2 {
		return h.unknown(value.NumberRange, "the parts of complex numbers are not known: %s", objects.Because(objects.First(args)))
	}
	of := calls{h, in}.do("complex", parts...)
	if !of.Known() {
		return of
	}
	rest := &value.Args{Positional: append([]value.Value{of}, args.Positional[min(1, len(args.Positional)):]...), Keywords: args.Keywords, Node: args.Node}
	return realSpectrum(h, in, "irfft", rest)
}

// complexOf returns the complex type with parts of type d.
func complexOf(d DType) DType {
	if d == "float64" {
		return "complex128"
	}
	return "complex64"
}

// realOf returns the type of the parts of a complex type, or d itself if it is not complex.
func realOf(d DType) DType {
	switch d {
	case "complex64":
		return "float32"
	case "complex128":
		return "float64"
	}
	return d
}

// spectrum is a Fourier transform, of a complex tensor or, with keras.ops, of a pair of tensors.
func spectrum(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if parts, ok := objects.Sequence(objects.First(args)); ok && len(parts) == 2 {
		in, why := h.operands(parts)
		if why != nil {
			return why.Unknown()
		}
		return h.operate(name, in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			real := g.tensor(OpFFT, in, in[0].Shape, in[0].DType)
			imaginary := g.tensor(OpFFT, in, in[0].Shape, in[0].DType)
			return []*Tensor{real, imaginary}, nil
		})
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpFFT, []*Tensor{x}, x.Shape, x.DType)}, nil
	})
}

// partOfComplex returns the real or the imaginary part of complex numbers.
func partOfComplex(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpComplexPart, []*Tensor{x}, x.Shape, realOf(x.DType))}, nil
	})
}

// complexNumbers makes complex numbers from their two parts.
func complexNumbers(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	real, _ := args.Get(0, "real")
	imaginary, _ := args.Get(1, "imag")
	pair, why := h.operands([]value.Value{real, imaginary})
	if why != nil {
		return why.Unknown()
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := tensor.Broadcast(in[0].Shape, in[1].Shape)
		if err != nil {
			return nil, err
		}
		return []*Tensor{g.tensor(OpComplex, in, shape, complexOf(in[0].DType))}, nil
	})
}
