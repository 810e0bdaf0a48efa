"""What tf.function, TF1 graphs and models in loops really do, as JSON.

python record.py > tensorflow-<version>-keras-<version>.json

and with TF_USE_LEGACY_KERAS=1 into tensorflow-<version>-tf_keras-<version>.json. No GPU
is needed. The rules TFM502 to TFM507 rest on what this prints; TestRecorded in
rules/graph compares.
"""
import gc
import importlib.metadata
import json
import os
import weakref

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf

TURNS = 10
v1 = tf.compat.v1
keras = tf.keras.Model.__module__.split(".")[0]
record = {"tensorflow": tf.__version__, "keras": keras + " " + importlib.metadata.version(keras)}


def traces(arguments, **options):
    """How often TURNS calls with arguments(turn) are traced."""

    @tf.function(**options)
    def step(x, i):
        return x

    for turn in range(TURNS):
        step(*arguments(turn))
    return step.experimental_get_tracing_count()


def made(make):
    """How often a function is traced of which make(turn) makes the tf.function."""
    count = []

    def step(x):
        count.append(1)
        return x

    compiled = [tf.function(step)] * TURNS if make == "once" else [tf.function(step) for _ in range(TURNS)]
    for turn in range(TURNS):
        compiled[turn](tf.constant(1.0))
    return len(count)


x, array = tf.constant(1.0), np.arange(50, dtype=np.float32)
signature = [tf.TensorSpec([]), tf.TensorSpec([], tf.int32)]
record["traces"] = {
    "python_numbers": traces(lambda i: (x, i)),
    "python_numbers_with_reduce_retracing": traces(lambda i: (x, i), reduce_retracing=True),
    "python_numbers_with_input_signature": traces(lambda i: (x, i), input_signature=signature),
    "python_booleans": traces(lambda i: (x, i == 0)),
    "numpy_scalars": traces(lambda i: (x, np.float32(i))),
    "tensors": traces(lambda i: (x, tf.constant(i))),
    "shapes": traces(lambda i: (array[: i + 1], x)),
    "shapes_with_reduce_retracing": traces(lambda i: (array[: i + 1], x), reduce_retracing=True),
    "made_in_loop": made("in every turn"),
    "made_once": made("once"),
}


def error(f, *arguments):
    try:
        f(*arguments)
    except Exception as e:  # whatever TensorFlow raises is recorded
        for line in str(e).splitlines():
            if "out of scope" in line or "finalized" in line:
                return type(e).__name__ + ": " + line[line.find("is out") if "is out" in line else 0 :].strip().split(". ")[0]
        return type(e).__name__
    return None


appended = []


@tf.function
def appends(value):
    appended.append(value * 2)
    return value


for turn in range(TURNS):
    appends(tf.constant(float(turn)))


@tf.function
def fills(n):
    out = []
    for i in tf.range(n):
        out.append(i * 2)
    return tf.stack(out)


record["appended"] = {"items": len(appended), "symbolic": not hasattr(appended[0], "numpy")}
record["errors"] = {
    "item_used_outside": error(lambda: tf.add(appended[0], 1.0)),
    "list_filled_in_graph_loop": error(fills, tf.constant(3)),
}

with tf.Graph().as_default():
    v1.get_variable("y", [])
    v1.train.get_or_create_global_step()
    with v1.train.MonitoredTrainingSession() as session:
        record["errors"]["operation_in_monitored_session"] = error(lambda: session.run(tf.constant(1.0)))

