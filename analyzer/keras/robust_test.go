package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestPartsOfTheBatch prices batches that are split by rows, of the program's size and of others.
// The others have no price, and cause no panic.
func TestPartsOfTheBatch(t *testing.T) {
	for _, call := range []string{"tf.unstack(x)[7]", "tf.foldl(lambda a, b: a + b, x)", "tf.split(x, 8)[0]"} {
		p := keras.Evaluate(names.Resolve(syntax.Parse(fmt.Sprintf(`
import tensorflow as tf
from tensorflow import keras
x = keras.Input(batch_shape=(8, 12))
m = keras.Model(x, keras.layers.Dense(2)(keras.layers.Lambda(lambda x: tf.reshape(%s, (1, -1)))(x)))
m.compile("adam", "mse")
m.fit(a, b, batch_size=8)
`, call)), effects.Library{}, nil))
		m := p.Models[0]
		if _, err := memory.Training(m, m.Optimizer, p.Uses[0].BatchInputs(8)); err != nil {
			t.Errorf("%s: %v", call, err)
		}
		_, _ = memory.Training(m, m.Optimizer, p.Uses[0].BatchInputs(4))
	}
}

// TestGradientOfNothing prices a step that computes with gradients that nothing leads to.
func TestGradientOfNothing(t *testing.T) {
	p := follow(`
import tensorflow as tf
a = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
b = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-4)
@tf.function
def step(x):
    with tf.GradientTape(persistent=True) as tape:
        first, second = tf.reduce_mean(a(x) ** 2), tf.reduce_mean(b(x))
    variables = a.trainable_variables + b.trainable_variables
    some = tape.gradient(first, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    others = tape.gradient(second, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    dot = tf.add_n([tf.reduce_sum(u * v) for u, v in zip(some, others)])
    optimizer.apply_gradients(zip([u - dot * v for u, v in zip(some, others)], variables))
for x in tf.data.Dataset.from_tensor_slices(tf.zeros((16, 6))).batch(4):
    step(x)
`)
	for _, u := range p.Uses {
		if u.Method == "step" {
			if a := memory.Assess(u.Model, p.Uses, memory.Place{}); a.Trained.Low == 0 {
				t.Error("the step has no price")
			}
			return
		}
	}
	t.Error("there is no step")
}

// TestAnyArguments creates every layer with senseless arguments, on inputs of every rank, and
// prices a model of it. What TensorFlow would refuse gets an answer too, and never panics.
func TestAnyArguments(t *testing.T) {
	values := []string{
		"-1", "0", "1", "2", "5", "1 << 40", "2.5", "None", "True", "'same'", "f()",
		"()", "(0,)", "(-1,)", "(3,)", "(1, 2)", "(2, 1)", "(2, 3, 5)", "[None]", "(1 << 40, 1 << 40)", "(-7, 9)",
	}
	arguments := []string{""}
	for _, v := range values {
		arguments = append(arguments, v, "4, "+v, "4, 3, "+v, "target_shape="+v, "dims="+v, "axis="+v, "4, 3, groups="+v, "4, 3, data_format='channels_first', padding="+v)
	}
	shapes := []string{"()", "(4,)", "(None,)", "(0,)", "(6, 4)", "(None, 4)", "(8, 6, 4)", "(8, 8, 8, 4)", "(2, 8, 8, 8, 4)"}
	priced := 0
	for turn, class := range keras.Classes {
		t.Run(class, func(t *testing.T) {
			var programs []string
			add := func(format string, args ...any) { programs = append(programs, fmt.Sprintf(format, args...)) }
			for i, a := range arguments {
				for j, shape := range shapes {
					// A fifth of the pairs is enough, another fifth for each class.
					if (i+j+turn)%5 != 0 {
						continue
					}
					add("x = keras.Input(%s)\ny = keras.layers.%s(%s)(x)\n", shape, class, a)
				}
			}
			for j, shape := range shapes {
				for i, layer := range []string{"%s(4, 3)(x, x)", "%s(4, 3, 2)(x, value=x, key=f())", "%s(4)(x, initial_state=[x, x])", "%s(4)(x, [x])", "Bidirectional(keras.layers.%s(4))(x)",
					"TimeDistributed(keras.layers.%s(4, 3))(x)", "RNN([keras.layers.%s(4)] * 2)(x)", "SpectralNormalization(keras.layers.%s(4, 3))(x)", "Bidirectional(keras.layers.%s(4, 3))([x, x, x])"} {
					if (i+j+turn)%2 != 0 {
						continue
					}
					add("x = keras.Input(%s)\ny = keras.layers."+layer+"\n", shape, class)
				}
				add("x = keras.Input(%s)\ny = keras.layers.%s()([x, x])\n", shape, class)
				add("import tensorflow as tf\nx = keras.Input(%s)\ny = keras.layers.%s(4)(tf.reduce_mean(x))\n", shape, class)
			}
			for _, layers := range cases.Sample(t, programs, 83) {
				if price(t, layers) {
					priced++
				}
			}
		})
	}
	t.Logf("%d models have a price", priced)
	if priced < len(keras.Classes) {
		t.Errorf("only %d models have a price", priced)
	}
}

