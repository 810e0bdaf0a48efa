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
	eager         bool         // nothing that tf.function creates is compiled
	undecided     *value.Cause // why that is not known
	deterministic bool
	unsure        *value.Cause // why the settings are not known
}

// A programSettings is the state of the settings.
type programSettings struct{ of *host }

func (s programSettings) Content() any  { return s.of.settings }
func (s programSettings) Restore(x any) { s.of.settings = x.(settings) }

func (programSettings) Either(a, b any, why *value.Cause) any {
	x, y := a.(settings), b.(settings)
	// Steps compiled in clusters are priced like uncompiled ones, with a wider range.
	x.clusters = x.clusters || y.clusters
	y.clusters = x.clusters
	if x.undecided.Same(y.undecided) {
		x.undecided = y.undecided
	}
	if x != y && y.unsure == nil {
		y.unsure = value.Because(value.UnmodelledUse, "what the program sets for all of Keras is not known: %s", why)
	}
	return y
}

func (programSettings) Born() int { return 0 }

// settingTable are the functions that change and return settings.
var settingTable = table{
	"tensorflow.keras.backend.image_data_format": dataFormat, "tensorflow.keras.config.image_data_format": dataFormat,
	"tensorflow.keras.backend.floatx": floatx, "tensorflow.keras.config.floatx": floatx,
	"tensorflow.config.functions_run_eagerly": runsEagerly, "tensorflow.config.experimental_functions_run_eagerly": runsEagerly,

	"tensorflow.keras.mixed_precision.set_global_policy": setPolicy, "tensorflow.keras.config.set_dtype_policy": setPolicy, "tensorflow.keras.mixed_precision.experimental.set_policy": setPolicy,
	"tensorflow.keras.backend.set_floatx": setFloatx, "tensorflow.keras.config.set_floatx": setFloatx,
	"tensorflow.keras.backend.set_image_data_format": setDataFormat, "tensorflow.keras.config.set_image_data_format": setDataFormat,
	"tensorflow.config.optimizer.set_jit": changes("enabled", func(_ *value.Interp, set *settings, on value.Value) {
		set.clusters = on.X != false && on.X != "" // an unknown value may switch it on
	}),
	"tensorflow.config.run_functions_eagerly": setEager, "tensorflow.config.experimental_run_functions_eagerly": setEager,
	"tensorflow.config.experimental.enable_op_determinism": changes("", func(_ *value.Interp, set *settings, _ value.Value) { set.deterministic = true }),
}

func dataFormat(c *hostCall) value.Value { return value.Value{X: c.h.format} }
func floatx(c *hostCall) value.Value     { return value.Value{X: c.h.floatx} }

func runsEagerly(c *hostCall) value.Value {
	if c.h.undecided != nil {
		return c.h.undecided.Unknown()
	}
	return value.Value{X: c.h.eager}
}

// changes returns the owner of a function that changes settings as its argument says.
func changes(keyword string, change func(in *value.Interp, set *settings, given value.Value)) owner {
	return func(c *hostCall) value.Value {
		given, _ := c.args.Get(0, keyword)
		set := c.h.settings
		change(c.in, &set, given)
		c.in.Touch(programSettings{c.h})
		c.h.settings = set
		return value.Value{X: value.None{}}
	}
}

var (
	setPolicy = changes("policy", func(_ *value.Interp, set *settings, given value.Value) {
		set.take(&set.policy, "the dtype policy", given)
	})
	setFloatx     = changes("value", func(_ *value.Interp, set *settings, given value.Value) { set.take(&set.floatx, "floatx", given) })
	setDataFormat = changes("data_format", func(_ *value.Interp, set *settings, given value.Value) {
		set.take(&set.format, "the image data format", given)
	})
	setEager = changes("run_eagerly", func(in *value.Interp, set *settings, given value.Value) {
		set.eager, set.undecided = decided(in, given, eagerly)
	})
)

// take sets one setting to the given name, if that is known.
func (s *settings) take(one *string, what string, given value.Value) {
	if name, ok := policyName(given); ok {
		*one = name
	} else {
		s.unsure = value.Because(value.UnmodelledUse, "%s is not known: %s", what, objects.Because(given))
	}
}

// eagerly is the subject of [decided] for switches that make steps run operation by operation.
const eagerly = "whether functions run eagerly"

// decided returns what a switch is set to, or why that is not known.
func decided(in *value.Interp, to value.Value, what string) (on bool, why *value.Cause) {
	if on, known := in.Truth(to); known {
		return on, nil
	}
	return false, value.Because(value.UnmodelledUse, "%s is not known: %s", what, objects.Because(to))
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
