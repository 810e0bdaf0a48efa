package shapes_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

const none = tensor.None

// call returns the arguments of a call: a tensor, and others.
func call(others ...any) *value.Args {
	args := &value.Args{Positional: make([]value.Value, 1)}
	for _, x := range others {
		args.Positional = append(args.Positional, of(x))
	}
	return args
}

func of(x any) value.Value {
	switch x := x.(type) {
	case int:
		return value.Value{X: int64(x)}
	case []any:
		var t value.Tuple
		for _, item := range x {
			t = append(t, of(item))
		}
		return value.Value{X: t}
	}
	return value.Value{X: x}
}

// TestShapes holds what NumPy 2 and TensorFlow 2.21 make of shapes, and what is left unknown of them.
func TestShapes(t *testing.T) {
	type list = []any
	text := func(made any, err error) string {
		if err != nil {
			return "error"
		}
		return fmt.Sprint(made)
	}
	view := func(name string, s tensor.Shape, others ...any) string {
		return text(shapes.Views[name](s, call(others...)))
	}
	order := func(name string, s tensor.Shape, others ...any) string {
		return text(shapes.Orders[name](s, call(others...)))
	}
	join := func(name string, s tensor.Shape, others ...any) string {
		j, err := shapes.Join(name, []tensor.Shape{s, s}, call(others...))
		return text(j.Shape, err)
	}
	split := func(by any, cut shapes.Cut, n int64) string { return text(shapes.Split(of(by), cut, n)) }
	repeat := func(s tensor.Shape, by any, others ...any) string {
		r, err := shapes.Repeat(s, of(by), call(append(list{by}, others...)...))
		return text(r.To, err)
	}
	pad := func(s tensor.Shape, by any) string { return text(shapes.Pad(s, of(by))) }
	reshape := func(s, to tensor.Shape) string { return text(shapes.Reshape(s, to, shapes.Ratio{Rows: 1, Per: 1})) }
	product := func(a, b tensor.Shape) string {
		s, _, err := shapes.MatMul(a, b)
		return text(s, err)
	}
	dot := func(a, b tensor.Shape) string { return text(shapes.Dot(a, b)) }
	x, batch := tensor.Shape{2, 3}, tensor.Shape{none, 3}
	for i, c := range []struct{ got, want string }{
		{view("expand_dims", x, list{0, -1}), "(1, 2, 3, 1)"}, {view("expand_dims", batch, 1), "(None, 1, 3)"}, {view("expand_dims", x, 4), "error"},
		{view("squeeze", tensor.Shape{1, none, 1}), "(None,)"}, {view("squeeze", tensor.Shape{1, 3, 1}, list{0, 2}), "(3,)"}, {view("squeeze", x, 0), "error"},
		{view("ravel", batch), "(None,)"}, {view("atleast_3d", x), "(2, 3, 1)"}, {view("atleast_3d", tensor.Shape{4}), "(1, 4, 1)"},
		{reshape(x, tensor.Shape{none, 2}), "(3, 2)"}, {reshape(x, tensor.Shape{none, 4}), "error"}, {reshape(x, tensor.Shape{5}), "error"},
		{reshape(batch, tensor.Shape{none, none}), "(None, 3)"}, {reshape(batch, tensor.Shape{none, 6}), "(None, 6)"},
		{order("transpose", tensor.Shape{2, 3, 4}), "[2 1 0]"}, {order("transpose", x, list{0, 0}), "error"}, {order("transpose", x, list{-1, 0}), "[1 0]"},
		{order("swapaxes", tensor.Shape{2, 3, 4}, 0, -1), "[2 1 0]"}, {order("moveaxis", tensor.Shape{2, 3, 4}, 0, -1), "[1 2 0]"},
		{order("moveaxis", tensor.Shape{2, 3, 4, 5}, list{0, 1}, list{-1, 0}), "[1 2 3 0]"}, {order("matrix_transpose", tensor.Shape{4}), "error"},
		{order("swapaxes", x, list{}, list{}), "error"}, {order("moveaxis", x, list{0, 0}, list{0, 1}), "error"}, {order("moveaxis", x, list{0, 1}, list{1, 1}), "error"}, {order("moveaxis", x, list{}, list{}), "[0 1]"},
		{join("concatenate", batch), "(None, 3)"}, {join("concatenate", batch, -1), "(None, 6)"}, {join("stack", batch, -1), "(None, 3, 2)"}, {join("stack", x, 3), "error"},
		{join("vstack", tensor.Shape{3}), "(2, 3)"}, {join("hstack", tensor.Shape{3}), "(6,)"}, {join("hstack", x), "(2, 6)"},
		{join("dstack", tensor.Shape{3}), "(1, 3, 2)"}, {join("column_stack", tensor.Shape{3}), "(3, 2)"},
		{split(2, shapes.Even, 6), "[{0 3} {3 3}]"}, {split(2, shapes.Even, 5), "error"}, {split(3, shapes.Uneven, 7), "[{0 3} {3 2} {5 2}]"}, {split(2, shapes.Sizes, none), "[{-1 -1} {-1 -1}]"},
		{split(list{4, 2}, shapes.Even, 5), "[{0 4} {4 0} {2 3}]"}, {split(list{-2}, shapes.Even, 5), "[{0 3} {3 2}]"}, {split(list{2, 9}, shapes.Uneven, 5), "[{0 2} {2 3} {5 0}]"},
		{split(list{2, -1}, shapes.Sizes, 6), "[{0 2} {2 4}]"}, {split(list{2, 3}, shapes.Sizes, 6), "error"}, {split(list{2, -1}, shapes.Sizes, none), "[{0 2} {2 -1}]"},
		{repeat(x, 2), "(12,)"}, {repeat(x, list{1, 4}, 0), "(5, 3)"}, {repeat(x, list{1, 2, 3}, 0), "error"}, {repeat(batch, 2, 0), "(None, 3)"}, {repeat(batch, 2, 1), "(None, 6)"},
		{pad(x, 1), "(4, 5)"}, {pad(x, list{1, 2}), "(5, 6)"}, {pad(batch, list{list{1, 2}, list{0, 1}}), "(None, 4)"}, {pad(x, list{list{1, 2}, list{0}, list{3}}), "error"},
		{product(tensor.Shape{5, 2, 3}, tensor.Shape{3, 4}), "(5, 2, 4)"}, {product(tensor.Shape{3}, tensor.Shape{2, 3, 4}), "(2, 4)"}, {product(x, x), "error"}, {product(tensor.Shape{3}, tensor.Shape{3}), "()"},
		{dot(tensor.Shape{2, 3}, tensor.Shape{4, 3, 5}), "(2, 4, 5)"}, {product(tensor.Shape{2, 3}, tensor.Shape{4, 3, 5}), "(4, 2, 5)"},
	} {
		if c.got != c.want {
			t.Errorf("case %d is %s, want %s", i, c.got, c.want)
		}
	}
}
