package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTechniques checks what five answers to common questions about GPU memory recommend. Each
// technique has a case in which a rule recommends it too, or a rewrite that applies it. If an
// answer is wrong, a rule says so.
func TestTechniques(t *testing.T) {
	for question, techniques := range map[string]map[string]string{
		"a MonitoredTrainingSession takes the whole GPU": {
			"allow_growth in its ConfigProto":                       "rules/TFM201/monitored.py",
			"the config is handed to the session":                   "rules/TFM202/never_passed.py",
			"session_creator= is no parameter of it":                "rules/TFM203/by_name.py",
			"tf.ConfigProto is tf.compat.v1's":                      "rules/TFM204/names.py",
			"a fraction of the GPU for each process":                "rules/TFM205/over_one.py",
			"a session around it changes nothing":                   "rules/TFM206/nested.py",
			"a smaller batch":                                       "rules/TFM601/constant_and_dataset.py",
			"a profile that shows which operations need the memory": "rewrites/profile-loop/run_loop.py",
		},
		"two models are trained and the memory runs out": {
			"batches by tf.data":                                  "rules/TFM301/loop.py",
			"prefetch (for speed alone)":                          "rules/TFM305/loop.py",
			"no large array in from_tensor_slices":                "rules/TFM303/chain.py",
			"MirroredStrategy, with all that trains in its scope": "rules/TFM703/compiled.py",
			"MirroredStrategy at all":                             "rewrites/mirrored-strategy/run_functional.py",
			"memory growth":                                       "rules/TFM101/script.py",
			"memory growth before anything initialises":           "rules/TFM102/manner_after_two_models.py",
			"a process for each model":                            "rewrites/own-process/run_search.py",
		},
		"how to resolve TensorFlow's memory issues": {
			"the peak, as TensorFlow counts it":            "rewrites/print-peak-memory/run_loop.py",
			"gradient accumulation":                        "rewrites/accumulate-gradients/run_loop.py",
			"set_memory_growth takes a device, and one":    "rules/TFM105/true_alone.py",
			"growth and a memory limit exclude each other": "rules/TFM106/growth_then_limit.py",
			"fragmentation: another allocator":             "rewrites/cuda-malloc-async/run_script.py",
		},
		"multiprocessing runs out of memory": {
			"CUDA_VISIBLE_DEVICES in time":                  "rules/TFM109/after_list.py",
			"TF_FORCE_GPU_ALLOW_GROWTH as it is understood": "rules/TFM110/one.py",
			"the names of today":                            "rules/TFM107/all_names.py",
			"growth on every GPU":                           "rules/TFM104/first_of_name.py",
			"no fork once the GPU is initialised":           "rules/TFM701/default.py",
			"a limit for each worker":                       "rules/TFM702/two.py",
			"growth, urgent beside other processes":         "rules/TFM101/workers.py",
			"fit distributes its dataset itself":            "rules/TFM705/multiprocessing_seed.py",
			"the batch of a strategy is the global one":     "rules/TFM704/pipelines.py",
			"tf.function around the training step":          "rules/TFM501/function.py",
		},
		"nearly all memory is taken": {
			"a tape that is kept is deleted":       "rules/TFM401/loop.py",
			"no persistent tape without need":      "rules/TFM402/once.py",
			"a tape is asked for its gradient":     "rules/TFM407/evaluation.py",
			"tensors are not piled up over steps":  "rules/TFM405/dataset.py",
			"no list is filled in a tf.function":   "rules/TFM505/in_loop.py",
			"a tf.function is made once":           "rules/TFM503/called.py",
			"predict goes through data in batches": "rules/TFM304/datasets.py",
			"models of a loop are let go":          "rules/TFM504/in_body.py",
		},
	} {
		for technique, place := range techniques {
			text, err := os.ReadFile(filepath.Join("../testdata", place))
			switch {
			case err != nil:
				t.Errorf("%s: %s: %v", question, technique, err)
			case strings.HasPrefix(place, "rules/") && len(expectations(t, string(text))) == 0:
				t.Errorf("%s: %s: nothing fires in %s", question, technique, place)
			}
		}
	}
}
