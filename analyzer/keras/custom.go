package keras

import (
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A custom layer or model is one that the program writes as a class, or as a
// function in a Lambda. Its __init__, build and call run here, on tensors of
// which only shapes and types are known.
type custom struct {
	base
	h      *host
	object *value.Object // of the program's class; nil for a Lambda
	lambda value.Value
	// arguments is what a Lambda passes to its function besides the inputs.
	arguments value.Value
	layer     *Layer
	model     *modelValue
	// inner is the layer of Keras that the class extends, once it is made.
	inner *layerValue
	// functional is set where __init__ is given inputs and outputs, or layers.
	functional bool
	isModel    bool
	library    string // the class of Keras that it inherits from
	bodies     []*body
	interp     *value.Interp
	made       bool         // build has run
	input      *value.Value // input_shape=
	calling    int
	rehearsed  bool   // train_step has run
	failed     string // why it could not be called
	policy     string // of its types
}

// Instance stands behind objects of the program's own layers and models.
func (h *host) Instance(in *value.Interp, object *value.Object, base string) value.HostValue {
	base = layerName(base)
	isModel := base == "tensorflow.keras.Model" || base == "tensorflow.keras.Sequential" || base == "tensorflow.keras.models.Functional"
	if !isModel && !strings.HasPrefix(base, "tensorflow.keras.layers.") && base != "tensorflow.Module" {
		return nil
	}
	v := h.newCustom(in, object.Class.Name)
	v.object, v.isModel, v.library = object, isModel, base
	v.model.model.Node = object.Class.Node
	v.layer.Node = object.Class.Node
	if isModel {
		h.program.Models = append(h.program.Models, v.model.model)
		h.own = append(h.own, v)
	}
	return v
}

func (h *host) newCustom(in *value.Interp, class string) *custom {
	m := &Model{Class: "Subclass", Name: h.uniqueName(in, class), Trainable: true, born: in.Now()}
	l := &Layer{Class: class, Name: m.Name, Trainable: true, DType: h.computes(), Inner: m, born: m.born, remat: h.remat()}
	v := &custom{base: base{"a " + class}, h: h, layer: l, interp: in, policy: h.policy}
	v.model = &modelValue{h: h, model: m, layer: l, custom: v}
	l.spec = &customSpec{v}
	return v
}

// lambdaLayer is Lambda.
func (h *host) lambdaLayer(in *value.Interp, args *value.Args) value.Value {
	f, ok := args.Get(0, "function")
	if !ok || !f.Known() {
		return h.unknown("the function of a Lambda is not known: %s", f.Why())
	}
	v := h.newCustom(in, "Lambda")
	v.lambda, v.layer.Node, v.model.model.Node = f, args.Node, args.Node
	v.arguments, _ = args.Get(3, "arguments")
	v.layer.again = func(in *value.Interp) value.Value { return h.lambdaLayer(in, args) }
	v.named(args)
	return value.Value{X: v}
}

// withArguments are the arguments of a call with those that a Lambda was made with
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
		if d.Open != "" && out.Open == "" {
			out.Open = d.Open
		}
		return &out
	}
	out := *args
	out.Open = "the arguments of a Lambda are not known: " + because(v.arguments)
	return &out
}

// layerName drops the modules in which Keras defines a layer:
// layers.core.Dense is layers.Dense.
func layerName(name string) string {
	rest, ok := strings.CutPrefix(name, "tensorflow.keras.layers.")
	if !ok {
		if rest, ok = strings.CutPrefix(name, "tensorflow.keras.engine.base_layer."); !ok {
			return name
		}
	}
	i := strings.LastIndexByte(rest, '.')
	if i < 0 && strings.HasPrefix(name, "tensorflow.keras.layers.") {
		return name
	}
	class := rest[i+1:]
	if class == "Input" {
		return "tensorflow.keras.Input"
	}
	if class == "Layer" || class == "Lambda" || class == "InputLayer" || makers[class] != nil {
		return "tensorflow.keras.layers." + class
	}
	return name
}

