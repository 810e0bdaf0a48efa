package effects

import (
	"regexp"
	"strings"
)

// moved maps prefixes of names to canonical ones. The first match is applied, repeatedly until
// none matches.
var moved = []struct{ from, to string }{
	{"keras.", "tensorflow.keras."},
	{"tf_keras.", "tensorflow.keras."},
	{"tensorflow.compat.v2.", "tensorflow."},
	{"tensorflow.compat.v1.keras.", "tensorflow.keras."},
	{"tensorflow.python.keras.optimizers.", "tensorflow.keras.optimizers.legacy."},
	{"tensorflow.python.keras.", "tensorflow.keras."},
	{"tensorflow.contrib.keras.", "tensorflow.keras."},
	{"tensorflow.contrib.eager.", "tensorflow."},
	{"tensorflow.keras.api._v2.keras", "tensorflow.keras"}, // of tensorflow.python
	{"tensorflow.keras.api.", "tensorflow.keras."},
	{"tensorflow.keras.src.", "tensorflow.keras."},
	{"tensorflow.keras._tf_keras.keras.", "tensorflow.keras."}, // Keras 3 as tf.keras offers it
	{"tensorflow.keras.models.Sequential", "tensorflow.keras.Sequential"},
	{"tensorflow.keras.models.Model", "tensorflow.keras.Model"},
	{"tensorflow.keras.models.Functional", "tensorflow.keras.Model"},
	{"tensorflow.keras.models.model.Model", "tensorflow.keras.Model"},
	{"tensorflow.keras.models.functional.Functional", "tensorflow.keras.Model"},
	{"tensorflow.keras.models.sequential.Sequential", "tensorflow.keras.Sequential"},
	{"tensorflow.keras.engine.training.Model", "tensorflow.keras.Model"},
	{"tensorflow.keras.engine.functional.Functional", "tensorflow.keras.Model"},
	{"tensorflow.keras.engine.sequential.Sequential", "tensorflow.keras.Sequential"},
	{"tensorflow.keras.engine.base_layer.Layer", "tensorflow.keras.layers.Layer"},
	{"tensorflow.keras.engine.topology.Layer", "tensorflow.keras.layers.Layer"},
	{"tensorflow.keras.engine.Layer", "tensorflow.keras.layers.Layer"},
	{"tensorflow.keras.engine.input_layer.InputLayer", "tensorflow.keras.layers.InputLayer"},
	{"tensorflow.keras.layers.Input", "tensorflow.keras.Input"},
	{"tensorflow.keras.Layer", "tensorflow.keras.layers.Layer"},
	{"tensorflow.keras.models.Input", "tensorflow.keras.Input"}, // modules of tensorflow.python import it
	{"tensorflow.keras.engine.input_layer.Input", "tensorflow.keras.Input"},
	{"tensorflow.keras.saving.load_model", "tensorflow.keras.models.load_model"},
	{"tensorflow.keras.preprocessing.image_dataset_from_directory", "tensorflow.keras.utils.image_dataset_from_directory"},
	{"tensorflow.keras.preprocessing.text_dataset_from_directory", "tensorflow.keras.utils.text_dataset_from_directory"},
	{"tensorflow.keras.preprocessing.timeseries_dataset_from_array", "tensorflow.keras.utils.timeseries_dataset_from_array"},
	{"keras_preprocessing.", "tensorflow.keras.preprocessing."},
	{"tensorflow.keras.layers.merge.", "tensorflow.keras.layers."},
	{"tensorflow.keras.utils.np_utils.", "tensorflow.keras.utils."},
	{"tensorflow.keras.layers.experimental.preprocessing.", "tensorflow.keras.layers."},
	{"tensorflow.keras.distribute.", "tensorflow.distribute."},
	{"tensorflow.optimizers.", "tensorflow.keras.optimizers."},
	{"tensorflow.initializers.", "tensorflow.keras.initializers."},
	{"tensorflow.python.data.Dataset", "tensorflow.data.Dataset"},
	{"tensorflow.python.eager.backprop.GradientTape", "tensorflow.GradientTape"},
	{"tensorflow.python.eager.def_function.function", "tensorflow.function"},
	{"tensorflow.python.framework.config.", "tensorflow.config."},
	{"tensorflow.python.framework.constant_op.constant", "tensorflow.constant"},
	{"tensorflow.python.framework.dtypes.", "tensorflow."},
	{"tensorflow.python.framework.ops.convert_to_tensor", "tensorflow.convert_to_tensor"},
	{"tensorflow.python.framework.tensor_shape.TensorShape", "tensorflow.TensorShape"},
	{"tensorflow.python.ops.array_ops.", "tensorflow."}, // what copies of Keras's layers call
	{"tensorflow.python.ops.clip_ops.", "tensorflow."},
	{"tensorflow.python.ops.math_ops.", "tensorflow."},
	{"tensorflow.python.ops.nn.", "tensorflow.nn."},
	{"tensorflow.python.ops.nn_impl.", "tensorflow.nn."},
	{"tensorflow.python.ops.nn_ops.", "tensorflow.nn."},
	{"tensorflow.python.ops.variables.Variable", "tensorflow.Variable"},
	{"tensorflow.python.client.session.", "tensorflow.compat.v1."},
	{"tensorflow.python.training.monitored_session.", "tensorflow.compat.v1.train."},
	{"tensorflow.core.protobuf.config_pb2.", "tensorflow.compat.v1."},
	{"tensorflow.python.platform.app.", "tensorflow.compat.v1.app."},
	{"tensorflow.compat.v1.compat.v1.", "tensorflow.compat.v1."}, // of "import tensorflow.compat.v1 as tf"
	{"tensorflow.compat.v1.compat.v2.", "tensorflow.compat.v2."},
	{"tensorflow.compat.v1.estimator.", "tensorflow.estimator."},
	{"kerastuner.", "keras_tuner."}, // its name until 1.0.3
	{"keras_tuner.tuners.", "keras_tuner."},
	{"tensorflow_addons.layers.normalizations.", "tensorflow_addons.layers."},
	{"multiprocess.", "multiprocessing."}, // the fork of it that pickles functions with dill
	{"multiprocessing.pool.Pool", "multiprocessing.Pool"},
	{"multiprocessing.context.Process", "multiprocessing.Process"},
	{"sklearn.externals.joblib.", "joblib."},
	{"distributed.", "dask.distributed."},
	{"ray.tune.tune.run", "ray.tune.run"},
	{"concurrent.futures.process.ProcessPoolExecutor", "concurrent.futures.ProcessPoolExecutor"},
}

