// Package keras models Keras: layers with their weights, shapes and operations,
// models, optimizers, the arrays and datasets that are fed to them.
//
// It is the Host of package value: the program that builds a model is evaluated
// there, and here the layers it makes come to life, without TensorFlow. What a
// layer's gradient keeps is lowered to operations, for package memory to play.
// It knows value and names and no rule; what is not modelled is unknown and
// says why.
package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Input is data of a known shape: one input of a step.
type Input struct {
	Shape Shape
	DType DType
}

// A Use is a place where the program trains or runs a model.
type Use struct {
	// Method is "fit", "evaluate", "predict", "train_on_batch"; "step" for a step that
	// the program writes itself.
	Method string
	Node   syntax.Node // the call; of a step that which makes the tape
	Model  *Model
	// Batch is the batch size and the literal it comes from; its X is nil where
	// none is given and an Unknown where it is not known.
	Batch value.Value
	// Inputs are the shapes of one batch, as far as the data tells; the batch
	// itself is Batch.
	Inputs []Input
	// Replicas is over how many a strategy divides the batch of a step that the program
	// writes, 1 without one; 0 where that is not known, and for what Keras runs.
	Replicas int64
	// Arrays are the arrays that it is given whole, of which the shape is known.
	Arrays []Input
}

// A Program is what the models of a module are, and what they are fed.
type Program struct {
	Models   []*Model
	Uses     []*Use
	Datasets []*Dataset
	// Forwards are the calls of a model itself, "__call__", on arrays whose shapes are
	// known.
	Forwards []*Use
	// Lost are calls of fit and its like on what is not known.
	Lost []Loss
}

// A Loss is a call that trains, compiles or runs something that is not known,
// and why it is not.
type Loss struct {
	Node   syntax.Node
	Method string
	Why    string
	// Assumed is set in a function that the program does not call.
	Assumed bool
}

// Follow evaluates a module and collects its models.
func Follow(info *names.Info) *Program {
	return FollowUnder(info, "float32", info.Library(), nil, nil)
}

// FollowUnder is Follow as if the module first set a dtype policy, with the library
// in the versions that it runs with. Gpus, which may be nil, is how many GPUs TensorFlow
// finds, asked only where the program asks: an estimate is of a run on one at least.
// While, which may be nil, is as [value.Interp] has it; where it has said no, the program
// is a part of what it would be.
func FollowUnder(info *names.Info, policy string, library names.Library, gpus func() int, while func(steps int) bool) *Program {
	h := &host{program: &Program{}, names: map[string]int{}, used: map[used]bool{}, noted: map[noted]bool{}, policy: policy, keras: 3}
	h.gpus = func() int64 {
		if gpus == nil {
			return 1
		}
		return int64(max(gpus(), 1))
	}
	if l, ok := library.(interface{ Keras2() bool }); ok && l.Keras2() {
		h.keras = 2
	}
	h.against = againstXLA(info, h.keras)
	in := value.New(info, h)
	h.interp = in
	in.While = while
	if why := in.Run(); why != "" {
		h.cutOff(why)
	}
	h.uncalled = true
	in.RunUncalled()
	for name, v := range in.Module() {
		if m := modelOf(v); m != nil && m.model.Variable == "" {
			m.model.Variable = name
		}
	}
	h.conclude()
	for _, v := range h.own {
		v.settle()
	}
	h.program.Models = slices.DeleteFunc(h.program.Models, func(m *Model) bool { return h.idle(m) })
	return h.program
}

// cutOff notes that a part of the program was not run: what is neither compiled nor used
// so far may have been in the making.
func (h *host) cutOff(why string) {
	for _, m := range h.program.Models {
		if m.Compiled == nil && !h.uses(m) {
			m.unresolved(why)
		}
	}
}

func (h *host) uses(m *Model) bool {
	return slices.ContainsFunc(h.program.Uses, func(u *Use) bool { return u.Model == m })
}

// idle tells whether an object of a class of the program is no more than that: it
// is neither called, compiled nor kept.
func (h *host) idle(m *Model) bool {
	return m.Class == "Subclass" && !m.Built() && !m.whole && m.Compiled == nil && m.Variable == "" && !h.uses(m)
}

