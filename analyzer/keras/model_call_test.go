package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestBatch checks the batch size of a call, or why it is not known: Keras's 32 is for arrays,
// and a dataset has its own.
func TestBatch(t *testing.T) {
	for call, want := range map[string]any{
		"fit(np.zeros((90, 4)), np.zeros((90, 3)))":                            int64(32),
		"fit(np.zeros((90, 4)), np.zeros((90, 3)), 8)":                         int64(8),
		"fit(np.zeros((90, 4)), batch_size=8)":                                 int64(8),
		"fit(np.zeros((90, 4)))":                                               int64(32),
		"fit(load(), load())":                                                  int64(32),
		"fit(load(), load(), batch_size=None)":                                 int64(32),
		"fit(x=load(), y=load())":                                              int64(32),
		"fit(load())":                                                          "batched already: elsewhere.load()",
		"fit(load(), None)":                                                    "batched already",
		"fit(load(), epochs=3)":                                                "batched already",
		"fit(load(), batch_size=8)":                                            int64(8),
		"fit(load(), batch_size=load())":                                       "elsewhere.load()",
		"fit(load(), batch_size=m.nothing)":                                    "a model has no nothing",
		"evaluate(load(), load())":                                             int64(32),
		"predict(load())":                                                      "batched already",
		"predict(np.zeros((90, 4)))":                                           int64(32),
		"predict(np.array([s for s in load()]))":                               int64(32),
		"predict(np.array(load()))":                                            int64(32),
		"predict(np.asarray(np.array(load())))":                                int64(32),
		"predict(np.zeros((90, 4)), 8)":                                        int64(8),
		"fit(np.zeros((9, 4)), np.zeros((9, 3)))":                              int64(9),
		"fit(np.zeros((90, 4)), np.zeros((90, 3)), 1000)":                      int64(90),
		"fit(np.zeros((90, 4)), np.zeros((90, 3)), 80, validation_split=0.25)": int64(67),
		"fit(np.zeros((90, 4)), np.zeros((90, 3)), validation_split=load())":   int64(32),
		"evaluate(np.zeros((9, 4)), np.zeros((9, 3)))":                         int64(9),
		"train_on_batch(load(), load())":                                       "elsewhere.load()",
		"train_on_batch(np.array(load()), load())":                             "elsewhere.load()",
		"train_on_batch(load(), np.ones((5, 3)))":                              int64(5),
		"train_on_batch(np.array(load()), np.ones((5, 3)))":                    int64(5),
		"train_on_batch(load(), [1] * 6)":                                      int64(6),
		"train_on_batch(load(), load(), np.ones(7))":                           int64(7),
		"fit_generator(load(), steps_per_epoch=9)":                             "elsewhere.load()",
		"fit(batches())":                                                       int64(5),
		"fit_generator(batches(), 9)":                                          int64(5),
		"fit_generator(steps_per_epoch=9, generator=batches())":                int64(5),
		"predict([[1, 2, 3, 4]])":                                              int64(1),
		"fit(tf.data.Dataset.from_tensors(np.zeros((4,))).batch(7))":           int64(1),
		"fit(tf.data.Dataset.from_tensors((np.zeros((7, 4)), np.zeros(7))))":   int64(7),
		"fit(tf.data.Dataset.from_tensors((np.zeros((7, 4)), 0)))":             "the dataset makes no batches",
	} {
		p := follow("import numpy as np\nimport tensorflow as tf\nfrom elsewhere import load\ndef batches():\n    while True:\n        yield np.asarray(load()), np.ones((5, 3))\nm = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])\nm.compile('sgd', 'mse')\nm." + call + "\n")
		if len(p.Uses) != 1 {
			t.Errorf("%s: %d uses", call, len(p.Uses))
			continue
		}
		got := p.Uses[0].Batch
		if why, unknown := want.(string); unknown {
			if !strings.Contains(got.Why(), why) {
				t.Errorf("%s: the batch is %v, %q; want %q", call, got.X, got.Why(), why)
			}
		} else if got.X != want {
			t.Errorf("%s: the batch is %v, %q; want %v", call, got.X, got.Why(), want)
		}
	}
}