// price prices a model from x to y, and reports whether it has a price.
func price(t *testing.T, layers string) (priced bool) {
	t.Helper()
	program := "from tensorflow import keras\n" + layers + "m = keras.Model(x, y)\nm.compile('adam', 'mse')\nm.fit(a, b, batch_size=8)\n"
	defer func() {
		if failure := recover(); failure != nil {
			t.Errorf("%v:\n%s", failure, strings.TrimSpace(program))
		}
	}()
	p := keras.Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
	for _, u := range p.Uses {
		if n, ok := u.Batch.Int(); ok && u.Model.Optimizer != nil {
			need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(n))
			priced = err == nil
			if need.Low < 0 || need.Peak < need.Low || need.High < need.Peak {
				t.Errorf("it takes %d bytes, of %d to %d:\n%s", need.Peak, need.Low, need.High, program)
			}
		}
	}
	return priced
}

// TestBounded prices models that double with every line: without bounds, none of them would ever
// end.
func TestBounded(t *testing.T) {
	for _, layers := range []string{
		"c = LSTMCell(3)\nfor i in range(60):\n    c = StackedRNNCells([c, c])\nx = keras.Input((4, 3))\ny = RNN(c)(x)\n",
		"c = LSTMCell(3)\nfor i in range(60):\n    c = StackedRNNCells([c, c])\nx = keras.Input((4, 3))\ny = Bidirectional(RNN(c))(x)\n",
		"p = Identity()\nfor i in range(60):\n    p = Pipeline([p, p])\nx = keras.Input((4, 3))\ny = p(x)\n",
		"l = Dense(3)\nfor i in range(3000):\n    l = TimeDistributed(l)\nx = keras.Input((4, 3))\ny = l(x)\n",
		"f = Lambda(lambda t: f(t))\nx = keras.Input((4, 3))\ny = f(x)\n",
		"def g(t):\n    return Lambda(g)(t)\nx = keras.Input((4, 3))\ny = g(x)\n",
		"s = keras.Sequential([Dropout(0.1)])\nfor i in range(60):\n    s = keras.Sequential([s, s])\nx = keras.Input((3,))\ny = s(x)\n",
		"s = keras.Sequential([Dense(3)])\nfor i in range(60):\n    s = keras.Sequential([s, s])\nx = keras.Input((3,))\ny = s(x)\n",
		"s = keras.Sequential([keras.Input((3,)), Dense(3)])\nfor i in range(60):\n    s = keras.Sequential([s, keras.models.clone_model(s)])\nx = keras.Input((3,))\ny = s(x)\n",
		"x = keras.Input((3,))\nm = keras.Sequential([keras.Input((3,)), Dense(3)])\nfor i in range(60):\n    a = keras.Input((3,))\n    m = keras.Model(a, m(m(a)))\ny = m(x)\n",
	} {
		price(t, "from tensorflow.keras.layers import *\n"+layers)
	}
}

