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

// TestBranches compares prices of layers that behave otherwise in training with what real steps took
// in graphs of TensorFlow 1, whose switches leave zeros for the branch that is not taken. Which
// gradient of two that become ready together runs first is not known: the lower price has one more
// tensor open.
func TestBranches(t *testing.T) {
	for _, row := range table(t, "composed/branches.csv") {
		line, kind := row["case"], row["keras"]
		exactly := func(major, minor int) effects.Stated {
			return effects.Stated{Range: effects.Exactly(effects.Version{Major: major, Minor: minor}), Source: "the test"}
		}
		library := effects.With(effects.Versions{TensorFlow: exactly(1, 15), Keras: exactly(2, 3)})
		spec, expression, _ := strings.Cut(line, " -> ")
		package_ := map[string]string{"keras": "keras", "tf.keras": "tensorflow.keras"}[kind]
		program := fmt.Sprintf(`
import numpy as np
import %[1]s
from %[1]s.layers import *
x = Input(%[2]s)
m = %[1]s.models.Model(x, GlobalAveragePooling1D()(Reshape((-1, 1))(%[3]s)))
m.compile("sgd", "mse")
m.train_on_batch(np.zeros((32,) + %[2]s, "f"), np.zeros((32, 1), "f"))
`, package_, spec, expression)
		p := keras.EvaluateIn(state.Environment{Package: library.PackageOf, Switches: true}, names.Resolve(syntax.Parse(program), library, nil))
		if len(p.Uses) != 1 {
			t.Fatalf("%s: %d trainings; %v", line, len(p.Uses), p.Unresolved)
		}
		a := memory.Assess(p.Uses[0].Model, []*graph.ModelCall{p.Uses[0]}, memory.Place{})
		if a.Training == nil {
			t.Fatalf("%s: %v", line, a.Unresolved)
		}
		var n [3]int64
		for i, name := range []string{"weights", "slots", "beside"} {
			var err error
			if n[i], err = strconv.ParseInt(row[name], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		var batch int64 = 32 * 4 // not in the record
		for d := range strings.SplitSeq(strings.Trim(spec, "(,)"), ", ") {
			k, _ := strconv.ParseInt(d, 10, 64)
			batch *= k
		}
		want := n[0] + n[1] + n[2] + batch
		off := 100 * (float64(a.Training.Peak)/float64(want) - 1)
		t.Logf("%+6.1f %% recorded %s, priced %s (%s to %s): %s %s", off, memory.Bytes(want), memory.Bytes(a.Training.Peak), memory.Bytes(a.Training.Low), memory.Bytes(a.Training.High), kind, line)
		if a.Training.High < want || a.Training.Low > want {
			t.Errorf("%s %s: %d bytes were recorded, %d to %d are told", kind, line, want, a.Training.Low, a.Training.High)
		}
	}
}
