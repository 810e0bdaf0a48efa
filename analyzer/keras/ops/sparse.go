package ops

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A sparse is a tf.SparseTensor that does not depend on a model's inputs, such as the adjacency
// of a graph. The number of its nonzeros is not known.
type sparse struct {
	state.Opaque
	shape tensor.Shape
	dtype tensor.DType
}

func (v *sparse) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape", "dense_shape":
		return objects.ShapeValue(v.shape), true
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(v.shape) })
	case "dtype":
		return value.Value{X: string(v.dtype)}, true
	}
	return v.Base.GetAttr(in, name)
}

// SparseFunctions are those on sparse tensors.
var SparseFunctions = []FunctionRow{
	{sparsified, "sparse.from_dense sparse.reorder"},
	{sparseProduct, "sparse.sparse_dense_matmul sparse.matmul sparse_tensor_dense_matmul"},
}

// NewSparse is tf.SparseTensor. Only its shape matters.
func NewSparse(h *state.Host, args *value.Args) value.Value {
	size, _ := args.Get(2, "dense_shape")
	shape, ok := objects.Dims(size)
	if !ok {
		return h.Unknown(value.ArrayShape, "the shape of a sparse tensor is not known: %s", objects.Because(size))
	}
	d := tensor.DType("float32")
	if values, ok := args.Get(1, "values"); ok {
		if _, of, known := numpy.Of(values); known {
			d = of
		} else if x, ok := values.X.(*SymbolicValue); ok {
			d = x.S.DType
		}
	}
	return value.Value{X: &sparse{state.Opaque{Base: "a sparse tensor"}, shape, d}}
}

// sparsified makes a sparse tensor from another tensor, which may be dense.
func sparsified(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	of := objects.First(args)
	switch x := of.X.(type) {
	case *sparse:
		return of
	case *SymbolicValue:
		return value.Value{X: &sparse{state.Opaque{Base: "a sparse tensor"}, x.S.Shape, x.S.DType}}
	}
	return h.Unknown(value.ArrayShape, "the input of %s is not known: %s", name, objects.Because(of))
}

// sparseProduct is the product of a sparse matrix with a dense one. The gradient of the dense
// matrix is the transposed sparse matrix times the incoming gradient, and reads nothing else. A
// graph drops the gradient of the sparse matrix's numbers if nothing needs it
// (tensorflow/python/ops/sparse_grad.py, _SparseTensorDenseMatMulGrad).
func sparseProduct(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	a, ok := objects.First(args).X.(*sparse)
	if !ok {
		return h.Unknown(value.ArrayShape, "the sparse matrix of %s is not known: %s", name, objects.Because(objects.First(args)))
	}
	b, _ := args.Get(1, "b")
	s, why := Operand(h, b)
	if why != nil {
		return why.Unknown()
	}
	ta, _ := args.Get(2, "adjoint_a")
	tb, _ := args.Get(3, "adjoint_b")
	return Operate(h, "SparseMatMul", []*graph.Symbolic{s}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x := in[0]
		if len(a.shape) != 2 || len(x.Shape) != 2 {
			return nil, value.Refused("a product of the shapes %s and %s", a.shape, x.Shape)
		}
		shape := tensor.Shape{a.shape[0], x.Shape[1]}
		if ta.X == true {
			shape[0] = a.shape[1]
		}
		if tb.X == true {
			shape[1] = x.Shape[0]
		}
		if g.Eagerly && x.Grad {
			// Rows of both are gathered, one for each nonzero.
			return nil, value.Because(value.DataDependent, "the number of nonzero elements of a sparse matrix is not known: an eager step makes the gradient of each")
		}
		return []*graph.Tensor{g.Tensor(graph.OpSparseMatMul, in, shape, x.DType)}, nil
	})
}
