package ops

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Variable is a weight as the program that creates it sees it.
type Variable struct {
	value.Base
	h      *state.Host
	Weight *graph.Weight
	Owner  *graph.Layer // the layer that has it; nil if no layer does
	// Foreign is set for a tf.Variable, which Keras 3 does not count.
	Foreign bool
	// Buffer is the memory of a variable of the program's own.
	Buffer *numpy.Buffer
}

func NewVariable(h *state.Host, w *graph.Weight, owner *graph.Layer) *Variable {
	return &Variable{Base: "a variable", h: h, Weight: w, Owner: owner}
}

// read returns the variable's value as a tensor, in the type that its layer computes in
// (keras/src/backend/common/variables.py, autocast).
func (v *Variable) read() value.Value {
	w := v.Weight
	out := Operate(v.h, "ReadVariable", nil, nil, func(g *graph.Graph, _ []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		t, op := g.Add(graph.OpReadVariable, nil, w.Shape, w.DType)
		op.Read = true
		op.Trains(v.trained(g)...)
		if v.casts() {
			t = graph.Cast(g, t, v.Owner.DType)
		}
		return []*graph.Tensor{t}, nil
	})
	if read, why := symbolOf(out); why == nil {
		read.From.Reads = w
	}
	return out
}

// casts reports whether readers see the variable in another type.
func (v *Variable) casts() bool {
	return v.Owner != nil && v.Owner.DType != v.Weight.DType && v.Owner.DType.Floating() && v.Weight.DType.Floating()
}

// trained returns the weights that the gradient of a read is of.
func (v *Variable) trained(g *graph.Graph) []*graph.Weight {
	switch {
	case !v.Weight.Trainable:
	case v.Owner != nil:
		return v.Owner.Trained(g, v.Weight)
	case g.Own:
		return []*graph.Weight{v.Weight}
	}
	return nil
}

func (v *Variable) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		return objects.ShapeValue(v.Weight.Shape), true
	case "dtype":
		return value.Value{X: string(v.Weight.DType)}, true
	case "name":
		return value.Value{X: v.Weight.Name}, true
	case "trainable":
		return value.Value{X: v.Weight.Trainable}, true
	case "assign", "assign_add", "assign_sub":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "value")
			assigned(v.h, v, to)
			return value.Value{X: v}
		})
	case "value", "read_value":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return v.read() })
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(v.Weight.Shape) })
	}
	read := v.read()
	if s, ok := read.X.(*SymbolicValue); ok {
		return s.GetAttr(in, name)
	}
	return read, true
}

func (v *Variable) SetAttr(_ *value.Interp, name string, to value.Value) {
	if on, ok := to.X.(bool); ok && name == "trainable" {
		v.Weight.Trainable = on
	}
}

func (v *Variable) GetItem(in *value.Interp, index value.Value) value.Value {
	return interp.Index(in, v.read(), index)
}

func (v *Variable) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return binaryOperator(v.h, in, op, v.read(), other, reflected)
}

// A LostVariable is a variable of unknown shape: whatever holds it is unknown too.
type LostVariable struct {
	state.Opaque
	Why     *value.Cause
	Foreign bool
}

func (v *LostVariable) GetAttr(*value.Interp, string) (value.Value, bool) { return v.unknown(), true }

func (v *LostVariable) GetItem(*value.Interp, value.Value) value.Value { return v.unknown() }

func (v *LostVariable) Binary(*value.Interp, string, value.Value, bool) value.Value {
	return v.unknown()
}

func (v *LostVariable) WhyLacking() *value.Cause { return v.Why }

func (v *LostVariable) unknown() value.Value { return v.Why.Unknown() }

// NewWeight is tf.Variable and keras.Variable: the shape is that of the initial value. Keras 3
// counts its own among a layer's weights, and not TensorFlow's (keras/src/layers/layer.py,
// _initialize_tracker). Keras 2 counts both (tf_keras/src/engine/base_layer.py, __setattr__).
func NewWeight(h *state.Host, name string, args *value.Args) value.Value {
	foreign := name == "tensorflow.Variable" && h.Keras() > 2
	lost := func(why *value.Cause) value.Value {
		return value.Value{X: &LostVariable{state.Opaque{Base: "a variable"}, value.Because(value.ArrayShape, "the shape of a variable is not known: %s", why), foreign}}
	}
	initial, _ := args.Get(0, "initial_value")
	if _, ok := args.Get(-1, "initializer"); ok {
		initial = args.Keywords.Value("initializer")
	}
	shape, d, ok := numpy.Of(initial)
	if given, has := args.Keywords.Get("shape"); has {
		if shape, ok = objects.Dims(given); !ok {
			return lost(objects.Because(given))
		}
		if d == "" {
			d = "float32"
		}
	}
	switch x := initial.X.(type) {
	case *SymbolicValue:
		shape, d, ok = x.S.Shape, x.S.DType, true
	case *Variable:
		shape, d, ok = x.Weight.Shape, x.Weight.DType, true
	}
	if !ok {
		return lost(objects.Because(initial))
	}
	if d == "float64" && name == "tensorflow.keras.Variable" {
		d = "float32"
	}
	trainable := true
	if on, ok := args.Keywords.Value("trainable").X.(bool); ok {
		trainable = on
	}
	d = numpy.DTypeArgument(&value.Args{Keywords: args.Keywords}, d)
	if shape.Product() < 0 {
		return lost(value.Because(value.ArrayShape, "%s", shape))
	}
	v := NewVariable(h, &graph.Weight{Name: "variable", Shape: shape, DType: d, Trainable: trainable}, nil)
	v.Foreign = foreign
	// A variable takes over the memory of a tensor (tensorflow/core/kernels/resource_variable_ops.cc,
	// AssignVariableOp).
	v.Buffer = h.Arrays.NewBuffer(shape, d, args.Node)
	if a, ok := initial.X.(*numpy.Array); ok && a.Buffer != nil && a.DType == d {
		v.Buffer = a.Buffer
	}
	return value.Value{X: v}
}
