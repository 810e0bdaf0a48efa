package memory

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// differentiate adds the gradients that an op asks for, and their updates if nothing else reads
// the gradients.
func (c *compiler) differentiate(op *graph.Op) {
	g, through := op.Gradient, differentiated(c.graph, op)
	c.asked = g
	clear(c.sums)
	for i := range g.Weights {
		if t := op.Out[i]; c.uses[t.Number] != unread {
			c.sums[c.places.slot(op, i)].of = t
		}
	}
	for _, made := range through {
		if !c.differs(made) {
			continue
		}
		for i := range made.Weights {
			c.sums[c.places.slot(made, i)].left++
		}
	}
	for _, t := range op.In {
		c.share(t, nil) // a constant
	}
	sources := op.Out[len(g.Weights):]
	inTurn(through, c.recording, func(made *graph.Op) {
		c.layer = made.Layer
		for i, t := range g.Sources {
			if t.From == made {
				c.found(sources[i], t)
			}
		}
		c.backward(made)
	}, c.recompute)
	c.layer = nil
	for i, t := range g.Sources {
		c.found(sources[i], t)
		c.back[t.Number] = nil
	}
	for i := range g.Weights { // no gradient came from some readers
		if s := &c.sums[c.places.slot(op, i)]; s.of != nil && s.left > 0 && len(s.parts) > 0 {
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
	if c.stored[out.Number] && (len(roots) != 1 || roots[0].size != out.Bytes()) {
		roots = c.list(c.write(out.Bytes(), Temporaries, roots))
	}
	c.roots[out.Number] = roots
	c.share(source, roots)
}

// loss adds the forward pass of a loss.
func (c *compiler) loss(op *graph.Op) {
	t := op.Out[0]
	c.roots[t.Number] = c.list(c.write(t.Bytes(), Temporaries, c.sources(op.In)))
}

// lossGradient adds the gradient of a loss, given that of its value.
func (c *compiler) lossGradient(op *graph.Op, d []*buffer) {
	make := c.write
	softmax := strings.Contains(op.Loss, "categoricalcrossentropy") || strings.Contains(op.Loss, "softmaxcrossentropy")
	if softmax {
		make = c.apart
	}
	for _, t := range op.In {
		if !c.flows(t) {
			continue
		}
		g := c.list(make(t.Bytes(), Temporaries, c.union(d, c.sources(op.In))))
		if softmax && planar(t) {
			// The kernel transposes the scores, and writes what the loss sums up beside the
			// gradient (xla/service/gpu/transforms/multi_output_fusion.cc). The gradient is
			// transposed back for the convolution.
			g[0].writer.temp = t.Bytes()
			g = c.list(c.apart(t.Bytes(), Temporaries, g))
		}
		c.share(t, g)
	}
}

func (c *compiler) backward(op *graph.Op) {
	d := c.reads[:0]
	var of *graph.Tensor
	for _, t := range op.Out {
		if roots, ok := c.whole(t); ok {
			d = append(d, roots...)
			if of == nil || t.Bytes() > of.Bytes() {
				of = t
			}
		}
	}
	if of == nil || !c.differs(op) {
		return
	}
	c.reads = d
	d = c.union(d)
	role := c.roles[op.Number]
	switch {
	case op.Loss != "":
		c.lossGradient(op, d)
		return
	case op.Read:
		c.arrives(&c.sums[c.places.slot(op, 0)], d)
		return
	case op.View:
		c.share(op.In[0], d)
		return
	}
	if out := c.out[op.Number]; out.reads > 0 {
		d = c.list(c.apart(out.reads, Temporaries, d))
	} else if role != graph.Fused && role != graph.Reduction && op.Kind != graph.OpAvgPool && (len(d) != 1 || d[0].size != of.Bytes()) {
		d = c.list(c.write(of.Bytes(), Temporaries, d))
	}
	var reads []*buffer
	extras := c.extras[op.Number]
	switch {
	case role == graph.Library && c.copies[op.Number] != nil:
		reads = c.union(d, c.copies[op.Number], extras)
	case role == graph.Library, op.Kind == graph.OpDropout:
		reads = c.union(d, c.sources(op.Kept()), extras)
	case len(op.Extra) > 0, op.BackwardTemp > 0 && (op.Kind != graph.OpSoftmax || c.on == turing):
		// A softmax in a kernel of Triton's is in memory, and the gradient reads it. Otherwise
		// the gradient computes it again (xla/service/gpu/transforms/softmax_rewriter_triton.cc).
		reads = c.union(d, c.sources(op.Kept()), c.sources(op.In), extras)
	default:
		reads = c.union(d, c.sources(compared(op)))
	}
	if z := c.zero(op); z != nil {
		reads = append(slices.Clone(reads), z)
	}
	if op.Kind == graph.OpBiasAdd && len(d) > 1 && op.In[0].From != nil && op.In[0].From.Kind.Is(graph.Convolves) {
		d = c.summedWith(op, of, d)
		reads = d
	}
	for i, w := range op.Weights {
		c.derive(&c.sums[c.places.slot(op, i)], w.Elements()*of.DType.Size(), reads, op)
	}
	c.inputs(op, of, d, reads)
}

// inputs adds the gradients of an operation's inputs. d are the roots of the gradient of its
// output of, and reads are what the gradients read besides.
func (c *compiler) inputs(op *graph.Op, of *graph.Tensor, d, reads []*buffer) {
	role, extras := c.roles[op.Number], c.extras[op.Number]
	for i, t := range op.In {
		if !c.flows(t) || skipped(op, i) {
			continue
		}
		roots := reads
		switch {
		case op.GradSame && t.Bytes() == of.Bytes(), op.Kind == graph.OpAvgPool && 2*size(of) <= size(t), sums(op) && !op.Inner:
			roots = d
		case op.Inner && size(t) < size(op.In[1-i]): // it is a sum too; the gradient of the other input is an elementwise product
			roots = c.list(c.apart(t.Bytes(), Temporaries, reads))
		case role == graph.Library, role == graph.Window:
			temp := c.reordered(op, op.BackwardTemp)
			if op.Kind == graph.OpMaxPool {
				temp = c.poolGradient(op)
			}
			from := reads
			if op.Linear { // and of the weights
				from = c.union(d, extras)
			}
			g := c.add(buffer{size: max(c.in[op.Number].writes, t.Bytes()), part: op.Kind.Is(graph.Convolves) || c.gemm(op)})
			c.run(c.union(from, c.filters[op.Number]), g).temp = temp + c.workspace(op)
			roots = c.list(g)
		case 2*size(t) <= size(of), len(reads) > operands:
			roots = c.list(c.write(t.Bytes(), Temporaries, reads))
		}
		c.share(t, roots)
	}
}

// summedWith adds the kernel that sums up the gradient of a bias. Beside the sum it writes the
// summands for the convolution. If the convolution reads those with padding, it writes a mask
// instead, a byte for each element (xla/service/gpu/transforms/multi_output_fusion.cc).
func (c *compiler) summedWith(op *graph.Op, of *graph.Tensor, d []*buffer) []*buffer {
	if c.out[op.In[0].From.Number].reads == 0 {
		beside := c.write(of.Bytes(), Temporaries, d)
		beside.part = true
		return c.list(beside)
	}
	mask := c.list(c.apart(of.Bytes()/of.DType.Size(), Temporaries, d))
	for _, b := range d {
		if b.writer != nil && b.writer.phase == Backward {
			mask = append(mask, b)
		}
	}
	return mask
}

// A sum is the gradient of a weight, with one part for each operation that reads the weight.
type sum struct {
	of    *graph.Tensor // nil if it is not asked for
	parts []*buffer
	left  int // parts that are still to come
}

// derive adds a part of the gradient of a weight, if that is asked for. After the last part it
// adds what the gradient is for. The kernel of a product adds its result to the variable itself,
// if that is all (xla/service/gpu/transforms/gemm_fusion.cc).
func (c *compiler) derive(s *sum, size int64, reads []*buffer, op *graph.Op) {
	if s.of == nil {
		return
	}
	product := op.Kind.Is(graph.Multiplies) && c.roles[op.Number] == graph.Library && !c.cublas()
	if product && c.uses[s.of.Number] == added && s.left == 1 && len(s.parts) == 0 {
		size = 0
	}
	g := c.write(size, Gradients, reads)
	g.writer.temp = c.workspace(op)
	if s.parts == nil {
		s.parts = c.lists.take(1)[:0] // usually there is one
	}
	s.parts = append(s.parts, g)
	if s.left--; s.left == 0 {
		c.summed(s)
	}
}

// arrives adds the gradient of a variable's read to the variable's gradient. The update computes
// that from it, in the variable's type.
func (c *compiler) arrives(s *sum, d []*buffer) {
	if s.of == nil {
		return
	}
	s.parts = c.union(s.parts, d)
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
	phase := c.phase
	c.phase = Update
	c.run(s.parts).defines = c.defined[s.of.Number]
	c.phase = phase
}

// apply adds the updates that did not run as soon as their gradients were there.
func (c *compiler) apply(op *graph.Op) {
	for _, t := range op.In {
		if c.uses[t.Number] == awaited {
			c.run(c.roots[t.Number]).defines = c.defined[t.Number]
		}
	}
}

// count records what stays between the passes.
func (c *compiler) count() {
	for _, k := range c.kernels {
		if k.phase != Backward {
			continue
		}
		for _, b := range k.reads() {
			if b.writer != nil && b.writer.phase == Forward {
				c.stays(b)
			}
		}
	}
	clear(c.extras) // they are among the kept
}
