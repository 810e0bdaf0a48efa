package steps

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// slots are the variables per weight of Keras's optimizers (keras/src/optimizers/*.py, build).
var slots = map[string]float64{
	"SGD": 0, "Adam": 2, "AdamW": 2, "Adamax": 2, "Nadam": 2, "RMSprop": 1, "Adagrad": 1, "Adadelta": 2,
	"Ftrl": 2, "Lion": 1, "Lamb": 2, "Adafactor": 1, "Muon": 1, "ScheduleFreeAdamW": 2,
}

// extras are what an optimizer keeps beyond that.
var extras = map[string]func(w *graph.Weight) int64{
	// A row and a column for the last two dimensions of a weight, besides the velocity of its
	// size (keras/src/optimizers/adafactor.py).
	"Adafactor": func(w *graph.Weight) int64 {
		n := len(w.Shape)
		if n < 2 || w.Shape[n-1] == 0 || w.Shape[n-2] == 0 {
			return 0
		}
		return w.Elements()/w.Shape[n-1] + w.Elements()/w.Shape[n-2]
	},
}

// adam returns the second slot if Muon treats a weight as AdamW does: weights that are not
// matrices, and embeddings (keras/src/optimizers/muon.py, _should_use_adamw).
func adam(embeddings bool) func(w *graph.Weight) int64 {
	return func(w *graph.Weight) int64 {
		if len(w.Shape) != 2 || embeddings && strings.Contains(strings.ToLower(w.Name), "embedding") {
			return w.Elements()
		}
		return 0
	}
}

// positions are the positions of arguments that decide the slots.
var positions = map[string]map[string]int{
	"SGD":     {"momentum": 1, "nesterov": 2},
	"RMSprop": {"momentum": 2, "centered": 4},
	"Adam":    {"amsgrad": 4},
	"AdamW":   {"amsgrad": 5},
}

// waiting is how many tensors of a weight's size wait for its gradient where Keras before 2.4 makes an
// update of operations, such as beta_1 × m and beta_2 × v (keras/optimizers.py of Keras 2.3, get_updates).
// Where the source leaves it open, for Adadelta and Adagrad, the number is the recorded one
// (testdata/estimate/composed).
var waiting = map[string]int{"SGD": 1, "RMSprop": 1, "Adagrad": 1, "Adadelta": 2, "Adam": 2, "Adamax": 2, "Nadam": 2}

// Composed returns an optimizer as Keras before 2.4 has it. Its SGD keeps a moment, also without momentum.
func Composed(o *graph.Optimizer) *graph.Optimizer {
	composed := *o
	composed.Composed, composed.Fused, composed.Waiting = true, false, waiting[o.Class]
	if o.Class == "SGD" {
		composed.Momentum, composed.Slots = true, 1
	}
	return &composed
}

// mostIterations bounds the iterations of Muon that are followed, for each weight.
const mostIterations = 100

// newOptimizer creates an optimizer of a class with arguments, as in Keras 2 or 3. The arguments
// that decide its memory must be known.
func newOptimizer(class string, args *value.Args, major int) *graph.Optimizer {
	o := &graph.Optimizer{Class: class, Keras: major, Fused: major < 3}
	if compiled, ok := args.Keywords.Get("jit_compile"); ok && compiled.X == false && major == 2 {
		o.Fused = false
	}
	n, ok := slots[class]
	if !ok {
		o.Unknown = value.Because(value.UnmodelledTraining, "the memory of the optimizer %s is not known", class)
		return o
	}
	o.Slots, o.Extra = n, extras[class]
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
		o.Nesterov = set("nesterov", false)
	case "RMSprop":
		o.Momentum, o.Centered = plus(set("momentum", false)), plus(set("centered", false))
	case "Adam", "AdamW":
		plus(set("amsgrad", false))
	case "Muon":
		if set("exclude_layers", false) {
			o.Unknown = value.Because(value.UnmodelledArgument, "which layers exclude_layers= of Muon names is not followed")
		}
		o.Extra = adam(set("exclude_embeddings", true))
		o.Nesterov, o.Iterations = set("nesterov", true), 5
		if given, ok := args.Get(-1, "ns_steps"); ok {
			n, known := given.Int()
			if o.Iterations = n; !known || n < 0 || n > mostIterations {
				o.Unknown = value.Because(value.UnmodelledArgument, "the ns_steps of Muon are not known")
			}
		}
	}
	o.OneRate = oneRate(args)
	o.Averages = plus(set("use_ema", false))
	o.ClipsEach = set("clipnorm", false)
	o.Accumulates = plus(set("gradient_accumulation_steps", false))
	o.Barrier = set("global_clipnorm", false)
	o.Squares = o.Barrier && o.Keras == 3
	at := -1
	if class == "AdamW" {
		at = 1
	}
	if v, ok := args.Get(at, "weight_decay"); ok {
		_, none := v.X.(value.None)
		o.Decays = !none // even if it is 0
	} else {
		o.Decays = class == "AdamW" || class == "Muon"
	}
	return o
}

