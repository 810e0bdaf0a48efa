package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// base answers for what an object does not do.
type base struct{ what string }

// What names it in the reasons why something is not known.
func (b base) What() string { return b.what }

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

// Truth is that of every object that defines neither __bool__ nor __len__.
func (opaque) Truth(*value.Interp) (truth, known bool)        { return true, true }
func (v *layerValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *modelValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *custom) Truth(*value.Interp) (truth, known bool)     { return true, true }
func (d *dataset) Truth(*value.Interp) (truth, known bool)    { return true, true }

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

// Is tells tensors apart: what an operation returns is always another.
func (v *symbolicValue) Is(other value.Value) (same, known bool) {
	o, ok := other.X.(*symbolicValue)
	return ok && v.s == o.s, ok
}

func (v *symbolicValue) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		if r := v.h.recorder; r != nil && (v.h.tracing == 0 || !r.compiled) { // it runs on data: all sizes are numbers
			return value.Value{X: value.Tuple(shapeOf(v.s))}, true
		}
		return shapeValue(v.s.Shape), true
	case "numpy":
		if v.h.recorder != nil {
			return method(func(*value.Interp, *value.Args) value.Value { return v.h.unknown("the value of a tensor") })
		}
	case "dtype":
		return value.Value{X: string(v.s.DType)}, true
	case "name":
		if v.s.from == nil && v.s.name != "" {
			return value.Value{X: v.s.name}, true // keras/src/layers/core/input_layer.py
		}
		return v.h.unknown("the name that Keras gives a tensor"), true
	case "ndim":
		return value.Value{X: int64(len(v.s.Shape))}, true
	case "_keras_history":
		if n := v.s.from; n != nil {
			if _, op := n.layer.spec.(*operation); !op {
				maker := v.h.layerOf(n)
				return value.Value{X: &history{base{"the history of a tensor"}, maker}}, true
			}
		} else if v.s.name != "" {
			return value.Value{X: &history{base{"the history of a tensor"}, v.h.inputLayer(v.s)}}, true
		}
	case "set_shape":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "shape")
			if shape, ok := whole(to); ok && len(shape) == len(v.s.Shape) {
				for i, n := range shape {
					if n >= 0 && v.s.Shape[i] < 0 {
						v.s.Shape = v.s.Shape.with(i, n)
					}
				}
			}
			return value.Value{X: value.None{}}
		})
	case "get_shape":
		return method(func(*value.Interp, *value.Args) value.Value { return shapeValue(v.s.Shape) })
	}
	return value.Value{}, false
}

func (v *symbolicValue) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return v.h.binaryOperator(in, op, value.Value{X: v}, other, reflected)
}

func (v *symbolicValue) Index(_ *value.Interp, index value.Value) value.Value {
	return v.h.item(v.s, index)
}

// Iterate is the tensor taken apart along its first dimension, where that is known.
func (v *symbolicValue) Iterate(*value.Interp) ([]value.Value, bool) {
	if len(v.s.Shape) == 0 || v.s.Shape[0] < 0 || v.s.Shape[0] > maxParts {
		return nil, false
	}
	items := make([]value.Value, v.s.Shape[0])
	for i := range items {
		items[i] = v.h.item(v.s, value.Value{X: int64(i)})
	}
	return items, true
}

func (v *symbolicValue) Len(*value.Interp) value.Value {
	if len(v.s.Shape) == 0 || v.s.Shape[0] < 0 {
		return v.h.unknown("the length of a tensor of the shape %s", v.s.Shape)
	}
	return value.Value{X: v.s.Shape[0]}
}

// IsInstance tells tensors from all else.
func (v *symbolicValue) IsInstance(class string) (truth, known bool) {
	switch class {
	case "tensorflow.Tensor", "tensorflow.keras.KerasTensor":
		return true, true
	}
	return false, !strings.HasPrefix(class, "tensorflow.")
}

// layerValue is a layer.
type layerValue struct {
	base
	h     *host
	layer *Layer
	input *value.Value // input_shape=
	args  *value.Args  // that it was made with
}