// modelOf is the model that a value is, or nil.
func modelOf(v value.Value) *modelValue {
	switch x := v.X.(type) {
	case *modelValue:
		return x
	case *value.Object:
		if w, ok := x.Host.(*custom); ok && w.isModel {
			return w.model
		}
	}
	return nil
}

// layerOf is the layer that a value is, a model being one too, or nil.
func layerOf(v value.Value) *Layer {
	switch x := v.X.(type) {
	case *layerValue:
		return x.layer
	case *calledLayer:
		return x.layer
	case *modelValue:
		return x.asLayer()
	case *custom:
		return x.layer
	case *value.Object:
		if w, ok := x.Host.(*custom); ok {
			if w.inner != nil && w.library != "tensorflow.keras.layers.Layer" && w.object != nil && !w.defines(w.interp, "call") && !w.holdsMore() {
				return w.inner.layer
			}
			return w.layer
		}
	}
	return nil
}

// A host answers for Keras, TensorFlow and NumPy.
type host struct {
	program  *Program
	names    map[string]int         // how many layers were named after a class
	used     map[used]bool          // that the program already has
	noted    map[noted]bool         // the datasets that it has
	own      []*custom              // the models of the program's own
	saved    map[string]*modelValue // by the file that they were saved in
	interp   *value.Interp          // that runs the program
	policy   string
	remats   []*rematScope // those that are entered
	keras    int           // the major version
	tick     int           // counts what happens, so that it can be put in order
	tracing  int           // the calls of the program's own layers that are being run, within each other
	recorder *recorder     // of the step that is being run, or nil
	steps    []*recorder   // of those that were
	units    map[syntax.Node]bool
	compiled int // the functions that tf.function compiles and that are being run
	// clusters tells that XLA compiles parts of graphs that it is not asked to.
	clusters bool
	against  string // what keeps Keras from compiling with XLA by itself
	gpus     func() int64
	// strategies are those whose scope is entered, and replicated counts those of them
	// that are running a function.
	strategies []*strategy
	replicated int
	// mode is that of the call that is being made. Predicting tells that what runs within a
	// layer of the program's own is to predict, assumed that it trains because nobody has
	// said otherwise.
	mode                mode
	turning             int // the loops of TensorFlow's that run, within each other
	predicting, assumed bool
	uncalled            bool // functions run that nobody calls
	numbers             int  // that arrays have kept
	made                int  // layers, since there are so many models
	models              int
}

func (h *host) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if d, ok := dtypeOf(name); ok {
		return value.Value{X: string(d)}, true
	}
	switch name {
	case "tensorflow.keras.__version__":
		return h.kerasVersion(), true
	case "tensorflow.newaxis", "tensorflow.compat.v1.newaxis", "numpy.newaxis":
		return value.Value{X: value.None{}}, true
	case "tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE":
		return value.Value{X: int64(-1)}, true
	}
	return value.Value{}, false
}

// dtypeOf is the type that tf.float32 or np.uint8 names.
func dtypeOf(name string) (DType, bool) {
	for _, prefix := range []string{"tensorflow.", "numpy.", "tensorflow.dtypes."} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		switch rest {
		case "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "string", "complex64", "complex128":
			return DType(rest), true
		case "half":
			return "float16", true
		}
	}
	return "", false
}

func (h *host) unknown(format string, args ...any) value.Value {
	return value.Value{X: value.Unknown{Why: fmt.Sprintf(format, args...)}}
}

// Lost notes calls of a model's methods on what is not known.
func (h *host) Lost(_ *value.Interp, call syntax.Node, method, why string) {
	switch method {
	case "fit", "compile", "evaluate", "predict", "train_on_batch", "fit_generator":
		h.program.Lost = append(h.program.Lost, Loss{call, method, why, h.uncalled})
	case "apply_gradients", "minimize":
		h.lose("the optimizer is not known: " + why)
	}
}

// uidPrefix keeps the numbers that get_uid gives from those of names.
const uidPrefix = "uid of "

// uniqueName is the name Keras gives the next layer of a class.
func (h *host) uniqueName(in *value.Interp, class string) string {
	in.Touch(counts{h})
	base := snake(class)
	n := h.names[base]
	h.names[base]++
	if n == 0 {
		return base
	}
	return fmt.Sprintf("%s_%d", base, n)
}

