package memory_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestComposed compares prices under Keras 2.3 with what real steps took, with optimizers that have no
// kernel there. The record has the order of one run, and its peaks differ by 0.3 of the weights.
func TestComposed(t *testing.T) {
	exactly := func(major, minor int) effects.Stated {
		return effects.Stated{Range: effects.Exactly(effects.Version{Major: major, Minor: minor}), Source: "the test"}
	}
	library := effects.With(effects.Versions{TensorFlow: exactly(1, 15), Keras: exactly(2, 3)})
	const program = `
import keras
import numpy as np
from keras import layers
model = keras.models.Sequential([layers.Dense(2048, input_shape=(1024,), activation="relu"), layers.Dense(2048, activation="relu"), layers.Dense(10)])
model.compile(%s, "mse")
model.train_on_batch(np.zeros((64, 1024), "f"), np.zeros((64, 10), "f"))
`
	follow := func(text string) *graph.Program {
		return keras.EvaluateIn(state.Environment{Package: library.PackageOf}, names.Resolve(syntax.Parse(text), library, nil))
	}
	rows := strings.Split(strings.TrimSpace(text(t, estimates+"composed/keras-2.3.1.csv")), "\n")
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		var n [3]int64
		for i := range n {
			var err error
			if n[i], err = strconv.ParseInt(cells[i+1], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		for _, optimizer := range []string{"keras.optimizers." + cells[0] + "()", strconv.Quote(strings.ToLower(cells[0]))} {
			p := follow(fmt.Sprintf(program, optimizer))
			if len(p.Uses) != 1 {
				t.Fatalf("%s: %d trainings; %v", optimizer, len(p.Uses), p.Unresolved)
			}
			a := memory.Assess(p.Uses[0].Model, []*graph.ModelCall{p.Uses[0]}, memory.Place{})
			if a.Training == nil {
				t.Fatalf("%s: %v", optimizer, a.Unresolved)
			}
			// The batch, below 1 MiB, is not in the record.
			want := n[0] + n[1] + n[2]
			t.Logf("%s: recorded %s, priced %s (%s to %s)", optimizer, memory.Bytes(want), memory.Bytes(a.Training.Peak), memory.Bytes(a.Training.Low), memory.Bytes(a.Training.High))
			if a.Training.High < want || a.Training.Low > want*21/20 {
				t.Errorf("%s: %d bytes were recorded, %d to %d are told", optimizer, want, a.Training.Low, a.Training.High)
			}
		}
	}
	// tf.keras of the same TensorFlow has kernels.
	kernels := follow(strings.ReplaceAll(fmt.Sprintf(program, `"adam"`), "keras", "tensorflow.keras"))
	if o := kernels.Uses[0].Model.Optimizer; o.Composed || !o.Fused {
		t.Errorf("tf.keras: %+v", o)
	}
}