operations = {
    "tensorflow.compat.v1.assign": lambda: v1.assign(y, 1.0),
    "tensorflow.compat.v1.assign_add": lambda: v1.assign_add(y, 1.0),
    "tensorflow.Variable.assign": lambda: y.assign(1.0),
    "tensorflow.compat.v1.reduce_mean": lambda: v1.reduce_mean(p),
    "tensorflow.compat.v1.global_variables_initializer": lambda: v1.global_variables_initializer(),
    "tensorflow.compat.v1.local_variables_initializer": lambda: v1.local_variables_initializer(),
    "tensorflow.compat.v1.variables_initializer": lambda: v1.variables_initializer([y]),
    "tensorflow.compat.v1.tables_initializer": lambda: v1.tables_initializer(),
    "tensorflow.compat.v1.train.Saver": lambda: v1.train.Saver(),
    "tensorflow.compat.v1.train.AdamOptimizer.minimize": lambda: v1.train.AdamOptimizer().minimize(y * y),
    "tensorflow.compat.v1.train.GradientDescentOptimizer.compute_gradients": lambda: v1.train.GradientDescentOptimizer(0.1).compute_gradients(y * y),
    "tensorflow.compat.v1.train.GradientDescentOptimizer.apply_gradients": lambda: v1.train.GradientDescentOptimizer(0.1).apply_gradients([(p, y)]),
    "tensorflow.compat.v1.summary.scalar": lambda: v1.summary.scalar("a", y),
    "tensorflow.compat.v1.summary.histogram": lambda: v1.summary.histogram("b", y),
    "tensorflow.compat.v1.summary.merge": lambda: v1.summary.merge(v1.get_collection("summaries")),
    "tensorflow.compat.v1.placeholder": lambda: v1.placeholder(tf.float32),
    "tensorflow.compat.v1.placeholder_with_default": lambda: v1.placeholder_with_default(1.0, []),
    "tensorflow.compat.v1.get_variable": lambda: v1.get_variable("z", []),
    "tensorflow.compat.v1.gradients": lambda: v1.gradients(y * y, [y]),
    "tensorflow.compat.v1.report_uninitialized_variables": lambda: v1.report_uninitialized_variables(),
    "tensorflow.compat.v1.no_op": lambda: v1.no_op(),
    "tensorflow.compat.v1.group": lambda: v1.group(v1.no_op(), v1.no_op()),
    "tensorflow.compat.v1.round": lambda: v1.round(p),
    "tensorflow.compat.v1.read_file": lambda: v1.read_file("a"),
    "tensorflow.constant": lambda: tf.constant(1.0),
    "tensorflow.one_hot": lambda: tf.one_hot([1], 3),
    "tensorflow.shape": lambda: tf.shape(p),
    "tensorflow.nn.softmax": lambda: tf.nn.softmax([1.0]),
    "tensorflow.image.decode_jpeg": lambda: tf.image.decode_jpeg("a"),
    "tensorflow.compat.v1.trainable_variables": lambda: v1.trainable_variables(),
    "tensorflow.compat.v1.get_default_graph": lambda: v1.get_default_graph(),
    "tensorflow.compat.v1.set_random_seed": lambda: v1.set_random_seed(1),
    "tensorflow.compat.v1.Summary": lambda: v1.Summary(),
    "tensorflow.compat.v1.summary.merge_all": lambda: v1.summary.merge_all("nothing is collected here"),
}
record["operations"] = {}
for name, add in operations.items():
    with tf.Graph().as_default() as graph:
        p, y = v1.placeholder(tf.float32), v1.get_variable("y", [])
        v1.summary.scalar("s", y)
        before = len(graph.get_operations())
        add()
        record["operations"][name] = len(graph.get_operations()) - before


def live(turn):
    """How many models are alive after each of eight turns."""
    gc.collect()
    references, counts = [], []
    for _ in range(8):
        references.append(weakref.ref(turn()))
        counts.append(sum(r() is not None for r in references))
    return counts


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.zeros((8, 4), "float32"), np.zeros((8, 1), "float32"), verbose=0)
    return model


def after(clean):
    def turn():
        clean()
        return train()

    return turn


record["live_models"] = {
    "nothing": live(train),
    "clear_session": live(after(tf.keras.backend.clear_session)),
    "clear_session_and_collect": live(after(lambda: (tf.keras.backend.clear_session(), gc.collect()))),
    "collect": live(after(gc.collect)),
}
print(json.dumps(record, indent=1))
