package state

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Settings are what a program sets for all code that follows.
type Settings struct {
	Types  [effects.Packages]Types // by the package of Keras
	Format string                  // image_data_format
	Single bool                    // what the program sets to float64, or makes with it, is float32
	// Clusters is set if XLA compiles parts of graphs without being asked.
	Clusters      bool
	Eager         bool         // nothing that tf.function creates is compiled
	Undecided     *value.Cause // why that is not known
	Deterministic bool
	Unsure        *value.Cause // why the settings are not known
}

// Types are the types that a package of Keras gives layers which name none.
type Types struct {
	Policy string // the dtype policy; empty if floatx decides
	Floatx string
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
	"tensorflow.keras.backend.clear_session": clearSession, "tensorflow.keras.utils.clear_session": clearSession,
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

func floatx(c *Call) value.Value { return value.Value{X: c.H.Floatx(c.Args.Node)} }

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
		c.H.become(set)
		return value.Value{X: value.None{}}
	}
}

// become changes the settings.
func (h *Host) become(set Settings) {
	h.Interp.Touch(programSettings{h})
	h.Settings = set
}

// changesTypes is changes for the types of one package of Keras.
func changesTypes(keyword, what string, one func(*Types) *string) Owner {
	return func(c *Call) value.Value {
		given, _ := c.Args.Get(0, keyword)
		set := c.H.Settings
		if p := c.H.packageOf(c.Args.Node); p == effects.UnknownPackage {
			set.Unsure = value.Because(value.UnmodelledUse, "which package of Keras %s is set for is not known", what)
		} else {
			set.take(one(&set.Types[p]), what, given)
		}
		c.H.become(set)
		return value.Value{X: value.None{}}
	}
}

// clearSession is keras.backend.clear_session(): in Keras 3 the dtype policy is part of the state that
// it drops (keras/src/backend/common/global_state.py; testdata/packages).
func clearSession(c *Call) value.Value {
	set := c.H.Settings
	if p := c.H.packageOf(c.Args.Node); p == effects.Standalone || p == effects.TheKeras && c.H.Keras() == 3 {
		set.Types[p].Policy = ""
	}
	c.H.become(set)
	return value.Value{X: value.None{}}
}

var (
	setPolicy     = changesTypes("policy", "the dtype policy", func(t *Types) *string { return &t.Policy })
	setFloatx     = changesTypes("value", "floatx", func(t *Types) *string { return &t.Floatx })
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
//
// made is the call, or the class of the program, that makes the layer: each package of Keras has a
// policy of its own. Where they differ, and the package is not known, no model is certain.
func (h *Host) DTypePolicy(made syntax.Node) string {
	return h.ofPackage(made, func(t Types) string {
		if t.Policy == "" {
			return t.Floatx
		}
		return t.Policy
	})
}

// Floatx returns the floating-point type of the package that a call names.
func (h *Host) Floatx(made syntax.Node) string {
	return h.ofPackage(made, func(t Types) string { return t.Floatx })
}

// ofPackage returns one of the types of the package of Keras that a call or a class names.
func (h *Host) ofPackage(made syntax.Node, of func(Types) string) string {
	first := of(h.Types[0])
	if !slices.ContainsFunc(h.Types[1:], func(t Types) bool { return of(t) != first }) {
		return first
	}
	p := h.packageOf(made)
	if p == effects.UnknownPackage {
		set := h.Settings
		set.Unsure = value.Because(value.UnmodelledUse, "which package of Keras, and so which dtype policy, a layer has is not known").On(made)
		h.become(set)
		return first
	}
	return of(h.Types[p])
}

// packageOf returns the package of Keras that a call or a class names, by the imports of its module.
func (h *Host) packageOf(made syntax.Node) effects.Package {
	info := h.Interp.Info()
	written := ""
	switch made.Kind() {
	case syntax.Call:
		written = info.Written(made.Child(syntax.FieldFunction))
	case syntax.ClassDefinition:
		written = info.WrittenBase(made)
	}
	of := h.Env.Package
	if of == nil {
		of = effects.Library{}.PackageOf
	}
	if p := of(written); p != effects.UnknownPackage {
		return p
	}
	// A name that the program computes is one of those that the module imports.
	found := effects.TheKeras
	for _, module := range info.Imports() {
		for _, other := range []string{"keras", "tf_keras", "tensorflow.python.keras"} {
			if module == other || strings.HasPrefix(module, other+".") {
				found = of(other)
			}
		}
	}
	if found != effects.TheKeras {
		return effects.UnknownPackage
	}
	return found
}
