package keras

import (
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A host answers for Keras, TensorFlow and NumPy.
type host struct {
	program  *Program
	bases    map[string]string             // of the names of layers, by their classes
	names    map[string]int                // how many layers were named after a class
	used     map[used][]*trainableSnapshot // in which the program already has them
	noted    map[noted]bool                // the datasets that it has
	own      []*custom                     // the models of the program's own
	saved    map[string]*modelValue        // by the file that they were saved in
	interp   *value.Interp                 // that runs the program
	remats   []*rematScope                 // those that are entered
	around   Environment
	majors   map[*names.Info]int // of the Keras that a module speaks of
	tick     int                 // counts what happens, so that it can be put in order
	tracing  int                 // the calls of the program's own layers that are being run, within each other
	counted  bool                // what is called on arrays is called with as many rows as they have
	recorder *recorder           // of the step that is being run, or nil
	steps    []*recorder         // of those that were
	units    map[syntax.Node]bool
	compiled int // the functions that tf.function compiles and that are being run
	settings
	arrays *arrays.Library
	// bound is where what only a run decides is taken to be, and assumptions say of what: in sentences.
	bound       bound
	assumptions []string
	// losses are those that the call of a layer of the program's own that runs has added.
	losses []*Symbolic
	// strategies are the strategies whose scope is entered, and replicated counts those
	// that are running a function.
	strategies    []*strategy
	replicated    int
	allStrategies []*strategy // that the program makes
	strategic     bool        // the module makes a strategy somewhere
	scoped        bool        // the scope of one was entered
	// mode is the mode of the current call. Predicting is set if a custom layer's code runs
	// for prediction only because training was assumed.
	mode                mode
	turning             int // the loops of TensorFlow's that run, within each other
	predicting, assumed bool
	uncalled            bool // functions run that nobody calls
	made                int  // layers, since there are so many models
	models              int
}

// newHost is a host before anything runs: with the settings that Keras starts with
// (keras/src/backend/config.py), and what the names of each module are of.
func newHost(around Environment, end bound) *host {
	h := &host{
		program: &Program{}, names: map[string]int{}, bases: map[string]string{}, used: map[used][]*trainableSnapshot{}, noted: map[noted]bool{},
		settings: settings{floatx: "float32", format: "channels_last", policy: around.Policy}, around: around, majors: map[*names.Info]int{}, bound: end,
	}
	if h.around.Library == nil {
		h.around.Library = (*names.Info).Library
	}
	h.arrays = arrays.NewLibrary(h)
	return h
}

// Text implements [value.Reader].
func (h *host) Text(program, path string) (text string, ok bool) {
	if h.around.Text == nil {
		return "", false
	}
	return h.around.Text(program, path)
}

// gpus is how many GPUs TensorFlow finds.
func (h *host) gpus() int64 {
	if h.around.GPUs == nil {
		return 1
	}
	return int64(max(h.around.GPUs(), 1))
}

func (h *host) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if d, ok := tensor.DTypeOf(name); ok {
		return value.Value{X: string(d)}, true
	}
	if strings.HasPrefix(name, "tensorflow.keras.") {
		if class, ok := strings.CutSuffix(name, ".__name__"); ok && layerFactories[class[strings.LastIndexByte(class, '.')+1:]] != nil {
			return value.Value{X: class[strings.LastIndexByte(class, '.')+1:]}, true
		}
		if class := layerName(name); class != name {
			return value.Value{X: value.External{Name: class}}, true
		}
	}
	switch name {
	case "tensorflow.keras.__version__":
		return h.kerasVersion(), true
	case "tensorflow.newaxis", "tensorflow.compat.v1.newaxis", "numpy.newaxis":
		return value.Value{X: value.None{}}, true
	case "tensorflow_datasets.Split.TRAIN", "tensorflow_datasets.Split.VALIDATION", "tensorflow_datasets.Split.TEST", "tensorflow_datasets.Split.ALL":
		// tensorflow_datasets/core/splits.py, of which each is a text
		return value.Value{X: strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])}, true
	case "tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE":
		return value.Value{X: int64(-1)}, true
	}
	return value.Value{}, false
}

func (h *host) unknown(format string, args ...any) value.Value {
	return objects.Unknown(format, args...)
}

// UnresolvedCall notes calls of a model's methods on what is not known.
func (h *host) UnresolvedCall(_ *value.Interp, call syntax.Node, method, why string) {
	switch method {
	case "fit", "compile", "evaluate", "predict", "train_on_batch", "fit_generator":
		h.program.Unresolved = append(h.program.Unresolved, UnresolvedCall{call, method, why, h.uncalled})
	case "apply_gradients", "minimize":
		h.lose("the optimizer is not known: " + why)
	}
}

// uidPrefix separates the numbers of get_uid from those of names.
const uidPrefix = "uid of "

// uniqueName is the name Keras gives the next layer of a class.
func (h *host) uniqueName(in *value.Interp, class string) string {
	in.Touch(counts{h})
	base, ok := h.bases[class]
	if !ok {
		base = snake(class)
		h.bases[class] = base
	}
	n := h.names[base]
	h.names[base] = n + 1
	if n == 0 {
		return base
	}
	return base + "_" + strconv.Itoa(n)
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
		if shape, ok := objects.Dims(v); ok {
			items, _ := objects.Sequence(objects.ShapeValue(shape))
			return newVector(items), true
		}
	case "tensorflow.keras.backend.backend", "tensorflow.keras.config.backend":
		return value.Value{X: "tensorflow"}, true
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
		r := &argParser{args: args}
		prefix := r.text(0, "prefix", "")
		in.Touch(counts{h})
		h.names[uidPrefix+prefix]++
		return value.Value{X: int64(h.names[uidPrefix+prefix])}, r.why == ""
	case "tensorflow.SparseTensor", "tensorflow.sparse.SparseTensor":
		return h.newSparse(args), true
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
	}
	if v, ok := h.setting(in, name, args); ok {
		return v, true
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
	switch library, _, _ := strings.Cut(name, "."); library {
	case "tensorflow_hub":
		if name == "tensorflow_hub.KerasLayer" || name == "tensorflow_hub.load" || name == "tensorflow_hub.Module" {
			return h.unknown("the weights that %s loads are in the file that it downloads, not in this program", name), true
		}
	case "tensorflow_addons":
		if layer, ok := h.addon(in, name, args); ok {
			return layer, true
		}
	case "keras_tuner", "kerastuner":
		return h.tuning(name, args)
	case "einops":
		if layer, ok := h.einopsLayer(in, name, args); ok {
			return layer, true
		}
	}
	if v, ok := h.arrays.Call(in, name, args); ok {
		return v, true
	}
	if v, ok := h.dataset(in, name, args); ok {
		return v, true
	}
	return h.function(in, name, args)
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
			if w.inner != nil && w.library != "tensorflow.keras.layers.Layer" && w.object != nil && !w.adds(w.interp) {
				return w.inner.layer
			}
			return w.layer
		}
	}
	return nil
}
