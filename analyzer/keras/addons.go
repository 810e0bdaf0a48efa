package keras

import "github.com/tfmem/tfmem/analyzer/value"

// addonTable are layers of TensorFlow Addons that Keras took over, or that are layers of Keras with
// certain arguments (tensorflow_addons/layers/normalizations.py).
var addonTable = table{
	"tensorflow_addons.layers.GroupNormalization":    func(c *hostCall) value.Value { return c.h.layer(c.in, "GroupNormalization", c.args) },
	"tensorflow_addons.layers.InstanceNormalization": (*hostCall).instanceNormalization,
}

// instanceNormalization is a group normalization where a group is a channel. It takes keywords
// only.
func (c *hostCall) instanceNormalization() value.Value {
	if len(c.args.Positional) > 0 {
		return value.Value{}
	}
	all := *c.args
	all.Keywords = value.Named("groups", value.Value{X: int64(-1)})
	for keyword, v := range c.args.Keywords.All() {
		if keyword != "groups" {
			all.Keywords.Put(keyword, v)
		}
	}
	if _, named := c.args.Keywords.Get("name"); !named {
		all.Keywords.Put("name", value.Value{X: c.h.uniqueName(c.in, "InstanceNormalization")})
	}
	return c.h.layer(c.in, "GroupNormalization", &all)
}
