package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Optimizer is an instance of one of Keras's optimizers.
type Optimizer struct {
	Class string      // "Adam"
	Node  syntax.Node // the call that creates it; none if compile creates it from a name
	// Slots is how many variables of the weight's size the optimizer keeps for each trained
	// weight. Other variables are counted in SlotBytes only.
	Slots float64
	// Momentum and Centered say which slots an RMSprop has. Momentum says whether an SGD has its
	// one.
	Momentum, Centered bool
	// Averages is set if one slot is the moving average of the weight.
	Averages bool
	// Decays is set if weight decay shrinks each weight as soon as it was read, before its
	// gradient's step is over.
	Decays bool
	// Branches is set if the update is in a branch that runs only if all gradients are finite
	// (loss scaling). Nothing of it runs before they are there. A branch that runs every so many
	// steps, for summed gradients, starts with the step.
	Branches bool
	// Barrier is set if all gradients must be there before the first is applied: clipping by the
	// global norm, loss scaling.
	Barrier bool
	// Squares is set if the global norm is computed from the squares of all gradients, each of
	// the gradient's full size (keras/src/optimizers/base_optimizer.py, global_norm).
	Squares bool
	Keras   int // the major version of Keras that it belongs to; 0 before 2.11
	// Fused is set if each update is one kernel without temporary tensors. Either XLA compiles
	// it, as Keras 2 does if there is a GPU (tf_keras/src/optimizers/optimizer.py,
	// _update_step_xla), or TensorFlow has a kernel for it, as for the optimizers before 2.11.
	Fused   bool
	Unknown *value.Cause // why its memory is not known; nil otherwise

	extra func(w *Weight) int64 // elements kept for a weight beyond Slots
}

// SlotBytes returns what the optimizer keeps for a weight.
func (o *Optimizer) SlotBytes(w *Weight) int64 {
	n := int64(o.Slots * float64(w.Bytes()))
	if o.extra != nil {
		n += round256(o.extra(w) * w.DType.Size())
	}
	return n
}

// Accumulating returns the optimizer with gradient_accumulation_steps: it also keeps the sum of
// the gradients, and applies none before all are there.
func (o *Optimizer) Accumulating() *Optimizer {
	a := *o
	a.Slots++
	a.Barrier = true
	return &a
}

// slots are the variables per weight of Keras's optimizers (keras/src/optimizers/*.py, build).
var slots = map[string]float64{
	"SGD": 0, "Adam": 2, "AdamW": 2, "Adamax": 2, "Nadam": 2, "RMSprop": 1, "Adagrad": 1, "Adadelta": 2,
	"Ftrl": 2, "Lion": 1, "Lamb": 2, "Adafactor": 1, "Muon": 1, "ScheduleFreeAdamW": 2,
}

// extras are what an optimizer keeps beyond that.
var extras = map[string]func(w *Weight) int64{
	// A row and a column for the last two dimensions of a weight, besides the velocity of its
	// size (keras/src/optimizers/adafactor.py).
	"Adafactor": func(w *Weight) int64 {
		n := len(w.Shape)
		if n < 2 || w.Shape[n-1] == 0 || w.Shape[n-2] == 0 {
			return 0
		}
		return w.Elements()/w.Shape[n-1] + w.Elements()/w.Shape[n-2]
	},
}

// adam returns the second slot if Muon treats a weight as AdamW does: weights that are not
// matrices, and embeddings (keras/src/optimizers/muon.py, _should_use_adamw).
func adam(embeddings bool) func(w *Weight) int64 {
	return func(w *Weight) int64 {
		if len(w.Shape) != 2 || embeddings && strings.Contains(strings.ToLower(w.Name), "embedding") {
			return w.Elements()
		}
		return 0
	}
}

// positions are the positions of arguments that decide the slots.
var positions = map[string]map[string]int{
	"SGD":     {"momentum": 1},
	"RMSprop": {"momentum": 2, "centered": 4},
	"Adam":    {"amsgrad": 4},
	"AdamW":   {"amsgrad": 5},
}

// newOptimizer creates an optimizer of a class with arguments, as in Keras 2 or 3. The arguments
// that decide its memory must be known.
func newOptimizer(class string, args *value.Args, major int) *Optimizer {
	o := &Optimizer{Class: class, Keras: major, Fused: major < 3}
	if compiled, ok := args.Keywords.Get("jit_compile"); ok && compiled.X == false && major == 2 {
		o.Fused = false
	}
	n, ok := slots[class]
	if !ok {
		o.Unknown = value.Because(value.UnmodelledTraining, "the memory of the optimizer %s is not known", class)
		return o
	}
	o.Slots, o.extra = n, extras[class]
	set := func(keyword string, fallback bool) bool {
		at, ok := positions[class][keyword]
		if !ok {
			at = -1
		}
		v, ok := args.Get(at, keyword)
		if !ok {
			return fallback
		}
		switch x := v.X.(type) {
		case value.None:
			return false
		case bool:
			return x
		case int64:
			return x != 0
		case float64:
			return x != 0
		}
		if why := v.Cause(); why != nil && o.Unknown == nil {
			o.Unknown = value.Because(value.UnmodelledTraining, "the optimizer's %s is not known: %s", keyword, why)
		}
		return true
	}
	plus := func(on bool) bool {
		if on {
			o.Slots++
		}
		return on
	}
	switch class {
	case "SGD":
		// Keras 2 always keeps a momentum (keras/optimizers/sgd.py, build).
		o.Momentum = plus(set("momentum", false) || major == 2)
	case "RMSprop":
		o.Momentum, o.Centered = plus(set("momentum", false)), plus(set("centered", false))
	case "Adam", "AdamW":
		plus(set("amsgrad", false))
	case "Muon":
		if set("exclude_layers", false) {
			o.Unknown = value.Because(value.UnmodelledArgument, "which layers exclude_layers= of Muon names is not followed")
		}
		o.extra = adam(set("exclude_embeddings", true))
	}
	o.Averages = plus(set("use_ema", false))
	accumulates := plus(set("gradient_accumulation_steps", false))
	clips := set("global_clipnorm", false)
	o.Barrier, o.Squares = clips || accumulates, clips && o.Keras == 3
	at := -1
	if class == "AdamW" {
		at = 1
	}
	if v, ok := args.Get(at, "weight_decay"); ok {
		_, none := v.X.(value.None)
		o.Decays = !none // even if it is 0
	} else {
		o.Decays = class == "AdamW"
	}
	return o
}

