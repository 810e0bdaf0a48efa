package models

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ModelOf returns the model that a value is, or nil.
func ModelOf(v value.Value) *ModelValue {
	switch x := v.X.(type) {
	case *ModelValue:
		return x
	case *value.Instance:
		if w, ok := x.Host.(*custom); ok && w.isModel {
			return w.model
		}
	}
	return nil
}

func (v *LayerValue) Bool(*value.Interp) (truth, known bool) { return true, true }

func (v *ModelValue) Bool(*value.Interp) (truth, known bool) { return true, true }

func (v *custom) Bool(*value.Interp) (truth, known bool) { return true, true }

// ModelValue is a model.
type ModelValue struct {
	value.Base
	H     *state.Host
	Model *graph.Model
	layer *graph.Layer // the model as a layer of others
	// custom is the host's part of a custom model.
	custom *custom
}

// What names it in the reasons why something is not known.
func (v *ModelValue) What() string { return "a model" }

func (v *ModelValue) AsLayer() *graph.Layer {
	if v.layer == nil {
		v.layer = v.Model.AsLayer()
	}
	return v.layer
}

// InstanceOf reports whether the model is of a class of Keras.
func (v *ModelValue) InstanceOf(class string) (truth, known bool) {
	return isLayer(v.Model.Class, class, v.H.Keras())
}

func (v *ModelValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	m := v.Model
	switch name {
	case "name":
		return value.Value{X: m.Name}, true
	case "trainable":
		if m.WhyUnsure != nil {
			return m.WhyUnsure.Unknown(), true
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
		if len(m.Inputs) > 0 && len(m.Unresolved) == 0 {
			return shapesOf(m.Inputs), true
		}
	case "output_shape":
		if _, structured := m.Returns.X.(*value.Dict); len(m.Outputs) > 0 && len(m.Unresolved) == 0 && !(structured && m.Keras == 2) {
			return shapesOf(m.Outputs), true
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
			in.Touch(graph.ModelChain{Of: m})
			m.Pop()
			return value.Value{X: value.None{}}
		})
	case "get_layer":
		return objects.Method(v.getLayer)
	case "build":
		return objects.Method(v.build)
	case "compile":
		return objects.Method(v.compile)
	case "quantize":
		if m.Keras == 3 {
			return objects.Method(v.quantize)
		}
	case "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return v.Use(in, name, args) })
	case "save":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			path, _ := args.Get(0, "filepath")
			v.save(path)
			return value.Value{X: value.None{}}
		})
	case "_flatten_layers":
		return flattened(v.H, v.AsLayer())
	case "get_config", "to_json":
		return objects.Method(v.describe)
	case "load_weights", "set_weights":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			m.GiveWeights()
			return objects.Nothing(in, args)
		})
	case "summary", "save_weights", "reset_states", "reset_metrics":
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
			return steps.NewOptimizerValue(v.H, m.Optimizer), true
		}
	case "loss":
		if m.Compiled != nil && m.Compiled.Given.X != nil {
			return m.Compiled.Given, true
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
				return v.H.Unknown(value.NotBuilt, "how many parameters the model %s has: %s", m.Name, why)
			}
			all, _ := m.Parameters()
			return value.Value{X: all}
		})
	}
	if name != "enable_lora" && classes.LayerHas()[name] { // no model of Keras has it
		return v.H.Unknown(value.UnmodelledUse, "%s of the model %s is not followed", name, v.Model.Name), true
	}
	return value.Value{}, false
}

// shapesOf returns the shape of one tensor, or a list of those of several, as the properties
// input_shape and output_shape do (keras/src/models/functional.py).
func shapesOf(list []*graph.Symbolic) value.Value {
	if len(list) == 1 {
		return objects.ShapeValue(list[0].Shape)
	}
	shapes := &value.List{}
	for _, s := range list {
		shapes.Items = append(shapes.Items, objects.ShapeValue(s.Shape))
	}
	return value.Value{X: shapes}
}

func (v *ModelValue) SetAttr(in *value.Interp, name string, to value.Value) {
	switch name {
	case "trainable":
		v.Model.SetTrainable(in, graph.Freezing(in, to))
	case "jit_compile", "run_eagerly":
		v.recompiled(in, name, to)
	case "train_step", "compute_loss", "make_train_function", "train_function":
		in.Touch(graph.ModelCompilation{Of: v.Model})
		v.Model.Step = value.Because(value.UnmodelledTraining, "its %s is the program's own", name)
	case "optimizer":
		if o, ok := to.X.(*steps.OptimizerValue); ok {
			in.Touch(graph.ModelCompilation{Of: v.Model})
			v.Model.Optimizer = o.Optimizer
		}
	}
}

