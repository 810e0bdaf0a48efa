package keras

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays"
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
