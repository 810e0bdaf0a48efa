package keras

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// tuners are the classes of Keras Tuner that try models (keras_tuner/tuners).
var tuners = map[string]bool{"RandomSearch": true, "Hyperband": true, "BayesianOptimization": true, "GridSearch": true}

// tunerTable is Keras Tuner. Its tuners train one model after the other. A function of the program
// creates each with numbers that the tuner draws.
var tunerTable = state.Table{"keras_tuner.*": tuning}

func tuning(c *state.Call) value.Value {
	h, short := c.H, c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	switch {
	case tuners[short]:
		hypermodel, _ := c.Args.Get(0, "hypermodel")
		return value.Value{X: &tuner{"a tuner", h, hypermodel, newHyperparameters(h), value.Value{}}}
	case short == "HyperParameters":
		return value.Value{X: newHyperparameters(h)}
	case short == "Objective":
		return value.Value{X: state.Opaque{Base: "an objective"}}
	}
	return value.Value{}
}

// A tuner trains models that hypermodel builds.
type tuner struct {
	value.Base
	h          *state.Host
	hypermodel value.Value
	hp         *hyperparameters
	built      value.Value // the model built last, or nothing
}

// build returns a model with the tuner's numbers.
func (t *tuner) build(in *value.Interp, args *value.Args) value.Value {
	build := t.hypermodel
	if _, object := build.X.(*value.Instance); object {
		build = interp.Attr(in, build, "build")
	}
	t.built = interp.Call(in, build, args)
	return t.built
}

func (t *tuner) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	hp := value.Value{X: t.hp}
	switch name {
	case "search":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			made := t.build(in, &value.Args{Positional: []value.Value{hp}, Node: args.Node})
			if o, ok := t.hypermodel.X.(*value.Instance); ok && o.Defines("fit") {
				return interp.CallMethod(in, o, "fit", args.With(hp, made))
			}
			if m := models.ModelOf(made); m != nil {
				return m.Use(in, "fit", args)
			}
			evaluator{t.h}.UnresolvedCall(in, "fit", &value.Args{Node: args.Node}, value.Because(value.UnmodelledUse, "the model that a tuner builds is not known: %s", objects.Because(made)))
			return value.Value{X: value.None{}}
		})
	case "get_best_models":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if t.built.X == nil {
				t.build(in, &value.Args{Positional: []value.Value{hp}, Node: args.Node})
			}
			return t.several(args, "num_models", t.built)
		})
	case "get_best_hyperparameters":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return t.several(args, "num_trials", hp) })
	case "hypermodel":
		if _, object := t.hypermodel.X.(*value.Instance); object {
			return t.hypermodel, true
		}
		build, _ := objects.Method(t.build)
		return value.Value{X: &objects.Fields{Base: "a hypermodel", Values: map[string]value.Value{"build": build}}}, true
	case "results_summary", "search_space_summary", "reload", "save":
		return objects.Method(objects.Nothing)
	}
	return t.Unknown("a use of "), true
}

// several returns a list that repeats a value as often as an argument says, or once.
func (t *tuner) several(args *value.Args, keyword string, of value.Value) value.Value {
	n := int64(1)
	if v, ok := args.Get(0, keyword); ok {
		if n, ok = v.Int(); !ok || n < 0 || n > 100 {
			return t.Unknown("how many are the best of ")
		}
	}
	return value.Value{X: &value.List{Items: slices.Repeat([]value.Value{of}, int(n))}}
}

// hyperparameters are what a tuner draws, by name
// (keras_tuner/engine/hyperparameters/hyperparameters.py).
type hyperparameters struct {
	value.Base
	h     *state.Host
	drawn map[string]value.Value
}

func newHyperparameters(h *state.Host) *hyperparameters {
	return &hyperparameters{"the hyperparameters of a tuner", h, map[string]value.Value{}}
}