// init is the __init__ of the class of Keras.
func (v *custom) init(in *value.Interp, args *value.Args) value.Value {
	done := value.Value{X: value.None{}}
	v.named(args)
	m := v.model.model
	switch {
	case v.library == "tensorflow.keras.Sequential":
		v.functional = true
		m.Class = "Sequential"
		if layers, ok := args.Get(0, "layers"); ok {
			items, ok := sequence(layers)
			if _, none := layers.X.(value.None); !ok && !none {
				m.unresolved("the list of its layers is not known: " + because(layers))
			}
			for _, item := range items {
				v.model.add(in, item)
			}
		}
	case v.isModel:
		inputs, ok := args.Get(0, "inputs")
		outputs, ok2 := args.Get(1, "outputs")
		if ok && ok2 {
			v.functional = true
			m.Class = "Functional"
			v.h.connect(m, inputs, outputs)
		}
	case v.library == wrapper:
		if given, ok := args.Get(0, "layer"); ok && v.object != nil {
			in.SetAttr(value.Value{X: v.object}, "layer", given)
		}
	case v.library != "tensorflow.keras.layers.Layer" && v.library != "tensorflow.Module":
		class := strings.TrimPrefix(v.library, "tensorflow.keras.layers.")
		made := v.h.layer(in, class, args)
		if inner, ok := made.X.(*layerValue); ok {
			v.inner = inner
			v.inner.layer.Name = v.layer.Name
			if v.defines(in, "convolution_op") {
				v.convolves()
			}
			return done
		}
		if made.Why() != "" {
			m.unresolved(made.Why())
		} else {
			m.unresolved("what " + v.layer.Class + " inherits from " + class + " is not followed")
		}
	}
	return done
}

// convolves tells that the program has put its own operation in the place of a
// layer's convolution, which may read more than the layer's kernel, and make more of it.
func (v *custom) convolves() {
	v.model.model.unresolved("the convolution_op of " + v.layer.Class + " is not followed")
}

// buildBase is super().build(input_shape) in a layer that extends Layer: it is built from
// then on (keras/src/layers/layer.py, tf_keras/src/engine/base_layer.py, build).
func (v *custom) buildBase(*value.Interp, *value.Args) value.Value {
	v.made = true
	return value.Value{X: value.None{}}
}

// buildInner is super().build(input_shape) in a layer that extends one of Keras's.
func (v *custom) buildInner(_ *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	if shape, ok := whole(given); ok && len(shape) > 0 {
		if err := v.inner.layer.build([]*Tensor{{Shape: shape, DType: v.layer.DType}}); err != nil {
			v.model.model.unresolved(err.Error())
		}
	}
	return value.Value{X: value.None{}}
}

// wrapper is the class of layers that hold another one, as layer
// (keras/src/layers/core/wrapper.py).
const wrapper = "tensorflow.keras.layers.Wrapper"

// buildWrapped is Wrapper.build: the layer inside is built for the same inputs.
func (v *custom) buildWrapped(in *value.Interp, args *value.Args) value.Value {
	held := in.Attr(value.Value{X: v.object}, "layer")
	if built := in.Attr(held, "built"); built.X != true {
		in.Call(in.Attr(held, "build"), args)
	}
	return value.Value{X: value.None{}}
}

// named reads what every layer takes.
func (v *custom) named(args *value.Args) {
	if name, ok := args.Keywords.Value("name").X.(string); ok {
		v.layer.Name, v.model.model.Name = name, name
	}
	if on, ok := args.Keywords.Value("trainable").X.(bool); ok {
		v.layer.Trainable, v.model.model.Trainable = on, on
	}
	v.input = inputOf(args)
	if d, ok := policyName(args.Keywords.Value("dtype")); ok {
		v.policy, v.layer.DType = d, DType(strings.TrimPrefix(d, "mixed_"))
	}
}

// defines tells whether the program defines a method.
func (v *custom) defines(in *value.Interp, name string) bool {
	return v.object != nil && in.Defines(v.object, name)
}

