package layers

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var attentionLayers = map[string]layerClass{
	"Attention": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		s := &attention{asked: r.keras2(), scale: r.Bool(0, "use_scale", false), drop: r.Float(2, "dropout", 0)}
		switch mode := r.Text(1, "score_mode", "dot"); mode {
		case "dot":
		case "concat":
			s.concat = true
		default:
			r.Fail("score_mode", value.Because(value.WrongType, "Keras knows no %s", mode))
		}
		return s
	}},
	"AdditiveAttention": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		return &attention{additive: true, concat: true, scale: r.Bool(0, "use_scale", true), drop: r.Float(1, "dropout", 0)}
	}},
	"MultiHeadAttention": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		s := &multiHead{
			heads: r.Number(0, "num_heads", tensor.None), key: r.Number(1, "key_dim", tensor.None), drop: r.Float(3, "dropout", 0), bias: r.Bool(4, "use_bias", true),
			over: r.Numbers(6, "attention_axes", -1, nil), fused: !r.keras2(),
		}
		if v, ok := r.Get(6, "attention_axes"); ok {
			if n, single := v.Int(); single {
				s.over, r.Why = []int64{n}, nil
			}
		}
		s.keyHeads = s.heads
		s.value = r.Number(2, "value_dim", s.key)
		if v, ok := r.Get(5, "output_shape"); ok {
			if n, single := v.Int(); single {
				s.output = []int64{n}
			} else {
				s.output = r.Numbers(5, "output_shape", -1, nil)
			}
		}
		return s.checked(r, 7)
	}},
	"GroupQueryAttention": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		s := &multiHead{
			key: r.Number(0, "head_dim", tensor.None), heads: r.Number(1, "num_query_heads", tensor.None), keyHeads: r.Number(2, "num_key_value_heads", tensor.None),
			drop: r.Float(3, "dropout", 0), bias: r.Bool(4, "use_bias", true), fused: true, grouped: true,
		}
		s.value = s.key
		if s.keyHeads < 1 || s.heads%s.keyHeads != 0 {
			r.Fail("num_key_value_heads", value.Because(value.WrongType, "it does not divide num_query_heads"))
		}
		return s.checked(r, 5)
	}},
}

// attended adds dropout of the softmax of scores, and the product with values v.
func attended(g *graph.Graph, softmax, v *graph.Tensor, drop float64, product func(weights *graph.Tensor) *graph.Tensor) (result, weights *graph.Tensor) {
	weights = graph.Cast(g, softmax, v.DType)
	used := weights
	if drop > 0 && g.Mode != graph.PredictionMode {
		used, _ = Dropout(drop, WholeMask)(nil, g, weights)
	}
	return product(used), weights
}

// repeats marks a product of matrices in which one matrix may be multiplied with all of the other
// tensor. Its gradient is computed for each of those and summed
// (tensorflow/python/ops/math_grad.py, _BatchMatMulV2).
func repeats(op *graph.Op) {
	out := op.Out[0].Shape
	for i, t := range op.In {
		n := len(t.Shape)
		op.Spreads(i, t, append(slices.Clone(out[:n-2]), t.Shape[n-2:]...))
	}
}

// wide returns the type in which keras.ops.dot_product_attention scales scores and computes their
// softmax (keras/src/backend/tensorflow/nn.py, _dot_product_attention_xla).
func wide(d tensor.DType) tensor.DType {
	if d.Size() < 4 {
		return "float32"
	}
	return d
}

// attention is Attention and AdditiveAttention, with a query, values and optional keys.
type attention struct {
	scale    bool
	concat   bool // the scores are computed from tanh(query + key), for every pair
	additive bool
	drop     float64
	asked    bool // the product transposes the keys
	scores   bool // of this call: return_attention_scores
}

func (s *attention) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	x, _ := r.Args.Get(0, "inputs")
	if r.Bool(-1, "return_attention_scores", false) {
		with := *s
		with.scores = true
		return []value.Value{x}, &with
	}
	return []value.Value{x}, s
}

func (s *attention) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) < 2 || len(in) > 3 {
		return value.Refused("it takes a query, a value and perhaps a key, and gets %d tensors", len(in))
	}
	switch {
	case s.additive && s.scale:
		if err := graph.CheckKnown(in[0].Last(), "the last dimension of the query"); err != nil {
			return err
		}
		l.Weight("scale", true, in[0].Last())
	case s.additive:
	default:
		if s.scale {
			l.Weight("scale", true)
		}
		if s.concat {
			l.Weight("concat_score_weight", true)
		}
	}
	return nil
}

