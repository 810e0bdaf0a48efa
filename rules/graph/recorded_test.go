package graph

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// TestRecorded compares what the rules say with what TensorFlow does, as testdata/graph/record.py
// records it.
func TestRecorded(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/graph/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var r struct {
				Keras      string
				Traces     map[string]int
				Errors     map[string]string
				Operations map[string]int
				Appended   struct {
					Items    int
					Symbolic bool
				}
				LiveModels map[string][]int `json:"live_models"`
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			for name, added := range r.Operations {
				e := effects.Lookup(effects.Library{}.Canonical(name))
				if got := e != nil && e.Effects.Has(effects.AddsOperation); got != (added > 0) {
					t.Errorf("%s adds %d operations; the table says %v", name, added, got)
				}
			}
			for what, want := range map[string]int{
				"python_numbers": 10, "python_numbers_with_reduce_retracing": 10, "shapes": 10, "made_in_loop": 10,
				"shapes_with_reduce_retracing": 2, "python_booleans": 2,
				"python_numbers_with_input_signature": 1, "numpy_scalars": 1, "tensors": 1, "made_once": 1,
			} {
				if r.Traces[what] != want {
					t.Errorf("%s: %d traces in 10 calls, the rules count on %d", what, r.Traces[what], want)
				}
			}
			if r.Appended.Items != 1 || !r.Appended.Symbolic {
				t.Errorf("a tf.function of one trace appended %+v", r.Appended)
			}
			if piled := r.LiveModels["nothing"]; max(piled[3], piled[4], piled[5]) < 4 {
				t.Errorf("models do not pile up in a loop: %v are alive", piled)
			}
			keras2 := !strings.HasPrefix(r.Keras, "keras 3")
			for what, frees := range map[string]bool{"collect": true, "clear_session_and_collect": true, "clear_session": !keras2} {
				if alive := r.LiveModels[what]; (alive[7] <= 2) != frees {
					t.Errorf("the rule says that %s frees models in %s: %v; %v are alive", what, r.Keras, frees, alive)
				}
			}
			for what, said := range map[string]string{
				"item_used_outside":              AppendInTFFunction.Why,
				"list_filled_in_graph_loop":      AppendInTFFunction.Why,
				"operation_in_monitored_session": finalized,
			} {
				class, message, _ := strings.Cut(r.Errors[what], ": ")
				plain := strings.Join(strings.Fields(said), " ")
				if !strings.Contains(plain, class) || !strings.Contains(plain, message) {
					t.Errorf("TensorFlow raises %q, of which the rule does not speak", r.Errors[what])
				}
			}
		})
	}
}

// TestBackend compares which functions of keras.backend add to a graph, and which iterations TFM506 is to
// report, with what testdata/graph/backend/record.py records.
func TestBackend(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/graph/backend/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Operations map[string]any
			Iterations map[string]int
		}
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		for name, added := range r.Operations {
			n, counted := added.(float64)
			e := effects.Lookup(effects.Library{}.Canonical(name))
			if got := e != nil && e.Effects.Has(effects.AddsOperation); counted && got != (n > 0) {
				t.Errorf("%s adds %v operations; the table says %v", name, added, got)
			}
		}
		for what, adds := range map[string]bool{
			"eval(mean(x))": true, "get_value(mean(x))": true, "function made and called": true, "gradients in a function": true,
			"eval(one made before)": false, "get_value(variable)": false, "set_value(variable)": false, "function called": false, "predict": false,
		} {
			if added, recorded := r.Iterations[what]; !recorded || (added > 0) != adds {
				t.Errorf("%s: an iteration of %s adds %d operations, the rule counts on %v", filepath.Base(path), what, added, adds)
			}
		}
	}
}