func (v *custom) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "__init__":
		return method(v.init)
	case "__call__":
		return method(v.Call)
	case "__setattr__":
		return value.Value{}, false
	case "call":
		// super().call(…): of Keras's own class.
		return method(func(in *value.Interp, args *value.Args) value.Value { return v.inherited(in, args) })
	case "build":
		if v.inner != nil {
			return method(v.buildInner)
		}
		if v.library == wrapper && v.object != nil {
			return method(v.buildWrapped)
		}
		if !v.isModel || v.functional {
			return method(v.buildBase)
		}
	case "get_config":
		return method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.Dict{
				Keys:   []value.Value{{X: "name"}, {X: "trainable"}, {X: "dtype"}},
				Values: []value.Value{{X: v.layer.Name}, {X: v.layer.Trainable}, {X: string(v.layer.DType)}},
			}}
		})
	case "add_weight", "add_variable":
		return method(v.addWeight)
	case "add_loss", "add_metric", "add_update", "set_weights", "adapt":
		return method(nothing)
	case "built":
		return value.Value{X: v.made}, true
	case "compute_output_shape":
		return method(func(*value.Interp, *value.Args) value.Value {
			return v.h.unknown("the shape that %s computes", v.layer.Class)
		})
	case "dtype", "variable_dtype":
		return value.Value{X: "float32"}, true
	case "compute_dtype", "_compute_dtype":
		return value.Value{X: string(v.layer.DType)}, true
	case "dtype_policy", "_dtype_policy":
		return v.h.newPolicy(v.policy), true
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
		list := &value.List{}
		v.model.model.Weights(func(w *Weight, trained bool) {
			if trained || !strings.HasPrefix(name, "trainable") {
				list.Items = append(list.Items, value.Value{X: v.h.newVariable(w, v.layer)})
			}
		})
		return value.Value{X: list}, true
	}
	if v.inner != nil {
		return v.inner.Attr(in, name)
	}
	v.track()
	if !v.isModel {
		switch name {
		case "fit", "compile", "evaluate", "predict", "add", "optimizer", "layers", "inputs", "outputs", "summary":
			return value.Value{}, false
		}
	}
	return v.model.Attr(in, name)
}

func (v *custom) SetAttr(in *value.Interp, name string, to value.Value) bool {
	switch name {
	case "built":
		if on, ok := to.X.(bool); ok && on {
			v.made = true
		}
	case "trainable":
		v.track()
		if on, ok := to.X.(bool); ok {
			v.layer.setTrainable(in, on)
			if v.inner != nil {
				v.inner.layer.setTrainable(in, on)
			}
		}
	case "supports_jit":
		v.model.model.withoutXLA = to.X == false
	case "convolution_op", "_convolution_op":
		v.convolves()
	case "_name":
		if s, ok := to.X.(string); ok {
			v.layer.Name, v.model.model.Name = s, s
		}
	default:
		return v.model.SetAttr(in, name, to)
	}
	return true
}

// IsInstance tells whether it is an instance of a class of Keras, as far as the
// class it inherits from is concerned.
func (v *custom) IsInstance(class string) (truth, known bool) {
	class = layerName(class)
	switch class {
	case v.library, "tensorflow.keras.layers.Layer":
		return true, true
	case "tensorflow.keras.Model":
		return v.isModel, true
	}
	return false, strings.HasPrefix(class, "tensorflow.")
}

// addWeight is Layer.add_weight.
func (v *custom) addWeight(in *value.Interp, args *value.Args) value.Value {
	in.Touch(modelOwn{v.model.model})
	r := &reader{args: args}
	// Keras 3 takes the shape first, tf-keras the name.
	position := 0
	if len(args.Positional) > 0 {
		if _, ok := args.Positional[0].X.(string); ok {
			position = 1
		}
	}
	shape := Shape{}
	if given, ok := args.Get(position, "shape"); ok {
		if _, none := given.X.(value.None); !none {
			shape, ok = dims(given)
			if !ok || product(shape) < 0 {
				why := "the shape of a weight of " + v.layer.Class + " is not known: " + because(given)
				if ok {
					why = "the shape of a weight of " + v.layer.Class + " is not known: " + shape.String()
				}
				v.model.model.unresolved(why)
				return v.h.unknown("%s", why)
			}
		}
	}
	w := &Weight{Name: "weight", Shape: shape, DType: "float32", Trainable: r.bool(-1, "trainable", true)}
	if name, ok := args.Keywords.Value("name").X.(string); ok {
		w.Name = name
	}
	w.DType = v.h.dtypeArgument(&value.Args{Keywords: args.Keywords}, w.DType)
	w.Penalties = penalties(args.Keywords.Value("regularizer"))
	v.model.model.own = append(v.model.model.own, w)
	return value.Value{X: v.h.newVariable(w, v.layer)}
}

