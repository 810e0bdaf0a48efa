package keras

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// layerValue is a layer.
type layerValue struct {
	base
	h     *host
	layer *Layer
}

func (v *layerValue) asLayer() *Layer { return v.layer }

func (v *layerValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.h.callingAs(v.h.said(args))()
	args = v.h.tensorArguments(args)
	if c, ok := v.layer.impl.(caller); ok {
		if symbolic, arrays := kinds(args); !symbolic && arrays {
			return v.h.eagerly(args, func(args *value.Args) value.Value { return v.callWith(c, args) })
		}
		return v.callWith(c, args)
	}
	x, ok := args.Get(0, "inputs")
	if !ok {
		return v.h.unknown(value.MissingArgument, "the layer %s is called without an input", v.layer.Name)
	}
	if len(args.Positional) > 1 {
		if _, ok := args.Positional[1].X.(*symbolicValue); ok {
			return v.h.unknown(value.UnmodelledLayer, "a call of %s with several tensors is not followed", v.layer.Class)
		}
	}
	if symbolic, arrays := kinds(args); !symbolic && arrays {
		return v.h.eagerly(args, func(args *value.Args) value.Value {
			x, _ := args.Get(0, "inputs")
			return v.h.apply(v.layer, x)
		})
	}
	v.h.builds(in)
	return v.h.apply(v.layer, x)
}

// callWith calls a layer that takes several tensors, or arguments that change its operations.
func (v *layerValue) callWith(c caller, args *value.Args) value.Value {
	r := &argParser{args: args}
	in, s := c.arguments(r)
	if r.why != nil {
		return v.h.unknown(value.UnmodelledLayer, "%s: %s", v.layer.Class, r.why)
	}
	inputs := in[0]
	if len(in) > 1 {
		inputs = value.Value{X: value.Tuple(in)}
	}
	out := v.h.applyAs(v.layer, s, inputs)
	if all, ok := out.X.(value.Tuple); ok {
		if c, ok := s.(*cell); ok { // a layer around a cell returns the cell's states beside the output
			return c.results(all)
		}
	}
	return out
}

// What names the layer in reasons.
func (v *layerValue) What() string { return "the layer " + v.layer.Name }

// Is compares the identity of layers.
func (v *layerValue) Is(other value.Value) (same, known bool) {
	l := layerOf(other)
	return v.layer == l, l != nil
}

// InstanceOf reports whether the layer is of a class of Keras.
func (v *layerValue) InstanceOf(class string) (truth, known bool) {
	return isLayer(v.layer.Class, class, v.h.keras())
}

// isLayer reports whether a layer or model class is, or extends, another in a version of Keras.
func isLayer(own, class string, keras int) (truth, known bool) {
	class = layerName(class)
	if class == "tensorflow.keras.layers.Layer" || class == "tensorflow.Module" {
		return true, true
	}
	if !strings.HasPrefix(class, "tensorflow.keras.") {
		return false, strings.HasPrefix(class, "tensorflow.")
	}
	name := class[strings.LastIndexByte(class, '.')+1:]
	facts, _ := factsOf(own, keras)
	isModel := name == "Model" && (own == "Functional" || own == "Sequential")
	if own == name || isModel || slices.Contains(facts.extends, name) {
		return true, true
	}
	_, exported := factsOf(name, keras)
	return false, exported || modelled(name) || name == "Model" || name == "Sequential"
}

// classOf returns the class of a layer or a model as programs name it.
func classOf(class string) (value.Value, bool) {
	name := "tensorflow.keras.layers." + class
	switch {
	case class == "Sequential":
		name = "tensorflow.keras.Sequential"
	case class == "Functional":
		name = "tensorflow.keras.models.Functional"
	case !modelled(class) && class != "InputLayer" && class != "Lambda":
		return value.Value{}, false
	}
	return value.Value{X: value.External{Name: name}}, true
}