// add is Sequential.add.
func (v *ModelValue) add(in *value.Interp, item value.Value) {
	m := v.Model
	in.Touch(graph.ModelChain{Of: m})
	switch x := item.X.(type) {
	case *ModelValue:
		if len(m.Inputs) == 0 && x.Model.Built() && len(m.Stack) == 0 {
			m.Input(x.Model.Inputs[0].Shape, x.Model.Inputs[0].DType)
		}
		m.Add(x.AsLayer())
	case *ops.SymbolicValue:
		v.begins(x.S)
	case *calledLayer:
		if x.Layer.Class == "InputLayer" { // taken from another model's layers
			v.begins(x.node.Out[0])
		} else if v.begin(x.Layer) {
			m.Add(x.Layer)
		}
	default:
		if l := state.LayerOf(item); l != nil {
			if v.begin(l) {
				m.Add(l)
			}
			return
		}
		why := item.Cause()
		if why == nil {
			why = value.Because(value.WrongType, "a layer that is added is not known")
		}
		m.AddUnresolved(why)
	}
}

// begins sets the input of a Sequential.
func (v *ModelValue) begins(s *graph.Symbolic) {
	switch m := v.Model; {
	case len(m.Inputs) > 0 && v.H.Keras() == 3:
		m.AddUnresolved(layers.FromKeras3("an input is added behind the one that the model has"))
	case len(m.Inputs) > 0, len(m.Stack) > 0:
		m.AddUnresolved(value.Because(value.NotBuilt, "an input is added behind other layers"))
	default:
		m.Declares = true
		m.Input(s.Shape, s.DType)
	}
}

// begin sets the input of a Sequential if its first layer declares it. It reports false if the
// declaration is not known.
func (v *ModelValue) begin(l *graph.Layer) bool {
	m, input := v.Model, l.Input
	if len(m.Inputs) > 0 || input == nil || len(m.Stack) > 0 {
		return true
	}
	shape, ok := objects.Whole(*input)
	if n, single := input.Int(); single {
		shape, ok = []int64{n}, true
	}
	if !ok {
		m.AddUnresolved(value.Because(value.UnmodelledUse, "input_shape is not known: %s", objects.Because(*input)))
		return false
	}
	m.Declares = true
	m.Input(append(tensor.Shape{tensor.None}, shape...), inputType(l))
	return true
}

// inputType returns the type of the input that a first layer takes.
func inputType(l *graph.Layer) tensor.DType {
	if l.Class == "Embedding" {
		return "int32"
	}
	return "float32"
}

func (v *ModelValue) build(in *value.Interp, args *value.Args) value.Value {
	shape, ok := args.Get(0, "input_shape")
	if _, none := shape.X.(value.None); !ok || none || v.Model.Built() {
		return value.Value{X: value.None{}}
	}
	whole, ok := objects.Whole(shape)
	switch {
	case v.custom != nil && !v.custom.functional:
		var data value.Value
		if ok {
			data = ops.Tensor(v.H, &graph.Symbolic{Shape: whole, DType: "float32"})
		} else if data, ok = several(v.H, shape); !ok {
			v.Model.AddUnresolved(value.Because(value.ArrayShape, "the shape it is built with is not known: %s", objects.Because(shape)))
			break
		}
		if why := v.custom.feed(in, data); why != nil {
			v.Model.AddUnresolved(why)
		}
	case v.Model.Class == "Sequential" && ok && len(whole) > 0:
		v.Model.Input(whole, "float32")
	case v.Model.Class == "Sequential":
		v.Model.AddUnresolved(value.Because(value.ArrayShape, "the shape it is built with is not known: %s", objects.Because(shape)))
	}
	return value.Value{X: value.None{}}
}

