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
The rows of `held` say what the process keeps of each model that is no longer alive, in MiB.
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
import gc, os, resource, sys, weakref
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

# What trains or uses a model of 64 MiB of weights, which is then deleted, cleared and collected, eight
# times. The growth of the process's resident memory from the fourth to the eighth, for each model, is
# what TensorFlow keeps although no Python object refers to the model any more.
HELD = [
    ("`fit`", "model.compile('sgd', 'mse')\nmodel.fit(x, z, verbose=0)"),
    ("`fit` with `run_eagerly=True`", "model.compile('sgd', 'mse', run_eagerly=True)\nmodel.fit(x, z, verbose=0)"),
    ("`evaluate`", "model.compile('sgd', 'mse')\nmodel.evaluate(x, z, verbose=0)"),
    ("`predict`", "model.predict(x, verbose=0)"),
    ("a `tf.function` that applies an optimizer", "step = tf.function(step)\nstep(model, keras.optimizers.SGD())"),
    ("the same without `tf.function`", "step(model, keras.optimizers.SGD())"),
]

STEP = """
z = np.zeros((64, 4096), "float32")


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - z) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def trial(step):
    model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(4096), keras.layers.Dense(4096, use_bias=False)])
    made.append(weakref.ref(model))
%s


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


sizes = []
for _ in range(8):
    trial(step)
    keras.backend.clear_session()
    gc.collect()
    sizes.append(resident())
print(round((sizes[7] - sizes[3]) / 4 / 2**20), alive())
"""


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
    held = []
    for what, body in HELD:
        if only.search(f"held: {what}"):
            mib, alive = run(head(legacy) + STEP % textwrap.indent(body, "    "))
            held.append({"what": what, "mib": mib, "alive": alive})
            print(f"held: {what}: {mib} MiB, {alive} alive", file=sys.stderr)
    if only.pattern != "":
        return
    versions = "import tensorflow as tf; print(tf.__version__); " + (
        "import tf_keras as keras" if legacy else "import keras") + "; print(keras.__version__)"
    tensorflow, keras = subprocess.run([sys.executable, "-c", versions], capture_output=True, text=True).stdout.split()
    record = {"tensorflow": tensorflow, "keras": keras, "trials": TRIALS, "rows": rows, "held": held}
    json.dump(record, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