func (v *layerValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "name":
		return value.Value{X: v.layer.Name}, true
	case "trainable":
		if v.layer.unsure != nil {
			return v.layer.unsure.Unknown(), true
		}
		return value.Value{X: v.layer.Trainable}, true
	case "__class__":
		if class, ok := classOf(v.layer.Class); ok {
			return class, true
		}
	case "output_shape":
		if v.layer.Output != nil {
			return objects.ShapeValue(v.layer.Output), true
		}
	case "adapt", "set_weights", "get_weights":
		return objects.Method(objects.Nothing)
	case "get_config":
		return objects.Method(v.config)
	case "_flatten_layers":
		return v.h.flattened(v.layer)
	case "build":
		return objects.Method(v.build)
	case "call":
		return value.Value{X: &layerCall{"the call of a layer", v}}, true
	case "__call__":
		return objects.Method(v.Call)
	case "compute_output_shape":
		return objects.Method(v.outputShape)
	case "enable_lora":
		return objects.Method(v.enableLora)
	case "compute_dtype":
		return value.Value{X: string(v.layer.DType)}, true
	case "dtype":
		return value.Value{X: "float32"}, true
	case "built":
		return value.Value{X: v.layer.built}, true
	case "weights", "variables", "trainable_weights", "trainable_variables":
		list := &value.List{}
		for _, w := range v.layer.Weights {
			if w.Trainable || !strings.HasPrefix(name, "trainable") {
				list.Items = append(list.Items, value.Value{X: v.h.newVariable(w, v.layer)})
			}
		}
		return value.Value{X: list}, true
	case "count_params":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if _, own := v.layer.impl.(*customImpl); own || !v.layer.built && !weightless(v.layer.Class) {
				return v.h.unknown(value.NotBuilt, "how many parameters the layer %s has", v.layer.Name)
			}
			n := int64(0)
			v.layer.EachWeight(func(w *Weight) { n += w.Elements() })
			return value.Value{X: n}
		})
	case "_kernel", "_embeddings":
		// The properties kernel and embeddings (keras/src/layers/core/dense.py, kernel).
		switch v.layer.Class {
		case "Dense", "EinsumDense", "Conv1D", "Conv2D", "Conv3D", "Embedding":
			if v.h.keras() == 3 {
				return v.GetAttr(in, name[1:])
			}
		}
	case "kernel", "bias", "embeddings", "gamma", "beta":
		if w := v.layer.named(name); w != nil {
			return value.Value{X: v.h.newVariable(w, v.layer)}, true
		}
		return v.h.unknown(value.NotBuilt, "the %s of %s, which is not built", name, v.layer.Name), true
	}
	if w := v.layer.named(name); w != nil {
		return value.Value{X: v.h.newVariable(w, v.layer)}, true
	}
	if out, ok := v.words(in, name); ok {
		return out, true
	}
	if len(v.layer.calls) > 0 {
		if out, ok := v.ends(v.layer.calls[0], name); ok {
			return out, true
		}
	}
	if out, ok := v.argument(in, name); ok {
		return out, true
	}
	if layerHas()[name] {
		return v.h.unknown(value.UnmodelledLayer, "%s of the layer %s is not followed", name, v.layer.Name), true
	}
	return value.Value{}, false
}

// enableLora trains two matrices of a rank instead of the layer's kernel.
func (v *layerValue) enableLora(in *value.Interp, args *value.Args) value.Value {
	l := v.layer
	kernel := cmp.Or(l.named("kernel"), l.named("embeddings"))
	if kernel == nil || l.named("lora_a") != nil {
		return v.h.unknown(value.KerasRaises, "TensorFlow will raise: enable_lora of %s, which is not built or has it already", l.Name)
	}
	s := layerWeights{l}
	in.Touch(s)
	given, _ := args.Get(0, "rank")
	if rank, ok := given.Int(); ok && 0 < rank && rank <= kernel.Elements() {
		low(l, kernel, rank)
		return value.Value{X: value.None{}}
	}
	now := s.Content().(loraState)
	now.why = value.Because(value.UnmodelledArgument, "the rank of its enable_lora is not known")
	s.Restore(now)
	return now.why.Unknown()
}

// ends answers input, output, input_shape and output_shape of a layer's call.
func (v *layerValue) ends(n *node, name string) (value.Value, bool) {
	switch name {
	case "output":
		return v.h.tensors(n.out), true
	case "input":
		return v.h.tensors(n.in), true
	case "output_shape":
		if len(n.out) == 1 {
			return objects.ShapeValue(n.out[0].Shape), true
		}
	case "input_shape":
		if len(n.in) == 1 {
			return objects.ShapeValue(n.in[0].Shape), true
		}
	}
	return value.Value{}, false
}

func (v *layerValue) SetAttr(in *value.Interp, name string, to value.Value) {
	if name == "trainable" {
		v.layer.setTrainable(in, freezing(in, to))
		return
	}
	if of, ok := strings.CutSuffix(name, "_regularizer"); ok {
		// Existing weights keep their regularizers (keras/src/layers/layer.py, add_weight).
		// Copies of the layer get these.
		if of == "activity" {
			v.layer.activity = v.h.activity(in, to)
			return
		}
		sums := maps.Clone(v.layer.penalties)
		if sums == nil {
			sums = map[string]int{}
		}
		sums[of] = penalties(to)
		v.layer.penalties = sums
	}
}

// build is layer.build(input_shape), for a layer with one input.
func (v *layerValue) build(_ *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	if shape, ok := objects.Whole(given); ok && len(shape) > 0 {
		if err := v.layer.build([]*Tensor{{Shape: shape, DType: v.layer.DType}}); err != nil {
			return value.From(err).Unknown()
		}
	}
	return value.Value{X: value.None{}}
}

