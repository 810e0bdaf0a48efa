package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// settings are what a program sets for all code that follows.
type settings struct {
	policy string // the dtype policy; empty if floatx decides
	floatx string
	format string // image_data_format
	// clusters is set if XLA compiles parts of graphs without being asked.
	clusters      bool
	eager         bool   // nothing that tf.function creates is compiled
	undecided     string // why that is not known
	deterministic bool
	unsure        string // why the settings are not known
}

// A programSettings is the state of the settings.
type programSettings struct{ of *host }

func (s programSettings) Content() any  { return s.of.settings }
func (s programSettings) Restore(x any) { s.of.settings = x.(settings) }

func (programSettings) Either(a, b any, why string) any {
	x, y := a.(settings), b.(settings)
	// Steps compiled in clusters are priced like uncompiled ones, with a wider range.
	x.clusters = x.clusters || y.clusters
	y.clusters = x.clusters
	if x != y && y.unsure == "" {
		y.unsure = "what the program sets for all of Keras is not known: " + why
	}
	return y
}

func (programSettings) Born() int { return 0 }

// setting answers for the functions that change and return settings.
func (h *host) setting(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	set := h.settings
	given := func(keyword string) value.Value {
		v, _ := args.Get(0, keyword)
		return v
	}
	switch name {
	case "tensorflow.keras.backend.image_data_format", "tensorflow.keras.config.image_data_format":
		return value.Value{X: h.format}, true
	case "tensorflow.keras.backend.floatx", "tensorflow.keras.config.floatx":
		return value.Value{X: h.floatx}, true
	case "tensorflow.config.functions_run_eagerly", "tensorflow.config.experimental_functions_run_eagerly":
		if h.undecided != "" {
			return h.unknown("%s", h.undecided), true
		}
		return value.Value{X: h.eager}, true
	case "tensorflow.keras.mixed_precision.set_global_policy", "tensorflow.keras.config.set_dtype_policy", "tensorflow.keras.mixed_precision.experimental.set_policy":
		set.take(&set.policy, "the dtype policy", given("policy"))
	case "tensorflow.keras.backend.set_floatx", "tensorflow.keras.config.set_floatx":
		set.take(&set.floatx, "floatx", given("value"))
	case "tensorflow.keras.backend.set_image_data_format", "tensorflow.keras.config.set_image_data_format":
		set.take(&set.format, "the image data format", given("data_format"))
	case "tensorflow.config.optimizer.set_jit":
		on := given("enabled")
		set.clusters = on.X != false && on.X != "" // an unknown value may switch it on
	case "tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly":
		set.eager, set.undecided = decided(in, given("run_eagerly"), eagerly)
	case "tensorflow.config.experimental.enable_op_determinism":
		set.deterministic = true
	default:
		return value.Value{}, false
	}
	in.Touch(programSettings{h})
	h.settings = set
	return value.Value{X: value.None{}}, true
}

// take sets one setting to the given name, if that is known.
func (s *settings) take(one *string, what string, given value.Value) {
	if name, ok := policyName(given); ok {
		*one = name
	} else {
		s.unsure = what + " is not known: " + objects.Because(given)
	}
}

// eagerly is the subject of [decided] for switches that make steps run operation by operation.
const eagerly = "whether functions run eagerly"

// decided returns what a switch is set to, or why that is not known.
func decided(in *value.Interp, to value.Value, what string) (on bool, why string) {
	if on, known := in.Truth(to); known {
		return on, ""
	}
	return false, what + " is not known: " + objects.Because(to)
}

// dtypePolicy returns the policy of layers without one of their own: that of floatx if no policy
// is set (keras/src/dtype_policies/dtype_policy.py, dtype_policy).
func (h *host) dtypePolicy() string {
	if h.policy == "" {
		return h.floatx
	}
	return h.policy
}

// newModel creates a model for the Keras and the settings of the running code.
func (h *host) newModel(class string) *Model {
	m := &Model{Class: class, Keras: h.keras(), Trainable: true, unsettled: h.unsure, by: h.interp}
	h.distribute(m)
	return m
}
