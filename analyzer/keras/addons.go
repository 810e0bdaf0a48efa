package keras

import "github.com/tfmem/tfmem/analyzer/value"

// addon returns a layer of TensorFlow Addons that Keras took over, or that is a layer of Keras
// with certain arguments (tensorflow_addons/layers/normalizations.py). ok is false for all
// others.
func (h *host) addon(in *value.Interp, name string, args *value.Args) (layer value.Value, ok bool) {
	switch name {
	case "tensorflow_addons.layers.GroupNormalization":
		return h.layer(in, "GroupNormalization", args), true
	case "tensorflow_addons.layers.InstanceNormalization": // takes keywords only; a group is a channel
		if len(args.Positional) > 0 {
			return value.Value{}, false
		}
		all := *args
		all.Keywords = value.Named("groups", value.Value{X: int64(-1)})
		for keyword, v := range args.Keywords.All() {
			if keyword != "groups" {
				all.Keywords.Put(keyword, v)
			}
		}
		if _, named := args.Keywords.Get("name"); !named {
			all.Keywords.Put("name", value.Value{X: h.uniqueName(in, "InstanceNormalization")})
		}
		return h.layer(in, "GroupNormalization", &all), true
	}
	return value.Value{}, false
}
