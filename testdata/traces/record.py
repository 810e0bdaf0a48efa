"""Records which arguments of a tf.function, and which inputs of a Keras model, make it trace again,
and how much memory each call of predict leaves behind.

    python record.py                         > tensorflow-VERSION-keras-VERSION.json
    TF_USE_LEGACY_KERAS=1 python record.py   > tensorflow-VERSION-tf_keras-VERSION.json

Needs TensorFlow and no GPU: traces are Python's, the same on every device.

A row of `arguments` says how often ten calls of a tf.function are traced, each with the row's
argument made anew: as it is; with reduce_retracing=True; and, where there is one, with an
input_signature whose dimensions are None. A row of `model` says how often a method of a compiled
model traces its step in ten calls with inputs of ten sizes ("sizes") or of one ("same"). A row of
`left` says how many KiB of resident memory each call leaves, over 400 calls after 100.
"""

import collections
import dataclasses
import enum
import functools
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import tensorflow as tf

tf.get_logger().setLevel("ERROR")
CALLS = 10


class Plain:
    def __init__(self, i):
        self.i = i

    def method(self, x):
        return x

    @tf.function
    def step(self, x):
        return x


class Equal(Plain):
    def __eq__(self, other):
        return isinstance(other, Equal)

    def __hash__(self):
        return 0


@dataclasses.dataclass
class Data:
    i: int


@dataclasses.dataclass(frozen=True)
class Frozen:
    i: int


Named = collections.namedtuple("Named", "i")
Color = enum.Enum("Color", [f"C{i}" for i in range(CALLS)])
plain, equal = Plain(0), [Equal(i) for i in range(CALLS)]
floats = np.arange(50, dtype=np.float32)


def function(x):
    return x


def local(i):
    def inner(x):
        return x

    return inner


