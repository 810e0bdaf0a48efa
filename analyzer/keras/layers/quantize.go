package layers

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Quantized returns what quantize makes of a built layer of a quantizable class, or nil if Keras
// leaves it as it is (keras/src/layers/core: dense.py, einsum_dense.py, embedding.py). group is
// the block size of int4, or 0 for none.
func Quantized(l *graph.Layer, mode string, group int64) *graph.Quantization {
	q := &graph.Quantization{Mode: mode, Group: group}
	table := l.Named("embeddings")
	switch kernel := l.Named("kernel"); {
	case mode == "float8" && table != nil:
		return nil
	case mode != "int8" && mode != "int4" && mode != "float8":
		q.Why = value.Because(value.UnmodelledUse, "how %s runs after quantize(%q) is not modelled", l.Name, mode)
		q.Weights = l.Weights
	case l.Class == "ReversibleEmbedding" || kernel == nil && table == nil:
		q.Why = value.Because(value.UnmodelledUse, "how a quantized %s runs is not modelled", l.Class)
		q.Weights = l.Weights
	case mode == "float8":
		q.Weights = append(q.Weights, l.Weights...)
		for _, of := range []string{"inputs", "kernel", "outputs_grad"} {
			q.Weights = append(q.Weights,
				&graph.Weight{Name: of + "_scale", Shape: tensor.Shape{}, DType: "float32", Trainable: true},
				&graph.Weight{Name: of + "_amax_history", Shape: tensor.Shape{amaxHistory}, DType: "float32", Trainable: true})
		}
	case table != nil:
		q.Weights = low(l, table, table.Shape[0], table.Shape[1], q, true)
	default:
		rows, columns := matrix(l, kernel)
		q.Weights = low(l, kernel, rows, columns, q, false)
	}
	return q
}

// amaxHistory is how many maxima of a tensor float8 remembers
// (keras/src/dtype_policies/dtype_policy.py, default_amax_history_length).
const amaxHistory = 1024

// low returns the weights of a layer whose kernel or table became int8 or packed int4, with a scale
// for each column, or each row of a table.
func low(l *graph.Layer, from *graph.Weight, rows, columns int64, q *graph.Quantization, table bool) (out []*graph.Weight) {
	fixed := func(name string, d tensor.DType, shape ...int64) {
		out = append(out, &graph.Weight{Name: name, Shape: shape, DType: d, Initializer: "zeros"})
	}
	shape, scales := from.Shape, tensor.Shape{columns}
	groups := func(n int64) int64 { return (n + q.Group - 1) / q.Group }
	index := rows
	if table {
		scales, index = tensor.Shape{rows}, columns
	}
	if q.Mode == "int4" {
		shape = tensor.Shape{rows, (columns + 1) / 2}
		switch {
		case q.Group > 0 && table:
			scales = tensor.Shape{rows, groups(columns)}
		case q.Group > 0:
			scales = tensor.Shape{groups(rows), columns}
		}
	}
	fixed(from.Name, "int8", shape...)
	fixed(from.Name+"_scale", from.DType, scales...)
	if q.Mode == "int4" && q.Group > 0 {
		fixed(from.Name+"_zero", "int8", scales...)
		fixed("g_idx", "float32", index)
	}
	for _, w := range l.Weights {
		if w != from {
			out = append(out, w)
		}
	}
	return out
}

// matrix returns a kernel as a matrix: the dimensions that the product sums over, and the others.
func matrix(l *graph.Layer, kernel *graph.Weight) (rows, columns int64) {
	rows, columns = 1, 1
	e, _ := l.Impl.(*einsumLayer)
	for i, n := range kernel.Shape {
		summed := i == 0
		switch {
		case e != nil:
			factors, out, _ := strings.Cut(e.equation, "->")
			_, letters, _ := strings.Cut(factors, ",")
			summed = i < len(letters) && !strings.Contains(out, letters[i:i+1])
		case l.Name == "attention_output":
			summed = i < 2 // heads and their values
		}
		if summed {
			rows *= n
		} else {
			columns *= n
		}
	}
	return rows, columns
}

