package xla

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// recompute is builder.recompute as XLA compiles it: the copies are fused into what reads them.
func (c *compiler) recompute(r *graph.Region, ops []*graph.Op) {
	var comes []*executor.Buffer
	for i := len(ops) - 1; i >= 0 && comes == nil; i-- {
		for _, t := range ops[i].Out {
			comes = c.Union(append(c.back[t.Number], comes)...)
		}
	}
	if len(comes) == 0 {
		return
	}
	before := map[*graph.Tensor][]*executor.Buffer{}
	c.Layer = ops[0].Layer
	sign := c.write(256, executor.Temporaries, comes)
	for _, t := range executor.Reaching(ops) {
		before[t] = c.roots[t.Number]
		c.roots[t.Number] = c.Union(c.roots[t.Number], c.List(sign))
	}
	outer := c.Recording
	c.Recording = r
	needed := executor.Needed(ops, r)
	for _, op := range ops {
		if c.Layer = op.Layer; needed[op] {
			c.Extras[op.Number] = nil
			c.forward(op)
		}
	}
	c.backwards(ops)
	c.Recording = outer
	for t, roots := range before {
		c.roots[t.Number] = roots
	}
}

func (c *compiler) backwards(ops []*graph.Op) {
	executor.InTurn(ops, c.Recording, func(op *graph.Op) {
		c.Layer = op.Layer
		c.backward(op)
	}, c.recompute)
}