// TestRowsOfBatches: how many rows a program takes is known where what it takes them of is not.
func TestRowsOfBatches(t *testing.T) {
	// scans returns a Sequence over files of unknown number, with the body of its __getitem__.
	scans := func(body string) string {
		return `
class Scans(keras.utils.Sequence):
    def __init__(self, files):
        self.files, self.size = files, SIZE
    def __len__(self):
        return int(np.ceil(len(self.files) / self.size))
    def __getitem__(self, i):` + body + `m.fit(Scans(glob.glob("scans/*")))
`
	}
	for name, text := range map[string]string{
		"a slice of an unknown array": `
for first in range(0, len(x), SIZE):
    m.train_on_batch(x[first:first + SIZE], y[first:first + SIZE])
`, "rows at places that are drawn": `
for _ in range(9):
    at = np.random.randint(0, x.shape[0], SIZE)
    m.train_on_batch(x[at].astype("float32") / 255.0, y[at])
`, "places in another order": `
order = np.arange(len(x))
np.random.shuffle(order)
for i in range(len(x) // SIZE):
    part = order[i * SIZE:(i + 1) * SIZE]
    m.train_on_batch(x[part], y[part])
`, "a generator that stops at the end": `
def batches(n):
    for i in range(0, n, SIZE):
        end = min(i + SIZE, n)
        yield x[i:end], y[i:end]
for a, b in batches(len(x)):
    m.train_on_batch(a, b)
`, "files": `
def batches(files):
    while True:
        a = []
        for file in np.random.choice(files, SIZE):
            a.append(load(file))
        yield np.array(a), load()
m.fit(batches(os.listdir("scans")))
`, "files of a Sequence": `
class Scans(keras.utils.Sequence):
    def __init__(self, files):
        self.files = files
    def __len__(self):
        return len(self.files) // SIZE
    def __getitem__(self, i):
        part = self.files[i * SIZE:(i + 1) * SIZE]
        return np.stack([load(f) for f in part]), np.array([f[0] == "a" for f in part])
m.fit(Scans(glob.glob("scans/*")))
`, "a Sequence that stops at the end": scans(`
        end = min((i + 1) * self.size, len(self.files))
        n = end - i * self.size
        return np.zeros((n, 8, 8, 3)), np.zeros(n)
`), "a Sequence with a smaller last batch": scans(`
        if (i + 1) * self.size > len(self.files):
            self.size = len(self.files) - i * self.size
        return np.zeros((self.size, 8, 8, 3)), np.zeros(self.size)
`), "a Sequence that knows its last batch": scans(`
        n = self.size
        if i == len(self) - 1:
            n = len(self.files) % self.size or n
        return np.zeros((n, 8, 8, 3)), np.zeros(n)
`), "a Sequence that rounds": scans(`
        n = self.size
        if i + 1 == int(np.ceil(len(self.files) / self.size)):
            n = len(self.files) % self.size
        return np.zeros((n, 8, 8, 3)), np.zeros(n)
`), "a Sequence that takes what is left": scans(`
        n = min(self.size, len(self.files) - i * self.size)
        if not n < len(self.files) or len(self.files) == 0:
            raise IndexError(i)
        return np.zeros((n, 8, 8, 3)), np.zeros(n)
`), "a Sequence whose last slice is open": scans(`
        last = (i + 1) * self.size >= len(self.files)
        part = self.files[i * self.size:] if last else self.files[i * self.size:(i + 1) * self.size]
        return np.stack([load(f) for f in part]), np.zeros(len(part))
`), "rows of a table": `
table = pd.read_csv("scans.csv")
def batches():
    while True:
        for i in range(0, len(table), SIZE):
            part = table.iloc[i:i + SIZE]
            yield np.array([load(name) for name in part["name"]]), part["kind"].values
m.fit(batches())
`, "halves that are joined": `
half = SIZE // 2
for _ in range(9):
    real = x[np.random.randint(0, len(x), half)]
    m.train_on_batch(np.concatenate([real, load(real)[:half]]), load())
`, "experience": `
memory = []
for _ in range(900):
    memory.append((load(), load()))
    if len(memory) > SIZE:
        seen = random.sample(memory, SIZE)
        m.fit(np.array([s[0] for s in seen]), np.array([s[1] for s in seen]), verbose=0)
`, "as many labels as there are rows": `
for i in range(len(x) // SIZE):
    part = x[i * SIZE:(i + 1) * SIZE]
    m.train_on_batch(load(part), np.ones((part.shape[0], 3)))
`, "generators side by side": `
def batches(what):
    while True:
        yield np.stack([load(what) for _ in range(SIZE)])
m.fit(zip(batches("a"), batches("b")), steps_per_epoch=9)
`} {
		p := follow(`
import glob, os, random
import numpy as np
import pandas as pd
from tensorflow import keras
from elsewhere import load
SIZE = 12
x, y = np.load("x.npy"), np.load("y.npy")
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
m.compile("sgd", "mse")
` + text)
		if len(p.Uses) == 0 {
			t.Errorf("%s: no uses", name)
		}
		for i, u := range p.Uses { // the second is an iteration for all others, of which less is known
			if u.Batch.X != int64(12) && (i == 0 || u.Batch.Known()) {
				t.Errorf("%s: the batch is %v, %q; want 12", name, u.Batch.X, u.Batch.Why())
			}
		}
	}
	for name, text := range map[string]string{
		"a mask":                 "m.train_on_batch(x[x[:, 0] > 2], y)",
		"columns":                "m.train_on_batch(x[['a', 'b']], y)",
		"a slice without an end": "m.train_on_batch(x[3:], y)",
		"another shape":          "m.train_on_batch(np.reshape(x[:12], load()), y)",
		"a sum over the rows":    "m.train_on_batch(np.sum(x[:12], load()), y)",
		"one row":                "m.train_on_batch(x[:12][0], y)",
		"generators of anything": "m.fit(load(n) for n in range(9))",
	} {
		p := follow(`
import numpy as np
from tensorflow import keras
from elsewhere import load
x, y = np.load("x.npy"), np.load("y.npy")
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
m.compile("sgd", "mse")
` + text + "\n")
		if len(p.Uses) != 1 || p.Uses[0].Batch.Known() {
			t.Errorf("%s: %v", name, p.Uses[0].Batch.X)
		}
	}
}

