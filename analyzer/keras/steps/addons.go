package steps

import (
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An addon is an optimizer of TensorFlow Addons (tensorflow_addons/optimizers/*.py).
type addon struct {
	like   string         // the optimizer of Keras with the same slots (_create_slots) and kernel
	decays bool           // it shrinks each weight before (DecoupledWeightDecayExtension)
	at     map[string]int // the positions of arguments that decide the slots
}

// addons are those for whose updates TensorFlow has a kernel.
var addons = map[string]addon{
	"AdamW":           {"Adam", true, map[string]int{"amsgrad": 5}},
	"LazyAdam":        {"Adam", false, map[string]int{"amsgrad": 4}},
	"ProximalAdagrad": {"Adagrad", false, nil},
	"SGDW":            {"SGD", true, map[string]int{"momentum": 2}},
}

// addonOptimizer creates an optimizer of TensorFlow Addons. All are like those of Keras 2 before
// 2.11 (tensorflow_addons/optimizers/__init__.py, KerasLegacyOptimizer).
func addonOptimizer(c *state.Call) value.Value {
	class := c.Below("tensorflow_addons.optimizers")
	if class == "" || class[0] < 'A' || class[0] > 'Z' {
		return value.Value{}
	}
	row, ok := addons[class]
	if !ok {
		return optimizer(c, class, 0)
	}
	args := &value.Args{Open: c.Args.Open}
	for keyword, v := range c.Args.Keywords.All() {
		args.Keywords.Put(keyword, v)
	}
	for keyword, at := range row.at {
		if v, given := c.Args.Get(at, keyword); given {
			args.Keywords.Put(keyword, v)
		}
	}
	o := newOptimizer(row.like, args, 0)
	o.Class, o.Node, o.Decays = class, c.Args.Node, row.decays
	o.Unknown.On(c.Args.Node)
	return NewOptimizerValue(c.H, o)
}
