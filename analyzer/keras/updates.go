package keras

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// optimizerValue is an optimizer.
type optimizerValue struct {
	opaque
	h         *host
	optimizer *Optimizer
}

func (h *host) newOptimizerValue(o *Optimizer) value.Value {
	return value.Value{X: &optimizerValue{opaque{"an optimizer"}, h, o}}
}

func (v *optimizerValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
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
				return v.h.lose(value.Because(value.UnmodelledTraining, "to which variables an optimizer applies gradients is not known"))
			}
			pairs := in.Call(value.Value{X: value.External{Name: "builtins.zip"}}, &value.Args{Positional: []value.Value{gradients, weights}, Node: args.Node})
			return v.applyPairs(in, pairs)
		})
	case "minimize":
		return objects.Method(v.minimize)
	case "scale_loss", "get_scaled_loss":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value { return objects.First(args) })
	case "get_unscaled_gradients":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 0 {
				return v.h.lose(value.Because(value.UnmodelledTraining, "what gradients are unscaled is not known"))
			}
			return args.Positional[0]
		})
	case "build":
		return objects.Method(objects.Nothing)
	}
	return v.base.GetAttr(in, name)
}

// applyPairs is apply_gradients: gradients with their variables.
func (v *optimizerValue) applyPairs(in *value.Interp, pairs value.Value) value.Value {
	items, ok := in.Iterate(pairs)
	if !ok {
		return v.h.lose(value.Because(value.UnmodelledTraining, "which gradients an optimizer applies is not known: %s", objects.Because(pairs)))
	}
	u := &Update{Optimizer: v.optimizer}
	var gradients []*Symbolic
	var variables []*variable
	for _, item := range items {
		pair, ok := objects.Sequence(item)
		if !ok || len(pair) != 2 {
			return v.h.lose(value.Because(value.UnmodelledTraining, "which gradients an optimizer applies is not known: %s", objects.Because(item)))
		}
		if _, none := pair[0].X.(value.None); none {
			continue // Keras leaves it out
		}
		w, ok := pair[1].X.(*variable)
		if !ok {
			v.h.loseReturned(pair[0])
			return v.h.lose(value.Because(value.UnmodelledTraining, "a variable that an optimizer updates is not known: %s", objects.Because(pair[1])))
		}
		g, why := v.h.operand(pair[0])
		if why != nil {
			return v.h.lose(value.Because(value.UnmodelledTraining, "a gradient that an optimizer applies is not known: %s", why))
		}
		u.Weights, gradients, variables = append(u.Weights, w.weight), append(gradients, g), append(variables, w)
	}
	outer := v.h.recorder
	into := outer
	if into == nil {
		into = v.h.summed(gradients) // what several steps have summed
	}
	if into != nil {
		for _, w := range variables {
			into.variable(w)
		}
	}
	v.h.recorder = into
	v.h.applies(u, gradients)
	v.h.recorder = outer
	return value.Value{X: value.None{}}
}

// loseReturned records that a gradient returned by a helper is applied to something unknown.
func (h *host) loseReturned(gradient value.Value) {
	g, ok := gradient.X.(*symbolicValue)
	if h.recorder != nil || !ok {
		return
	}
	if r := h.asked([]*Symbolic{g.s}); r != nil {
		r.returned, r.why = true, cmp.Or(r.why, value.Because(value.UnmodelledTraining, "a variable that its gradients are applied to is not known"))
	}
}

// minimize is Optimizer.minimize of Keras 2: of a function, or with the tape that recorded the
// loss (tf_keras/src/optimizers/optimizer.py, compute_gradients).
func (v *optimizerValue) minimize(in *value.Interp, args *value.Args) value.Value {
	loss, _ := args.Get(0, "loss")
	weights, _ := args.Get(1, "var_list")
	if v.h.recorder == nil {
		return value.Value{X: value.None{}}
	}
	given, _ := args.Keywords.Get("tape")
	t, ok := given.X.(*tape)
	if !ok {
		t = v.h.newTape(args).X.(*tape)
		t.start()
		loss = in.Call(loss, &value.Args{Node: args.Node})
		t.stop()
	}
	if f, isFunction := weights.X.(*value.Func); isFunction {
		weights = in.Call(value.Value{X: f}, &value.Args{Node: args.Node})
	}
	gradients := t.gradient(in, &value.Args{Positional: []value.Value{loss, weights}}, together)
	pairs := in.Call(value.Value{X: value.External{Name: "builtins.zip"}}, &value.Args{Positional: []value.Value{gradients, weights}, Node: args.Node})
	return v.applyPairs(in, pairs)
}

// variables returns the weights of a model, as the model lists them.
func (v *modelValue) variables(name string) value.Value {
	m := v.model
	if !m.Known() && len(m.Unresolved) > 0 {
		return m.Unresolved[0].Unknown()
	}
	if !m.Built() && m.Class != "Subclass" && !m.weightless() {
		return m.Unbuilt().Unknown()
	}
	trained, frozen := strings.HasPrefix(name, "trainable"), strings.HasPrefix(name, "non_")
	list := &value.List{}
	owner := v.asLayer()
	m.Weights(func(w *Weight, trains bool) {
		if trains && !frozen || !trains && !trained {
			list.Items = append(list.Items, value.Value{X: v.h.newVariable(w, owner)})
		}
	})
	return value.Value{X: list}
}

// compiledFunction is a function of the program that tf.function compiles.
type compiledFunction struct {
	base
	h *host
	f value.Value
}

// compiled is tf.function of a function of the program.
func (c *hostCall) compiled() value.Value {
	f, _ := c.args.Get(0, "func")
	switch f.X.(type) {
	case *value.Func, *value.Bound:
		return value.Value{X: &compiledFunction{"a function", c.h, f}}
	}
	return value.Value{}
}

func (c *compiledFunction) Call(in *value.Interp, args *value.Args) value.Value {
	if c.h.eager {
		return in.Call(c.f, args)
	}
	c.h.compiled++
	defer func() { c.h.compiled-- }()
	return in.Call(c.f, args)
}

func (c *compiledFunction) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	return in.Attr(c.f, name), true
}

// byGlobalNorm is tf.clip_by_global_norm and tf.linalg.global_norm, which wait for all gradients.
func (c *hostCall) byGlobalNorm() value.Value {
	h, args := c.h, c.args
	list := objects.First(args)
	if v, ok := args.Keywords.Get("t_list"); ok {
		list = v
	}
	items, ok := objects.Sequence(list)
	if symbolic, _ := kinds(&value.Args{Positional: []value.Value{list}}); !ok || !symbolic {
		return value.Value{}
	}
	tensors, why := h.operands(items)
	if why != nil {
		return why.Unknown()
	}
	norm := h.operate("GlobalNorm", tensors, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpGlobalNorm, in, Shape{}, in[0].DType)}, nil
	})
	if strings.HasSuffix(c.name, ".global_norm") || !norm.Known() {
		return norm
	}
	clipped := &value.List{}
	for _, s := range tensors {
		clipped.Items = append(clipped.Items, h.binary(OpMultiply, h.tensor(s), norm))
	}
	return value.Value{X: value.Tuple{{X: clipped}, norm}}
}
