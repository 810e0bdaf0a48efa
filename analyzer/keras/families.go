package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// familyTable are families of which any member is known by its name, or only as one of its family.
var familyTable = table{
	"tensorflow.keras.losses.*": func(c *hostCall) value.Value { return c.h.lossNamed(c.below("tensorflow.keras.losses"), c.args) },
	"tensorflow.losses.*":       func(c *hostCall) value.Value { return c.h.lossNamed(c.below("tensorflow.losses"), c.args) },
	"tensorflow.keras.metrics.*": func(c *hostCall) value.Value {
		return value.Value{X: &metric{opaque{"one of keras.metrics"}, c.below("tensorflow.keras.metrics")}}
	},
	"tensorflow.keras.regularizers.*": func(c *hostCall) value.Value {
		return value.Value{X: regularizerOf(c.below("tensorflow.keras.regularizers"), c.args)}
	},
	"tensorflow.keras.callbacks.*": func(*hostCall) value.Value {
		return value.Value{X: &callback{opaque: opaque{"one of keras.callbacks"}}}
	},
	"tensorflow.keras.callbacks.ModelCheckpoint": func(c *hostCall) value.Value {
		checkpoint := &callback{opaque: opaque{"one of keras.callbacks"}}
		if c.h.keras() == 3 {
			checkpoint.refused = checkpoint3(c.args)
		}
		return value.Value{X: checkpoint}
	},
	"tensorflow.keras.constraints.*":  constant(opaque{"one of keras.constraints"}),
	"tensorflow.keras.initializers.*": newInitializer,
}

func newInitializer(c *hostCall) value.Value {
	return value.Value{X: &initializer{opaque{"an initializer"}, c.h}}
}

// initializerTable are the initializers outside of Keras.
var initializerTable = func() table {
	out := table{}
	for _, module := range []string{"tensorflow", "tensorflow.compat.v1", "tensorflow.contrib.layers"} {
		for name := range strings.FieldsSeq("constant ones zeros random_normal random_uniform truncated_normal variance_scaling uniform_unit_scaling orthogonal glorot_normal glorot_uniform xavier") {
			out[module+"."+name+"_initializer"] = newInitializer
		}
	}
	return out
}()