// TestOddArguments passes arguments of unexpected kinds to library functions, including values
// that cannot be compared. Nothing breaks, and what follows is known.
func TestOddArguments(t *testing.T) {
	const head = `
import copy, dataclasses, itertools, random, re
import cv2, einops, keras_tuner, numpy as np, pandas as pd, six, skimage.color, tensorflow as tf
import tensorflow_addons as tfa, tensorflow_datasets as tfds
from PIL import Image
from sklearn.preprocessing import LabelEncoder, LabelBinarizer
from tensorflow import keras
from tensorflow.keras.preprocessing.image import load_img, img_to_array
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator
from tensorflow.keras.preprocessing.text import Tokenizer
hp, words, picture = keras_tuner.HyperParameters(), Tokenizer(), Image.open("a.png")
df = pd.DataFrame({"a": [1, 2], ("b", "c"): [3, 4]})
build = lambda hp: keras.Sequential([keras.layers.Dense(hp.Int("units", 1, 2))])
class D(dict):
    __getattr__ = dict.__getitem__
    def __init__(self, *parts, **more):
        super().__init__(*parts, **more)
        self.__dict__ = self
class L(list):
    pass
@dataclasses.dataclass
class F:
    a: int = 1
def kind(v):
    match v:
        case D(): return 1
        case F(0): return 2
        case F(1, 2): return 3
        case {"a": 1, **rest}: return rest
        case int(n) | str(n): return n
`
	for _, call := range strings.Split(`re.split(%s, %[1]s)
re.split("a", %s)
re.sub("a", %s, "b")
re.findall(%s, "b")
re.escape(%s)
list(itertools.islice(%s, %[1]s))
list(itertools.islice([1], %s, %[1]s, %[1]s))
random.sample(%s, 2)
random.sample([%s, 1], 2)
dict.get(%s, 1)
dict.get({}, %s)
dict.fromkeys(%s, %[1]s)
dict.__setitem__({}, %s, %[1]s)
str.strip(%s)
list.index(%s, %[1]s)
object.__setattr__(%s, "a", %[1]s)
dataclasses.fields(%s)
dataclasses.is_dataclass(%s)
kind(%s)
kind(F(%s))
kind(D(a=%s))
D(%s)
D(a=%s).a
D()[%s]
D().pop(%s)
D().update(%s)
setattr(D(), "a", %s)
L(%s)[0]
L([1])[%s]
L([1]) == %s
L().append(%s)
vars(F()).update(%s)
F().__dict__.pop(%s)
F().__dict__[%s]
copy.deepcopy(L([%s]))
keras.layers.Dense(3).get_config()[%s]
keras.applications.VGG16(weights=None).layers[1].get_config()[%s]
keras.layers.Dense(%s).get_config()["units"]
keras.layers.Dense(3)._flatten_layers(%s, %[1]s)
keras.Sequential([keras.layers.Dense(3)])._flatten_layers(recursive=%s)
load_img("a", %s)
load_img("a", grayscale=%s)
Image.fromarray(%s)
np.array(Image.fromarray(np.zeros((4, 4, 3), "uint8"), %s).crop(%[1]s))
np.array(Image.fromarray(np.zeros(%s)).resize(%[1]s))
skimage.color.gray2rgb(%s)
np.random.binomial(1, 0.5, %s)
np.random.poisson(%s, %[1]s)
np.random.exponential(size=%s)
np.arange(%s, %[1]s)
six.iteritems(%s)
F().__setattr__(%s, %[1]s)
setattr(F(), %s, 1)
setattr(%s, %[1]s, %[1]s)
tfds.load(%s, split="train").batch(2)
tfds.load("mnist", split=%s)
tfds.load("mnist", as_supervised=%s)
tfds.builder(%s).as_dataset(%[1]s)
tfds.builder("mnist").as_dataset("train", batch_size=%s)
tfds.as_numpy(%s)
tfa.layers.InstanceNormalization(axis=%s)(keras.Input((4, 4)))
tfa.layers.GroupNormalization(%s, %[1]s)(keras.Input((4, 4)))
TimeseriesGenerator(%s, %[1]s, 3)[0]
TimeseriesGenerator(np.zeros((9, 2)), np.zeros(9), %s)[0]
TimeseriesGenerator(np.zeros((9, 2)), np.zeros(9), 3, %s, %[1]s, %[1]s, %[1]s)[0]
TimeseriesGenerator(np.zeros((9, 2)), np.zeros(9), 3, batch_size=%s)[%[1]s]
next(keras.preprocessing.image.ImageDataGenerator().flow(%s, batch_size=%[1]s))
load_img("a", target_size=%s)
img_to_array(%s)
cv2.imread("a", %s)
cv2.resize(%s, %[1]s)
cv2.cvtColor(%s, %[1]s)
picture.resize(%s)
picture.convert(%s)
hp.Int(%s, %[1]s, %[1]s)
hp.Choice("a", %s)
hp.Choice("a", [%s, %[1]s])
hp.Fixed(%s, %[1]s)
hp.get(%s)
keras_tuner.RandomSearch(%s).search(%[1]s)
keras_tuner.RandomSearch(build).get_best_models(%s)
keras_tuner.RandomSearch(build).hypermodel.build(%s)
words.fit_on_texts(%s)
Tokenizer(oov_token=%s, num_words=%[1]s)
LabelEncoder().fit_transform(%s)
LabelBinarizer().fit(%s).classes_
np.array(load()).reshape(%s)
np.reshape(load(), %s)
np.arange(%s)
df[%s]
df[[%s]]
df.drop(columns=%s)
df.drop([%s], axis=1)
df.rename(columns={"a": %s})
df.loc[:, %s]
pd.concat([df, df], keys=%s)
pd.DataFrame(%s)
pd.DataFrame([[1], [2]], columns=%s)
pd.read_csv("a", names=%s, usecols=%[1]s)
keras.datasets.cifar100.load_data(label_mode=%s)
keras.utils.image_dataset_from_directory("a", class_names=%s, label_mode=%[1]s)
einops.rearrange(%s, "a b -> b a")
einops.rearrange(np.zeros((4, 6)), %s)
einops.rearrange(np.zeros((4, 6)), "(a b) c -> a b c", a=%s)
einops.repeat(np.zeros((4, 6)), "a b -> a b c", c=%s)
einops.reduce(np.zeros((4, 6)), "a b -> a", %s)
einops.parse_shape(np.zeros((4, 6)), %s)
einops.layers.tensorflow.Rearrange(%s)(keras.Input((4,)))
tf.image.rot90(np.zeros((4, 6, 3)), k=%s)
tf.image.resize(tf.io.decode_jpeg(%s), %[1]s)
tf.image.convert_image_dtype(np.zeros((4, 6, 3)), %s)
tf.image.convert_image_dtype(%s, tf.float32)
tf.image.decode_and_crop_jpeg("a", %s)
tf.image.stateless_random_crop(np.zeros((4, 6, 3)), %s, seed=1)
tf.strings.length(%s)
tf.io.decode_csv("a", %s)
tf.data.experimental.CsvDataset("a", %s).batch(2)
tf.data.experimental.CsvDataset("a", [%s, %[1]s]).element_spec
tf.data.Dataset.concatenate(%s, %[1]s)
tf.data.Dataset.range(3).batch(%s).element_spec
keras.preprocessing.image.ImageDataGenerator().flow_from_directory("a", class_mode=%s)
keras.ops.mod(7, %s)
keras.layers.Lambda(lambda x: x).compute_output_shape(%s)
keras.layers.Conv2D(3, %s).kernel_size
keras.layers.Dropout(%s).rate
keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)]).predict(%s)`, "\n") {
		for _, odd := range []string{"(1,)", "[[1], (2, [3])]", "{(1, 2): [3]}", "None", "-1", "10 ** 18", "'a'", "1.5", "...", "lambda: 1", "load()", "True"} {
			statement := fmt.Sprintf(call, odd)
			p := follow(head + statement + "\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])\n")
			if len(p.Models) == 0 || !p.Models[len(p.Models)-1].Known() {
				t.Errorf("after %s the model is not known", statement)
			}
		}
	}
}

