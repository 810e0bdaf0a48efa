package models

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// LayerValue is a layer.
type LayerValue struct {
	value.Base
	H     *state.Host
	Layer *graph.Layer
}

func (v *LayerValue) AsLayer() *graph.Layer { return v.Layer }

func (v *LayerValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.H.Calls.As(v.H.Said(args))()
	args = ops.TensorArguments(v.H, args)
	if c, ok := v.Layer.Impl.(layers.Caller); ok {
		if symbolic, arrays := ops.Kinds(args); !symbolic && arrays {
			return eagerly(v.H, args, func(args *value.Args) value.Value { return v.callWith(c, args) })
		}
		return v.callWith(c, args)
	}
	x, ok := args.Get(0, "inputs")
	if !ok {
		return v.H.Unknown(value.MissingArgument, "the layer %s is called without an input", v.Layer.Name)
	}
	if _, text := x.X.(string); text && v.Layer.Class == "StringLookup" && v.Layer.Args != nil {
		if mode, given := v.Layer.Args.Get(7, "output_mode"); !given || mode.X == "int" {
			return v.H.Arrays.Array(tensor.Shape{}, "int64") // the number of the word
		}
	}
	if len(args.Positional) > 1 {
		if _, ok := args.Positional[1].X.(*ops.SymbolicValue); ok {
			return v.H.Unknown(value.UnmodelledLayer, "a call of %s with several tensors is not followed", v.Layer.Class)
		}
	}
	if symbolic, arrays := ops.Kinds(args); !symbolic && arrays {
		return eagerly(v.H, args, func(args *value.Args) value.Value {
			x, _ := args.Get(0, "inputs")
			return apply(v.H, v.Layer, x)
		})
	}
	v.H.Program.Layer(in)
	return apply(v.H, v.Layer, x)
}

// callWith calls a layer that takes several tensors, or arguments that change its operations.
func (v *LayerValue) callWith(c layers.Caller, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	in, s := c.Arguments(r)
	if r.Why != nil {
		return v.H.Unknown(value.UnmodelledLayer, "%s: %s", v.Layer.Class, r.Why)
	}
	inputs := in[0]
	if len(in) > 1 {
		inputs = value.Value{X: value.Tuple(in)}
	}
	out := applyAs(v.H, v.Layer, s, inputs)
	if all, ok := out.X.(value.Tuple); ok {
		if c, ok := s.(*layers.Cell); ok { // a layer around a cell returns the cell's states beside the output
			return c.Results(all)
		}
	}
	return out
}

// What names the layer in reasons.
func (v *LayerValue) What() string { return "the layer " + v.Layer.Name }

// Is compares the identity of layers.
func (v *LayerValue) Is(other value.Value) (same, known bool) {
	l := state.LayerOf(other)
	return v.Layer == l, l != nil
}

// InstanceOf reports whether the layer is of a class of Keras.
func (v *LayerValue) InstanceOf(class string) (truth, known bool) {
	return isLayer(v.Layer.Class, class, v.H.Keras())
}

// isLayer reports whether a layer or model class is, or extends, another in a version of Keras.
func isLayer(own, class string, keras int) (truth, known bool) {
	class = LayerName(class)
	if class == "tensorflow.keras.layers.Layer" || class == "tensorflow.Module" {
		return true, true
	}
	if !strings.HasPrefix(class, "tensorflow.keras.") {
		return false, strings.HasPrefix(class, "tensorflow.")
	}
	name := class[strings.LastIndexByte(class, '.')+1:]
	facts, _ := classes.FactsOf(own, keras)
	isModel := name == "Model" && (own == "Functional" || own == "Sequential")
	if own == name || isModel || slices.Contains(facts.Extends, name) {
		return true, true
	}
	_, exported := classes.FactsOf(name, keras)
	return false, exported || layers.Modelled(name) || name == "Model" || name == "Sequential"
}

// classOf returns the class of a layer or a model as programs name it.
func classOf(class string) (value.Value, bool) {
	name := "tensorflow.keras.layers." + class
	switch {
	case class == "Sequential":
		name = "tensorflow.keras.Sequential"
	case class == "Functional":
		name = "tensorflow.keras.models.Functional"
	case !layers.Modelled(class) && class != "InputLayer" && class != "Lambda":
		return value.Value{}, false
	}
	return value.Value{X: value.External{Name: name}}, true
}

