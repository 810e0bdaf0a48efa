package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestIdle holds which layers cost nothing in inference: those that do something in training alone.
func TestIdle(t *testing.T) {
	peak := func(layer string) int64 {
		p := followText(`
from tensorflow import keras
from keras.layers import *
i = keras.Input((64, 64, 8))
x = Conv2D(8, 3, padding="same")(i)
m = keras.Model(i, Concatenate()([x, ` + layer + `(x)]))
m.compile("adam", "mse", jit_compile=False)
m.predict(data)
`)
		need, err := memory.Inference(p.Models[0], p.Uses[0].BatchInputs(16))
		if err != nil {
			t.Fatalf("%s: %v", layer, err)
		}
		return need.Peak
	}
	none := peak("Activation('linear')")
	for layer, idle := range map[string]bool{
		"Dropout(0.5)": true, "GaussianNoise(0.5)": true, "GaussianDropout(0.5)": true, "RandomFlip()": true, "RandomCrop(64, 64)": true,
		"Resizing(64, 64)": false, "Solarization()": false, "ReLU()": false,
	} {
		if got := peak(layer); (got == none) != idle {
			t.Errorf("%s: the peak is %d, without it %d", layer, got, none)
		}
	}
}