// TestBatchOfStructures: a list of arrays is several of them, whatever the class of the model
// that takes them.
func TestBatchOfStructures(t *testing.T) {
	for call, want := range map[string]int64{
		"fit([a, b], y, batch_size=4096)":                      4096,
		"fit((a, b), y, batch_size=4096)":                      4096,
		"fit({'a': a, 'b': b}, y, batch_size=4096)":            4096,
		"fit([a, (b, [b])], y, batch_size=4096)":               4096,
		"fit([a], y, batch_size=4096)":                         4096,
		"fit([a, b], y)":                                       32,
		"evaluate([a, b], y, batch_size=4096)":                 4096,
		"predict([a, b], batch_size=4096)":                     4096,
		"train_on_batch([a[:100], b[:100]], y[:100])":          100,
		"fit([tf.constant(a), pd.DataFrame(b)], y, None)":      32,
		"fit([[1.0, 2.0], [3.0, 4.0]], [1, 2], batch_size=99)": 2,
	} {
		p := follow(`
import numpy as np
import pandas as pd
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)
    def call(self, x):
        parts = tf.nest.flatten(x)
        return self.out(tf.concat(parts, -1))
a, b, y = np.zeros((8192, 6)), np.zeros((8192, 3)), np.zeros((8192, 1))
m = M()
m.compile("sgd", "mse")
m.` + call + "\n")
		if len(p.Uses) != 1 {
			t.Errorf("%s: %d uses", call, len(p.Uses))
			continue
		}
		if got := p.Uses[0].Batch; got.X != want {
			t.Errorf("%s: the batch is %v, %q; want %v", call, got.X, got.Why(), want)
		}
	}
}

