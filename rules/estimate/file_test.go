package estimate_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestPhases checks that each training, and the compile before it, is shown in its own state.
func TestPhases(t *testing.T) {
	const text = `import numpy as np
from tensorflow import keras
base = keras.Sequential([keras.Input((100,)), keras.layers.Dense(50)])
model = keras.Sequential([base, keras.layers.Dense(2)])
base.trainable = False
model.compile("adam", "mse")
model.fit(np.zeros((64, 100)), np.zeros((64, 2)))
base.trainable = True
model.compile("sgd", "mse")
model.fit(np.zeros((64, 100)), np.zeros((64, 2)))
`
	file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
	out, err := estimate.Read(context.Background(), file, estimate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range out.Calls {
		got = append(got, fmt.Sprintf("%s %s %d", c.Method, c.Model.Then.Optimizer.Class, c.Model.Trained.Low))
	}
	want := []string{"fit Adam 102", "compile Adam 102", "fit SGD 5152", "compile SGD 5152"}
	if !slices.Equal(got, want) {
		t.Errorf("the calls are %q, want %q", got, want)
	}
	i := slices.IndexFunc(out.Models, func(m estimate.Model) bool { return m.Name == "model" })
	if m := out.Models[i]; m.Trainings != 2 || m.Trained.Low != 5152 {
		t.Errorf("the model is told with %d trainings, one of %d parameters", m.Trainings, m.Trained.Low)
	}
}

// TestParts checks that a model all of whose layers are in another, trained model is a part of
// that, unless it is used itself.
func TestParts(t *testing.T) {
	const text = `import numpy as np
from tensorflow import keras
i = keras.Input((100,))
base = keras.Model(i, keras.layers.Dense(50)(i))
model = keras.Model(base.input, keras.layers.Dense(2)(base.output))
model.compile("adam", "mse")
model.fit(np.zeros((64, 100)), np.zeros((64, 2)))
`
	for more, want := range map[string]bool{"": true, "base.predict(np.zeros((64, 100)))\n": false} {
		out, _ := estimate.Read(context.Background(), analyzer.Analyze(source.New("a.py", text+more), analyzer.Config{}), estimate.Options{})
		for _, m := range out.Models {
			if m.Part != (want && m.Name == "base") {
				t.Errorf("%s is a part: %v", m.Name, m.Part)
			}
		}
	}
}
