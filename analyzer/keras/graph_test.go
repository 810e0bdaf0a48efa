package keras

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// TestClear: a model is lowered into a cleared graph as it is into a new one.
func TestClear(t *testing.T) {
	text := "import keras\nfrom keras import layers\n"
	for _, build := range []string{
		"x = layers.Embedding(100, 8)(i)\nx = layers.LSTM(4, return_sequences=True)(x)\nx = layers.Dropout(0.5)(x)",
		"x = layers.Rescaling(2.0)(i)\nx = layers.Dense(7, activation='relu', kernel_regularizer='l2')(x)\nx = layers.BatchNormalization()(x)",
		"x = layers.Dense(9)(i)\nx = layers.Add()([x, layers.Dense(9, activation='softmax')(x)])\nx = layers.Softmax()(x)",
	} {
		text += "i = keras.Input((12,))\n" + build + "\nm = keras.Model(i, x)\nm.compile('adam', 'mse')\nm.fit(a, b)\n"
	}
	p := Evaluate(names.Resolve(syntax.Parse(text), effects.Library{}, nil))
	if len(p.Uses) != 3 {
		t.Fatalf("the program has %d models", len(p.Uses))
	}
	lowered := func(g *graph.Graph, m *graph.Model) string {
		g.Clear()
		g.In(m)
		g.Inputs = append(g.Inputs, &graph.Tensor{Shape: tensor.Shape{32, 12}, DType: "float32"})
		if _, err := m.Lower(g, g.Inputs); err != nil {
			t.Fatal(err)
		}
		g.Count()
		var b strings.Builder
		list := func(what string, tensors []*graph.Tensor) {
			for _, x := range tensors {
				fmt.Fprintf(&b, " %s %d: %s %s %t", what, x.Number, x.Shape, x.DType, x.Grad)
			}
		}
		for _, op := range g.Ops {
			fmt.Fprintf(&b, "%s of %s", op.Kind.Name, op.Layer.Name)
			list("in", op.In)
			list("out", op.Out)
			list("keep", op.Keep)
			for _, w := range op.Weights {
				fmt.Fprintf(&b, " weight %s", w.Shape)
			}
			rest := *op
			rest.Layer, rest.In, rest.Out, rest.Keep, rest.Weights, rest.HoistedGrad, rest.Normalization = nil, nil, nil, nil, nil, nil, nil
			fmt.Fprintf(&b, " %+v\n", rest)
		}
		fmt.Fprintf(&b, "%d losses, trains %t, eager %t, %d calls\n", len(g.Losses), g.Trains, g.Eagerly, g.Calls)
		return b.String()
	}
	g := &graph.Graph{}
	for range 2 {
		for i, u := range p.Uses {
			if diff := cmp.Diff(lowered(&graph.Graph{}, u.Model), lowered(g, u.Model)); diff != "" {
				t.Errorf("model %d (-in a new graph +in one that held others):\n%s", i, diff)
			}
			g.Trains = true
		}
	}
}
