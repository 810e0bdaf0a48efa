package steps

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// asked returns the target and the sources of tape.gradient, jacobian or batch_jacobian.
func asked(args *value.Args) (target, sources value.Value) {
	target, _ = args.Get(0, "target")
	sources, named := args.Get(1, "sources")
	if !named {
		sources, _ = args.Keywords.Get("source") // of batch_jacobian
	}
	return target, sources
}

// loops reports whether a jacobian is computed one gradient after the other: pfor is what computes all at once.
func loops(args *value.Args) bool {
	pfor, given := args.Get(4, "experimental_use_pfor")
	return given && pfor.X == false
}

// notes records what a jacobian computes, once for each call in the program, if the shapes are known.
func (t *Tape) notes(args *value.Args, of graph.Extent) {
	program := t.h.Program
	target, sources := asked(args)
	shape, _, ok := t.shaped(target)
	if !ok || slices.ContainsFunc(program.Jacobians, func(j graph.Jacobian) bool { return j.Node == args.Node }) {
		return
	}
	lanes := shape
	if of == graph.Columns {
		lanes = shape[min(1, len(shape)):]
	}
	outputs, known := lanes.Elements()
	if !known {
		return
	}
	j := graph.Jacobian{Node: args.Node, Outputs: outputs, Loops: loops(args)}
	var from []*graph.Symbolic
	ops.Each(sources, func(x value.Value) value.Value {
		s, d, ok := t.shaped(x)
		n, counted := graph.JacobianShape(of, shape, s).Elements()
		if known = known && ok && counted; known {
			j.Result += n * d.Size()
		}
		if s, ok := x.X.(*ops.SymbolicValue); ok {
			from = append(from, s.S)
		}
		return x
	})
	if j.Largest = t.largest(target, from); known {
		program.Jacobians = append(program.Jacobians, j)
	}
}

// shaped returns the shape of an array, a variable or a tensor of the step, with the rows of the step's batch.
func (t *Tape) shaped(v value.Value) (tensor.Shape, tensor.DType, bool) {
	switch x := v.X.(type) {
	case *ops.Variable:
		return x.Weight.Shape, x.Weight.DType, true
	case *ops.SymbolicValue:
		return t.batched(x.S.Shape), x.S.DType, true
	}
	return numpy.Of(v)
}

// batched returns the shape of a tensor of the step with the rows of its batch, if they are known.
func (t *Tape) batched(s tensor.Shape) tensor.Shape {
	r := t.h.Steps.Running()
	if r == nil || len(s) == 0 || s[0] != tensor.None {
		return s
	}
	rows, known := r.Batch.Int()
	if !known {
		return s
	}
	return append(tensor.Shape{rows}, s[1:]...)
}

// largest returns the bytes of the largest tensor that is computed from the sources on the way to the target, or
// within a model that ran since the tape began.
func (t *Tape) largest(target value.Value, from []*graph.Symbolic) (bytes int64) {
	add := func(s tensor.Shape, d tensor.DType) {
		if n, known := s.Elements(); known {
			bytes = max(bytes, n*d.Size())
		}
	}
	within := func(layers []*graph.Layer, batch value.Value) {
		rows, known := batch.Int()
		for _, l := range layers {
			if known && len(l.Output) > 0 {
				add(append(tensor.Shape{rows}, l.Output[1:]...), "float32")
			}
		}
	}
	if s, ok := target.X.(*ops.SymbolicValue); ok {
		for _, n := range graph.Trace(from, []*graph.Symbolic{s.S}) {
			for _, out := range n.Out {
				add(t.batched(out.Shape), out.DType)
			}
			if r := t.h.Steps.Running(); r != nil && n.Layer.Inner != nil {
				within(n.Layer.Inner.Layers(), r.Batch)
			}
		}
		return bytes
	}
	for _, u := range t.h.Program.Forwards[t.before:] {
		within(u.Model.Layers(), u.Batch)
	}
	return bytes
}