// outputShape is layer.compute_output_shape(input_shape), computed with an identical layer.
func (v *layerValue) outputShape(in *value.Interp, args *value.Args) value.Value {
	if v.layer.args == nil {
		return v.h.unknown(value.NotBuilt, "the shape that %s computes", v.layer.Name)
	}
	defer v.h.unnamed()()
	like := v.h.layer(in, v.layer.Class, v.layer.args)
	l, ok := like.X.(*layerValue)
	if !ok {
		return like
	}
	return v.h.shapeOf(v.layer, args, func(x value.Value) value.Value { return v.h.apply(l.layer, x) })
}

// unnamed makes new layers take no names until the returned function is called: Keras does not
// create them.
func (h *host) unnamed() func() {
	names := maps.Clone(h.names)
	return func() { h.names = names }
}

// shapeOf returns the output shape of a call, with a layer like the one whose
// compute_output_shape(input_shape) is called.
func (h *host) shapeOf(l *Layer, args *value.Args, call func(x value.Value) value.Value) value.Value {
	given, _ := args.Get(0, "input_shape")
	shape, ok := objects.Whole(given)
	if !ok {
		return h.unknown(value.NotBuilt, "the shape that %s computes of one that is not known: %s", l.Name, objects.Because(given))
	}
	out := call(h.tensor(&Symbolic{Shape: shape, DType: l.DType}))
	if s, ok := out.X.(*symbolicValue); ok {
		return objects.ShapeValue(s.s.Shape)
	}
	return h.unknown(value.NotBuilt, "the shape that %s computes: %s", l.Name, objects.Because(out))
}

// layerCall is layer.call.
type layerCall struct {
	base
	v *layerValue
}

func (c *layerCall) Call(in *value.Interp, args *value.Args) value.Value { return c.v.Call(in, args) }

// Signature returns the parameters of the call that programs look for.
func (c *layerCall) Signature() (parameters []string, ok bool) {
	if facts, _ := factsOf(c.v.layer.Class, c.v.h.keras()); !facts.training {
		return []string{"inputs"}, true
	}
	return []string{"inputs", "training"}, true
}

// config is get_config: the arguments that the layer was created with, as its class reads them.
func (v *layerValue) config(in *value.Interp, _ *value.Args) value.Value {
	out := &value.Dict{Open: value.Because(value.UnmodelledLayer, "what %s says of itself is not followed", v.layer.Name)}
	put := func(name string, v value.Value) {
		out.Keys, out.Values = append(out.Keys, value.Value{X: name}), append(out.Values, v)
	}
	put("name", value.Value{X: v.layer.Name})
	put("trainable", value.Value{X: v.layer.Trainable})
	read := v.arguments(in)
	for _, name := range slices.Sorted(maps.Keys(read)) {
		put(name, read[name])
	}
	return value.Value{X: out}
}

// argument answers for attributes that are constructor arguments: layer.units, and
// self.kernel_size in a class that extends Conv2D.
func (v *layerValue) argument(in *value.Interp, name string) (value.Value, bool) {
	convolution := strings.Contains(v.layer.Class, "Conv") && !strings.Contains(v.layer.Class, "LSTM")
	if name == "convolution_op" && convolution {
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "inputs")
			return v.Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
		})
	}
	if v.layer.args == nil {
		return value.Value{}, false
	}
	name = strings.TrimPrefix(name, "_") // self._key_dim
	given, ok := v.layer.args.Keywords.Get(name)
	if name == "activation" {
		switch x := given.X.(type) {
		case string:
			return value.Value{X: value.External{Name: "tensorflow.keras.activations." + x}}, true
		case nil:
			none := len(v.layer.args.Positional) <= 2 && v.layer.args.Open == nil && (convolution || v.layer.Class == "Dense")
			return value.Value{X: value.External{Name: "tensorflow.keras.activations.linear"}}, none
		}
	}
	if read, ok := v.arguments(in)[name]; ok {
		return read, true
	}
	return given, ok
}

// arguments returns the constructor arguments as the class of the layer reads them: a kernel_size
// of 3 is (3, 3) then.
func (v *layerValue) arguments(in *value.Interp) map[string]value.Value {
	makes := layerClasses[v.layer.Class].make
	if _, ok := v.layer.impl.(parent); ok || makes == nil || v.layer.args == nil {
		return nil // not recorded for the layers of keras.applications
	}
	r := v.h.layerArguments(in, v.layer.args)
	r.read = map[string]value.Value{}
	if makes(r); r.why != nil {
		return nil
	}
	return r.read
}