// TestCompiledInALoop: trainings differ if it is not known how they are compiled.
func TestCompiledInALoop(t *testing.T) {
	p := follow(`
import numpy as np
from elsewhere import load
from tensorflow import keras
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
for on in ("auto", load(), "auto"):
    m.compile("sgd", "mse", jit_compile=on)
    m.fit(np.zeros((90, 4)), np.zeros((90, 3)))
`)
	if len(p.Uses) != 2 || p.Uses[0].ModelAt().Unsettled() != nil || p.Uses[1].ModelAt().Unsettled() == nil {
		t.Errorf("%d trainings, want one that is known and one that is not", len(p.Uses))
	}
}

// TestYieldedImages: a generator passes on what it requests from a generator of images.
func TestYieldedImages(t *testing.T) {
	p := follow(`
import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
def twice(x, y, n):
    flow = ImageDataGenerator().flow(x, y, batch_size=n)
    while True:
        a, b = flow.next()
        yield (a, b), (b, a)
i, j = keras.Input((8, 8, 1)), keras.Input((10,))
m = keras.Model([i, j], [keras.layers.Dense(10)(keras.layers.Flatten()(i)), keras.layers.Dense(7)(j)])
m.compile("adam", "mse")
m.fit(twice(np.zeros((600, 8, 8, 1)), np.zeros((600, 10)), 40), steps_per_epoch=3)
`)
	if n, _ := p.Uses[0].Batch.Int(); len(p.Uses) != 1 || n != 40 {
		t.Errorf("%d uses, the batch is %d: %s", len(p.Uses), n, p.Uses[0].Batch.Why())
	}
}

// TestFitOfAGenerator: the fit of a generator of images trains no model.
func TestFitOfAGenerator(t *testing.T) {
	p := follow("import numpy as np\nfrom tensorflow.keras.preprocessing.image import ImageDataGenerator\ng = ImageDataGenerator(zca_whitening=True)\ng.fit(np.zeros((9, 8, 8, 3)))\n")
	if len(p.Unresolved) > 0 || len(p.Uses) > 0 {
		t.Errorf("lost are %+v, used %+v", p.Unresolved, p.Uses)
	}
}

// TestLoopOverADataset: a dataset that is looped over has elements, so what the first iteration
// builds is built.
func TestLoopOverADataset(t *testing.T) {
	for loop, want := range map[string]int64{
		"for x in data.batch(8): m(x)":                              15,
		"for i, x in enumerate(data.shuffle(9).batch(8)): m(x)":     15,
		"for x in data.filter(lambda x: x[0] > 0).batch(8): m(x)":   15,
		"for x in data.take(0).batch(8): m(x)":                      0,
		"for i, x in enumerate(data.batch(8)):\n  if i > 100: m(x)": 0,
	} {
		p := follow(`
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(3)
    def call(self, x):
        return self.d(x)
data = tf.data.Dataset.from_tensor_slices(tf.zeros((1000, 4)))
m = M()
again = m
` + loop + "\n")
		m := p.Models[0]
		got, _ := m.Parameters()
		if known := m.Known() && m.Unbuilt() == nil; known != (want > 0) || known && got != want {
			t.Errorf("%s: %d parameters (known: %v), want %d; %q", loop, got, known, want, m.Unresolved)
		}
		if m.Variable != "m" {
			t.Errorf("a model is named %s, not by the first of its names", m.Variable)
		}
	}
}

// TestIsDataset: a dataset is TensorFlow's, a generator of images is not.
func TestIsDataset(t *testing.T) {
	for expression, want := range map[string]int64{
		"isinstance(data.batch(2), tf.data.Dataset)": 1,
		"isinstance(data, (list, tf.data.Dataset))":  1,
		"isinstance(data, (list, dict, np.ndarray))": 2,
		"isinstance(data, tf.Tensor)":                2,
		"isinstance(data, collections.abc.Iterable)": 1,
		"isinstance(flow, tf.data.Dataset)":          0,
		"isinstance(folder, tf.data.Dataset)":        0,
		"isinstance(flow, np.ndarray)":               2,
	} {
		p := follow(`
import collections.abc
import numpy as np
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices(tf.zeros((9, 4)))
g = tf.keras.preprocessing.image.ImageDataGenerator()
flow = g.flow(np.zeros((9, 8, 8, 3)))
folder = g.flow_from_directory("photos")
n = 1 if ` + expression + ` else 2
m = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(n, use_bias=False)])
`)
		got, _ := p.Models[0].Parameters()
		if known := p.Models[0].Known(); known != (want > 0) || known && got != want {
			t.Errorf("%s: %d (known: %v), want %d; %q", expression, got, known, want, p.Models[0].Unresolved)
		}
	}
}

