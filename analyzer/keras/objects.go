package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// base answers for what an object does not do.
type base struct{ what string }

func (b base) Attr(*value.Interp, string) (value.Value, bool)  { return value.Value{}, false }
func (b base) SetAttr(*value.Interp, string, value.Value) bool { return false }
func (b base) Iterate(*value.Interp) ([]value.Value, bool)     { return nil, false }
func (b base) Index(*value.Interp, value.Value) value.Value    { return b.unknown("an item of ") }
func (b base) Call(*value.Interp, *value.Args) value.Value     { return b.unknown("a call of ") }
func (b base) Binary(*value.Interp, string, value.Value, bool) value.Value {
	return b.unknown("arithmetic with ")
}

func (b base) unknown(how string) value.Value {
	return value.Value{X: value.Unknown{Why: how + b.what + " is not followed"}}
}

// opaque is an object of a library of which only what it is matters.
type opaque struct{ base }

func (opaque) SetAttr(*value.Interp, string, value.Value) bool { return true }

// method makes a value of a function.
func method(f func(in *value.Interp, args *value.Args) value.Value) (value.Value, bool) {
	return value.Value{X: value.Method(f)}, true
}

// nothing is a method whose result does not matter.
func nothing(*value.Interp, *value.Args) value.Value { return value.Value{X: value.None{}} }

// shapeValue is a shape as Python sees it.
func shapeValue(s Shape) value.Value {
	var t value.Tuple
	for _, d := range s {
		if d < 0 {
			t = append(t, value.Value{X: value.None{}})
		} else {
			t = append(t, value.Value{X: d})
		}
	}
	return value.Value{X: t}
}

// symbolicValue is a tensor of a model.
type symbolicValue struct {
	base
	h *host
	s *Symbolic
}

func (v *symbolicValue) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		return shapeValue(v.s.Shape), true
	case "dtype":
		return value.Value{X: string(v.s.DType)}, true
	case "name":
		return value.Value{X: "keras_tensor"}, true
	case "get_shape":
		return method(func(*value.Interp, *value.Args) value.Value { return shapeValue(v.s.Shape) })
	}
	return value.Value{}, false
}

// operator makes the layer of an operator on symbolic tensors.
func (v *symbolicValue) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	name := map[string]string{"+": "Add", "-": "Subtract", "*": "Multiply", "/": "Divide"}[op]
	if name == "" {
		return v.h.unknown("the operator %s on a tensor of a model is not followed", op)
	}
	switch x := other.X.(type) {
	case *symbolicValue:
		s := elementwise(name)
		if name == "Divide" {
			s = elementwise("Multiply")
		}
		l := &Layer{Class: name, Name: v.h.uniqueName(name), Trainable: true, DType: v.s.DType, spec: s}
		pair := value.Tuple{{X: v}, {X: x}}
		if reflected {
			pair[0], pair[1] = pair[1], pair[0]
		}
		return v.h.apply(l, value.Value{X: pair})
	case int64, float64:
		l := &Layer{Class: name, Name: v.h.uniqueName(name), Trainable: true, DType: v.s.DType, spec: arithmetic(name)}
		return v.h.apply(l, value.Value{X: v})
	}
	return v.h.unknown("the operator %s on a tensor of a model and something else is not followed", op)
}

// layerValue is a layer.
type layerValue struct {
	base
	h     *host
	layer *Layer
	input *value.Value // input_shape=
}

func (v *layerValue) Call(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return v.h.unknown("the layer %s is called without an input", v.layer.Name)
	}
	x := args.Positional[0]
	if len(args.Positional) > 1 {
		if _, ok := args.Positional[1].X.(*symbolicValue); ok {
			return v.h.unknown("a call of %s with several tensors is not followed", v.layer.Class)
		}
	}
	return v.h.apply(v.layer, x)
}

func (v *layerValue) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "name":
		return value.Value{X: v.layer.Name}, true
	case "trainable":
		return value.Value{X: v.layer.Trainable}, true
	case "output_shape":
		if v.layer.Output != nil {
			return shapeValue(v.layer.Output), true
		}
	case "units", "filters":
		return value.Value{}, false
	case "adapt", "build", "set_weights", "get_weights":
		return method(nothing)
	}
	return value.Value{}, false
}

func (v *layerValue) SetAttr(in *value.Interp, name string, to value.Value) bool {
	if name == "trainable" {
		on, ok := to.X.(bool)
		if ok {
			v.layer.setTrainable(on)
		}
		return ok
	}
	return true
}