// optimizerNamed returns the optimizer that compile creates from a name.
func optimizerNamed(name string, major int) *Optimizer {
	for class := range slots {
		if strings.EqualFold(class, name) {
			return newOptimizer(class, &value.Args{}, major)
		}
	}
	return &Optimizer{Class: name, Unknown: value.Because(value.UnmodelledTraining, "the optimizer %s is not known", name)}
}

// identified returns the optimizer that a value stands for: the optimizer itself, its name, or
// its class and arguments (keras/src/optimizers/__init__.py, get).
func (h *host) identified(v value.Value, major int) (*Optimizer, bool) {
	switch x := v.X.(type) {
	case *optimizerValue:
		return x.optimizer, true
	case string:
		return optimizerNamed(x, major), true
	case *value.Dict:
		class, _ := x.Get("class_name")
		config, _ := x.Get("config")
		name, ok := class.X.(string)
		given, ok2 := config.X.(*value.Dict)
		if !ok || !ok2 {
			return nil, false
		}
		args := &value.Args{}
		for i, key := range given.Keys {
			if keyword, ok := key.X.(string); ok {
				args.Keywords.Put(keyword, given.Values[i])
			}
		}
		o := optimizerNamed(name, major)
		if o.Unknown == nil {
			o = newOptimizer(o.Class, args, major)
		}
		return o, true
	}
	return nil, false
}

// optimizerTable are the optimizers, also those of Keras 2 before 2.11, which have only the slots
// that they use, and learning-rate schedules, which take no memory.
var optimizerTable = table{
	"tensorflow.keras.optimizers.*":                                    newestOptimizer,
	"tensorflow.keras.optimizers.experimental.*":                       newestOptimizer,
	"tensorflow.keras.optimizers.legacy.*":                             func(c *hostCall) value.Value { return c.optimizer(c.below("tensorflow.keras.optimizers.legacy"), 0) },
	"tensorflow.keras.optimizers.schedules.*":                          constant(opaque{"a learning rate schedule"}),
	"tensorflow.keras.optimizers.get":                                  (*hostCall).optimizerOf,
	"tensorflow.keras.optimizers.experimental.get":                     (*hostCall).optimizerOf,
	"tensorflow.keras.optimizers.legacy.get":                           (*hostCall).optimizerOf,
	"tensorflow.keras.optimizers.LossScaleOptimizer":                   (*hostCall).scaledOptimizer,
	"tensorflow.keras.mixed_precision.LossScaleOptimizer":              (*hostCall).scaledOptimizer,
	"tensorflow.keras.mixed_precision.experimental.LossScaleOptimizer": (*hostCall).scaledOptimizer,
}

// newestOptimizer creates an optimizer of the Keras of the running code.
func newestOptimizer(c *hostCall) value.Value {
	return c.optimizer(strings.TrimPrefix(c.below("tensorflow.keras.optimizers"), "experimental."), c.h.keras())
}

func (c *hostCall) optimizer(class string, major int) value.Value {
	if strings.Contains(class, ".") || class == "" || class[0] < 'A' || class[0] > 'Z' {
		return value.Value{}
	}
	o := newOptimizer(class, c.args, major)
	o.Node = c.args.Node
	o.Unknown.On(c.args.Node)
	return c.h.newOptimizerValue(o)
}

// optimizerOf is keras.optimizers.get.
func (c *hostCall) optimizerOf() value.Value {
	v, _ := c.args.Get(0, "identifier")
	if _, ok := v.X.(*optimizerValue); ok {
		return v
	}
	if o, ok := c.h.identified(v, c.h.keras()); ok {
		return c.h.newOptimizerValue(o)
	}
	return value.Value{}
}

// scaledOptimizer is a LossScaleOptimizer.
func (c *hostCall) scaledOptimizer() value.Value {
	v, _ := c.args.Get(0, "inner_optimizer")
	inner, ok := v.X.(*optimizerValue)
	if !ok {
		return c.optimizer("LossScaleOptimizer", c.h.keras())
	}
	scaled := *inner.optimizer
	scaled.Barrier, scaled.Branches = true, true
	return c.h.newOptimizerValue(&scaled)
}