// track finds the layers and variables that the object holds, in the order in
// which it got them, in lists and dictionaries too
// (keras/src/utils/tracking.py, Tracker).
func (v *custom) track() {
	if v.object == nil {
		return
	}
	m := v.model.model
	var layers []*Layer
	seen := map[*Layer]bool{v.layer: true}
	owned := map[*Weight]bool{}
	for _, w := range m.own {
		owned[w] = true
	}
	add := func(l *Layer) {
		if !seen[l] {
			seen[l] = true
			layers = append(layers, l)
		}
	}
	if v.inner != nil {
		add(v.inner.layer)
	}
	var look func(x value.Value, depth int)
	look = func(x value.Value, depth int) {
		if depth > 8 {
			return
		}
		switch x := x.X.(type) {
		case *layerValue:
			add(x.layer)
		case *calledLayer:
			add(x.layer)
		case *modelValue:
			add(x.asLayer())
		case *custom:
			add(x.layer)
		case *value.Object:
			if other, ok := x.Host.(*custom); ok {
				other.track()
				add(other.layer)
			}
		case *variable:
			if (x.owner == nil || x.owner == v.layer) && !x.foreign && !owned[x.weight] {
				x.owner = v.layer
				owned[x.weight] = true
				v.interp.Touch(modelOwn{m})
				m.own = append(m.own, x.weight)
			}
		case *lostVariable:
			if !x.foreign {
				m.unresolved(x.why)
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
	for _, name := range v.object.Attrs.Names() {
		x, _ := v.object.Attrs.Get(name)
		look(x, 0)
	}
	switch {
	case !v.functional:
		m.stack = layers
	case m.Class == "Functional":
		m.held = layers
	}
}

// Call calls it on tensors of a model, or on arrays.
func (v *custom) Call(in *value.Interp, args *value.Args) value.Value {
	args = v.h.tensorArguments(args)
	if why := v.model.model.Unresolved; len(why) > 0 && (v.functional || v.library != "tensorflow.keras.Model") {
		return v.h.unknown("%s", why[0])
	}
	if v.lambda.X == nil && !v.defines(in, "call") && !v.defines(in, "build") && !v.holdsMore() {
		return v.inherited(in, args)
	}
	if symbolic, arrays := kinds(args); !symbolic && arrays {
		if v.isModel && len(args.Positional) > 0 {
			v.model.forward(args)
		}
		return v.h.eagerly(args, func(args *value.Args) value.Value { return v.Call(in, args) })
	}
	replaced, from, fresh := v.h.inside(args)
	v.h.called(v.layer)
	said := v.h.said(args)
	var result value.Value
	var b *body
	var why string
	v.h.during(said, func() { result, b, why = v.trace(in, replaced, fresh) })
	if why != "" {
		return v.h.unknown("%s", why)
	}
	n := &node{layer: v.layer, in: from, body: b, mode: said}
	v.layer.calls = append(v.layer.calls, n)
	return v.h.outside(b, result, func(i int) *Symbolic {
		s := &Symbolic{Shape: b.out[i].Shape, DType: b.out[i].DType, from: n}
		if j := slices.Index(b.out, b.out[i]); j < i {
			s = n.out[j]
		}
		n.out = append(n.out, s)
		return s
	})
}

// inside are the arguments of a call as a body has them: with tensors of its own for
// those that come from outside.
func (h *host) inside(args *value.Args) (replaced *value.Args, from, fresh []*Symbolic) {
	inner := map[*Symbolic]*Symbolic{}
	replaced = eachArgument(args, func(x value.Value) value.Value {
		if w, ok := x.X.(*variable); ok {
			x = h.tensor(w.read())
		}
		s, ok := x.X.(*symbolicValue)
		if !ok {
			return x
		}
		if inner[s.s] == nil {
			inner[s.s] = &Symbolic{Shape: s.s.Shape, DType: s.s.DType}
			from, fresh = append(from, s.s), append(fresh, inner[s.s])
		}
		return h.tensor(inner[s.s])
	})
	return replaced, from, fresh
}

// outside is the result of a call of a body, with the tensors that stand for its outputs.
func (h *host) outside(b *body, result value.Value, at func(i int) *Symbolic) value.Value {
	outer := make(map[*Symbolic]*Symbolic, len(b.out))
	for i, s := range b.out {
		outer[s] = at(i)
		h.happens([]*Symbolic{outer[s]})
	}
	return each(result, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok && outer[s.s] != nil {
			return h.tensor(outer[s.s])
		}
		return x
	})
}

// bodyOf is the calls that lead to a result, and that with tensors for variables.
func (h *host) bodyOf(result value.Value, inputs []*Symbolic) (value.Value, *body) {
	b := &body{in: inputs}
	result = each(result, func(x value.Value) value.Value {
		if w, ok := x.X.(*variable); ok {
			x = h.tensor(w.read())
		}
		if s, ok := x.X.(*symbolicValue); ok {
			b.out = append(b.out, s.s)
		}
		return x
	})
	b.nodes = trace(b.in, b.out)
	return result, b
}

// holdsMore tells of a layer that extends one of Keras's whether it has weights or
// layers besides.
func (v *custom) holdsMore() bool {
	if v.inner == nil {
		return false
	}
	v.track()
	return len(v.model.model.own) > 0 || len(v.model.model.stack) > 1
}

// inherited is what the class of Keras does when it is called.
func (v *custom) inherited(in *value.Interp, args *value.Args) value.Value {
	switch {
	case v.functional:
		return v.model.Call(in, args)
	case v.inner != nil:
		return v.inner.Call(in, args)
	case len(v.model.model.Unresolved) > 0:
		return v.h.unknown("%s", v.model.model.Unresolved[0])
	}
	return v.h.unknown("%s defines no call", v.layer.Class)
}

// maxCalling is how deeply a layer may call itself.
const maxCalling = 3

// trace runs the program's call on tensors that stand for its inputs.
func (v *custom) trace(in *value.Interp, args *value.Args, inputs []*Symbolic) (result value.Value, b *body, why string) {
	if v.calling >= maxCalling {
		return result, nil, v.layer.Class + " calls itself, and it is not known how often"
	}
	v.calling++
	v.h.tracing++
	defer func() { v.calling--; v.h.tracing-- }()
	args = v.autocast(args)
	unbuilt := v.build(in, args)
	switch {
	case v.lambda.X != nil:
		result = in.Call(v.lambda, v.withArguments(args))
	case !v.defines(in, "call"):
		result = v.inherited(in, args)
	default:
		result = in.CallMethod(v.object, "call", v.training(in, args))
	}
	v.track()
	if why := v.model.model.Unresolved; len(why) > 0 && v.library != "tensorflow.keras.Model" {
		return result, nil, why[0]
	}
	if why := result.Why(); why != "" {
		if unbuilt != "" {
			why = unbuilt
		}
		if _, given := args.Keywords.Get("mask"); !given && strings.HasSuffix(why, "raises an error") && slices.Contains(v.parameters(in, "call"), "mask") {
			why = "the mask that Keras passes to " + v.layer.Class + " is not followed"
		}
		return result, nil, why
	}
	// What it makes of nothing but arrays is a tensor of the model, too.
	result = each(result, func(x value.Value) value.Value {
		if a, ok := x.X.(*array); ok {
			return v.h.tensor(v.h.constant(a.shape, a.computed()))
		}
		return x
	})
	result, b = v.h.bodyOf(result, inputs)
	v.bodies = append(v.bodies, b)
	v.layer.built = true
	if len(b.out) > 0 {
		v.layer.Output = b.out[0].Shape
	}
	if m := v.model.model; len(m.Inputs) == 0 && !v.functional {
		m.Inputs, m.Outputs, m.nodes = b.in, b.out, b.nodes
	}
	return result, b, ""
}

// autocast gives a layer its inputs in the type that it computes in
// (keras/src/layers/layer.py, __call__).
func (v *custom) autocast(args *value.Args) *value.Args {
	d := v.layer.DType
	return eachArgument(args, func(x value.Value) value.Value {
		s, ok := x.X.(*symbolicValue)
		if !ok || !floating(s.s.DType) || s.s.DType == d || !floating(d) {
			return x
		}
		return v.h.operate("Cast", []*Symbolic{s.s}, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			return []*Tensor{cast(g, in[0], d)}, nil
		})
	})
}

// build runs the program's build with the shapes of the inputs, once. It returns why it
// did not come to its end.
func (v *custom) build(in *value.Interp, args *value.Args) (why string) {
	if v.made || !v.defines(in, "build") {
		return ""
	}
	v.made = true
	var shapes []value.Value
	shaped := func(x value.Value) value.Value {
		return each(x, func(x value.Value) value.Value {
			if s, ok := x.X.(*symbolicValue); ok {
				return shapeValue(s.s.Shape)
			}
			return x
		})
	}
	for _, x := range args.Positional {
		shapes = append(shapes, shaped(x))
	}
	parameters := v.parameters(in, "build")
	if named := v.namedShapes(in, args, parameters, shaped); v.h.keras == 3 && named.Len() > 0 {
		return in.CallMethod(v.object, "build", &value.Args{Keywords: named, Node: args.Node}).Why()
	}
	if len(shapes) == 0 { // layer(inputs=x)
		for _, name := range v.parameters(in, "call") {
			if x, ok := args.Keywords.Get(name); ok {
				shapes = append(shapes, shaped(x))
				break
			}
		}
	}
	if parameters != nil {
		shapes = shapes[:min(len(shapes), len(parameters))]
	} else {
		shapes = shapes[:min(len(shapes), 1)]
	}
	return in.CallMethod(v.object, "build", &value.Args{Positional: shapes, Node: args.Node}).Why()
}

// namedShapes are the shapes for a build that takes several: that of an argument x as
// x_shape (keras/src/layers/layer.py, update_shapes_dict_for_target_fn).
func (v *custom) namedShapes(in *value.Interp, args *value.Args, parameters []string, shaped func(value.Value) value.Value) (out value.Keywords) {
	if len(parameters) < 2 {
		return out
	}
	for i, name := range v.parameters(in, "call") {
		x, ok := args.Get(i, name)
		if ok && slices.Contains(parameters, name+"_shape") && len(tensorsIn(x)) > 0 {
			out.Put(name+"_shape", shaped(x))
		}
	}
	return out
}

// tensorsIn are the tensors of a model in a value.
func tensorsIn(v value.Value) (out []*Symbolic) {
	each(v, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok {
			out = append(out, s.s)
		}
		return x
	})
	return out
}

