package xla

import "github.com/tfmem/tfmem/analyzer/graph"

// together returns the order in which the operations of a step run. It is that of the program,
// except that operations with the same variable run together, and so do products with the same
// tensor. They must not depend on each other, and the variable must not be updated between them.
// XLA makes one product of their products (xla/hlo/transforms/simplifiers/dot_merger.cc) and one
// kernel of their sums with a bias (xla/service/gpu/transforms/multi_output_fusion.cc): the
// inputs of the later ones are computed before the first. several is set if some variable has
// several readers. mates holds the operations of one kernel, by operation number.
func together(ops []*graph.Op, several bool) (out []*graph.Op, mates map[int][]*graph.Op) {
	fed := siblings(ops)
	if !several && fed == nil {
		return ops, nil
	}
	alike := map[reader][]*graph.Op{}
	for _, op := range ops {
		if r, ok := readerOf(op); ok {
			alike[r] = append(alike[r], op)
		}
	}
	mates = map[int][]*graph.Op{}
	o := &order{
		out: make([]*graph.Op, 0, len(ops)), done: make([]bool, len(ops)), seen: make([]int, len(ops)),
		updates: map[*graph.Weight][]int{}, left: 4 * len(ops),
	}
	for _, op := range ops {
		if op.Update != nil {
			for _, w := range op.Update.Weights {
				o.updates[w] = append(o.updates[w], op.Number)
			}
		}
	}
	for _, op := range ops {
		if o.done[op.Number] {
			continue
		}
		with := []*graph.Op{op}
		if r, ok := readerOf(op); ok {
			with = o.with(with, alike[r])
		}
		if len(with) == 1 && fed != nil && merges(op) {
			with = o.with(with, fed[input(op)])
		}
		for _, op := range with {
			o.add(op)
			if len(with) > 1 {
				mates[op.Number] = with
			}
		}
	}
	return o.out, mates
}

// siblings returns the products of the same tensor with several variables, by tensor; nil if
// there are none.
func siblings(ops []*graph.Op) map[*graph.Tensor][]*graph.Op {
	var fed map[*graph.Tensor][]*graph.Op
	for i, op := range ops {
		if !merges(op) {
			continue
		}
		x := input(op)
		if all, ok := fed[x]; ok {
			fed[x] = append(all, op)
			continue
		}
		for _, other := range ops[max(0, i-siblingsWithin):i] {
			if merges(other) && input(other) == x {
				if fed == nil {
					fed = map[*graph.Tensor][]*graph.Op{}
				}
				fed[x] = []*graph.Op{other, op}
				break
			}
		}
	}
	return fed
}

// siblingsWithin is how many operations may lie between the first two products of a tensor.
const siblingsWithin = 64

// merges reports whether an operation is a product of a tensor with a variable.
func merges(op *graph.Op) bool {
	return (op.Kind == graph.OpMatMul || op.Kind == graph.OpEinsum) && len(op.Weights) == 1 && len(op.In) == 1 && op.Layer != nil && op.Remat == nil && !sums(op)
}

// input returns the tensor that an operation with one input reads, in whatever shape.
func input(op *graph.Op) *graph.Tensor {
	x := op.In[0]
	for x.From != nil && x.From.View {
		x = x.From.In[0]
	}
	return x
}

// mergeable bounds the bytes that one of two merged products reads and writes
// (xla/debug_options_flags.cc, xla_gpu_dot_merger_threshold_mb).
const mergeable = 32 << 20

// moved returns the bytes that merged products read and write.
func moved(ops []*graph.Op) (n int64) {
	shared := len(ops) > 1 && ops[0].In[0] == ops[1].In[0]
	for i, op := range ops {
		n += op.Out[0].Bytes()
		if i == 0 || !shared {
			n += op.In[0].Bytes()
		}
		if i == 0 || shared {
			n += op.Weights[0].Bytes()
		}
	}
	return n
}

// A reader is what operations that read the same variable have in common.
type reader struct {
	layer *graph.Layer
	kind  *graph.Kind
}

// readerOf returns what an operation reads, if that makes it one kernel with others. cuDNN's
// convolutions stay alone, with the bias that they add.
func readerOf(op *graph.Op) (reader, bool) {
	if op.Layer == nil || op.Remat != nil || len(op.In) == 0 {
		return reader{}, false
	}
	from := op.In[0].From
	switch {
	case op.Kind == graph.OpMatMul:
		return reader{op.Layer, op.Kind}, len(op.Weights) > 0
	case op.Kind == graph.OpBiasAdd:
		return reader{op.Layer, op.Kind}, from != nil && (!from.Kind.Is(graph.Convolves) || transposed(from))
	case from != nil && from.Kind == graph.OpBiasAdd && !op.View && len(op.In) == 1 && roleOf(op) == graph.Fused:
		_, ok := readerOf(from)
		return reader{op.Layer, op.Kind}, ok
	}
	return reader{}, false
}

// An order is the order of a step's operations under construction.
type order struct {
	out     []*graph.Op
	done    []bool
	seen    []int                   // the last search that came to an operation
	updates map[*graph.Weight][]int // where in the program a variable is updated
	search  int
	left    int // how many operations searches may still visit
}

func (o *order) add(op *graph.Op) {
	if !o.done[op.Number] {
		o.done[op.Number] = true
		o.out = append(o.out, op)
	}
}

// with returns an operation together with the operations that become one kernel with it.
func (o *order) with(with, others []*graph.Op) []*graph.Op {
	op := with[0]
	for _, other := range others {
		if o.left <= 0 || len(with) == operands {
			break
		}
		if o.done[other.Number] || other == op {
			continue
		}
		if op.Kind.Is(graph.Multiplies) && len(op.Weights) == 1 && moved(with) > mergeable && moved([]*graph.Op{other}) > mergeable {
			continue
		}
		if before, ok := o.free(other, with, op.Number); ok {
			for _, b := range before {
				o.add(b)
			}
			with = append(with, other)
		}
	}
	return with
}

// free reports whether an operation can run at the program's position at, together with others,
// and returns what has to run before it.
func (o *order) free(op *graph.Op, with []*graph.Op, at int) (before []*graph.Op, ok bool) {
	o.search++
	o.left--
	for _, w := range with {
		o.seen[w.Number] = -o.search
	}
	ok = o.reach(op, at, &before)
	for _, w := range with {
		o.seen[w.Number] = 0
	}
	if !ok {
		return nil, false
	}
	return before[:len(before)-1], true
}

// reach lists an operation after all that it needs and that did not run yet. It reports false if
// one of them cannot run now.
func (o *order) reach(op *graph.Op, at int, before *[]*graph.Op) bool {
	switch {
	case o.done[op.Number] || o.seen[op.Number] == o.search:
		return true
	case o.seen[op.Number] == -o.search || op.Gradient != nil || op.Update != nil || op.Remat != nil || o.left <= 0:
		return false
	}
	o.left--
	o.seen[op.Number] = o.search
	for _, w := range op.Weights {
		for _, u := range o.updates[w] {
			if at < u && u < op.Number {
				return false
			}
		}
	}
	for _, t := range op.In {
		if t.From != nil && !o.reach(t.From, at, before) {
			return false
		}
	}
	*before = append(*before, op)
	return true
}
