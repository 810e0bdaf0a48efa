package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// maxIterations is how many iterations of a TensorFlow loop are followed.
const maxIterations = 256

// loopTable are the functions that run another one repeatedly.
var loopTable = table{
	"tensorflow.while_loop": whileLoop, "tensorflow.compat.v1.while_loop": whileLoop, "tensorflow.keras.ops.while_loop": whileLoop,
	"tensorflow.keras.ops.fori_loop":      looped(func(c *hostCall) value.Value { return c.h.countedLoop(c.in, c.args) }),
	"tensorflow.scan":                     looped(func(c *hostCall) value.Value { return c.h.scan(c.in, c.args, true) }),
	"tensorflow.foldl":                    looped(func(c *hostCall) value.Value { return c.h.scan(c.in, c.args, false) }),
	"tensorflow.map_fn":                   looped(func(c *hostCall) value.Value { return c.h.mapped(c.in, c.args, false) }),
	"tensorflow.keras.ops.map":            looped(func(c *hostCall) value.Value { return c.h.mapped(c.in, c.args, false) }),
	"tensorflow.vectorized_map":           looped(func(c *hostCall) value.Value { return c.h.mapped(c.in, c.args, true) }),
	"tensorflow.keras.ops.vectorized_map": looped(func(c *hostCall) value.Value { return c.h.mapped(c.in, c.args, true) }),
}

var whileLoop = looped(func(c *hostCall) value.Value { return c.h.whileLoop(c.in, c.args) })

// looped returns the owner of a loop, which is followed in steps, and where it is over tensors.
func looped(answer owner) owner {
	return func(c *hostCall) value.Value {
		if symbolic, _ := kinds(c.args); !symbolic && c.h.recorder == nil && c.h.tracing == 0 {
			return value.Value{}
		}
		return answer(c)
	}
}

// whileLoop is tf.while_loop, iteration by iteration. What the gradients read is kept in lists,
// one entry per iteration. The gradients of what all iterations read are summed iteration by
// iteration (tensorflow/python/ops/while_v2.py).
func (h *host) whileLoop(in *value.Interp, args *value.Args) value.Value {
	condition, _ := args.Get(0, "cond")
	body, _ := args.Get(1, "body")
	given, _ := args.Get(2, "loop_vars")
	most, bounded := args.Get(-1, "maximum_iterations")
	iterations, counted := most.Int()
	vars, ok := objects.Sequence(given)
	if !ok {
		return h.unknown(value.UnmodelledTraining, "what a tf.while_loop goes on with is not known: %s", objects.Because(given))
	}
	h.loopDepth++
	defer func() { h.loopDepth-- }()
	for i := int64(0); !bounded || !counted || i < iterations; i++ {
		truth, known := in.Truth(in.Call(condition, &value.Args{Positional: vars, Node: args.Node}))
		switch {
		case known && !truth:
			return value.Value{X: value.Tuple(vars)}
		case !known && !(bounded && counted):
			return h.unknown(value.UndecidedLoop, "how many iterations a tf.while_loop takes is not known")
		case i >= maxIterations:
			return h.unknown(value.UnmodelledArgument, "a tf.while_loop of more than %d iterations is not followed", maxIterations)
		}
		out := in.Call(body, &value.Args{Positional: vars, Node: args.Node})
		if vars, ok = objects.Sequence(out); !ok {
			if vars = []value.Value{out}; !out.Known() {
				return out
			}
		}
	}
	return value.Value{X: value.Tuple(vars)}
}

// countedLoop is keras.ops.fori_loop: its bounds give the number of iterations.
func (h *host) countedLoop(in *value.Interp, args *value.Args) value.Value {
	lower, _ := args.Get(0, "lower")
	upper, _ := args.Get(1, "upper")
	body, _ := args.Get(2, "body_fun")
	state, _ := args.Get(3, "init_val")
	from, known := lower.Int()
	to, known2 := upper.Int()
	if !known || !known2 || to-from > maxIterations {
		return h.unknown(value.UndecidedLoop, "how many iterations a fori_loop takes is not known, or more than %d", maxIterations)
	}
	h.loopDepth++
	defer func() { h.loopDepth-- }()
	for i := from; i < to && state.Known(); i++ {
		state = in.Call(body, &value.Args{Positional: []value.Value{{X: i}, state}, Node: args.Node})
	}
	return state
}

