package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestTimedApplications prices keras.applications in TimeDistributed, which runs a model twice in
// Keras 2: as they are, within other models, frozen, and without tf.function.
func TestTimedApplications(t *testing.T) {
	var programs []string
	for _, row := range table(t, "applications.csv") {
		if name := row["program"]; !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	type variant struct{ encoder, model, fit string }
	variants := []variant{
		{"base", "TimeDistributed(encoder)(x)", ""},
		{"Sequential([base, BatchNormalization(), Dropout(0.2), Dense(4)])", "TimeDistributed(encoder)(x)", ""},
		{"Sequential([base, Dropout(0.2), BatchNormalization()])", "Bidirectional(LSTM(3, return_sequences=True))(TimeDistributed(encoder)(x))", ""},
		{"TimeDistributed(base)", "TimeDistributed(encoder)(Reshape((1, 2) + x.shape[2:])(x))", ""},
		{"base", "TimeDistributed(encoder)(x)", "base.trainable = False\n"},
		{"base", "TimeDistributed(encoder)(x)", "how = {'run_eagerly': True}\n"},
	}
	type run struct {
		program string
		variant
		legacy bool
	}
	var runs []run
	for i, program := range programs {
		for j, v := range variants {
			if (i+j)%3 == 0 {
				runs = append(runs, run{program, v, true}, run{program, v, false})
			}
		}
	}
	for _, r := range cases.Sample(t, runs, 41) {
		size := 224
		if r.program == "NASNetLarge" { // its paddings are recorded for this size
			size = 331
		}
		text := fmt.Sprintf(`
import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import *
from tensorflow.keras import Sequential
base = keras.applications.%[1]s(weights=None, include_top=False, pooling="avg", input_shape=(%[2]d, %[2]d, 3))
encoder = %[3]s
how = {"jit_compile": False}
%[4]sx = keras.Input((2, %[2]d, %[2]d, 3))
m = keras.Model(x, Dense(1)(Flatten()(%[5]s)))
m.compile("adam", "mse", **how)
m.fit(np.zeros((4, 2, %[2]d, %[2]d, 3)), np.zeros((4, 1)), batch_size=2)
`, r.program, size, r.encoder, r.fit, r.model)
		l := effects.Library{}
		if r.legacy {
			l = l.Legacy()
		}
		p := followUnder(l, text)
		if len(p.Uses) != 1 || p.Uses[0].Model.Optimizer == nil {
			t.Fatalf("%s: %d uses; %v", text, len(p.Uses), p.Unresolved)
		}
		u := p.Uses[0]
		if need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(2)); err != nil || need.Peak <= need.Weights {
			t.Errorf("%v:%s", err, text)
		}
	}
}