func (v *LayerValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "name":
		return value.Value{X: v.Layer.Name}, true
	case "trainable":
		if v.Layer.Unsure != nil {
			return v.Layer.Unsure.Unknown(), true
		}
		return value.Value{X: v.Layer.Trainable}, true
	case "__class__":
		if class, ok := classOf(v.Layer.Class); ok {
			return class, true
		}
	case "output_shape":
		if v.Layer.Output != nil {
			return objects.ShapeValue(v.Layer.Output), true
		}
	case "set_weights":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			v.Layer.EachWeight(func(w *graph.Weight) { w.Given = true })
			return objects.Nothing(in, args)
		})
	case "adapt", "get_weights":
		return objects.Method(objects.Nothing)
	case "get_config":
		return objects.Method(v.config)
	case "_flatten_layers":
		return flattened(v.H, v.Layer)
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
	case "quantize":
		if v.H.Keras() == 3 {
			return objects.Method(v.quantize)
		}
	case "compute_dtype":
		return value.Value{X: string(v.Layer.DType)}, true
	case "dtype":
		return value.Value{X: "float32"}, true
	case "built":
		return value.Value{X: v.Layer.Built}, true
	case "weights", "variables", "trainable_weights", "trainable_variables":
		return variables(v.H, v.Layer, name, func(visit func(w *graph.Weight, trained bool)) {
			for _, w := range v.Layer.Weights {
				visit(w, w.Trainable)
			}
		}), true
	case "count_params":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if _, own := v.Layer.Impl.(*customImpl); own || !v.Layer.Built && !layers.Weightless(v.Layer.Class) {
				return v.H.Unknown(value.NotBuilt, "how many parameters the layer %s has", v.Layer.Name)
			}
			n := int64(0)
			v.Layer.EachWeight(func(w *graph.Weight) { n += w.Elements() })
			return value.Value{X: n}
		})
	case "_kernel", "_embeddings":
		// The properties kernel and embeddings (keras/src/layers/core/dense.py, kernel).
		switch v.Layer.Class {
		case "Dense", "EinsumDense", "Conv1D", "Conv2D", "Conv3D", "Embedding":
			if v.H.Keras() == 3 {
				return v.GetAttr(in, name[1:])
			}
		}
	case "kernel", "bias", "embeddings", "gamma", "beta":
		if w := v.Layer.Named(name); w != nil {
			return value.Value{X: ops.NewVariable(v.H, w, v.Layer)}, true
		}
		return v.H.Unknown(value.NotBuilt, "%s of %s is not known before it is built", name, v.Layer.Name), true
	}
	if w := v.Layer.Named(name); w != nil {
		return value.Value{X: ops.NewVariable(v.H, w, v.Layer)}, true
	}
	if out, ok := v.words(name); ok {
		return out, true
	}
	if len(v.Layer.Calls) > 0 {
		if out, ok := v.ends(v.Layer.Calls[0], name); ok {
			return out, true
		}
	}
	if out, ok := v.argument(in, name); ok {
		return out, true
	}
	if classes.LayerHas()[name] {
		return v.H.Unknown(value.UnmodelledLayer, "%s of the layer %s is not followed", name, v.Layer.Name), true
	}
	return value.Value{}, false
}

// enableLora trains two matrices of a rank instead of the layer's kernel.
func (v *LayerValue) enableLora(in *value.Interp, args *value.Args) value.Value {
	l := v.Layer
	kernel := cmp.Or(l.Named("kernel"), l.Named("embeddings"))
	if kernel == nil || l.Named("lora_a") != nil {
		return value.Refused("enable_lora of %s, which is not built or has it already", l.Name).Unknown()
	}
	given, _ := args.Get(0, "rank")
	rank, ok := given.Int()
	ok = ok && 0 < rank && rank <= kernel.Elements()
	if q := l.Quantized(nil); q != nil {
		low := *q
		if ok {
			low.Weights = append(slices.Clone(q.Weights), layers.Adapters(kernel, rank)...)
		} else {
			low.Why = value.Because(value.UnmodelledArgument, "the rank of its enable_lora is not known")
		}
		l.Quantize(in, &low)
		return value.Value{X: value.None{}}
	}
	s := graph.LayerWeights{Of: l}
	in.Touch(s)
	if ok {
		layers.LowRank(l, kernel, rank)
		return value.Value{X: value.None{}}
	}
	now := s.Content().(graph.LoraState)
	now.Why = value.Because(value.UnmodelledArgument, "the rank of its enable_lora is not known")
	s.Restore(now)
	return now.Why.Unknown()
}

// ends answers input, output, input_shape and output_shape of a layer's call.
func (v *LayerValue) ends(n *graph.Node, name string) (value.Value, bool) {
	switch name {
	case "output":
		return ops.Tensors(v.H, n.Out), true
	case "input":
		return ops.Tensors(v.H, n.In), true
	case "output_shape":
		return v.shapes(n.Out), true
	case "input_shape":
		return v.shapes(n.In), true
	}
	return value.Value{}, false
}

// shapes are those of a call's tensors. An InputLayer of Keras 2 has a list, of one.
func (v *LayerValue) shapes(list []*graph.Symbolic) value.Value {
	shape := shapesOf(list)
	if v.Layer.Class == "InputLayer" && v.H.Keras() == 2 {
		shape.X = &value.List{Items: []value.Value{shape}}
	}
	return shape
}

func (v *LayerValue) SetAttr(in *value.Interp, name string, to value.Value) {
	if name == "trainable" {
		v.Layer.SetTrainable(in, graph.Freezing(in, to))
		return
	}
	if of, ok := strings.CutSuffix(name, "_regularizer"); ok {
		// Existing weights keep their regularizers (keras/src/layers/layer.py, add_weight).
		// Copies of the layer get these.
		if of == "activity" {
			v.Layer.Activity = ops.RegularizedActivity(v.H, in, to)
			return
		}
		sums := maps.Clone(v.Layer.Penalties)
		if sums == nil {
			sums = map[string][]graph.Penalty{}
		}
		sums[of] = layers.PenaltiesOf(to)
		v.Layer.Penalties = sums
	}
}