// parameters are the names of a method's parameters behind self.
func (v *custom) parameters(in *value.Interp, name string) []string {
	if v.object == nil {
		return nil
	}
	bound, ok := in.Attr(value.Value{X: v.object}, name).X.(*value.Bound)
	if !ok {
		return nil
	}
	f, ok := bound.Func.X.(*value.Func)
	if !ok {
		return nil
	}
	var out []string
	for i, p := range f.Def.Params {
		if i > 0 && p.Star == 0 {
			out = append(out, p.Name)
		}
	}
	return out
}

// training says that the step is one of training, where the program asks and
// nobody has said otherwise: fit does so (keras/src/backend/tensorflow/trainer.py,
// train_step).
func (v *custom) training(in *value.Interp, args *value.Args) *value.Args {
	args = v.taken(in, args)
	for i, name := range v.parameters(in, "call") {
		if name != "training" {
			continue
		}
		given, ok := args.Get(i, name)
		if _, none := given.X.(value.None); ok && !none || i < len(args.Positional) || v.h.predicting {
			return args
		}
		out := *args
		out.Keywords = args.Keywords.Clone()
		out.Keywords.Put(name, value.Value{X: true})
		return &out
	}
	return args
}

// taken are the arguments without training and mask where call does not take them
// (keras/src/layers/layer.py, CallSpec).
func (v *custom) taken(in *value.Interp, args *value.Args) *value.Args {
	for _, name := range []string{"training", "mask"} {
		if _, given := args.Keywords.Get(name); !given || v.takes(in, "call", name) {
			continue
		}
		out := *args
		out.Keywords = args.Keywords.Without(name)
		args = &out
	}
	return args
}

