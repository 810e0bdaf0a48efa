package keras

import (
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/tfdata"
)

// TestOwners holds that each name has one owner. A function on tensors has a row of its own among
// the owners only where that leaves calls to OnTensors.
func TestOwners(t *testing.T) {
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	leaves := []string{"tensorflow.add_n", "tensorflow.math.add_n", "tensorflow.reduce_sum", "tensorflow.math.reduce_sum", "tensorflow.keras.applications.preprocess_input"}
	for _, rows := range ownerTables {
		for name := range rows {
			if f, _ := ops.FunctionNamed(name); (f != nil) != slices.Contains(leaves, name) {
				t.Errorf("%s has an owner, and is a function on tensors", name)
			}
		}
	}
	for _, name := range arrays.Owned() {
		if f, _ := ops.FunctionNamed(name); f != nil {
			t.Errorf("%s belongs to package arrays, and is a function on tensors", name)
		}
	}
	for name := range r.Functions {
		if _, ok := r.Owners.Lookup("tensorflow." + name); !ok {
			t.Errorf("tensorflow.%s has no owner", name)
		}
	}
}

// TestOwnersAreExported holds that a recorded TensorFlow, with Keras 2 or 3, exports each name that has
// an owner, so that no row is misspelt. exports.txt owns since when and until when a name exists.
func TestOwnersAreExported(t *testing.T) {
	older := map[string]string{
		"tensorflow.keras.applications.obtain_input_shape":  "copies of keras.applications call it",
		"tensorflow.keras.applications.correct_pad":         "copies of keras.applications call it",
		"tensorflow.keras.applications.validate_activation": "copies of keras.applications call it",
		"tensorflow.keras.applications.preprocess_input":    "before TensorFlow 2",
		"tensorflow.keras.optimizers.legacy.get":            "the modules of Keras 2.11 to 2.14 have it",
		"tensorflow.keras.optimizers.experimental.get":      "the modules of Keras 2.9 to 2.14 have it",
		"tensorflow.variance_scaling_initializer":           "TensorFlow 1",
		"tensorflow.glorot_normal_initializer":              "TensorFlow 1",
		"tensorflow.glorot_uniform_initializer":             "TensorFlow 1",
		"tensorflow.uniform_unit_scaling_initializer":       "TensorFlow 1",
		"tensorflow.truncated_normal_initializer":           "TensorFlow 1",
		"tensorflow.orthogonal_initializer":                 "TensorFlow 1",
		"tensorflow.xavier_initializer":                     "tf.contrib of TensorFlow 1",
	}
	asked := 0
	for _, rows := range ownerTables {
		for name := range rows {
			i := strings.LastIndexByte(name, '.')
			if i < 0 || strings.HasSuffix(name, "*") {
				continue
			}
			_, known := effects.Library{}.Has(name[:i], name[i+1:])
			exported := effects.Library{}.Exports(name[:i], name[i+1:])
			if known {
				asked++
			}
			if known && !exported && older[name] == "" {
				t.Errorf("no recorded version exports %s", name)
			}
			if exported && older[name] != "" {
				t.Errorf("%s is exported, and needs no excuse", name)
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d names are in modules that were recorded", asked)
	}
}

// TestSources holds that each source and each transformation of tf.data has an owner here.
func TestSources(t *testing.T) {
	owners := state.Loaded().Owners
	for name := range tfdata.Sources {
		if !owners.Has(name) && name != "tensorflow_datasets.core.DatasetBuilder.as_dataset" { // a method of a builder
			t.Errorf("prices do not know %s", name)
		}
	}
	for name, step := range tfdata.Transformations {
		for _, m := range step.Methods {
			if pipelines.StepOf(m) == nil {
				t.Errorf("%s calls %s, which is not a method", name, m)
			}
		}
	}
}
