package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Placement says on which device TensorFlow makes tensors.
type Placement uint8

const (
	OnDefault Placement = iota // the GPU
	Elsewhere                  // the CPU, or another GPU
	Undecided                  // whichever a tf.device of an unknown name selects
)

// A Buffer is the memory of a tensor. Views of the tensor share it.
type Buffer struct {
	Shape tensor.Shape
	DType tensor.DType
	On    Placement
	Made  syntax.Node // the call that made it; that of an operand for an operator
	// Passing is set for a batch of a dataset, and for what is computed of one: the next batch
	// takes its place.
	Passing bool
	// Copied is set for an array that a dataset, or a method of Keras, copies whole.
	Copied bool
	// Why is why neither shape nor type is known; nil if they are.
	Why *value.Cause
}

// NewBuffer returns the memory of a tensor that TensorFlow makes now.
func (lib *Library) NewBuffer(shape tensor.Shape, d tensor.DType, made syntax.Node) *Buffer {
	return &Buffer{Shape: shape, DType: d, On: lib.On, Made: made}
}

// WithBuffer returns the array as the tensor that has this memory, or with nil as NumPy's array.
func (a *Array) WithBuffer(b *Buffer) value.Value {
	made := *a
	made.Buffer = b
	return value.Value{X: &made}
}

// computed returns what an operator makes of operands, or a method of its object: a tensor if one
// of them is.
func (lib *Library) computed(v value.Value, of ...value.Value) value.Value {
	out, ok := v.X.(*Array)
	if !ok || len(out.Shape) == 0 {
		return v
	}
	var b *Buffer
	for _, x := range of {
		if a, ok := x.X.(*Array); ok && a.Buffer != nil && (b == nil || a.Buffer.Passing) {
			b = a.Buffer
		}
	}
	if b == nil {
		if out.Buffer != nil {
			v.X = out.WithBuffer(nil).X
		}
		return v
	}
	made := lib.NewBuffer(out.Shape, out.DType, b.Made)
	made.Passing = b.Passing
	v.X = out.WithBuffer(made).X
	return v
}

// part returns an indexed part of a tensor. Whole rows share its memory if they begin where the
// allocator's alignment allows (tensorflow/core/kernels/strided_slice_op.cc, IsDim0SliceAligned).
func (a *Array) part(v value.Value, index value.Value) value.Value {
	out, ok := v.X.(*Array)
	if a.Buffer == nil || !ok {
		a.viewing(v, index)
		return v
	}
	if a.rowsAligned(index) {
		v.X = out.WithBuffer(a.Buffer).X
		return v
	}
	return a.Lib.computed(v, value.Value{X: a})
}

// alignment is EIGEN_MAX_ALIGN_BYTES of TensorFlow's builds.
const alignment = 64

func (a *Array) rowsAligned(index value.Value) bool {
	parts, _ := indexParts(index)
	if len(parts) != 1 || len(a.Shape) == 0 {
		return false
	}
	first, ok := parts[0].X.(int64)
	if s, slice := parts[0].X.(value.Slice); slice {
		first, ok = 0, s.Step.X == nil || s.Step.X == (value.None{}) || s.Step.X == int64(1)
		if from, given := s.Start.X.(int64); given {
			first = from
		} else if s.Start.X != nil && s.Start.X != (value.None{}) {
			return false
		}
	}
	if first < 0 {
		first += a.Shape[0]
	}
	row, known := a.Shape[1:].Elements()
	return ok && (first == 0 || known && first > 0 && first*row*a.DType.Size()%alignment == 0)
}

// InHostMemory reports whether tensors of a type stay in host memory whatever the device: those of
// 32-bit integers and strings (tensorflow/core/kernels/identity_op.cc, where _EagerConst is
// registered).
func InHostMemory(d tensor.DType) bool { return d == "int32" || d == "string" }

// joined returns the memory of what is one of two arrays: that of a tensor if both are.
func (a *Array) joined(b *Array, shape tensor.Shape) *Buffer {
	switch {
	case a.Buffer == b.Buffer:
		return a.Buffer
	case a.Buffer == nil || b.Buffer == nil:
		return nil
	}
	one := *a.Buffer
	if !slices.Equal(a.Buffer.Shape, b.Buffer.Shape) {
		one.Shape = shape
	}
	if a.Buffer.On != b.Buffer.On {
		one.On = Undecided
	}
	one.Passing = a.Buffer.Passing || b.Buffer.Passing
	return &one
}