// scan is tf.scan, which returns the states of all iterations, and tf.foldl, which returns the
// last (tensorflow/python/ops/functional_ops.py).
func (h *host) scan(in *value.Interp, args *value.Args, all bool) value.Value {
	f, _ := args.Get(0, "fn")
	elements, _ := args.Get(1, "elems")
	leaves := leavesOf(elements, nil)
	if len(leaves) != 1 {
		return h.unknown(value.UnmodelledTraining, "a tf.scan over several tensors is not followed")
	}
	call := func(name string, positional ...value.Value) value.Value {
		return in.Call(value.Value{X: value.External{Name: name}}, &value.Args{Positional: positional, Node: args.Node})
	}
	items, ok := objects.Sequence(call("tensorflow.unstack", leaves[0]))
	if !ok || len(items) == 0 {
		return h.unknown(value.UndecidedLoop, "how many iterations a tf.scan takes is not known")
	}
	if len(items) > maxIterations {
		return h.unknown(value.UnmodelledArgument, "a tf.scan of more than %d iterations is not followed", maxIterations)
	}
	state, given := args.Get(2, "initializer")
	if _, none := state.X.(value.None); none || !given {
		state, items = items[0], items[1:]
	}
	if args.Keywords.Value("reverse").X == true {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	h.loopDepth++
	defer func() { h.loopDepth-- }()
	var states [][]value.Value
	for _, item := range items {
		state = in.Call(f, &value.Args{Positional: []value.Value{state, item}, Node: args.Node})
		if !state.Known() {
			return state
		}
		states = append(states, leavesOf(state, nil))
	}
	if !all || len(states) == 0 {
		return state
	}
	i := -1
	return each(state, func(value.Value) value.Value {
		i++
		list := &value.List{}
		for _, s := range states {
			if i >= len(s) {
				return h.unknown(value.UnmodelledTraining, "the states of a tf.scan differ")
			}
			list.Items = append(list.Items, s[i])
		}
		return call("tensorflow.stack", value.Value{X: list})
	})
}

// mapped is tf.map_fn and tf.vectorized_map: a function of each element of tensors.
func (h *host) mapped(in *value.Interp, args *value.Args, vectorized bool) value.Value {
	f, _ := objects.Passed(args, 0, "fn", "f", "function")
	elements, _ := objects.Passed(args, 1, "elems", "xs", "elements")
	began := h.next()
	impl := &mapping{vectorized: vectorized}
	var from, fresh []*Symbolic
	var why *value.Cause
	inner := each(elements, func(x value.Value) value.Value {
		s, w := h.operand(x)
		if w == nil && len(s.Shape) == 0 {
			w = value.Because(value.KerasRaises, "TensorFlow will raise: a single number has no elements to map")
		}
		if w != nil {
			why = w
			return x
		}
		element := &Symbolic{Shape: s.Shape[1:], DType: s.DType}
		from, fresh = append(from, s), append(fresh, element)
		return h.tensor(element)
	})
	if open := openIn(elements); open != nil {
		why = open
	}
	if why != nil || len(from) == 0 {
		return h.unknown(value.UnmodelledTraining, "what a function is mapped over is not known: %s", why)
	}
	impl.mapped = len(from)
	result := in.Call(f, &value.Args{Positional: []value.Value{inner}, Node: args.Node})
	if !result.Known() {
		return result
	}
	result = each(result, func(x value.Value) value.Value {
		if s, why := h.operand(x); why == nil {
			return h.tensor(s)
		}
		return x
	})
	result, impl.body = h.bodyOf(result, fresh)
	from = append(from, impl.body.capture(began)...)
	for _, n := range impl.body.nodes {
		if n.asks != nil || n.applies != nil {
			return h.unknown(value.UnmodelledTraining, "a tape within a function that is mapped is not followed")
		}
	}
	l := &Layer{Class: "map", Name: "map", Trainable: true, function: true, impl: impl}
	out, err := call(h.interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return h.outside(impl.body, result, func(i int) *Symbolic { return out[i] })
}

// mapping is a call of a function of each element.
type mapping struct {
	body       *body
	mapped     int // of its inputs: the first ones, which have the elements
	vectorized bool
}

func (*mapping) build(*Layer, []Shape) error { return nil }

func (m *mapping) call(_ *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	n := in[0].Shape[0]
	one := &Graph{own: g.own, eager: g.eager, mode: g.mode, snapshot: g.snapshot}
	given := make([]*Tensor, len(in))
	for i, t := range in {
		given[i] = t
		if i < m.mapped {
			given[i] = &Tensor{Shape: t.Shape[1:], DType: t.DType, Grad: t.Grad}
		}
	}
	out, err := m.body.lower(one, given)
	if err != nil {
		return nil, err
	}
	if m.vectorized {
		return lifted(g, one, n, in[:m.mapped], given, out), nil
	}
	return m.asLoop(g, one, n, in, given, out)
}

// asLoop adds the operations of one element as a loop over all elements. The elements, the results
// and what gradients read are in lists (tensorflow/python/ops/map_fn.py, while_v2.py).
func (m *mapping) asLoop(g, one *Graph, n int64, in, given, out []*Tensor) ([]*Tensor, error) {
	count := max(n, 1)
	var inner, kept int64
	differs := false
	seen := map[*Tensor]bool{}
	for i, t := range in {
		seen[given[i]] = true
		differs = differs || t.Grad
	}
	var weights []*Weight
	for _, op := range one.Ops {
		for _, t := range op.Out {
			if !op.View {
				inner = max(inner, t.Bytes()+op.ForwardTemp)
			}
			differs = differs || t.Grad
		}
		for _, size := range op.Extra {
			kept += size
		}
		kept += op.SpillBytes
		for _, t := range op.Keep {
			if t = viewed(t); !seen[t] {
				seen[t] = true
				kept += t.Bytes()
			}
		}
		if len(op.Weights) > 0 && op.SparseRows > 0 {
			return nil, value.Because(value.UnmodelledTraining, "a table of vectors within tf.map_fn is not followed")
		}
		weights = append(weights, op.Weights...)
	}
	var lists int64
	for _, t := range in[:m.mapped] {
		lists += t.Bytes()
	}
	var results []*Tensor
	for i, t := range out {
		list := count * t.Bytes()
		y, op := g.add(OpMap, in, append(Shape{n}, t.Shape...), t.DType)
		op.ForwardTemp, op.BackwardTemp = list, list
		if i == 0 {
			op.ForwardTemp += lists + inner
			op.BackwardTemp += lists + inner
			if differs {
				op.Extra = []int64{count * kept}
			}
			op.trains(weights...)
		}
		y.Grad = differs
		results = append(results, y)
	}
	return results, nil
}

// viewed returns the tensor that a view shows.
func viewed(t *Tensor) *Tensor {
	for t.From != nil && t.From.View {
		t = t.From.In[0]
	}
	return t
}

// lifted adds the operations of one element as pfor vectorises them: for all elements at once,
// with the elements as the first dimension of each tensor that depends on them
// (tensorflow/python/ops/parallel_for/pfor.py).
func lifted(g, one *Graph, n int64, mapped, given, out []*Tensor) []*Tensor {
	at := map[*Tensor]*Tensor{}
	stacked := map[*Tensor]bool{}
	for i, t := range given {
		at[t] = t
		if i < len(mapped) {
			at[t], stacked[mapped[i]] = mapped[i], true
		}
	}
	all := func(of []*Tensor) []*Tensor {
		made := make([]*Tensor, len(of))
		for i, t := range of {
			made[i] = at[t]
		}
		return made
	}
	for _, op := range one.Ops {
		copied := *op
		copied.In = all(op.In)
		times := int64(1)
		if slices.ContainsFunc(copied.In, func(t *Tensor) bool { return stacked[t] }) {
			times = max(n, 1)
		}
		copied.Out = nil
		for _, t := range op.Out {
			y := *t
			y.From = &copied
			if times > 1 {
				y.Shape = append(Shape{n}, t.Shape...)
				stacked[&y] = true
			}
			y.activated, y.before = nil, nil
			at[t] = &y
			copied.Out = append(copied.Out, &y)
		}
		copied.Keep, copied.HoistedGrad = all(op.Keep), all(op.HoistedGrad)
		copied.Extra, copied.HoistedSizes = timesEach(op.Extra, times), timesEach(op.HoistedSizes, times)
		copied.SpillBytes, copied.SpillUntil = op.SpillBytes*times, op.SpillUntil*times
		copied.ForwardTemp, copied.BackwardTemp = op.ForwardTemp*times, op.BackwardTemp*times
		g.Ops = append(g.Ops, &copied)
	}
	results := all(out)
	for i, t := range results {
		if !stacked[t] {
			results[i] = g.tensor(OpTile, []*Tensor{t}, append(Shape{n}, t.Shape...), t.DType)
		}
	}
	return results
}

func timesEach(sizes []int64, times int64) []int64 {
	out := slices.Clone(sizes)
	for i := range out {
		out[i] *= times
	}
	return out
}