func (v *layerValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.h.callingAs(v.h.said(args))()
	args = v.h.tensorArguments(args)
	if c, ok := v.layer.spec.(caller); ok {
		if symbolic, arrays := kinds(args); !symbolic && arrays {
			return v.h.eagerly(args, func(args *value.Args) value.Value { return v.callWith(c, args) })
		}
		return v.callWith(c, args)
	}
	x, ok := args.Get(0, "inputs")
	if !ok {
		return v.h.unknown("the layer %s is called without an input", v.layer.Name)
	}
	if len(args.Positional) > 1 {
		if _, ok := args.Positional[1].X.(*symbolicValue); ok {
			return v.h.unknown("a call of %s with several tensors is not followed", v.layer.Class)
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

// callWith calls a layer that takes several tensors, or arguments that change
// what it does.
func (v *layerValue) callWith(c caller, args *value.Args) value.Value {
	r := &reader{args: args}
	in, s := c.arguments(r)
	if r.why != "" {
		return v.h.unknown("%s: %s", v.layer.Class, r.why)
	}
	inputs := in[0]
	if len(in) > 1 {
		inputs = value.Value{X: value.Tuple(in)}
	}
	out := v.h.applyAs(v.layer, s, inputs)
	if all, ok := out.X.(value.Tuple); ok {
		if c, ok := s.(*cell); ok { // a layer around one returns its states beside the output
			return c.results(all)
		}
	}
	return out
}

// Is tells layers apart.
func (v *layerValue) Is(other value.Value) (same, known bool) {
	l := layerOf(other)
	return v.layer == l, l != nil
}

// IsInstance tells whether the layer is of a class of Keras.
func (v *layerValue) IsInstance(class string) (truth, known bool) {
	return isLayer(v.layer.Class, class)
}

// build is layer.build(input_shape), for a layer of one input.
func (v *layerValue) build(_ *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	if shape, ok := whole(given); ok && len(shape) > 0 {
		if err := v.layer.build([]*Tensor{{Shape: shape, DType: v.layer.DType}}); err != nil {
			return v.h.unknown("%s", err)
		}
	}
	return value.Value{X: value.None{}}
}

// history is what a tensor says of the layer that made it.
type history struct {
	base
	maker value.Value
}

func (t *history) Attr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "operation", "layer":
		return t.maker, true
	}
	return value.Value{}, false
}

func (t *history) Index(_ *value.Interp, index value.Value) value.Value {
	if index.X == int64(0) {
		return t.maker
	}
	return t.unknown("an item of ")
}

// layerOf is the layer of a call, with that call.
func (h *host) layerOf(n *node) value.Value {
	return (&modelValue{h: h, model: &Model{}}).member(n.layer, n)
}

// layerCall is layer.call.
type layerCall struct {
	base
	v *layerValue
}

func (c *layerCall) Call(in *value.Interp, args *value.Args) value.Value { return c.v.Call(in, args) }

// Parameters are those of the call that programs look for.
func (c *layerCall) Parameters() []string {
	own := c.v.layer.Class
	if c.v.h.keras == 2 && (own == "Dense" || own == "EinsumDense") || !slices.Contains(takesTraining, own) {
		return []string{"inputs"}
	}
	return []string{"inputs", "training"}
}

// outputShape is layer.compute_output_shape(input_shape), which a layer like it shows.
func (v *layerValue) outputShape(in *value.Interp, args *value.Args) value.Value {
	given, _ := args.Get(0, "input_shape")
	shape, ok := whole(given)
	if !ok || v.args == nil {
		return v.h.unknown("the shape that %s computes", v.layer.Name)
	}
	like := v.h.layer(in, v.layer.Class, v.args)
	l, ok := like.X.(*layerValue)
	if !ok {
		return like
	}
	out := v.h.apply(l.layer, v.h.tensor(&Symbolic{Shape: shape, DType: l.layer.DType}))
	if s, ok := out.X.(*symbolicValue); ok {
		return shapeValue(s.s.Shape)
	}
	return v.h.unknown("the shape that %s computes: %s", v.layer.Name, out.Why())
}

// What names the layer in reasons.
func (v *layerValue) What() string { return "the layer " + v.layer.Name }

func isLayer(own, class string) (truth, known bool) {
	class = layerName(class)
	if class == "tensorflow.keras.layers.Layer" || class == "tensorflow.Module" {
		return true, true
	}
	if !strings.HasPrefix(class, "tensorflow.keras.") {
		return false, strings.HasPrefix(class, "tensorflow.")
	}
	name := class[strings.LastIndexByte(class, '.')+1:]
	same := map[string]string{"Functional": "Model"}
	if same[own] == name || own == "Sequential" && name == "Model" {
		return true, true
	}
	return own == name, own == name || makers[name] != nil || name == "Model" || name == "Sequential" || name == "InputLayer"
}

// IsInstance tells whether the model is of a class of Keras.
func (v *modelValue) IsInstance(class string) (truth, known bool) {
	return isLayer(v.model.Class, class)
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
	case "adapt", "set_weights", "get_weights":
		return method(nothing)
	case "build":
		return method(v.build)
	case "call":
		return value.Value{X: &layerCall{base{"the call of a layer"}, v}}, true
	case "__call__":
		return method(v.Call)
	case "compute_output_shape":
		return method(v.outputShape)
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
	case "kernel", "bias", "embeddings", "gamma", "beta":
		if w := v.layer.named(name); w != nil {
			return value.Value{X: v.h.newVariable(w, v.layer)}, true
		}
		return v.h.unknown("the %s of %s, which is not built", name, v.layer.Name), true
	}
	if out, ok := v.words(in, name); ok {
		return out, true
	}
	if len(v.layer.calls) > 0 {
		if out, ok := v.ends(v.layer.calls[0], name); ok {
			return out, true
		}
	}
	if out, ok := v.argument(name); ok {
		return out, true
	}
	return value.Value{}, false
}

