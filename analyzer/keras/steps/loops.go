package steps

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// maxIterations is how many iterations of a TensorFlow loop are followed.
const maxIterations = 256

// LoopTable are the functions that run another one repeatedly.
var LoopTable = state.Table{
	"tensorflow.while_loop": whileLoop, "tensorflow.compat.v1.while_loop": whileLoop, "tensorflow.keras.ops.while_loop": whileLoop,
	"tensorflow.keras.ops.fori_loop":      looped(func(c *state.Call) value.Value { return countedLoop(c.H, c.In, c.Args) }),
	"tensorflow.scan":                     looped(func(c *state.Call) value.Value { return scan(c.H, c.In, c.Args, true) }),
	"tensorflow.foldl":                    looped(func(c *state.Call) value.Value { return scan(c.H, c.In, c.Args, false) }),
	"tensorflow.map_fn":                   looped(func(c *state.Call) value.Value { return mapped(c.H, c.In, c.Args, false) }),
	"tensorflow.keras.ops.map":            looped(func(c *state.Call) value.Value { return mapped(c.H, c.In, c.Args, false) }),
	"tensorflow.vectorized_map":           looped(func(c *state.Call) value.Value { return mapped(c.H, c.In, c.Args, true) }),
	"tensorflow.keras.ops.vectorized_map": looped(func(c *state.Call) value.Value { return mapped(c.H, c.In, c.Args, true) }),
}

var whileLoop = looped(func(c *state.Call) value.Value { return runWhileLoop(c.H, c.In, c.Args) })

// looped returns the owner of a loop, which is followed in steps, and where it is over tensors.
func looped(answer state.Owner) state.Owner {
	return func(c *state.Call) value.Value {
		if symbolic, _ := ops.Kinds(c.Args); !symbolic && !c.H.OnTensors() {
			return value.Value{}
		}
		return answer(c)
	}
}

// runWhileLoop is tf.while_loop, iteration by iteration. What the gradients read is kept in lists,
// one entry per iteration. The gradients of what all iterations read are summed iteration by
// iteration (tensorflow/python/ops/while_v2.py).
func runWhileLoop(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	condition, _ := args.Get(0, "cond")
	body, _ := args.Get(1, "body")
	given, _ := args.Get(2, "loop_vars")
	most, bounded := args.Get(-1, "maximum_iterations")
	iterations, counted := most.Int()
	vars, ok := objects.Sequence(given)
	if !ok {
		return h.Unknown(value.UnmodelledTraining, "the loop variables of a tf.while_loop are not known: %s", objects.Because(given))
	}
	defer h.Steps.Loop()()
	for i := int64(0); !bounded || !counted || i < iterations; i++ {
		truth, known := interp.Truth(in, interp.Call(in, condition, &value.Args{Positional: vars, Node: args.Node}))
		switch {
		case known && !truth:
			return value.Value{X: value.Tuple(vars)}
		case !known && !(bounded && counted):
			return h.Unknown(value.UndecidedLoop, "the number of iterations of a tf.while_loop is not known")
		case i >= maxIterations:
			return h.Unknown(value.UnmodelledArgument, "a tf.while_loop of more than %d iterations is not followed", maxIterations)
		}
		out := interp.Call(in, body, &value.Args{Positional: vars, Node: args.Node})
		if vars, ok = objects.Sequence(out); !ok {
			if vars = []value.Value{out}; !out.Known() {
				return out
			}
		}
	}
	return value.Value{X: value.Tuple(vars)}
}

// countedLoop is keras.ops.fori_loop: its bounds give the number of iterations.
func countedLoop(h *state.Host, in *value.Interp, args *value.Args) value.Value {
	lower, _ := args.Get(0, "lower")
	upper, _ := args.Get(1, "upper")
	body, _ := args.Get(2, "body_fun")
	state, _ := args.Get(3, "init_val")
	from, known := lower.Int()
	to, known2 := upper.Int()
	if !known || !known2 || to-from > maxIterations {
		return h.Unknown(value.UndecidedLoop, "the number of iterations of a fori_loop is not known, or more than %d", maxIterations)
	}
	defer h.Steps.Loop()()
	for i := from; i < to && state.Known(); i++ {
		state = interp.Call(in, body, &value.Args{Positional: []value.Value{{X: i}, state}, Node: args.Node})
	}
	return state
}