func (p *hyperparameters) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "Int", "Float":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			low, _ := args.Get(1, "min_value")
			high, _ := args.Get(2, "max_value")
			return p.draw(args, low, highest(low, high, args))
		})
	case "Boolean":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			return p.draw(args, value.Value{X: false}, value.Value{X: true})
		})
	case "Choice":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			of, _ := args.Get(1, "values")
			values, ok := objects.Sequence(of)
			if !ok {
				return p.h.Unknown(value.WrongType, "the choices of a tuner are not known: %s", objects.Because(of))
			}
			low, high, ok := ends(values)
			if !ok {
				return p.Unknown("a choice among ")
			}
			return p.draw(args, low, high)
		})
	case "Fixed":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v, _ := args.Get(1, "value")
			return p.draw(args, v, v)
		})
	case "get":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			name, _ := args.Get(0, "name")
			return p.GetItem(nil, name)
		})
	case "conditional_scope", "name_scope":
		return objects.Method(objects.Nothing)
	}
	return p.Unknown("a use of "), true
}

// GetItem returns what was drawn under a name.
func (p *hyperparameters) GetItem(_ *value.Interp, name value.Value) value.Value {
	if text, ok := name.X.(string); ok && p.drawn[text].X != nil {
		return p.drawn[text]
	}
	return p.Unknown("one of ")
}

// draw returns a value between two, at the assumed bound.
func (p *hyperparameters) draw(args *value.Args, low, high value.Value) value.Value {
	if !drawable(low) || !drawable(high) || p.h.Bounds.At == state.Unbounded {
		return p.h.Unknown(value.Random, "the value that a tuner draws")
	}
	v := low
	if low.X != high.X && p.h.Bounds.Between(0, 1, "What the tuner draws is taken to be at either end of what the program allows.") == 1 {
		v = high
	}
	if name, _ := args.Get(0, "name"); name.Known() {
		if text, ok := name.X.(string); ok {
			p.drawn[text] = v
		}
	}
	return v
}

// highest returns the last number from low on in steps that is at most high.
func highest(low, high value.Value, args *value.Args) value.Value {
	from, ok := low.Int()
	to, ok2 := high.Int()
	step, _ := args.Get(3, "step")
	by, ok3 := step.Int()
	if sampling, _ := args.Get(4, "sampling"); ok && ok2 && ok3 && by > 0 && to >= from && (sampling.X == nil || sampling.X == "linear") {
		high.X = from + (to-from)/by*by
	}
	return high
}

// ends returns the values that take the least and the most memory: the smallest and the largest
// number, the optimizers with the fewest and the most variables, both of two values, and any of
// several activations, which cost nearly the same. Other choices are unknown.
func ends(values []value.Value) (low, high value.Value, ok bool) {
	all := func(is func(v value.Value) bool) bool {
		return !slices.ContainsFunc(values, func(v value.Value) bool { return !is(v) })
	}
	by := func(rank func(v value.Value) float64) (low, high value.Value, ok bool) {
		compare := func(a, b value.Value) int { return cmp.Compare(rank(a), rank(b)) }
		return slices.MinFunc(values, compare), slices.MaxFunc(values, compare), true
	}
	named := func(v value.Value) string { name, _ := v.X.(string); return name }
	optimizer := func(v value.Value) *graph.Optimizer { return steps.OptimizerNamed(named(v), 3) }
	switch {
	case len(values) == 0 || !all(drawable):
		return low, high, false
	case all(objects.IsNumber):
		return by(func(v value.Value) float64 {
			if n, ok := v.Int(); ok {
				return float64(n)
			}
			f, _ := v.X.(float64)
			return f
		})
	case all(func(v value.Value) bool { return optimizer(v).Unknown == nil }):
		return by(func(v value.Value) float64 { return optimizer(v).Slots })
	case len(values) <= 2, all(func(v value.Value) bool { return isActivation(named(v)) }):
		return values[0], values[len(values)-1], true
	}
	return low, high, false
}

// drawable reports whether a value can be a hyperparameter.
func drawable(v value.Value) bool {
	switch v.X.(type) {
	case int64, float64, string, bool:
		return true
	}
	return false
}

// isActivation reports whether a name is that of an activation.
func isActivation(name string) bool {
	_, ok := graph.Activations[name]
	return ok && name != "glu" || name == "linear"
}