func (v *layerValue) SetAttr(in *value.Interp, name string, to value.Value) bool {
	if name == "trainable" {
		on, ok := to.X.(bool)
		if ok {
			v.layer.setTrainable(in, on)
		}
		return ok
	}
	return true
}

// modelValue is a model.
type modelValue struct {
	base
	h     *host
	model *Model
	layer *Layer // the model as a layer of others
	// custom is what stands behind it where the program writes it as a class.
	custom *custom
}

func (v *modelValue) asLayer() *Layer {
	if v.layer == nil {
		v.layer = v.model.asLayer()
	}
	return v.layer
}

// add is Sequential.add.
func (v *modelValue) add(in *value.Interp, item value.Value) {
	m := v.model
	in.Touch(modelChain{m})
	switch x := item.X.(type) {
	case *layerValue:
		if v.begin(x.input, x.layer) {
			m.add(x.layer)
		}
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
		if l := layerOf(item); l != nil {
			var input *value.Value
			if s, ok := l.spec.(*customSpec); ok {
				input = s.v.input
			}
			if v.begin(input, l) {
				m.add(l)
			}
			return
		}
		why := item.Why()
		if why == "" {
			why = "something is added that is no layer that is known"
		}
		m.unresolved(why)
	}
}

// begin gives a Sequential its input where its first layer says it; false where
// what it says is not known.
func (v *modelValue) begin(input *value.Value, l *Layer) bool {
	m := v.model
	if len(m.Inputs) > 0 || input == nil || len(m.stack) > 0 {
		return true
	}
	shape, ok := whole(*input)
	if n, single := input.Int(); single {
		shape, ok = []int64{n}, true
	}
	if !ok {
		m.unresolved("input_shape is not known: " + because(*input))
		return false
	}
	m.input(append(Shape{None}, shape...), inputType(l))
	return true
}

// inputType is the type of the input that a first layer takes.
func inputType(l *Layer) DType {
	if l.Class == "Embedding" {
		return "int32"
	}
	return "float32"
}

func (v *modelValue) Call(in *value.Interp, args *value.Args) value.Value {
	defer v.h.callingAs(v.h.said(args))()
	if len(args.Positional) == 0 {
		return v.h.unknown("the model %s is called without an input", v.model.Name)
	}
	args = v.h.tensorArguments(args)
	v.forward(args)
	in.Spend(4 * len(v.model.nodes)) // each of its layers is called
	if len(v.model.Unresolved) > 0 {
		return v.h.unknown("%s", v.model.Unresolved[0])
	}
	if v.model.weightless() {
		return v.inTurn(in, args)
	}
	if symbolic, arrays := kinds(args); !symbolic && arrays {
		return v.h.eagerly(args, func(args *value.Args) value.Value { return v.arranged(v.h.apply(v.asLayer(), args.Positional[0])) })
	}
	return v.arranged(v.h.apply(v.asLayer(), args.Positional[0]))
}

