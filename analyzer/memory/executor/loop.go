package executor

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// simulated bounds the iterations that are simulated. After as many, a loop runs as far ahead of its
// states as it may. Of an unrolled loop with more, op.InferenceTemp says enough.
const simulated = 6 * graph.Parallel

// A looping is a loop that is added to a step, iteration by iteration.
type looping struct {
	*Builder
	*graph.Loop
	readers []int // of each state within an iteration
	states  []*Buffer
	next    []*Kernel // of each state
}

// simulates reports whether an operation is a loop that is added iteration by iteration: one in
// inference, of which that is known.
func (b *Builder) simulates(op *graph.Op) bool {
	l := op.Loop
	return l != nil && !b.Ordered && (b.Infers || !NeedsGradient(op)) && (!l.Unrolled || 0 < l.Iterations && l.Iterations <= simulated)
}

// loop adds a loop. What depends on the counter alone does not wait for the states, and the counter is
// faster than they are: the products of the input and the copies of kernels of several iterations are
// there at once, and of as many as TensorFlow permits where the input comes late. The kernels between
// the body's are those of the graph that TensorFlow lowers the loop to
// (tensorflow/core/common_runtime/lower_while_op.cc).
func (b *Builder) loop(op *graph.Op, reads []*Buffer, out *Buffer) {
	l := &looping{Builder: b, Loop: op.Loop}
	if l.Unrolled {
		l.unroll(reads, out)
		return
	}
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
	l.starts(first)
	// The list of the outputs; that of the iterations which are not simulated is shared out.
	listed := out.Size > l.Kernels[l.Output].Size
	var outputs []*Buffer
	rest := out.Size/max(n, 1) - l.Kernels[l.Output].Size
	var ends []*Kernel
	var last *Buffer
	shares := slices.ContainsFunc(l.Kernels, func(k graph.LoopKernel) bool { return k.Shared })
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
		at := entered{condition, read, read, b.follow(b.follow(list), condition)} // Merge, Switch
		if shares {
			at.shared = b.follow(b.follow(body)) // Identity, read
		}
		list = b.follow(b.follow(at.item), read)
		// The counter is added up meanwhile, but the next iteration waits for all reads of variables
		// (NoOp, NextIteration): an iteration of the body is a function that returns after them.
		counter = b.follow(b.follow(at.shared))
		var end *Kernel
		last, end = l.iteration(at, steps)
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

// unroll adds the steps of an unrolled loop. All of them read the variables when the step starts, and
// their parts of the input when it is unstacked, which copies nothing (tensorflow/core/kernels/unpack_op.cc).
func (l *looping) unroll(reads []*Buffer, out *Buffer) {
	read, unstacked := l.Builder.Run(nil), l.Builder.Run(reads)
	at := entered{unstacked, read, read, unstacked}
	l.starts(unstacked)
	var outputs []*Buffer
	for range l.Iterations {
		last, _ := l.iteration(at, reads[0])
		outputs = append(outputs, last)
	}
	if out.Size <= l.Kernels[l.Output].Size { // the last one alone, as it is
		outputs = outputs[len(outputs)-1:]
		out.Over[0] = outputs[0]
	}
	l.Builder.Run(outputs, out)
}

// starts sets what the first iteration waits for where it reads states.
func (l *looping) starts(first *Kernel) {
	for range l.States {
		l.states, l.next = append(l.states, nil), append(l.next, first)
	}
}

// entered are the kernels that those of an iteration's body wait for.
type entered struct {
	condition    *Kernel
	read, shared *Kernel // of variables; shared is those of which more than two kernels read each
	item         *Kernel // from the list of the input
}

// iteration adds the kernels of an iteration's body, and returns its output and one that waits for all.
func (l *looping) iteration(at entered, steps *Buffer) (output *Buffer, end *Kernel) {
	made, got := make([]*Buffer, len(l.Kernels)), l.follow(at.item, at.read)
	ready := make([]*Kernel, len(l.States))
	for k, before := range l.next {
		if l.Unrolled {
			ready[k] = before
			continue
		}
		ready[k] = l.follow(l.follow(before), at.condition) // Merge, Switch
		if l.readers[k] > 2 && !l.Direct {
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
		case len(k.From) == 0 && k.Shared:
			l.after(run, at.shared)
		case len(k.From) == 0:
			l.after(run, at.read)
		}
		l.after(end, run)
		made[i] = out
	}
	for k, at := range l.States {
		l.states[k], l.next[k] = made[at], made[at].Writer
		if !l.Unrolled {
			l.next[k] = l.follow(l.next[k])
		}
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