// TestStarved checks why a model without an input of its own is not built.
func TestStarved(t *testing.T) {
	for use, want := range map[string]string{
		"":                 "not called on data of a known shape",
		"m.fit(load(), y)": "the shape of the data passed to fit is not known: elsewhere.load()",
		"m.fit(tf.data.TFRecordDataset('f').map(load).batch(8))":                 "the shape of the data passed to fit is not known: the elements that map makes are not known",
		"m.predict(np.array(load()))":                                            "the shape of the data passed to predict is not known: elsewhere.load()",
		"m(keras.layers.Input((3,)))":                                            "",
		"keras.Model(input=keras.Input((3,)), output=3); m.build(())":            "input= and output= are Keras 1's",
		"m.add(hub.KerasLayer('https://somewhere/1'))":                           "the weights that tensorflow_hub.KerasLayer loads are in the file that it downloads",
		"keras.Model([load()], [3])":                                             "elsewhere.load()",
		"keras.Model({c: keras.Input((1,)) for c in load()}, keras.Input((1,)))": "elsewhere.load()",
	} {
		p := follow("import numpy as np\nimport tensorflow as tf\nimport tensorflow_hub as hub\nfrom tensorflow import keras\nfrom elsewhere import load, y\nm = keras.Sequential([keras.layers.Dense(3)])\nm.compile('sgd', 'mse')\n" + use + "\n")
		m := p.Models[len(p.Models)-1]
		if got := value.Words(append(m.Unresolved, m.Unbuilt())); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", use, got, want)
		}
	}
}

// TestSelfOfAnUncalledMethod: the object that stands for the self of an uncalled method is not
// one of the program's models, nor are the models that it creates.
func TestSelfOfAnUncalledMethod(t *testing.T) {
	p := follow(`
import tensorflow as tf
class Pair(tf.keras.Model):
    def __init__(self, width=4):
        super().__init__()
        self.shared = tf.keras.Sequential([tf.keras.layers.Dense(width)])
        self.first = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(width)])
    def call(self, x):
        return self.shared(self.first(x))
    @property
    def metrics(self):
        return []
pair = Pair()
pair(tf.zeros((2, 4)))
`)
	var got []string
	for _, m := range p.Models {
		got = append(got, m.Name)
	}
	if want := "pair sequential sequential_1"; strings.Join(got, " ") != want {
		t.Errorf("the models are %q, want %q", got, want)
	}
}

// TestBuiltByALoop: a model that a loop over a dataset calls first is built only if the dataset
// surely has an element.
func TestBuiltByALoop(t *testing.T) {
	for of, built := range map[string]bool{
		"data": true, "data.repeat()": true, "enumerate(data)": true, "zip(data, range(1000))": true, "data.take(0)": false, "zip(data, [])": false,
	} {
		p := follow(`
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices((tf.zeros((640, 8)), tf.zeros((640, 1)))).batch(16)
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
    def call(self, x):
        return self.dense(x)
def run(model):
    for item in ` + of + `:
        model(tf.zeros((16, 8)))
net = Net()
run(net)
`)
		if m := p.Models[0]; (len(m.Unresolved) == 0 && m.Built()) != built {
			t.Errorf("a loop over %s: built %v, unresolved %q", of, m.Built(), m.Unresolved)
		}
	}
}

