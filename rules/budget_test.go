package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestAccumulation checks the second fix of TFM601: the batch is divided, and the optimizer
// accumulates so many batches that each update covers the original batch size.
func TestAccumulation(t *testing.T) {
	const head = "# device: 9 GiB\n# keras: 3.8\nimport keras\n\nmodel = keras.applications.ResNet50(weights=None)\n"
	for name, c := range map[string]struct{ in, out, message string }{
		"named": {
			"model.compile(optimizer='adam', loss='mse')\nmodel.fit(x, y, batch_size=256)\n",
			"model.compile(optimizer=keras.optimizers.Adam(gradient_accumulation_steps=4), loss='mse')\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"made": {
			"RATE = 1e-3\nopt = keras.optimizers.SGD(RATE, momentum=0.9)\nSIZE = 250\nmodel.compile(opt, keras.losses.MeanSquaredError())\nmodel.fit(x, y, batch_size=SIZE)\n",
			"RATE = 1e-3\nopt = keras.optimizers.SGD(RATE, momentum=0.9, gradient_accumulation_steps=5)\nSIZE = 50\nmodel.compile(opt, keras.losses.MeanSquaredError())\nmodel.fit(x, y, batch_size=SIZE)\n",
			"Train with batches of 50 and apply the mean gradient of 5: about ",
		},
		"no arguments": {
			"model.compile(keras.optimizers.Adam(), 'mse')\nmodel.fit(x, y, batch_size=256)\n",
			"model.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), 'mse')\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"default of a parameter": {
			"def train(size=256):\n    model.compile('adam', 'mse')\n    model.fit(x, y, batch_size=size)\n\ntrain()\n",
			"def train(size=64):\n    model.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), 'mse')\n    model.fit(x, y, batch_size=size)\n\ntrain()\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"steps count batches": {
			"model.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=256, steps_per_epoch=100)\n",
			"model.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), 'mse')\nmodel.fit(x, y, batch_size=64, steps_per_epoch=4 * 100)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"steps are computed from the batch": {
			"SIZE = 256\nmodel.compile(keras.optimizers.Adam(), 'mse')\nmodel.fit(x, y, batch_size=SIZE, steps_per_epoch=len(x) // SIZE)\n",
			"SIZE = 64\nmodel.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), 'mse')\nmodel.fit(x, y, batch_size=SIZE, steps_per_epoch=len(x) // SIZE)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"several losses": {
			"model.compile('adam', {'a': 'mse', 'b': keras.losses.Huber(reduction='sum_over_batch_size')})\nmodel.fit(x, y, batch_size=256)\n",
			"model.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), {'a': 'mse', 'b': keras.losses.Huber(reduction='sum_over_batch_size')})\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"a class of losses of one's own": {
			"class Own(keras.losses.Loss):\n    def call(self, y, p):\n        return abs(y - p)\n\nmodel.compile('adam', Own())\nmodel.fit(x, y, batch_size=256)\n",
			"class Own(keras.losses.Loss):\n    def call(self, y, p):\n        return abs(y - p)\n\nmodel.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), Own())\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"a function that makes a loss": {
			"def huber(delta):\n    def loss(y, p):\n        return delta * abs(y - p)\n    return loss\n\nmodel.compile('adam', loss=huber(2.0))\nmodel.fit(x, y, batch_size=256)\n",
			"def huber(delta):\n    def loss(y, p):\n        return delta * abs(y - p)\n    return loss\n\nmodel.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), loss=huber(2.0))\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"a class of losses that sums":     {"class Own(keras.losses.Loss):\n    def __init__(self):\n        super().__init__(reduction='sum')\n\nmodel.compile('adam', Own())\nmodel.fit(x, y, batch_size=256)\n", "", ""},
		"another reader of the parameter": {"def train(size=256):\n    model.compile('adam', 'mse')\n    model.fit(x, y, batch_size=size)\n    log(size)\n\ntrain()\n", "", ""},
		"another reader of the name":      {"SIZE = 256\nmodel.compile(keras.optimizers.Adam(), 'mse')\nmodel.fit(x, y, batch_size=SIZE)\nnoise = np.zeros((SIZE, 4))\n", "", ""},
		"two phases of one batch":         {"model.trainable = False\nmodel.compile('adam', 'sparse_categorical_crossentropy')\ndata = keras.utils.image_dataset_from_directory('d', image_size=(224, 224), batch_size=256)\nmodel.fit(data)\nmodel.trainable = True\nmodel.compile(keras.optimizers.Adam(1e-5), 'sparse_categorical_crossentropy')\nmodel.fit(data)\n", "", ""},
		"a schedule of one's own":         {"class Own(keras.optimizers.schedules.LearningRateSchedule):\n    def __call__(self, step):\n        return 0.1 / step\n\nmodel.compile(keras.optimizers.SGD(Own()), 'mse')\nmodel.fit(x, y, batch_size=256)\n", "", ""},
		"a schedule counts batches": {
			"model.compile(keras.optimizers.SGD(keras.optimizers.schedules.CosineDecay(0.1, 100, warmup_steps=5 + 5)), 'mse')\nmodel.fit(x, y, batch_size=256)\n",
			"model.compile(keras.optimizers.SGD(keras.optimizers.schedules.CosineDecay(0.1, 4 * 100, warmup_steps=4 * (5 + 5)), gradient_accumulation_steps=4), 'mse')\nmodel.fit(x, y, batch_size=64)\n",
			"Train with batches of 64 and apply the mean gradient of 4: about ",
		},
		"a sum over the examples":     {"model.compile('adam', keras.losses.MeanSquaredError(reduction='sum'))\nmodel.fit(x, y, batch_size=256)\n", "", ""},
		"a loss of one's own":         {"model.compile('adam', loss)\nmodel.fit(x, y, batch_size=256)\n", "", ""},
		"accumulates already":         {"model.compile(keras.optimizers.Adam(gradient_accumulation_steps=2), 'mse')\nmodel.fit(x, y, batch_size=256)\n", "", ""},
		"a prime batch":               {"model.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=257)\n", "", ""},
		"arguments that are not seen": {"model.compile('adam', 'mse', **more)\nmodel.fit(x, y, batch_size=256)\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := analyze(source.New("a.py", head+c.in))
			findings := Check(file, Selection{Select: []string{"TFM601"}})
			if len(findings) != 1 {
				t.Fatalf("there are %d findings", len(findings))
			}
			fixes := findings[0].Fixes
			if !strings.HasSuffix(fixes[0].Message, " less") {
				t.Errorf("the first fix does not say what it saves: %s", fixes[0].Message)
			}
			if c.out == "" {
				if len(fixes) != 1 {
					t.Errorf("accumulation is offered: %s", fixes[1].Message)
				}
				return
			}
			if len(fixes) != 2 || fixes[1].Applicability != rule.Unsafe || !strings.HasPrefix(fixes[1].Message, c.message) {
				t.Fatalf("the fixes are %+v", fixes)
			}
			text, err := source.Apply(file.Source.Text(), fixes[1].Edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(head+c.out, text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if left := Check(analyze(source.New("a.py", text)), Selection{Select: []string{"TFM601"}}); len(left) != 0 {
				t.Errorf("the mended program has a finding: %s", left[0].Message)
			}
		})
	}
	// Keras 2 has no such argument: the model gets its own step.
	text := strings.Replace(head, "3.8", "2.13", 1) + "model.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=256)\n"
	file := analyze(source.New("a.py", text))
	findings := Check(file, Selection{Select: []string{"TFM601"}})
	if len(findings) != 1 || len(findings[0].Fixes) != 2 || !strings.HasPrefix(findings[0].Fixes[1].Message, "Split each batch into 4 parts and apply their mean gradient: about ") {
		t.Fatalf("with Keras 2 the findings are %+v", findings)
	}
	made, err := source.Apply(text, findings[0].Fixes[1].Edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"import keras\nimport tensorflow as tf\n", "    rows = (size + 3) // 4\n", "\nmodel.train_step = train_in_parts\nmodel.fit(x, y, batch_size=256)\n"} {
		if !strings.Contains(made, want) {
			t.Errorf("%q is missing in\n%s", want, made)
		}
	}
	if left := Check(analyze(source.New("a.py", made)), Selection{Select: []string{"TFM601"}}); len(left) != 0 {
		t.Errorf("the mended program has a finding: %s", left[0].Message)
	}
	for _, keras := range []string{"", "# keras: >=2.4\n"} {
		text := strings.Replace(head, "# keras: 3.8\n", keras, 1) + "model.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=256)\n"
		if f := Check(analyze(source.New("a.py", text)), Selection{Select: []string{"TFM601"}}); len(f) != 1 || len(f[0].Fixes) != 1 {
			t.Errorf("with %q there are %d findings, and accumulation is offered", keras, len(f))
		}
	}
}

// TestAccumulationInStep checks the second fix of TFM601 for a custom training step: the batch
// stays, and the step processes it in enough parts that each fits.
func TestAccumulationInStep(t *testing.T) {
	const head = "# device: 8 GiB\nimport numpy as np\nimport tensorflow as tf\n\n" +
		"model = tf.keras.applications.ResNet50(weights=None, classes=5)\n" +
		"optimizer = tf.keras.optimizers.Adam(1e-4)\n" +
		"loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()\n" +
		"with tf.device('/CPU:0'):\n" +
		"    dataset = tf.data.Dataset.from_tensor_slices((np.zeros((512, 224, 224, 3), 'float32'), np.zeros(512, 'int32'))).batch(128)\n"
	const step = "with tf.GradientTape() as tape:\n" +
		"    loss = loss_fn(y, model(x, training=True))\n" +
		"gradients = tape.gradient(loss, model.trainable_variables)\n" +
		"optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
	indented := "    " + strings.TrimSuffix(strings.ReplaceAll(step, "\n", "\n    "), "    ")
	for name, c := range map[string]struct {
		in    string
		parts int // 0 if there is no second fix
		lines []string
	}{
		"the body of a loop":  {"for x, y in dataset:\n" + indented, 6, []string{"    # Each batch is taken in six parts, whose gradients are averaged.", "    rows = (size + 5) // 6", "        x, y = tf.nest.map_structure("}},
		"a function":          {"def train(x, y):\n" + indented + "for x, y in dataset:\n    train(x, y)\n", 6, []string{"    rows = (size + 5) // 6", "        x, y = tf.nest.map_structure("}},
		"a compiled function": {"@tf.function\ndef train(x, y):\n" + indented + "for x, y in dataset:\n    train(x, y)\n", 3, []string{"    rows = (size + 2) // 3", "        with tf.control_dependencies(", "            x, y = tf.nest.map_structure("}},
		"a loop that is compiled": {"@tf.function\ndef epoch(data: tf.data.Dataset):\n    for x, y in data:\n" +
			"        " + strings.TrimSuffix(strings.ReplaceAll(step, "\n", "\n        "), "        ") + "epoch(dataset)\n", 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := analyze(source.New("a.py", head+c.in))
			findings := Check(file, Selection{Select: []string{"TFM601"}})
			if len(findings) != 1 {
				t.Fatalf("there are %d findings", len(findings))
			}
			fixes := findings[0].Fixes
			if c.parts == 0 {
				if len(fixes) != 1 {
					t.Errorf("accumulation is offered: %s", fixes[len(fixes)-1].Message)
				}
				return
			}
			if len(fixes) != 2 || fixes[1].Applicability != rule.Unsafe || !strings.HasPrefix(fixes[1].Message, fmt.Sprintf("Split each batch into %d parts and apply their mean gradient: about ", c.parts)) {
				t.Fatalf("the fixes are %+v", fixes)
			}
			text, err := source.Apply(file.Source.Text(), fixes[1].Edits)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.lines {
				if !strings.Contains(text, "\n"+want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			if left := Check(analyze(source.New("a.py", text)), Selection{Select: []string{"TFM601"}}); len(left) != 0 {
				t.Errorf("the mended program has a finding: %s", left[0].Message)
			}
		})
	}
}
