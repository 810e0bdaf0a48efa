package models

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A custom layer or model is a class of the program, or a function in a Lambda. Its __init__,
// build and call are interpreted on tensors with known shapes and types.
type custom struct {
	value.Base
	h      *state.Host
	object *value.Instance // of the program's class; nil for a Lambda
	lambda value.Value
	// arguments is what a Lambda passes to its function besides the inputs. declares is set if
	// its output shape is declared.
	arguments value.Value
	declares  bool
	layer     *graph.Layer
	model     *ModelValue
	// inner is the layer of Keras that the class extends, once it exists.
	inner *LayerValue
	// functional is set if __init__ gets inputs and outputs, or layers.
	functional bool
	isModel    bool
	library    string // the class of Keras that it inherits from
	bodies     []*graph.Body
	interp     *value.Interp
	isMade     bool // build has run
	calling    int
	rehearsed  bool         // train_step has run
	failed     *value.Cause // why it could not be called
	lost       *value.Cause // why its last call on known arguments was not followed
	policy     string       // of its dtypes
	// found are the layers that the object held when track last visited it. tracked lists each of
	// them once.
	found, tracked []*graph.Layer
	tracking       bool // track is visiting it
}

// Instance creates the part of the host behind an object of the program's own layer or model
// class.
func Instance(h *state.Host, in *value.Interp, object *value.Instance, base string) value.Object {
	base = LayerName(base)
	isModel := base == "tensorflow.keras.Model" || base == "tensorflow.keras.Sequential" || base == "tensorflow.keras.models.Functional"
	if !isModel && !strings.HasPrefix(base, "tensorflow.keras.layers.") && base != "tensorflow.Module" {
		return nil
	}
	v := newCustom(h, in, object.Class.Name, object.Class.Node)
	v.object, v.isModel, v.library = object, isModel, base
	v.model.Model.Node = object.Class.Node
	v.layer.Node = object.Class.Node
	if isModel {
		h.Program.Own(v.model.Model, v)
	}
	return v
}

// newCustom makes a layer or model of a class of the program, or, for a Lambda, of a call.
func newCustom(h *state.Host, in *value.Interp, class string, made syntax.Node) *custom {
	m := steps.NewModel(h, "Subclass")
	m.Name, m.Born = h.Names.Layer(in, class), in.Now()
	l := &graph.Layer{Class: class, Name: m.Name, Trainable: true, DType: h.Computes(made), Inner: m, Born: m.Born, Remat: h.Remats.Inner()}
	v := &custom{Base: value.Base("a " + class), h: h, layer: l, interp: in, policy: h.DTypePolicy(made)}
	v.model = &ModelValue{H: h, Model: m, layer: l, custom: v}
	l.Impl = &customImpl{v}
	return v
}

// lambdaLayer creates a Lambda.
func lambdaLayer(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	f, ok := args.Get(0, "function")
	if !ok || !f.Known() {
		return h.Unknown(value.UnmodelledUse, "the function of a Lambda is not known: %s", f.Cause())
	}
	return functionLayer(h, in, "Lambda", f, args)
}

// functionLayer creates a layer of a class that calls a function.
func functionLayer(h *state.Host, in *value.Interp, class string, f value.Value, args *value.Args) value.Value {
	v := newCustom(h, in, class, args.Node)
	v.lambda, v.layer.Node, v.model.Model.Node = f, args.Node, args.Node
	v.arguments, _ = args.Get(3, "arguments")
	shape, _ := args.Get(1, "output_shape")
	v.declares = shape.X != nil && shape.X != value.None{}
	v.layer.Again = func(in *value.Interp) value.Value { return functionLayer(h, in, class, f, args) }
	v.named(args)
	return value.Value{X: v}
}

// Made is whether the build of the program has run.
func (v *custom) Made() *bool { return &v.isMade }

func (v *custom) TakesFit() bool { return v.isModel }

func (v *custom) AsLayer() *graph.Layer { return v.layer }

// OfInstance returns the layer that an object of the class is.
func (v *custom) OfInstance() *graph.Layer {
	if v.inner != nil && v.library != "tensorflow.keras.layers.Layer" && v.object != nil && !v.adds(v.interp) {
		return v.inner.Layer
	}
	return v.layer
}

