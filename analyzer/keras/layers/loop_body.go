package layers

import "github.com/tfmem/tfmem/analyzer/graph"

// A body is what a cell runs in one iteration of a loop.
type body struct {
	graph.Loop
	batch, size int64
	converts    bool // the kernels are copied into half precision
	masked      bool
}

// input stands for the input of the iteration among the kernels of a body.
const input = -1 << 32

// compares sets the condition. That of Keras 3 is a constant, Less and LogicalAnd: it counts its own time
// beside that of while_v2 (keras/src/backend/tensorflow/rnn.py). In tf_keras the two have the same limit,
// and one Less is left (tf_keras/src/backend.py, rnn).
func (b *body) compares(keras2 bool) {
	b.Compares = 3
	if keras2 {
		b.Compares = 1
	}
}

// weight returns the copy of a kernel in half precision, or nothing: a variable is read where it is.
func (b *body) weight(w *graph.Weight) []int {
	if !b.converts {
		return nil
	}
	return []int{b.Run(graph.LoopKernel{Size: w.Elements() * b.size})}
}

// part returns a slice of so many numbers of a kernel, which is converted as a whole before. parts are
// how many an iteration takes, each by its own read.
func (b *body) part(w *graph.Weight, numbers, parts int64) []int {
	k := graph.LoopKernel{Size: numbers * b.size, From: b.weight(w), Shared: parts > 2}
	for _, at := range k.From {
		b.Kernels[at].Shared = k.Shared
	}
	return []int{b.Run(k)}
}

// run adds a kernel that computes units for each example.
func (b *body) run(units int64, over bool, from ...int) int {
	k := graph.LoopKernel{Size: b.batch * units * b.size, Over: over}
	for _, at := range from {
		if at == input {
			k.Input = true
		} else {
			k.From = append(k.From, at)
		}
	}
	return b.Run(k)
}

// parts takes n parts of so many units.
func (b *body) parts(n, units int64, from int) (parts []int) {
	for range n {
		parts = append(parts, b.run(units, false, from))
	}
	return parts
}

// kernelsOf is how many kernels an activation is one after the other, if not one
// (keras/src/backend/tensorflow/nn.py, keras/src/activations/activations.py).
var kernelsOf = map[string]int{
	"": 0, "linear": 0, "hard_sigmoid": 3, "hard_silu": 4, "silu": 2, "gelu": 4, graph.ApproximateGelu: 7, "mish": 3,
	"celu": 4, "log_sigmoid": 3, "tanh_shrink": 2, "hard_tanh": 2, "squareplus": 5, "hard_shrink": 3, "soft_shrink": 4,
	"sparse_plus": 5, "sparse_sigmoid": 5,
}

// activate adds the kernels of an activation.
func (b *body) activate(a act, units int64, x int) int {
	kernels, known := kernelsOf[a.name]
	if !known {
		kernels = 1
	}
	for range kernels {
		x = b.run(units, true, x)
	}
	return x
}

// compute adds an iteration of a cell whose input is computed by x, and returns its output
// (keras/src/layers/rnn/lstm.py, gru.py, simple_rnn.py, call; tf_keras has the same).
func (s *Cell) compute(l *graph.Layer, b *body, x int) int {
	b.compares(s.keras2)
	old := -1 - len(b.States) // the first of its states
	kernel, recurrent, u := l.Weights[0], l.Weights[1], s.units
	product := func(units int64, of int, w []int) int { return b.run(units, false, append(w, of)...) }
	biased := func(units int64, y int) int {
		if s.bias {
			y = b.run(units, true, y)
		}
		return y
	}
	b.Direct = b.Direct || s.keras2 && s.recurrentDrop > 0
	var in []int // of each gate, what the input gives
	if s.gateByGate && s.gates == 3 {
		for range 3 {
			in = append(in, product(u, x, b.part(kernel, kernel.Elements()/3, 3)))
		}
	} else if s.gateByGate { // one read is split
		whole := b.weight(kernel)
		for range 4 {
			k := graph.LoopKernel{Size: kernel.Elements() / 4 * b.size, From: whole}
			in = append(in, product(u, x, []int{b.Run(k)}))
		}
	}
	// summed adds what has one shape first and a bias at the end, as TensorFlow's graph optimizer has it
	// (arithmetic_optimizer.cc, AddOpsRewriteStage). Keras 2 has BiasAdd, which is a part of the product.
	summed := func(x, y int) int {
		y = b.run(u, true, x, y)
		if s.gateByGate && !s.keras2 {
			y = biased(u, y)
		}
		return y
	}
	switch {
	case s.gates == 1:
		y := biased(u, product(u, x, b.weight(kernel)))
		y = b.run(u, true, y, product(u, old, b.weight(recurrent)))
		b.States = append(b.States, b.activate(s.activation, u, y))
	case s.gates == 4:
		if s.gateByGate {
			for i := range in {
				in[i] = summed(in[i], product(u, old, b.part(recurrent, recurrent.Elements()/4, 4)))
			}
		} else {
			y := product(4*u, x, b.weight(kernel))
			y = b.run(4*u, true, y, product(4*u, old, b.weight(recurrent)))
			in = b.parts(4, u, biased(4*u, y))
		}
		kept := b.run(u, true, b.activate(s.recurrent, u, in[1]), old-1)
		added := b.run(u, true, b.activate(s.recurrent, u, in[0]), b.activate(s.activation, u, in[2]))
		memory := b.run(u, true, kept, added)
		out := b.run(u, true, b.activate(s.recurrent, u, in[3]), b.activate(s.activation, u, memory))
		b.States = append(b.States, out, memory)
	default:
		if !s.gateByGate {
			in = b.parts(3, u, biased(3*u, product(3*u, x, b.weight(kernel))))
		}
		third, parts := recurrent.Elements()/3, int64(3)
		var inner []int // of each gate, what the state gives
		switch {
		case s.gateByGate:
			for range 2 {
				inner = append(inner, product(u, old, b.part(recurrent, third, parts)))
			}
			if s.resetAfter {
				inner = append(inner, product(u, old, b.part(recurrent, third, parts)))
				if !s.keras2 {
					inner[2] = biased(u, inner[2])
				}
			}
		case s.resetAfter:
			inner = b.parts(3, u, biased(3*u, product(3*u, old, b.weight(recurrent))))
		default:
			parts = 2
			inner = b.parts(2, u, product(2*u, old, b.part(recurrent, 2*third, 2)))
		}
		update, reset := b.activate(s.recurrent, u, summed(in[0], inner[0])), b.activate(s.recurrent, u, summed(in[1], inner[1]))
		var left int
		if s.resetAfter {
			left = b.run(u, true, reset, inner[2])
		} else {
			left = product(u, b.run(u, true, reset, old), b.part(recurrent, third, parts))
		}
		fresh := b.activate(s.activation, u, summed(in[2], left))
		kept := b.run(u, true, update, old)
		added := b.run(u, true, b.run(u, true, update), fresh) // of 1 - update
		b.States = append(b.States, b.run(u, true, kept, added))
	}
	for k := -1 - old; k < len(b.States) && b.masked; k++ {
		b.States[k] = b.run(u, true, b.States[k], -1-k) // the old state where the mask is not set
	}
	return b.States[-1-old]
}

