package ops

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// sharing are the functions whose result is their argument, or has its memory
// (tensorflow/core/kernels: reshape_op.h, identity_op.h, shape_ops.h).
var sharing = []string{"convert_to_tensor", "convert_to_tensor_v2", "constant", "identity", "reshape", "expand_dims", "squeeze", "ensure_shape", "stop_gradient"}

// Placed gives the tensors that a call makes their memory, and NumPy's arrays none.
func Placed(h *state.Host, name string, args *value.Args, v value.Value) value.Value {
	short := name[strings.LastIndexByte(name, '.')+1:]
	tensors := MakesTensor(name)
	if !tensors && !strings.HasPrefix(name, "numpy.") && short != "preprocess_input" {
		return made(v, args)
	}
	var of *numpy.Buffer
	passing := false
	for _, given := range args.Positional {
		Each(given, func(x value.Value) value.Value {
			if a, ok := x.X.(*numpy.Array); ok && a.Buffer != nil {
				passing = passing || a.Buffer.Passing
				if of == nil {
					of = a.Buffer
				}
			}
			return x
		})
	}
	if short == "preprocess_input" { // returns what it is given
		tensors = of != nil
	}
	v = Each(v, func(x value.Value) value.Value {
		a, ok := x.X.(*numpy.Array)
		switch {
		case !ok || !tensors && a.Buffer == nil:
		case !tensors:
			x.X = a.WithBuffer(nil).X
		case len(a.Shape) > 0:
			buffer := h.Arrays.NewBuffer(a.Shape, a.DType, args.Node)
			buffer.Passing = passing
			if of != nil && of.DType == a.DType && (slices.Contains(sharing, short) || short == "cast" && slices.Equal(of.Shape, a.Shape)) {
				buffer = of
			}
			x.X = a.WithBuffer(buffer).X
		}
		return x
	})
	if of, is := value.Positional(args, 0).X.(*numpy.Array); is && name == "numpy.broadcast_to" {
		if a, ok := v.X.(*numpy.Array); ok {
			a.ViewOf(of)
		}
	}
	return made(v, args)
}

// made notes the call that makes arrays of NumPy.
func made(v value.Value, args *value.Args) value.Value {
	return Each(v, func(x value.Value) value.Value {
		if a, ok := x.X.(*numpy.Array); ok && a.Buffer == nil && !a.Made.Valid() {
			a.Made = args.Node
		}
		return x
	})
}

// deviceScope is tf.device: where tensors are made that its body makes.
type deviceScope struct {
	state.Opaque
	h          *state.Host
	on, before numpy.Placement
}

// Device is tf.device. A program with one GPU has no other default.
func Device(c *state.Call) value.Value {
	s := &deviceScope{Opaque: state.Opaque{Base: "a device scope"}, h: c.H, on: numpy.Undecided}
	v, _ := c.Args.Get(0, "device_name")
	switch x := v.X.(type) {
	case value.None:
		s.on = numpy.OnDefault
	case string:
		s.on = placementOf(x)
	}
	return value.Value{X: s}
}

// placementOf returns where a device of a name is: "/device:GPU:0", "cpu:0", "GPU".
func placementOf(name string) numpy.Placement {
	kind, index, _ := strings.Cut(strings.ToUpper(name[strings.LastIndexByte(name, '/')+1:]), ":")
	if kind == "DEVICE" {
		kind, index, _ = strings.Cut(index, ":")
	}
	switch {
	case kind == "GPU" && (index == "" || index == "0"):
		return numpy.OnDefault
	case kind == "GPU", kind == "CPU":
		return numpy.Elsewhere
	}
	return numpy.Undecided
}

func (s *deviceScope) Enter(*value.Interp) value.Value {
	s.before, s.h.Arrays.On = s.h.Arrays.On, s.on
	return value.Value{X: s}
}

func (s *deviceScope) Exit(*value.Interp) { s.h.Arrays.On = s.before }

// DataTerm returns what a buffer takes of the device. ok is false if it takes nothing: the tensor is
// elsewhere, or the batch that it belongs to is priced with the step.
func DataTerm(b *numpy.Buffer, what string) (term graph.DataTerm, ok bool) {
	if b == nil || b.Passing || b.On == numpy.Elsewhere || numpy.InHostMemory(b.DType) {
		return term, false
	}
	term = graph.DataTerm{What: what, Node: b.Made, Copied: b.Copied}
	n, known := b.Shape.Elements()
	switch {
	case b.Why != nil:
		term.Unknown = value.Because(value.ArrayShape, "the shape is not known: %s", b.Why)
	case known && b.DType != "":
		term.Bytes = n * b.DType.Size()
	default:
		term.Unknown = value.Because(value.ArrayShape, "the shape is %s", b.Shape)
	}
	return term, true
}

// MadeBy says which call made a tensor.
func MadeBy(call syntax.Node) string {
	f := call.Child(syntax.FieldFunction)
	if name := f.Child(syntax.FieldAttribute); name.Valid() {
		f = name
	}
	if !f.Valid() {
		return "a tensor"
	}
	return "the tensor of " + f.Text() + "()"
}

// Whole returns the memory of an array that a call hands to TensorFlow whole: that which it has as a
// tensor, else new one.
func Whole(h *state.Host, a *numpy.Array, call syntax.Node) *numpy.Buffer {
	if a.Buffer != nil {
		return a.Buffer
	}
	b := h.Arrays.NewBuffer(a.Shape, a.DType, call)
	b.Copied = true
	return b
}