// outputShape answers compute_output_shape(input_shape) for a layer that does not define it. A
// Lambda runs its function (keras/src/layers/core/lambda_layer.py, compute_output_shape). Other
// layers have none in Keras 3.
func (v *custom) outputShape(in *value.Interp, args *value.Args) value.Value {
	if v.lambda.X == nil || v.declares {
		return v.h.Unknown(value.NotBuilt, "the shape that %s computes", v.layer.Name)
	}
	defer v.h.Names.Keep()()
	like, _ := v.layer.Again(in).X.(*custom)
	return shapeOf(v.h, v.layer, args, func(x value.Value) value.Value {
		return like.Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
	})
}

// withArguments adds the arguments that a Lambda was created with to those of a call
// (keras/src/layers/core/lambda_layer.py, call).
func (v *custom) withArguments(args *value.Args) *value.Args {
	switch d := v.arguments.X.(type) {
	case nil, value.None:
		return args
	case *value.Dict:
		out := *args
		out.Keywords = args.Keywords.Clone()
		for i, key := range d.Keys {
			if name, ok := key.X.(string); ok {
				out.Keywords.Put(name, d.Values[i])
			}
		}
		if d.Open != nil && out.Open == nil {
			out.Open = d.Open
		}
		return &out
	}
	out := *args
	out.Open = value.Because(value.UnmodelledUse, "the arguments of a Lambda are not known: %s", objects.Because(v.arguments))
	return &out
}

// LayerName drops the modules in which Keras defines a layer: layers.core.Dense becomes
// layers.Dense.
func LayerName(name string) string {
	rest, ok := strings.CutPrefix(name, "tensorflow.keras.layers.")
	if !ok {
		if rest, ok = strings.CutPrefix(name, "tensorflow.keras.engine.base_layer."); !ok {
			return name
		}
	}
	i := strings.LastIndexByte(rest, '.')
	class := effects.LayerClass(rest[i+1:])
	if i < 0 && strings.HasPrefix(name, "tensorflow.keras.layers.") {
		if class == rest {
			return name
		}
		return "tensorflow.keras.layers." + class
	}
	if class == "Input" {
		return "tensorflow.keras.Input"
	}
	if class == "Layer" || class == "Lambda" || class == "InputLayer" || layers.Modelled(class) {
		return "tensorflow.keras.layers." + class
	}
	return name
}

// init runs the __init__ of the Keras class.
func (v *custom) init(in *value.Interp, args *value.Args) value.Value {
	done := value.Value{X: value.None{}}
	v.named(args)
	m := v.model.Model
	switch {
	case v.library == "tensorflow.keras.Sequential":
		v.functional = true
		m.Class = "Sequential"
		v.model.addAll(in, args)
	case v.isModel:
		inputs, ok := args.Get(0, "inputs")
		outputs, ok2 := args.Get(1, "outputs")
		if ok && ok2 {
			v.functional = true
			m.Class = "Functional"
			connect(m, inputs, outputs)
		}
	case v.library == wrapper:
		if given, ok := args.Get(0, "layer"); ok && v.object != nil {
			interp.SetAttr(in, value.Value{X: v.object}, "layer", given)
		}
	case v.library != "tensorflow.keras.layers.Layer" && v.library != "tensorflow.Module":
		class := strings.TrimPrefix(v.library, "tensorflow.keras.layers.")
		made := Layer(v.h, in, class, args)
		if inner, ok := made.X.(*LayerValue); ok {
			v.inner = inner
			v.inner.Layer.Name = v.layer.Name
			if v.defines(in, "convolution_op") {
				v.convolves()
			}
			return done
		}
		if made.Cause() != nil {
			m.AddUnresolved(made.Cause())
		} else {
			m.AddUnresolved(value.Because(value.UnmodelledLayer, "%s inherits from %s, which is not followed", v.layer.Class, class))
		}
	}
	return done
}

// convolves records that the program replaces a layer's convolution_op. Its own operation may
// read more than the layer's kernel, and compute more from it, so the model is not followed.
func (v *custom) convolves() {
	v.model.Model.AddUnresolved(value.Because(value.UnmodelledLayer, "the convolution_op of %s is not followed", v.layer.Class))
}

