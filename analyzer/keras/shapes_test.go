package keras

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestOneShape holds that each function that arrays and symbolic tensors both have returns the same
// shape for both, whatever it is called with, where both answer: a function has one shape function.
func TestOneShape(t *testing.T) {
	const head = `
import tensorflow as tf
from tensorflow import keras
from keras import ops
def tensors(make):
    return make((3,)), make((2, 3)), make((1, 3)), make((2, 1, 3)), make((3, 4))
v, x, y, z, w = tensors(%s)
`
	first := strings.Fields("v x y z [x,x] [v,v] [x,y] [z,z]")
	others := []string{
		"", "0", "1", "-1", "2", "3", "-2", "(0, 1)", "(1, 0)", "(1, 2)", "[2]", "None", "axis=0", "axis=1", "axis=-1", "axis=(0, -1)",
		"1, True", "axis=1, keepdims=True", "2, 1", "[1, 2], 1", "2, axis=0", "((1, 2), (0, 1))", "((1, 2),)",
		"(6,)", "(-1,)", "(-1, 2)", "(3, -1)", "()", "(), ()", "0, 1", "(0, 1), (1, 0)", "-10**18", "10**18, 0", "v", "w", "x", "x, y",
	}
	compared := 0
	for name := range numpy.Loaded().Numeric {
		var calls []string
		for _, a := range first {
			for _, b := range others {
				calls = append(calls, fmt.Sprintf("tf.%s(%s, %s)", name, a, b), fmt.Sprintf("ops.%s(%s, %s)", name, a, b))
			}
		}
		program := "\nr = [" + strings.Join(calls, ",\n") + "]\n"
		ofArrays := shapesIn(t, fmt.Sprintf(head, "tf.zeros")+program)
		ofSymbols := shapesIn(t, fmt.Sprintf(head, "lambda s: keras.Input(batch_shape=s)")+program)
		for i, call := range calls {
			if a, b := ofArrays[i], ofSymbols[i]; a != "" && b != "" {
				if compared++; a != b {
					t.Errorf("%s of arrays is %s, of symbolic tensors %s", call, a, b)
				}
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d calls are compared", compared)
	}
}

// shapesIn returns the shapes of the items of r in a program.
func shapesIn(t *testing.T, program string) []string {
	h := newHost(state.Environment{}, state.Unbounded)
	h.Interp = value.New(names.Resolve(syntax.Parse(program), effects.Library{}, nil), evaluator{h}, python.Library())
	if why := interp.Run(h.Interp); why != nil {
		t.Fatal(why)
	}
	r, _ := h.Interp.Module().Get("r")
	items, ok := objects.Sequence(r)
	if !ok {
		t.Fatal(objects.Because(r))
	}
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = shapeOf(item)
	}
	return out
}

// shapeOf is the shape of an array, a symbolic tensor or a number, or those of several; "" if one is
// not known.
func shapeOf(v value.Value) (text string) {
	switch x := v.X.(type) {
	case *numpy.Array:
		return x.Shape.String()
	case *ops.SymbolicValue:
		return x.S.Shape.String()
	case int64, float64, bool:
		return tensor.Shape{}.String()
	}
	items, _ := objects.Sequence(v)
	for _, item := range items {
		of := shapeOf(item)
		if of == "" {
			return ""
		}
		text += of
	}
	return text
}