func (s *attention) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if len(in) < 2 {
		return nil, value.Refused("it takes a query and a value")
	}
	q, v := in[0], in[1]
	k := v
	if len(in) > 2 {
		k = in[2]
	}
	for _, t := range in {
		if len(t.Shape) < 2 || len(t.Shape) != len(q.Shape) {
			return nil, value.Because(value.UnmodelledLayer, "it attends from %s to %s, whose products are repeated, which is not followed", q.Shape, t.Shape)
		}
	}
	if a, b := q.Shape.Last(), k.Shape.Last(); a >= 0 && b >= 0 && a != b {
		if s.additive && (a == 1 || b == 1) {
			return nil, value.Because(value.UnmodelledLayer, "the sum of a query of %d features and a key of %d is not followed", a, b)
		}
		return nil, value.Refused("the query has %d features and the key %d", a, b)
	}
	// One query, perhaps a learned one, may meet a whole batch of keys, or one key a batch of
	// queries. The product repeats it, for the scores and for the result
	// (keras/src/layers/attention/attention.py, _calculate_scores).
	n := len(q.Shape)
	batch, err := tensor.Broadcast(q.Shape[:n-2], k.Shape[:n-2])
	if err != nil {
		return nil, err
	}
	whole, err := tensor.Broadcast(batch, v.Shape[:n-2])
	if err != nil {
		return nil, err
	}
	pairs := append(batch, q.Shape[n-2], k.Shape[n-2])
	var scores *graph.Tensor
	if s.concat {
		// tanh(query + key), for every pair.
		every := append(append(tensor.Shape(nil), pairs...), q.Shape.Last())
		sum, op := g.Add(graph.OpAdd, []*graph.Tensor{q, k}, every, q.DType)
		op.InPlace = false
		bent, _ := graph.Activation(g, "tanh", sum)
		if w := l.Named("scale"); w != nil && s.additive {
			// Before the sum, Keras multiplies by a vector. The gradient of that is summed up from a
			// product for every pair, which overwrites one of its factors if nothing else needs that.
			bent = scaled(g, bent, l.Trained(g, w))
			if q.Grad || k.Grad {
				bent.From.WeightTemp = bent.Bytes()
			}
		}
		scores = g.Tensor(graph.OpSum, []*graph.Tensor{bent}, pairs, q.DType)
		if w := l.Named("concat_score_weight"); w != nil {
			scores = scaled(g, scores, l.Trained(g, w))
		}
	} else {
		scores = s.products(g, q, k, pairs)
		if w := l.Named("scale"); w != nil {
			scores = scaled(g, scores, l.Trained(g, w))
		}
	}
	chances, _ := graph.WithScores(g, "softmax", scores)
	out, weights := attended(g, chances, v, s.drop, func(weights *graph.Tensor) *graph.Tensor {
		out := product(g, weights, v, append(whole, q.Shape[n-2], v.Shape.Last()))
		repeats(out.From)
		return out
	})
	if s.scores {
		return []*graph.Tensor{out, weights}, nil
	}
	return []*graph.Tensor{out}, nil
}

// products adds the scores of queries and keys. Keras 3 transposes the keys first. In a graph the
// product does that (tensorflow/core/grappler/optimizers/arithmetic_optimizer.cc,
// FoldTransposeIntoMatMul), so only their gradient is copied. Keras 2 asks the product to
// transpose, and so does its gradient.
func (s *attention) products(g *graph.Graph, q, k *graph.Tensor, pairs tensor.Shape) *graph.Tensor {
	if g.Eagerly && !s.asked {
		k = transposed(g, k)
	}
	out, op := g.Add(graph.OpBatchMatMul, []*graph.Tensor{q, k}, pairs, q.DType)
	op.KeepsInputs()
	repeats(op)
	if !g.Eagerly && !s.asked && op.Spread[1] == 0 {
		op.Spread[1] = k.Bytes()
	}
	return out
}