// quantizedProduct adds the product with a quantized kernel. Its gradient is computed from the
// kernel as numbers of the layer's type (keras/src/layers/core/dense.py, _int8_call and
// _int4_call). What only reads variables runs when the step starts.
func quantizedProduct(l *graph.Layer, g *graph.Graph, q *graph.Quantization, kind *graph.Kind, x *graph.Tensor, shape tensor.Shape, kernel *graph.Weight) *graph.Tensor {
	x = graph.Cast(g, x, l.DType)
	if q.Mode == "float8" {
		return float8Product(l, g, q, kind, x, shape, kernel)
	}
	factors, trains := []*graph.Tensor{x}, g.Trains || g.Own
	var whole *graph.Tensor // the kernel
	if q.Mode == "int4" {
		whole = unpacked(l, g, q, kernel)
		if q.Group == 0 && kind == graph.OpMatMul {
			factors = append(factors, graph.Cast(g, whole, l.DType))
		} else {
			whole = dequantized(l, g, q, whole, kernel)
			factors = append(factors, whole)
		}
	}
	y, op := g.Add(kind, factors, shape, l.DType)
	op.NoGradOf = []int{1}
	switch {
	case q.Mode == "int8":
		// The input is scaled, rounded and becomes int8. The product is int32 before it is cast, and
		// is divided by the product of both scales, which has its size.
		op.ForwardTemp = 2 * y.Bytes()
		if !trains && x.From != nil {
			op.ForwardTemp -= x.Bytes() // it is freed by then
		}
		op.ForwardTemp = max(op.ForwardTemp, x.Bytes()+x.Bytes()/4-y.Bytes())
		if x.Grad && trains {
			whole = g.Tensor(graph.OpCast, []*graph.Tensor{stored(g, q.Named("kernel"))}, kernel.Shape, l.DType)
		}
	case q.Group == 0 && kind == graph.OpMatMul && x.Grad && trains:
		whole = dequantized(l, g, q, whole, kernel)
	}
	if x.Grad && whole != nil {
		op.Keep = append(op.Keep, whole)
	}
	if a, b := q.Named("lora_a"), q.Named("lora_b"); a != nil && b != nil {
		sum, op := g.Add(graph.OpAdd, []*graph.Tensor{y, adapted(l, g, x, shape, a, b)}, shape, l.DType)
		op.InPlace, op.GradSame = true, true
		return sum
	}
	return y
}

// adapted adds the products of an input with the two matrices of LoRA.
func adapted(l *graph.Layer, g *graph.Graph, x *graph.Tensor, shape tensor.Shape, a, b *graph.Weight) *graph.Tensor {
	product := func(x *graph.Tensor, shape tensor.Shape, w *graph.Weight) *graph.Tensor {
		y, op := g.Add(graph.OpMatMul, []*graph.Tensor{x}, shape, l.DType)
		op.Linear = true
		if trained := l.Trained(g, w); len(trained) > 0 {
			op.Keep = append(op.Keep, x)
			op.Trains(trained...)
		}
		return y
	}
	narrow := product(x, x.Shape.With(-1, b.Shape[0]), a)
	wide, op := g.Add(graph.OpScale, []*graph.Tensor{product(narrow, shape, b)}, shape, l.DType)
	op.InPlace, op.ScalarScale = true, true
	return wide
}

// stored adds the read of a variable in its own type, which takes no memory.
func stored(g *graph.Graph, w *graph.Weight) *graph.Tensor {
	t, op := g.Add(graph.OpReadVariable, nil, w.Shape, w.DType)
	op.Read = true
	return t
}

// unpacked adds the kernel, or the table, of a layer as int8: one number for each half of a byte
// (keras/src/quantizers/quantizers.py, unpack_int4).
func unpacked(l *graph.Layer, g *graph.Graph, q *graph.Quantization, from *graph.Weight) *graph.Tensor {
	packed := q.Named(from.Name)
	one := func(kind *graph.Kind, shape tensor.Shape, in ...*graph.Tensor) *graph.Tensor {
		return g.Tensor(kind, in, shape, "int8")
	}
	turned := one(graph.OpTranspose, packed.Shape, stored(g, packed))
	lower, upper := one(graph.OpFloorMod, packed.Shape, turned), one(graph.OpFloorDiv, packed.Shape, turned)
	rows := packed.Shape[0]
	both := one(graph.OpPack, tensor.Shape{2 * packed.Shape[1], rows}, lower, upper)
	return one(graph.OpTranspose, tensor.Shape{rows, 2 * packed.Shape[1]}, both)
}