// build is layer.build(input_shape), for a layer with one input.
func (v *LayerValue) build(_ *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	if shape, ok := objects.Whole(given); ok && len(shape) > 0 {
		if err := v.Layer.Build([]*graph.Tensor{{Shape: shape, DType: v.Layer.DType}}); err != nil {
			return value.From(err).Unknown()
		}
	}
	return value.Value{X: value.None{}}
}

// outputShape is layer.compute_output_shape(input_shape), computed with an identical layer.
func (v *LayerValue) outputShape(in *value.Interp, args *value.Args) value.Value {
	if v.Layer.Args == nil {
		return v.H.Unknown(value.NotBuilt, "the shape that %s computes", v.Layer.Name)
	}
	defer v.H.Names.Keep()() // Keras does not create it
	like := Layer(v.H, in, v.Layer.Class, v.Layer.Args)
	l, ok := like.X.(*LayerValue)
	if !ok {
		return like
	}
	return shapeOf(v.H, v.Layer, args, func(x value.Value) value.Value { return apply(v.H, l.Layer, x) })
}

// shapeOf returns the output shape of a call, with a layer like the one whose
// compute_output_shape(input_shape) is called.
func shapeOf(h *state.Host, l *graph.Layer, args *value.Args, call func(x value.Value) value.Value) value.Value {
	given, _ := args.Get(0, "input_shape")
	shape, ok := objects.Whole(given)
	if !ok {
		return h.Unknown(value.NotBuilt, "the shape that %s computes of one that is not known: %s", l.Name, objects.Because(given))
	}
	out := call(ops.Tensor(h, &graph.Symbolic{Shape: shape, DType: l.DType}))
	if s, ok := out.X.(*ops.SymbolicValue); ok {
		return objects.ShapeValue(s.S.Shape)
	}
	return h.Unknown(value.NotBuilt, "the shape that %s computes: %s", l.Name, objects.Because(out))
}

// layerCall is layer.call.
type layerCall struct {
	value.Base
	v *LayerValue
}

func (c *layerCall) Call(in *value.Interp, args *value.Args) value.Value { return c.v.Call(in, args) }

// Signature returns the parameters of the call that programs look for.
func (c *layerCall) Signature() (parameters []string, ok bool) {
	if facts, _ := classes.FactsOf(c.v.Layer.Class, c.v.H.Keras()); !facts.Training {
		return []string{"inputs"}, true
	}
	return []string{"inputs", "training"}, true
}

// config is get_config: the arguments that the layer was created with, as its class reads them.
func (v *LayerValue) config(in *value.Interp, _ *value.Args) value.Value {
	out := &value.Dict{Open: value.Because(value.UnmodelledLayer, "the configuration of %s is not followed", v.Layer.Name)}
	put := func(name string, v value.Value) {
		out.Keys, out.Values = append(out.Keys, value.Value{X: name}), append(out.Values, v)
	}
	put("name", value.Value{X: v.Layer.Name})
	put("trainable", value.Value{X: v.Layer.Trainable})
	read := v.arguments(in)
	for _, name := range slices.Sorted(maps.Keys(read)) {
		put(name, read[name])
	}
	return value.Value{X: out}
}

// argument answers for attributes that are constructor arguments: layer.units, and
// self.kernel_size in a class that extends Conv2D.
func (v *LayerValue) argument(in *value.Interp, name string) (value.Value, bool) {
	convolution := strings.Contains(v.Layer.Class, "Conv") && !strings.Contains(v.Layer.Class, "LSTM")
	if name == "convolution_op" && convolution {
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "inputs")
			return v.Call(in, &value.Args{Positional: []value.Value{x}, Node: args.Node})
		})
	}
	if v.Layer.Args == nil {
		return value.Value{}, false
	}
	name = strings.TrimPrefix(name, "_") // self._key_dim
	given, ok := v.Layer.Args.Keywords.Get(name)
	if name == "activation" {
		switch x := given.X.(type) {
		case string:
			return value.Value{X: value.External{Name: "tensorflow.keras.activations." + x}}, true
		case nil:
			none := len(v.Layer.Args.Positional) <= 2 && v.Layer.Args.Open == nil && (convolution || v.Layer.Class == "Dense")
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
func (v *LayerValue) arguments(in *value.Interp) map[string]value.Value {
	makes := layers.LayerClasses[v.Layer.Class].Make
	if len(v.Layer.Parts()) > 0 || makes == nil || v.Layer.Args == nil {
		return nil // not recorded for the layers of keras.applications
	}
	r := LayerArguments(v.H, in, v.Layer.Args)
	r.Read = map[string]value.Value{}
	if makes(r); r.Why != nil {
		return nil
	}
	return r.Read
}
