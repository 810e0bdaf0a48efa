package memory_test

import (
	"math"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestLoadedFunction: a frozen model that is loaded as a function returns all that its gradient
// would read. The peak is what record.py recorded with tf_keras 2.21 and tensorflow_hub 0.16.1 of a
// KerasLayer around keras.applications.MobileNetV2 as a SavedModel, without scratch.
func TestLoadedFunction(t *testing.T) {
	const recorded = 996_052_224
	p := keras.Evaluate(names.Resolve(syntax.Parse(`
import numpy as np
import tensorflow as tf
import tensorflow_hub as hub
import tf_keras as keras
layer = hub.KerasLayer("https://tfhub.dev/google/imagenet/mobilenet_v2_100_224/feature_vector/5", input_shape=(224, 224, 3))
m = keras.Sequential([layer, keras.layers.Dense(5)])
m.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
m.fit(np.zeros((64, 224, 224, 3), "float32"), np.zeros((64,), "int32"), batch_size=16)
`), effects.Library{}.Legacy(), nil))
	a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
	if a.Training == nil {
		t.Fatalf("no price: %v", a.Unresolved)
	}
	if got := a.Training.Peak - a.Training.Data; math.Abs(float64(got)/recorded-1) > 0.02 {
		t.Errorf("the peak is %d, want %d", got, recorded)
	}
	if got := a.Inference.Peak; got > recorded/4 {
		t.Errorf("a prediction, which keeps nothing for a gradient, needs %d", got)
	}
}
