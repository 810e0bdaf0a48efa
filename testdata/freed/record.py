"""Records which models are still alive after a program has trained eight of them, and how much of
their memory stays when none is.

    python record.py                              > tensorflow-VERSION-keras-VERSION.json
    TF_USE_LEGACY_KERAS=1 python record.py        > tensorflow-VERSION-tf_keras-VERSION.json
    python record.py --only REGEX                 prints the rows that match, and writes nothing

Needs TensorFlow and IPython, and no GPU: what holds a model is Python's and Keras's, the same on
every device. A model that is alive keeps its weights and its optimizer's state where they are, on
the GPU if there is one.

Every row runs in a process of its own. It trains a model eight times, as the row's code says, and
counts the models that a weak reference still reaches. `most` is the largest count at the end of
an iteration, `alive` the count at the end of the program. Python's collector runs by itself at
times that depend on the program, so a row without gc.collect() says what may stay, not what must.
The rows of `held` say what the process keeps of each model that is no longer alive, in MiB, and
those of `fed` what it keeps of the data that one model was given. Those of `graphs` are recorded with
Keras 2 alone: what stays of each model with eager execution off.
"""

import json
import os
import re
import subprocess
import sys
import textwrap

TRIALS = 8

# What every row starts with. Net makes a model that counts itself.
HEAD = """
import gc, os, sys, weakref
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
import keras if not legacy else tf_keras

made = []
most = 0
x, y = np.ones((64, 32), "float32"), np.zeros((64,), "int32")


def build():
    model = keras.Sequential([keras.layers.Dense(256, activation="relu"), keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    made.append(weakref.ref(model))
    return model


def alive():
    return sum(ref() is not None for ref in made)
"""

FIT = "model.fit(x, y, verbose=0)"
TRAIN = f"def train():\n    model = build()\n    {FIT}"
CLEAR = "keras.backend.clear_session()\ngc.collect()"

# What is done after each training, the code before the loop, and the loop's body.
LOOP = [
    ("nothing", "", f"model = build()\n{FIT}"),
    ("`del model`", "", f"model = build()\n{FIT}\ndel model"),
    ("`clear_session()`", "", f"model = build()\n{FIT}\nkeras.backend.clear_session()"),
    ("`clear_session()`, `gc.collect()`", "", f"model = build()\n{FIT}\n{CLEAR}"),
    ("`del model`, `clear_session()`", "", f"model = build()\n{FIT}\ndel model\nkeras.backend.clear_session()"),
    ("`del model`, `gc.collect()`", "", f"model = build()\n{FIT}\ndel model\ngc.collect()"),
    ("`del model`, `clear_session()`, `gc.collect()`", "", f"model = build()\n{FIT}\ndel model\n{CLEAR}"),
    ("nothing; a function makes the model", TRAIN, "train()"),
    ("`clear_session()`; a function makes the model", TRAIN, "train()\nkeras.backend.clear_session()"),
    ("`gc.collect()`; a function makes the model", TRAIN, "train()\ngc.collect()"),
    ("`clear_session()`, `gc.collect()`; a function makes the model", TRAIN, f"train()\n{CLEAR}"),
]

# What the program keeps of each model, which is deleted, cleared and collected.
KEPT = [
    ("nothing", "", f"model = build()\n{FIT}"),
    ("what `fit` returns", "kept = []", f"model = build()\nkept.append({FIT})"),
    ("the numbers in it: `fit(…).history`", "kept = []", f"model = build()\nkept.append({FIT}.history)"),
    ("what the model returns: `model(x)`", "kept = []", f"model = build()\n{FIT}\nkept.append(model(x))"),
    ("a layer", "kept = []", f"model = build()\n{FIT}\nkept.append(model.layers[0])"),
    ("one callback, passed to every `fit`", "stop = keras.callbacks.EarlyStopping(monitor='loss')", "model = build()\nmodel.fit(x, y, verbose=0, callbacks=[stop])"),
    ("a new callback for every `fit`", "kept = []", "model = build()\nkept.append(keras.callbacks.EarlyStopping(monitor='loss'))\nmodel.fit(x, y, verbose=0, callbacks=kept[-1:])"),
]

# What the cells of a notebook do, and the cells.
NOTEBOOK = [
    ("`model = …`, `h = model.fit(…)`", [f"model = build()\nh = {FIT}"]),
    ("the same, then `del model, h`, cleared and collected", [f"model = build()\nh = {FIT}\ndel model, h\n{CLEAR}"]),
    ("`model.fit(…)` is a cell's last line, then `del model`, cleared and collected", [f"model = build()\n{FIT}", f"del model\n{CLEAR};"]),
    ("`model.fit(…);` is a cell's last line, then `del model`, cleared and collected", [f"model = build()\n{FIT};", f"del model\n{CLEAR};"]),
    ("a function that trains raises an error, then cleared and collected", [f"{TRAIN}\n    raise MemoryError", "train()", f"{CLEAR};"]),
]

