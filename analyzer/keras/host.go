package keras

import (
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A host answers for Keras, TensorFlow and NumPy.
type host struct {
	program  *Program
	bases    map[string]string             // the bases of layer names, by class
	names    map[string]int                // how many layers were named after a class
	used     map[used][]*trainableSnapshot // in which the program already has them
	noted    map[noted]bool                // the recorded datasets
	own      []settler                     // the program's own models
	saved    map[string]value.Value        // by the file that they were saved in
	interp   *value.Interp                 // that runs the program
	remats   []*rematMode                  // of the scopes that are entered
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
	// call calls a name of a library.
	call func(in *value.Interp, name string, args *value.Args) (value.Value, bool)
	// objects makes objects of layers.
	objects interface {
		layerOf(*node) value.Value
		inputLayer(*Symbolic) value.Value
	}
	// bound is the bound assumed for what is only known at run time, and assumptions says for
	// what: in sentences.
	bound       bound
	assumptions []string
	// losses are those added by the custom layer call in progress.
	losses []*Symbolic
	// strategies are the entered strategies. replicated counts those that are running a function.
	strategies    []*distribution
	replicated    int
	allStrategies []*distribution // all strategies of the program
	strategic     bool            // the module creates a strategy somewhere
	scoped        bool            // a strategy's scope was entered
	// mode is the mode of the current call. predicting is set if a custom layer's code runs for
	// prediction only because training was assumed.
	mode                mode
	loopDepth           int // the nested TensorFlow loops in progress
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
	e := evaluator{h}
	h.arrays, h.objects, h.call = arrays.NewLibrary(e), layerObjects{h}, e.Call
	return h
}

// gpus returns how many GPUs TensorFlow finds.
func (h *host) gpus() int64 {
	if h.env.GPUs == nil {
		return 1
	}
	return int64(max(h.env.GPUs(), 1))
}

func (h *host) unknown(code value.Code, format string, args ...any) value.Value {
	return objects.Unknown(code, format, args...)
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

// hostTable are the names that belong to no other table.
var hostTable = table{
	"tensorflow.keras.layers.*": func(c *hostCall) value.Value {
		class := c.below("tensorflow.keras.layers")
		if strings.Contains(class, ".") {
			return value.Value{}
		}
		return c.h.layer(c.in, class, c.args)
	},
	"tensorflow.keras.activations.get":         namedActivation,
	"tensorflow.keras.activations.deserialize": namedActivation,
	"tensorflow.TensorShape": func(c *hostCall) value.Value {
		v, _ := c.args.Get(0, "dims")
		shape, ok := objects.Dims(v)
		if !ok {
			return value.Value{}
		}
		items, _ := objects.Sequence(objects.ShapeValue(shape))
		return newVector(items)
	},
	"tensorflow.keras.backend.backend":                    constant("tensorflow"),
	"tensorflow.keras.config.backend":                     constant("tensorflow"),
	"tensorflow.keras.backend.epsilon":                    constant(1e-7),
	"tensorflow.keras.config.epsilon":                     constant(1e-7),
	"tensorflow.keras.backend.is_keras_tensor":            ofTensors(true),
	"tensorflow.is_tensor":                                ofTensors(true),
	"tensorflow.keras.backend.is_sparse":                  ofTensors(false), // an Input of sparse=True is not followed
	"tensorflow.sparse.is_sparse":                         ofTensors(false),
	"tensorflow.keras.saving.register_keras_serializable": registers,
	"tensorflow.keras.utils.register_keras_serializable":  registers,
	"tensorflow.keras.version":                            func(c *hostCall) value.Value { return c.h.kerasVersion() },
	"tensorflow.keras.InputSpec":                          func(c *hostCall) value.Value { return c.h.inputSpec(c.args) },
	"tensorflow.keras.backend.get_uid":                    (*hostCall).uid,
	"tensorflow.SparseTensor":                             func(c *hostCall) value.Value { return c.h.newSparse(c.args) },
	"tensorflow.sparse.SparseTensor":                      func(c *hostCall) value.Value { return c.h.newSparse(c.args) },
	"tensorflow.recompute_grad":                           func(c *hostCall) value.Value { return c.h.recomputed(c.args) },
	"tensorflow.keras.remat":                              func(c *hostCall) value.Value { return c.h.recomputed(c.args) },
	"tensorflow.keras.RematScope":                         func(c *hostCall) value.Value { return c.h.rematScope(c.args) },
	"tensorflow.custom_gradient":                          func(c *hostCall) value.Value { return c.h.customGradient(c.args) },
	"tensorflow.keras.Input":                              func(c *hostCall) value.Value { return c.h.input(c.args) },
	"tensorflow.keras.Sequential":                         func(c *hostCall) value.Value { return c.h.sequential(c.in, c.args) },
	"tensorflow.keras.Model":                              func(c *hostCall) value.Value { return c.h.model(c.in, c.args) },
	"tensorflow.Variable":                                 newVariable,
	"tensorflow.keras.Variable":                           newVariable,
	"tensorflow.keras.backend.variable":                   newVariable,
	"tensorflow.GradientTape":                             func(c *hostCall) value.Value { return c.h.newTape(c.args) },
	"tensorflow.gradients":                                func(c *hostCall) value.Value { return c.h.graphGradients(c.in, c.args) },
	"tensorflow.function":                                 (*hostCall).compiled,
	"tensorflow.clip_by_global_norm":                      (*hostCall).byGlobalNorm,
	"tensorflow.linalg.global_norm":                       (*hostCall).byGlobalNorm,
	"tensorflow_hub.KerasLayer":                           fromHub,
	"tensorflow_hub.load":                                 fromHub,
	"tensorflow_hub.Module":                               fromHub,
	"tensorflow.keras.random.SeedGenerator":               constant(opaque{"a generator of random numbers"}),
	"tensorflow.random.Generator.from_seed":               constant(opaque{"a generator of random numbers"}),
}

// constant returns the owner of a name whose calls all have one result.
func constant(x any) owner { return func(*hostCall) value.Value { return value.Value{X: x} } }

// ofTensors returns the owner of a function with a known result for tensors.
func ofTensors(result bool) owner {
	return func(c *hostCall) value.Value {
		if symbolic, arrays := kinds(c.args); symbolic || arrays {
			return value.Value{X: result}
		}
		return value.Value{}
	}
}

func namedActivation(c *hostCall) value.Value {
	v, _ := c.args.Get(0, "identifier")
	switch x := v.X.(type) {
	case string:
		return value.Value{X: value.External{Name: "tensorflow.keras.activations." + x}}
	case value.None:
		return value.Value{X: value.External{Name: "tensorflow.keras.activations.linear"}}
	}
	if !v.Known() {
		return value.Value{}
	}
	return v
}

// registers is keras.saving.register_keras_serializable.
func registers(*hostCall) value.Value {
	return value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
		registered, _ := args.Get(0, "arg")
		return registered
	})}
}

func (c *hostCall) uid() value.Value {
	r := &argParser{args: c.args}
	prefix := r.text(0, "prefix", "")
	c.in.Touch(counts{c.h})
	c.h.names[uidPrefix+prefix]++
	if r.why != nil {
		return value.Value{}
	}
	return value.Value{X: int64(c.h.names[uidPrefix+prefix])}
}

func newVariable(c *hostCall) value.Value { return c.h.newWeight(c.name, c.args) }

func fromHub(c *hostCall) value.Value {
	return c.h.unknown(value.FileContents, "the weights that %s loads are in the file that it downloads, not in this program", c.name)
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

// A layered value is a layer or a model, and a layerClassed one an object of a class of the program
// that extends one.
type (
	layered      interface{ asLayer() *Layer }
	layerClassed interface{ ofInstance() *Layer }
)

// layerOf returns the layer that a value is, or nil. A model is a layer too.
func layerOf(v value.Value) *Layer {
	switch x := v.X.(type) {
	case layered:
		return x.asLayer()
	case *value.Instance:
		if w, ok := x.Host.(layerClassed); ok {
			return w.ofInstance()
		}
	}
	return nil
}