// buildBase answers super().build(input_shape) in a layer that extends Layer: it is built from
// then on (keras/src/layers/layer.py, tf_keras/src/engine/base_layer.py, build).
func (v *custom) buildBase(*value.Interp, *value.Args) value.Value {
	v.isMade = true
	return value.Value{X: value.None{}}
}

// buildInner answers super().build(input_shape) in a layer that extends one of Keras's.
func (v *custom) buildInner(_ *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	if shape, ok := objects.Whole(given); ok && len(shape) > 0 {
		if err := v.inner.Layer.Build([]*graph.Tensor{{Shape: shape, DType: v.layer.DType}}); err != nil {
			v.model.Model.AddUnresolved(value.From(err))
		}
	}
	return value.Value{X: value.None{}}
}

// wrapper is the class of layers that hold another one as self.layer
// (keras/src/layers/core/wrapper.py).
const wrapper = "tensorflow.keras.layers.Wrapper"

// buildWrapped answers Wrapper.build: it builds the wrapped layer for the same inputs.
func (v *custom) buildWrapped(in *value.Interp, args *value.Args) value.Value {
	held := interp.Attr(in, value.Value{X: v.object}, "layer")
	if built := interp.Attr(in, held, "built"); built.X != true {
		interp.Call(in, interp.Attr(in, held, "build"), args)
	}
	return value.Value{X: value.None{}}
}

// named reads the arguments of every layer.
func (v *custom) named(args *value.Args) {
	if name, ok := args.Keywords.Value("name").X.(string); ok {
		v.layer.Name, v.model.Model.Name = name, name
	}
	if on, ok := args.Keywords.Value("trainable").X.(bool); ok {
		v.layer.Trainable, v.model.Model.Trainable = on, on
	}
	v.layer.Input = inputOf(args)
	if v.library == "tensorflow.keras.layers.Layer" {
		v.layer.Activity = ops.ActivityOf(v.h, v.interp, v.layer.Class, args)
	}
	if d, ok := state.PolicyName(args.Keywords.Value("dtype")); ok {
		d = v.h.Instead(d)
		v.policy, v.layer.DType = d, tensor.DType(strings.TrimPrefix(d, "mixed_"))
	}
}

// defines reports whether the program defines a method.
func (v *custom) defines(in *value.Interp, name string) bool {
	return v.object != nil && v.object.Defines(name)
}

func (v *custom) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "__init__":
		return objects.Method(v.init)
	case "__call__":
		return objects.Method(v.Call)
	case "__setattr__":
		return value.Value{}, false
	case "call":
		// super().call(…): of Keras's own class.
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return v.inherited(in, args) })
	case "build":
		if v.inner != nil {
			return objects.Method(v.buildInner)
		}
		if v.library == wrapper && v.object != nil {
			return objects.Method(v.buildWrapped)
		}
		if !v.isModel || v.functional {
			return objects.Method(v.buildBase)
		}
	case "_flatten_layers":
		return flattened(v.h, v.layer)
	case "get_config":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.Dict{
				Keys:   []value.Value{{X: "name"}, {X: "trainable"}, {X: "dtype"}},
				Values: []value.Value{{X: v.layer.Name}, {X: v.layer.Trainable}, {X: string(v.layer.DType)}},
			}}
		})
	case "add_weight", "add_variable":
		return objects.Method(v.addWeight)
	case "add_loss":
		if v.functional && !v.h.Calls.Tracing() {
			return v.model.GetAttr(in, name)
		}
		return objects.Method(v.addLoss)
	case "add_metric", "add_update", "set_weights", "adapt":
		return objects.Method(objects.Nothing)
	case "built":
		return value.Value{X: v.isMade}, true
	case "compute_output_shape":
		return objects.Method(v.outputShape)
	case "dtype", "variable_dtype":
		return value.Value{X: "float32"}, true
	case "compute_dtype", "_compute_dtype":
		return value.Value{X: string(v.layer.DType)}, true
	case "dtype_policy", "_dtype_policy":
		return v.h.NewPolicy(v.policy), true
	case "dynamic", "supports_masking", "stateful":
		return value.Value{X: false}, true
	case "weights", "variables", "trainable_weights", "trainable_variables", "non_trainable_weights":
		if v.library == "tensorflow.Module" {
			if strings.HasSuffix(name, "weights") {
				return value.Value{}, false
			}
			return v.held(name == "trainable_variables"), true
		}
		v.track()
		return variables(v.h, v.layer, name, v.model.Model.Weights), true
	}
	if v.inner != nil {
		return v.inner.GetAttr(in, name)
	}
	v.track()
	if !v.isModel {
		switch name {
		case "fit", "compile", "evaluate", "predict", "add", "optimizer", "layers", "inputs", "outputs", "summary":
			return value.Value{}, false
		}
	}
	return v.model.GetAttr(in, name)
}

