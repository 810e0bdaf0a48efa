package tfdata

import (
	"slices"
	"strings"
	"testing"
)

// TestMethods holds that Methods are those of tf.data.Dataset in TensorFlow 2.21 that return a
// dataset, or an iterator. assert_cardinality is one for the transformation of that name.
func TestMethods(t *testing.T) {
	recorded := strings.Fields(`apply as_numpy_iterator batch bucket_by_sequence_length cache concatenate enumerate filter flat_map group_by_window ignore_errors
		interleave map padded_batch prefetch ragged_batch rebatch rejection_resample repeat scan shard shuffle skip snapshot sparse_batch take take_while unbatch unique window
		with_options assert_cardinality`)
	for _, name := range recorded {
		if Methods[name].Change == 0 {
			t.Errorf("there is no row for %s", name)
		}
	}
	if len(Methods) != len(recorded) {
		t.Errorf("%d methods, of which %d are TensorFlow's", len(Methods), len(recorded))
	}
}

// TestTransformations holds that a transformation consists of methods, and that its function is
// one of its parameters.
func TestTransformations(t *testing.T) {
	for name, tr := range Transformations {
		if len(tr.Methods) == 0 {
			t.Errorf("%s calls no method", name)
		}
		for _, m := range tr.Methods {
			method, ok := Methods[m]
			if !ok {
				t.Errorf("%s calls %s, which is not a method", name, m)
			}
			if method.Function != "" && !slices.Contains(strings.Fields(tr.Parameters), method.Function) {
				t.Errorf("%s has no parameter %s", name, method.Function)
			}
		}
	}
	for name, want := range map[string]Method{
		"map_and_batch":      {Change: Batches, Function: "map_func"},
		"scan":               {Change: Maps, Function: "scan_func", Position: 1},
		"group_by_window":    {Change: Groups, Function: "reduce_func", Position: 1},
		"shuffle_and_repeat": {Change: Keeps},
		"unbatch":            {Change: Unbatches},
	} {
		if got := Transformations[name].Step(); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
	for qualified, want := range map[string]string{
		"tensorflow.data.experimental.unbatch":            "unbatch",
		"tensorflow.contrib.data.unbatch":                 "unbatch",
		"tensorflow.data.experimental.service.distribute": "service.distribute",
	} {
		if _, name, ok := TransformationOf(qualified); !ok || name != want {
			t.Errorf("%s is %q, %t", qualified, name, ok)
		}
	}
	for _, other := range []string{"tensorflow.data.experimental.AUTOTUNE", "tensorflow.data.Dataset.unbatch"} {
		if _, _, ok := TransformationOf(other); ok {
			t.Errorf("%s is a transformation", other)
		}
	}
}
