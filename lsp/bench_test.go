package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// trainingScript returns TensorFlow code of about as many lines: models, input pipelines, custom
// training steps, and comments.
func trainingScript(lines int) string {
	var b strings.Builder
	b.WriteString("\"\"\"Train many models.\"\"\"\nimport numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras import layers as L\n\n")
	for i := 0; strings.Count(b.String(), "\n") < lines; i++ {
		fmt.Fprintf(&b, `
def build_model_%[1]d(input_shape=(224, 224, 3), classes=%[1]d, rate=0.%[1]d):
    """A convolutional network with %[1]d classes, é."""
    inputs = keras.Input(shape=input_shape, name="image_%[1]d")
    x = L.Rescaling(1.0 / 255)(inputs)
    for filters in (32, 64, 128, 256):
        x = L.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = L.BatchNormalization(momentum=0.9)(x)
        x = L.MaxPooling2D()(x)
    x = L.GlobalAveragePooling2D()(x)
    outputs = L.Dense(classes, activation="softmax")(L.Dropout(rate)(x))
    return keras.Model(inputs, outputs)


@tf.function
def train_step_%[1]d(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, predictions))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def dataset_%[1]d(images, labels, batch_size=32):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.map(lambda a, b: (tf.cast(a, tf.float32), b), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(1024).batch(batch_size).prefetch(tf.data.AUTOTUNE)

`, i)
	}
	return b.String()
}

// BenchmarkKeystroke measures the time from a didChange of one character, within a function in
// the middle, to the diagnostics of the new version, over a connection in memory. Each keystroke
// changes what is published: the probe follows the character on its line.
func BenchmarkKeystroke(b *testing.B) {
	for _, lines := range []int{2000, 20_000} {
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			text := trainingScript(lines)
			half := text[:strings.Index(text[len(text)/2:], "\n    return ")+len(text)/2+1]
			line := strings.Count(half, "\n")
			const uri = "file:///train.py"
			const typed = "    ; probe_hint\n"
			w := dial(b)
			w.initialize("utf-16")
			w.open(uri, 0, half+typed+text[len(half):])
			w.diagnostics(uri)
			times := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for i := range b.N {
				// A name grows, and starts again.
				r := at(line, 4+i%40, line, 4+i%40)
				if i > 0 && i%40 == 0 {
					r = at(line, 4, line, 44)
				}
				start := time.Now()
				w.change(uri, i+1, message{"range": r, "text": "a"})
				w.diagnostics(uri)
				times = append(times, time.Since(start))
			}
			b.StopTimer()
			slices.Sort(times)
			quantile := func(q float64) float64 { return times[int(q*float64(len(times)-1))].Seconds() * 1e3 }
			b.ReportMetric(quantile(0.5), "p50-ms")
			b.ReportMetric(quantile(0.99), "p99-ms")
			b.ReportMetric(quantile(1), "max-ms")
		})
	}
}

// BenchmarkTypingWhilePricing measures the time from a didChange to the quick rules' diagnostics
// in a file of 2,000 lines. The user types ten characters a second, and pricing the models takes
// a second or so.
func BenchmarkTypingWhilePricing(b *testing.B) {
	text := trainingScript(2000) + `
for n in range(40):
    m = keras.applications.ResNet152(weights=None)
    m.compile("adam", "mse")
    m.fit(x, y, batch_size=8 + n)
`
	half := text[:strings.Index(text[len(text)/2:], "\n    return ")+len(text)/2+1]
	line := strings.Count(half, "\n")
	const uri = "file:///train.py"
	w := dial(b)
	w.initialize("utf-16")
	w.open(uri, 0, half+"    ; probe_hint\n"+text[len(half):])
	w.diagnostics(uri)
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		time.Sleep(time.Second / 10)
		start := time.Now()
		w.change(uri, i+1, message{"range": at(line, 4+i%40, line, 4+i%40), "text": "a"})
		for w.diagnostics(uri)["version"] != float64(i+1) {
		}
		times = append(times, time.Since(start))
	}
	b.StopTimer()
	slices.Sort(times)
	quantile := func(q float64) float64 { return times[int(q*float64(len(times)-1))].Seconds() * 1e3 }
	b.ReportMetric(quantile(0.5), "p50-ms")
	b.ReportMetric(quantile(0.99), "p99-ms")
}

// BenchmarkInitialize measures the time from the start of a server to the response to initialize.
func BenchmarkInitialize(b *testing.B) {
	for b.Loop() {
		w := dial(b)
		w.call("initialize", message{"processId": nil, "capabilities": message{}})
		w.conn.Close()
		<-w.ended
	}
}
