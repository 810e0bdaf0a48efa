"""Records which packages of Keras share a dtype policy, and what clear_session() does to it.

    python record.py                              > tensorflow-VERSION.json
    TF_USE_LEGACY_KERAS=1 python record.py        > tensorflow-VERSION-legacy.json

Needs TensorFlow, and tf_keras where the row shall be there; no GPU. Each package sets
mixed_float16 in a process of its own; `applies` names the packages whose new layers then compute in
float16. `cleared` is the type in which it computes after its clear_session().
"""

import importlib
import json
import os
import subprocess
import sys

PACKAGES = ["tensorflow.keras", "keras", "tf_keras", "tensorflow.python.keras"]


def load(name):
    import tensorflow as tf

    return tf.keras if name == "tensorflow.keras" else importlib.import_module(name)


def part(package, name, module):
    if package == "tensorflow.python.keras":
        return importlib.import_module(package + "." + module)
    return getattr(load(package), name)


def set_policy(package):
    module = part(package, "mixed_precision", "mixed_precision.policy")
    getattr(module, "set_global_policy", getattr(module, "set_policy", None))("mixed_float16")


def compute_dtype(package):
    layer = part(package, "layers", "layers").Dense(1)
    return getattr(layer, "compute_dtype", None) or layer._compute_dtype


def clear(package):
    part(package, "backend", "backend").clear_session()


def one(package):
    import tensorflow as tf

    try:
        load(package)
    except ImportError:
        return None
    set_policy(package)
    row = {"applies": []}
    for other in PACKAGES:
        try:
            if compute_dtype(other) == "float16":
                row["applies"].append(other)
        except ImportError:
            pass
    clear(package)
    row["cleared"] = compute_dtype(package)
    return row


def run(what, package):
    code = "import sys, json; sys.path.insert(0, %r); import record; json.dump(record.%s(%r), sys.stdout)"
    done = subprocess.run(
        [sys.executable, "-c", code % (os.path.dirname(os.path.abspath(__file__)), what, package)],
        capture_output=True,
        text=True,
        env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3"),
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    table = {}
    for package in PACKAGES:
        row = run("one", package)
        if row:
            table[package] = row
    json.dump(table, sys.stdout, indent=1)
    print()