// inTurn calls a Sequential whose layers have no weights: on one image as well as
// on batches of them, for nothing of it is built.
func (v *modelValue) inTurn(in *value.Interp, args *value.Args) value.Value {
	if s, ok := args.Positional[0].X.(*symbolicValue); ok {
		if !v.model.Built() {
			v.model.input(s.s.Shape.from(None), s.s.DType)
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

// arranged is what a call of the model returns, in the structure in which its
// outputs were given (keras/src/models/functional.py, call).
func (v *modelValue) arranged(out value.Value) value.Value {
	flat, ok := out.X.(value.Tuple)
	if !ok {
		flat = value.Tuple{out}
	}
	switch v.model.returns.X.(type) {
	case value.Tuple, *value.List, *value.Dict:
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
			v.model.setTrainable(in, on)
		}
		return ok
	case "optimizer":
		if o, ok := to.X.(*optimizerValue); ok {
			in.Touch(modelCompilation{v.model})
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
		if len(m.Unresolved) > 0 {
			return v.h.unknown("%s", m.Unresolved[0]), true
		}
		return value.Value{X: &value.List{Items: v.listed()}}, true
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
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if layer, ok := args.Get(0, "layer"); ok {
				v.add(in, layer)
			}
			return value.Value{X: value.None{}}
		})
	case "pop":
		return method(func(in *value.Interp, _ *value.Args) value.Value {
			in.Touch(modelChain{m})
			m.pop()
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
	case "save":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			path, _ := args.Get(0, "filepath")
			v.save(path)
			return value.Value{X: value.None{}}
		})
	case "summary", "save_weights", "load_weights", "set_weights", "reset_states", "reset_metrics":
		return method(nothing)
	case "weights", "variables", "trainable_weights", "trainable_variables", "non_trainable_weights", "non_trainable_variables":
		return v.variables(name), true
	case "losses": // of regularizers, which are of no size
		return value.Value{X: &value.List{}}, true
	case "optimizer":
		if m.Optimizer != nil {
			return v.h.newOptimizerValue(m.Optimizer), true
		}
	case "loss":
		if m.Compiled != nil && m.Compiled.loss.X != nil {
			return m.Compiled.loss, true
		}
	case "compute_loss", "compiled_loss":
		return method(func(in *value.Interp, args *value.Args) value.Value { return v.compiledLoss(in, name, args) })
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
		for _, s := range v.model.Inputs {
			out = append(out, v.h.inputLayer(s))
		}
	}
	calls := v.model.calls()
	for _, l := range v.model.Layers() {
		out = append(out, v.member(l, calls[l]))
	}
	return out
}

// inputLayer is the layer that an input comes from.
func (h *host) inputLayer(s *Symbolic) value.Value {
	name := s.name
	if name == "" {
		name = "input_layer"
	}
	l := &Layer{Class: "InputLayer", Name: name, spec: plain(identity), built: true, Output: s.Shape}
	return value.Value{X: &calledLayer{layerValue{h: h, layer: l}, &node{layer: l, in: []*Symbolic{s}, out: []*Symbolic{s}}}}
}

// calls are the first calls that a model has of its layers.
func (m *Model) calls() map[*Layer]*node {
	out := make(map[*Layer]*node, len(m.nodes))
	for _, n := range m.nodes {
		if out[n.layer] == nil {
			out[n.layer] = n
		}
	}
	return out
}

// member is one of the model's layers, with the call that the model has of it.
func (v *modelValue) member(l *Layer, call *node) value.Value {
	switch {
	case l.Inner != nil && l.Inner.Class == "Subclass":
		if w, ok := l.spec.(*customSpec); ok && w.v.object != nil {
			return value.Value{X: w.v.object}
		} else if ok {
			return value.Value{X: w.v}
		}
	case l.Inner != nil:
		return value.Value{X: &modelValue{h: v.h, model: l.Inner, layer: l}}
	case call != nil:
		return value.Value{X: &calledLayer{layerValue{h: v.h, layer: l}, call}}
	}
	return value.Value{X: &layerValue{h: v.h, layer: l}}
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
		return v.h.tensor(list[0]), true
	}
	var out value.List
	for _, s := range list {
		out.Items = append(out.Items, v.h.tensor(s))
	}
	return value.Value{X: &out}, true
}

func (v *modelValue) getLayer(_ *value.Interp, args *value.Args) value.Value {
	if i, ok := args.Get(1, "index"); ok {
		if n, ok := i.Int(); ok {
			all := v.listed()
			if n < 0 {
				n += int64(len(all))
			}
			if n >= 0 && n < int64(len(all)) {
				return all[n]
			}
		}
	}
	name, _ := args.Get(0, "name")
	want, known := name.X.(string)
	if !known {
		return v.h.unknown("the layer that is asked for is not known: %s", because(name))
	}
	for _, l := range v.model.Layers() {
		if l.Name == want {
			return v.member(l, v.model.calls()[l])
		}
	}
	for _, s := range v.model.Inputs {
		if s.name == want && want != "" {
			return v.h.inputLayer(s)
		}
	}
	return v.h.unknown("the layer %q of %s is not known", want, v.model.Name)
}