func (s *stacked) compute(_ *graph.Layer, b *body, x int) int {
	for _, c := range s.cells {
		x = c.Impl.(stepper).compute(c, b, x)
	}
	return x
}

// bodyLoop returns the loop of a cell in inference.
func bodyLoop(c stepper, l *graph.Layer, g *graph.Graph, x *graph.Tensor, w Walk) *graph.Loop {
	b := &body{batch: x.Shape[0], size: x.DType.Size(), converts: g.Apart && x.DType != "float32", masked: masked(x)}
	b.Iterations, b.Unrolled = x.Shape[1], w.unroll
	b.Output = c.compute(l, b, input)
	return &b.Loop
}

// loop returns the loop of a ConvLSTM in inference. A step splits both kernels, convolves with each part,
// and applies the gates (keras/src/layers/rnn/conv_lstm.py, call). A state is of n numbers.
func (s *convolving) loop(l *graph.Layer, g *graph.Graph, x *graph.Tensor, n int64) *graph.Loop {
	b := &body{batch: 1, size: x.DType.Size(), converts: g.Apart && x.DType != "float32", masked: masked(x)}
	b.Iterations, b.Unrolled = x.Shape[1], s.unroll
	b.compares(s.keras2)
	convolved := func(w *graph.Weight, of int) (gates []int) {
		var parts []int
		whole := b.weight(w)
		for range 4 {
			parts = append(parts, b.Run(graph.LoopKernel{Size: w.Elements() / 4 * b.size, From: whole}))
		}
		for _, part := range parts {
			y := b.run(n, false, part, of)
			for range 2 * max(0, 2-s.conv.rank) { // ExpandDims, Squeeze
				y = b.run(n, true, y)
			}
			gates = append(gates, y)
		}
		return gates
	}
	in, inner := convolved(l.Weights[0], input), convolved(l.Weights[1], -1)
	for i := range in {
		in[i] = b.run(n, true, in[i], inner[i])
		if s.bias && !s.keras2 { // as that of a Cell
			in[i] = b.run(n, true, in[i])
		}
	}
	recurrent := s.recurrent
	if recurrent.name == "" {
		recurrent.name = "sigmoid"
	}
	kept := b.run(n, true, b.activate(recurrent, n, in[1]), -2)
	memory := b.run(n, true, kept, b.run(n, true, b.activate(recurrent, n, in[0]), b.run(n, true, in[2])))
	b.States = []int{b.run(n, true, b.activate(recurrent, n, in[3]), b.run(n, true, memory)), memory}
	b.Output = b.States[0]
	return &b.Loop
}

// masked reports whether a mask comes with a tensor: from Masking, or from an Embedding with mask_zero,
// through layers that pass it on.
func masked(x *graph.Tensor) bool {
	for x.From != nil && len(x.From.In) > 0 {
		if l := x.From.Layer; l != nil {
			switch l.Class {
			case "Masking":
				return true
			case "Embedding":
				s, ok := l.Impl.(*embedding)
				return ok && s.masks
			case "Dense", "Dropout", "SpatialDropout1D", "Activation", "LayerNormalization", "BatchNormalization", "Bidirectional", "LSTM", "GRU", "SimpleRNN", "RNN":
			default:
				return false
			}
		}
		x = x.From.In[0]
	}
	return false
}