// OptimizerNamed returns the optimizer that compile creates from a name.
func OptimizerNamed(name string, major int) *graph.Optimizer {
	for class := range slots {
		if strings.EqualFold(class, name) {
			return newOptimizer(class, &value.Args{}, major)
		}
	}
	return &graph.Optimizer{Class: name, Unknown: value.Because(value.UnmodelledTraining, "the optimizer %s is not known", name)}
}

// Identified returns the optimizer that a value stands for: the optimizer itself, its name, or
// its class and arguments (keras/src/optimizers/__init__.py, get).
func Identified(h *state.Host, v value.Value, major int) (*graph.Optimizer, bool) {
	switch x := v.X.(type) {
	case *OptimizerValue:
		return x.Optimizer, true
	case string:
		return OptimizerNamed(x, major), true
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
		o := OptimizerNamed(name, major)
		if o.Unknown == nil {
			o = newOptimizer(o.Class, args, major)
		}
		return o, true
	}
	return nil, false
}

// OptimizerTable are the optimizers, also those of Keras 2 before 2.11, which have only the slots
// that they use, and learning-rate schedules, which take no memory.
var OptimizerTable = state.Table{
	"tensorflow.keras.optimizers.*": newestOptimizer,
	"tensorflow.keras.optimizers.experimental.*": func(c *state.Call) value.Value {
		return optimizer(c, c.Below("tensorflow.keras.optimizers.experimental"), c.H.Keras())
	},
	"tensorflow.keras.optimizers.legacy.*":                             func(c *state.Call) value.Value { return optimizer(c, c.Below("tensorflow.keras.optimizers.legacy"), 0) },
	"tensorflow.keras.optimizers.schedules.*":                          state.Constant(state.Opaque{Base: "a learning rate schedule"}),
	"tensorflow.keras.optimizers.get":                                  optimizerOf,
	"tensorflow_addons.optimizers.*":                                   addonOptimizer,
	"tensorflow.keras.optimizers.experimental.get":                     optimizerOf,
	"tensorflow.keras.optimizers.legacy.get":                           optimizerOf,
	"tensorflow.keras.optimizers.LossScaleOptimizer":                   scaledOptimizer,
	"tensorflow.keras.mixed_precision.LossScaleOptimizer":              scaledOptimizer,
	"tensorflow.keras.mixed_precision.experimental.LossScaleOptimizer": scaledOptimizer,
}

// newestOptimizer creates an optimizer of the Keras of the running code.
func newestOptimizer(c *state.Call) value.Value {
	return optimizer(c, c.Below("tensorflow.keras.optimizers"), c.H.Optimizers(c.H.Keras()))
}

func optimizer(c *state.Call, class string, major int) value.Value {
	if strings.Contains(class, ".") || class == "" || class[0] < 'A' || class[0] > 'Z' {
		return value.Value{}
	}
	o := newOptimizer(class, c.Args, major)
	o.Node = c.Args.Node
	o.Unknown.On(c.Args.Node)
	return NewOptimizerValue(c.H, o)
}

// optimizerOf is keras.optimizers.get.
func optimizerOf(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "identifier")
	if _, ok := v.X.(*OptimizerValue); ok {
		return v
	}
	if o, ok := Identified(c.H, v, c.H.Optimizers(c.H.Keras())); ok {
		return NewOptimizerValue(c.H, o)
	}
	return value.Value{}
}

// scaledOptimizer is a LossScaleOptimizer.
func scaledOptimizer(c *state.Call) value.Value {
	v, _ := c.Args.Get(0, "inner_optimizer")
	inner, ok := v.X.(*OptimizerValue)
	if !ok {
		return optimizer(c, "LossScaleOptimizer", c.H.Keras())
	}
	scaled := *inner.Optimizer
	scaled.Barrier, scaled.Branches = true, true
	return NewOptimizerValue(c.H, &scaled)
}

// oneRate reports whether the learning rate of an optimizer is a number.
func oneRate(args *value.Args) bool {
	rate, given := args.Get(0, "learning_rate")
	switch rate.X.(type) {
	case float64, int64:
		return true
	}
	return !given
}
