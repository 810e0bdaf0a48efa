package keras

import (
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// addonTable are layers of TensorFlow Addons that Keras took over, or that are layers of Keras with
// certain arguments (tensorflow_addons/layers/normalizations.py).
var addonTable = state.Table{
	"tensorflow_addons.layers.GroupNormalization":    func(c *state.Call) value.Value { return models.Layer(c.H, c.In, "GroupNormalization", c.Args) },
	"tensorflow_addons.layers.InstanceNormalization": instanceNormalization,
}

// instanceNormalization is a group normalization where a group is a channel. It takes keywords
// only.
func instanceNormalization(c *state.Call) value.Value {
	if len(c.Args.Positional) > 0 {
		return value.Value{}
	}
	all := *c.Args
	all.Keywords = value.Named("groups", value.Value{X: int64(-1)})
	for keyword, v := range c.Args.Keywords.All() {
		if keyword != "groups" {
			all.Keywords.Put(keyword, v)
		}
	}
	if _, named := c.Args.Keywords.Get("name"); !named {
		all.Keywords.Put("name", value.Value{X: c.H.UniqueName(c.In, "InstanceNormalization")})
	}
	return models.Layer(c.H, c.In, "GroupNormalization", &all)
}
