package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// familyTable are families of which any member is known by its name, or only as one of its family.
var familyTable = state.Table{
	"tensorflow.keras.losses.*": func(c *state.Call) value.Value { return ops.LossNamed(c.H, c.Below("tensorflow.keras.losses"), c.Args) },
	"tensorflow.losses.*":       func(c *state.Call) value.Value { return ops.LossNamed(c.H, c.Below("tensorflow.losses"), c.Args) },
	"tensorflow.keras.metrics.*": func(c *state.Call) value.Value {
		return value.Value{X: &models.Metric{Opaque: state.Opaque{Base: "one of keras.metrics"}, Name: c.Below("tensorflow.keras.metrics")}}
	},
	"tensorflow.keras.regularizers.*": func(c *state.Call) value.Value {
		return value.Value{X: layers.RegularizerOf(c.Below("tensorflow.keras.regularizers"), c.Args)}
	},
	"tensorflow.keras.callbacks.*": func(*state.Call) value.Value {
		return value.Value{X: &layers.Callback{Opaque: state.Opaque{Base: "one of keras.callbacks"}}}
	},
	"tensorflow.keras.callbacks.TensorBoard": func(c *state.Call) value.Value {
		every, _ := c.Args.Get(1, "histogram_freq")
		n, ok := every.Int()
		return value.Value{X: &layers.Callback{Opaque: state.Opaque{Base: "one of keras.callbacks"}, Histograms: ok && n > 0}}
	},
	"tensorflow.keras.callbacks.ModelCheckpoint": func(c *state.Call) value.Value {
		checkpoint := &layers.Callback{Opaque: state.Opaque{Base: "one of keras.callbacks"}}
		if c.H.Keras() == 3 {
			checkpoint.Refused = layers.Checkpoint3(c.Args)
		}
		return value.Value{X: checkpoint}
	},
	"tensorflow.keras.constraints.*":  state.Constant(state.Opaque{Base: "one of keras.constraints"}),
	"tensorflow.keras.initializers.*": layers.NewInitializer,
}

// comparingTable are the functions that keras.metrics and keras.losses share
// (keras/src/losses/losses.py, keras_export).
var comparingTable = func() state.Table {
	out := state.Table{}
	for name := range strings.FieldsSeq("mean_squared_error mse MSE mean_absolute_error mae MAE mean_absolute_percentage_error mape MAPE mean_squared_logarithmic_error msle MSLE " +
		"binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy binary_focal_crossentropy categorical_focal_crossentropy " +
		"kl_divergence kld KLD kullback_leibler_divergence poisson hinge squared_hinge categorical_hinge log_cosh logcosh") {
		out["tensorflow.keras.metrics."+name] = func(c *state.Call) value.Value { return ops.LossNamed(c.H, name, c.Args) }
	}
	return out
}()

// initializerTable are the initializers outside of Keras.
var initializerTable = func() state.Table {
	out := state.Table{}
	for _, module := range []string{"tensorflow", "tensorflow.compat.v1", "tensorflow.contrib.layers"} {
		for name := range strings.FieldsSeq("constant ones zeros random_normal random_uniform truncated_normal variance_scaling uniform_unit_scaling orthogonal glorot_normal glorot_uniform xavier") {
			out[module+"."+name+"_initializer"] = layers.NewInitializer
		}
	}
	return out
}()

// newHost returns a host before anything runs.
func newHost(env state.Environment, at state.Bound) *state.Host {
	h := state.NewHost(env, at)
	h.Arrays, h.Objects = numpy.NewLibrary(evaluator{h}), models.LayerObjects{Host: h}
	return h
}

// estimator makes an Estimator, which trains a model in a graph of its own, on the batches of an
// input_fn (keras/estimator/__init__.py).
func estimator(c *state.Call) value.Value {
	return c.H.LoseTraining(value.Because(value.UnmodelledTraining, "an Estimator trains a copy of the model in its own graph"), c.Args.Node)
}

