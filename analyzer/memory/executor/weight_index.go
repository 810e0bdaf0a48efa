package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// A weightIndex numbers the weights of a step, so that facts about them fit into lists.
type weightIndex struct {
	named  []*graph.Weight // the weights that the operations name, in order of operations
	slots  []int32         // the indexes of those weights, and of later ones
	firsts []int32         // where the slots of an operation begin, by operation number
	Count  int             // of indexes
	// trained are the weights with gradients, each once, the last first, as the gradients come.
	// trainedAt are their indexes.
	trained   []*graph.Weight
	trainedAt []int32
	Several   bool // some variable is read by several operations
	of        map[*graph.Weight]int32
}

// named returns the weights that an operation reads, differentiates by or updates.
func named(op *graph.Op) []*graph.Weight {
	switch {
	case op.Gradient != nil:
		return op.Gradient.Weights
	case op.Update != nil:
		return op.Update.Weights
	}
	return op.Weights
}

// find numbers the weights that the operations of a pass name.
func (p *weightIndex) find(ops []*graph.Op) {
	p.named, p.firsts = p.named[:0], p.firsts[:0]
	for _, op := range ops {
		p.firsts = append(p.firsts, int32(len(p.named)))
		p.named = append(p.named, named(op)...)
	}
	if p.of == nil {
		p.of = make(map[*graph.Weight]int32, len(p.named))
	}
	clear(p.of)
	p.slots = p.slots[:0]
	for _, w := range p.named {
		at, known := p.of[w]
		if !known {
			at = int32(len(p.of))
			p.of[w] = at
		}
		p.slots = append(p.slots, at)
	}
	p.Count, p.Several = len(p.of), false
	p.trained, p.trainedAt = p.trained[:0], p.trainedAt[:0]
	read, trained := make([]bool, p.Count), make([]bool, p.Count)
	for i := len(ops) - 1; i >= 0; i-- {
		op := ops[i]
		for j, w := range op.Weights {
			at := p.Slot(op, j)
			if j == 0 {
				p.Several = p.Several || read[at]
				read[at] = true
			}
			if !trained[at] {
				trained[at] = true
				p.trained, p.trainedAt = append(p.trained, w), append(p.trainedAt, at)
			}
		}
	}
}

// Trains reports whether an operation of the pass has a weight.
func (p *weightIndex) Trains(w *graph.Weight) bool {
	_, there := p.of[w]
	return there
}

// add indexes an operation after the pass. It names some of the trained weights, in their order.
func (p *weightIndex) add(op *graph.Op) {
	p.firsts = append(p.firsts, int32(len(p.slots)))
	rest := named(op)
	for i, w := range p.trained {
		if len(rest) > 0 && rest[0] == w {
			p.slots, rest = append(p.slots, p.trainedAt[i]), rest[1:]
		}
	}
}

// Slot returns the index of the i-th weight that an operation names.
func (p *weightIndex) Slot(op *graph.Op, i int) int32 { return p.slots[p.firsts[op.Number]+int32(i)] }

// sparse returns the sizes of sparse gradients, by weight index, for weights that have no other
// gradient.
func (p *weightIndex) sparse(ops []*graph.Op) []int64 {
	rows, read := make([]int64, p.Count), make([]bool, p.Count)
	for _, op := range ops {
		for i, w := range op.Weights {
			at := p.Slot(op, i)
			rows[at] = 0
			if !read[at] && op.SparseRows > 0 && len(w.Penalties) == 0 {
				rows[at] = op.RowBytes(w)
			}
			read[at] = true
		}
	}
	return rows
}

// forget releases the weights.
func (p *weightIndex) forget() {
	clear(p.named)
	clear(p.trained)
	clear(p.of)
	*p = weightIndex{named: p.named[:0], slots: p.slots[:0], firsts: p.firsts[:0], trained: p.trained[:0], trainedAt: p.trainedAt[:0], of: p.of}
}
