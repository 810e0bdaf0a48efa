package xla

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// differentiate adds the gradients that an op asks for, and their updates if nothing else reads
// the gradients.
func (c *compiler) differentiate(op *graph.Op) {
	g, through := op.Gradient, differentiated(c.Graph, op)
	c.Asked = g
	clear(c.sums)
	for i := range g.Weights {
		if t := op.Out[i]; c.uses[t.Number] != unread {
			c.sums[c.Places.Slot(op, i)].of = t
		}
	}
	for _, made := range through {
		if !c.Differs(made) {
			continue
		}
		for i := range made.Weights {
			c.sums[c.Places.Slot(made, i)].left++
		}
	}
	for _, t := range op.In {
		c.share(t, nil) // a constant
	}
	sources := op.Out[len(g.Weights):]
	executor.InTurn(through, c.Recording, func(made *graph.Op) {
		c.Layer = made.Layer
		for i, t := range g.Sources {
			if t.From == made {
				c.found(sources[i], t)
			}
		}
		c.backward(made)
	}, c.recompute)
	c.Layer = nil
	for i, t := range g.Sources {
		c.found(sources[i], t)
		c.back[t.Number] = nil
	}
	for i := range g.Weights { // no gradient came from some readers
		if s := &c.sums[c.Places.Slot(op, i)]; s.of != nil && s.left > 0 && len(s.parts) > 0 {
			c.summed(s)
		}
	}
}

// differentiated returns the operations through which the requested gradients flow back.
func differentiated(g *graph.Graph, op *graph.Op) []*graph.Op {
	if through := op.Gradient.Ops; through != nil {
		return through
	}
	return g.Ops[:op.Number]
}

// found records the gradient of a source. The gradient may flow on to what the source was
// computed from.
func (c *compiler) found(out, source *graph.Tensor) {
	roots, ok := c.whole(source)
	if !ok {
		return
	}
	if c.stored[out.Number] && (len(roots) != 1 || roots[0].Size != out.Bytes()) {
		roots = c.List(c.write(out.Bytes(), executor.Temporaries, roots))
	}
	c.roots[out.Number] = roots
	c.share(source, roots)
}

// loss adds the forward pass of a loss.
func (c *compiler) loss(op *graph.Op) {
	t := op.Out[0]
	c.roots[t.Number] = c.List(c.write(t.Bytes(), executor.Temporaries, c.sources(op.In)))
}

// lossGradient adds the gradient of a loss, given that of its value.
func (c *compiler) lossGradient(op *graph.Op, d []*executor.Buffer) {
	make := c.write
	softmax := strings.Contains(op.Loss, "categoricalcrossentropy") || strings.Contains(op.Loss, "softmaxcrossentropy")
	if softmax {
		make = c.apart
	}
	for _, t := range op.In {
		if !c.Flows(t) {
			continue
		}
		g := c.List(make(t.Bytes(), executor.Temporaries, c.Union(d, c.sources(op.In))))
		if softmax && planar(t) {
			// The kernel transposes the scores, and writes what the loss sums up beside the
			// gradient (xla/service/gpu/transforms/multi_output_fusion.cc). The gradient is
			// transposed back for the convolution.
			g[0].Writer.Temp = t.Bytes()
			g = c.List(c.apart(t.Bytes(), executor.Temporaries, g))
		}
		c.share(t, g)
	}
}

func (c *compiler) backward(op *graph.Op) {
	d := c.Reads[:0]
	var of *graph.Tensor
	for _, t := range op.Out {
		if roots, ok := c.whole(t); ok {
			d = append(d, roots...)
			if of == nil || t.Bytes() > of.Bytes() {
				of = t
			}
		}
	}
	if of == nil || !c.Differs(op) {
		return
	}
	c.Reads = d
	d = c.Union(d)
	role := c.roles[op.Number]
	switch {
	case op.Loss != "":
		c.lossGradient(op, d)
		return
	case op.Read:
		c.arrives(&c.sums[c.Places.Slot(op, 0)], d)
		return
	case op.View:
		c.share(op.In[0], d)
		return
	}
	if out := c.out[op.Number]; out.reads > 0 {
		d = c.List(c.apart(out.reads, executor.Temporaries, d))
	} else if role != graph.Fused && role != graph.Reduction && op.Kind != graph.OpAvgPool && (len(d) != 1 || d[0].Size != of.Bytes()) {
		d = c.List(c.write(of.Bytes(), executor.Temporaries, d))
	}
	var reads []*executor.Buffer
	extras := c.Extras[op.Number]
	switch {
	case role == graph.Library && c.copies[op.Number] != nil:
		reads = c.Union(d, c.copies[op.Number], extras)
	case role == graph.Library, op.Kind == graph.OpDropout:
		reads = c.Union(d, c.sources(op.Kept()), extras)
	case len(op.Extra) > 0, op.BackwardTemp > 0 && (op.Kind != graph.OpSoftmax || c.On == executor.Turing):
		// A softmax in a kernel of Triton's is in memory, and the gradient reads it. Otherwise
		// the gradient computes it again (xla/service/gpu/transforms/softmax_rewriter_triton.cc).
		reads = c.Union(d, c.sources(op.Kept()), c.sources(op.In), extras)
	default:
		reads = c.Union(d, c.sources(compared(op)))
	}
	if z := c.zero(op); z != nil {
		reads = append(slices.Clone(reads), z)
	}
	if op.Kind == graph.OpBiasAdd && len(d) > 1 && op.In[0].From != nil && op.In[0].From.Kind.Is(graph.Convolves) {
		d = c.summedWith(op, of, d)
		reads = d
	}
	for i, w := range op.Weights {
		c.derive(&c.sums[c.Places.Slot(op, i)], w.Elements()*of.DType.Size(), reads, op)
	}
	c.inputs(op, of, d, reads)
}