// Call answers for the names that are modelled.
func (h *host) Call(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	name = layerName(name)
	if tool, ok := strings.CutPrefix(name, "keras_applications.imagenet_utils."); ok { // where Keras had them once
		if v, ok := h.applicationTool(in, tool, args); ok {
			return v, true
		}
	}
	args = h.batched(args)
	if class, ok := strings.CutPrefix(name, "tensorflow.keras.layers."); ok && !strings.Contains(class, ".") {
		return h.layer(in, class, args), true
	}
	if class, ok := strings.CutPrefix(name, "tensorflow.keras.optimizers."); ok {
		return h.optimizer(class, args)
	}
	if model, ok := strings.CutPrefix(name, "tensorflow.keras.applications."); ok && !strings.Contains(model, ".") {
		if v, ok := h.applicationTool(in, model, args); ok {
			return v, true
		}
		return h.application(in, model, args)
	}
	if data, ok := strings.CutPrefix(name, "tensorflow.keras.datasets."); ok {
		return h.builtinData(data)
	}
	switch name {
	case "tensorflow.keras.activations.get", "tensorflow.keras.activations.deserialize":
		v, _ := args.Get(0, "identifier")
		switch x := v.X.(type) {
		case string:
			return value.Value{X: value.External{Name: "tensorflow.keras.activations." + x}}, true
		case value.None:
			return value.Value{X: value.External{Name: "tensorflow.keras.activations.linear"}}, true
		}
		return v, v.Known()
	case "tensorflow.TensorShape":
		v, _ := args.Get(0, "dims")
		if shape, ok := dims(v); ok {
			items, _ := sequence(shapeValue(shape))
			return newVector(items), true
		}
	case "tensorflow.keras.backend.backend", "tensorflow.keras.config.backend":
		return value.Value{X: "tensorflow"}, true
	case "tensorflow.keras.backend.image_data_format", "tensorflow.keras.config.image_data_format":
		return value.Value{X: "channels_last"}, true
	case "tensorflow.keras.backend.floatx", "tensorflow.keras.config.floatx":
		return value.Value{X: "float32"}, true
	case "tensorflow.keras.backend.epsilon", "tensorflow.keras.config.epsilon":
		return value.Value{X: 1e-7}, true
	case "tensorflow.keras.backend.is_keras_tensor", "tensorflow.is_tensor":
		if symbolic, arrays := kinds(args); symbolic || arrays {
			return value.Value{X: true}, true
		}
	case "tensorflow.keras.saving.register_keras_serializable", "tensorflow.keras.utils.register_keras_serializable":
		return value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
			registered, _ := args.Get(0, "arg")
			return registered
		})}, true
	case "tensorflow.keras.version":
		return h.kerasVersion(), true
	case "tensorflow.keras.InputSpec":
		return h.inputSpec(args), true
	case "tensorflow.keras.backend.is_sparse", "tensorflow.sparse.is_sparse":
		if symbolic, arrays := kinds(args); symbolic || arrays { // an Input of sparse=True is not followed
			return value.Value{X: false}, true
		}
	case "tensorflow.keras.backend.get_uid":
		r := &reader{args: args}
		prefix := r.text(0, "prefix", "")
		in.Touch(counts{h})
		h.names[uidPrefix+prefix]++
		return value.Value{X: int64(h.names[uidPrefix+prefix])}, r.why == ""
	case "tensorflow.recompute_grad", "tensorflow.keras.remat":
		return h.recomputed(args), true
	case "tensorflow.custom_gradient":
		return h.customGradient(args), true
	case "tensorflow.keras.RematScope":
		return h.rematScope(args), true
	case "tensorflow.keras.Input":
		return h.input(args), true
	case "tensorflow.keras.Sequential":
		return h.sequential(in, args), true
	case "tensorflow.keras.Model":
		return h.model(in, args), true
	case "tensorflow.keras.mixed_precision.set_global_policy", "tensorflow.keras.config.set_dtype_policy", "tensorflow.keras.mixed_precision.experimental.set_policy":
		h.setPolicy(args)
		return value.Value{X: value.None{}}, true
	case "tensorflow.config.optimizer.set_jit":
		on, _ := args.Get(0, "enabled")
		h.clusters = on.X != false && on.X != "" // what is not known may switch it on
		return value.Value{X: value.None{}}, true
	case "tensorflow.Variable", "tensorflow.keras.Variable", "tensorflow.keras.backend.variable":
		return h.newWeight(name, args), true
	case "tensorflow.keras.mixed_precision.LossScaleOptimizer", "tensorflow.keras.mixed_precision.experimental.LossScaleOptimizer":
		return h.optimizer("LossScaleOptimizer", args)
	case "tensorflow.GradientTape":
		return h.newTape(args), true
	case "tensorflow.gradients":
		if h.recorder != nil && h.compiled > 0 {
			return h.graphGradients(in, args), true
		}
	case "tensorflow.function":
		if f, ok := args.Get(0, "func"); ok {
			if c, ok := h.compiledFunction(f); ok {
				return c, true
			}
		}
	case "tensorflow.clip_by_global_norm", "tensorflow.linalg.global_norm":
		if v, ok := h.byGlobalNorm(name, args); ok {
			return v, true
		}
	case "tensorflow.keras.utils.to_categorical":
		return h.categorical(args), true
	}
	if v, ok := h.policyCall(name, args); ok {
		return v, true
	}
	if v, ok := h.structure(in, name, args); ok {
		return v, true
	}
	if v, ok := h.branched(in, name, args); ok {
		return v, true
	}
	if v, ok := h.looped(in, name, args); ok {
		return v, true
	}
	if v, ok := h.distribution(name, args); ok {
		return v, true
	}
	if v, ok := h.copied(in, name, args); ok {
		return v, true
	}
	if strings.HasPrefix(name, "sklearn.") {
		return h.sklearn(name, args)
	}
	if v, ok := onNumber(name, args); ok {
		return v, true
	}
	if symbolic, _ := kinds(args); !symbolic {
		if v, ok := h.array(in, name, args); ok {
			return v, true
		}
	}
	if v, ok := h.dataset(in, name, args); ok {
		return v, true
	}
	return h.function(in, name, args)
}