# What each of eight trials does with a model of 64 MiB of weights, after which it is deleted, cleared and
# collected, and what runs before the trials. The growth of the process's resident memory from the fourth to
# the eighth, for each trial, is what TensorFlow keeps although no Python object refers to the model any more.
ONCE = "one = large()\none.compile('adam', 'mse')\none.fit(x, z, verbose=0)\nfirst = [v.numpy() for v in state(one)]"
SET_BACK = "for v, value in zip(state(one), first): v.assign(value)\n"
HELD = [
    ("`fit`", "", "model = large()\nmodel.compile('sgd', 'mse')\nmodel.fit(x, z, verbose=0)"),
    ("`fit`, Adam", "", "model = large()\nmodel.compile('adam', 'mse')\nmodel.fit(x, z, verbose=0)"),
    ("`fit`, Adam, with `jit_compile=True`", "", "model = large()\nmodel.compile('adam', 'mse', jit_compile=True)\nmodel.fit(x, z, verbose=0)"),
    ("`train_on_batch`, Adam", "", "model = large()\nmodel.compile('adam', 'mse')\nmodel.train_on_batch(x, z)"),
    ("`fit`, Adam, of a model with an `Embedding`", "", "model = embedding()\nmodel.compile('adam', 'mse')\nmodel.fit(tokens, z, verbose=0)"),
    ("`fit` with `run_eagerly=True`", "", "model = large()\nmodel.compile('sgd', 'mse', run_eagerly=True)\nmodel.fit(x, z, verbose=0)"),
    ("`evaluate`", "", "model = large()\nmodel.compile('sgd', 'mse')\nmodel.evaluate(x, z, verbose=0)"),
    ("`predict`", "", "model = large()\nmodel.predict(x, verbose=0)"),
    ("a `tf.function` that applies an optimizer", "", "model = large()\ntf.function(step)(model, keras.optimizers.SGD())"),
    ("the same without `tf.function`", "", "model = large()\nstep(model, keras.optimizers.SGD())"),
    ("`fit`, Adam; always the same model, its variables set back", ONCE, SET_BACK + "one.fit(x, z, verbose=0)"),
    ("the same, also compiled again", ONCE, SET_BACK + "one.compile('adam', 'mse')\none.fit(x, z, verbose=0)"),
]

# With eager execution off, as in TensorFlow 1, which only Keras 2 runs: what is done after each training.
GRAPHS = [("nothing", "pass"), ("`del model`, `gc.collect()`", "gc.collect()"), ("`clear_session()`", "keras.backend.clear_session()")]

LARGE = """
z = np.zeros((64, 4096), "float32")


def large():
    model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(4096), keras.layers.Dense(4096, use_bias=False)])
    made.append(weakref.ref(model))
    return model


tokens = np.zeros((64, 8), "int32")


def embedding():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Embedding(4096, 64), keras.layers.Flatten(), keras.layers.Dense(4096), keras.layers.Dense(4096, use_bias=False)])
    made.append(weakref.ref(model))
    return model


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - z) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def state(model):
    slots = model.optimizer.variables
    return model.weights + list(slots() if callable(slots) else slots)
"""

# What one model is trained on, eight times. Each time it holds another 32 MiB, and is collected after it. The
# growth is what the process keeps of each.
MAKE = "data = Held()\n"
FED = [
    ("arrays", "", MAKE + "small.fit(data.x, data.y, batch_size=1024, verbose=0)"),
    ("a `Sequence`, or a `PyDataset` in Keras 3", "", "small.fit(Batches(), verbose=0)"),
    ("a Python generator", "", MAKE + "small.fit(batches(data), steps_per_epoch=4, verbose=0)"),
    ("`Dataset.from_tensor_slices`", "", MAKE + "small.fit(tf.data.Dataset.from_tensor_slices((data.x, data.y)).batch(1024), verbose=0)"),
    ("`Dataset.from_generator`", "", MAKE + "small.fit(tf.data.Dataset.from_generator(lambda: batches(data), output_signature=SIGNATURE), verbose=0)"),
    ("a dataset that maps a `numpy_function`", "", MAKE + "small.fit(tf.data.Dataset.range(4).map(lambda i: tf.numpy_function(data.batch, [i], SHAPED)).map(lambda *b: [tf.ensure_shape(t, s.shape) for t, s in zip(b, SIGNATURE)]), verbose=0)"),
    ("a `Sequence`, and `evaluate`", "", "small.evaluate(Batches(), verbose=0)"),
    ("a `Sequence`, and `predict`", "", "small.predict(Batches(), verbose=0)"),
    ("always the same `Sequence`, with new arrays", "same = Batches()", MAKE + "same.x = data.x\nsmall.fit(same, verbose=0)"),
    ("a `Sequence`, then `clear_session()`", "", "small.fit(Batches(), verbose=0)\nkeras.backend.clear_session()"),
]

