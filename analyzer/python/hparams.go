package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// addHParams adds the hyperparameters of TensorBoard and their domains
// (tensorboard/plugins/hparams/summary_v2.py).
func addHParams(lenient value.Adder) {
	const api = "tensorboard.plugins.hparams.api."
	lenient(withAttributes(api+"HParam", "name", "domain", "display_name", "description"), api+"HParam")
	lenient(withAttributes(api+"IntInterval", "min_value", "max_value"), api+"IntInterval")
	lenient(withAttributes(api+"RealInterval", "min_value", "max_value"), api+"RealInterval")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		values, _ := args.Get(0, "values")
		attrs := &value.Dict{}
		attrs.Put(value.Value{X: "values"}, sorted(in, &value.Args{Positional: []value.Value{values}, Node: args.Node}))
		return interp.PlainInstance(in, api+"Discrete", attrs)
	}, api+"Discrete")
}

// withAttributes returns a class whose objects have their arguments as attributes, or None.
func withAttributes(class string, names ...string) func(*value.Interp, *value.Args) value.Value {
	return func(in *value.Interp, args *value.Args) value.Value {
		attrs := &value.Dict{}
		for i, name := range names {
			v, ok := args.Get(i, name)
			if !ok {
				v = value.NoneValue
			}
			attrs.Put(value.Value{X: name}, v)
		}
		return interp.PlainInstance(in, class, attrs)
	}
}