// inputs adds the gradients of an operation's inputs. d are the roots of the gradient of its
// output of, and reads are what the gradients read besides.
func (c *compiler) inputs(op *graph.Op, of *graph.Tensor, d, reads []*executor.Buffer) {
	role, extras := c.roles[op.Number], c.Extras[op.Number]
	for i, t := range op.In {
		if !c.Flows(t) || executor.Skipped(op, i) {
			continue
		}
		roots := reads
		switch {
		case op.GradSame && t.Bytes() == of.Bytes(), op.Kind == graph.OpAvgPool && 2*size(of) <= size(t), sums(op) && !op.Inner:
			roots = d
		case op.Inner && size(t) < size(op.In[1-i]): // it is a sum too; the gradient of the other input is an elementwise product
			roots = c.List(c.apart(t.Bytes(), executor.Temporaries, reads))
		case role == graph.Library, role == graph.Window:
			temp := c.reordered(op, op.BackwardTemp)
			if op.Kind == graph.OpMaxPool {
				temp = c.poolGradient(op)
			}
			from := reads
			if op.Linear { // and of the weights
				from = c.Union(d, extras)
			}
			g := c.Add(executor.Buffer{Size: max(c.in[op.Number].writes, t.Bytes()), Part: op.Kind.Is(graph.Convolves) || c.gemm(op)})
			c.Run(c.Union(from, c.filters[op.Number]), g).Temp = temp + c.workspace(op)
			roots = c.List(g)
		case 2*size(t) <= size(of), len(reads) > operands:
			roots = c.List(c.write(t.Bytes(), executor.Temporaries, reads))
		}
		c.share(t, roots)
	}
}

// summedWith adds the kernel that sums up the gradient of a bias. Beside the sum it writes the
// summands for the convolution. If the convolution reads those with padding, it writes a mask
// instead, a byte for each element (xla/service/gpu/transforms/multi_output_fusion.cc).
func (c *compiler) summedWith(op *graph.Op, of *graph.Tensor, d []*executor.Buffer) []*executor.Buffer {
	if c.out[op.In[0].From.Number].reads == 0 {
		beside := c.write(of.Bytes(), executor.Temporaries, d)
		beside.Part = true
		return c.List(beside)
	}
	mask := c.List(c.apart(of.Bytes()/of.DType.Size(), executor.Temporaries, d))
	for _, b := range d {
		if b.Writer != nil && b.Writer.Phase == executor.Backward {
			mask = append(mask, b)
		}
	}
	return mask
}

// A sum is the gradient of a weight, with one part for each operation that reads the weight.
type sum struct {
	of    *graph.Tensor // nil if it is not asked for
	parts []*executor.Buffer
	left  int // parts that are still to come
}

// derive adds a part of the gradient of a weight, if that is asked for. After the last part it
// adds what the gradient is for. The kernel of a product adds its result to the variable itself,
// if that is all (xla/service/gpu/transforms/gemm_fusion.cc).
func (c *compiler) derive(s *sum, size int64, reads []*executor.Buffer, op *graph.Op) {
	if s.of == nil {
		return
	}
	product := op.Kind.Is(graph.Multiplies) && c.roles[op.Number] == graph.Library && !c.cublas()
	if product && c.uses[s.of.Number] == added && s.left == 1 && len(s.parts) == 0 {
		size = 0
	}
	g := c.write(size, executor.Gradients, reads)
	g.Writer.Temp = c.workspace(op)
	if s.parts == nil {
		s.parts = c.Lists.Take(1)[:0] // usually there is one
	}
	s.parts = append(s.parts, g)
	if s.left--; s.left == 0 {
		c.summed(s)
	}
}

// arrives adds the gradient of a variable's read to the variable's gradient. The update computes
// that from it, in the variable's type.
func (c *compiler) arrives(s *sum, d []*executor.Buffer) {
	if s.of == nil {
		return
	}
	s.parts = c.Union(s.parts, d)
	if s.left--; s.left == 0 {
		c.summed(s)
	}
}

// summed adds the update by a gradient, unless something else reads the gradient first. The
// kernel that reads the parts adds them up.
func (c *compiler) summed(s *sum) {
	if c.uses[s.of.Number] == awaited {
		c.roots[s.of.Number] = s.parts
		return
	}
	phase := c.Phase
	c.Phase = executor.Update
	c.Run(s.parts).Defines = c.defined[s.of.Number]
	c.Phase = phase
}

// apply adds the updates that did not run as soon as their gradients were there.
func (c *compiler) apply(op *graph.Op) {
	for _, t := range op.In {
		if c.uses[t.Number] == awaited {
			c.Run(c.roots[t.Number]).Defines = c.defined[t.Number]
		}
	}
}

// count records what stays between the passes.
func (c *compiler) count() {
	for _, k := range c.Kernels {
		if k.Phase != executor.Backward {
			continue
		}
		for _, b := range k.Reads() {
			if b.Writer != nil && b.Writer.Phase == executor.Forward {
				c.Stays(b)
			}
		}
	}
	clear(c.Extras) // they are among the kept
}

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
