package ops

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ProductFunctions are products, and what linear algebra makes of matrices.
var ProductFunctions = []FunctionRow{
	{batchDot, "batch_dot"},
	{outer, "outer"},
	{matmul, "matmul dot ops.matmul"},
	{matvec, "matvec"},
	{diagonalMatrix, "linalg.diag"}, // NumPy's also returns the diagonal of a matrix
	{diagonalOf, "diag_part diagonal linalg.trace"},
	{withDiagonal, "set_diag"},
	{decomposed, "inv cholesky det"},
	{solved, "solve triangular_solve cholesky_solve"},
	{tensordot, "tensordot"},
	{einsum, "einsum"},
}

func matmul(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, ok := objects.Passed(args, 1, "b", "y", "x2")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	return multiplyMatrices(h, name, objects.First(args), b, args)
}

// opsMatmul is the name for keras.ops.matmul here. If it multiplies a tensor of more dimensions
// by a matrix, it multiplies all rows at once, as tf.tensordot does
// (keras/src/backend/tensorflow/numpy.py, matmul).
const opsMatmul = "ops.matmul"

// multiplyMatrices is the product of matrices of a name.
func multiplyMatrices(h *state.Host, name string, a, b value.Value, args *value.Args) value.Value {
	ta, _ := objects.Passed(args, 2, "transpose_a")
	tb, _ := objects.Passed(args, 3, "transpose_b")
	output := numpy.DTypeAt(args, 8, "output_type", "")
	byRows := name == opsMatmul
	return OnAll(h, "MatMul", []value.Value{a, b}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x, y := in[0].Shape, in[1].Shape
		if ta.X == true {
			x = swapped(x)
		}
		if tb.X == true {
			y = swapped(y)
		}
		shape, batch, err := shapes.MatMul(x, y)
		if name == "dot" {
			shape, err = shapes.Dot(x, y)
		}
		if err != nil {
			return nil, err
		}
		out, err := contract(g, graph.OpMatMul, in, shape)
		switch {
		case output != "":
			out[0].DType = output
		case byRows && in[0].DType == "int8" && in[1].DType == "int8": // of keras.ops
			out[0].DType = "int32"
		}
		if len(x) < 2 || len(y) < 2 || byRows && len(y) == 2 || name == "dot" && len(y) > 2 {
			return out, err
		}
		for i, t := range in {
			out[0].From.Spreads(i, t, append(slices.Clone(batch), t.Shape[len(t.Shape)-2:]...))
		}
		return out, err
	})
}

// swapped returns a shape with its last two dimensions swapped.
func swapped(s tensor.Shape) tensor.Shape {
	if n := len(s); n > 1 {
		return s.With(-1, s[n-2]).With(-2, s[n-1])
	}
	return s
}

// contract adds a product. The gradient of one factor reads the other.
func contract(g *graph.Graph, kind *graph.Kind, in []*graph.Tensor, shape tensor.Shape) ([]*graph.Tensor, error) {
	d := in[0].DType
	out, op := g.Add(kind, in, shape, d)
	op.Contracts()
	return []*graph.Tensor{out}, nil
}

// matvec is a product of matrices with vectors.
func matvec(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	b, ok := objects.Passed(args, 1, "b")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	transposed, _ := args.Get(2, "transpose_a")
	c, last := calls{h, in}, value.Value{X: int64(-1)}
	return c.do("squeeze", c.do("matmul", objects.First(args), c.do("expand_dims", b, last), transposed), last)
}

func tensordot(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, _ := objects.Passed(args, 1, "b", "x2")
	axes, ok := objects.Passed(args, 2, "axes")
	pair, why := Operands(h, []value.Value{objects.First(args), b})
	if why != nil {
		return why.Unknown()
	}
	var left, right []int64
	n, single := axes.Int()
	if items, isList := objects.Sequence(axes); !ok {
		n, single = 2, true
	} else if isList && len(items) == 2 {
		var okLeft, okRight bool
		left, okLeft = objects.Dims(items[0])
		right, okRight = objects.Dims(items[1])
		ok = okLeft && okRight
	} else if !single {
		ok = false
	}
	if !ok && !single {
		return h.Unknown(value.ArrayShape, "the axes of %s are not known: %s", name, objects.Because(axes))
	}
	return Operate(h, name, pair, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		l, r := left, right
		if single {
			if n < 0 || int(n) > len(in[0].Shape) || int(n) > len(in[1].Shape) {
				return nil, value.Refused("%d is not a number of axes of %s", n, in[0].Shape)
			}
			l, r = nil, nil
			for i := range n {
				l, r = append(l, int64(len(in[0].Shape))-n+i), append(r, i)
			}
		}
		a, err := shapes.Within(l, in[0].Shape)
		if err != nil {
			return nil, err
		}
		b, err := shapes.Within(r, in[1].Shape)
		if err != nil {
			return nil, err
		}
		return contract(g, graph.OpMatMul, in, append(shapes.Reduced(in[0].Shape, a, false), shapes.Reduced(in[1].Shape, b, false)...))
	})
}