func (h *host) setPolicy(args *value.Args) {
	r := &reader{args: args}
	policy := r.text(0, "policy", "")
	if policy == "" {
		policy = r.text(0, "dtype_policy", "float32")
	}
	h.policy = policy
}

// computes is the type in which layers compute under the policy.
func (h *host) computes() DType {
	d, _ := types(h.policy)
	return d
}

// types are the types that a layer computes in and stores its variables in,
// under a policy (keras/src/dtype_policies/dtype_policy.py, _parse_name).
func types(policy string) (computes, stores DType) {
	if low, mixed := strings.CutPrefix(policy, "mixed_"); mixed {
		return DType(low), "float32"
	}
	if d := DType(policy); d.floating() {
		return d, d
	}
	return "float32", "float32" // whole numbers, which preprocessing layers name
}

// input is keras.Input, and InputLayer.
func (h *host) input(args *value.Args) value.Value {
	r := &reader{args: args}
	shape, why := h.inputShape(r)
	if why != "" {
		return h.unknown("%s", why)
	}
	d := DType(r.text(-1, "dtype", "float32"))
	s := &Symbolic{Shape: shape, DType: d, name: r.text(-1, "name", "")}
	return h.tensor(s)
}

// inputShape reads shape= with the batch before it, or batch_shape=.
func (h *host) inputShape(r *reader) (Shape, string) {
	for _, keyword := range []string{"batch_shape", "batch_input_shape"} {
		if v, ok := r.args.Keywords.Get(keyword); ok {
			shape, ok := whole(v)
			if !ok {
				return nil, fmt.Sprintf("%s is not known: %s", keyword, v.Why())
			}
			return shape, ""
		}
	}
	v, ok := r.args.Get(0, "shape")
	if !ok {
		v, ok = r.args.Get(-1, "input_shape")
	}
	if !ok {
		return nil, "the input has no shape"
	}
	batch := r.number(1, "batch_size", None)
	if n, ok := v.Int(); ok {
		return Shape{batch, n}, ""
	}
	shape, ok := whole(v)
	if !ok {
		return nil, "the input's shape is not known: " + because(v)
	}
	return append(Shape{batch}, shape...), ""
}