// TestKnots passes functions lists and dictionaries that contain themselves.
func TestKnots(t *testing.T) {
	for _, tie := range []string{
		"a = [1]\na.append(a)", "a = [1, 2]\na[0] = a", "a = [[1], 2]\na[0].append(a)", "a = [1]\na += [a]", "a = []\na.extend([(a, 1)])", "a = [1]\na.insert(0, {'x': [a]})",
		"a = [1, 2, 3]\na[1:2] = [a]", "a = {}\na['x'] = a", "a = {}\na.update(x=[a])", "a = {}\na.setdefault('x', a)", "a = {'x': []}\na['x'].append(a)", "a = {}\na |= {'x': a}",
		"a, b = [1], [2]\na.append(b)\nb.append(a)", "from collections import deque\na = deque()\na.append(a)", "a = []\nfor p in load():\n    a.append(a)", "a = []\nfor p in load():\n    a.append([p, a])",
		"class D(dict):\n    pass\na = D()\na['x'] = a", "class L(list):\n    pass\na = L([1])\na.append(a)", "class O:\n    pass\na = O()\na.__dict__['a'] = a",
		"class D(dict):\n    def __init__(self):\n        self.__dict__ = self\na = D()\na.x = a\na.y = [a]",
	} {
		p := follow("import copy, numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nfrom elsewhere import load\n" + tie + `
out = []
for p in load():
    out.append(a)
    out.append((a, [a]))
if load():
    a = [a]
np.array(a); np.reshape(a, (2, 3)); np.concatenate(a); tf.constant(a); tf.stack(a); len(a); str(a); repr(a); sorted(a); copy.deepcopy(a)
a == a; a == [a]; a in a; tf.data.Dataset.from_tensor_slices(a); tf.nest.flatten(a); tf.nest.map_structure(lambda x: x, a)
keras.Sequential(a); keras.Model(a, a); keras.layers.Dense(a); keras.layers.concatenate(a)
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
m.compile("adam", "mse")
m.fit(a, a, batch_size=2)
m.predict({"x": a})
`)
		if len(p.Models) == 0 || !p.Models[len(p.Models)-1].Known() {
			t.Errorf("%s: the model is not known", tie)
		}
	}
}

