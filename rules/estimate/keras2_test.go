package estimate_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestOnlyKeras2 checks that a program that Keras refuses from Keras 3 on is priced as one of Keras
// 2, unless that refuses it as well or a version is stated.
func TestOnlyKeras2(t *testing.T) {
	const assumed = "Keras 2 is assumed, as nothing states a version (line 3). "
	stated := analyzer.Config{Versions: effects.Versions{Keras: effects.Stated{Range: effects.Range{Low: effects.Version{Major: 3}, High: effects.Version{Major: 3, Minor: 15}}, Source: "--keras"}}}
	for _, c := range []struct {
		config                    analyzer.Config
		output, loss, labels, fit string
		want                      string // of the assumptions, or of the first reason
	}{
		{output: "10", loss: "mae", labels: "(64, 10)"},
		{output: "10", loss: "mae", labels: "(64,)", want: assumed + "From Keras 3 on, TensorFlow will raise: mae compares an output of the shape (None, 10) with labels of the shape (None,)."},
		{stated, "10", "mae", "(64,)", "", "From Keras 3 on, TensorFlow will raise: mae compares an output of the shape (None, 10) with labels of the shape (None,)"},
		{output: "3", loss: "mse", labels: "(64, 10)", want: "From Keras 3 on, TensorFlow will raise: mse compares an output of the shape (None, 3) with labels of the shape (None, 10)"},
		{output: "10", loss: "mae", labels: "(64, 10)", fit: ", callbacks=[keras.callbacks.ModelCheckpoint(path, save_weights_only=True)]",
			want: assumed + `From Keras 3 on, TensorFlow will raise: the path of a checkpoint of weights ends in .weights.h5, which "x/cp" does not.`},
	} {
		text := "import numpy as np\nfrom tensorflow import keras\nmodel = keras.Sequential([keras.Input((4,)), keras.layers.Dense(" + c.output + ")])\n" +
			"path = '/'.join(['x', 'cp'])\nmodel.compile('adam', '" + c.loss + "')\nmodel.fit(np.zeros((64, 4)), np.zeros(" + c.labels + ")" + c.fit + ")\n"
		models, _ := estimate.Of(analyzer.Analyze(source.New("a.py", text), c.config), estimate.Options{})
		if len(models) != 1 {
			t.Fatalf("%d models in\n%s", len(models), text)
		}
		var said string
		for _, a := range models[0].Assumptions() {
			if strings.HasPrefix(a, "Keras 2 is assumed") {
				said = a
			}
		}
		if len(models[0].Reasons) > 0 {
			said = models[0].Reasons[0].String()
		}
		if said != c.want {
			t.Errorf("%s\n%q, want\n%q", text, said, c.want)
		}
	}
}