// sameInV1 lists what tf.compat.v1 shares with tf. The rest of tf.compat.v1 (sessions, graphs,
// its own train, summary and estimator) keeps its name.
var sameInV1 = []string{
	"config.", "data.", "distribute.", "GradientTape", "function", "device", "io.", "image.", "math.", "nn.",
	"linalg.", "strings.", "signal.", "random.", "saved_model.", "Variable", "constant", "convert_to_tensor",
	"zeros", "ones", "range", "reshape", "cast", "concat", "stack", "expand_dims", "matmul", "one_hot",
}

// Mentioned reports whether a text names TensorFlow or Keras anywhere, or a library that builds models of
// theirs: a cheap test before any parsing.
func Mentioned(text string) bool {
	return strings.Contains(text, "tensorflow") || strings.Contains(text, "keras") ||
		strings.Contains(text, "segmentation_models") && segmentationModels.MatchString(text) ||
		strings.Contains(text, "transformers") && transformersOfTF.MatchString(text)
}

// segmentationModels is that of Keras, not segmentation_models_pytorch. transformersOfTF are the models of
// transformers that are Keras's: TFBertModel, TFAutoModelForMaskedLM.
var (
	segmentationModels = regexp.MustCompile(`\bsegmentation_models\b`)
	transformersOfTF   = regexp.MustCompile(`\bTF[A-Z]\w*(?:Model|For[A-Z]\w*)\b`)
)

