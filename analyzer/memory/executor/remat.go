package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// keepInputs counts the tensors that enter the region of an operation as kept for its gradient.
func (b *Builder) keepInputs(op *graph.Op) {
	r := op.Remat.Within(b.Recording)
	for _, t := range op.In {
		if t.From == nil || t.From.Remat.Within(b.Recording) != r {
			b.keep(t)
		}
	}
}

// backwards adds the gradients of operations, the last first. Those of a rematerialised region
// come after the region has run again.
func (b *Builder) backwards(ops []*graph.Op) {
	InTurn(ops, b.Recording, func(op *graph.Op) {
		b.Layer = op.Layer
		b.backward(op)
	}, b.recompute)
}

// InTurn visits operations, the last first: one by one, and the operations of one rematerialised
// region together.
func InTurn(ops []*graph.Op, recording *graph.Region, one func(*graph.Op), region func(*graph.Region, []*graph.Op)) {
	for last := len(ops) - 1; last >= 0; last-- {
		r := ops[last].Remat.Within(recording)
		if r == nil {
			one(ops[last])
			continue
		}
		first := last
		for first > 0 && ops[first-1].Remat.Within(recording) == r {
			first--
		}
		region(r, ops[first:last+1])
		last = first
	}
}

// recompute adds the operations of a region once more, and their gradients. They run on copies of
// the region's inputs, made when a gradient of its output is there
// (tensorflow/python/ops/custom_gradient.py, recompute_grad, dresult_dep).
func (b *Builder) recompute(r *graph.Region, ops []*graph.Op) {
	var comes *Buffer
	for i := len(ops) - 1; i >= 0 && comes == nil; i-- {
		for _, t := range ops[i].Out {
			if parts := b.grads[t.Number]; len(parts) > 0 {
				comes = parts[0]
			}
		}
	}
	if comes == nil {
		return
	}
	before := map[*graph.Tensor]*Buffer{}
	b.Layer = ops[0].Layer
	sign := b.made(256, nil, comes)
	for _, t := range Reaching(ops) {
		v := b.Values[t.Number]
		if v == nil {
			continue
		}
		before[t] = v
		copied := b.made(t.Bytes(), v, v, sign)
		copied.Kind = Activations
		b.Values[t.Number] = copied
	}
	outer := b.Recording
	b.Recording = r
	needed := Needed(ops, r)
	for _, op := range ops {
		if !needed[op] && !(b.composed(op) && NeedsGradient(op) && op.Remat == r) {
			continue
		}
		b.Layer = op.Layer
		b.forward(op)
		for _, t := range op.Out {
			if !needed[t] {
				b.Values[t.Number].Size = 0
			}
		}
	}
	b.backwards(ops)
	b.Recording = outer
	for t, v := range before {
		b.Values[t.Number] = v
	}
}

// Reaching returns the tensors that operations read from outside, each once, without variables.
func Reaching(ops []*graph.Op) (out []*graph.Tensor) {
	seen := make(map[*graph.Tensor]bool, 2*len(ops))
	for _, op := range ops {
		for _, t := range op.In {
			if !seen[t] && (t.From == nil || !t.From.Read) {
				out = append(out, t)
			}
			seen[t] = true
		}
		for _, t := range op.Out {
			seen[t] = true
		}
	}
	return out
}

// Needed returns the operations of a region that its gradients need again, and those that compute
// their inputs. TensorFlow's graph optimizer removes the rest, which nothing reads
// (tensorflow/core/grappler/optimizers/model_pruner.cc).
func Needed(ops []*graph.Op, r *graph.Region) map[any]bool {
	needed := map[any]bool{}
	for i := len(ops) - 1; i >= 0; i-- {
		op := ops[i]
		if NeedsGradient(op) && op.Remat == r {
			for _, t := range op.Kept() {
				needed[t] = true
			}
			needed[op] = len(op.Extra) > 0 || op.KeptCast() > 0
		}
		for _, t := range op.Out {
			needed[op] = needed[op] || needed[t]
		}
		if needed[op] || op.Remat != r {
			for _, t := range op.In {
				needed[t] = true
			}
		}
	}
	return needed
}
