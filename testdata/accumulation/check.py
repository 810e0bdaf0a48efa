"""Holds what TFM606 and TFM607 say, and what TFM601's second fix does, against a real
TensorFlow.

    python testdata/accumulation/check.py

runs each claim and ends with an error where one does not hold; what it prints stands in
the record beside it, one for each TensorFlow. No GPU is needed or used.
"""

import json
import os
import re
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf

keras = tf.keras
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "..", "rules", "TFM607")
VERSION = getattr(keras, "__version__", tf.__version__)
KERAS3 = VERSION.startswith("3")
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(44, 3)).astype("float32"), rng.normal(size=(44, 1)).astype("float32")
found = {}


def model():
    keras.utils.set_random_seed(1)
    made = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(5, activation="tanh"), keras.layers.Dense(1)])
    return made


def difference(a, b):
    return float(max(np.abs(x - y).max() for x, y in zip(a.get_weights(), b.get_weights())))


def claim(name, value, holds):
    found[name] = value
    if not holds:
        raise SystemExit(f"{name}: {value}")


def large_batches(size):
    """Training on whole batches of a size, the last smaller."""
    m, optimizer, mse = model(), keras.optimizers.SGD(0.1), keras.losses.MeanSquaredError()
    for i in range(0, len(X), size):
        with tf.GradientTape() as tape:
            loss = mse(Y[i:i + size], m(X[i:i + size], training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
    return m


def example(program):
    """The documentation's example, run on eleven batches of four: three are left over."""
    m = model()
    scope = {"model": m, "dataset": tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)}
    exec(compile(program, "example", "exec"), scope)
    return m


rule = open(os.path.join(HERE, "..", "..", "rules", "budget", "tfm607.go"), encoding="utf-8").read()
bad, good = (re.search(which + r": `\n(.*?)`,", rule, re.S).group(1) for which in ("Bad", "Good"))
whole = large_batches(16)
claim("the mended accumulation differs from the large batch by", difference(example(good), whole), difference(example(good), whole) < 1e-5)
claim("the sum differs from the large batch by", difference(example(bad), whole), difference(example(bad), whole) > 1e-2)

if KERAS3:
    x, y = X[:40], Y[:40]
    made = {}
    for size, steps in ((20, None), (5, 4)):
        m = model()
        m.compile(keras.optimizers.SGD(0.1, gradient_accumulation_steps=steps), "mse")
        m.fit(x, y, batch_size=size, epochs=3, shuffle=False, verbose=0)
        made[size] = m
    claim("gradient_accumulation_steps differs from the large batch by", difference(made[20], made[5]), difference(made[20], made[5]) < 1e-5)

embedding = tf.Variable(np.ones((5, 2), "float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(embedding, [1, 1, 3]))
sparse = tape.gradient(loss, embedding)
for text in ("sparse / 4", "sparse * 0.25", "sparse + sparse"):
    try:
        eval(text)
        raised = None
    except TypeError as error:
        raised = f"TypeError: {error}"
    claim(text, raised, raised is not None and "unsupported operand type(s)" in raised)
total = tf.Variable(tf.zeros((5, 2)))
total.assign_add(sparse)
claim("assign_add takes IndexedSlices", total.numpy().sum().item(), total.numpy().sum() == 6)

# What LossScaleOptimizer does with gradients of a loss that was not scaled.
v = keras.Variable(1.0) if KERAS3 else tf.Variable(1.0)
optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.SGD(1.0))
optimizer.apply_gradients([(tf.constant(0.5), v)])
moved = 1.0 - float(tf.convert_to_tensor(v))
claim("a gradient of 0.5 moves a weight under LossScaleOptimizer by", moved, abs(moved - (0.5 / 32768 if KERAS3 else 0.5)) < 1e-6)
if KERAS3:
    same = float(keras.optimizers.SGD().scale_loss(tf.constant(2.0)))
    claim("scale_loss(2) of a plain optimizer", same, same == 2.0)
keras.mixed_precision.set_global_policy("mixed_float16")
layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")
small = tf.ones((4, 1)) * 1e-5
layer(small)


def gradient(scale, unscale):
    with tf.GradientTape() as tape:
        loss = scale(tf.reduce_mean(tf.cast(layer(small), tf.float32)) * 1e-4)
    return float(unscale(tape.gradient(loss, layer.trainable_variables))[0].numpy()[0, 0])


plain = gradient(lambda loss: loss, lambda g: g)
claim("a gradient of 1e-9 in float16", plain, plain == 0)
if KERAS3:
    scaled = gradient(optimizer.scale_loss, lambda g: [g[0] / 32768.0])
else:
    scaled = gradient(optimizer.get_scaled_loss, optimizer.get_unscaled_gradients)
claim("and of the scaled loss, scaled back", scaled, abs(scaled - 1e-9) < 1e-10)

with open(os.path.join(HERE, f"tensorflow-{tf.__version__}-keras-{VERSION if KERAS3 else '2'}.json"), "w", encoding="utf-8") as out:
    json.dump(found, out, indent=1)
    out.write("\n")
json.dump(found, sys.stdout, indent=1)
print()