// scaled adds a product with a trained number. Its gradient reads x.
func scaled(g *graph.Graph, x *graph.Tensor, w []*graph.Weight) *graph.Tensor {
	out, op := g.Add(graph.OpMultiply, []*graph.Tensor{x}, x.Shape, x.DType)
	if len(w) > 0 {
		op.KeepsInputs()
	}
	op.Trains(w...)
	op.InPlace, op.GradInPlace = true, true
	return out
}

// multiHead is MultiHeadAttention, and GroupQueryAttention, in which keys and values have fewer
// heads than queries.
type multiHead struct {
	heads, keyHeads, key, value int64
	bias                        bool
	output                      []int64 // per position; nil for the query's
	over                        []int64 // the dimensions attended over; nil for all but the batch and the last
	drop                        float64
	// fused is set if one function computes the attention from end to end where possible, as in
	// Keras 3 (keras/src/layers/attention/multi_head_attention.py, _compute_attention).
	fused bool
	// grouped is set for GroupQueryAttention.
	grouped bool
	// flash is set if flash_attention=True, which no function of TensorFlow computes
	// (keras/src/backend/tensorflow/nn.py, dot_product_attention).
	flash bool

	query, keys, values, out *graph.Layer
}

// checked reads what Keras may refuse. flash is the position of flash_attention.
func (s *multiHead) checked(r *ArgParser, flash int) graph.Impl {
	if !r.keras2() {
		s.flash = r.Bool(flash, "flash_attention", false)
	}
	if s.flash && s.drop > 0 {
		r.note(value.Refused("flash attention takes no dropout"))
	}
	if r.Bool(-1, "use_gate", false) {
		r.Fail("use_gate", value.Because(value.UnmodelledArgument, "attention with a gate is not modelled"))
	}
	return s
}

func (s *multiHead) Children() []*graph.Layer {
	if s.query == nil {
		return nil
	}
	return []*graph.Layer{s.query, s.keys, s.values, s.out}
}

func (s *multiHead) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	query, _ := r.Args.Get(0, "query")
	v, ok := r.Args.Get(1, "value")
	if !ok {
		r.Fail("value", value.Because(value.MissingArgument, "it is not passed"))
	}
	in := []value.Value{query, v}
	if k, ok := r.Get(2, "key"); ok {
		in = append(in, k)
	}
	scores, causal := r.Bool(-1, "return_attention_scores", false), r.Bool(-1, "use_causal_mask", false)
	if !scores && !causal {
		return in, s
	}
	return in, &multiHeadCall{s, scores, causal}
}

// multiHeadCall is a call with arguments that change its operations.
type multiHeadCall struct {
	*multiHead
	scores, causal bool
}

func (s *multiHeadCall) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	return s.run(g, in, s.scores, s.causal)
}

func (s *multiHead) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	return s.run(g, in, false, false)
}

func (s *multiHead) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) < 2 {
		return value.Refused("it takes a query and a value")
	}
	if s.query != nil {
		return nil
	}
	if err := graph.Checks(graph.CheckKnown(s.heads, "the number of heads"), graph.CheckKnown(s.key, "the size of a key"), graph.CheckKnown(s.value, "the size of a value")); err != nil {
		return err
	}
	for _, shape := range in {
		if len(shape) < 2 {
			return value.Refused("it attends to %s", shape)
		}
		if err := graph.CheckKnown(shape.Last(), "the last dimension of what it attends to"); err != nil {
			return err
		}
	}
	keys := in[1]
	if len(in) > 2 {
		keys = in[2]
	}
	out := s.output
	if out == nil {
		out = []int64{in[0].Last()}
	}
	s.query = s.projection(l, "query", []int64{in[0].Last()}, []int64{s.heads, s.key})
	s.keys = s.projection(l, "key", []int64{keys.Last()}, []int64{s.keyHeads, s.key})
	s.values = s.projection(l, "value", []int64{in[1].Last()}, []int64{s.keyHeads, s.value})
	s.out = s.projection(l, "attention_output", []int64{s.heads, s.value}, out)
	return nil
}

// projection returns an inner EinsumDense, built.
func (s *multiHead) projection(l *graph.Layer, name string, from, to []int64) *graph.Layer {
	p := &graph.Layer{Class: "EinsumDense", Name: name, Node: l.Node, Trainable: true, DType: l.DType, Store: l.Store, Impl: Plain(Identity), Built: true}
	p.Weight("kernel", true, append(append([]int64(nil), from...), to...)...)
	if s.bias {
		p.Weight("bias", true, to...)
	}
	return p
}