// several returns tensors of the shapes in a list or dictionary.
func several(h *state.Host, shapes value.Value) (value.Value, bool) {
	tensor := func(v value.Value) (value.Value, bool) {
		shape, ok := objects.Whole(v)
		return ops.Tensor(h, &graph.Symbolic{Shape: shape, DType: "float32"}), ok && len(shape) > 0
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

func (v *ModelValue) TakesFit() bool { return true }

func (v *ModelValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.H.Calls.As(v.H.Said(args))()
	if len(args.Positional) == 0 {
		inputs, ok := args.Keywords.Get("inputs")
		if !ok {
			return v.H.Unknown(value.MissingArgument, "the model %s is called without an input", v.Model.Name)
		}
		args = &value.Args{Positional: []value.Value{inputs}, Keywords: args.Keywords.Without("inputs"), Open: args.Open, Node: args.Node}
	}
	v.forward(args) // before a step makes tensors of arrays
	args = ops.TensorArguments(v.H, args)
	v.settle(args.Positional[0])
	in.Spend(4 * len(v.Model.Nodes)) // each of its layers is called
	if len(v.Model.Unresolved) > 0 {
		return v.Model.Unresolved[0].Unknown()
	}
	if v.Model.Weightless() {
		return v.oneByOne(in, args)
	}
	if symbolic, arrays := ops.Kinds(args); !symbolic && arrays {
		return eagerly(v.H, args, func(args *value.Args) value.Value {
			return v.arranged(apply(v.H, v.AsLayer(), args.Positional[0]), true)
		})
	}
	ofTensorFlow := v.H.OnTensors() // and not Keras's symbolic tensors
	return v.arranged(apply(v.H, v.AsLayer(), args.Positional[0]), ofTensorFlow || v.Model.Keras == 2)
}

// oneByOne calls a Sequential without weights, on one image or on batches of them: nothing of it is
// built.
func (v *ModelValue) oneByOne(in *value.Interp, args *value.Args) value.Value {
	if s, ok := args.Positional[0].X.(*ops.SymbolicValue); ok {
		if !v.Model.Built() {
			v.Model.Input(s.S.Shape.WithBatch(tensor.None), s.S.DType)
		}
		if v.Model.Built() && graph.Fits(v.Model.Inputs[0].Shape, s.S.Shape) {
			return apply(v.H, v.AsLayer(), args.Positional[0])
		}
	}
	x := args.Positional[0]
	for _, l := range v.Model.Stack {
		x = (&LayerValue{H: v.H, Layer: l}).Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
	}
	return x
}

// arranged returns the result of a call of the model, in the structure of its outputs
// (keras/src/models/functional.py, call). With bare, a list of one output becomes the output
// alone: on tensors of TensorFlow (unpack_singleton), and in Keras 2.
func (v *ModelValue) arranged(out value.Value, bare bool) value.Value {
	flat, ok := out.X.(value.Tuple)
	if !ok {
		flat = value.Tuple{out}
	}
	switch v.Model.Returns.X.(type) {
	case *value.Dict:
	case value.Tuple, *value.List:
		if bare && len(v.Model.Outputs) == 1 {
			return out
		}
	default:
		return out
	}
	if !out.Known() {
		return out
	}
	i := 0
	return ops.Each(v.Model.Returns, func(value.Value) value.Value {
		i++
		return flat[min(i, len(flat))-1]
	})
}

// settle gives data of a step the sizes that the model requires of it: with others TensorFlow would
// raise. A Sequential requires only what the weights of its first layer depend on.
func (v *ModelValue) settle(inputs value.Value) {
	if _, named := inputs.X.(*value.Dict); named || !v.Model.Built() {
		return
	}
	parts, _ := ops.Symbols(inputs)
	if len(parts) != len(v.Model.Inputs) {
		return
	}
	for i, part := range parts {
		want := v.Model.Inputs[i].Shape
		from := 1
		if v.Model.Class != "Functional" {
			if first := v.Model.Stack; len(first) == 0 || first[0].Class != "Dense" {
				return
			}
			from = len(want) - 1
		}
		ops.Settle(v.H, part, want, from)
	}
}

// forward records a call of the model on arrays.
func (v *ModelValue) forward(args *value.Args) {
	u := &graph.ModelCall{Method: "__call__", Node: args.Node, Model: v.Model}
	for _, part := range pipelines.Flat(args.Positional[0]) {
		shape, d, ok := numpy.Of(part)
		if !ok || len(shape) == 0 {
			return
		}
		switch {
		case u.Batch.X != nil:
		case shape[0] < 0:
			u.Batch = v.H.Unknown(value.BatchSize, "the size of the batches is not known")
		default:
			u.Batch = value.Value{X: shape[0]}
		}
		u.Inputs = append(u.Inputs, graph.Input{Shape: shape[1:], DType: d})
	}
	v.H.Program.Forwards = append(v.H.Program.Forwards, u)
}

// variables returns the weights of a model, as the model lists them.
func (v *ModelValue) variables(name string) value.Value {
	m := v.Model
	if !m.Known() && len(m.Unresolved) > 0 {
		return m.Unresolved[0].Unknown()
	}
	if !m.Built() && m.Class != "Subclass" && !m.Weightless() {
		return m.Unbuilt().Unknown()
	}
	return variables(v.H, v.AsLayer(), name, m.Weights)
}

// variables returns those of the owner's weights that the name of a property says.
func variables(h *state.Host, owner *graph.Layer, name string, each func(visit func(w *graph.Weight, trained bool))) value.Value {
	trained, frozen := strings.HasPrefix(name, "trainable"), strings.HasPrefix(name, "non_")
	list := &value.List{}
	each(func(w *graph.Weight, trains bool) {
		if trains && !frozen || !trains && !trained {
			list.Items = append(list.Items, value.Value{X: ops.NewVariable(h, w, owner)})
		}
	})
	return value.Value{X: list}
}