// optimizerValue is an optimizer.
type optimizerValue struct {
	opaque
	optimizer *Optimizer
}

// modelValue is a model.
type modelValue struct {
	base
	h     *host
	model *Model
	layer *Layer // the model as a layer of others
}

func (v *modelValue) asLayer() *Layer {
	if v.layer == nil {
		v.layer = v.model.asLayer()
	}
	return v.layer
}

// add is Sequential.add.
func (v *modelValue) add(item value.Value) {
	m := v.model
	if why := v.h.maybe(); why != "" && m.Node.Valid() {
		m.unresolved("whether a layer is added depends on what is not known: " + why)
	}
	switch x := item.X.(type) {
	case *layerValue:
		if len(m.Inputs) == 0 && x.input != nil {
			shape, ok := whole(*x.input)
			if n, single := x.input.Int(); single {
				shape, ok = []int64{n}, true
			}
			if !ok {
				m.unresolved("input_shape is not known: " + because(*x.input))
				return
			}
			m.input(append(Shape{None}, shape...), inputType(x.layer))
		}
		m.add(x.layer)
	case *modelValue:
		if len(m.Inputs) == 0 && x.model.Built() && len(m.stack) == 0 {
			m.input(x.model.Inputs[0].Shape, x.model.Inputs[0].DType)
		}
		m.add(x.asLayer())
	case *symbolicValue:
		if len(m.Inputs) == 0 && len(m.stack) == 0 {
			m.input(x.s.Shape, x.s.DType)
			return
		}
		m.unresolved("an input is added behind other layers")
	default:
		why := item.Why()
		if why == "" {
			why = "something is added that is no layer that is known"
		}
		m.unresolved(why)
	}
}

// inputType is the type of the input that a first layer takes.
func inputType(l *Layer) DType {
	if l.Class == "Embedding" {
		return "int32"
	}
	return "float32"
}

func (v *modelValue) Call(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) == 0 {
		return v.h.unknown("the model %s is called without an input", v.model.Name)
	}
	v.forward(args)
	if len(v.model.Unresolved) > 0 {
		return v.h.unknown("%s", v.model.Unresolved[0])
	}
	return v.h.apply(v.asLayer(), args.Positional[0])
}

// forward notes a call of the model on arrays.
func (v *modelValue) forward(args *value.Args) {
	u := &Use{Method: "__call__", Node: args.Node, Model: v.model}
	for _, part := range flat(args.Positional[0]) {
		shape, d, ok := arrayOf(part)
		if !ok || len(shape) == 0 {
			return
		}
		if u.Batch.X == nil {
			u.Batch = value.Value{X: shape[0]}
		}
		u.Inputs = append(u.Inputs, Input{shape[1:], d})
	}
	v.h.program.Forwards = append(v.h.program.Forwards, u)
}

func (v *modelValue) SetAttr(in *value.Interp, name string, to value.Value) bool {
	switch name {
	case "trainable":
		on, ok := to.X.(bool)
		if ok {
			v.model.setTrainable(on)
		}
		return ok
	case "optimizer":
		if o, ok := to.X.(*optimizerValue); ok {
			v.model.Optimizer = o.optimizer
		}
	}
	return true
}

func (v *modelValue) Attr(in *value.Interp, name string) (value.Value, bool) {
	m := v.model
	switch name {
	case "name":
		return value.Value{X: m.Name}, true
	case "trainable":
		return value.Value{X: m.Trainable}, true
	case "layers":
		var list value.List
		list.Items = v.listed()
		return value.Value{X: &list}, len(m.Unresolved) == 0
	case "input", "inputs":
		return v.symbolic(m.Inputs, name == "input")
	case "output", "outputs":
		return v.symbolic(m.Outputs, name == "output")
	case "input_shape":
		if len(m.Inputs) == 1 {
			return shapeValue(m.Inputs[0].Shape), true
		}
	case "output_shape":
		if len(m.Outputs) == 1 {
			return shapeValue(m.Outputs[0].Shape), true
		}
	case "add":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			if layer, ok := args.Get(0, "layer"); ok {
				v.add(layer)
			}
			return value.Value{X: value.None{}}
		})
	case "pop":
		return method(func(*value.Interp, *value.Args) value.Value {
			m.unresolved("a layer is taken off it with pop()")
			return value.Value{X: value.None{}}
		})
	case "get_layer":
		return method(v.getLayer)
	case "build":
		return method(v.build)
	case "compile":
		return method(v.compile)
	case "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator":
		return method(func(in *value.Interp, args *value.Args) value.Value { return v.use(in, name, args) })
	case "summary", "save", "save_weights", "load_weights", "set_weights", "reset_states":
		return method(nothing)
	case "count_params":
		return method(func(*value.Interp, *value.Args) value.Value {
			all, _ := m.Parameters()
			return value.Value{X: all}
		})
	}
	return value.Value{}, false
}

