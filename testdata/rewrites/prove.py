"""Runs the rewritten programs with a real TensorFlow, beside the originals.

    python testdata/rewrites/prove.py [PROGRAM...]

takes every NAME/run_*.py and the run_*.rewritten.py beside it, and every notebook in
the same way, with the module that it got, runs both, each in a process and a folder of
its own (the notebooks with nbclient and a kernel of ipykernel), and compares what comes of them: what they print,
the weights of the global "model", and what is particular to a rewrite (below). It
writes tensorflow-VERSION-keras-VERSION.json next to itself and ends with an error
where something is not as it must be; with programs named it runs those alone and
changes what the record holds of them. No GPU is needed or used. A test of the
package rules/rewrite sees that the records are of the present programs.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Weights after training on parts of a batch, or on two replicas, differ from those
# after the whole by rounding only.
TOLERANCE = 1e-5

RUNNER = """
import os, runpy, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
program, replicas = sys.argv[1], int(sys.argv[2])
if replicas > 1:
    import tensorflow as tf
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * replicas)
    made = tf.distribute.MirroredStrategy
    class MirroredStrategy(made):
        def __init__(self):
            super().__init__([f"CPU:{i}" for i in range(replicas)])
            print("replicas", self.num_replicas_in_sync)
    tf.distribute.MirroredStrategy = MirroredStrategy
model = runpy.run_path(program, run_name="__main__").get("model")
if model is not None:
    import numpy as np
    np.savez("weights.npz", *model.get_weights())
"""


def run(program, runner=True, replicas=1):
    """What a program prints and the folder in which it ran."""
    folder = tempfile.mkdtemp()
    command = [sys.executable, "-c", RUNNER, program, str(replicas)] if runner else [sys.executable, program]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{program} failed:\n{done.stderr[-2000:]}")
    return done.stdout, folder


def run_notebook(path, modules=()):
    """What the cells of a notebook print, in a folder with modules: their names and texts."""
    import nbclient
    import nbformat

    folder = tempfile.mkdtemp()
    for name, text in modules:
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    done = nbclient.NotebookClient(nbformat.read(path, as_version=4), timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return "".join(o["text"] for c in done.cells for o in c.get("outputs", ()) if o["output_type"] == "stream" and o["name"] == "stdout")


def modules_of(program):
    """The modules that a rewritten notebook got: NAME.MODULE.py beside NAME.ipynb."""
    name = program[: -len("ipynb")]
    return [(path[len(name) :], open(path).read()) for path in sorted(glob.glob(name + "*.py")) if path[len(name) :] not in ("py", "rewritten.py")]


def files(folder):
    return sorted(os.path.join(root, name)[len(folder) + 1 :] for root, _, names in os.walk(folder) for name in names)


def difference(before, after):
    """The largest difference between the weights that two runs left."""
    import numpy as np

    a, b = (np.load(os.path.join(folder, "weights.npz")) for folder in (before, after))
    assert a.files == b.files, "there are other weights"
    return max(float(np.max(np.abs(a[k] - b[k]))) for k in a.files)


def rounded(text):
    """A text with its numbers to three digits."""
    words = []
    for word in text.replace(",", " ,").split():
        try:
            words.append(f"{float(word):.3f}")
        except ValueError:
            words.append(word)
    return words


def rewritten_of(program):
    base, extension = os.path.splitext(program)
    return base + ".rewritten" + extension


def prove(name, program):
    if program.endswith(".ipynb"):
        printed, printed_after = run_notebook(program), run_notebook(rewritten_of(program), modules_of(program))
        assert printed and printed == printed_after, f"{printed}became {printed_after}"
        return "the notebooks print the same"
    rewritten = rewritten_of(program)
    if name == "own-process":
        printed, before = run(program, runner=False)
        printed_after, after = run(rewritten, runner=False)
        assert printed == printed_after, f"{printed}became {printed_after}"
        assert files(before) == files(after), f"{files(before)} became {files(after)}"
        for f in files(before):
            with open(os.path.join(before, f)) as a, open(os.path.join(after, f)) as b:
                assert a.read() == b.read(), f"{f} holds something else"
        return "the processes print and write the same"
    printed, before = run(program)
    printed_after, after = run(rewritten)
    off = difference(before, after)
    assert off <= TOLERANCE, f"the weights differ by {off}"
    result = f"weights differ by {off:.1e} at most"
    if name == "cuda-malloc-async":
        assert printed in ("", "None\n") and printed_after == printed.replace("None", "cuda_malloc_async"), printed_after
        return result
    assert rounded(printed) == rounded(printed_after), f"{printed}became {printed_after}"
    if name == "profile-loop":
        written = [f for f in files(after) if f.startswith("logs") and f.endswith(".xplane.pb")]
        assert written, f"the profiler wrote {files(after)}"
        result += "; the profiler wrote a trace"
    if name == "mirrored-strategy":
        printed, two = run(rewritten, replicas=2)
        assert "replicas 2" in printed, printed
        off = difference(before, two)
        assert off <= TOLERANCE, f"with two replicas the weights differ by {off}"
        result += f", with two replicas by {off:.1e}"
    return result


LEFTOVERS = """
import numpy as np
import keras