// calledLayer is a layer of a model, with the call that the model has of it.
type calledLayer struct {
	layerValue
	node *node
}

func (v *calledLayer) Attr(in *value.Interp, name string) (value.Value, bool) {
	if out, ok := v.ends(v.node, name); ok {
		return out, true
	}
	return v.layerValue.Attr(in, name)
}

// ends are the tensors that a call of a layer leads from and to.
func (v *layerValue) ends(n *node, name string) (value.Value, bool) {
	switch name {
	case "output":
		return v.h.tensors(n.out), true
	case "input":
		return v.h.tensors(n.in), true
	case "output_shape":
		if len(n.out) == 1 {
			return shapeValue(n.out[0].Shape), true
		}
	case "input_shape":
		if len(n.in) == 1 {
			return shapeValue(n.in[0].Shape), true
		}
	}
	return value.Value{}, false
}

func (v *modelValue) build(in *value.Interp, args *value.Args) value.Value {
	shape, ok := args.Get(0, "input_shape")
	if _, none := shape.X.(value.None); !ok || none || v.model.Built() {
		return value.Value{X: value.None{}}
	}
	whole, ok := whole(shape)
	switch {
	case v.custom != nil && !v.custom.functional:
		var data value.Value
		if ok {
			data = v.h.tensor(&Symbolic{Shape: whole, DType: "float32"})
		} else if data, ok = v.h.several(shape); !ok {
			v.model.unresolved("the shape it is built with is not known: " + because(shape))
			break
		}
		if why := v.custom.feed(in, data); why != "" {
			v.model.unresolved(why)
		}
	case v.model.Class == "Sequential" && ok && len(whole) > 0:
		v.model.input(whole, "float32")
	case v.model.Class == "Sequential":
		v.model.unresolved("the shape it is built with is not known: " + because(shape))
	}
	return value.Value{X: value.None{}}
}

// several are tensors of the shapes in a list or dictionary of them.
func (h *host) several(shapes value.Value) (value.Value, bool) {
	tensor := func(v value.Value) (value.Value, bool) {
		shape, ok := whole(v)
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
	items, ok := sequence(shapes)
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

func (v *modelValue) compile(in *value.Interp, args *value.Args) value.Value {
	m := v.model
	in.Touch(modelCompilation{m})
	if v.custom != nil {
		for _, name := range []string{"compute_loss", "train_step"} {
			if v.custom.defines(in, name) {
				m.Step = "its " + name + " is the program's own"
			}
		}
	}
	loss, _ := args.Get(1, "loss")
	m.Compiled = &Compile{XLA: "auto", Against: v.h.against, Node: args.Node, Losses: lossNames(loss), loss: loss}
	metrics, _ := args.Get(3, "metrics")
	m.Compiled.measured(metrics)
	if v.h.keras == 2 {
		m.Compiled.XLA = "False" // tf_keras/src/engine/training.py, compile: jit_compile=None
	}
	optimizer, ok := args.Get(0, "optimizer")
	switch x := optimizer.X.(type) {
	case *optimizerValue:
		m.Optimizer = x.optimizer
	case string:
		m.Optimizer = optimizerNamed(x, v.h.keras)
	case value.External:
		m.Optimizer = optimizerNamed(x.Name[strings.LastIndexByte(x.Name, '.')+1:], v.h.keras)
	default:
		if ok {
			m.Optimizer = &Optimizer{Class: "?", Unknown: "the optimizer is not known: " + because(optimizer)}
		} else {
			m.Optimizer = optimizerNamed("rmsprop", v.h.keras)
		}
	}
	if v.h.computes() == "float16" && v.h.policy != "float16" && m.Optimizer.Unknown == "" {
		scaled := *m.Optimizer // compile wraps it in a LossScaleOptimizer
		scaled.Barrier, scaled.Branches = true, true
		m.Optimizer = &scaled
	}
	if on, ok := args.Keywords.Get("jit_compile"); ok {
		if b, ok := on.X.(bool); ok {
			m.Compiled.XLA = map[bool]string{true: "True", false: "False"}[b]
		}
	}
	if m.Compiled.XLA == "False" && v.h.clusters {
		m.Compiled.XLA = "clusters"
	}
	m.Compiled.Eager = args.Keywords.Value("run_eagerly").X == true
	return value.Value{X: value.None{}}
}
