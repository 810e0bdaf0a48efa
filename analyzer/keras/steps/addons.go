package steps

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
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

// composedAddons are the others: the slots of each, how many tensors of a weight's size wait for its
// gradient, as recorded (testdata/estimate/libraries/cases/addons_composed.py), and which argument
// adds a slot or, given as zero, takes one away.
var composedAddons = map[string]struct {
	slots     float64
	waiting   int
	more, not string
	at        int
}{
	"AdaBelief":           {2, 2, "amsgrad", "", 5},
	"COCOB":               {5, 4, "", "", 0},
	"ConditionalGradient": {1, 1, "", "", 0},
	"LAMB":                {2, 4, "", "", 0},
	"NovoGrad":            {1, 0, "amsgrad", "", 6},
	"RectifiedAdam":       {2, 2, "amsgrad", "", 5},
	"Yogi":                {2, 2, "", "beta1", 1},
}

// addonOptimizer creates an optimizer of TensorFlow Addons. All are like those of Keras 2 before
// 2.11 (tensorflow_addons/optimizers/__init__.py, KerasLegacyOptimizer).
func addonOptimizer(c *state.Call) value.Value {
	class := c.Below("tensorflow_addons.optimizers")
	if class == "" || class[0] < 'A' || class[0] > 'Z' {
		return value.Value{}
	}
	if class == "Lookahead" || class == "MovingAverage" || class == "SWA" {
		return averagedAddon(c, class)
	}
	args := &value.Args{Open: c.Args.Open, Node: c.Args.Node}
	for keyword, v := range c.Args.Keywords.All() {
		args.Keywords.Put(keyword, v)
	}
	o := &graph.Optimizer{}
	if row, ok := composedAddons[class]; ok {
		o = newOptimizer("SGD", args, 0) // for what all optimizers take
		o.Slots, o.Momentum, o.Nesterov, o.Decays = row.slots, false, false, false
		o.Composed, o.Fused, o.Waiting, o.Loose = true, false, row.waiting, true
		v, given := c.Args.Get(row.at, row.more+row.not)
		switch zero := v.X == false || v.X == 0.0 || v.X == int64(0); {
		case row.more+row.not == "" || !given:
		case !v.Known():
			o.Unknown = value.Because(value.UnmodelledTraining, "the optimizer's %s is not known: %s", row.more+row.not, objects.Because(v))
		case !zero && row.more != "":
			o.Slots++
		case zero && row.not != "":
			o.Slots--
		}
	} else if row, ok := addons[class]; ok {
		for keyword, at := range row.at {
			if v, given := c.Args.Get(at, keyword); given {
				args.Keywords.Put(keyword, v)
			}
		}
		o = newOptimizer(row.like, args, 0)
		o.Decays = row.decays
	} else {
		return optimizer(c, class, 0)
	}
	o.Class, o.Node = class, c.Args.Node
	o.Unknown.On(c.Args.Node)
	return NewOptimizerValue(c.H, o)
}

// averagedAddon creates one that keeps a second copy of each weight beside another optimizer, which
// may be a name (average_wrapper.py). Lookahead computes the copy of operations (lookahead.py,
// _look_ahead_op).
func averagedAddon(c *state.Call, class string) value.Value {
	v, _ := c.Args.Get(0, "optimizer")
	inner, ok := Identified(c.H, v, 0)
	if !ok {
		return optimizer(c, class, 0)
	}
	o := *inner
	o.Class, o.Node = class, c.Args.Node
	o.Slots++
	if class == "Lookahead" {
		o.Composed, o.Fused, o.Loose = true, false, true
	}
	return NewOptimizerValue(c.H, &o)
}