// listed are the model's layers, as model.layers has them: with the inputs of a
// functional model.
func (v *modelValue) listed() []value.Value {
	var out []value.Value
	if v.model.Class != "Sequential" {
		for range v.model.Inputs {
			out = append(out, value.Value{X: &layerValue{h: v.h, layer: &Layer{Class: "InputLayer", Name: "input_layer", spec: plain(identity)}}})
		}
	}
	for _, l := range v.model.Layers() {
		if l.Inner != nil {
			out = append(out, value.Value{X: &modelValue{h: v.h, model: l.Inner, layer: l}})
			continue
		}
		out = append(out, value.Value{X: &layerValue{h: v.h, layer: l}})
	}
	return out
}

func (v *modelValue) symbolic(list []*Symbolic, single bool) (value.Value, bool) {
	if len(list) == 0 || len(v.model.Unresolved) > 0 {
		why := "the model is not built"
		if len(v.model.Unresolved) > 0 {
			why = v.model.Unresolved[0]
		}
		return v.h.unknown("%s", why), true
	}
	if single && len(list) == 1 {
		return value.Value{X: &symbolicValue{h: v.h, s: list[0]}}, true
	}
	var out value.List
	for _, s := range list {
		out.Items = append(out.Items, value.Value{X: &symbolicValue{h: v.h, s: s}})
	}
	return value.Value{X: &out}, true
}

func (v *modelValue) getLayer(_ *value.Interp, args *value.Args) value.Value {
	name, _ := args.Get(0, "name")
	want, _ := name.X.(string)
	for _, n := range v.model.nodes {
		if n.layer.Name == want {
			return value.Value{X: &calledLayer{layerValue{h: v.h, layer: n.layer}, n}}
		}
	}
	return v.h.unknown("the layer %q of %s is not known", want, v.model.Name)
}

// calledLayer is a layer of a model whose output can be asked for.
type calledLayer struct {
	layerValue
	node *node
}

func (v *calledLayer) Attr(in *value.Interp, name string) (value.Value, bool) {
	if name == "output" && len(v.node.out) == 1 {
		return value.Value{X: &symbolicValue{h: v.h, s: v.node.out[0]}}, true
	}
	return v.layerValue.Attr(in, name)
}

func (v *modelValue) build(_ *value.Interp, args *value.Args) value.Value {
	if shape, ok := args.Get(0, "input_shape"); ok && v.model.Class == "Sequential" && len(v.model.Inputs) == 0 {
		if s, ok := whole(shape); ok && len(s) > 0 {
			v.model.input(s, "float32")
		} else {
			v.model.unresolved("the shape it is built with is not known: " + because(shape))
		}
	}
	return value.Value{X: value.None{}}
}

func (v *modelValue) compile(_ *value.Interp, args *value.Args) value.Value {
	m := v.model
	m.Compiled = &Compile{XLA: "auto"}
	optimizer, ok := args.Get(0, "optimizer")
	switch x := optimizer.X.(type) {
	case *optimizerValue:
		m.Optimizer = x.optimizer
	case string:
		m.Optimizer = optimizerNamed(x)
	case value.External:
		m.Optimizer = optimizerNamed(x.Name[strings.LastIndexByte(x.Name, '.')+1:])
	default:
		if ok {
			m.Optimizer = &Optimizer{Class: "?", Unknown: "the optimizer is not known: " + because(optimizer)}
		} else {
			m.Optimizer = optimizerNamed("rmsprop")
		}
	}
	if v.h.computes() == "float16" && v.h.policy != "float16" && m.Optimizer.Unknown == "" {
		scaled := *m.Optimizer // compile wraps it in a LossScaleOptimizer
		scaled.Barrier = true
		m.Optimizer = &scaled
	}
	if on, ok := args.Keywords["jit_compile"]; ok {
		if b, ok := on.X.(bool); ok {
			m.Compiled.XLA = map[bool]string{true: "True", false: "False"}[b]
		}
	}
	return value.Value{X: value.None{}}
}