// TestMapStructures maps functions over several structures of one form, whatever holds their leaves.
func TestMapStructures(t *testing.T) {
	for _, structures := range []string{
		"P(1, 2), P(3, 4)", "[P(1, 2)], [P(3, 4)]", "(P(1, (2, 5)), 6), (P(3, (4, 7)), 8)", "P(1, 2), 3", "1, P(2, 3)", "[{'b': 1, 'a': 2}], [{'a': 3, 'b': 4}]", "P([1], iter([2])), P([3], iter([4]))",
	} {
		p := follow("from collections import namedtuple\nimport tensorflow as tf\nfrom tensorflow import keras\nP = namedtuple('P', ['x', 'y'])\nsums = tf.nest.map_structure(lambda a, b: a + b, " + structures + `)
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
`)
		if len(p.Models) != 1 || !p.Models[0].Known() {
			t.Errorf("%s: the model is not known", structures)
		}
	}
	p := follow("from collections import namedtuple\nimport tensorflow as tf\nfrom tensorflow import keras\nP = namedtuple('P', ['x', 'y'])\nsums = tf.nest.map_structure(lambda a, b: a + b, P(1, 2), P(3, 4))\nm = keras.Sequential([keras.Input((sums.y,)), keras.layers.Dense(3)])\n")
	if n, _ := p.Models[0].Parameters(); n != 21 {
		t.Errorf("the model has %d parameters, want 21", n)
	}
}