// TestFedDictionaries: a Sequential without an input takes the shape of data that is one tensor,
// not that of the first item of a dictionary.
func TestFedDictionaries(t *testing.T) {
	for data, want := range map[string]int{
		"{'a': np.zeros((9, 4)), 'b': np.zeros((9, 3))}":    0,
		"({'a': np.zeros((9, 4)), 'b': np.zeros((9, 3))},)": 0,
		"({'a': np.zeros((9, 4))}, np.zeros((9, 3)))":       1,
		"(np.zeros((9, 4)), {'b': np.zeros((9, 3))})":       1,
	} {
		p := follow("import numpy as np\nimport tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(3)])\nm.compile('sgd', 'mse')\nm.fit(tf.data.Dataset.from_tensor_slices(" + data + ").batch(3))\n")
		if got := len(p.Models[0].Inputs); got != want {
			t.Errorf("%s: %d inputs, want %d", data, got, want)
		}
	}
}

// TestZippedBatches checks how many rows each part of zipped datasets has in a batch of a size:
// in proportion to the program's, and one if that is one.
func TestZippedBatches(t *testing.T) {
	for data, want := range map[string]string{
		"zip((rows.batch(24), rows.batch(8)))":                                       "24: [24 8] [12 4] [1 1] [7 3]",
		"zip((rows.batch(4), rows.batch(20)))":                                       "4: [4 20] [12 60] [1 5] [7 35]",
		"zip((rows.batch(4), rows.batch(1)))":                                        "4: [4 1] [12 1] [1 1] [7 1]",
		"zip((rows.batch(4), rows.batch(4)))":                                        "4: [4 4] [12 12] [1 1] [7 7]",
		"zip((rows.batch(4), rows.batch(8))).repeat().prefetch(2)":                   "4: [4 8] [12 24] [1 2] [7 14]",
		"zip((rows.batch(4), rows.batch(8))).map(lambda a, b: (b / 2., a))":          "8: [8 4] [12 6] [1 1] [7 4]",
		"zip((rows.batch(4), rows.batch(8))).map(lambda a, b: tf.concat([a, b], 0))": "12: [12] [12] [1] [7]",
		"zip((rows.batch(4), rows.batch(8))).unbatch().batch(6)":                     "6: [6 6] [12 12] [1 1] [7 7]",
		"zip((rows, rows)).batch(6)":                                                 "6: [6 6] [12 12] [1 1] [7 7]",
		"zip((tf.data.Dataset.zip((rows.batch(4), rows.batch(8))), rows.batch(2)))":  "4: [4 8 2] [12 24 6] [1 2 1] [7 14 4]",
	} {
		p := follow(`import numpy as np
import tensorflow as tf
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(3)
    def call(self, x):
        return self.d(x)
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = sum(tf.reduce_sum(self.d(x)) for x in tf.nest.flatten(data))
        v = self.d.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
        return {}
rows = tf.data.Dataset.from_tensor_slices(np.zeros((960, 4), "float32"))
m = M()
m.compile("sgd")
m.fit(tf.data.Dataset.` + data + `)
`)
		if len(p.Uses) != 1 || p.Uses[0].Model.Own == nil {
			t.Errorf("%s: %d uses, %+v", data, len(p.Uses), p.Models[0].Step)
			continue
		}
		u := p.Uses[0]
		own, _ := u.Batch.Int()
		got := fmt.Sprintf("%d:", own)
		for _, batch := range []int64{own, 12, 1, 7} {
			var rows []int64
			for _, in := range u.BatchInputs(batch) {
				rows = append(rows, in.Shape[0])
			}
			got += fmt.Sprint(" ", rows)
		}
		if got != want {
			t.Errorf("%s: the rows are %s, want %s", data, got, want)
		}
	}
}