func einsum(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	equation, ok := objects.First(args).X.(string)
	if !ok || len(args.Positional) < 2 {
		return h.Unknown(value.ArrayShape, "the equation of einsum is not known: %s", objects.Because(objects.First(args)))
	}
	return OnAll(h, "Einsum", args.Positional[1:], nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shapes := make([]tensor.Shape, len(in))
		for i, t := range in {
			shapes[i] = t.Shape
		}
		shape, err := einsumShape(equation, shapes)
		if err != nil {
			return nil, err
		}
		made, err := contract(g, graph.OpEinsum, in, shape)
		if err == nil {
			op := made[0].From
			op.ForwardTemp, op.BackwardTemp = graph.EinsumCopies(equation, in, made[0])
			op.Inner = inner(equation)
		}
		return made, err
	})
}

// inner reports whether, in an equation with two factors, the other factor has all letters of
// one.
func inner(equation string) bool {
	factors, _, _ := strings.Cut(equation, "->")
	left, right, two := strings.Cut(factors, ",")
	within := func(a, b string) bool { return strings.Trim(a, b+" ") == "" }
	return two && !strings.Contains(right, ",") && (within(left, right) || within(right, left))
}

// einsumShape returns the output shape of an equation such as "bij,bjk->bik".
func einsumShape(equation string, in []tensor.Shape) (tensor.Shape, error) {
	equation = strings.ReplaceAll(equation, " ", "")
	left, right, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	wrong := value.Refused("the equation %q for %v", equation, in)
	if len(terms) != len(in) {
		return nil, wrong
	}
	sizes := map[byte]int64{}
	var rest tensor.Shape // what ... stands for
	count := map[byte]int{}
	for i, term := range terms {
		shape := in[i]
		at := 0
		for j := 0; j < len(term); j++ {
			if strings.HasPrefix(term[j:], "...") {
				n := len(shape) - (len(term) - 3)
				if n < 0 || at+n > len(shape) {
					return nil, wrong
				}
				both, err := tensor.Broadcast(rest, shape[at:at+n])
				if err != nil {
					return nil, err
				}
				rest = both
				at += n
				j += 2
				continue
			}
			if at >= len(shape) {
				return nil, wrong
			}
			c := term[j]
			count[c]++
			if old, ok := sizes[c]; !ok || old < 0 || old == 1 {
				sizes[c] = shape[at]
			} else if shape[at] >= 0 && shape[at] != 1 && shape[at] != old {
				return nil, wrong
			}
			at++
		}
		if at != len(shape) {
			return nil, wrong
		}
	}
	if !explicit {
		for c := byte('A'); c <= 'z'; c++ {
			if count[c] == 1 {
				right += string(c)
			}
		}
	}
	out := tensor.Shape{}
	for j := 0; j < len(right); j++ {
		if strings.HasPrefix(right[j:], "...") {
			out = append(out, rest...)
			j += 2
			continue
		}
		n, ok := sizes[right[j]]
		if !ok {
			return nil, wrong
		}
		out = append(out, n)
	}
	return out, nil
}

// diagonalMatrix makes matrices with the last dimension of a tensor as diagonals.
func diagonalMatrix(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if _, given := objects.Passed(args, 1, "k", "num_rows", "num_cols"); given {
		return h.Unknown(value.UnmodelledArgument, "another diagonal than the main one is not followed")
	}
	return shaped(h, "MatrixDiag", graph.OpMatrixDiag, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		if len(s) == 0 {
			return nil, value.Refused("%s of a number", name)
		}
		return append(slices.Clone(s), s.Last()), nil
	})
}

