package analyzer_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules"
)

// program is TensorFlow-dense Python of about the given number of lines.
func program(lines int) string {
	var b strings.Builder
	b.WriteString("import os\n\nimport numpy as np\nimport tensorflow as tf\nfrom tensorflow.keras import layers\n\nBATCH_SIZE = 64\nEPOCHS = 10\n")
	for i := 0; strings.Count(b.String(), "\n") < lines; i++ {
		fmt.Fprintf(&b, `

class Block%[1]d(tf.keras.layers.Layer):
    """A residual block."""

    def __init__(self, filters=%[1]d, kernel_size=(3, 3), **kwargs):
        super().__init__(**kwargs)
        self.conv1 = layers.Conv2D(filters, kernel_size, padding="same", use_bias=False)
        self.norm1 = layers.BatchNormalization(epsilon=1e-5)
        self.conv2 = layers.Conv2D(filters, kernel_size, padding="same", activation="relu")

    def call(self, inputs, training=None):
        x = self.conv1(inputs)
        x = self.norm1(x, training=training)
        x = tf.nn.relu(x)
        return tf.concat([inputs, self.conv2(x)], axis=-1) if training else x


def build_%[1]d(input_shape=(224, 224, 3), classes=%[1]d):
    inputs = tf.keras.Input(shape=input_shape)
    x = layers.Rescaling(1.0 / 255)(inputs)
    for filters in [32, 64, 128]:
        x = layers.Conv2D(filters, 3, activation="relu", name=f"conv_{filters}")(x)
        x = layers.MaxPooling2D(2)(x)
    x = Block%[1]d(128)(x)
    outputs = layers.Dense(classes, activation="softmax")(layers.Flatten()(x))
    return tf.keras.Model(inputs, outputs)


@tf.function
def train_step_%[1]d(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, predictions))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return {"loss": loss, "accuracy": tf.reduce_mean(tf.cast(tf.equal(tf.argmax(predictions, 1), labels), tf.float32))}


def dataset_%[1]d(files, training=False):
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(buffer_size=1000).repeat()
    ds = ds.map(lambda path: tf.image.decode_jpeg(tf.io.read_file(path)), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)


def main_%[1]d():
    model = build_%[1]d()
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset_%[1]d(os.listdir("train"), training=True), epochs=EPOCHS, steps_per_epoch=100)
`, i)
	}
	b.WriteString("\n\nif __name__ == \"__main__\":\n    main_0()\n")
	return b.String()
}

// BenchmarkStages prints what reading 2,000 lines costs, stage by stage, as
// nanoseconds a node and as a ratio to the bare parse of the same bytes, all
// taken in turn in one run so that the machine's mood cancels out.
func BenchmarkStages(b *testing.B) {
	text := program(2000)
	src := source.New("bench.py", text)
	var bare, lowered, named, followed, checked time.Duration
	nodes := 0
	for b.Loop() {
		parse, lower := syntax.Measure(text)
		bare += parse
		lowered += lower
		tree := syntax.Parse(text)
		nodes = tree.NumNodes()
		at := time.Now()
		info := names.Resolve(tree, effects.Library{}, nil)
		for _, call := range info.Calls {
			info.Callee(call)
		}
		named += time.Since(at)
		at = time.Now()
		flow.Of(info)
		followed += time.Since(at)
		at = time.Now()
		rules.Check(analyzer.Analyze(src, analyzer.Config{}), rules.Selection{})
		checked += time.Since(at)
	}
	perNode := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / float64(nodes) }
	b.ReportMetric(float64(bare.Microseconds())/float64(b.N)/1000, "parse-ms")
	b.ReportMetric(perNode(bare), "parse-ns/node")
	b.ReportMetric(perNode(lowered), "lower-ns/node")
	b.ReportMetric(perNode(named), "names-ns/node")
	b.ReportMetric(perNode(followed), "flow-ns/node")
	b.ReportMetric(float64(lowered)/float64(bare), "lower/parse")
	b.ReportMetric(float64(checked)/float64(bare), "analysis/parse")
	b.ReportMetric(0, "ns/op")
	b.SetBytes(int64(len(text)))
}

// BenchmarkTree prints the same ratios over the TensorFlow-dense files of a
// folder, such as a checkout of public code, that TFMEM_TREE names: those that
// speak of tf, keras or layers once in 250 bytes. Each file's better of two
// readings counts.
func BenchmarkTree(b *testing.B) {
	root := os.Getenv("TFMEM_TREE")
	if root == "" {
		b.Skip("TFMEM_TREE names no folder")
	}
	var texts []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		text, err := os.ReadFile(path)
		if s := string(text); err == nil && len(s) > 4000 && len(s) < 200_000 &&
			strings.Count(s, "tf.")+strings.Count(s, "keras.")+strings.Count(s, "layers.") >= len(s)/250 {
			texts = append(texts, s)
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		b.Fatalf("%d dense files in %s: %v", len(texts), root, err)
	}
	var bare, lowered, checked time.Duration
	for b.Loop() {
		for _, text := range texts {
			parse, lower := syntax.Measure(text)
			parse2, lower2 := syntax.Measure(text)
			bare, lowered = bare+min(parse, parse2), lowered+min(lower, lower2)
			best := time.Hour
			for range 2 {
				at := time.Now()
				rules.Check(analyzer.Analyze(source.New("tree.py", text), analyzer.Config{}), rules.Selection{})
				best = min(best, time.Since(at))
			}
			checked += best
		}
	}
	b.ReportMetric(float64(len(texts)), "files")
	b.ReportMetric(float64(lowered)/float64(bare), "lower/parse")
	b.ReportMetric(float64(checked)/float64(bare), "analysis/parse")
	b.ReportMetric(0, "ns/op")
}