func (s *multiHead) project(g *graph.Graph, p *graph.Layer, x *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	outer := g.Layer
	g.Layer = p
	y := kernelProduct(p, g, graph.OpEinsum, x, shape, p.Weights[0])
	if s.fused {
		equation := ""
		switch {
		case p != s.out && len(x.Shape) == 3:
			equation = "abc,cde->abde"
		case p == s.out && len(x.Shape) == 4 && len(shape) == 3:
			equation = "abcd,cde->abe"
		}
		byExample(y, x, p.Weights[0], equation)
	}
	out, _ := biased(p, g, y, act{})
	g.Layer = outer
	return out[0]
}

func (s *multiHead) run(g *graph.Graph, in []*graph.Tensor, scores, causal bool) ([]*graph.Tensor, error) {
	query, values := in[0], in[1]
	keys := values
	if len(in) > 2 {
		keys = in[2]
	}
	n := len(query.Shape)
	for i, p := range []*graph.Layer{s.query, s.values, s.keys} {
		x := []*graph.Tensor{query, values, keys}[i]
		if len(x.Shape) != n || n < 3 {
			return nil, value.Refused("it attends from %s to %s", query.Shape, x.Shape)
		}
		if of, rows := query.Shape[0], x.Shape[0]; of >= 0 && rows >= 0 && of != rows {
			why := "TensorFlow will raise: "
			if s.fused && (s.drop > 0 || scores) {
				why = "it is not followed: " // Keras 3's own einsum may repeat a batch of 1
			}
			return nil, value.Because(value.UnmodelledLayer, "%sit attends from a batch of %d to one of %d", why, of, rows)
		}
		if x.Shape.Last() != p.Weights[0].Shape[0] {
			return nil, value.Refused("the %s projection takes %d features and gets %s", p.Name, p.Weights[0].Shape[0], x.Shape)
		}
	}
	headed := func(x *graph.Tensor, heads, size int64) tensor.Shape {
		return append(append(tensor.Shape(nil), x.Shape[:n-1]...), heads, size)
	}
	q := s.project(g, s.query, query, headed(query, s.heads, s.key))
	k := s.project(g, s.keys, keys, headed(keys, s.keyHeads, s.key))
	v := s.project(g, s.values, values, headed(values, s.keyHeads, s.value))
	if s.keyHeads != s.heads {
		k = g.Tensor(graph.OpTile, []*graph.Tensor{k}, headed(keys, s.heads, s.key), k.DType)
		v = g.Tensor(graph.OpTile, []*graph.Tensor{v}, headed(values, s.heads, s.value), v.DType)
	}
	pairs, err := s.pairs(query.Shape, values.Shape)
	if err != nil {
		return nil, err
	}
	softmax, function := graph.WithScores, s.fused && s.drop == 0 && !scores && n == 3
	switch {
	case s.flash && scores:
		return nil, value.Refused("flash attention returns no scores")
	case s.flash && function:
		return nil, value.Refused("TensorFlow has no flash attention; leave flash_attention=True out")
	}
	by := s.products(n, function)
	made := by.scores(g, q, k, pairs)
	if function {
		// The function scales the scores in place, not the query
		// (keras/src/backend/tensorflow/nn.py, _dot_product_attention_xla).
		made = graph.Cast(g, made, wide(made.DType))
		scaled, op := g.Add(graph.OpMultiply, []*graph.Tensor{made}, pairs, made.DType)
		op.InPlace, op.GradInPlace, op.ScalarScale = true, true, true
		made, softmax = scaled, graph.Activation // TensorFlow's own
	}
	if causal {
		masked, op := g.Add(graph.OpMask, []*graph.Tensor{made}, pairs, made.DType)
		op.InPlace, op.GradInPlace = true, true
		if elements, ok := pairs.Elements(); ok {
			op.Extra = []int64{tensor.Round256(elements)}
		}
		made = masked
	}
	chances, _ := softmax(g, "softmax", made)
	mixed, weights := attended(g, chances, v, s.drop, func(weights *graph.Tensor) *graph.Tensor {
		return by.mixed(g, weights, v, headed(query, s.heads, s.value))
	})
	if len(pairs) > n+1 {
		// A softmax over several dimensions keeps both exponentials.
		mixed.From.Extra = append(mixed.From.Extra, weights.Bytes())
	}
	place := append(append(tensor.Shape(nil), query.Shape[:n-1]...), s.out.Weights[0].Shape[2:]...)
	out := s.project(g, s.out, mixed, place)
	if scores {
		return []*graph.Tensor{out, weights}, nil
	}
	return []*graph.Tensor{out}, nil
}