# What each call passes, made by row(i), and the input_signature that takes it, if there is one.
vector = [tf.TensorSpec([None], tf.float32)]
ARGUMENTS = {
    # numbers and constants
    "int": (lambda i: i, [tf.TensorSpec([], tf.int32)]),
    "float": (lambda i: 0.5 * i, [tf.TensorSpec([], tf.float32)]),
    "bool": (lambda i: i % 2 == 0, None),
    "None or number": (lambda i: None if i % 2 else 1, None),
    "enum member": (lambda i: list(Color)[i], None),
    # strings
    "str": (lambda i: f"file{i}", [tf.TensorSpec([], tf.string)]),
    "bytes": (lambda i: b"file%d" % i, None),
    "path": (lambda i: pathlib.PurePath(f"file{i}"), None),
    "string tensor": (lambda i: tf.constant(f"file{i}"), None),
    # functions
    "lambda": (lambda i: lambda x: x, None),
    "function": (lambda i: function, None),
    "function defined for the call": (local, None),
    "bound method": (lambda i: plain.method, None),
    "bound method of a new object": (lambda i: Plain(i).method, None),
    "partial": (lambda i: functools.partial(function), None),
    # objects
    "object": (lambda i: plain, None),
    "new object": (lambda i: Plain(i), None),
    "new equal object": (lambda i: equal[i], None),
    "dataclass": (lambda i: Data(i), None),
    "frozen dataclass": (lambda i: Frozen(i), None),
    "equal frozen dataclass": (lambda i: Frozen(1), None),
    "namedtuple of numbers": (lambda i: Named(i), None),
    "namedtuple of tensors": (lambda i: Named(tf.constant(i)), None),
    "new variable": (lambda i: tf.Variable(float(i)), None),
    "new optimizer": (lambda i: tf.keras.optimizers.SGD(), None),
    "new layer": (lambda i: tf.keras.layers.Dense(1), None),
    "new dataset": (lambda i: tf.data.Dataset.range(i + 1), None),
    "new iterator": (lambda i: iter(tf.data.Dataset.range(3)), None),
    # containers
    "dict of numbers": (lambda i: {"rate": 0.1 * i}, None),
    "dict of tensors": (lambda i: {"rate": tf.constant(0.1 * i)}, None),
    "dict of equal numbers": (lambda i: {"rate": 0.1}, None),
    "dict of new keys": (lambda i: {f"k{i}": tf.constant(0.1)}, None),
    "list of numbers": (lambda i: [i, 1], None),
    "list of equal numbers": (lambda i: [1, 2], None),
    "list of tensors": (lambda i: [tf.constant(i)], None),
    "longer list of tensors": (lambda i: [tf.constant(1.0)] * (i + 1), None),
    "longer list of numbers": (lambda i: [1.0] * (i + 1), vector),
    "list of strings": (lambda i: [f"a{i}", "b"], None),
    "tuple of numbers": (lambda i: (i, 1), None),
    "tuple of equal numbers": (lambda i: (1, 2), None),
    "set of numbers": (lambda i: frozenset([i]), None),
    "range": (lambda i: range(i), None),
    "slice": (lambda i: slice(0, i), None),
    # arrays and tensors
    "numpy scalar": (lambda i: np.float32(i), None),
    "numpy int": (lambda i: np.int64(i), None),
    "numpy str": (lambda i: np.str_(f"a{i}"), None),
    "numpy bool": (lambda i: np.bool_(i % 2), None),
    "array": (lambda i: np.full(3, i, np.float32), vector),
    "longer array": (lambda i: floats[: i + 1], vector),
    "array of strings": (lambda i: np.array([f"a{i}"]), None),
    "longer rank": (lambda i: np.zeros([1] * (i + 1), np.float32), None),
    "alternating dtype": (lambda i: np.zeros(3, ["float32", "float64"][i % 2]), vector),
    "tensor": (lambda i: tf.constant(float(i)), None),
    "longer tensor": (lambda i: tf.zeros(i + 1), vector),
    "longer batch of rows": (lambda i: tf.zeros((i + 1, 4)), [tf.TensorSpec([None, 4], tf.float32)]),
    "picture of another size": (lambda i: tf.zeros((1, 20 + i, 30 + i, 3)), [tf.TensorSpec([1, None, None, 3], tf.float32)]),
    "ragged": (lambda i: tf.ragged.constant([[1.0] * (i + 1), [2.0]]), [tf.RaggedTensorSpec([None, None], tf.float32)]),
    "ragged of more rows": (lambda i: tf.ragged.constant([[1.0]] * (i + 1)), [tf.RaggedTensorSpec([None, None], tf.float32)]),
    "sparse": (lambda i: tf.sparse.from_dense(np.eye(3, dtype=np.float32) * i), None),
    "longer sparse": (lambda i: tf.sparse.from_dense(np.ones((i + 1, 2), np.float32)), [tf.SparseTensorSpec([None, 2], tf.float32)]),
}


def traces(make, **options):
    @tf.function(**options)
    def step(x):
        return tf.constant(1.0)

    try:
        for i in range(CALLS):
            step(make(i))
    except Exception as e:  # what it raises is recorded
        return type(e).__name__
    return step.experimental_get_tracing_count()


def traced(make, signature):
    row = {"plain": traces(make), "reduce_retracing": traces(make, reduce_retracing=True)}
    if signature:
        row["input_signature"] = traces(make, input_signature=signature)
    return row


def methods():
    """How often the compiled method of a class is traced: `same` for one object, `new` for ten. It
    has one cache for all objects of its class, or one for each; the body counts."""
    count = []

    class Counts:
        @tf.function
        def step(self, x):
            count.append(1)
            return x

    one, out = Counts(), {}
    for name, objects in [("same object", [one] * CALLS), ("new object", [Counts() for _ in range(CALLS)])]:
        count.clear()
        for o in objects:
            o.step(tf.constant(1.0))
        out[name] = len(count)
    return out


keras = tf.keras


def fully_convolutional(count):
    """A model for pictures of any size, whose steps count their traces."""

    class Counting(keras.Model):
        def call(self, inputs, training=False):
            count.append(1)
            return super().call(inputs, training=training)

    inputs = keras.Input((None, None, 3))
    model = Counting(inputs, keras.layers.Conv2D(1, 3, padding="same")(inputs))
    model.compile("sgd", "mse")
    return model


def picture(i):
    return np.zeros((1, 20 + i, 20 + i, 3), np.float32)