// TestFrozenWeights: a program may freeze one weight of a Keras layer, by any name that the layer
// has for it.
func TestFrozenWeights(t *testing.T) {
	for _, c := range []struct {
		base, shape, weight string
		parameters, trained int64
	}{
		{"Dense(8)", "(6,)", "_kernel", 56, 8},
		{"Dense(8)", "(6,)", "kernel", 56, 8},
		{"Dense(8)", "(6,)", "bias", 56, 48},
		{"Conv2D(8, 3)", "(9, 9, 2)", "_kernel", 152, 8},
		{"Conv2DTranspose(8, 3)", "(9, 9, 2)", "kernel", 152, 8},
		{"DepthwiseConv2D(3)", "(9, 9, 2)", "kernel", 20, 2},
		{"SeparableConv2D(8, 3)", "(9, 9, 2)", "pointwise_kernel", 42, 26},
		{"Embedding(50, 8)", "(6,)", "_embeddings", 400, 0},
		{"EinsumDense('ab,bc->ac', 8)", "(6,)", "_kernel", 48, 0},
		{"BatchNormalization()", "(6,)", "gamma", 24, 6},
	} {
		class, arguments, _ := strings.Cut(c.base, "(")
		for _, program := range []string{
			"class Own(layers." + class + "):\n    def build(self, shape):\n        super().build(shape)\n        self." + c.weight +
				".trainable = False\nm = keras.Sequential([keras.Input(" + c.shape + "), Own(" + arguments + "])\n",
			"m = keras.Sequential([keras.Input(" + c.shape + "), layers." + c.base + "])\nm.layers[0]." + c.weight + ".trainable = False\n",
		} {
			p := follow("import keras\nfrom keras import layers\n" + program)
			if all, trained := p.Models[0].Parameters(); all != c.parameters || trained != c.trained {
				t.Errorf("%s: %d parameters, %d of them trained; want %d and %d; %v", program, all, trained, c.parameters, c.trained, p.Models[0].Unresolved)
			}
		}
	}
}

// TestRefusedSizes: what Keras refuses whatever the shapes is said to raise.
func TestRefusedSizes(t *testing.T) {
	for _, layer := range []string{
		"Dense(-3)", "Dense(0)", "Conv2D(-4, 3)", "Conv2D(4, -1)", "Conv2D(4, (3, 0))", "MaxPooling2D(0)", "LSTM(-1)", "GRU(0)",
		"Embedding(-1, 4)", "Embedding(4, -1)", "RepeatVector(-2)", "UpSampling2D(-2)",
	} {
		p := follow("from tensorflow import keras\nm = keras.Sequential([keras.Input((8, 8, 3)), keras.layers." + layer + "])\n")
		if why := fmt.Sprint(p.Models[0].Unresolved, p.Unresolved); !strings.Contains(why, "TensorFlow will raise") {
			t.Errorf("%s: %s", layer, why)
		}
	}
}

// TestRefusedInSequential: a Sequential that states its input is refused for what its first layer
// refuses, though it has no weights.
func TestRefusedInSequential(t *testing.T) {
	for _, program := range []string{
		"Sequential([keras.Input((8, 8, 3)), keras.layers.MaxPooling2D(9)])",
		"Sequential([keras.layers.Permute((1, 2), input_shape=(8, 8, 3))])",
		"Sequential([keras.Input((8,)), keras.layers.UpSampling1D(2), keras.layers.Flatten()])",
		"Sequential([keras.Input((8, 8, 3)), keras.layers.Cropping2D(5), keras.layers.Dense(3)])",
	} {
		p := follow("from tensorflow import keras\nm = keras." + program + "\n")
		if why := fmt.Sprint(p.Models[0].Unresolved); !strings.Contains(why, "TensorFlow will raise") {
			t.Errorf("%s: %s", program, why)
		}
	}
}

