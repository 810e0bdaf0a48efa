package rules

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
)

// The layer that TFM605 shows instead of Flatten is one that the file has a name for, or imports
// with it.
func TestPooledIsImported(t *testing.T) {
	const pooled = "GlobalAveragePooling2D"
	names := "Conv2D, Dense, Flatten, Input"
	for _, c := range []struct{ imports, flatten, wantImports, want string }{
		{"from tensorflow.keras import layers as L\nfrom tensorflow.keras.layers import Conv2D, Dense, Input", "L.Flatten()", "", "L." + pooled + "()"},
		{"from tensorflow.keras.layers import " + names, "Flatten()", "\nfrom tensorflow.keras.layers import " + pooled, pooled + "()"},
		{"from keras.layers import " + names, "Flatten()", "\nfrom keras.layers import " + pooled, pooled + "()"},
		{"from tensorflow.keras.layers import " + names + ", " + pooled + " as Pool", "Flatten()", "", "Pool()"},
		{"from tensorflow.keras.layers import *", "Flatten()", "", pooled + "()"},
	} {
		program := func(imports, flatten string) string {
			return "import tensorflow as tf\n" + imports + "\n\nmodel = tf.keras.Sequential([Input((128, 128, 3)), Conv2D(32, 3), " + flatten + ", Dense(512)])\nmodel.compile('adam', 'mse')\n"
		}
		text := program(c.imports, c.flatten)
		findings := Check(analyze(source.New("a.py", text)), Selection{Select: []string{"TFM605"}})
		if len(findings) != 1 || len(findings[0].Fixes) != 1 {
			t.Errorf("%s: %d findings, or nothing is shown", c.imports, len(findings))
			continue
		}
		edits := findings[0].Fixes[0].Edits
		slices.SortFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
		got, err := source.Apply(text, edits)
		if want := program(c.imports+c.wantImports, c.want); err != nil || got != want {
			t.Errorf("%s: shown is (%v)\n%s\nwant\n%s", c.imports, err, got, want)
		}
	}
}
