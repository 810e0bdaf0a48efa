package executor

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// simulated bounds the iterations that are simulated. After as many, a loop runs as far ahead of its
// states as it may.
const simulated = 6 * graph.Parallel

// A looping is a loop that is added to a step, iteration by iteration.
type looping struct {
	*Builder
	*graph.Loop
	readers []int // of each state within an iteration
	states  []*Buffer
	next    []*Kernel // of each state
}

// loop adds a loop. What depends on the counter alone does not wait for the states, and the counter is
// faster than they are: the products of the input and the copies of kernels of several iterations are
// there at once, and of as many as TensorFlow permits where the input comes late. The kernels between
// the body's are those of the graph that TensorFlow lowers the loop to
// (tensorflow/core/common_runtime/lower_while_op.cc).
func (b *Builder) loop(op *graph.Op, reads []*Buffer, out *Buffer) {
	l := &looping{Builder: b, Loop: op.Loop}
	n := min(l.Iterations, simulated)
	l.readers = make([]int, len(l.States))
	for _, k := range l.Kernels {
		for _, from := range k.From {
			if from < 0 {
				l.readers[-1-from]++
			}
		}
	}
	steps, first := reads[0], b.Run(reads[1:])              // the initial states
	counter, list := b.Run(nil), b.follow(b.Run(reads[:1])) // Enter
	for range l.States {
		l.states, l.next = append(l.states, nil), append(l.next, first)
	}
	// The list of the outputs; that of the iterations which are not simulated is shared out.
	listed := out.Size > l.Kernels[l.Output].Size
	var outputs []*Buffer
	rest := out.Size/max(n, 1) - l.Kernels[l.Output].Size
	var ends []*Kernel
	var last *Buffer
	for i := range n {
		merged := b.follow(counter)
		if i >= graph.Parallel {
			b.after(merged, ends[i-graph.Parallel])
		}
		condition := merged
		for range l.Compares {
			condition = b.follow(condition)
		}
		condition = b.follow(condition)       // LoopCond
		body := b.follow(b.follow(condition)) // Switch, Identity
		read := b.follow(body)
		item := b.follow(b.follow(list), condition) // Merge, Switch
		list = b.follow(b.follow(item), read)
		counter = b.follow(b.follow(read)) // AddV2 of a constant, NextIteration
		var end *Kernel
		last, end = l.iteration(condition, read, item, steps)
		if listed {
			outputs = append(outputs, last)
			if rest > 0 {
				element := b.Add(Buffer{Size: rest, Kind: Activations})
				b.Run(b.List(last), element)
				outputs = append(outputs, element)
			}
		}
		ends = append(ends, end)
	}
	if !listed {
		outputs = b.List(last)
	}
	b.Run(outputs, out)
}

// iteration adds the kernels of an iteration's body, and returns its output and one that waits for all.
func (l *looping) iteration(condition, read, item *Kernel, steps *Buffer) (output *Buffer, end *Kernel) {
	made, got := make([]*Buffer, len(l.Kernels)), l.follow(item, read)
	ready := make([]*Kernel, len(l.States))
	for k, before := range l.next {
		ready[k] = l.follow(l.follow(before), condition) // Merge, Switch
		if l.readers[k] > 2 {
			ready[k] = l.follow(ready[k]) // Identity
		}
	}
	end = l.follow()
	for i, k := range l.Kernels {
		out := l.Add(Buffer{Size: tensor.Round256(k.Size), Kind: Activations})
		var reads []*Buffer
		for _, from := range k.From {
			if from < 0 {
				reads = append(reads, l.states[-1-from])
			} else {
				reads = append(reads, made[from])
			}
		}
		if k.Over {
			copy(out.Over[:], reads)
		}
		if k.Input {
			reads = append(reads, steps)
		}
		run := l.Builder.Run(reads, out)
		for _, from := range k.From {
			if from < 0 {
				l.after(run, ready[-1-from])
			}
		}
		switch {
		case k.Input:
			l.after(run, got)
		case len(k.From) == 0:
			l.after(run, read)
		}
		l.after(end, run)
		made[i] = out
	}
	for k, at := range l.States {
		l.states[k] = made[at]
		l.next[k] = l.follow(made[at].Writer)
	}
	return made[l.Output], end
}

// follow adds a kernel that only waits for others.
func (b *Builder) follow(before ...*Kernel) *Kernel {
	k := b.Run(nil)
	for _, other := range before {
		b.after(k, other)
	}
	return k
}