func (v *custom) SetAttr(in *value.Interp, name string, to value.Value) {
	switch name {
	case "built":
		if on, ok := to.X.(bool); ok && on {
			v.isMade = true
		}
	case "trainable":
		v.track()
		f := graph.Freezing(in, to)
		v.layer.SetTrainable(in, f)
		if v.inner != nil {
			v.inner.Layer.SetTrainable(in, f)
		}
	case "supports_jit":
		v.model.Model.WithoutXLA = to.X == false
	case "convolution_op", "_convolution_op":
		v.convolves()
	case "_name":
		if s, ok := to.X.(string); ok {
			v.layer.Name, v.model.Model.Name = s, s
		}
	default:
		v.model.SetAttr(in, name, to)
	}
}

// InstanceOf reports whether it is an instance of a Keras class, judging by the class that it
// inherits from.
func (v *custom) InstanceOf(class string) (truth, known bool) {
	class = LayerName(class)
	switch class {
	case v.library, "tensorflow.keras.layers.Layer":
		return true, true
	case "tensorflow.keras.Model":
		return v.isModel, true
	}
	if own, ok := strings.CutPrefix(v.library, "tensorflow.keras.layers."); ok {
		return isLayer(own, class, v.h.Keras())
	}
	return false, strings.HasPrefix(class, "tensorflow.")
}

// addWeight answers Layer.add_weight.
func (v *custom) addWeight(in *value.Interp, args *value.Args) value.Value {
	in.Touch(graph.ModelOwn{Of: v.model.Model})
	r := &layers.ArgParser{Args: args}
	// Keras 3 takes the shape first, tf-keras the name.
	position := 0
	if len(args.Positional) > 0 {
		if _, ok := args.Positional[0].X.(string); ok {
			position = 1
		}
	}
	shape := tensor.Shape{}
	if given, ok := args.Get(position, "shape"); ok {
		if _, none := given.X.(value.None); !none {
			shape, ok = objects.Dims(given)
			if !ok || shape.Product() < 0 {
				why := value.Because(value.ArrayShape, "the shape of a weight of %s is not known: %s", v.layer.Class, objects.Because(given))
				if ok {
					why = value.Because(value.ArrayShape, "the shape of a weight of %s is not known: %s", v.layer.Class, shape.String())
				}
				v.model.Model.AddUnresolved(why)
				return why.Unknown()
			}
		}
	}
	w := &graph.Weight{Name: "weight", Shape: shape, DType: "float32", Trainable: r.Bool(-1, "trainable", true)}
	if name, ok := args.Keywords.Value("name").X.(string); ok {
		w.Name = name
	}
	w.DType = numpy.DTypeArgument(&value.Args{Keywords: args.Keywords}, w.DType)
	// The default is that of a kernel in float types (keras/src/layers/layer.py, add_weight).
	w.Initializer = "glorotuniform"
	if given, ok := args.Get(1-position, "initializer"); ok && (position == 0 || args.Keywords.Value("initializer").X != nil) {
		w.Initializer = layers.InitializerOf(given)
	}
	w.Penalties = layers.PenaltiesOf(args.Keywords.Value("regularizer"))
	v.model.Model.OwnWeights = append(v.model.Model.OwnWeights, w)
	return value.Value{X: ops.NewVariable(v.h, w, v.layer)}
}