// Canonical returns the one spelling of a qualified name. However a name was imported, Keras is
// tensorflow.keras, and what tf.compat.v1 shares with tf has tf's name.
func (Library) Canonical(name string) string {
	switch name {
	case "keras", "tf_keras", "tensorflow.compat.v1.keras":
		return "tensorflow.keras"
	case "tensorflow.compat.v2":
		return "tensorflow"
	case "multiprocess":
		return "multiprocessing"
	}
	for changed := true; changed; {
		changed = false
		for _, m := range moved {
			if rest, ok := strings.CutPrefix(name, m.from); ok && (strings.HasSuffix(m.from, ".") || rest == "" || rest[0] == '.') {
				name, changed = m.to+rest, true
				break
			}
		}
	}
	if rest, ok := strings.CutPrefix(name, "tensorflow.compat.v1."); ok {
		for _, same := range sameInV1 {
			if tail, ok := strings.CutPrefix(rest, same); ok && (strings.HasSuffix(same, ".") || tail == "" || tail[0] == '.') {
				return Library{}.Canonical("tensorflow." + rest)
			}
		}
		return fromBase(name)
	}
	for _, part := range []string{"losses.", "metrics."} { // TensorFlow 1 has functions of its own there, in small letters
		if class, ok := strings.CutPrefix(name, "tensorflow."+part); ok && class != "" && 'A' <= class[0] && class[0] <= 'Z' {
			return fromBase("tensorflow.keras." + part + class)
		}
	}
	if module, class, ok := strings.Cut(strings.TrimPrefix(name, "tensorflow.keras."), "."); ok && strings.HasPrefix(module, "optimizer") {
		// One module per optimizer: keras.optimizer_v2.adam.Adam, keras.optimizers.adam_v2.Adam.
		if of, class, ok := strings.Cut(class, "."); ok && (module == "optimizer_v2" || module == "optimizers" && strings.HasSuffix(of, "_v2")) {
			return fromBase("tensorflow.keras.optimizers.legacy." + class)
		}
	}
	if rest, ok := strings.CutPrefix(name, "tensorflow.keras.applications."); ok {
		return application(name, rest)
	}
	if rest, ok := strings.CutPrefix(name, "tensorflow.keras.layers."); ok {
		class, _, _ := strings.Cut(rest, ".")
		name = "tensorflow.keras.layers." + LayerClass(class) + rest[len(class):]
	}
	return fromBase(name)
}

// LayerClass returns the class name of a layer, given an exported name: a MaxPool2D is called
// "max_pooling2d" (keras_export in keras/src/layers).
func LayerClass(exported string) string {
	if own, ok := otherNames[exported]; ok {
		return own
	}
	return exported
}

var otherNames = map[string]string{
	"Convolution1D": "Conv1D", "Convolution2D": "Conv2D", "Convolution3D": "Conv3D",
	"Convolution1DTranspose": "Conv1DTranspose", "Convolution2DTranspose": "Conv2DTranspose", "Convolution3DTranspose": "Conv3DTranspose",
	"SeparableConvolution1D": "SeparableConv1D", "SeparableConvolution2D": "SeparableConv2D",
	"MaxPool1D": "MaxPooling1D", "MaxPool2D": "MaxPooling2D", "MaxPool3D": "MaxPooling3D",
	"AvgPool1D": "AveragePooling1D", "AvgPool2D": "AveragePooling2D", "AvgPool3D": "AveragePooling3D",
	"GlobalMaxPool1D": "GlobalMaxPooling1D", "GlobalMaxPool2D": "GlobalMaxPooling2D", "GlobalMaxPool3D": "GlobalMaxPooling3D",
	"GlobalAvgPool1D": "GlobalAveragePooling1D", "GlobalAvgPool2D": "GlobalAveragePooling2D", "GlobalAvgPool3D": "GlobalAveragePooling3D",
}

// application drops the module of a model: resnet50.ResNet50 becomes ResNet50.
func application(name, rest string) string {
	module, member, ok := strings.Cut(rest, ".")
	if ok && member != "" && module == strings.ToLower(module) {
		return "tensorflow.keras.applications." + member
	}
	return name
}

// fromBase returns an inherited method's name in the class that defines it:
// tensorflow.keras.Sequential.fit becomes tensorflow.keras.Model.fit.
func fromBase(name string) string {
	in := loaded()
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || in.entries[name] != nil {
		return name
	}
	class, member := name[:dot], name[dot:]
	if optimizer(class) {
		class = "tensorflow.keras.optimizers.Optimizer"
	}
	for ; class != ""; class = (Library{}).Base(class) {
		if in.entries[class+member] != nil {
			return class + member
		}
	}
	return name
}

// optimizer reports whether a class is one of Keras's optimizers, or a wrapper
// of one.
func optimizer(class string) bool {
	for _, prefix := range []string{"tensorflow.keras.optimizers.", "tensorflow.keras.optimizers.legacy.", "tensorflow.keras.mixed_precision.Loss", "tensorflow.keras.mixed_precision.experimental.Loss"} {
		if rest, ok := strings.CutPrefix(class, prefix); ok && rest != "" && rest != "Optimizer" && rest[0] >= 'A' && rest[0] <= 'Z' && !strings.Contains(rest, ".") {
			return true
		}
	}
	return false
}
