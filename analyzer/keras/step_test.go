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

const stepsOf = `
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
other = tf.keras.optimizers.SGD()
loss_fn = tf.keras.losses.MeanSquaredError()
BATCH = 16
data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32"))).batch(BATCH)
`

// TestSteps checks what is known of custom training steps: the optimizers of their updates and
// whether a graph runs them, or why nothing is.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a loop", `
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
`, "the loop: Adam, operation by operation, batches of 16"},
		{"a checkpoint that holds the model, the optimizer and a counter", `
saved = tf.train.Checkpoint(step=tf.Variable(1), optimizer=optimizer, net=model)
manager = tf.train.CheckpointManager(saved, "saved", max_to_keep=3)
saved.restore(manager.latest_checkpoint).expect_partial()
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, saved.net(x))
    saved.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    saved.step.assign_add(1)
    if int(saved.step) % 10 == 0:
        manager.save()
`, "the loop: Adam, operation by operation, batches of 16"},
		{"a loss that has its name in capitals", `
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.MSE(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
`, "the loop: Adam, operation by operation, batches of 16"},
		{"a function that tf.function compiles by call", `
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
compiled = tf.function(step)
for x, y in data:
    compiled(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"a helper takes the gradient, its caller applies it", `
def grad(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    return loss, tape.gradient(loss, model.trainable_variables)
for x, y in data:
    loss, grads = grad(x, y)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
`, "grad: Adam, operation by operation, batches of 16"},
		{"what one function sums another clips and applies", `
sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
@tf.function
def micro(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    for s, g in zip(sums, tape.gradient(loss, model.trainable_variables)):
        s.assign_add(g)
@tf.function
def update():
    clipped, _ = tf.clip_by_global_norm([s.read_value() / 4.0 for s in sums], 1.0)
    optimizer.apply_gradients(zip(clipped, model.trainable_variables))
    for s in sums:
        s.assign(tf.zeros_like(s))
for i, (x, y) in enumerate(data):
    micro(x, y)
    if (i + 1) % 4 == 0:
        update()
`, "micro: Adam, compiled, batches of 16"},
		{"a gradient by tensors that a function with a tape of its own is given", `
points = tf.random.uniform((50, 8))
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = model(x)
    return tape.gradient(y, x)
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(slope(points) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for i in range(3):
    step()
`, "step: Adam, compiled, batches of 1"},
		{"as many zeros as rows", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x)
        labels = tf.zeros(tf.shape(logits)[0], dtype=tf.int32)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"two updates", `
@tf.function
def step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, model(x))
    first, second = model.layers[0].trainable_variables, model.layers[1].trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, first), first))
    other.apply_gradients(zip(tape.gradient(loss, second), second))
for x, y in data:
    step(x, y)
`, "step: Adam SGD, compiled, batches of 16"},
		{"an update that is made at times", `
import random
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    if random.random() > 0.5:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"an update that a test decides on", `
import random
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    if random.random() > 0.5:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    else:
        other.apply_gradients(zip(grads, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: the variables that it updates are not known"},
		{"a strategy runs it on each of two", `
strategy = tf.distribute.MirroredStrategy(["gpu:0", "gpu:1"])
def step(inputs):
    x, y = inputs
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss(loss_fn(y, model(x)), global_batch_size=BATCH)
        loss += tf.nn.scale_regularization_loss(tf.add_n(model.losses))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
@tf.function
def distributed(inputs):
    return strategy.reduce("SUM", strategy.run(step, args=(inputs,)), axis=None)
for batch in strategy.experimental_distribute_dataset(data):
    distributed(batch)
`, "step: Adam, compiled, batches of 16 shared by 2"},
		{"a strategy that is asked how many there are, and makes the datasets", `
strategy = tf.distribute.MirroredStrategy()
PER_REPLICA = 8
def pipeline(context):
    return data.unbatch().batch(context.get_per_replica_batch_size(PER_REPLICA * strategy.num_replicas_in_sync))
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
@tf.function
def distributed(iterator):
    strategy.experimental_run_v2(step, args=next(iterator))
iterator = iter(strategy.distribute_datasets_from_function(pipeline))
for _ in range(4):
    distributed(iterator)
`, "step: Adam, compiled, batches of 8"},
		{"workers that are elsewhere", `
strategy = tf.distribute.MultiWorkerMirroredStrategy()
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for batch in data:
    strategy.run(step, args=batch)
`, "step: Adam, operation by operation, batches of 16 shared by ?"},
		{"the default strategy, where there is one GPU", `
strategy = tf.distribute.MirroredStrategy() if len(tf.config.list_physical_devices("GPU")) > 1 else tf.distribute.get_strategy()
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for batch in data:
    strategy.run(step, args=batch)
`, "step: Adam, operation by operation, batches of 16"},
		{"a function that is handed its model", `
@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.minimize(loss, model.trainable_variables, tape=tape)
for x, y in data.take(100):
    train_step(model, optimizer, x, y)
`, "train_step: Adam, compiled, batches of 16"},
		{"a step that takes its batch from an iterator", `
@tf.function
def step(iterator):
    x, y = next(iterator)
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.minimize(loss, var_list=model.trainable_variables, tape=tape)
iterator = iter(data)
while True:
    step(iterator)
`, "step: Adam, compiled, batches of 16"},
		{"an epoch in a graph", `
@tf.function
def epoch(data):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        optimizer.minimize(loss, model.trainable_variables, tape=tape)
epoch(data)
`, "the loop: Adam, compiled, batches of 16"},
		{"several steps in a graph", `
@tf.function
def steps(iterator):
    for _ in tf.range(10):
        x, y = next(iterator)
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        optimizer.minimize(loss, model.trainable_variables, tape=tape)
steps(iter(data))
`, "the loop: Adam, compiled, batches of 16"},
		{"a loop that takes its batch", `
iterator = iter(data)
for _ in range(100):
    x, y = iterator.get_next()
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
`, "the loop: Adam, operation by operation, batches of 16"},
		{"arrays that the program cuts", `
features, labels = np.zeros((640, 8), "float32"), np.zeros((640, 1), "float32")
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for i in range(0, 640, 20):
    step(features[i:i + 20], labels[i:i + 20])
`, "step: Adam, operation by operation, batches of 20"},
		{"sums of what a helper returns", `
sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]
def gradients_of(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    return tape.gradient(loss, model.trainable_variables)
for i, (x, y) in enumerate(data):
    for total, g in zip(sums, gradients_of(x, y)):
        total.assign_add(g)
    if (i + 1) % 4 == 0:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))
`, "gradients_of: Adam, operation by operation, batches of 16"},
		{"a helper's gradients, applied to what is not known", `
def gradients_of(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    return tape.gradient(loss, model.layers[0].kernel)
image = tf.Variable(preprocess("photograph.png"))
for x, y in data:
    optimizer.apply_gradients([(gradients_of(x, y), image)])
`, "gradients_of: unknown: a variable that its gradients are applied to is not known"},
		{"batches that Python yields", `
def batches():
    while True:
        yield np.zeros((12, 8), "float32"), np.zeros((12, 1), "float32")
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in batches():
    step(x, y)
`, "step: Adam, operation by operation, batches of 12"},
		{"the next method of a dataset's iterator", `
iterator = iter(data)
def step(batch):
    x, y = batch
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.metrics.mse(y, model(x)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
step(iterator.next())
`, "step: Adam, operation by operation, batches of 16"},
		{"a loader with numbered items", `
class Loader(tf.keras.utils.Sequence):
    def __init__(self, files):
        self.files = files
    def __len__(self):
        return len(self.files) // 4
    def __getitem__(self, i):
        return np.array([[0.0] * 8 for _ in self.files[i * 4:(i + 1) * 4]], "float32"), np.zeros((4, 1), "float32")
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for i, (x, y) in enumerate(Loader(["a"] * 40)):
    step(x, y)
`, "step: Adam, operation by operation, batches of 4"},
		{"a loader that is its own iterator", `
class Loader:
    def __iter__(self):
        return self
    def __next__(self):
        return np.zeros((5, 8), "float32"), np.zeros((5, 1), "float32")
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in Loader():
    step(x, y)
`, "step: Adam, operation by operation, batches of 5"},
		{"workers of an unknown number", `
import os
from threading import Thread
class Worker(Thread):
    def __init__(self, rows):
        Thread.__init__(self)
        self.rows = rows
    def run(self):
        step(np.zeros((self.rows, 8), "float32"), np.zeros((self.rows, 1), "float32"))
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
workers = [Worker(6) for _ in range(os.cpu_count())]
for worker in workers:
    worker.start()
`, "step: Adam, operation by operation, batches of 6"},
		{"workers that a loop of unknown length makes", `
import threading
from multiprocessing import cpu_count
from tqdm import tqdm
class Worker(threading.Thread):
    def __init__(self, number, rows):
        super().__init__()
        self.number, self.rows, self.lock = number, rows, threading.Lock()
    def run(self):
        for _ in tqdm(iterable=range(3)):
            step(np.zeros((self.rows, 8), "float32"), np.zeros((self.rows, 1), "float32"))
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
workers = []
for i in range(cpu_count()):
    workers.append(Worker(i, 7))
for worker in workers:
    worker.start()
`, "step: Adam, operation by operation, batches of 7"},
		{"the shape of a copy of a tensor", `
for x, y in data:
    with tf.GradientTape() as tape:
        z = model(x)
        loss = loss_fn(y, z + tf.random.normal(np.shape(z.numpy())))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
`, "the loop: Adam, operation by operation, batches of 16"},
		{"what a copy of a tensor holds", `
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x) * np.mean(model(x).numpy()))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
`, "the loop: unknown: the target of a gradient is not known"},
		{"a jacobian", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    j = tape.jacobian(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(j, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"lists as long as the batch", `
tokenizer = tf.keras.preprocessing.text.Tokenizer()
tokenizer.fit_on_texts(open("texts").readlines())
number = tf.keras.layers.StringLookup(vocabulary=[line for line in open("words")])
@tf.function
def step(x, y):
    ids = tf.concat([tf.expand_dims([tokenizer.word_index["<start>"]] * x.shape[0], 1), tf.constant([[2], [3]][:1] * len(x), dtype=tf.int64),
                     tf.expand_dims([number("<end>")] * x.shape[0], 1)], 1)
    weights = tf.stack([1.0] * x.shape[0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(loss_fn(y, model(x)) * weights) + 0.0 * tf.reduce_sum(tf.cast(ids, tf.float32))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"a jacobian of no known size", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        out = nets.layer(model(x))
    j = tape.jacobian(out, model.trainable_variables)
    optimizer.apply_gradients(zip(j, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: the target of a gradient is not known"},
		{"an update under tf.cond", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    tf.cond(tf.math.is_finite(loss), lambda: optimizer.apply_gradients(zip(grads, model.trainable_variables)), lambda: None)
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"two optimizers, one of which tf.cond chooses", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    tf.cond(loss > 1.0, lambda: optimizer.apply_gradients(zip(grads, model.trainable_variables)), lambda: other.apply_gradients(zip(grads, model.trainable_variables)))
for x, y in data:
    step(x, y)
`, "step: unknown: the variables that it updates are not known"},
		{"a loss that an if on a tensor chooses", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        out = model(x)
        if tf.reduce_mean(out) > 0.0:
            loss = loss_fn(y, out)
        else:
            loss = tf.reduce_mean(tf.abs(y - out))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"a branch that an index chooses", `
@tf.function
def step(x, y, kind):
    with tf.GradientTape() as tape:
        out = model(x)
        loss = tf.switch_case(kind, {0: lambda: loss_fn(y, out), 1: lambda: tf.reduce_mean(out)}, default=lambda: tf.reduce_sum(out))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for i, (x, y) in enumerate(data):
    step(x, y, tf.constant(i))
`, "step: Adam, compiled, batches of 16"},
		{"a loop of no known end", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        out = model(x)
        out, = tf.while_loop(lambda o: tf.reduce_sum(o) < 1.0, lambda o: (o * 2.0,), (out,))
        loss = loss_fn(y, out)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: the target of a gradient is not known: the number of iterations of a tf.while_loop is not known"},
		{"a loop without end", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        out, i = tf.while_loop(lambda o, i: i < 10**9, lambda o, i: (o * 2.0, i + 1), (model(x), 0))
        loss = loss_fn(y, out)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: the target of a gradient is not known: a tf.while_loop of more than 256 iterations is not followed"},
		{"minimize, and a function of no arguments", `
legacy = tf.keras.optimizers.Adam()
def step(x, y):
    legacy.minimize(lambda: loss_fn(y, model(x)), model.trainable_variables)
for x, y in data:
    step(x, y)
`, "step: Adam, operation by operation, batches of 16"},
		{"tf.gradients in a graph", `
@tf.function
def step(x, y):
    loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tf.gradients(loss, model.trainable_variables), model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"a module's own variables, and what is not known among them", `
class Net(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.zeros((8, 1)))
        self.other = nets.make()
    @tf.function
    def train(self, x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, tf.matmul(x, self.w))
        optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
net = Net()
for x, y in data:
    net.train(x, y)
`, "train: unknown: the sources of a gradient are not known: its attribute other is not known, and may hold variables"},
		{"a gradient to look at", `
def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = model(x)
    return tape.gradient(out, x)
for x, y in data:
    saliency(x)
`, ""},
		{"too many requests", `
@tf.function
def step(x, y):
    for _ in range(1000):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
for x, y in data:
    step(x, y)
`, "step: unknown: it asks for gradients more than 64 times"},
		{"a model that is not known", `
import nets
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, nets.model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, nets.model.trainable_weights), nets.model.trainable_weights))
`, "the loop: unknown: the sources of a gradient are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := keras.Evaluate(names.Resolve(syntax.Parse(stepsOf+c.text), effects.Library{}, nil))
			got := ""
			for _, m := range p.Models {
				switch {
				case m.Class != "Step":
				case m.Own == nil:
					got += m.Name + ": unknown: " + value.Words(m.Unresolved)
				default:
					got += m.Name + ":"
					for _, u := range m.Own.Updates {
						got += " " + u.Optimizer.Class
					}
					got += map[bool]string{true: ", compiled", false: ", operation by operation"}[m.Own.Compiled]
				}
			}
			for _, u := range p.Uses {
				if u.Method == "step" {
					got += fmt.Sprintf(", batches of %d", u.Batch.X)
					switch n, _ := u.Shared(); n {
					case 0:
						got += " shared by ?"
					case 1:
					default:
						got += fmt.Sprintf(" shared by %d", n)
					}
				}
			}
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestAveragesOfTheWeights: variables that average the weights belong to the step, whether it
// assigns to them itself or a function called after it does.
func TestAveragesOfTheWeights(t *testing.T) {
	const averaging = "    for a, v in zip(averages, model.trainable_variables):\n        a.assign(0.9 * a + 0.1 * v)\n"
	for name, program := range map[string]string{
		"in the step": averaging + "for x, y in data:\n    step(x, y)\n",
		"after it":    "@tf.function\ndef average():\n" + averaging + "for x, y in data:\n    step(x, y)\n    average()\n",
		"not at all":  "for x, y in data:\n    step(x, y)\n",
	} {
		p := keras.Evaluate(names.Resolve(syntax.Parse(stepsOf+`
averages = [tf.Variable(v, trainable=False) for v in model.trainable_variables]
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
`+program), effects.Library{}, nil))
		all, _ := p.Models[len(p.Models)-1].Parameters()
		if want := map[bool]int64{false: 2 * 41, true: 41}[name == "not at all"]; all != want {
			t.Errorf("%s: %d parameters, want %d", name, all, want)
		}
	}
}