// because is why a value is not known, also where it is a container.
func because(v value.Value) string {
	if why := v.Why(); why != "" {
		return why
	}
	if items, ok := sequence(v); ok {
		for _, i := range items {
			if why := i.Why(); why != "" {
				return why
			}
		}
	}
	return "it is not a tuple of whole numbers"
}

// layer makes a layer; names in lower case are functions that make and call
// one at once: layers.concatenate([a, b]).
func (h *host) layer(in *value.Interp, class string, args *value.Args) value.Value {
	switch class {
	case "InputLayer":
		return h.input(args)
	case "InputSpec":
		return h.inputSpec(args)
	case "Lambda":
		return h.lambdaLayer(in, args)
	}
	if maker, ok := functions[class]; ok {
		return h.callFunction(in, maker, args)
	}
	r := &reader{args: args, in: in, h: h}
	l, why := makeLayer(class, r)
	if l == nil {
		return h.unknown("%s", why)
	}
	h.builds(in)
	l.Node = args.Node
	l.Name = r.text(-1, "name", "")
	if l.Name == "" {
		l.Name = h.uniqueName(in, class)
	}
	l.DType, l.Store = types(r.text(-1, "dtype", h.policy))
	l.penalties = regularized(args)
	l.Trainable, l.born, l.remat = r.bool(-1, "trainable", true), in.Now(), h.remat()
	if r.why != "" {
		return h.unknown("%s: %s", class, r.why)
	}
	if !holdsLayers(args) || class == "Bidirectional" { // which copies the layer that it is given itself
		l.again = func(in *value.Interp) value.Value { return h.layer(in, class, args) }
	}
	v := &layerValue{h: h, layer: l, args: args}
	if class != "Embedding" || args.Keywords.Value("input_dim").X == nil {
		v.input = inputOf(args)
	} else if shape, ok := args.Keywords.Get("input_shape"); ok {
		v.input = &shape
	}
	if class == "Embedding" && h.keras == 2 && v.input == nil {
		v.input = lengthOf(args)
	}
	return value.Value{X: v}
}

// A loop in which more than manyLayers layers are made or called, and no model meanwhile,
// builds a large model: each further one gives it the steps that a layer takes.
const (
	manyLayers = 1000
	layerSteps = 100
)

// builds notes that a layer is made, or called on a tensor of a model.
func (h *host) builds(in *value.Interp) {
	if n := len(h.program.Models); n != h.models {
		h.made, h.models = 0, n
	}
	if h.made++; h.made > manyLayers {
		in.Prolong(layerSteps)
	}
}

// inputOf is the shape of an input, without the batch, that a layer is made with.
func inputOf(args *value.Args) *value.Value {
	if shape, ok := args.Keywords.Get("input_shape"); ok {
		return &shape
	}
	if dim, ok := args.Keywords.Get("input_dim"); ok {
		return &value.Value{X: value.Tuple{dim}}
	}
	if shape, ok := args.Keywords.Get("batch_input_shape"); ok {
		if items, ok := sequence(shape); ok && len(items) > 0 {
			return &value.Value{X: value.Tuple(items[1:])}
		}
	}
	return nil
}

// lengthOf is the input of an Embedding of Keras 2, which always has one
// (tf_keras/src/layers/core/embedding.py, __init__).
func lengthOf(args *value.Args) *value.Value {
	length, ok := args.Keywords.Get("input_length")
	if _, several := sequence(length); ok && several {
		return &length
	}
	if !ok {
		length = value.Value{X: value.None{}}
	}
	return &value.Value{X: value.Tuple{length}}
}

// functions are the lower-case names of keras.layers, and the class of layer
// each one makes.
var functions = map[string]string{
	"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "average": "Average", "maximum": "Maximum",
	"minimum": "Minimum", "concatenate": "Concatenate", "dot": "Dot",
}

