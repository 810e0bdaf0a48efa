package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Optimizer is an instance of one of Keras's optimizers.
type Optimizer struct {
	Class string      // "Adam"
	Node  syntax.Node // the call that makes it; none where compile does, of a name
	// Slots is how many variables the optimizer keeps for each trained weight,
	// of the weight's size.
	Slots float64
	// Barrier tells whether all gradients must be there before the first is
	// applied: clipping by the global norm, loss scaling.
	Barrier bool
	Unknown string // why its memory is not known; empty otherwise
}

// Accumulating is the optimizer with gradient_accumulation_steps: it keeps the sum
// of the gradients beside, and applies none before all are there.
func (o *Optimizer) Accumulating() *Optimizer {
	a := *o
	a.Slots++
	a.Barrier = true
	return &a
}

// slots are the variables per weight of Keras 3's optimizers
// (keras/src/optimizers/*.py, build).
var slots = map[string]float64{
	"SGD": 0, "Adam": 2, "AdamW": 2, "Adamax": 2, "Nadam": 2, "RMSprop": 1, "Adagrad": 1, "Adadelta": 2,
	"Ftrl": 2, "Lion": 1, "Lamb": 2, "Muon": 2,
}

// newOptimizer makes an optimizer of a class with the given arguments; flag
// answers whether a boolean or number argument is set to something but its
// default.
func newOptimizer(class string, set func(keyword string) bool) *Optimizer {
	o := &Optimizer{Class: class}
	n, ok := slots[class]
	if !ok {
		o.Unknown = "the memory of the optimizer " + class + " is not known"
		return o
	}
	switch {
	case class == "SGD" && set("momentum"):
		n++
	case class == "Adam" && set("amsgrad"), class == "AdamW" && set("amsgrad"):
		n++
	case class == "RMSprop":
		if set("momentum") {
			n++
		}
		if set("centered") {
			n++
		}
	}
	if set("use_ema") {
		n++
	}
	if set("gradient_accumulation_steps") {
		n++
	}
	o.Slots = n
	o.Barrier = set("global_clipnorm") || set("gradient_accumulation_steps")
	return o
}

// optimizerNamed is the optimizer that compile makes of a name.
func optimizerNamed(name string) *Optimizer {
	for class := range slots {
		if strings.EqualFold(class, name) {
			return newOptimizer(class, func(string) bool { return false })
		}
	}
	return &Optimizer{Class: name, Unknown: "the optimizer " + name + " is not known"}
}