def trained(optimizer, fit):
    keras.utils.set_random_seed(1)
    x, y = np.random.normal(size=(104, 8)).astype("float32"), np.random.normal(size=(104, 1)).astype("float32")
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    fit(model, x, y)
    return np.concatenate([np.ravel(w) for w in model.get_weights()])

def large(model, x, y):
    x, y = np.concatenate([x, x]), np.concatenate([y, y])
    for start in range(0, 192, 32):
        model.train_on_batch(x[start:start + 32], y[start:start + 32])

small = trained(keras.optimizers.Adam(0.01, gradient_accumulation_steps=4), lambda m, x, y: m.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0))
print(float(np.max(np.abs(small - trained(keras.optimizers.Adam(0.01), large)))))
"""


def leftovers():
    """What fit does with 13 batches an epoch, four at a time: the one that is left
    over counts with the first three of the next epoch, and the last two of all are
    not applied."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
        f.write(LEFTOVERS)
        f.flush()
        printed, _ = run(f.name, runner=False)
    off = float(printed)
    assert off <= TOLERANCE, f"the weights differ by {off}"
    return f"left over batches of fit count in the next epoch: weights differ by {off:.1e} at most"


def main():
    printed, _ = run_versions()
    tensorflow, keras = printed.split()
    named = [os.path.abspath(a) for a in sys.argv[1:]]
    written = os.path.join(HERE, f"tensorflow-{tensorflow}-keras-{keras}.json")
    record = {"tensorflow": tensorflow, "keras": keras, "programs": {}}
    if named:
        with open(written) as f:
            record = json.load(f)
    failed = False
    for program in named or sorted(p for kind in ("py", "ipynb") for p in glob.glob(os.path.join(HERE, "*", "run_*." + kind))):
        if os.path.basename(program).count(".") > 1:
            continue  # what the rewrite made
        name, case = os.path.relpath(program, HERE).split(os.sep)
        with open(rewritten_of(program), "rb") as f:
            text = f.read()
        if program.endswith(".ipynb"):
            text += "".join(text for _, text in modules_of(program)).encode()
        if b"gradient_accumulation_steps" in text and keras.startswith("2."):
            result = "not run: it needs Keras 3"
        elif b"\n# keras: 2\n" in text and not keras.startswith("2."):
            result = "not run: it needs Keras 2"
        else:
            try:
                result = prove(name, program)
            except AssertionError as e:
                failed, result = True, f"FAILED: {e}"
        print(f"{name}/{case}: {result}")
        record["programs"][f"{name}/{case}"] = {"sha256": hashlib.sha256(text).hexdigest(), "result": result}
    if not named and not keras.startswith("2."):
        record["leftovers"] = leftovers()
        print(record["leftovers"])
    if failed:
        sys.exit(1)
    record["programs"] = dict(sorted(record["programs"].items()))
    with open(written, "w") as f:
        json.dump(record, f, indent=1)
        f.write("\n")


def run_versions():
    with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
        f.write("import keras, tensorflow\nprint(tensorflow.__version__, keras.__version__)\n")
        f.flush()
        return run(f.name, runner=False)


if __name__ == "__main__":
    main()