// takes tells whether a method of the program takes a keyword, as far as is known.
func (v *custom) takes(in *value.Interp, method, keyword string) bool {
	if v.object == nil {
		return true
	}
	bound, ok := in.Attr(value.Value{X: v.object}, method).X.(*value.Bound)
	if !ok {
		return true
	}
	f, ok := bound.Func.X.(*value.Func)
	return !ok || slices.ContainsFunc(f.Def.Params, func(p names.Parameter) bool { return p.Star == 2 || p.Name == keyword })
}

// feed gives a model that is not built inputs of known shapes.
func (v *custom) feed(in *value.Interp, data value.Value) (why string) {
	var fresh []*Symbolic
	result := each(data, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok {
			fresh = append(fresh, s.s)
		}
		return x
	})
	if v.functional || !v.defines(in, "call") || len(fresh) == 0 {
		return ""
	}
	m := v.model.model
	inputs, outputs, nodes := m.Inputs, m.Outputs, m.nodes
	m.Inputs = nil
	told := unsaid
	if v.untrained(in) {
		told = predicts
	}
	var b *body
	v.h.during(told, func() { _, b, why = v.trace(in, &value.Args{Positional: []value.Value{result}}, fresh) })
	if told == predicts && b != nil {
		for _, n := range b.nodes {
			if n.mode == unsaid {
				n.mode = predicts
			}
		}
	}
	if why != "" {
		m.Inputs, m.Outputs, m.nodes = inputs, outputs, nodes
	}
	return why
}

