package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// modelValue is a model.
type modelValue struct {
	base
	h     *host
	model *Model
	layer *Layer // the model as a layer of others
	// custom is the host's part of a custom model.
	custom *custom
}

// What names it in the reasons why something is not known.
func (v *modelValue) What() string { return "a model" }

func (v *modelValue) asLayer() *Layer {
	if v.layer == nil {
		v.layer = v.model.asLayer()
	}
	return v.layer
}

// InstanceOf reports whether the model is of a class of Keras.
func (v *modelValue) InstanceOf(class string) (truth, known bool) {
	return isLayer(v.model.Class, class, v.h.keras())
}

func (v *modelValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	m := v.model
	switch name {
	case "name":
		return value.Value{X: m.Name}, true
	case "trainable":
		if m.unsure != nil {
			return m.unsure.Unknown(), true
		}
		return value.Value{X: m.Trainable}, true
	case "layers":
		if len(m.Unresolved) > 0 {
			return m.Unresolved[0].Unknown(), true
		}
		return value.Value{X: &value.List{Items: v.listed()}}, true
	case "input", "inputs":
		return v.symbolic(m.Inputs, name == "input")
	case "output", "outputs":
		return v.symbolic(m.Outputs, name == "output")
	case "__class__":
		if class, ok := classOf(m.Class); ok {
			return class, true
		}
	case "input_shape":
		if len(m.Inputs) == 1 {
			return objects.ShapeValue(m.Inputs[0].Shape), true
		}
	case "output_shape":
		if len(m.Outputs) == 1 {
			return objects.ShapeValue(m.Outputs[0].Shape), true
		}
		if _, ok := objects.Sequence(m.returns); ok {
			shapes := &value.List{}
			for _, out := range m.Outputs {
				shapes.Items = append(shapes.Items, objects.ShapeValue(out.Shape))
			}
			return value.Value{X: shapes}, true
		}
	case "add":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if layer, ok := args.Get(0, "layer"); ok {
				v.add(in, layer)
			}
			return value.Value{X: value.None{}}
		})
	case "pop":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			in.Touch(modelChain{m})
			m.pop()
			return value.Value{X: value.None{}}
		})
	case "get_layer":
		return objects.Method(v.getLayer)
	case "build":
		return objects.Method(v.build)
	case "compile":
		return objects.Method(v.compile)
	case "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return v.use(in, name, args) })
	case "save":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			path, _ := args.Get(0, "filepath")
			v.save(path)
			return value.Value{X: value.None{}}
		})
	case "_flatten_layers":
		return v.h.flattened(v.asLayer())
	case "get_config", "to_json":
		return objects.Method(v.describe)
	case "summary", "save_weights", "load_weights", "set_weights", "reset_states", "reset_metrics":
		return objects.Method(objects.Nothing)
	case "weights", "variables", "trainable_weights", "trainable_variables", "non_trainable_weights", "non_trainable_variables":
		return v.variables(name), true
	case "add_loss":
		if m.Keras == 2 {
			return objects.Method(v.addLoss)
		}
	case "losses":
		return v.losses(), true
	case "optimizer":
		if m.Optimizer != nil {
			return v.h.newOptimizerValue(m.Optimizer), true
		}
	case "loss":
		if m.Compiled != nil && m.Compiled.loss.X != nil {
			return m.Compiled.loss, true
		}
	case "compute_loss", "compiled_loss":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return v.compiledLoss(in, name, args) })
	case "count_params":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			why := m.Unbuilt()
			if len(m.Unresolved) > 0 {
				why = m.Unresolved[0]
			}
			if why != nil {
				return v.h.unknown(value.NotBuilt, "how many parameters the model %s has: %s", m.Name, why)
			}
			all, _ := m.Parameters()
			return value.Value{X: all}
		})
	}
	if layerHas()[name] {
		return v.h.unknown(value.UnmodelledUse, "%s of the model %s is not followed", name, v.model.Name), true
	}
	return value.Value{}, false
}

func (v *modelValue) SetAttr(in *value.Interp, name string, to value.Value) {
	switch name {
	case "trainable":
		v.model.setTrainable(in, freezing(in, to))
	case "jit_compile", "run_eagerly":
		v.recompiled(in, name, to)
	case "train_step", "compute_loss", "make_train_function", "train_function":
		in.Touch(modelCompilation{v.model})
		v.model.Step = value.Because(value.UnmodelledTraining, "its %s is the program's own", name)
	case "optimizer":
		if o, ok := to.X.(*optimizerValue); ok {
			in.Touch(modelCompilation{v.model})
			v.model.Optimizer = o.optimizer
		}
	}
}

// add is Sequential.add.
func (v *modelValue) add(in *value.Interp, item value.Value) {
	m := v.model
	in.Touch(modelChain{m})
	switch x := item.X.(type) {
	case *modelValue:
		if len(m.Inputs) == 0 && x.model.Built() && len(m.stack) == 0 {
			m.input(x.model.Inputs[0].Shape, x.model.Inputs[0].DType)
		}
		m.add(x.asLayer())
	case *symbolicValue:
		v.begins(x.s)
	case *calledLayer:
		if x.layer.Class == "InputLayer" { // taken from another model's layers
			v.begins(x.node.out[0])
		} else if v.begin(x.layer) {
			m.add(x.layer)
		}
	default:
		if l := layerOf(item); l != nil {
			if v.begin(l) {
				m.add(l)
			}
			return
		}
		why := item.Cause()
		if why == nil {
			why = value.Because(value.WrongType, "something is added that is not a known layer")
		}
		m.unresolved(why)
	}
}

// begins sets the input of a Sequential.
func (v *modelValue) begins(s *Symbolic) {
	if m := v.model; len(m.Inputs) > 0 || len(m.stack) > 0 {
		m.unresolved(value.Because(value.NotBuilt, "an input is added behind other layers"))
	} else {
		m.input(s.Shape, s.DType)
	}
}

