package steps

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// OptimizerValue is an optimizer.
type OptimizerValue struct {
	state.Opaque
	h         *state.Host
	Optimizer *graph.Optimizer
}

func NewOptimizerValue(h *state.Host, o *graph.Optimizer) value.Value {
	return value.Value{X: &OptimizerValue{state.Opaque{Base: "an optimizer"}, h, o}}
}

func (v *OptimizerValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "apply_gradients":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			pairs, _ := args.Get(0, "grads_and_vars")
			return v.applyPairs(in, pairs)
		})
	case "apply":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			gradients, _ := args.Get(0, "grads")
			weights, ok := objects.Passed(args, 1, "trainable_variables", "trainable_weights")
			if !ok {
				return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "the variables that an optimizer updates are not known"))
			}
			pairs := interp.Call(in, value.Value{X: value.External{Name: "builtins.zip"}}, &value.Args{Positional: []value.Value{gradients, weights}, Node: args.Node})
			return v.applyPairs(in, pairs)
		})
	case "get_updates":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			return v.h.LoseTraining(value.Because(value.UnmodelledTraining, "the updates that get_updates returns run in a graph"), args.Node)
		})
	case "minimize":
		return objects.Method(v.minimize)
	case "scale_loss", "get_scaled_loss":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return objects.First(args) })
	case "get_unscaled_gradients":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 0 {
				return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "the gradients that an optimizer unscales are not known"))
			}
			return args.Positional[0]
		})
	case "build":
		return objects.Method(objects.Nothing)
	}
	return v.Base.GetAttr(in, name)
}

// applyPairs is apply_gradients: gradients with their variables.
func (v *OptimizerValue) applyPairs(in *value.Interp, pairs value.Value) value.Value {
	items, ok := interp.Iterate(in, pairs)
	if !ok {
		return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "the gradients that an optimizer applies are not known: %s", objects.Because(pairs)))
	}
	if len(items) == 0 {
		// (keras/src/optimizers/base_optimizer.py, apply_gradients; tf_keras/src/optimizers/utils.py,
		// filter_empty_gradients)
		return v.h.Steps.Lose(value.Refused("an optimizer is given no variables"))
	}
	u := &graph.Update{Optimizer: v.Optimizer}
	var gradients []*graph.Symbolic
	var variables []*ops.Variable
	for _, item := range items {
		pair, ok := objects.Sequence(item)
		if !ok || len(pair) != 2 {
			return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "the gradients that an optimizer applies are not known: %s", objects.Because(item)))
		}
		if _, none := pair[0].X.(value.None); none {
			continue // Keras leaves it out
		}
		w, ok := pair[1].X.(*ops.Variable)
		if !ok {
			loseReturned(v.h, pair[0])
			return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "a variable that an optimizer updates is not known: %s", objects.Because(pair[1])))
		}
		g, why := ops.Operand(v.h, pair[0])
		if why != nil {
			return v.h.Steps.Lose(value.Because(value.UnmodelledTraining, "a gradient that an optimizer applies is not known: %s", why))
		}
		u.Weights, gradients, variables = append(u.Weights, w.Weight), append(gradients, g), append(variables, w)
	}
	into := v.h.Steps.Running()
	if into == nil {
		into = ops.Summed(v.h, gradients) // what several steps have summed
	}
	if into != nil {
		for _, w := range variables {
			ops.Records(into, w)
		}
	}
	v.h.Steps.Within(into, func() { ops.Applies(v.h, u, gradients) })
	return value.Value{X: value.None{}}
}

// loseReturned records that a gradient returned by a helper is applied to something unknown.
func loseReturned(h *state.Host, gradient value.Value) {
	g, ok := gradient.X.(*ops.SymbolicValue)
	if h.Steps.Running() != nil || !ok {
		return
	}
	if r := ops.Asked(h, []*graph.Symbolic{g.S}); r != nil {
		r.Returned, r.Why = true, cmp.Or(r.Why, value.Because(value.UnmodelledTraining, "a variable that its gradients are applied to is not known"))
	}
}

// minimize is Optimizer.minimize of Keras 2: of a function, or with the tape that recorded the
// loss (tf_keras/src/optimizers/optimizer.py, compute_gradients).
func (v *OptimizerValue) minimize(in *value.Interp, args *value.Args) value.Value {
	loss, _ := args.Get(0, "loss")
	weights, _ := args.Get(1, "var_list")
	if v.h.Steps.Running() == nil {
		v.h.LoseTraining(value.Because(value.UnmodelledTraining, "minimize runs outside of a loop and of a function"), args.Node)
		return value.Value{X: value.None{}}
	}
	given, _ := args.Keywords.Get("tape")
	t, ok := given.X.(*Tape)
	if !ok {
		t = NewTape(v.h, args).X.(*Tape)
		t.Start()
		loss = interp.Call(in, loss, &value.Args{Node: args.Node})
		t.Stop()
	}
	if f, isFunction := weights.X.(*value.Func); isFunction {
		weights = interp.Call(in, value.Value{X: f}, &value.Args{Node: args.Node})
	}
	gradients := t.Gradient(in, &value.Args{Positional: []value.Value{loss, weights}}, graph.Together)
	pairs := interp.Call(in, value.Value{X: value.External{Name: "builtins.zip"}}, &value.Args{Positional: []value.Value{gradients, weights}, Node: args.Node})
	return v.applyPairs(in, pairs)
}

// compiledFunction is a function of the program that tf.function compiles.
type compiledFunction struct {
	value.Base
	h *state.Host
	f value.Value
}

// Compiled is tf.function of a function of the program.
func Compiled(c *state.Call) value.Value {
	f, _ := c.Args.Get(0, "func")
	switch f.X.(type) {
	case *value.Func, *value.Bound:
		return value.Value{X: &compiledFunction{"a function", c.H, f}}
	}
	return value.Value{}
}

func (c *compiledFunction) Call(in *value.Interp, args *value.Args) value.Value {
	if c.h.Eager {
		return interp.Call(in, c.f, args)
	}
	defer c.h.Steps.Compile()()
	return interp.Call(in, c.f, args)
}

func (c *compiledFunction) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	return interp.Attr(in, c.f, name), true
}

// ByGlobalNorm is tf.clip_by_global_norm and tf.linalg.global_norm, which wait for all gradients.
func ByGlobalNorm(c *state.Call) value.Value {
	h, args := c.H, c.Args
	list := objects.First(args)
	if v, ok := args.Keywords.Get("t_list"); ok {
		list = v
	}
	items, ok := objects.Sequence(list)
	if symbolic, _ := ops.Kinds(&value.Args{Positional: []value.Value{list}}); !ok || !symbolic {
		return value.Value{}
	}
	tensors, why := ops.Operands(h, items)
	if why != nil {
		return why.Unknown()
	}
	norm := ops.Operate(h, "GlobalNorm", tensors, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpGlobalNorm, in, tensor.Shape{}, in[0].DType)}, nil
	})
	if strings.HasSuffix(c.Name, ".global_norm") || !norm.Known() {
		return norm
	}
	clipped := &value.List{}
	for _, s := range tensors {
		clipped.Items = append(clipped.Items, ops.Binary(h, graph.OpMultiply, ops.Tensor(h, s), norm))
	}
	return value.Value{X: value.Tuple{{X: clipped}, norm}}
}