// TestRefusedApplications: what keras.applications refuses is said to raise.
func TestRefusedApplications(t *testing.T) {
	for application, want := range map[string]string{
		"ResNet50(weights=None, include_top=False, input_shape=(16, 64, 3))":    "the input of ResNet50 has at least 32×32 pixels",
		"InceptionV3(include_top=False, weights=None, input_shape=(64, 64, 3))": "at least 75×75 pixels",
		"VGG16(include_top=False, input_shape=(64, 64, 1))":                     "the weights of ImageNet are for 3 channels, and the input has 1",
		"MobileNetV2(classes=7)":                                                   "the weights of ImageNet are for 1000 classes, and the model has 7",
		"DenseNet121(weights='imagenet', classes=7)":                               "for 1000 classes",
		"Xception(include_top=False, weights=None, input_shape=(None, None, 3))":   "",
		"VGG16(include_top=False, weights=None, input_shape=(64, 64, 1))":          "",
		"MobileNetV2(classes=7, weights=None)":                                     "",
		"ResNet50(classes=7, weights='mine.weights.h5', input_shape=(64, 64, 2))":  "",
		"EfficientNetB0(include_top=False, classes=7, input_shape=(32, 32, 3))":    "",
		"EfficientNetB0(include_top=False, weights=path, input_shape=(32, 32, 1))": "",
	} {
		p := follow("from tensorflow import keras\nbase = keras.applications." + application +
			"\nm = keras.Sequential([base, keras.layers.Flatten()])\n")
		why := ""
		for _, m := range p.Models {
			why += fmt.Sprint(m.Unresolved)
		}
		if raises := strings.Contains(why, "TensorFlow will raise"); raises != (want != "") || !strings.Contains(why, want) {
			t.Errorf("%s: %s", application, why)
		}
	}
}

// TestStepsOfKeras2: input_length and input_dim of a recurrent layer are its input in Keras 2.
func TestStepsOfKeras2(t *testing.T) {
	for layer, want := range map[string]string{
		"SimpleRNN(10, input_length=3, input_dim=1)": "(None, 3, 1)",
		"LSTM(10, input_dim=5)":                      "(None, None, 5)",
		"GRU(10, input_shape=(3, 7))":                "(None, 3, 7)",
		"Dense(10, input_dim=5)":                     "(None, 5)",
	} {
		p := keras.Evaluate(names.Resolve(syntax.Parse("from tensorflow import keras\nm = keras.Sequential()\nm.add(keras.layers."+layer+")\n"), effects.Library{}.Legacy(), nil))
		m := p.Models[0]
		if len(m.Inputs) != 1 || m.Inputs[0].Shape.String() != want || len(m.Unresolved) > 0 {
			t.Errorf("%s: %v, %v; want %s", layer, m.Inputs, m.Unresolved, want)
		}
	}
}

// TestRefusedArguments: what Keras 3.15.1 and tf_keras 2.21 said when they were asked to create these.
func TestRefusedArguments(t *testing.T) {
	for _, c := range []struct{ layer, keras3, keras2 string }{
		{"Dense(3, foo=1)", "TensorFlow will raise: Dense takes no foo", "Dense: no Keras 2 of today takes the argument foo"},
		{"Conv2D(3, 3, border_mode='same')", "TensorFlow will raise: Conv2D takes no border_mode", "Conv2D: no Keras 2 of today takes the argument border_mode"},
		{"LSTM(3, time_major=True)", "From Keras 3 on, TensorFlow will raise: LSTM takes no time_major", ""},
		{"Dense(3, dynamic=True)", "From Keras 3 on, TensorFlow will raise: Dense takes no dynamic", ""},
		{"BatchNormalization(trainable=False)", "", ""},
		{"Bidirectional(keras.layers.LSTM(3), input_shape=(3, 4))", "", ""},
		{"GRU(3, reset_after=True, implementation=2)", "", ""},
		{"Dense(3, input_shape=(4,), autocast=False, name='d')", "", ""},
		{"Flatten(input_dim=3)", "", ""},
		{"RandomFlip('horizontal', input_shape=(8, 8, 3))", "", ""},
	} {
		for _, library := range []struct {
			library effects.Library
			want    string
		}{{effects.Library{}, c.keras3}, {effects.Library{}.Legacy(), c.keras2}} {
			p := keras.Evaluate(names.Resolve(syntax.Parse("from tensorflow import keras\nm = keras.Sequential([keras.layers."+c.layer+"])\n"), library.library, nil))
			got := ""
			if why := p.Models[0].Unresolved; len(why) > 0 {
				got = why[0].String()
			}
			if !strings.Contains(got, library.want) || library.want == "" && got != "" {
				t.Errorf("%s: %q; want %q", c.layer, got, library.want)
			}
		}
	}
}