// begin sets the input of a Sequential if its first layer declares it. It reports false if the
// declaration is not known.
func (v *modelValue) begin(l *Layer) bool {
	m, input := v.model, l.input
	if len(m.Inputs) > 0 || input == nil || len(m.stack) > 0 {
		return true
	}
	shape, ok := objects.Whole(*input)
	if n, single := input.Int(); single {
		shape, ok = []int64{n}, true
	}
	if !ok {
		m.unresolved(value.Because(value.UnmodelledUse, "input_shape is not known: %s", objects.Because(*input)))
		return false
	}
	m.input(append(Shape{None}, shape...), inputType(l))
	return true
}

// inputType returns the type of the input that a first layer takes.
func inputType(l *Layer) DType {
	if l.Class == "Embedding" {
		return "int32"
	}
	return "float32"
}

func (v *modelValue) build(in *value.Interp, args *value.Args) value.Value {
	shape, ok := args.Get(0, "input_shape")
	if _, none := shape.X.(value.None); !ok || none || v.model.Built() {
		return value.Value{X: value.None{}}
	}
	whole, ok := objects.Whole(shape)
	switch {
	case v.custom != nil && !v.custom.functional:
		var data value.Value
		if ok {
			data = v.h.tensor(&Symbolic{Shape: whole, DType: "float32"})
		} else if data, ok = v.h.several(shape); !ok {
			v.model.unresolved(value.Because(value.ArrayShape, "the shape it is built with is not known: %s", objects.Because(shape)))
			break
		}
		if why := v.custom.feed(in, data); why != nil {
			v.model.unresolved(why)
		}
	case v.model.Class == "Sequential" && ok && len(whole) > 0:
		v.model.input(whole, "float32")
	case v.model.Class == "Sequential":
		v.model.unresolved(value.Because(value.ArrayShape, "the shape it is built with is not known: %s", objects.Because(shape)))
	}
	return value.Value{X: value.None{}}
}

// several returns tensors of the shapes in a list or dictionary.
func (h *host) several(shapes value.Value) (value.Value, bool) {
	tensor := func(v value.Value) (value.Value, bool) {
		shape, ok := objects.Whole(v)
		return h.tensor(&Symbolic{Shape: shape, DType: "float32"}), ok && len(shape) > 0
	}
	if d, ok := shapes.X.(*value.Dict); ok {
		out := &value.Dict{Keys: d.Keys}
		for _, item := range d.Values {
			t, ok := tensor(item)
			if !ok {
				return value.Value{}, false
			}
			out.Values = append(out.Values, t)
		}
		return value.Value{X: out}, true
	}
	items, ok := objects.Sequence(shapes)
	if !ok || len(items) == 0 {
		return value.Value{}, false
	}
	var out value.Tuple
	for _, item := range items {
		t, ok := tensor(item)
		if !ok {
			return value.Value{}, false
		}
		out = append(out, t)
	}
	return value.Value{X: out}, true
}

func (v *modelValue) takesFit() bool { return true }

func (v *modelValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.h.callingAs(v.h.said(args))()
	if len(args.Positional) == 0 {
		return v.h.unknown(value.MissingArgument, "the model %s is called without an input", v.model.Name)
	}
	args = v.h.tensorArguments(args)
	v.forward(args)
	in.Spend(4 * len(v.model.nodes)) // each of its layers is called
	if len(v.model.Unresolved) > 0 {
		return v.model.Unresolved[0].Unknown()
	}
	if v.model.weightless() {
		return v.oneByOne(in, args)
	}
	if symbolic, arrays := kinds(args); !symbolic && arrays {
		return v.h.eagerly(args, func(args *value.Args) value.Value {
			return v.arranged(v.h.apply(v.asLayer(), args.Positional[0]), true)
		})
	}
	return v.arranged(v.h.apply(v.asLayer(), args.Positional[0]), v.model.Keras == 2)
}

// oneByOne calls a Sequential without weights, on one image or on batches of them: nothing of it is
// built.
func (v *modelValue) oneByOne(in *value.Interp, args *value.Args) value.Value {
	if s, ok := args.Positional[0].X.(*symbolicValue); ok {
		if !v.model.Built() {
			v.model.input(s.s.Shape.WithBatch(None), s.s.DType)
		}
		if v.model.Built() && fits(v.model.Inputs[0].Shape, s.s.Shape) {
			return v.h.apply(v.asLayer(), args.Positional[0])
		}
	}
	x := args.Positional[0]
	for _, l := range v.model.stack {
		x = (&layerValue{h: v.h, layer: l}).Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
	}
	return x
}

// arranged returns the result of a call of the model, in the structure of its outputs
// (keras/src/models/functional.py, call). With bare, a list of one output becomes the output
// alone: on arrays, and in Keras 2.
func (v *modelValue) arranged(out value.Value, bare bool) value.Value {
	flat, ok := out.X.(value.Tuple)
	if !ok {
		flat = value.Tuple{out}
	}
	switch v.model.returns.X.(type) {
	case *value.Dict:
	case value.Tuple, *value.List:
		if bare && len(v.model.Outputs) == 1 {
			return out
		}
	default:
		return out
	}
	if !out.Known() {
		return out
	}
	i := 0
	return each(v.model.returns, func(value.Value) value.Value {
		i++
		return flat[min(i, len(flat))-1]
	})
}

// forward records a call of the model on arrays.
func (v *modelValue) forward(args *value.Args) {
	u := &ModelCall{Method: "__call__", Node: args.Node, Model: v.model}
	for _, part := range flat(args.Positional[0]) {
		shape, d, ok := arrays.Of(part)
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