// hostTable are the names that belong to no other table.
var hostTable = state.Table{
	"tensorflow.keras.layers.*": func(c *state.Call) value.Value {
		class := c.Below("tensorflow.keras.layers")
		if strings.Contains(class, ".") {
			return value.Value{}
		}
		return models.Layer(c.H, c.In, class, c.Args)
	},
	"tensorflow.keras.activations.get":         namedActivation,
	"tensorflow.keras.activations.deserialize": namedActivation,
	"tensorflow.TensorShape": func(c *state.Call) value.Value {
		v, _ := c.Args.Get(0, "dims")
		shape, ok := objects.Dims(v)
		if !ok {
			return value.Value{}
		}
		items, _ := objects.Sequence(objects.ShapeValue(shape))
		return ops.NewVector(items)
	},
	"tensorflow.keras.backend.backend":                    state.Constant("tensorflow"),
	"tensorflow.keras.config.backend":                     state.Constant("tensorflow"),
	"tensorflow.keras.backend.epsilon":                    state.Constant(1e-7),
	"tensorflow.keras.config.epsilon":                     state.Constant(1e-7),
	"tensorflow.keras.backend.is_keras_tensor":            ofTensors(true),
	"tensorflow.is_tensor":                                ofTensors(true),
	"tensorflow.keras.backend.is_sparse":                  ofTensors(false), // an Input of sparse=True is not followed
	"tensorflow.keras.saving.register_keras_serializable": registers,
	"tensorflow.keras.utils.register_keras_serializable":  registers,
	"tensorflow.keras.version":                            func(c *state.Call) value.Value { return c.H.KerasVersion() },
	"tensorflow.keras.InputSpec":                          func(c *state.Call) value.Value { return layers.InputSpec(c.H, c.Args) },
	"tensorflow.keras.backend.get_uid":                    uid,
	"tensorflow.SparseTensor":                             func(c *state.Call) value.Value { return ops.NewSparse(c.H, c.Args) },
	"tensorflow.sparse.SparseTensor":                      func(c *state.Call) value.Value { return ops.NewSparse(c.H, c.Args) },
	"tensorflow.recompute_grad":                           func(c *state.Call) value.Value { return ops.Recomputed(c.H, c.Args) },
	"tensorflow.keras.remat":                              func(c *state.Call) value.Value { return ops.Recomputed(c.H, c.Args) },
	"tensorflow.keras.RematScope":                         func(c *state.Call) value.Value { return layers.RematScope(c.H, c.Args) },
	"tensorflow.custom_gradient":                          func(c *state.Call) value.Value { return models.NewCustomGradient(c.H, c.Args) },
	"tensorflow.keras.Input":                              func(c *state.Call) value.Value { return models.Input(c.H, c.Args) },
	"tensorflow.keras.Sequential":                         func(c *state.Call) value.Value { return models.Sequential(c.H, c.In, c.Args) },
	"tensorflow.keras.Model":                              func(c *state.Call) value.Value { return models.Model(c.H, c.In, c.Args) },
	"tensorflow.keras.estimator.model_to_estimator":       estimator,
	"tensorflow.Variable":                                 newVariable,
	"tensorflow.keras.Variable":                           newVariable,
	"tensorflow.keras.backend.variable":                   newVariable,
	"tensorflow.device":                                   ops.Device,
	"tensorflow.compat.v1.device":                         ops.Device,
	"tensorflow.keras.device":                             ops.Device,
	"tensorflow.GradientTape":                             func(c *state.Call) value.Value { return steps.NewTape(c.H, c.Args) },
	"tensorflow.control_dependencies":                     func(c *state.Call) value.Value { return steps.ControlDependencies(c.H, c.Args) },
	"tensorflow.gradients":                                func(c *state.Call) value.Value { return steps.GraphGradients(c.H, c.In, c.Args) },
	"tensorflow.function":                                 steps.Compiled,
	"tensorflow.clip_by_global_norm":                      steps.ByGlobalNorm,
	"tensorflow.linalg.global_norm":                       steps.ByGlobalNorm,
	"tensorflow.keras.random.SeedGenerator":               state.Constant(state.Opaque{Base: "a generator of random numbers"}),
	"tensorflow.random.Generator.from_seed":               state.Constant(state.Opaque{Base: "a generator of random numbers"}),
}

// ofTensors returns the owner of a function with a known result for tensors.
func ofTensors(result bool) state.Owner {
	return func(c *state.Call) value.Value {
		if symbolic, arrays := ops.Kinds(c.Args); symbolic || arrays {
			return value.Value{X: result}
		}
		return value.Value{}
	}
}

func namedActivation(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "identifier")
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
func registers(*state.Call) value.Value {
	return value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
		registered, _ := args.Get(0, "arg")
		return registered
	})}
}