// track finds the layers and variables that the object holds, also in lists and dictionaries, in
// the order in which they were assigned (keras/src/utils/tracking.py, Tracker).
func (v *custom) track() {
	if v.object == nil || v.tracking {
		return
	}
	v.tracking = true
	defer func() { v.tracking = false }()
	m := v.model.Model
	found := make([]*graph.Layer, 0, len(v.found))
	parts, owned := graph.Nesting{}, map[*graph.Weight]bool{}
	for _, w := range m.OwnWeights {
		owned[w] = true
	}
	add := func(l *graph.Layer) {
		inside := map[*graph.Layer]bool{}
		held := l.Holds(v.layer, inside)
		v.interp.Work(len(inside) / 4)
		if held {
			m.AddUnresolved(value.Refused("%s is held by a layer that it holds, and so has variables without end", v.layer.Class))
			return
		}
		if m.Takes(&parts, l) {
			found = append(found, l)
		}
	}
	if v.inner != nil {
		add(v.inner.Layer)
	}
	var look func(x value.Value, depth int)
	look = func(x value.Value, depth int) {
		if depth > 8 {
			return
		}
		switch x := x.X.(type) {
		case *LayerValue:
			add(x.Layer)
		case *calledLayer:
			add(x.Layer)
		case *ModelValue:
			add(x.AsLayer())
		case *custom:
			add(x.layer)
		case *value.Instance:
			if other, ok := x.Host.(*custom); ok {
				other.track()
				add(other.layer)
			}
		case *ops.Variable:
			if (x.Owner == nil || x.Owner == v.layer) && !x.Foreign && !owned[x.Weight] {
				x.Owner = v.layer
				owned[x.Weight] = true
				v.interp.Touch(graph.ModelOwn{Of: m})
				m.OwnWeights = append(m.OwnWeights, x.Weight)
			}
		case *ops.LostVariable:
			if !x.Foreign {
				m.AddUnresolved(x.Why)
			}
		case *value.Dict:
			for _, item := range x.Values {
				look(item, depth+1)
			}
		case value.Tuple:
			for _, item := range x {
				look(item, depth+1)
			}
		case *value.List:
			for _, item := range x.Items {
				look(item, depth+1)
			}
		}
	}
	for name, x := range v.object.Attrs.All() {
		if !v.object.Past(name) && v.interp.Followable(x) {
			look(x, 0)
		}
	}
	if !v.interp.Spend(0) {
		return // a loop is given up in here: not all attributes were visited, and the layers found before remain
	}
	if !slices.Equal(found, v.found) {
		v.found, v.tracked = found, nil
		seen := make(map[*graph.Layer]bool, len(found))
		for _, l := range found {
			if !seen[l] {
				seen[l] = true
				v.tracked = append(v.tracked, l)
			}
		}
	}
	switch layers := slices.Clip(v.tracked); {
	case !v.functional:
		m.Stack = layers
	case m.Class == "Functional":
		m.Held = layers
	}
	m.Grow(parts)
}

// regularize adds the activity regularization of a custom layer's outputs to the losses of its
// call.
func (v *custom) regularize(in *value.Interp, b *graph.Body) {
	a, _ := v.layer.Activity.(*ops.Activity)
	if a == nil {
		return
	}
	for _, s := range b.Out {
		x := ops.Tensor(v.h, s)
		if a.Of.X != nil {
			x = interp.Call(in, a.Of, &value.Args{Positional: []value.Value{x}})
		} else {
			x = ops.Operate(v.h, "regularizer", []*graph.Symbolic{s}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
				return []*graph.Tensor{a.Sum(g, in[0])}, nil
			})
		}
		v.h.Calls.AddLosses(tensorsIn(x))
	}
}

// untrained reports whether the layers of a model run as in inference although fit trains it.
// Keras 3 tells a model of training only if its call has an argument for that
// (keras/src/backend/tensorflow/trainer.py, train_step), and otherwise no inner layer learns of
// it. Keras 2 tells them (tf_keras/src/engine/base_layer.py, _set_training_mode).
func (v *custom) untrained(in *value.Interp) bool {
	if v.model.Model.Keras == 2 || !v.isModel || v.functional || !v.defines(in, "call") {
		return false
	}
	parameters := v.parameters(in, "call")
	return parameters != nil && !slices.Contains(parameters, "training")
}