SMALL = """
small = keras.Sequential([keras.Input((2048,)), keras.layers.Dense(1)])
small.compile("sgd", "mse")
SIGNATURE = (tf.TensorSpec((None, 2048)), tf.TensorSpec((None, 1)))
SHAPED = [tf.float32, tf.float32]


class Held:
    def __init__(self):
        self.x, self.y = np.random.rand(4096, 2048).astype("float32"), np.zeros((4096, 1), "float32")
        made.append(weakref.ref(self))

    def batch(self, i):
        return self.x[i * 1024 : (i + 1) * 1024], self.y[i * 1024 : (i + 1) * 1024]


class Batches(getattr(keras.utils, "PyDataset", keras.utils.Sequence)):
    def __init__(self):
        if hasattr(keras.utils, "PyDataset"):
            super().__init__()
        Held.__init__(self)

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return Held.batch(self, i)


def batches(held):
    for i in range(4):
        yield held.batch(i)
"""

GROWTH = """
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


sizes = []
for _ in range(8):
    trial()
    %s
    sizes.append(resident())
print(round((sizes[7] - sizes[3]) / 4 / 2**20), alive())
"""


def growth(definitions, before, body, clean, legacy):
    trial = "\ndef trial():\n" + textwrap.indent(body, "    ") + "\n"
    return head(legacy) + definitions + before + "\n" + trial + GROWTH % clean.replace("\n", "; ")


def head(legacy):
    return HEAD.replace("import keras if not legacy else tf_keras", "import tf_keras as keras" if legacy else "import keras")


def in_loop(before, body, legacy):
    loop = f"for trial in range({TRIALS}):\n" + textwrap.indent(body + "\nmost = max(most, alive())", "    ")
    return head(legacy) + before + "\n" + loop + "\nprint(most, alive())\n"


def in_notebook(cells, legacy):
    return head(legacy) + textwrap.dedent(f"""
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance()
        sys.stdout, out = open(os.devnull, "w"), sys.stdout
        shell.push(dict(keras=keras, gc=gc, x=x, y=y, build=build))
        for trial in range({TRIALS}):
            for cell in {cells!r}:
                shell.run_cell(cell, store_history=True)
            most = max(most, alive())
        print(most, alive(), file=out)
    """)


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{code}\n{done.stderr}")
    return [int(word) for word in done.stdout.splitlines()[-1].split()]


def main():
    only = re.compile(sys.argv[2] if sys.argv[1:2] == ["--only"] else "")
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    legacy = os.environ.get("TF_USE_LEGACY_KERAS") == "1"
    programs = [("loop", what, in_loop(before, body, legacy)) for what, before, body in LOOP]
    programs += [("kept", what, in_loop(before, f"{body}\ndel model\n{CLEAR}", legacy)) for what, before, body in KEPT]
    programs += [("notebook", what, in_notebook(cells, legacy)) for what, cells in NOTEBOOK]
    rows = []
    for group, what, code in programs:
        if only.search(f"{group}: {what}"):
            most, alive = run(code)
            rows.append({"group": group, "what": what, "most": most, "alive": alive})
            print(f"{group}: {what}: {most} {alive}", file=sys.stderr)
    grown = {"held": [], "fed": []}
    for group, rows_of, definitions, clean in (("held", HELD, LARGE, CLEAR), ("fed", FED, SMALL, "gc.collect()")):
        for what, before, body in rows_of:
            if only.search(f"{group}: {what}"):
                mib, alive = run(growth(definitions, before, body, clean, legacy))
                grown[group].append({"what": what, "mib": mib, "alive": alive})
                print(f"{group}: {what}: {mib} MiB, {alive} alive", file=sys.stderr)
    if legacy:
        grown["graphs"] = []
    for what, clean in GRAPHS if legacy else ():
        if only.search(f"graphs: {what}"):
            fit = "model = large()\nmodel.compile('sgd', 'mse')\nmodel.fit(x, z, verbose=0)"
            mib, alive = run(growth("tf.compat.v1.disable_eager_execution()\n" + LARGE, "", fit, clean, legacy))
            grown["graphs"].append({"what": what, "mib": mib, "alive": alive})
            print(f"graphs: {what}: {mib} MiB, {alive} alive", file=sys.stderr)
    if only.pattern != "":
        return
    versions = "import tensorflow as tf; print(tf.__version__); " + (
        "import tf_keras as keras" if legacy else "import keras") + "; print(keras.__version__)"
    tensorflow, keras = subprocess.run([sys.executable, "-c", versions], capture_output=True, text=True).stdout.split()
    record = {"tensorflow": tensorflow, "keras": keras, "trials": TRIALS, "rows": rows, **grown}
    json.dump(record, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