func uid(c *state.Call) value.Value {
	r := &layers.ArgParser{Args: c.Args}
	prefix := r.Text(0, "prefix", "")
	n := c.H.Names.UID(c.In, prefix)
	if r.Why != nil {
		return value.Value{}
	}
	return value.Value{X: n}
}

func newVariable(c *state.Call) value.Value { return ops.NewWeight(c.H, c.Name, c.Args) }

func fromHub(c *state.Call) value.Value {
	return c.H.Unknown(value.FileContents, "the weights that %s loads are in the file that it downloads, not in this program", c.Name)
}

// functionTables are all functions on tensors.
var functionTables = [][]ops.FunctionRow{
	ops.AttentionFunctions, ops.ConcatFunctions, ops.CreateFunctions, ops.EinopsFunctions, ops.GatherFunctions, ops.ImageFunctions, ops.LossFunctions, ops.MathFunctions, ops.ProductFunctions,
	ops.ReduceFunctions, ops.ScatterFunctions, ops.SearchFunctions, ops.ShapeFunctions, ops.SignalFunctions, ops.SparseFunctions, steps.StepFunctions,
}

// ownerTables are all owners of this package. Those of package arrays join them.
var ownerTables = []state.Table{
	hostTable, state.SettingTable, state.PolicyTable, steps.StructureTable, steps.BranchTable, steps.LoopTable, steps.StrategyTable, models.CopyTable, models.TrackedTable, addonTable, tunerTable, models.EinopsTable,
	pipelines.DataTable, applicationTable, checkpointTable, hubTable, sourceTable, transformersTable, hubModelTable, steps.OptimizerTable, models.QuantizationTable, familyTable, comparingTable, initializerTable, onTensorsTable,
}

// Rows of families whose names are those of functions on tensors, or of operations that are not
// followed.
var onTensorsTable = state.Table{"tensorflow.*": ops.OnTensors, "numpy.*": ops.OnTensors, "einops.*": ops.OnTensors}

func init() { state.Loaded = library.Once(load) } // the tables' functions call loaded

func load() (r state.Registries, err error) {
	ofArrays := state.Table{}
	for _, name := range arrays.Owned() {
		ofArrays[name] = onArrays
	}
	tables := append(slices.Clone(ownerTables), ofArrays)
	if r.Owners, err = library.New(tables...); err != nil {
		return r, err
	}
	r.Functions = map[string]state.Function{}
	for _, rows := range functionTables {
		for _, row := range rows {
			for name := range strings.FieldsSeq(row.Names) {
				if r.Functions[name] != nil {
					return r, fmt.Errorf("%s has two owners among the functions on tensors", name)
				}
				r.Functions[name] = row.F
			}
		}
	}
	return r, nil
}

// onArrays leaves a call to package arrays.
func onArrays(c *state.Call) value.Value {
	v, _ := arrays.Call(c.H.Arrays, c.In, c.Name, c.Args)
	return v
}

// addonTable are layers of TensorFlow Addons that Keras took over, or that are layers of Keras with
// certain arguments (tensorflow_addons/layers/normalizations.py).
var addonTable = state.Table{
	"tensorflow_addons.layers.GroupNormalization":    func(c *state.Call) value.Value { return models.Layer(c.H, c.In, "GroupNormalization", c.Args) },
	"tensorflow_addons.layers.InstanceNormalization": instanceNormalization,
	"tensorflow_addons.layers.SpectralNormalization": func(c *state.Call) value.Value { return models.Layer(c.H, c.In, "SpectralNormalization", c.Args) },
}

// instanceNormalization is a group normalization where a group is a channel. It takes keywords
// only.
func instanceNormalization(c *state.Call) value.Value {
	if len(c.Args.Positional) > 0 {
		return value.Value{}
	}
	all := *c.Args
	all.Keywords = value.Named("groups", value.Value{X: int64(-1)})
	for keyword, v := range c.Args.Keywords.All() {
		if keyword != "groups" {
			all.Keywords.Put(keyword, v)
		}
	}
	if _, named := c.Args.Keywords.Get("name"); !named {
		all.Keywords.Put("name", value.Value{X: c.H.Names.Layer(c.In, "InstanceNormalization")})
	}
	return models.Layer(c.H, c.In, "GroupNormalization", &all)
}