def target(i):
    return np.zeros((1, 20 + i, 20 + i, 1), np.float32)


def of_dataset(model, i):
    model.predict(tf.data.Dataset.from_tensors(picture(i)), verbose=0)


METHODS = {
    "fit": lambda model, i: model.fit(picture(i), target(i), verbose=0),
    "evaluate": lambda model, i: model.evaluate(picture(i), target(i), verbose=0),
    "predict": lambda model, i: model.predict(picture(i), verbose=0),
    "predict of a tensor": lambda model, i: model.predict(tf.constant(picture(i)), verbose=0),
    "predict of a dataset": of_dataset,
    "train_on_batch": lambda model, i: model.train_on_batch(picture(i), target(i)),
    "test_on_batch": lambda model, i: model.test_on_batch(picture(i), target(i)),
    "predict_on_batch": lambda model, i: model.predict_on_batch(picture(i)),
}


def in_model(call):
    out = {}
    for name, size in [("sizes", lambda i: i), ("same", lambda i: 0)]:
        count = []
        model = fully_convolutional(count)
        call(model, 0)
        count.clear()  # building it, and the first trace
        for i in range(1, CALLS + 1):
            call(model, size(i))
        out[name] = len(count)
    return out


# What a loop of 500 iterations calls.
LEFT = {
    "predict of the same array": "model.predict(x, verbose=0)",
    "predict of a new array": "model.predict(np.random.rand(1, 12), verbose=0)",
    "predict of the same tensor": "model.predict(t, verbose=0)",
    "predict_on_batch of the same array": "model.predict_on_batch(x)",
    "model(x)": "model(x, training=False)",
    "predict of new lengths": "varied.predict(np.zeros((1, i + 1, 4), 'float32'), verbose=0)",
    "predict_on_batch of new lengths": "varied.predict_on_batch(np.zeros((1, i + 1, 4), 'float32'))",
    "model(x) of new lengths": "varied(np.zeros((1, i + 1, 4), 'float32'), training=False)",
    "predict of new lengths, jit_compile=True": "compiled.predict(np.zeros((1, i + 1, 4), 'float32'), verbose=0)",
    "predict of the same length, jit_compile=True": "compiled.predict(np.zeros((1, 9, 4), 'float32'), verbose=0)",
    "a tf.function of new lengths": "step(tf.zeros(i + 1))",
    "a tf.function of new lengths, reduce_retracing=True": "relaxed(tf.zeros(i + 1))",
    "a tf.function of new numbers": "step(i)",
    "a tf.function of new strings": "step(f'file{i}')",
    "a tf.function of new lambdas": "step(lambda: i)",
    "a tf.function of one tensor": "step(t)",
}

PREDICTS = """
import gc, os
import numpy as np
import tensorflow as tf
keras = tf.keras
model = keras.Sequential([keras.Input((12,)), keras.layers.Dense(48), keras.layers.Dense(3)])
varied = keras.Sequential([keras.Input((None, 4)), keras.layers.Dense(8)])
model.compile("adam", "mse")
compiled = keras.models.clone_model(varied)
compiled.compile("adam", "mse", jit_compile=True)
x = np.random.rand(1, 12)
t = tf.constant(x, tf.float32)


def body(x):
    return model(t)


step, relaxed = tf.function(body), tf.function(body, reduce_retracing=True)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


for i in range(500):
    %s
    if i == 99:
        gc.collect()
        before = resident()
gc.collect()
print((resident() - before) / 400 / 1024)
"""


def left(body):
    done = subprocess.run([sys.executable, "-c", PREDICTS % body], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{body}\n{done.stderr}")
    return round(float(done.stdout.split()[-1]), 1)


def main():
    name = keras.Model.__module__.split(".")[0]
    record = {
        "tensorflow": tf.__version__,
        "keras": name + " " + importlib.metadata.version(name),
        "calls": CALLS,
        "arguments": {what: traced(*row) for what, row in ARGUMENTS.items()},
        "methods": methods(),
        "model": {what: in_model(call) for what, call in METHODS.items()},
    }
    if "--quick" not in sys.argv:
        record["left"] = {what: left(body) for what, body in LEFT.items()}
    json.dump(record, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
