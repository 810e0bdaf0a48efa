package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestWider: a model with the classes of a folder has a range. Its low end equals the same
// program with the fewest classes, its high end the one with the most.
func TestWider(t *testing.T) {
	const head = `
import tensorflow as tf
from tensorflow import keras
data = keras.utils.image_dataset_from_directory("photos", image_size=(64, 64), batch_size=32)
classes = len(data.class_names)
base = keras.applications.MobileNetV2(include_top=False, input_shape=(64, 64, 3), weights=None)
model = keras.Sequential([base, keras.layers.Flatten(), keras.layers.Dense(512), keras.layers.Dense(classes)])
`
	device := memory.Device{Name: "T4", Total: 15 << 30, Major: 7, Minor: 5}
	for name, rest := range map[string]string{
		"fit":         "model.compile('adam', 'sparse_categorical_crossentropy')\nmodel.fit(data)\n",
		"without XLA": "model.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)\nmodel.fit(data)\n",
		"frozen later": "model.compile('adam', 'sparse_categorical_crossentropy')\nmodel.fit(data)\n" +
			"base.trainable = False\nmodel.compile('sgd', 'sparse_categorical_crossentropy')\nmodel.fit(data)\n",
		"predict": "model.predict(data)\n",
		"a step of its own": `
optimizer = keras.optimizers.Adam()
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = keras.losses.sparse_categorical_crossentropy(y, model(x, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`,
	} {
		t.Run(name, func(t *testing.T) {
			assess := func(text string) *memory.Assessment {
				p := followText(text)
				var of *graph.Model
				for _, u := range p.Uses {
					of = u.Model
				}
				if of == nil {
					t.Fatalf("no model is used")
				}
				a := memory.Assess(of, p.Uses, memory.Place{Device: &device})
				if a.Main() == nil || len(a.Unresolved) > 0 {
					t.Fatalf("it is not priced: %q", a.Unresolved)
				}
				return a
			}
			of := func(classes int) *memory.Assessment {
				return assess(strings.Replace(head, "len(data.class_names)", fmt.Sprint(classes), 1) + rest)
			}
			a, few, most := assess(head+rest), of(2), of(1000)
			if want := (memory.Range{Low: few.Parameters.Low, High: most.Parameters.Low}); a.Parameters != want || want.Exact() {
				t.Errorf("%s parameters, want %s", a.Parameters, want)
			}
			if want := (memory.Range{Low: few.Trained.Low, High: most.Trained.Low}); a.Trained != want {
				t.Errorf("%s are trained, want %s", a.Trained, want)
			}
			got := a.Main().Need
			if low, high := few.Main().Low, most.Main().High; got.Low != low || got.High != high {
				t.Errorf("between %s and %s, want %s and %s", memory.Bytes(got.Low), memory.Bytes(got.High), memory.Bytes(low), memory.Bytes(high))
			}
			if (a.Inference == nil) != (most.Inference == nil) || a.Inference != nil && a.Inference.High != most.Inference.High {
				t.Error("prediction has not the high end of the most classes")
			}
			if a.Largest != most.Largest {
				t.Errorf("the largest batch is %d, want %d", a.Largest, most.Largest)
			}
			if a.Trainings != few.Trainings || a.Batch != few.Batch {
				t.Errorf("%d trainings, batch %d", a.Trainings, a.Batch)
			}
		})
	}
}
