package state

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Settings are what a program sets for all code that follows.
type Settings struct {
	Policy string // the dtype policy; empty if floatx decides
	Floatx string
	Format string // image_data_format
	Single bool   // what the program sets to float64, or makes with it, is float32
	// Clusters is set if XLA compiles parts of graphs without being asked.
	Clusters      bool
	Eager         bool         // nothing that tf.function creates is compiled
	Undecided     *value.Cause // why that is not known
	Deterministic bool
	Unsure        *value.Cause // why the settings are not known
}

// A programSettings is the state of the settings.
type programSettings struct{ of *Host }

func (s programSettings) Content() any { return s.of.Settings }

func (s programSettings) Restore(x any) { s.of.Settings = x.(Settings) }

func (programSettings) Either(a, b any, why *value.Cause) any {
	x, y := a.(Settings), b.(Settings)
	// Steps compiled in clusters are priced like uncompiled ones, with a wider range.
	x.Clusters = x.Clusters || y.Clusters
	y.Clusters = x.Clusters
	if x.Undecided.Same(y.Undecided) {
		x.Undecided = y.Undecided
	}
	if x != y && y.Unsure == nil {
		y.Unsure = value.Because(value.UnmodelledUse, "a global setting of Keras is not known: %s", why)
	}
	return y
}

func (programSettings) Born() int { return 0 }

// SettingTable are the functions that change and return settings.
var SettingTable = Table{
	"tensorflow.keras.backend.image_data_format": dataFormat, "tensorflow.keras.config.image_data_format": dataFormat,
	"tensorflow.keras.backend.floatx": floatx, "tensorflow.keras.config.floatx": floatx,
	"tensorflow.config.functions_run_eagerly": runsEagerly, "tensorflow.config.experimental_functions_run_eagerly": runsEagerly,

	"tensorflow.keras.mixed_precision.set_global_policy": setPolicy, "tensorflow.keras.config.set_dtype_policy": setPolicy, "tensorflow.keras.mixed_precision.experimental.set_policy": setPolicy,
	"tensorflow.keras.backend.set_floatx": setFloatx, "tensorflow.keras.config.set_floatx": setFloatx,
	"tensorflow.keras.backend.set_image_data_format": setDataFormat, "tensorflow.keras.config.set_image_data_format": setDataFormat,
	"tensorflow.config.optimizer.set_jit": changes("enabled", func(_ *value.Interp, set *Settings, on value.Value) {
		set.Clusters = on.X != false && on.X != "" // an unknown value may switch it on
	}),
	"tensorflow.config.run_functions_eagerly": setEager, "tensorflow.config.experimental_run_functions_eagerly": setEager,
	"tensorflow.config.experimental.enable_op_determinism": changes("", func(_ *value.Interp, set *Settings, _ value.Value) { set.Deterministic = true }),
}

func dataFormat(c *Call) value.Value { return value.Value{X: c.H.Format} }

func floatx(c *Call) value.Value { return value.Value{X: c.H.Floatx} }

func runsEagerly(c *Call) value.Value {
	if c.H.Undecided != nil {
		return c.H.Undecided.Unknown()
	}
	return value.Value{X: c.H.Eager}
}

// changes returns the owner of a function that changes settings as its argument says.
func changes(keyword string, change func(in *value.Interp, set *Settings, given value.Value)) Owner {
	return func(c *Call) value.Value {
		given, _ := c.Args.Get(0, keyword)
		set := c.H.Settings
		change(c.In, &set, given)
		c.In.Touch(programSettings{c.H})
		c.H.Settings = set
		return value.Value{X: value.None{}}
	}
}

var (
	setPolicy = changes("policy", func(_ *value.Interp, set *Settings, given value.Value) {
		set.take(&set.Policy, "the dtype policy", given)
	})
	setFloatx     = changes("value", func(_ *value.Interp, set *Settings, given value.Value) { set.take(&set.Floatx, "floatx", given) })
	setDataFormat = changes("data_format", func(_ *value.Interp, set *Settings, given value.Value) {
		set.take(&set.Format, "the image data format", given)
	})
	setEager = changes("run_eagerly", func(in *value.Interp, set *Settings, given value.Value) {
		set.Eager, set.Undecided = Decided(in, given, Eagerly)
	})
)

// Instead returns the policy that is used where the program names one.
func (s *Settings) Instead(name string) string {
	if s.Single && name == "float64" {
		return "float32"
	}
	return name
}

// take sets one setting to the given name, if that is known.
func (s *Settings) take(one *string, what string, given value.Value) {
	if name, ok := PolicyName(given); ok {
		*one = s.Instead(name)
	} else {
		s.Unsure = value.Because(value.UnmodelledUse, "%s is not known: %s", what, objects.Because(given))
	}
}

// Eagerly is the subject of [Decided] for switches that make steps run operation by operation.
const Eagerly = "whether functions run eagerly"

// Decided returns what a switch is set to, or why that is not known.
func Decided(in *value.Interp, to value.Value, what string) (on bool, why *value.Cause) {
	if on, known := interp.Truth(in, to); known {
		return on, nil
	}
	return false, value.Because(value.UnmodelledUse, "%s is not known: %s", what, objects.Because(to))
}

// DTypePolicy returns the policy of layers without one of their own: that of floatx if no policy
// is set (keras/src/dtype_policies/dtype_policy.py, dtype_policy).
func (h *Host) DTypePolicy() string {
	if h.Policy == "" {
		return h.Floatx
	}
	return h.Policy
}