// dequantized adds an unpacked kernel times its scales. Each row of a group is given the group's scales
// and zeros (keras/src/quantizers/quantizers.py, dequantize_with_sz_map).
func dequantized(l *graph.Layer, g *graph.Graph, q *graph.Quantization, kernel *graph.Tensor, from *graph.Weight) *graph.Tensor {
	shape := kernel.Shape
	in := []*graph.Tensor{graph.Cast(g, kernel, l.DType)}
	if q.Group > 0 {
		scales := g.Tensor(graph.OpGather, []*graph.Tensor{stored(g, q.Named(from.Name+"_scale"))}, shape, l.DType)
		zeros := g.Tensor(graph.OpGather, []*graph.Tensor{stored(g, q.Named(from.Name+"_zero"))}, shape, "int8")
		less, op := g.Add(graph.OpSubtract, append(in, graph.Cast(g, zeros, l.DType)), shape, l.DType)
		op.InPlace = true
		in = []*graph.Tensor{less, scales}
	}
	out, op := g.Add(graph.OpMultiply, in, shape, l.DType)
	op.InPlace = q.Group > 0
	return out
}

// float8Product adds a product of which both factors, and the incoming gradient, are rounded to
// float8 and back (keras/src/layers/core/dense.py, _float8_call).
func float8Product(l *graph.Layer, g *graph.Graph, q *graph.Quantization, kind *graph.Kind, x *graph.Tensor, shape tensor.Shape, kernel *graph.Weight) *graph.Tensor {
	maximum := func(t *graph.Tensor) { // the next scale is that of the largest number
		if g.Trains || g.Own {
			g.Tensor(graph.OpMax, []*graph.Tensor{g.Tensor(graph.OpAbs, []*graph.Tensor{t}, t.Shape, t.DType)}, tensor.Shape{}, t.DType)
		}
	}
	rounded, op := g.Add(graph.OpScale, []*graph.Tensor{x}, x.Shape, l.DType)
	op.ForwardTemp, op.GradSame, op.InPlace = x.Bytes()/4, true, true
	maximum(x)
	whole := stored(g, kernel)
	scaled := g.Tensor(graph.OpMultiply, []*graph.Tensor{whole}, kernel.Shape, l.DType)
	for range 2 { // it is clipped on both sides
		clipped, op := g.Add(graph.OpMultiply, []*graph.Tensor{scaled}, kernel.Shape, l.DType)
		op.InPlace = true
		scaled = clipped
	}
	copied := graph.Cast(g, graph.Cast(g, scaled, "int8"), l.DType) // float8 is as large
	maximum(whole)
	y, op := g.Add(kind, []*graph.Tensor{rounded, copied}, shape, l.DType)
	op.NoGradOf = []int{1}
	if trained := l.Trained(g, kernel); len(trained) > 0 {
		op.Keep = append(op.Keep, rounded)
		op.Trains(trained...)
	}
	if rounded.Grad {
		op.Keep = append(op.Keep, copied)
	}
	out, op := g.Add(graph.OpScale, []*graph.Tensor{y}, shape, l.DType)
	op.InPlace = true
	op.Trains(l.Trained(g, q.Named("outputs_grad_scale"), q.Named("outputs_grad_amax_history"))...)
	return out
}

// quantizedRows adds the rows of a quantized table.
func quantizedRows(l *graph.Layer, g *graph.Graph, q *graph.Quantization, x *graph.Tensor, shape tensor.Shape, table *graph.Weight) *graph.Tensor {
	whole := stored(g, q.Named("embeddings"))
	if q.Mode == "int4" {
		whole = unpacked(l, g, q, table)
	}
	rows := g.Tensor(graph.OpGather, []*graph.Tensor{whole, x}, shape, "int8")
	out := graph.Cast(g, rows, l.DType)
	out, op := g.Add(graph.OpMultiply, []*graph.Tensor{out}, shape, l.DType)
	op.InPlace = true
	return out
}
