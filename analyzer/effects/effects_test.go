package effects

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	if _, err := load(table); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"a.b flies", "a.b initialises\na.b -", "class a.b", "a.b runs:fn", "a.b runs:fn:x", "a.b repeats:fn:0", "a.b times:n", "a.b times:n:0:x", "a.b folds:cv", "a.b folds:cv:x", "a.b nonzero:x", "a.b since:x", "a.b until:2.*", "a.b only:keras4", "a.b keras2:flies"} {
		if _, err := load(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{
		"keras":              "tensorflow.keras",
		"keras.layers.Dense": "tensorflow.keras.layers.Dense",
		"tensorflow.compat.v1.keras.layers.Dense":                   "tensorflow.keras.layers.Dense",
		"tensorflow.compat.v2.constant":                             "tensorflow.constant",
		"tensorflow.metrics.Mean":                                   "tensorflow.keras.metrics.Mean",
		"tensorflow.metrics.mean":                                   "tensorflow.metrics.mean",
		"tensorflow.losses.Huber":                                   "tensorflow.keras.losses.Huber",
		"tensorflow.python.keras.models.Sequential":                 "tensorflow.keras.Sequential",
		"tensorflow.python.keras.models.Input":                      "tensorflow.keras.Input",
		"tensorflow.compat.v1.data.Dataset.range":                   "tensorflow.data.Dataset.range",
		"tensorflow.compat.v1.Session":                              "tensorflow.compat.v1.Session",
		"tensorflow.compat.v1.constant_initializer":                 "tensorflow.compat.v1.constant_initializer",
		"tensorflow.python.ops.math_ops.matmul":                     "tensorflow.matmul",
		"tensorflow.python.ops.nn.bias_add":                         "tensorflow.nn.bias_add",
		"tensorflow.python.framework.dtypes.float32":                "tensorflow.float32",
		"tensorflow.python.client.session.Session":                  "tensorflow.compat.v1.Session",
		"tensorflow.core.protobuf.config_pb2.ConfigProto":           "tensorflow.compat.v1.ConfigProto",
		"tensorflow.compat.v1.estimator.Estimator":                  "tensorflow.estimator.Estimator",
		"tensorflow.keras.models.Sequential.fit":                    "tensorflow.keras.Model.fit",
		"tensorflow.keras.applications.resnet50.ResNet50":           "tensorflow.keras.applications.ResNet50",
		"tensorflow.keras.optimizers.Adam.apply_gradients":          "tensorflow.keras.optimizers.Optimizer.apply_gradients",
		"tensorflow.keras.mixed_precision.LossScaleOptimizer.apply": "tensorflow.keras.optimizers.Optimizer.apply",
		"tensorflow.distribute.MirroredStrategy.scope":              "tensorflow.distribute.Strategy.scope",
		"tensorflow.keras.layers.Dense.__call__":                    "tensorflow.keras.layers.Dense.__call__",
		"tensorflow.keras.layers.Flatten.__call__":                  "tensorflow.keras.layers.Layer.__call__",
		"keras.utils.np_utils.to_categorical":                       "tensorflow.keras.utils.to_categorical",
		"keras.layers.merge.concatenate":                            "tensorflow.keras.layers.concatenate",
		"tensorflow.python.keras.optimizer_v2.adam.Adam":            "tensorflow.keras.optimizers.legacy.Adam",
		"tensorflow.python.keras.optimizers.get":                    "tensorflow.keras.optimizers.legacy.get",
		"keras.optimizers.adam_v2.Adam":                             "tensorflow.keras.optimizers.legacy.Adam",
		"keras.optimizer_v2.adam.Adam.apply_gradients":              "tensorflow.keras.optimizers.Optimizer.apply_gradients",
		"keras_preprocessing.image.ImageDataGenerator":              "tensorflow.keras.preprocessing.image.ImageDataGenerator",
		"keras.layers.MaxPool2D":                                    "tensorflow.keras.layers.MaxPooling2D",
		"keras.layers.SeparableConvolution2D.call":                  "tensorflow.keras.layers.SeparableConv2D.call",
		"keras.layers.GlobalAvgPool1D":                              "tensorflow.keras.layers.GlobalAveragePooling1D",
		"keras.layers.Convolution3DTranspose":                       "tensorflow.keras.layers.Conv3DTranspose",
		"kerastuner.Tuner":                                          "keras_tuner.Tuner",
		"tensorflow.compat.v1.compat.v1.train.AdamOptimizer":        "tensorflow.compat.v1.train.AdamOptimizer",
	} {
		if got := (Library{}).Canonical(name); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestExports sees that of several star imports each binds what is its own.
func TestExports(t *testing.T) {
	for name, want := range map[string]bool{
		"tensorflow.keras.layers Dense": true, "tensorflow.keras.layers add": true, "tensorflow.keras.models Dense": false,
		"tensorflow.keras.models Sequential": true, "tensorflow.keras.models load_model": true, "tensorflow.keras.models Conv2D": false,
		"tensorflow.keras.optimizers Adam": true, "tensorflow.keras.losses Adam": false, "tensorflow.keras.utils to_categorical": true,
		"tensorflow.keras.applications.vgg16 VGG16": true, "tensorflow.keras.datasets mnist": true, "tensorflow constant": true,
		"tensorflow.nn relu6": true, "tensorflow.math reduce_mean": true, "tensorflow.nn reduce_mean": false,
		"tensorflow Dense": false, "tensorflow.keras.layers _hidden": false, "numpy zeros": false,
	} {
		module, member, _ := strings.Cut(name, " ")
		if got := (Library{}).Exports(module, member); got != want {
			t.Errorf("from %s import * binds %s: %v, want %v", module, member, got, want)
		}
	}
}

// TestHas sees that what some versions lack is not known.
func TestHas(t *testing.T) {
	for name, want := range map[string][2]bool{
		"tensorflow.keras.layers GroupNormalization": {true, true}, "tensorflow.keras.layers InstanceNormalization": {false, true},
		"tensorflow.keras.layers RMSNormalization": {true, true}, "tensorflow.keras.layers ConvLSTM9D": {false, true}, "tensorflow tsl": {true, false}, "tensorflow.keras.layers _hidden": {false, false}, "numpy zeros": {false, false},
	} {
		module, member, _ := strings.Cut(name, " ")
		if has, known := (Library{}).Has(module, member); has != want[0] || known != want[1] {
			t.Errorf("%s has %s: %v, known %v; want %v", module, member, has, known, want)
		}
	}
}

// TestRecorded holds the table against what a real TensorFlow did, for each of the
// versions recorded under testdata/effects: what the table says initialises in them did
// so, what it says does not did not, and what it says is not there was not. What
// initialised has a row, and what a row says initialises has a record, but for the names
// that only TensorFlow 1 has. Package flow follows the programs of the records.
func TestRecorded(t *testing.T) {
	type record struct {
		Versions struct {
			TensorFlow string
			Keras      string
			Legacy     string `json:"tf_keras"`
		}
		Names []struct {
			Name             string
			Case             string
			Initialises      bool
			SetupInitialises bool    `json:"setup_initialises"`
			CreatesDevices   bool    `json:"creates_devices"`
			Raised           *string `json:"raised"`
		}
	}
	paths, err := filepath.Glob("../../testdata/effects/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	compared, decided, missing := 0, 0, 0
	recorded := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r record
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		stated := func(version string) (out Stated) {
			if out.Range, err = ParseRange(version); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			out.Source = path
			return out
		}
		library := With(Versions{TensorFlow: stated(r.Versions.TensorFlow), Keras: stated(r.Versions.Keras + r.Versions.Legacy)})
		for _, n := range r.Names {
			name := Library{}.Canonical(n.Name)
			anywhere := Lookup(name)
			e := library.Lookup(name)
			// The rows of tf.keras.optimizers.legacy are also those of TensorFlow's own copy of
			// Keras, which all releases have.
			ofCopy := strings.HasPrefix(name, "tensorflow.keras.optimizers.legacy.")
			if anywhere != nil && !ofCopy && (e == nil || n.Name == name && n.Raised != nil && notThere(*n.Raised)) {
				missing++
				if e != nil || n.Raised == nil {
					t.Errorf("%s: %s (%s) exists: recorded %v, in the table %v", filepath.Base(path), n.Name, n.Case, n.Raised == nil, e != nil)
				}
			}
			if e == nil && anywhere == nil && n.Initialises && !n.SetupInitialises && !special(n.Name, n.Case) && !strings.Contains(n.Name, "KerasTensor") {
				t.Errorf("%s: %s (%s) initialised, and has no row", filepath.Base(path), n.Name, n.Case)
			}
			recorded[name] = true
			if e == nil || n.SetupInitialises || n.Raised != nil || special(n.Name, n.Case) {
				continue
			}
			compared++
			initialises := e.Effects.Has(Initialises) && !(e.Nonzero != "" && (n.Case == "rate 0" || n.Name == "tensorflow.keras.layers.Attention" && n.Case == ""))
			switch {
			case e.Effects.Has(MayInitialise), e.Built != "":
				continue // package flow holds them against the programs
			case n.Initialises != initialises:
				t.Errorf("%s: %s (%s) initialises: recorded %v, in the table %v", filepath.Base(path), n.Name, n.Case, n.Initialises, initialises)
			case n.CreatesDevices && !n.Initialises && !e.Effects.Has(MakesAllocator):
				t.Errorf("%s: %s (%s) makes the allocator, and the table does not say so", filepath.Base(path), n.Name, n.Case)
			case e.Effects.Has(MakesAllocator) && !n.CreatesDevices:
				t.Errorf("%s: %s (%s) does not make the allocator, and the table says so", filepath.Base(path), n.Name, n.Case)
			}
			if anywhere.Effects.Has(MayInitialise) {
				decided++
			}
		}
	}
	for name, e := range loaded().entries {
		if !e.Effects.Has(Initialises|MakesAllocator) || recorded[name] || loaded().below[strings.TrimSuffix(name, ".*")] == e || loaded().classes[strings.TrimSuffix(name, ".<Class>")] == e {
			continue
		}
		if short, ok := strings.CutPrefix(name, "tensorflow."); ok && !OnlyInTF1(short) {
			t.Errorf("nothing records what %s does", name)
		}
	}
	if compared < 600 || decided < 40 || missing < 40 {
		t.Errorf("only %d records could be compared, of which %d are decided by the version, and %d are of names that are not there", compared, decided, missing)
	}
	t.Logf("%d records compared, of which %d are decided by the version; %d are of names that are not there", compared, decided, missing)
}

// notThere reports whether an error says that a name does not exist.
func notThere(raised string) bool {
	return strings.HasPrefix(raised, "AttributeError: module") && strings.Contains(raised, "has no attribute")
}

// special are cases whose surroundings the table does not speak of: operations
// in a graph or on symbolic tensors, and what is done with a name rather than
// calling it.
func special(name, kase string) bool {
	for _, word := range []string{"graph", "symbolic", "disabled", "defined", "class statement", "then ", "default strategy", "Python number"} {
		if strings.Contains(kase, word) {
			return true
		}
	}
	return name == "tensorflow.Graph.as_default" || name == "tensorflow.function" || name == "tensorflow.device"
}

// TestGenerations sees that a name is taken for one of one generation only where it
// is, whatever stands below it.
func TestGenerations(t *testing.T) {
	for name, want := range map[string]string{
		"random.set_seed": "2", "config.list_physical_devices": "2", "config.experimental.list_physical_devices": "", "experimental.numpy.abs": "2",
		"optimizers.Adam": "2", "keras.optimizers.Adam": "", "data.experimental.AUTOTUNE": "", "Session": "1", "train.MonitoredSession": "1",
		"compat.v1.Session": "", "contrib.slim.conv2d": "1", "gfile.GFile": "1", "io.gfile.GFile": "", "GraphDef": "1", "GradientTape": "", "function": "", "layers": "", "examples.tutorials.mnist.input_data": "1",
	} {
		got := ""
		if OnlyInTF1(name) {
			got += "1"
		}
		if OnlyInTF2(name) {
			got += "2"
		}
		if got != want {
			t.Errorf("tf.%s is only of version %q, want %q", name, got, want)
		}
	}
}
