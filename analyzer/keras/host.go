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
	bases    map[string]string             // the bases of layer names, by class
	names    map[string]int                // how many layers were named after a class
	used     map[used][]*trainableSnapshot // in which the program already has them
	noted    map[noted]bool                // the recorded datasets
	own      []*custom                     // the program's own models
	saved    map[string]*modelValue        // by the file that they were saved in
	interp   *value.Interp                 // that runs the program
	remats   []*rematScope                 // those that are entered
	env      Environment
	majors   map[*names.Info]int // the major version of Keras that a module uses
	tick     int                 // counts events, so that they can be ordered
	tracing  int                 // the nested calls of custom layers in progress
	counted  bool                // calls on arrays get as many rows as those have
	recorder *recorder           // of the step in progress, or nil
	steps    []*recorder         // of finished steps
	units    map[syntax.Node]bool
	compiled int // the functions compiled by tf.function in progress
	settings
	arrays *arrays.Library
	// bound is the bound assumed for what is only known at run time, and assumptions says for
	// what: in sentences.
	bound       bound
	assumptions []string
	// losses are those added by the custom layer call in progress.
	losses []*Symbolic
	// strategies are the entered strategies. replicated counts those that are running a function.
	strategies    []*strategy
	replicated    int
	allStrategies []*strategy // all strategies of the program
	strategic     bool        // the module creates a strategy somewhere
	scoped        bool        // a strategy's scope was entered
	// mode is the mode of the current call. predicting is set if a custom layer's code runs for
	// prediction only because training was assumed.
	mode                mode
	turning             int // the nested TensorFlow loops in progress
	predicting, assumed bool
	uncalled            bool // an uncalled function is in progress
	made                int  // layers created since the program had that many models
	models              int
}

// newHost returns a host before anything runs, with the initial settings of Keras
// (keras/src/backend/config.py).
func newHost(env Environment, end bound) *host {
	h := &host{
		program: &Program{}, names: map[string]int{}, bases: map[string]string{}, used: map[used][]*trainableSnapshot{}, noted: map[noted]bool{},
		settings: settings{floatx: "float32", format: "channels_last", policy: env.Policy}, env: env, majors: map[*names.Info]int{}, bound: end,
	}
	if h.env.Library == nil {
		h.env.Library = (*names.Info).Library
	}
	h.arrays = arrays.NewLibrary(h)
	return h
}

// Text implements [value.Host].
func (h *host) Text(program, path string) (text string, ok bool) {
	if h.env.Text == nil {
		return "", false
	}
	return h.env.Text(program, path)
}

// gpus returns how many GPUs TensorFlow finds.
func (h *host) gpus() int64 {
	if h.env.GPUs == nil {
		return 1
	}
	return int64(max(h.env.GPUs(), 1))
}

func (h *host) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if d, ok := tensor.DTypeOf(name); ok {
		return value.Value{X: string(d)}, true
	}
	if strings.HasPrefix(name, "tensorflow.keras.") {
		if class, ok := strings.CutSuffix(name, ".__name__"); ok && modelled(class[strings.LastIndexByte(class, '.')+1:]) {
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
		// tensorflow_datasets/core/splits.py: each split is a text
		return value.Value{X: strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])}, true
	case "tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE":
		return value.Value{X: int64(-1)}, true
	}
	return value.Value{}, false
}

func (h *host) unknown(format string, args ...any) value.Value {
	return objects.Unknown(format, args...)
}

// UnresolvedCall records calls of a model's methods on unknown values.
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

// uniqueName returns the name that Keras gives the next layer of a class.
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
	if tool, ok := strings.CutPrefix(name, "keras_applications.imagenet_utils."); ok { // where Keras had them earlier
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

// modelOf returns the model that a value is, or nil.
func modelOf(v value.Value) *modelValue {
	switch x := v.X.(type) {
	case *modelValue:
		return x
	case *value.Instance:
		if w, ok := x.Host.(*custom); ok && w.isModel {
			return w.model
		}
	}
	return nil
}

// layerOf returns the layer that a value is, or nil. A model is a layer too.
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
	case *value.Instance:
		if w, ok := x.Host.(*custom); ok {
			if w.inner != nil && w.library != "tensorflow.keras.layers.Layer" && w.object != nil && !w.adds(w.interp) {
				return w.inner.layer
			}
			return w.layer
		}
	}
	return nil
}