// products are the two products of an attention, each by an equation. They are empty for those
// that Keras 3 computes with transposed tensors: of one attended dimension
// (keras/src/backend/tensorflow/numpy.py, einsum).
type products struct {
	dot, combine string
	// grouped is set if the product of transposed queries and keys is not transposed, because the
	// equation has the queries first (keras/src/layers/attention/grouped_query_attention.py).
	grouped bool
}

// products returns the products for queries of n dimensions before they are split into heads.
func (s *multiHead) products(n int, function bool) products {
	switch {
	case function:
		return products{dot: "BTNH,BSNH->BNTS", combine: "BNTS,BSNH->BTNH"}
	case s.fused && n == 3:
		return products{grouped: s.grouped}
	}
	// keras/src/layers/attention/multi_head_attention.py, _build_attention_equation. The letters
	// are those of the query: of the batch, of what is attended over, of the head and its size.
	target, source, apart, from, to := "", "", "", "", ""
	for i := range n + 1 {
		c := string(rune('a' + i))
		target += c
		switch {
		case i > 0 && i < n-1 && (s.over == nil || slices.Contains(s.over, int64(i)) || slices.Contains(s.over, int64(i-n))):
			other := string(rune('A' + i))
			source, from, to = source+other, from+c, to+other
		case i == n:
			source += c
		default:
			source, apart = source+c, apart+c
		}
	}
	pairs := apart + from + to
	return products{dot: source + "," + target + "->" + pairs, combine: pairs + "," + source + "->" + target}
}

func (p products) scores(g *graph.Graph, q, k *graph.Tensor, pairs tensor.Shape) *graph.Tensor {
	switch {
	case p.dot == "":
	case strings.HasPrefix(p.dot, "BTNH"):
		return graph.Einsum(g, p.dot, q, k, pairs)
	default:
		return graph.Einsum(g, p.dot, k, q, pairs)
	}
	k, q = headsFirst(g, k), headsFirst(g, q)
	made := product(g, k, q, pairs)
	if !p.grouped {
		made = g.Tensor(graph.OpTranspose, []*graph.Tensor{made}, pairs, made.DType)
	}
	return made
}

func (p products) mixed(g *graph.Graph, weights, v *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	if p.combine != "" {
		return graph.Einsum(g, p.combine, weights, v, shape)
	}
	mixed := product(g, weights, headsFirst(g, v), shape)
	return g.Tensor(graph.OpTranspose, []*graph.Tensor{mixed}, shape, mixed.DType)
}

// headsFirst transposes queries, keys or values so that the heads are in front of the positions.
func headsFirst(g *graph.Graph, x *graph.Tensor) *graph.Tensor {
	s := x.Shape
	return g.Tensor(graph.OpTranspose, []*graph.Tensor{x}, tensor.Shape{s[0], s[2], s[1], s[3]}, x.DType)
}

// product adds a product of matrices. The gradient of one reads the other.
func product(g *graph.Graph, a, b *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	out, op := g.Add(graph.OpBatchMatMul, []*graph.Tensor{a, b}, shape, a.DType)
	op.KeepsInputs()
	return out
}

// pairs returns the shape of the scores: the other dimensions, the heads, and the positions of
// the query and of the values (keras/src/layers/attention/multi_head_attention.py,
// _build_attention_equation).
func (s *multiHead) pairs(q, v tensor.Shape) (tensor.Shape, error) {
	n := len(q)
	over := map[int]bool{}
	for i := 1; i < n-1 && s.over == nil; i++ {
		over[i] = true
	}
	for _, a := range s.over {
		i, err := shapes.Axis(a, q)
		if err != nil || i < 1 || i > n-2 {
			return nil, value.Because(value.UnmodelledLayer, "attention over dimension %d of %s is not followed", a, q)
		}
		over[i] = true
	}
	var apart, from, to tensor.Shape
	for i := range n - 1 {
		if over[i] {
			from, to = append(from, q[i]), append(to, v[i])
		} else {
			apart = append(apart, q[i])
		}
	}
	return append(append(append(apart, s.heads), from...), to...), nil
}