// traced is the last of the bodies that takes such inputs, or nil.
func (v *custom) traced(in []*Tensor) *body {
	for _, b := range slices.Backward(v.bodies) {
		if b.takes(in) {
			return b
		}
	}
	return nil
}

// customSpec is a custom layer as others use it.
type customSpec struct{ v *custom }

func (*customSpec) build(*Layer, []Shape) error { return nil }

// call repeats what a call on inputs of these shapes did, or runs it for them.
func (s *customSpec) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	v := s.v
	if v.functional {
		return v.model.model.Lower(g, in)
	}
	if b := v.traced(in); b != nil {
		return b.lower(g, in)
	}
	var fresh []*Symbolic
	var items []value.Value
	for _, t := range in {
		x := &Symbolic{Shape: t.Shape, DType: t.DType}
		fresh = append(fresh, x)
		items = append(items, v.h.tensor(x))
	}
	x := value.Value{X: &value.List{Items: items}}
	if len(items) == 1 {
		x = items[0]
	}
	args := &value.Args{Positional: []value.Value{x}}
	if v.lambda.X == nil && !v.defines(v.interp, "call") {
		if v.inner != nil {
			return v.inner.layer.apply(g, in)
		}
		return nil, errors.New(v.layer.Class + " defines no call")
	}
	var b *body
	var why string
	v.h.during(g.mode, func() { _, b, why = v.trace(v.interp, args, fresh) })
	if why != "" {
		return nil, errors.New(why)
	}
	return b.lower(g, in)
}

// takes tells whether a body was made for inputs of these shapes.
func (b *body) takes(in []*Tensor) bool {
	if len(b.in) != len(in) {
		return false
	}
	for i, s := range b.in {
		if !fits(s.Shape, in[i].Shape) || s.Shape[0] >= 0 && in[i].Shape[0] >= 0 && s.Shape[0] != in[i].Shape[0] {
			return false
		}
	}
	return true
}

// eagerly calls something on arrays: it is built, and returns arrays of the
// shapes that it makes of theirs.
func (h *host) eagerly(args *value.Args, call func(*value.Args) value.Value) value.Value {
	batch := None
	args = eachArgument(args, func(x value.Value) value.Value {
		a, ok := x.X.(*array)
		if !ok {
			return x
		}
		shape := a.shape
		if len(shape) > 0 {
			if batch == None {
				batch = shape[0]
			}
			shape = shape.with(0, None)
		}
		return h.tensor(&Symbolic{Shape: shape, DType: a.computed()})
	})
	return each(call(args), func(x value.Value) value.Value {
		s, ok := x.X.(*symbolicValue)
		if !ok {
			return x
		}
		shape := s.s.Shape
		if len(shape) > 0 && shape[0] < 0 {
			shape = shape.with(0, batch)
		}
		return h.newArray(shape, s.s.DType)
	})
}
