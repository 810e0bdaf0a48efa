package tensor_test

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// TestTwoShapes holds what broadcasting and merging make of two shapes.
func TestTwoShapes(t *testing.T) {
	const none = tensor.None
	text := func(s tensor.Shape, err error) string {
		if err != nil {
			return "error"
		}
		return s.String()
	}
	for _, c := range []struct {
		a, b              tensor.Shape
		broadcast, merged string
	}{
		{tensor.Shape{}, tensor.Shape{}, "()", "()"},
		{tensor.Shape{3}, tensor.Shape{none}, "(3,)", "(3,)"},
		{tensor.Shape{none}, tensor.Shape{3}, "(3,)", "(3,)"},
		{tensor.Shape{2, 1}, tensor.Shape{2, 5}, "(2, 5)", "error"},
		{tensor.Shape{4, 1, 3}, tensor.Shape{5, 1}, "(4, 5, 3)", "error"},
		{tensor.Shape{2}, tensor.Shape{3}, "error", "error"},
		{tensor.Shape{none, 3}, tensor.Shape{none, 3}, "(None, 3)", "(None, 3)"},
	} {
		if got := text(tensor.Broadcast(c.a, c.b)); got != c.broadcast {
			t.Errorf("%s and %s are broadcast to %s, want %s", c.a, c.b, got, c.broadcast)
		}
		if got := text(c.a.Merged(c.b)); got != c.merged {
			t.Errorf("%s, said to be %s, is %s, want %s", c.a, c.b, got, c.merged)
		}
	}
}

// TestShape holds what a shape tells of itself, and that none changes another.
func TestShape(t *testing.T) {
	s := tensor.Shape{2, 3, 4}
	if n, ok := s.Elements(); n != 24 || !ok {
		t.Errorf("%d elements, %v", n, ok)
	}
	if _, ok := s.WithBatch(tensor.None).Elements(); ok {
		t.Error("how many elements there are in a batch is known")
	}
	if got := s.Strides(); !slices.Equal(got, []int64{12, 4, 1}) {
		t.Errorf("strides %v", got)
	}
	if got := s.With(-1, 7); got.String() != "(2, 3, 7)" || s.Last() != 4 {
		t.Errorf("%s of %s", got, s)
	}
	if d, ok := tensor.DTypeOf("numpy.half"); d != "float16" || !ok || d.Size() != 2 || !d.Floating() {
		t.Errorf("numpy.half is %s, %v", d, ok)
	}
	if d, ok := tensor.DTypeOf("numpy.zeros"); ok {
		t.Errorf("numpy.zeros is the type %s", d)
	}
}
