package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A variable is a weight as the program that creates it sees it.
type variable struct {
	base
	h      *host
	weight *Weight
	owner  *Layer // the layer that has it; nil if no layer does
	// foreign is set for a tf.Variable, which Keras 3 does not count.
	foreign bool
}

func (h *host) newVariable(w *Weight, owner *Layer) *variable {
	return &variable{base: "a variable", h: h, weight: w, owner: owner}
}

// read returns the variable's value as a tensor, in the type that its layer computes in
// (keras/src/backend/common/variables.py, autocast).
func (v *variable) read() value.Value {
	owner := v.owner
	w := v.weight
	out := v.h.operate("ReadVariable", nil, nil, func(g *Graph, _ []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		t, op := g.add(OpReadVariable, nil, w.Shape, w.DType)
		op.Read = true
		switch {
		case !w.Trainable:
		case owner != nil:
			op.trains(owner.trained(g, w)...)
		case g.own:
			op.trains(w)
		}
		if owner != nil && owner.DType.Floating() && w.DType.Floating() {
			t = cast(g, t, owner.DType)
		}
		return []*Tensor{t}, nil
	})
	if read, why := symbolOf(out); why == nil {
		read.from.reads = w
	}
	return out
}

func (v *variable) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		return objects.ShapeValue(v.weight.Shape), true
	case "dtype":
		return value.Value{X: string(v.weight.DType)}, true
	case "name":
		return value.Value{X: v.weight.Name}, true
	case "trainable":
		return value.Value{X: v.weight.Trainable}, true
	case "assign", "assign_add", "assign_sub":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "value")
			v.h.assigned(v, to)
			return value.Value{X: v}
		})
	case "value", "read_value":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return v.read() })
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(v.weight.Shape) })
	}
	read := v.read()
	if s, ok := read.X.(*symbolicValue); ok {
		return s.GetAttr(in, name)
	}
	return read, true
}

func (v *variable) SetAttr(_ *value.Interp, name string, to value.Value) {
	if on, ok := to.X.(bool); ok && name == "trainable" {
		v.weight.Trainable = on
	}
}

func (v *variable) GetItem(in *value.Interp, index value.Value) value.Value {
	return in.Index(v.read(), index)
}

func (v *variable) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return v.h.binaryOperator(in, op, v.read(), other, reflected)
}

// A lostVariable is a variable of unknown shape: whatever holds it is unknown too.
type lostVariable struct {
	opaque
	why     *value.Cause
	foreign bool
}

func (v *lostVariable) GetAttr(*value.Interp, string) (value.Value, bool) { return v.unknown(), true }
func (v *lostVariable) GetItem(*value.Interp, value.Value) value.Value    { return v.unknown() }
func (v *lostVariable) Binary(*value.Interp, string, value.Value, bool) value.Value {
	return v.unknown()
}
func (v *lostVariable) WhyLacking() *value.Cause { return v.why }

func (v *lostVariable) unknown() value.Value { return v.why.Unknown() }

// newWeight is tf.Variable and keras.Variable: the shape is that of the initial value. Keras 3
// counts its own among a layer's weights, and not TensorFlow's (keras/src/layers/layer.py,
// _initialize_tracker). Keras 2 counts both (tf_keras/src/engine/base_layer.py, __setattr__).
func (h *host) newWeight(name string, args *value.Args) value.Value {
	foreign := name == "tensorflow.Variable" && h.keras() > 2
	lost := func(why *value.Cause) value.Value {
		return value.Value{X: &lostVariable{opaque{"a variable"}, value.Because(value.ArrayShape, "the shape of a variable is not known: %s", why), foreign}}
	}
	initial, _ := args.Get(0, "initial_value")
	if _, ok := args.Get(-1, "initializer"); ok {
		initial = args.Keywords.Value("initializer")
	}
	shape, d, ok := arrays.Of(initial)
	if given, has := args.Keywords.Get("shape"); has {
		if shape, ok = objects.Dims(given); !ok {
			return lost(objects.Because(given))
		}
		if d == "" {
			d = "float32"
		}
	}
	switch x := initial.X.(type) {
	case *symbolicValue:
		shape, d, ok = x.s.Shape, x.s.DType, true
	case *variable:
		shape, d, ok = x.weight.Shape, x.weight.DType, true
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
	d = h.dtypeArgument(&value.Args{Keywords: args.Keywords}, d)
	if product(shape) < 0 {
		return lost(value.Because(value.ArrayShape, "%s", shape))
	}
	v := h.newVariable(&Weight{Name: "variable", Shape: shape, DType: d, Trainable: trainable}, nil)
	v.foreign = foreign
	return value.Value{X: v}
}
