package memory

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// differentiate adds the gradients of what an op asks for, and their updates where
// nothing else is made of them.
func (c *compiler) differentiate(op *keras.Op) {
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
	inTurn(through, c.recording, func(made *keras.Op) {
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
	for i := range g.Weights { // nothing flowed back through some of what reads them
		if s := &c.sums[c.places.slot(op, i)]; s.of != nil && s.left > 0 && len(s.parts) > 0 {
			c.summed(s)
		}
	}
}

// differentiated are the operations that the gradients which an op asks for flow back
// through.
func differentiated(g *keras.Graph, op *keras.Op) []*keras.Op {
	if through := op.Gradient.Ops; through != nil {
		return through
	}
	return g.Ops[:op.Number]
}

// found notes the gradient of a source, which may go on to what it was made of.
func (c *compiler) found(out, source *keras.Tensor) {
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
func (c *compiler) loss(op *keras.Op) {
	t := op.Out[0]
	c.roots[t.Number] = c.list(c.write(t.Bytes(), Temporaries, c.sources(op.In)))
}

// lossGradient adds the gradient of a loss, given what comes back to it.
func (c *compiler) lossGradient(op *keras.Op, d []*buffer) {
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
			// The kernel brings the scores into another order, and writes what the loss sums
			// up beside the gradient (xla/service/gpu/transforms/multi_output_fusion.cc), which
			// is brought back into the order of the convolution.
			g[0].writer.temp = t.Bytes()
			g = c.list(c.apart(t.Bytes(), Temporaries, g))
		}
		c.share(t, g)
	}
}

func (c *compiler) backward(op *keras.Op) {
	d := c.reads[:0]
	var of *keras.Tensor
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
	} else if role != fused && role != reduction && op.Name != "AvgPool" && (len(d) != 1 || d[0].size != of.Bytes()) {
		d = c.list(c.write(of.Bytes(), Temporaries, d))
	}
	var reads []*buffer
	extras := c.extras[op.Number]
	switch {
	case role == library && c.copies[op.Number] != nil:
		reads = c.union(d, c.copies[op.Number], extras)
	case role == library, op.Name == "Dropout":
		reads = c.union(d, c.sources(op.Kept()), extras)
	case len(op.Extra) > 0, op.BackwardTemp > 0 && (op.Name != "softmax" || c.on == turing):
		// A softmax in a kernel of Triton's is there, its gradient made of it; else that
		// computes it again (xla/service/gpu/transforms/softmax_rewriter_triton.cc).
		reads = c.union(d, c.sources(op.Kept()), c.sources(op.In), extras)
	default:
		reads = c.union(d, c.sources(compared(op)))
	}
	if z := c.zero(op); z != nil {
		reads = append(slices.Clone(reads), z)
	}
	if op.Name == "BiasAdd" && len(d) > 1 && op.In[0].From != nil && convolves(op.In[0].From) {
		d = c.summedWith(op, of, d)
		reads = d
	}
	for i, w := range op.Weights {
		c.derive(&c.sums[c.places.slot(op, i)], w.Elements()*of.DType.Size(), reads, op)
	}
	c.inputs(op, of, d, reads)
}

// inputs adds the gradients of an operation's inputs, given that of its output, of, which
// d are the roots of, and what it reads besides.
func (c *compiler) inputs(op *keras.Op, of *keras.Tensor, d, reads []*buffer) {
	role, extras := c.roles[op.Number], c.extras[op.Number]
	for i, t := range op.In {
		if !c.flows(t) || skipped(op, i) {
			continue
		}
		roots := reads
		switch {
		case op.GradSame && t.Bytes() == of.Bytes(), op.Name == "AvgPool" && 2*size(of) <= size(t), sums(op) && !op.Inner:
			roots = d
		case op.Inner && size(t) < size(op.In[1-i]): // it is a sum, too, that of the other a product of numbers
			roots = c.list(c.apart(t.Bytes(), Temporaries, reads))
		case role == library, role == window:
			temp := c.reordered(op, op.BackwardTemp)
			if op.Name == "MaxPool" {
				temp = c.poolGradient(op)
			}
			from := reads
			if op.Linear { // and of the weights
				from = c.union(d, extras)
			}
			g := c.add(buffer{size: max(c.in[op.Number].writes, t.Bytes()), part: convolves(op) || c.gemm(op)})
			c.run(c.union(from, c.filters[op.Number]), g).temp = temp + c.workspace(op)
			roots = c.list(g)
		case 2*size(t) <= size(of), len(reads) > operands:
			roots = c.list(c.write(t.Bytes(), Temporaries, reads))
		}
		c.share(t, roots)
	}
}

// summedWith adds the kernel that sums up the gradient of a bias and writes what it sums
// beside it, for the convolution, or, where that reads it with zeros around it, only which
// of it there is: a byte each (xla/service/gpu/transforms/multi_output_fusion.cc).
func (c *compiler) summedWith(op *keras.Op, of *keras.Tensor, d []*buffer) []*buffer {
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

// A sum is the gradient of a weight, with one part for each operation that reads the
// weight.
type sum struct {
	of    *keras.Tensor // nil where it is not asked for
	parts []*buffer
	left  int // parts that are still to come
}

// derive adds a part of the gradient of a weight, if that is asked for, and after the last
// of them what it is for. The kernel of a product adds it to the variable itself, where that
// is all (xla/service/gpu/transforms/gemm_fusion.cc).
func (c *compiler) derive(s *sum, size int64, reads []*buffer, op *keras.Op) {
	if s.of == nil {
		return
	}
	product := multiplies(op) && c.roles[op.Number] == library && !c.cublas()
	if product && c.uses[s.of.Number] == added && s.left == 1 && len(s.parts) == 0 {
		size = 0
	}
	g := c.write(size, Gradients, reads)
	g.writer.temp = c.workspace(op)
	if s.parts == nil {
		s.parts = c.lists.take(1)[:0] // most often there is one
	}
	s.parts = append(s.parts, g)
	if s.left--; s.left == 0 {
		c.summed(s)
	}
}

// arrives adds what came back to a variable that was read to its gradient: the update
// computes that from it, in the variable's type.
func (c *compiler) arrives(s *sum, d []*buffer) {
	if s.of == nil {
		return
	}
	s.parts = c.union(s.parts, d)
	if s.left--; s.left == 0 {
		c.summed(s)
	}
}

// summed adds the update by a gradient, unless something else is made of it first. The
// parts are added up in the kernel that reads them.
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

// apply adds the updates that were not made as soon as their gradients were there.
func (c *compiler) apply(op *keras.Op) {
	for _, t := range op.In {
		if c.uses[t.Number] == awaited {
			c.run(c.roots[t.Number]).defines = c.defined[t.Number]
		}
	}
}

// count notes what stays between the passes.
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
	clear(c.extras) // they are among them
}