// diagonalOf returns the main diagonals of matrices, in the last two dimensions, or the sums of
// the diagonals.
func diagonalOf(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	r := &layers.ArgParser{Args: args}
	first, second := r.Number(2, "axis1", 0), r.Number(3, "axis2", 1)
	offset := r.Number(1, "offset", 0)
	if r.Why != nil || offset != 0 {
		return h.Unknown(value.UnmodelledArgument, "another diagonal than the main one is not followed")
	}
	return shaped(h, name, graph.OpMatrixDiagPart, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		n := len(s)
		if n < 2 {
			return nil, value.Refused("the diagonal of %s", s)
		}
		if last := int64(n); name == "diagonal" && (first%last+last)%last != last-2 || name == "diagonal" && (second%last+last)%last != last-1 {
			return nil, value.Because(value.UnmodelledArgument, "the diagonal of other dimensions than the last two is not followed")
		}
		shape := slices.Clone(s[:n-2])
		if name != "linalg.trace" {
			shape = append(shape, min(s[n-2], s[n-1]))
		}
		return shape, nil
	})
}

// withDiagonal replaces the diagonals of matrices.
func withDiagonal(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	diagonal, _ := objects.Passed(args, 1, "diagonal")
	return OnAll(h, "MatrixSetDiag", []value.Value{objects.First(args), diagonal}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpMatrixSetDiag, in, in[0].Shape, in[0].DType)}, nil
	})
}

// decomposed is the inverse, the Cholesky factor or the determinant of matrices. Its gradient
// reads the output. The gradient of a determinant inverts the matrices again
// (tensorflow/python/ops/linalg_grad.py).
func decomposed(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		n := len(x.Shape)
		if n < 2 {
			return nil, value.Refused("%s is not a matrix", x.Shape)
		}
		shape := x.Shape
		if name == "det" {
			shape = shape[:n-2]
		}
		out, op := g.Add(graph.OpDecompose, []*graph.Tensor{x}, shape, x.DType)
		if name == "det" {
			op.KeepsInputs()
		}
		op.BackwardTemp = x.Bytes()
		return []*graph.Tensor{out}, nil
	})
}

// solved solves a linear system. The gradient reads the matrices and the solution
// (_MatrixSolveGrad).
func solved(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	right, _ := objects.Passed(args, 1, "rhs", "b")
	left := objects.First(args)
	if v, ok := objects.Passed(args, 0, "matrix", "chol"); ok {
		left = v
	}
	return OnAll(h, name, []value.Value{left, right}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpSolve, in, in[1].Shape, in[1].DType)
		op.Keep = append(op.Keep, in[0])
		op.KeepsOutputs()
		return []*graph.Tensor{out}, nil
	})
}

// outer is the product of each element of one tensor with each of another, both flattened.
func outer(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, _ := objects.Passed(args, 1, "x2", "b")
	return OnAll(h, name, []value.Value{objects.First(args), b}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpMultiply, in, tensor.Shape{in[0].Shape.Product(), in[1].Shape.Product()}, in[0].DType)
		op.KeepsInputs()
		return []*graph.Tensor{out}, nil
	})
}

// batchDot multiplies along an axis of each tensor, per example (tf_keras/src/backend.py,
// batch_dot).
func batchDot(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	x, _ := objects.Passed(args, 0, "x")
	y, _ := objects.Passed(args, 1, "y")
	pair, why := Operands(h, []value.Value{x, y})
	if why != nil {
		return why.Unknown()
	}
	axes, ok := objects.Given(args, 2, "axes")
	if !ok {
		last := int64(len(pair[1].Shape) - 2)
		if len(pair[1].Shape) == 2 {
			last = 1
		}
		axes = value.Value{X: value.Tuple{{X: int64(len(pair[0].Shape) - 1)}, {X: last}}}
	}
	r := &layers.ArgParser{Args: &value.Args{Positional: []value.Value{axes}}, In: in, H: h}
	product, isProduct := layers.Dot(r).(layers.Merging)
	if r.Why != nil || !isProduct {
		return h.Unknown(value.ArrayShape, "the axes of batch_dot are not known: %s", r.Why)
	}
	return Operate(h, "BatchDot", pair, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(product(nil, g, in))
	})
}