// scan is tf.scan, which returns the states of all iterations, and tf.foldl, which returns the
// last (tensorflow/python/ops/functional_ops.py).
func scan(h *state.Host, in *value.Interp, args *value.Args, all bool) value.Value {
	f, _ := args.Get(0, "fn")
	elements, _ := args.Get(1, "elems")
	leaves := LeavesOf(elements, nil)
	if len(leaves) != 1 {
		return h.Unknown(value.UnmodelledTraining, "a tf.scan over several tensors is not followed")
	}
	call := func(name string, positional ...value.Value) value.Value {
		return interp.Call(in, value.Value{X: value.External{Name: name}}, &value.Args{Positional: positional, Node: args.Node})
	}
	items, ok := objects.Sequence(call("tensorflow.unstack", leaves[0]))
	if !ok || len(items) == 0 {
		return h.Unknown(value.UndecidedLoop, "the number of iterations of a tf.scan is not known")
	}
	if len(items) > maxIterations {
		return h.Unknown(value.UnmodelledArgument, "a tf.scan of more than %d iterations is not followed", maxIterations)
	}
	state, given := args.Get(2, "initializer")
	if _, none := state.X.(value.None); none || !given {
		state, items = items[0], items[1:]
	}
	if args.Keywords.Value("reverse").X == true {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	defer h.Steps.Loop()()
	var states [][]value.Value
	for _, item := range items {
		state = interp.Call(in, f, &value.Args{Positional: []value.Value{state, item}, Node: args.Node})
		if !state.Known() {
			return state
		}
		states = append(states, LeavesOf(state, nil))
	}
	if !all || len(states) == 0 {
		return state
	}
	i := -1
	return ops.Each(state, func(value.Value) value.Value {
		i++
		list := &value.List{}
		for _, s := range states {
			if i >= len(s) {
				return h.Unknown(value.UnmodelledTraining, "the states of a tf.scan differ")
			}
			list.Items = append(list.Items, s[i])
		}
		return call("tensorflow.stack", value.Value{X: list})
	})
}

// mapped is tf.map_fn and tf.vectorized_map: a function of each element of tensors.
func mapped(h *state.Host, in *value.Interp, args *value.Args, vectorized bool) value.Value {
	f, _ := objects.Passed(args, 0, "fn", "f", "function")
	elements, _ := objects.Passed(args, 1, "elems", "xs", "elements")
	began := h.Steps.Next()
	impl := &mapping{vectorized: vectorized}
	var from, fresh []*graph.Symbolic
	var why *value.Cause
	inner := ops.Each(elements, func(x value.Value) value.Value {
		s, w := ops.Operand(h, x)
		if w == nil && len(s.Shape) == 0 {
			w = value.Refused("a single number has no elements to map")
		}
		if w != nil {
			why = w
			return x
		}
		element := &graph.Symbolic{Shape: s.Shape[1:], DType: s.DType}
		from, fresh = append(from, s), append(fresh, element)
		return ops.Tensor(h, element)
	})
	if open := openIn(elements); open != nil {
		why = open
	}
	if why != nil || len(from) == 0 {
		return h.Unknown(value.UnmodelledTraining, "the input of a mapped function is not known: %s", why)
	}
	impl.mapped = len(from)
	result := interp.Call(in, f, &value.Args{Positional: []value.Value{inner}, Node: args.Node})
	if !result.Known() {
		return result
	}
	result = ops.Each(result, func(x value.Value) value.Value {
		if s, why := ops.Operand(h, x); why == nil {
			return ops.Tensor(h, s)
		}
		return x
	})
	result, impl.body = ops.BodyOf(h, result, fresh)
	from = append(from, impl.body.Capture(began)...)
	for _, n := range impl.body.Nodes {
		if n.Asks != nil || n.Applies != nil {
			return h.Unknown(value.UnmodelledTraining, "a tape within a function that is mapped is not followed")
		}
	}
	l := &graph.Layer{Class: "map", Name: "map", Trainable: true, Function: true, Impl: impl}
	out, err := graph.Call(h.Interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return ops.Outside(h, impl.body, result, func(i int) *graph.Symbolic { return out[i] })
}

// mapping is a call of a function of each element.
type mapping struct {
	body       *graph.Body
	mapped     int // of its inputs: the first ones, which have the elements
	vectorized bool
}

func (*mapping) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (m *mapping) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	n := in[0].Shape[0]
	one := &graph.Graph{Own: g.Own, Eagerly: g.Eagerly, Mode: g.Mode, Snapshot: g.Snapshot}
	given := make([]*graph.Tensor, len(in))
	for i, t := range in {
		given[i] = t
		if i < m.mapped {
			given[i] = &graph.Tensor{Shape: t.Shape[1:], DType: t.DType, Grad: t.Grad}
		}
	}
	out, err := m.body.Lower(one, given)
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
func (m *mapping) asLoop(g, one *graph.Graph, n int64, in, given, out []*graph.Tensor) ([]*graph.Tensor, error) {
	count := max(n, 1)
	var inner, kept int64
	differs := false
	seen := map[*graph.Tensor]bool{}
	for i, t := range in {
		seen[given[i]] = true
		differs = differs || t.Grad
	}
	var weights []*graph.Weight
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
		kept += op.SpillBytes + op.KeptCast()
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
	var results []*graph.Tensor
	for i, t := range out {
		list := count * t.Bytes()
		y, op := g.Add(graph.OpMap, in, append(tensor.Shape{n}, t.Shape...), t.DType)
		op.ForwardTemp, op.BackwardTemp = list, list
		if i == 0 {
			op.ForwardTemp += lists + inner
			op.BackwardTemp += lists + inner
			if differs {
				op.Extra = []int64{count * kept}
			}
			op.Trains(weights...)
		}
		y.Grad = differs
		results = append(results, y)
	}
	return results, nil
}

// viewed returns the tensor that a view shows.
func viewed(t *graph.Tensor) *graph.Tensor {
	for t.From != nil && t.From.View {
		t = t.From.In[0]
	}
	return t
}

// lifted adds the operations of one element as pfor vectorises them: for all elements at once,
// with the elements as the first dimension of each tensor that depends on them
// (tensorflow/python/ops/parallel_for/pfor.py).
func lifted(g, one *graph.Graph, n int64, mapped, given, out []*graph.Tensor) []*graph.Tensor {
	at := map[*graph.Tensor]*graph.Tensor{}
	stacked := map[*graph.Tensor]bool{}
	for i, t := range given {
		at[t] = t
		if i < len(mapped) {
			at[t], stacked[mapped[i]] = mapped[i], true
		}
	}
	all := func(of []*graph.Tensor) []*graph.Tensor {
		made := make([]*graph.Tensor, len(of))
		for i, t := range of {
			made[i] = at[t]
		}
		return made
	}
	for _, op := range one.Ops {
		copied := *op
		copied.In = all(op.In)
		times := int64(1)
		if slices.ContainsFunc(copied.In, func(t *graph.Tensor) bool { return stacked[t] }) {
			times = max(n, 1)
		}
		copied.Out = nil
		for _, t := range op.Out {
			y := *t
			y.From = &copied
			if times > 1 {
				y.Shape = append(tensor.Shape{n}, t.Shape...)
				stacked[&y] = true
			}
			y.Activated, y.Before = nil, nil
			at[t] = &y
			copied.Out = append(copied.Out, &y)
		}
		copied.Loop = nil // it is of one
		copied.Keep, copied.HoistedGrad = all(op.Keep), all(op.HoistedGrad)
		copied.Extra, copied.HoistedSizes = timesEach(op.Extra, times), timesEach(op.HoistedSizes, times)
		copied.SpillBytes, copied.SpillUntil = op.SpillBytes*times, op.SpillUntil*times
		copied.ForwardTemp, copied.BackwardTemp = op.ForwardTemp*times, op.BackwardTemp*times
		g.Ops = append(g.Ops, &copied)
	}
	results := all(out)
	for i, t := range results {
		if !stacked[t] {
			results[i] = g.Tensor(graph.OpTile, []*graph.Tensor{t}, append(tensor.Shape{n}, t.Shape...), t.DType)
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
