package effects

import (
	"slices"
	"strings"
)

// onlyInTF2 are names below tensorflow that TensorFlow 2 has and no 1.x: code that uses one
// cannot run under 1.x. They come from a comparison of the exports in 1.15.0
// (tensorflow_core/_api/v1), 2.13.1 and 2.21.0. A name that ends in ".*" stands for all below it.
// Keras is left out, because programs for 1.x may have a newer one of their own.
var onlyInTF2 = set(`
	config.LogicalDeviceConfiguration config.functions_run_eagerly config.get_logical_device_configuration
	config.get_visible_devices config.list_logical_devices config.list_physical_devices config.run_functions_eagerly
	config.set_logical_device_configuration config.set_visible_devices
	config.experimental.enable_op_determinism config.experimental.enable_tensor_float_32_execution
	config.experimental.get_device_details config.experimental.get_memory_info
	config.experimental.get_memory_usage config.experimental.reset_memory_stats
	data.AUTOTUNE data.experimental.AutoShardPolicy
	distribute.MultiWorkerMirroredStrategy distribute.ParameterServerStrategy distribute.TPUStrategy
	experimental.dtensor.* experimental.numpy.* image.stateless_random_crop io.gfile.join math.special.* nn.gelu nn.silu
	optimizers.* profiler.experimental.* random.Generator random.get_global_generator random.set_seed
	summary.create_file_writer summary.should_record_summaries summary.trace_on summary.trace_export`)

// onlyInTF1 are names below tensorflow that TensorFlow 1.x has and 2 has only below compat.v1,
// from the same comparison: names of sessions and their arguments, and some that are in nearly
// every program for 1.x.
var onlyInTF1 = set(`
	ConfigProto GPUOptions GraphOptions OptimizerOptions RunMetadata RunOptions Session InteractiveSession
	train.ChiefSessionCreator train.MonitoredSession train.MonitoredTrainingSession train.Scaffold train.SessionCreator
	train.SessionManager train.SessionManager.* train.SingularMonitoredSession train.Supervisor train.Supervisor.* train.WorkerSessionCreator
	app.* enable_eager_execution enable_v2_behavior flags.* logging.* get_default_graph get_default_session get_variable global_variables_initializer
	initialize_all_variables local_variables_initializer placeholder placeholder_with_default random_normal random_uniform
	reset_default_graph set_random_seed summary.FileWriter summary.merge_all trainable_variables truncated_normal variable_scope
	nn.dynamic_rnn train.AdamOptimizer train.GradientDescentOptimizer train.MomentumOptimizer train.RMSPropOptimizer
	train.Saver train.exponential_decay train.get_or_create_global_step
	GraphDef gfile.* train.import_meta_graph
	global_variables local_variables get_collection train.write_graph graph_util.convert_variables_to_constants
	FixedLenFeature VarLenFeature parse_example parse_single_example py_func read_file to_float to_int32 to_int64 contrib.* layers.* examples.*
	keras.layers.CuDNNGRU keras.layers.CuDNNLSTM`)

func set(names string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		out[name] = true
	}
	return out
}

// OnlyInTF2 reports whether a name, as it is written below tensorflow, exists in TensorFlow 2
// only: "random.set_seed" does.
func OnlyInTF2(name string) bool { return among(onlyInTF2, name) }

// OnlyInTF1 reports whether a name, as it is written below tensorflow, exists in TensorFlow 1.x
// only: "Session" does. It does not know all of them.
func OnlyInTF1(name string) bool { return among(onlyInTF1, name) }

// ofKeras2 are modules below keras, or tf.keras, that Keras 2 had and 3 has not (compared with
// keras 3.15.1), with all below them.
var ofKeras2 = set(`
	wrappers.scikit_learn engine objectives estimator experimental premade feature_column optimizer_v1 optimizer_v2
	backend.tensorflow_backend callbacks.callbacks initializers.initializers_v2 mixed_precision.experimental
	layers.core layers.convolutional layers.pooling layers.normalization layers.recurrent layers.embeddings layers.merge
	layers.advanced_activations layers.noise layers.local layers.wrappers layers.convolutional_recurrent layers.experimental
	layers.preprocessing preprocessing.text optimizers.optimizer_v2 saving.save saving.hdf5_format
	utils.np_utils utils.generic_utils utils.vis_utils utils.layer_utils utils.data_utils utils.training_utils
	utils.multi_gpu_utils utils.conv_utils utils.multi_gpu_model`)

// OfKeras2 reports whether a module, or a name imported from one, exists in Keras 2 only, by its
// imported name.
//
// segmentation_models reads keras.utils.generic_utils when it is imported, and TensorFlow's models
// of transformers are tf_keras's wherever Keras 3 is (src/transformers/modeling_tf_utils.py).
// TensorFlow Addons imports keras.engine (tensorflow_addons/utils/types.py).
func OfKeras2(module string) bool {
	library, _, _ := strings.Cut(module, ".")
	if library == "segmentation_models" || library == "tensorflow_addons" || strings.HasPrefix(module, "transformers.TF") {
		return true
	}
	if part, ok := strings.CutPrefix(module, "tensorflow.python.keras."); ok { // TensorFlow has kept the one of 2.5
		part, _, _ = strings.Cut(part, ".")
		return slices.Contains([]string{"models", "layers", "engine", "Model", "Sequential", "optimizers", "optimizer_v2"}, part)
	}
	below, ok := strings.CutPrefix(module, "keras.")
	if !ok {
		if below, ok = strings.CutPrefix(module, "tensorflow.keras."); !ok {
			return false
		}
	}
	for below != "" {
		if ofKeras2[below] {
			return true
		}
		below = below[:max(strings.LastIndexByte(below, '.'), 0)]
	}
	return false
}

// OnlyInKeras returns the one major version of Keras that has a canonical name, or 0 if both have
// it, or if that is not known.
func OnlyInKeras(name string) int {
	if !strings.HasPrefix(name, "tensorflow.keras.") {
		return 0
	}
	dot := strings.LastIndexByte(name, '.')
	switch exported()[name[:dot]][name[dot+1:]] {
	case "2":
		return 2
	case "3":
		return 3
	}
	if e := Lookup(name); e != nil && e.Name == name {
		return e.span.keras
	}
	return 0
}

func among(names map[string]bool, name string) bool {
	if names[name] {
		return true
	}
	for i := range len(name) {
		if name[i] == '.' && names[name[:i]+".*"] {
			return true
		}
	}
	return false
}