func (h *host) callFunction(in *value.Interp, class string, args *value.Args) value.Value {
	inputs, ok := args.Get(0, "inputs")
	if !ok {
		return h.unknown("%s is called without inputs", class)
	}
	rest := &value.Args{Keywords: args.Keywords, Node: args.Node}
	if len(args.Positional) > 1 {
		rest.Positional = args.Positional[1:] // axis of concatenate, axes of dot
	}
	l, why := makeLayer(class, &reader{args: rest, in: in, h: h})
	if l == nil {
		return h.unknown("%s", why)
	}
	l.Node, l.Name = args.Node, h.uniqueName(in, class)
	l.DType, l.Store = types(h.policy)
	return h.apply(l, inputs)
}

// applyAs calls a layer on symbolic tensors, as its spec s has it.
func (h *host) applyAs(l *Layer, s spec, inputs value.Value) value.Value {
	in, why := symbols(inputs)
	if why != "" {
		return h.unknown("%s", why)
	}
	h.called(l)
	out, err := callAs(l, s, in)
	if err != nil {
		return h.unknown("%s", err.Error())
	}
	h.happens(out)
	if len(out) == 1 {
		return h.tensor(out[0])
	}
	var tuple value.Tuple
	for _, s := range out {
		tuple = append(tuple, h.tensor(s))
	}
	return value.Value{X: tuple}
}

// apply calls a layer on symbolic tensors.
func (h *host) apply(l *Layer, inputs value.Value) value.Value { return h.applyAs(l, nil, inputs) }

// symbols reads one symbolic tensor, or a list of them.
func symbols(v value.Value) ([]*Symbolic, string) {
	switch x := v.X.(type) {
	case *symbolicValue:
		return []*Symbolic{x.s}, ""
	case *variable:
		return []*Symbolic{x.read()}, ""
	case *lostVariable:
		return nil, x.why
	}
	if d, ok := v.X.(*value.Dict); ok {
		return symbols(value.Value{X: value.Tuple(d.Values)})
	}
	items, ok := sequence(v)
	if !ok {
		if why := v.Why(); why != "" {
			return nil, why
		}
		return nil, "a layer is called on something that is no tensor of a model"
	}
	var out []*Symbolic
	for _, i := range items {
		more, why := symbols(i)
		if why != "" {
			return nil, why
		}
		out = append(out, more...)
	}
	return out, ""
}

// sequential is keras.Sequential.
func (h *host) sequential(in *value.Interp, args *value.Args) value.Value {
	m := &Model{Class: "Sequential", Node: args.Node, Trainable: true, born: in.Now()}
	r := &reader{args: args}
	m.Name = r.text(1, "name", "")
	if m.Name == "" {
		m.Name = h.uniqueName(in, "Sequential")
	}
	v := &modelValue{h: h, model: m}
	h.program.Models = append(h.program.Models, m)
	layers, ok := args.Get(0, "layers")
	if !ok {
		return value.Value{X: v}
	}
	items, ok := sequence(layers)
	if _, none := layers.X.(value.None); !ok && !none {
		m.unresolved("the list of its layers is not known: " + because(layers))
	}
	for _, item := range items {
		v.add(in, item)
	}
	return value.Value{X: v}
}

// model is keras.Model(inputs, outputs).
func (h *host) model(in *value.Interp, args *value.Args) value.Value {
	m := &Model{Class: "Functional", Node: args.Node, Trainable: true, born: in.Now()}
	h.program.Models = append(h.program.Models, m)
	r := &reader{args: args}
	m.Name = r.text(-1, "name", "")
	if m.Name == "" {
		class := "Functional"
		if h.keras == 2 {
			class = "Model"
		}
		m.Name = h.uniqueName(in, class)
	}
	inputs, _ := args.Get(0, "inputs")
	outputs, _ := args.Get(1, "outputs")
	h.connect(m, inputs, outputs)
	return value.Value{X: &modelValue{h: h, model: m}}
}

// connect makes a functional model lead from inputs to outputs.
func (h *host) connect(m *Model, inputs, outputs value.Value) {
	var why string
	if m.Inputs, why = symbols(inputs); why != "" {
		m.unresolved(why)
	}
	if m.Outputs, why = symbols(outputs); why != "" {
		m.unresolved(why)
	}
	m.returns = outputs
	m.trace()
}
